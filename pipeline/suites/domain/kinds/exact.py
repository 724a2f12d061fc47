"""Values with a type of their own, such as fractions, paths, slices, patterns: how they are drawn and written."""

from __future__ import annotations

import re
from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from pathlib import Path, PurePosixPath
from random import Random
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import in_format
from pipeline.suites.domain.kinds.kind import Kind, as_is
from pipeline.suites.domain.kinds.scientific import LIBRARY_KINDS
from pipeline.suites.domain.pool import Pool

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
