"""Members: the functions of a program besides the one that is asked for, helpers and methods of its classes."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass


@dataclass(frozen=True)
class Member:
    """A function of a program: `name` is `helper` or `Class.method`; `statement`, at module level, holds it."""

    name: str
    node: ast.FunctionDef
    statement: ast.stmt

    @property
    def owner(self) -> str:
        """The name of the class that it is a method of, "" for a function at module level."""
        return self.name.rpartition(".")[0]


def members_of(tree: ast.Module, entry: ast.FunctionDef) -> tuple[Member, ...]:
    """The members of a program, in the order of its text; of several with one name the last, which is the one called.

    What has the name of the entry point is none of them.
    """
    found: dict[str, Member] = {}
    for statement in tree.body:
        for name, node in _functions(statement):
            found.pop(name, None)
            if name != entry.name:
                found[name] = Member(name, node, statement)
    return tuple(found.values())


def _functions(statement: ast.stmt, prefix: str = "") -> Iterator[tuple[str, ast.FunctionDef]]:
    if isinstance(statement, ast.FunctionDef):
        yield prefix + statement.name, statement
    elif isinstance(statement, ast.ClassDef):
        for inner in statement.body:
            yield from _functions(inner, f"{prefix}{statement.name}.")


def in_words(line: int, member: str) -> str:
    """A line of a program, with the name of the member in which it stands, if any."""
    return f"`{member}` line {line}" if member else f"line {line}"
