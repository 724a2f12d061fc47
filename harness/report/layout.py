"""Numbers and tables for people."""

from __future__ import annotations

from collections.abc import Sequence

from harness.scoring.metrics import Interval
from harness.telling import printable


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """Lines of cells, the first column to the left and the others to the right; all rows have as many cells."""
    rows = [[printable(cell) for cell in row] for row in rows]
    widths = [max(len(cell) for cell in column) for column in zip(*rows, strict=True)]
    return [
        "  ".join([row[0].ljust(widths[0]), *(c.rjust(w) for c, w in zip(row[1:], widths[1:], strict=True))]).rstrip()
        for row in rows
    ]


def percent(share: float) -> str:
    """A share of 1 as a percentage."""
    return f"{100 * share:.1f}%"


def interval(both: Interval) -> str:
    """An interval of shares as percentages."""
    return f"{100 * both.low:.1f}-{100 * both.high:.1f}%"


def count(number: int, noun: str) -> str:
    """`1 task`, `2 tasks`."""
    return f"{number} {noun}{'' if number == 1 else 's'}"
