"""Functions of `tests/cases/evolving`, with what they are called with and where operators can be applied."""

from __future__ import annotations

import ast
import copy
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pipeline.evolve.tracing import _ENTRY, _together, instrumented
from pipeline.transforms.preserving.evolving.growing import Facts

FOLDER = Path("tests/cases/evolving")


@dataclass(frozen=True)
class Case:
    """A function as a program of its own; `sites` are the numbers of places of the operators that have any."""

    name: str
    program: str
    calls: tuple[tuple[Any, ...], ...]
    sites: dict[str, int]


def cases() -> Iterator[Case]:
    for file in sorted(FOLDER.glob("*.py")):
        text = file.read_text()
        lines = text.splitlines()
        for node in ast.parse(text).body:
            assert isinstance(node, ast.FunctionDef)
            calls, told = lines[node.lineno - 3], lines[node.lineno - 2]
            written = re.sub(r"\) \(", "), (", calls.removeprefix("# calls: "))
            given = eval(f"[{written}]")
            sites = {code: int(count) for code, count in (one.split("=") for one in told.removeprefix("# sites:").split())}
            program = ast.get_source_segment(text, node)
            assert program is not None
            yield Case(node.name, program + "\n", tuple(given), sites)


def outcomes(program: str, name: str, calls: tuple[tuple[Any, ...], ...]) -> list[tuple[Any, ...]]:
    """What a program gives in each call: a value or an exception's type, and the arguments as it leaves them."""
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(program, "program", "exec"), namespace)
    found = []
    for arguments in copy.deepcopy(calls):
        try:
            given = ("returned", repr(namespace[name](*arguments)))
        except Exception as error:
            given = ("raised", f"{type(error).__name__}: {error}")
        found.append((*given, repr(arguments)))
    return found


def facts_of(case: Case) -> Facts:
    """What is seen of a function in its calls, in this process: these are our own."""
    text = instrumented(case.program, case.name)
    assert text is not None
    namespace: dict[str, Any] = {"__name__": "program"}
    exec(compile(text, "program", "exec"), namespace)
    return _together([namespace[_ENTRY](*arguments) for arguments in copy.deepcopy(case.calls)])
