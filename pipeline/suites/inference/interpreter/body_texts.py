"""Reading parts of texts: what stands at fixed places, which letters a text is made of."""

from __future__ import annotations

import ast
from typing import Protocol

from pipeline.suites.domain.formats.segments import Segment
from pipeline.suites.inference import fixed_places
from pipeline.suites.inference.clues import Clue
from pipeline.suites.rules import notes


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
        reader.read(whole).segments.extend(fixed_places.compared(start, stop, other))


@notes("texts: parts read as numbers")
def read_as_number(reader: Reading, part: ast.expr, whole: bool) -> None:
    """Note that a part of a text at a fixed place is read as a number, as in tables of fixed widths."""
    match part:
        case ast.Call(ast.Attribute(inner, "strip" | "lstrip" | "rstrip"), []):
            part = inner
    found = _place(reader, part)
    if found is not None and found[2] - found[1] > 1:
        made: list[Segment] = fixed_places.numerals(found[1], found[2], whole)
        reader.read(found[0]).segments.extend(made)


def _place(reader: Reading, part: ast.expr) -> tuple[ast.expr, int, int] | None:
    return fixed_places.place_of(reader.cuts.get(part.id, part) if isinstance(part, ast.Name) else part)


@notes("texts: compared letters")
def compared_letters(reader: Reading, operands: list[ast.expr]) -> None:
    """Note which letters a text is made of, where a set of these is compared: `set(text) == {"a", "b"}`."""
