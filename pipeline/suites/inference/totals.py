"""Numbers with a sum that the body tests or the documentation promises: weights, shares, probabilities."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from pipeline.suites.domain.totals import Total
from pipeline.suites.rules import finds
from pipeline.suites.subject import full_name

_LEAST = 0.5
"""Smaller constants say how far a sum may be off."""
_CLOSE = frozenset("isclose allclose approx_equal assert_allclose".split())


@finds("totals: from the body", dict)
def totals_of(function: ast.FunctionDef, names: dict[str, str]) -> dict[str, Total]:
    """The sums of parameters that the body compares with a number."""
    arguments = function.args
    known = {one.arg: one.arg for one in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)}
    sums: dict[str, tuple[str, int | None]] = {}
    found: dict[str, Total] = {}
    for node in ast.walk(function):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            name = node.targets[0].id
            held = list(_sums(node.value, known, names))
            inside = {part.id for part in ast.walk(node.value) if isinstance(part, ast.Name)} & known.keys()
            if held:
                sums[name] = held[0]
            elif len(inside) == 1 and isinstance(node.value, (ast.Call, ast.Name, ast.Attribute)):
                known.setdefault(name, known[inside.pop()])
    for node in ast.walk(function):
        close = isinstance(node, ast.Call) and full_name(node.func, names).rpartition(".")[2] in _CLOSE
        if not close and not isinstance(node, ast.Compare):
            continue
        held = list(_sums(node, known, names))
        held += [sums[part.id] for part in ast.walk(node) if isinstance(part, ast.Name) and part.id in sums]
        value = next((number for number in _numbers(node) if abs(number) >= _LEAST), None)
        if value is None:
            continue
        for name, axis in held:
            found.setdefault(name, Total(float(value), axis))
    return found


def _sums(node: ast.AST, known: dict[str, str], names: dict[str, str]) -> Iterator[tuple[str, int | None]]:
    """The parameters that an expression adds up, each with the axis."""
    for call in (part for part in ast.walk(node) if isinstance(part, ast.Call)):
        full = full_name(call.func, names)
        if isinstance(call.func, ast.Attribute) and call.func.attr == "sum" and not full.startswith("numpy."):
            subject, rest = call.func.value, call.args
        elif full.rpartition(".")[2] in ("sum", "fsum", "nansum") and call.args:
            subject, rest = call.args[0], call.args[1:]
        else:
            continue
        while isinstance(subject, (ast.Attribute, ast.Call)):
            subject = subject.value if isinstance(subject, ast.Attribute) else subject.func
        if isinstance(subject, ast.Name) and subject.id in known:
            axes = [*rest, *(one.value for one in call.keywords if one.arg == "axis")]
            text = ast.unparse(axes[0]) if axes else ""
            yield known[subject.id], int(text) if re.fullmatch(r"-?[01]", text) else None


def _numbers(node: ast.AST) -> Iterator[float]:
    """The numbers of a comparison, without those that are arguments of functions other than those that compare."""
    if isinstance(node, ast.Constant):
        if isinstance(node.value, (int, float)) and not isinstance(node.value, bool):
            yield node.value
        return
    inner = isinstance(node, ast.Call) and ast.unparse(node.func).rpartition(".")[2] not in (*_CLOSE, "abs", "fabs")
    for part in () if inner else ast.iter_child_nodes(node):
        yield from _numbers(part)
