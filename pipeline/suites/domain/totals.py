"""Numbers with a sum, such as weights, shares, probabilities: drawn so that they have it."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise
from random import Random
from typing import Any

OFTEN = 0.5
"""How often the numbers are made to have the sum."""


_GRAINS = (1, 2, 4, 8, 10, 20, 100)
"""Into how many parts the sum is cut."""


HELPER = '''
def summing(total):
    """What scales the numbers that a value holds to a sum."""
    def changed(values):
        try:
            if isinstance(values, dict):
                return dict(zip(values, changed(list(values.values()))))
            if isinstance(values, (list, tuple)):
                return type(values)(total * abs(value) / sum(map(abs, values)) for value in values)
            return abs(values) * (total / abs(values).sum())
        except (TypeError, AttributeError, ArithmeticError):
            return values

    return changed
'''


@dataclass(frozen=True)
class Total:
    """What numbers sum to; `axis` is that of an array along which they do, None for all of them together."""

    value: float
    axis: int | None = None


def summing(rng: Random, made: Any, total: Total) -> Any:
    """The numbers with another value each, so that they have the sum; what holds no numbers as it is."""
    if isinstance(made, dict):
        values = list(made.values())
        shares = summing(rng, values, total) if type(made) is dict else values
        return made if shares is values else dict(zip(made, shares, strict=True))
    if isinstance(made, (list, tuple)):
        if type(made) not in (list, tuple) or not made or any(type(one) not in (int, float) for one in made):
            return made
        whole = all(type(one) is int for one in made) and total.value > 1
        shares = _shares(rng, len(made), total.value, int(total.value) if whole else 0)
        return type(made)(map(int, shares) if whole else shares)
    name = type(made).__name__
    if name not in ("ndarray", "Series") or made.dtype.kind not in "iuf" or not made.size:
        return made
    if name == "Series" or made.ndim == 1 or total.axis is None:
        shares = _shares(rng, made.size, total.value)
        if name == "Series":
            return type(made)(shares, index=made.index, name=made.name)
        changed = made.astype("float64")
        changed.flat[:] = shares
        return changed
    if made.ndim != 2:
        return made
    rows = made.astype("float64") if total.axis else made.astype("float64").T
    for row in rows:
        row[:] = _shares(rng, len(row), total.value)
    return rows if total.axis else rows.T.copy()


def _shares(rng: Random, count: int, total: float, grain: int = 0) -> list[float]:
    """So many numbers, not below zero, that have the sum; at times all but one of them are zero."""
    grain = grain or rng.choice(_GRAINS)
    cuts = [0, *sorted(rng.randint(0, grain) for _ in range(count - 1)), grain]
    return [round(total * (upper - lower) / grain, 6) for lower, upper in pairwise(cuts)]
