"""Values of Python that are simpler than others, as they are encoded."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeVar

from harness.records import Json
from harness.values import TAG

_PARTS = 12
_Sequence = TypeVar("_Sequence", str, list[Json])


def smaller(value: Json) -> Iterator[Json]:
    """Simpler values of the same kind, as they are encoded."""
    if isinstance(value, bool) or value is None:
        return
    if isinstance(value, (int, float)):
        yield from (one for one in (0, value // 2, value - (value > 0) + (value < 0)) if abs(one) < abs(value))
    elif isinstance(value, str):
        yield from _cut(value)
    elif isinstance(value, list):
        yield from _cut(value)
        for place, part in enumerate(value[:_PARTS]):
            yield from ([*value[:place], new, *value[place + 1 :]] for new in smaller(part))
    elif isinstance(value, dict):
        yield from _smaller_mapping(value)


def _smaller_mapping(value: dict[str, Json]) -> Iterator[Json]:
    """A dictionary without a key or with a smaller value; what is encoded as one keeps its keys."""
    keys = [key for key in value if key != TAG][:_PARTS]
    if TAG not in value:
        yield from ({other: part for other, part in value.items() if other != key} for key in keys)
    for key in keys:
        yield from ({**value, key: new} for new in smaller(value[key]))


def _cut(value: _Sequence) -> Iterator[_Sequence]:
    """Without a half of its parts, and without each of them."""
    half = len(value) // 2
    if half:
        yield value[:half]
        yield value[half:]
    for place in range(min(len(value), _PARTS)):
        yield value[:place] + value[place + 1 :]
