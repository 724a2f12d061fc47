"""Texts and bytes of which the body compares parts at fixed places with constants: marks at the head of a file."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from random import Random

from pipeline.suites.inference.interpreter.body_operators import constants

Segment = tuple[int, int, str | bytes]
"""Where a part begins and ends, and one constant that it is compared with."""
FURTHEST = 128
"""Places beyond which nothing is laid."""
OFTEN, SURE, SHORT = 0.6, 0.85, 0.2
"""How many bytes have their parts laid (texts half as often), how many of their parts, how many end early."""
_WHOLE = ("1", "7", "42", "-3", "120")
_REAL = ("1.5", "-0.25", "12.0", "3", "0.125")


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


def laid(value: str, segments: Sequence[Segment], rng: Random) -> str:
    """The text, long enough, with one of its constants in each part, mostly."""
    found = [(start, stop, one) for start, stop, one in segments if isinstance(one, str)]
    last = max((stop for _, stop, _ in found), default=0) + rng.choice((0, 0, 0, 2, 5))
    value += "".join(rng.choice("01ab") for _ in range(last - len(value)))
    places = sorted({(start, stop) for start, stop, _ in found})
    if len(places) > 1 and rng.random() < SHORT:
        places = places[: rng.randrange(1, len(places))]
        value = value[: places[-1][1]]
    for place in places:
        if rng.random() < SURE:
            constant = rng.choice([one for start, stop, one in found if (start, stop) == place])
            value = value[: place[0]] + constant + value[place[1] :]
    return value


def laid_in_bytes(data: bytes, segments: Sequence[Segment], rng: Random) -> bytes:
    """The same for bytes."""
    found = [(start, stop, one.decode("latin-1")) for start, stop, one in segments if isinstance(one, bytes)]
    return laid(data[:FURTHEST].decode("latin-1"), found, rng).encode("latin-1")
