"""Statements that only tell something, which no answer shows: what is printed, logged, warned of or raised with."""

from __future__ import annotations

import ast
from dataclasses import dataclass

from pipeline.transforms.altering.facts import REFLECTION

_SAYING = frozenset("print warn pprint".split())
_LEVELS = frozenset("debug info warning warn error exception critical log".split())
_LOGS = frozenset("log logger logging _log _logger LOG LOGGER warnings".split())


def tells(node: ast.AST) -> bool:
    """Whether a statement does nothing but tell: a call that prints or logs, or a test or a loop around such calls."""
    match node:
        case ast.Expr(ast.Call(ast.Name(name), _, keywords)) if name in _SAYING:
            return not any(keyword.arg == "file" for keyword in keywords)
        case ast.Expr(ast.Call(ast.Attribute(ast.Name(log) | ast.Attribute(_, log), level))):
            return log in _LOGS and level in _LEVELS
        case ast.If(_, body, orelse):
            return all(map(tells, (*body, *orelse)))
    return False


def only_told(function: ast.FunctionDef) -> frozenset[str]:
    """The function's own names that are read nowhere, or where something is told or stored under another such name."""
    nodes = list(ast.walk(function))
    variables = [node for node in nodes if isinstance(node, ast.Name)]
    read = [node for node in variables if isinstance(node.ctx, ast.Load)]
    names = {node.id for node in variables} - {node.arg for node in nodes if isinstance(node, ast.arg)}
    names -= {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    if REFLECTION.intersection(node.id for node in read):
        return frozenset()
    told = frozenset[str]()
    while True:
        telling = [node for node in nodes if isinstance(node, ast.Raise) or tells(node) or stores_only(node, told)]
        inside = {id(part) for node in telling for part in ast.walk(node)}
        found = frozenset(names - {node.id for node in read if id(node) not in inside})
        if found == told:
            return told
        told = found


def stores_only(node: ast.AST, names: frozenset[str]) -> bool:
    """Whether a statement only stores something under one of the names."""
    match node:
        case ast.Assign([ast.Name(name)]) | ast.AugAssign(ast.Name(name)):
            return name in names
    return False


@dataclass(frozen=True)
class Unseen:
    """What no answer of a function shows: what it only tells, under such names, and what it asserts.

    An assertion that fails is an answer where the docstring says so; else callers see to it that none does.
    """

    names: frozenset[str]
    assertions: bool

    @classmethod
    def of(cls, function: ast.FunctionDef) -> Unseen:
        """Read the whole function."""
        return cls(only_told(function), "AssertionError" not in (ast.get_docstring(function) or ""))

    def wholly(self, node: ast.AST) -> bool:
        """Whether nothing of a statement shows, not even that it is there."""
        if isinstance(node, ast.Assert):
            return self.assertions and not isinstance(node.test, ast.Constant)
        return tells(node) or (isinstance(node, ast.AugAssign) and self.stored(node))

    def stored(self, node: ast.AST) -> bool:
        """Whether a statement stores what is only told."""
        return stores_only(node, self.names)
