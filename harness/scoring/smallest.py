"""Which of several cases to show."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from harness.records import Case, canonical_json


def smallest(cases: Sequence[Case], places: Iterable[int]) -> int | None:
    """Of these places, that of the case whose arguments are the fewest characters of JSON, the first among equals."""
    def size(place: int) -> int:
        return len(canonical_json([list(cases[place].args), cases[place].kwargs]))

    return min(places, key=size, default=None)
