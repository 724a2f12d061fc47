"""Values of NumPy and pandas with a type of their own: single numbers, points in time, intervals, periods, indexes."""

from __future__ import annotations

import datetime
from collections.abc import Callable
from functools import partial
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds.kind import Kind, as_is

ZONES = ("UTC", "Europe/Berlin", "America/New_York")
STEPS = ("D", "D", "h", "7D", "MS", "ME", "15min")
"""How far the moments of a regular index are from each other."""
LENGTHS = ("D", "M", "M", "Q-DEC", "Y-DEC", "h")
"""How long periods are."""
CLOSED = ("right", "right", "left", "both", "neither")
_START = datetime.datetime(2023, 12, 30)


def _number(kinds: tuple[str, ...], sampler: Drawing) -> Any:
    """One of NumPy's numbers of one of these types."""
    import numpy

    rng = sampler.rng
    kind = rng.choice(kinds)
    if kind == "str_":
        return numpy.str_(rng.choice(WORDS))
    if kind.endswith("64") and kind[0] in "dt":
        return getattr(numpy, kind)(rng.randint(0, 20_000), rng.choice("Ds"))
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


def timestamp(sampler: Drawing) -> Any:
    """A point in time, with a zone now and then."""
    import pandas

    rng = sampler.rng
    span = rng.choice((1, 60, 3600, 86_400))
    moment = _START + datetime.timedelta(seconds=span * rng.randint(0, 60 * 86_400 // span // rng.choice((1, 1, 30))))
    zone = rng.choice(ZONES) if rng.random() < (0.35 if sampler.zoned else 0.15) else None
    return pandas.Timestamp(moment, tz=zone)


def _timedelta(sampler: Drawing) -> Any:
    import pandas

    rng = sampler.rng
    return pandas.Timedelta(rng.randint(-3, 12), unit=rng.choice(("D", "h", "min", "s")))


def interval(sampler: Drawing) -> Any:
    """An interval of numbers, or of moments now and then."""
    import pandas

    rng = sampler.rng
    ends: list[Any] = sorted([rng.randint(-5, 20), rng.randint(-5, 20)])
    roll = rng.random()
    if roll < 0.3:
        ends = [end / 2 for end in ends]
    elif roll < 0.42:
        ends = [pandas.Timestamp(_START + datetime.timedelta(days=end)) for end in ends]
    return pandas.Interval(*ends, closed=rng.choice(CLOSED))


def _period(sampler: Drawing) -> Any:
    import pandas

    day = _START + datetime.timedelta(days=sampler.rng.randint(-400, 400))
    return pandas.Period(day, freq=sampler.rng.choice(LENGTHS))


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


def _moment_index(sampler: Drawing) -> Any:
    return _named(sampler, moments(sampler, length(sampler)))


def _named(sampler: Drawing, index: Any) -> Any:
    return index.rename(sampler.rng.choice(("time", "key", "x"))) if sampler.rng.random() < 0.2 else index


def _labels(sampler: Drawing) -> Any:
    """Numbers or words, in order or not, repeated at times."""
    import pandas

    rng, count = sampler.rng, length(sampler)
    roll = rng.random()
    if roll < 0.25:
        return _named(sampler, _ranges(sampler))
    if roll < 0.4:
        return _moment_index(sampler)
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


def _ranges(sampler: Drawing) -> Any:
    import pandas

    rng = sampler.rng
    start, step = rng.choice((0, 0, 1, 5, -3)), rng.choice((1, 1, 2, 5, -1))
    return pandas.RangeIndex(start, start + step * length(sampler), step)


def _multiple(sampler: Drawing) -> Any:
    import pandas

    rng, count = sampler.rng, length(sampler)
    cells = [[rng.choice(WORDS[:4]).lower(), rng.randint(0, 3), rng.choice("xy")] for _ in range(count)]
    levels = rng.choice((2, 2, 3))
    names = rng.choice((["a", "b", "c"], ["key", "x", None], [None, None, None]))
    columns = [[row[level] for row in cells] for level in range(levels)]
    return pandas.MultiIndex.from_arrays(columns, names=names[:levels])


def _periods(sampler: Drawing) -> Any:
    import pandas

    return pandas.period_range(_START, periods=length(sampler), freq=sampler.rng.choice(LENGTHS))


def _intervals(sampler: Drawing) -> Any:
    import pandas

    rng = sampler.rng
    breaks = sorted(rng.sample(range(-5, 20), length(sampler) + 1))
    return pandas.IntervalIndex.from_breaks(breaks, closed=rng.choice(CLOSED))


def _spans(sampler: Drawing) -> Any:
    import pandas

    return pandas.to_timedelta([sampler.rng.randint(-3, 40) for _ in range(length(sampler))], unit="h")


def _category(sampler: Drawing) -> Any:
    import pandas

    rng = sampler.rng
    known = [word.lower() for word in rng.sample(WORDS[:8], 3)]
    cells = [rng.choice([*known, None] if rng.random() < 0.1 else known) for _ in range(length(sampler))]
    return pandas.Categorical(cells, categories=known, ordered=rng.random() < 0.4)


def _categories(sampler: Drawing) -> Any:
    import pandas

    return pandas.CategoricalIndex(_category(sampler))


def _masked(sampler: Drawing) -> Any:
    """An array some numbers of which are hidden, all of them or none."""
    import numpy

    rng = sampler.rng
    shape = (length(sampler),) if rng.random() < 0.6 else (length(sampler), sampler.axes[1])
    size = int(numpy.prod(shape))
    numbers = [rng.randint(-3, 12) if shape[0] % 2 else round(rng.uniform(-3, 9), 2) for _ in range(size)]
    share = rng.choice((0.0, 0.3, 0.3, 0.6, 1.0))
    mask = numpy.array([rng.random() < share for _ in range(size)], dtype=bool).reshape(shape)
    plain = not mask.any() and rng.random() < 0.5
    return numpy.ma.MaskedArray(numpy.array(numbers).reshape(shape), mask=numpy.ma.nomask if plain else mask)


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
    **{name: (name,) for name in "complex64 complex128 datetime64 timedelta64".split()},
}
"""Classes of NumPy's numbers, with types whose numbers are of the class."""


def _scalar(kinds: tuple[str, ...]) -> Kind:
    plain = {"bool_": "st.booleans()", "str_": "st.text(max_size=8)", "datetime64": "st.dates()"}
    ways = []
    for kind in dict.fromkeys(kinds):
        cells = "st.floats(-100, 100)" if kind.startswith(("float", "complex")) else "st.integers(0, 100)"
        if kind == "timedelta64":
            ways.append(f"{cells}.map(lambda days: numpy.timedelta64(days, 'D'))")
        else:
            ways.append(f"{plain.get(kind, cells)}.map(numpy.{kind})")
    text = ways[0] if len(ways) == 1 else f"st.one_of({', '.join(ways)})"
    return Kind(partial(_number, kinds), as_is(text))


def _pandas(draw: Callable[[Drawing], Any], text: str) -> Kind:
    return Kind(draw, as_is(text))


_DAYS = "st.dates().filter(lambda day: 1970 < day.year < 2200)"
_LABELS = "st.lists(st.integers(-20, 100) | st.text(max_size=5), max_size=6)"
LIBRARY_KINDS: dict[str, Kind] = {
    **{name: _scalar(kinds) for name, kinds in _SCALARS.items()},
    "Timestamp": _pandas(timestamp, f"{_DAYS}.map(pandas.Timestamp)"),
    "Timedelta": _pandas(_timedelta, "st.integers(-100, 100).map(lambda hours: pandas.Timedelta(hours=hours))"),
    "Interval": _pandas(
        interval,
        "st.builds(lambda left, length, closed: pandas.Interval(left, left + length, closed=closed), "
        f"st.integers(-20, 20), st.integers(0, 20), st.sampled_from({sorted(set(CLOSED))!r}))",
    ),
    "Period": _pandas(
        _period,
        f"st.builds(lambda day, freq: pandas.Period(day, freq=freq), {_DAYS}, "
        f"st.sampled_from({sorted(set(LENGTHS))!r}))",
    ),
    "Index": _pandas(_labels, f"{_LABELS}.map(pandas.Index)"),
    "DatetimeIndex": _pandas(
        _moment_index, f"st.lists({_DAYS}, max_size=6).map(lambda days: pandas.DatetimeIndex(days))"
    ),
    "RangeIndex": _pandas(
        _ranges,
        "st.builds(lambda start, count, step: pandas.RangeIndex(start, start + count * step, step), "
        "st.integers(-5, 5), st.integers(0, 8), st.sampled_from([-1, 1, 2, 5]))",
    ),
    "MultiIndex": _pandas(
        _multiple,
        "st.lists(st.tuples(st.text(max_size=3), st.integers(0, 5)), min_size=1, max_size=6)"
        ".map(pandas.MultiIndex.from_tuples)",
    ),
    "PeriodIndex": _pandas(
        _periods,
        f"st.builds(lambda day, count: pandas.period_range(day, periods=count, freq='M'), {_DAYS}, st.integers(0, 6))",
    ),
    "IntervalIndex": _pandas(
        _intervals,
        "st.lists(st.integers(-20, 20), min_size=1, max_size=6, unique=True).map(sorted)"
        ".map(pandas.IntervalIndex.from_breaks)",
    ),
    "TimedeltaIndex": _pandas(
        _spans, "st.lists(st.integers(-20, 100), max_size=6).map(lambda hours: pandas.to_timedelta(hours, unit='h'))"
    ),
    "Categorical": _pandas(_category, "st.lists(st.sampled_from('abc'), max_size=6).map(pandas.Categorical)"),
    "CategoricalIndex": _pandas(
        _categories, "st.lists(st.sampled_from('abc'), max_size=6).map(pandas.CategoricalIndex)"
    ),
    "MaskedArray": Kind(
        _masked,
        as_is(
            "st.lists(st.tuples(st.integers(-20, 100), st.booleans()), max_size=6)"
            ".map(lambda cells: numpy.ma.MaskedArray([cell for cell, _ in cells], [hidden for _, hidden in cells]))"
        ),
    ),
}
"""Each type by its name."""
NUMBERS = frozenset(_SCALARS)
"""Those that are NumPy's numbers."""
