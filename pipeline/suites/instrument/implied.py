"""Outcomes of operands that those before them rule out: in `x > 3 and x > 2` the second is never false."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Sequence
from typing import Any

_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def decided(operands: Sequence[ast.expr], conjunction: bool) -> dict[int, bool]:
    """The places of operands that have one value whenever they are come to, with it.

    An operand is come to when all before it are true in a conjunction, false in a disjunction. Only comparisons of one
    name with numbers are looked at: numbers at, beside and between those of all of them stand for any number.
    """
    found: dict[int, bool] = {}
    for place, operand in enumerate(operands):
        bound = _bound(operand)
        before = [other for other in map(_bound, operands[:place]) if bound and other and other[0] == bound[0]]
        if bound is None or not before:
            continue
        numbers = [number for _, _, number in (*before, bound)]
        values = [math.nan, *(number + step for number in numbers for step in (-1, -1e-3, 0, 1e-3, 1))]
        come_to = (one for one in values if all(_holds(other, one) == conjunction for other in before))
        outcomes = {_holds(bound, one) for one in come_to}
        if len(outcomes) == 1:
            found[place] = outcomes.pop()
    return found


_Bound = tuple[str, type[ast.cmpop], float]


def _holds(bound: _Bound, value: float) -> bool:
    return bool(_ORDER[bound[1]](value, bound[2]))


def _bound(node: ast.expr) -> _Bound | None:
    """The name, the comparison and the number of an operand that compares the one with the other."""
    match node:
        case ast.Compare(ast.Name(name), [op], [right]) if type(op) in _ORDER:
            try:
                number = ast.literal_eval(right)
            except ValueError:
                return None
            return (name, type(op), number) if type(number) in (int, float) else None
    return None
