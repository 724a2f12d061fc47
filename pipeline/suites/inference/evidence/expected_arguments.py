"""What a function expects of an argument, as votes: kinds of values, some of which stand for numbers in a range."""

from __future__ import annotations

from pipeline.suites.inference.clues import Clue

COUNT_HIGH = 30
RANGES = {
    "count": COUNT_HIGH, "year": 2100, "month": 12, "monthday": 31, "hour": 23, "minute": 59, "microsecond": 999_999,
    "codepoint": 0x2FF,
}  # fmt: skip
"""The greatest number that an argument of a kind may be."""


def expect(clue: Clue, kind: str, why: str) -> None:
    """Note that a function expects a kind, some of which stand for a kind with a range."""
    reason = f"{why} takes it"
    if kind in RANGES:
        clue.vote("int", reason)
        clue.high = min(clue.high or RANGES[kind], RANGES[kind])
    elif kind == "char":
        clue.vote("char", reason)
    elif kind == "numbers":
        clue.vote("iterable", reason)
        clue.items().vote("number", reason)
    elif kind in ("positive", "special"):
        clue.vote("float", reason)
    elif kind:
        clue.vote(kind, reason, 2)
