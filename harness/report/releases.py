"""A list of releases for people."""

from __future__ import annotations

from collections.abc import Sequence

from harness.releases.hub import Listed
from harness.telling import printable

_HEAD = ["release", "window", "tasks", "where"]


def as_text(found: Sequence[Listed]) -> str:
    """A line for each release, below a heading."""
    rows = [[one.tag or one.release, f"{one.after} to {one.until}", _tasks(one), _where(one)] for one in found]
    if not rows:
        return "There are no releases."
    widths = [max(len(cell) for cell in column) for column in zip(_HEAD, *rows, strict=True)]
    lines = ["  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) for row in [_HEAD, *rows]]
    return "\n".join(printable(line.rstrip()) for line in lines)


def _tasks(one: Listed) -> str:
    return ", ".join(f"{count} {track}" for track, count in one.tasks.items())


def _where(one: Listed) -> str:
    return one.place or f"commit {one.commit}"
