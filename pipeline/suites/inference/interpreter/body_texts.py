"""Reading parts of texts: what stands at fixed places, which letters a text is made of."""

from __future__ import annotations

import ast
from typing import Protocol

from pipeline.suites.domain.formats.segments import FURTHEST, Segment
from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.interpreter.body_operators import constants
from pipeline.suites.rules import finds, notes


class Reading(Protocol):
    """What a reader of statements offers to the reading of parts; `cuts` are names that stand for such."""

    cuts: dict[str, ast.expr]

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression."""
        ...


@notes("texts: compared parts")
def compared_part(reader: Reading, part: ast.expr, other: ast.expr) -> None:
    """Note what a part at a fixed place, or a name that stands for one, is compared with."""
    found = _place(reader, part)
    if found is not None:
        whole, start, stop = found
        reader.read(whole).segments.extend(compared(start, stop, other))


@notes("texts: parts read as numbers")
def read_as_number(reader: Reading, part: ast.expr, whole: bool) -> None:
    """Note that a part of a text at a fixed place is read as a number, as in tables of fixed widths."""
    match part:
        case ast.Call(ast.Attribute(inner, "strip" | "lstrip" | "rstrip"), []):
            part = inner
    found = _place(reader, part)
    if found is not None and found[2] - found[1] > 1:
        made: list[Segment] = numerals(found[1], found[2], whole)
        reader.read(found[0]).segments.extend(made)


def _place(reader: Reading, part: ast.expr) -> tuple[ast.expr, int, int] | None:
    return place_of(reader.cuts.get(part.id, part) if isinstance(part, ast.Name) else part)


@notes("texts: compared letters")
def compared_letters(reader: Reading, operands: list[ast.expr]) -> None:
    """Note which letters a text is made of, where a set of these is compared: `set(text) == {"a", "b"}`."""


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
