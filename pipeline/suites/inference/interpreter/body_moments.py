"""Reading moments, and texts that are read as such."""

from __future__ import annotations

from pipeline.suites.inference.clues import Clue
from pipeline.suites.rules import notes


@notes("moments: read")
def read(name: str, clue: Clue) -> None:
    """Note that moments are read, out of texts or else."""
    clue.items().vote("datetime", f"{name} reads it", 2)
    clue.vote("datetime", f"{name} reads it", 1)


@notes("moments: formats parsed")
def parsed(clue: Clue, patterns: list[str]) -> None:
    """Note that a text is read in one of some formats."""
    for pattern in patterns:
        clue.vote("str", "strptime reads it", 5)
        clue.formats.append(f"date:{pattern}")
