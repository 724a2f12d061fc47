"""Values of NumPy and pandas with a type of their own: single numbers, labels of rows."""

from __future__ import annotations

import datetime
from functools import partial
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import ZONES
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds.kind import Kind, as_is

STEPS = ("D", "D", "h", "7D", "MS", "ME", "15min")
"""How far the moments of a regular index are from each other."""
_START = datetime.datetime(2023, 12, 30)


def _number(kinds: tuple[str, ...], sampler: Drawing) -> Any:
    """One of NumPy's numbers of one of these types."""
    import numpy

    rng = sampler.rng
    kind = rng.choice(kinds)
    if kind == "str_":
        return numpy.str_(rng.choice(WORDS))
    if kind == "bool_":
        return numpy.bool_(rng.random() < 0.5)
    if kind.startswith("complex"):
        return getattr(numpy, kind)(complex(rng.randint(-3, 3), rng.randint(-3, 3)))
    if kind.startswith("float"):
        known = [number for number in sampler.pool.real if abs(number) < 1e4]
        plain = rng.choice(known) if known and rng.random() < 0.3 else round(rng.uniform(-3, 10), 2)
        return getattr(numpy, kind)(float("nan") if sampler.pool.special and rng.random() < 0.15 else plain)
    small = [number for number in sampler.pool.whole if 0 <= number <= 127]
    whole = rng.choice(small) if small and rng.random() < 0.3 else rng.randint(-5, 20)
    return getattr(numpy, kind)(abs(whole) if kind.startswith("u") else whole)


def moments(sampler: Drawing, count: int) -> Any:
    """So many moments: regular ones that know it, such that don't, irregular, repeated or unordered ones."""
    import pandas

    rng = sampler.rng
    zone = rng.choice(ZONES) if rng.random() < 0.2 else None
    start = _START + datetime.timedelta(days=rng.randint(0, 60))
    regular = pandas.date_range(start, periods=count, freq=rng.choice(STEPS), tz=zone)
    roll = rng.random()
    if roll < 0.4:
        return regular
    if roll < 0.55:
        return pandas.DatetimeIndex(list(regular), dtype=regular.dtype)
    hours = [rng.choice((1, 24, 24, 36)) * rng.randint(0, 40) for _ in range(count)]
    spread = [start + datetime.timedelta(hours=hour) for hour in (sorted(hours) if roll < 0.85 else hours)]
    return pandas.DatetimeIndex(spread).tz_localize("UTC").tz_convert(zone or "UTC") if zone else (
        pandas.DatetimeIndex(spread))


def length(sampler: Drawing) -> int:
    """The length of an axis: that which all of an input share, mostly."""
    return sampler.axes[0] if sampler.rng.random() < 0.9 else sampler.rng.randint(0, 6)


def _labels(sampler: Drawing) -> Any:
    """Numbers or words, in order or not, repeated at times."""
    import pandas

    rng, count = sampler.rng, length(sampler)
    roll = rng.random()
    if roll < 0.25:
        start, step = rng.choice((0, 0, 1, 5, -3)), rng.choice((1, 1, 2, 5, -1))
        return _named(sampler, pandas.RangeIndex(start, start + step * count, step))
    if roll < 0.4:
        return _named(sampler, moments(sampler, count))
    cells: list[Any] = [rng.randint(-3, 12) for _ in range(count)]
    if roll < 0.65:
        known = [text for text in sampler.pool.texts if len(text) < 20]
        words = [word.lower() for word in WORDS] + known * 3
        cells = [rng.choice(words) for _ in range(count)]
    elif roll < 0.75:
        cells = [cell / 2 for cell in cells]
    odd = "" if sampler.profile.tidy else rng.choices(("mixed", "missing", ""), (2, 2, 30))[0]
    if odd and cells:
        cells[rng.randrange(count)] = "x" if odd == "mixed" else None
        return _named(sampler, pandas.Index(cells, dtype=object if odd == "mixed" else None))
    order = rng.random()
    if order < 0.4:
        cells = sorted(set(cells))
    elif order < 0.5:
        cells = sorted(cells, reverse=True)
    return _named(sampler, pandas.Index(cells))


def _named(sampler: Drawing, index: Any) -> Any:
    return index.rename(sampler.rng.choice(("time", "key", "x"))) if sampler.rng.random() < 0.2 else index


_ALL = ("int64", "int64", "float64", "float64", "float32", "int32", "uint8", "bool_", "str_", "complex128")
_SCALARS: dict[str, tuple[str, ...]] = {
    "generic": _ALL,
    "integer": ("int64", "int64", "int32", "uint8"),
    "signedinteger": ("int64", "int32"),
    "unsignedinteger": ("uint8", "uint16"),
    "floating": ("float64", "float64", "float32"),
    "complexfloating": ("complex128", "complex64"),
    "inexact": ("float64", "complex128"),
    "str_": ("str_",),
    **{name: (name,) for name in "float16 float32 float64 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split()},
    **{name: (name,) for name in ("complex64", "complex128")},
}
"""Classes of NumPy's numbers, with types whose numbers are of the class."""


def _scalar(kinds: tuple[str, ...]) -> Kind:
    plain = {"bool_": "st.booleans()", "str_": "st.text(max_size=8)"}
    ways = []
    for kind in dict.fromkeys(kinds):
        cells = "st.floats(-100, 100)" if kind.startswith(("float", "complex")) else "st.integers(0, 100)"
        ways.append(f"{plain.get(kind, cells)}.map(numpy.{kind})")
    return Kind(partial(_number, kinds), as_is(ways[0] if len(ways) == 1 else f"st.one_of({', '.join(ways)})"))


LIBRARY_KINDS: dict[str, Kind] = {
    **{name: _scalar(kinds) for name, kinds in _SCALARS.items()},
    "Index": Kind(
        _labels, as_is("st.lists(st.integers(-20, 100) | st.text(max_size=5), max_size=6).map(pandas.Index)")),
}
"""Each type by its name."""
