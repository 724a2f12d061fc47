"""A program parsed once for all that is asked of it in turn."""

from __future__ import annotations

import ast
from functools import lru_cache

from pipeline.languages.programs import Unreadable
from pipeline.languages.python.lowering import FunctionNode, find_function


@lru_cache(maxsize=4)
def parsed(program: str, name: str) -> tuple[ast.Module, FunctionNode]:
    """A program's tree, which nobody may change, and its function of that name; raises `Unreadable`."""
    try:
        tree = ast.parse(program)
        return tree, find_function(tree, name)
    except (SyntaxError, ValueError, RecursionError, LookupError) as error:
        raise Unreadable(str(error)) from error
