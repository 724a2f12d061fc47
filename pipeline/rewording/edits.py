"""Changes of a text, each at its place: making them, and how much of the text they leave."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher

from harness.records import Edit


def applied(text: str, edits: Iterable[Edit]) -> str:
    """A text with changes, whose places are those in the text as it was; raises `ValueError` where they don't fit."""
    parts: list[str] = []
    place = 0
    for one in ordered(edits):
        if one.start < place or text[one.start : one.start + len(one.before)] != one.before:
            raise ValueError(f"{one.before!r} does not stand at {one.start}")
        parts += (text[place : one.start], one.after)
        place = one.start + len(one.before)
    return "".join((*parts, text[place:]))


def ordered(edits: Iterable[Edit]) -> tuple[Edit, ...]:
    """Changes in the order of their places, without those that change nothing, and none of them twice."""
    return tuple(sorted({one for one in edits if one.before != one.after}, key=lambda one: (one.start, one.before)))


def similarity(before: str, after: str) -> float:
    """The share of words that both texts have in the same order, 0 to 1."""
    return round(_ratio(before.split(), after.split()), 4)


def _ratio(before: Sequence[str], after: Sequence[str]) -> float:
    return SequenceMatcher(None, before, after, autojunk=False).ratio()
