"""Loading rewritten copies of a program, which tell of a call what the program itself does not."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from pipeline.suites.instrument.branch_coverage import FILE

OWN = "reference"
"""The name of a copy's module, which what it defines has."""


def loaded(tree: ast.Module, entry_point: str, kind: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
    """The entry point of a rewritten program that calls the tools by their names, None where it does not load.

    `kind` tells its file from those of other copies.
    """
    namespace: dict[str, Any] = {"__name__": OWN, **tools}
    try:
        exec(compile(ast.fix_missing_locations(tree), f"{FILE}.{kind}", "exec", dont_inherit=True), namespace)
    except Exception:
        return None
    return namespace[entry_point]
