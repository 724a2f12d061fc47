"""How large inputs may be: a function whose calls are slow begins anew with smaller ones, all of them within a scale.

What is slow below the function's own lines can't be counted, only timed. So nothing is decided about single inputs:
one slow call ends the whole search at its scale, and at the next, all calls are far from the clock.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

_MEASURED = frozenset(["numpy", "pandas", "scipy"])


@dataclass(frozen=True)
class Scale:
    """Bounds on each part of an input: numbers, items of a container, characters of a text, cells of an array."""

    number: int
    items: int
    characters: int
    cells: int

    def holds(self, value: Any) -> bool:
        """Whether no part of a value goes beyond the bounds."""
        rest = [value]
        while rest:
            one = rest.pop()
            if isinstance(one, (int, float)):
                if self.number < abs(one) < float("inf"):
                    return False
            elif isinstance(one, (str, bytes, bytearray)):
                if len(one) > self.characters:
                    return False
            elif isinstance(one, (list, tuple, set, frozenset, dict)):
                if len(one) > self.items:
                    return False
                rest.extend([*one.keys(), *one.values()] if isinstance(one, dict) else one)
            elif size_of(one) > self.cells:
                return False
        return True


def size_of(value: Any) -> int:
    """How many items an array or a table has, 0 for other values."""
    if type(value).__module__.partition(".")[0] not in _MEASURED:
        return 0
    size = getattr(value, "size", 0)
    return size if isinstance(size, int) else 0


SCALES = (Scale(10**30, 40, 10**6, 10**6), Scale(100, 12, 80, 400), Scale(12, 6, 20, 60))
"""From what a function gets first to what is tried at last; the first one refuses nothing."""


_GROUPS = (list, tuple, set, frozenset, dict)
_CELL, _NUMBER = 6, 4
"""About how many characters a cell of an array or table and a number take."""


def extent(value: Any) -> int:
    """About how many characters the `repr` of a value would have; arrays and tables count with all their cells."""
    count, rest = 0, [value]
    while rest:
        one = rest.pop()
        if isinstance(one, (str, bytes)):
            count += len(one) + 4
        elif isinstance(one, _GROUPS):
            count += 2
            rest.extend(one)
            if isinstance(one, dict):
                rest.extend(one.values())
        elif one is None or isinstance(one, (int, float)):
            count += _NUMBER + 2
        else:
            size = getattr(one, "size", None)
            count += _CELL * size if isinstance(size, int) else 4 * _CELL
    return count
