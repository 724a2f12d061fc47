"""Seeded numbers for the cells of an array: usual ones mostly, else all alike, in order, positive, or no numbers."""

from __future__ import annotations

import datetime
import math
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.words import WORDS

_NO_TIME = -(2**63)
"""What stands for no moment."""
MAGNITUDES = (1e-7, 1e-5, 12345.678, 1e7, 1e16, -1e6)
"""Numbers far from one, few of which stand among usual ones."""


def numbers(sampler: Drawing, dtype: str, kind: str, count: int) -> list[Any]:
    """So many cells of one sort of numbers, as the NumPy type `kind` takes them."""
    rng = sampler.rng
    if kind[0] in "dt" and "64" in kind:
        none = 0.1 if sampler.pool.special else 0.0
        return [_NO_TIME if rng.random() < none else rng.randint(0, 10**9) for _ in range(count)]
    if kind == "S4":
        return [rng.choice(WORDS)[:4].encode("ascii", "replace") for _ in range(count)]
    if kind == "moments":
        start = datetime.datetime(2024, 1, 1)
        hours = [rng.randint(0, 500) for _ in range(count)]
        spans = [datetime.timedelta(hours=hour) for hour in hours]
        made: list[Any] = list(spans) if rng.random() < 0.4 else [start + span for span in spans]
        if len(made) > 1 and sampler.pool.caught & {"ValueError", "TypeError", "Exception"} and rng.random() < 0.2:
            made[-1] = rng.choice((*WORDS[:3], None, 1.5))
        return made
    if kind == "object":
        sorts = rng.choice((("str",), ("int",), ("float",), ("str", "int", "none"), ("float", "none"), ("bool",)))
        return [None if (sort := rng.choice(sorts)) == "none" else number(sampler, sort) for _ in range(count)]
    made = [number(sampler, dtype) for _ in range(count)]
    if kind in _BITS:
        made = [one if -(2 ** _BITS[kind]) <= one < 2 ** _BITS[kind] else one % 100 for one in made]
    return [abs(one) % 256 for one in made] if kind.startswith("uint") else made


_BITS = {f"int{bits}": bits - 1 for bits in (8, 16, 32, 64)}


def number(sampler: Drawing, dtype: str) -> Any:
    """One cell of a sort of numbers: `float`, `int`, `bool`, `complex`, or a text."""
    rng = sampler.rng
    if dtype == "bool":
        return rng.random() < 0.5
    if dtype == "int":
        return rng.choice(sampler.pool.whole) if sampler.pool.whole and rng.random() < 0.2 else rng.randint(-3, 12)
    if dtype == "complex":
        return complex(rng.randint(-3, 3), rng.choice((0, rng.randint(-3, 3))))
    if dtype == "str":
        return rng.choice(WORDS)
    roll = rng.random()
    if roll < 0.2 and sampler.pool.real:
        made = rng.choice(sampler.pool.real)
        return made if math.isfinite(made) or not sampler.profile.ordinary else 0.0
    if roll < 0.22 and sampler.pool.special and not sampler.profile.ordinary:
        return float("nan") if roll < 0.21 else rng.choice((float("inf"), float("-inf")))
    if roll < 0.235 and not sampler.profile.tidy:
        return rng.choice(MAGNITUDES)
    return float(rng.randint(-5, 10)) if roll < 0.6 else round(rng.uniform(-3, 3), 2)
