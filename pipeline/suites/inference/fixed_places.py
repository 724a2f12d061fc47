"""Parts of texts and bytes at fixed places that the body compares with constants: marks at the head of a file."""

from __future__ import annotations

import ast

from pipeline.suites.domain.formats.segments import FURTHEST, Segment
from pipeline.suites.inference.interpreter.body_operators import constants
from pipeline.suites.rules import finds

_WHOLE = ("1", "7", "42", "-3", "120")


_REAL = ("1.5", "-0.25", "12.0", "3", "0.125")


@finds("texts: fixed places")
def place_of(node: ast.expr) -> tuple[ast.expr, int, int] | None:
    """The value of which an expression is a part at a fixed place, with the place: `x[4:8]`, `x[:2]`, `x[3]`."""
    match node:
        case ast.Subscript(value, ast.Slice(None | ast.Constant(int()) as lower, ast.Constant(int(stop)), None)):
            start = 0 if lower is None else _whole(lower.value)
            return (value, start, stop) if 0 <= start < stop <= FURTHEST else None
        case ast.Subscript(value, ast.Constant(int(place))) if 0 <= place < FURTHEST and not isinstance(place, bool):
            return value, place, place + 1
    return None


def _whole(value: object) -> int:
    return value if isinstance(value, int) else -1


def compared(start: int, stop: int, other: ast.expr) -> list[Segment]:
    """The segments that a comparison of the part from `start` to `stop` with an expression tells of."""
    return [
        (start, stop, bytes([one]) if isinstance(one, int) else one)
        for one in constants(other)
        if (isinstance(one, (str, bytes)) and len(one) == stop - start)
        or (type(one) is int and 0 <= one < 256 and stop == start + 1)
    ]


def numerals(start: int, stop: int, whole: bool) -> list[Segment]:
    """The segments of a part from `start` to `stop` that is read as a number: flush right, as tables have them."""
    width = stop - start
    return [(start, stop, one.rjust(width)) for one in (_WHOLE if whole else _REAL) if len(one) <= width]
