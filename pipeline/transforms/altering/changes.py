"""Changes of one node of a syntax tree in place, from which the operators of mutation are made.

A change replaces the node's fields, or its class with them; it never touches the fields' old values, so that whoever
keeps the old fields can put them back.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable
from typing import Any

Change = Callable[[ast.AST], None]


def put(name: str, value: Callable[..., object]) -> Change:
    """Give a field what is made of the node."""
    return lambda node: setattr(node, name, value(node))


def become(pick: Callable[..., ast.AST]) -> Change:
    """Let a node be one of its parts; both are expressions, so the class can be taken over with the fields."""

    def change(node: ast.AST) -> None:
        part = copy.copy(pick(node))
        node.__class__ = part.__class__
        node.__dict__ = part.__dict__

    return change


def turn(kind: type[ast.AST], fields: Callable[..., dict[str, Any]]) -> Change:
    """Let a node be of another class, with other fields, in the same place."""

    def change(node: ast.AST) -> None:
        place = {name: value for name, value in node.__dict__.items() if "lineno" in name or "col_offset" in name}
        node.__dict__ = {**fields(node), **place}
        node.__class__ = kind

    return change


delete = turn(ast.Pass, lambda _: {})
"""Let a statement do nothing."""
