"""Constants that several parameters hold at once: `(scheme, port) == ("http", 80)`, `PORTS.get(scheme) == port`."""

from __future__ import annotations

import ast
from typing import Any

from pipeline.suites.domain.pool import Row
from pipeline.suites.rules import finds

MAX_ROWS = 40


@finds("constants: rows", list)
def rows_of(tree: ast.Module, function: ast.FunctionDef) -> list[Row]:
    """Values of parameters by name that the body compares with constants all at once, in the order of the text."""
    arguments = function.args
    names = {one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    assigned = _assigned([*tree.body, *function.body])
    found: list[Row] = []
    for node in ast.walk(function):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            left, right = node.left, node.comparators[0]
            pairs = [(left, right), (right, left)] if isinstance(node.ops[0], (ast.Eq, ast.NotEq)) else [(left, right)]
            for one, other in pairs:
                found += _compared(one, node.ops[0], _constant(other, assigned))
                found += _looked_up(one, other, assigned)
        elif isinstance(node, ast.Subscript):
            found += _compared(node.slice, ast.In(), _constant(node.value, assigned))
        elif isinstance(node, ast.Call):
            match node:
                case ast.Call(ast.Attribute(holder, "get"), [key, *_]):
                    found += _compared(key, ast.In(), _constant(holder, assigned))
    kept = [row for row in found if set(row) <= names]
    return [row for place, row in enumerate(kept) if row not in kept[:place]][:MAX_ROWS]


def _assigned(body: list[ast.stmt]) -> dict[str, ast.expr]:
    """Names that are assigned something, with what it is."""
    found: dict[str, ast.expr] = {}
    for node in body:
        match node:
            case ast.Assign([ast.Name(name)], value) | ast.AnnAssign(ast.Name(name), value=ast.expr() as value):
                found[name] = value
    return found


def _constant(node: ast.expr, assigned: dict[str, ast.expr]) -> Any:
    """The value of an expression, or of what a name was assigned, where it is a literal."""
    if isinstance(node, ast.Name):
        node = assigned.get(node.id, node)
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "frozenset" and node.args:
        node = node.args[0]
    try:
        return ast.literal_eval(node)
    except (ValueError, TypeError, SyntaxError):
        return None


def _compared(node: ast.expr, op: ast.cmpop, known: Any) -> list[Row]:
    """The rows that make a tuple of names equal to a constant one, or one of those in a container."""
    if not isinstance(node, ast.Tuple) or len(node.elts) < 2 or not isinstance(known, (tuple, list, set, dict)):
        return []
    names = [one.id for one in node.elts if isinstance(one, ast.Name)]
    wanted = [known] if isinstance(op, (ast.Eq, ast.NotEq)) else sorted(known, key=repr)
    return [dict(zip(names, one, strict=True)) for one in wanted
            if isinstance(one, tuple) and len(one) == len(names) == len(node.elts)]


def _looked_up(node: ast.expr, other: ast.expr, assigned: dict[str, ast.expr]) -> list[Row]:
    """The entries of a constant dictionary in which a name is looked up, where the value is compared with another."""
    match node:
        case ast.Subscript(holder, ast.Name(key)):
            pass
        case ast.Call(ast.Attribute(holder, "get"), [ast.Name(key), *_]):
            pass
        case _:
            return []
    known = _constant(holder, assigned)
    if not isinstance(known, dict) or not isinstance(other, ast.Name) or other.id == key:
        return []
    return [{key: one, other.id: value} for one, value in known.items()]
