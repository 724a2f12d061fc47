"""How long a drawn value is to a reader, without writing it."""

from __future__ import annotations

from typing import Any

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
