"""Kinds of values with a type of their own, such as paths, numbers of NumPy, slices: how they are drawn and written."""

from __future__ import annotations

import datetime
import re
from collections.abc import Callable
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import ZONES, in_format
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.pool import Pool

Strategy = Callable[[Pool, Random], str]


@dataclass(frozen=True)
class Kind:
    """One type: how to draw a value, and the strategy of such values as Python."""

    draw: Callable[[Drawing], Any]
    strategy: Strategy


def as_is(text: str) -> Strategy:
    """A strategy that does not depend on the body."""
    return lambda *_: text


BOUND = 20
"""The largest bound of a slice, as a rule."""
STEPS = (1, 1, 1, 2, 3, -1, -2)
PATTERNS = (
    "a", "a+", "[a-z]+", r"\d+", r"\w+", "^foo", "(x)(y)?", "a|b", r"(?P<key>\w+)=(?P<value>\w*)", r"\s*,\s*", "",
)  # fmt: skip
FLAGS = ("IGNORECASE", "MULTILINE", "DOTALL", "VERBOSE", "ASCII")

# numbers


def _decimal(sampler: Drawing) -> Decimal:
    rng = sampler.rng
    if not sampler.profile.tidy and rng.random() < 0.05:
        return Decimal(rng.choice(("NaN", "Infinity", "-Infinity", "0", "-0", "1E+5")))
    return Decimal(rng.randint(-10000, 10000)).scaleb(-rng.choice((0, 1, 2, 2, 3)))


def _fraction(sampler: Drawing) -> Fraction:
    return Fraction(sampler.rng.randint(-20, 20), sampler.rng.randint(1, 12))


def _complex(sampler: Drawing) -> complex:
    return complex(sampler.rng.randint(-5, 5), sampler.rng.choice((0, 1, -2, 0.5)))


# paths


def _path(sampler: Drawing) -> Path:
    rng, made = sampler.rng, in_format("path", sampler.rng, breaking=not sampler.profile.tidy)
    known = [text.strip("/") for text in sampler.pool.texts if _in_path(text)]
    if known and rng.random() < 0.35:
        made = _named(made, rng.choice(known), rng)
    return Path(made.replace("\0", ""))


def _path_strategy(_: Pool, rng: Random) -> str:
    return f"st.sampled_from({list(dict.fromkeys(in_format('path', rng) for _ in range(8)))!r}).map(Path)"


def _in_path(text: str) -> bool:
    return 0 < len(text.strip("/")) <= 40 and not set(text) & set("\0\n :*?")


def _named(path: str, known: str, rng: Random) -> str:
    """A path in which a text of the body is the name, the suffix, a folder, or all that there is."""
    if known.startswith("."):
        return PurePosixPath(path).stem + known
    return rng.choice((known, f"{path.rstrip('/')}/{known}", f"{known}/{path.lstrip('/')}", f"{known}.{path[:3]}"))


# slices, ranges, patterns


def _bound(sampler: Drawing) -> int | None:
    rng, roll = sampler.rng, sampler.rng.random()
    known = [number for number in sampler.pool.whole if abs(number) <= BOUND]
    if roll < 0.3:
        return None
    if known and roll < 0.45:
        return rng.choice(known)
    return rng.randint(-5, 10) if roll < 0.85 else rng.randint(-BOUND, BOUND)


def _slice(sampler: Drawing) -> slice:
    rng = sampler.rng
    step = None if rng.random() < 0.4 else rng.choice((*STEPS, rng.randint(-3, 3)))
    return slice(_bound(sampler), _bound(sampler), step)


def _range(sampler: Drawing) -> range:
    rng = sampler.rng
    start = rng.choice((0, 0, rng.randint(-5, 10)))
    return range(start, start + rng.randint(-5, 15), rng.choice(STEPS))


def texts_of_patterns(pool: Pool) -> tuple[str, ...]:
    """Regular expressions to choose from: those of the body that compile, and usual ones."""
    return tuple(dict.fromkeys([*filter(_compiles, pool.patterns[:12]), *PATTERNS]))


def _compiles(text: str) -> bool:
    try:
        return len(text) <= 200 and bool(re.compile(text))
    except (re.error, OverflowError, RecursionError):
        return False


def _pattern(sampler: Drawing) -> re.Pattern[str]:
    rng = sampler.rng
    flags = 0 if rng.random() < 0.5 else getattr(re, rng.choice(FLAGS))
    return re.compile(rng.choice(texts_of_patterns(sampler.pool)), flags)


def _pattern_strategy(pool: Pool, _: Random) -> str:
    flags = ", ".join(f"re.{name}" for name in ("NOFLAG", *FLAGS))
    return f"st.builds(re.compile, st.sampled_from({list(texts_of_patterns(pool))!r}), st.sampled_from([{flags}]))"


def changed(sampler: Drawing, kind: str, value: Any) -> Any:
    """A value of the kind that differs in one thing where its parts can change one by one, else another one."""
    change = _CHANGES.get(kind)
    made = None if change is None or sampler.rng.random() < 0.2 else change(sampler, value)
    return KINDS[kind].draw(sampler) if made is None else made


def _other_slice(sampler: Drawing, value: slice) -> slice:
    parts = [value.start, value.stop, value.step]
    place = sampler.rng.randrange(3)
    whole = [part for part in parts if type(part) is int] or [0]
    near = sampler.rng.choice(whole) + sampler.rng.choice((-1, 0, 1))
    parts[place] = sampler.rng.choice((None, near, near, -near, _bound(sampler)))
    return slice(*parts)


def _other_range(sampler: Drawing, value: range) -> range:
    parts = [value.start, value.stop, value.step]
    parts[sampler.rng.randrange(3)] += sampler.rng.choice((-1, 1))
    return range(parts[0], parts[1], parts[2] or -value.step)


def _other_pattern(sampler: Drawing, value: re.Pattern[str]) -> re.Pattern[str] | None:
    other = _pattern(sampler)
    try:
        return re.compile(value.pattern, other.flags & ~re.UNICODE)
    except (re.error, ValueError, OverflowError):
        return None


_CHANGES: dict[str, Callable[[Drawing, Any], Any]] = {
    "slice": _other_slice, "range": _other_range, "Pattern": _other_pattern,
}  # fmt: skip


FREQUENCIES = ("D", "D", "h", "7D", "MS", "ME", "15min")
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
    regular = pandas.date_range(start, periods=count, freq=rng.choice(FREQUENCIES), tz=zone)
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
        return _titled(sampler, pandas.RangeIndex(start, start + step * count, step))
    if roll < 0.4:
        return _titled(sampler, moments(sampler, count))
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
        return _titled(sampler, pandas.Index(cells, dtype=object if odd == "mixed" else None))
    order = rng.random()
    if order < 0.4:
        cells = sorted(set(cells))
    elif order < 0.5:
        cells = sorted(cells, reverse=True)
    return _titled(sampler, pandas.Index(cells))


def _titled(sampler: Drawing, index: Any) -> Any:
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

KINDS: dict[str, Kind] = {
    "Decimal": Kind(_decimal, as_is("st.decimals(-10000, 10000, places=2)")),
    "Fraction": Kind(_fraction, as_is("st.fractions(-20, 20, max_denominator=12)")),
    "complex": Kind(_complex, as_is("st.complex_numbers(max_magnitude=100)")),
    "Path": Kind(_path, _path_strategy),
    "slice": Kind(_slice, as_is(
        f"st.builds(slice, st.none() | st.integers(-{BOUND}, {BOUND}), "
        f"st.none() | st.integers(-{BOUND}, {BOUND}), st.none() | st.integers(-3, 3))")),
    "range": Kind(_range, as_is(
        "st.builds(lambda start, length, step: range(start, start + length, step), "
        f"st.integers(-5, 10), st.integers(-5, 15), st.sampled_from({sorted(set(STEPS))!r}))")),
    "Pattern": Kind(_pattern, _pattern_strategy),
    **LIBRARY_KINDS,
}
"""Each type by its name."""
