"""Parameters that a function hands on unchanged to members, and these to others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

MOST_STEPS = 6
"""How many functions a value is followed through."""

_Taken = tuple[ast.FunctionDef, ast.arg]


def handed_on(function: ast.FunctionDef, name: str, members: Sequence[ast.FunctionDef]) -> list[_Taken]:
    """The parameters of members that a parameter of a function becomes, the nearest first, each once."""
    by_name = {member.name: member for member in members}
    found: list[_Taken] = []
    now = [(function, name)]
    for _ in range(MOST_STEPS):
        steps = [taken for one, parameter in now for taken in _steps(one, parameter, by_name)]
        new = [taken for taken in dict.fromkeys(steps) if taken not in found]
        found += new
        now = [(member, argument.arg) for member, argument in new]
    return found


def _steps(function: ast.FunctionDef, name: str, members: dict[str, ast.FunctionDef]) -> Iterator[_Taken]:
    """The parameters of members that get a parameter at once, where nothing else is ever bound to its name."""
    nodes = list(ast.walk(function))
    if any(isinstance(node, ast.Name) and node.id == name and not isinstance(node.ctx, ast.Load) for node in nodes):
        return
    for node in nodes:
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in members):
            continue
        member = members[node.func.id]
        positional = [*member.args.posonlyargs, *member.args.args]
        for argument, taken in zip(node.args, positional, strict=False):
            if isinstance(argument, ast.Name) and argument.id == name:
                yield member, taken
        for keyword in node.keywords:
            if isinstance(keyword.value, ast.Name) and keyword.value.id == name:
                named = (*positional, *member.args.kwonlyargs)
                yield from ((member, taken) for taken in named if taken.arg == keyword.arg)
