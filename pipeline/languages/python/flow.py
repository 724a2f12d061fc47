"""The control flow of a Python function, with the lines and the depth of its text."""

from __future__ import annotations

import ast

from pipeline.languages.flow import FunctionFlow
from pipeline.languages.python.lowering import FunctionNode, lower
from pipeline.languages.python.parsed import parsed


class PythonFlow:
    """How Python's functions become graphs."""

    def read(self, program: str, name: str) -> FunctionFlow:
        """The flow of a program's function; raises `Unreadable`."""
        _, function = parsed(program, name)
        lines, depth = len(_code_lines(function)), _depth(function.body)
        return FunctionFlow(lower(function), function.lineno, lines, depth, "None")


def _code_lines(function: FunctionNode) -> set[int]:
    """The lines on which some code of the function stands; comments, blank lines and the docstring don't count."""
    body = function.body[1:] if ast.get_docstring(function, clean=False) is not None else function.body
    lines = {function.lineno}
    for statement in body:
        for node in ast.walk(statement):
            if isinstance(node, (ast.expr, ast.stmt, ast.excepthandler)):
                lines |= {node.lineno, node.end_lineno or node.lineno}
    return lines


def _depth(statements: list[ast.stmt]) -> int:
    """How many conditions, loops, attempts and nested functions the deepest statement lies in; `elif` adds none."""
    deepest = 0
    for node in statements:
        inner = [
            _depth(getattr(node, part)) for part in ("body", "finalbody") if isinstance(getattr(node, part, None), list)
        ]
        inner += [_depth(part.body) for part in (*getattr(node, "handlers", ()), *getattr(node, "cases", ()))]
        if inner:
            deepest = max(deepest, 1 + max(inner))
        otherwise = getattr(node, "orelse", None)
        if isinstance(otherwise, list) and otherwise:
            chained = isinstance(node, ast.If) and len(otherwise) == 1 and isinstance(otherwise[0], ast.If)
            deepest = max(deepest, _depth(otherwise) + (0 if chained else 1))
    return deepest
