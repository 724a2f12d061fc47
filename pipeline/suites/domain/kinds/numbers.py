"""Seeded numbers and moments: small ones and the body's constants first, corners now and then."""

from __future__ import annotations

import datetime
import math
from random import Random
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import moment
from pipeline.suites.domain.pool import HUGE
from pipeline.suites.domain.spec import Real, Whole
from pipeline.suites.rules import finds

MULTIPLES, DIVISORS = 0.12, (5, 100_000)
"""How many numbers are multiples of constants of the body, and which of these it may divide by."""
VAST = 1000
"""Where a range ends beyond this, numbers of all sizes are as likely."""
TINY = 1e-3
"""A constant of the body below this is a tolerance, mostly."""
CORNERS = (-1, 0, 1, 2, 255, 256, 1023, 1024, 10**6, -(10**6), 65535, 2**31 - 1)


def whole(sampler: Drawing, spec: Whole) -> int:
    """An integer: small, or a constant of the body or near one, or moderate."""
    rng, roll = sampler.rng, sampler.rng.random() * (0.92 if sampler.profile.tidy else 1.0)
    if sampler.pool.huge and not sampler.profile.tidy and rng.random() < 0.08:
        return HUGE
    if sampler.profile.ordinary and rng.random() < MULTIPLES and (times := multiple(sampler)) is not None:
        return int(_bounded(rng, times, spec.low, spec.high))
    if sampler.profile.ordinary and spec.high is not None and spec.high >= VAST and rng.random() < 0.6:
        return max(spec.low or 0, int(of_any_size(rng, min(spec.high, sampler.limit))))
    usual = rng.random() < 0.5 if sampler.profile.tidy else False
    if usual and roll < 0.45:
        made = rng.randint(1, rng.choice((3, 6, 12)) if sampler.profile.ordinary else 12)
    elif spec.constants and roll < (0.45 if sampler.profile.ordinary else 0.3):
        beside = (-1, 0, 0, 0, 0, 0, 0, 1) if sampler.profile.ordinary else (-1, 0, 0, 1)
        made = rng.choice(spec.constants) + rng.choice(beside)
        # What the body asks for may lie outside of what else makes sense; where that was too much work, hardly ever.
        outside = 0.0 if sampler.profile.tidy else 0.3 if abs(made) <= sampler.limit else 0.02
        if made in spec.constants and rng.random() < outside:
            return made
    elif roll < 0.45 and sampler.pool.whole:
        made = rng.choice(sampler.pool.whole) + rng.choice((-1, 0, 0, 0, 1))
    elif roll < 0.5 and sampler.seen:
        made = _related_number(sampler)
    elif roll < 0.8:
        made = rng.randint(0, 12)
    elif roll < 0.92:
        made = rng.randint(-20, 120)
    elif roll < 0.98:
        made = rng.randint(-1000, 1000)
    else:
        made = rng.choice((*CORNERS, rng.randrange(10 ** rng.randint(4, 27)) if sampler.profile.vast else 10**4))
    if abs(made) > sampler.limit:
        made = rng.randint(-sampler.limit if made < 0 else 0, sampler.limit)
    if sampler.least is not None and made < sampler.least:
        made = sampler.least + abs(made) % 10
    return made if loose(sampler, spec) else int(_bounded(rng, made, spec.low, spec.high))


@finds("drawing: multiples")
def multiple(sampler: Drawing) -> int | None:
    """A small multiple of a constant that the body may divide by, None where there is none."""
    known = [one for one in sampler.pool.whole if DIVISORS[0] <= one <= min(DIVISORS[1], sampler.limit)]
    return min(sampler.rng.choice(known) * sampler.rng.randint(1, 12), sampler.limit) if known else None


def of_any_size(rng: Random, high: float) -> float:
    """A positive number of any size up to `high`, small ones as often as large ones."""
    return 10 ** rng.uniform(0, math.log10(high))


def loose(sampler: Drawing, spec: Whole | Real) -> bool:
    """Whether to step over bounds that words promise, as few inputs should."""
    return spec.soft and not sampler.profile.tidy and sampler.rng.random() < 0.08


def _bounded(rng: Random, made: Any, low: Any, high: Any) -> Any:
    if low is not None and made < low:
        made = low + (abs(made) % 10 if rng.random() < 0.8 else 0)
    if high is not None and made > high:
        made = rng.randint(int(low if low is not None else min(0, high)), int(high))
    return made


def _related_number(sampler: Drawing) -> int:
    made = sampler.rng.choice(sampler.seen)
    if not isinstance(made, (int, float)) or made != made:
        return len(str(made))
    return int(made) + sampler.rng.choice((-1, 0, 1)) if abs(made) < 10**9 else 0


def real(sampler: Drawing, spec: Real) -> float:
    """A float: a short decimal, a constant of the body or near one, now and then a corner."""
    rng, roll = sampler.rng, sampler.rng.random() * (0.95 if sampler.profile.tidy else 1.0)
    if sampler.profile.ordinary and rng.random() < MULTIPLES and (times := multiple(sampler)) is not None:
        return float(_within(rng, times, spec.low, spec.high))
    if sampler.profile.ordinary and spec.high is not None and spec.high >= VAST and rng.random() < 0.6:
        return max(spec.low or 0.0, round(of_any_size(rng, min(spec.high, sampler.limit)), rng.choice((0, 1, 3))))
    if (spec.special or sampler.pool.special) and not sampler.profile.tidy and roll < 0.12:
        return rng.choice((float("nan"), float("inf"), float("-inf")))
    if spec.constants and roll < 0.3:
        made = rng.choice(spec.constants)
        # Nothing small that is added to a vast number changes it.
        vast = abs(made) > 1e15
        made = made * rng.choice((1.0, 1.5, 0.5)) if vast else made + rng.choice((0.0, 0.0, 0.5, -0.5, 0.001))
    elif roll < 0.4 and sampler.pool.real:
        made = rng.choice(sampler.pool.real)
        # What is called nearly zero is met from both sides.
        made *= rng.choice((1.0, 1.0, 0.5, 2.0, -1.0)) if 0 < abs(made) < TINY else 1.0
    elif roll < 0.6:
        made = round(rng.uniform(0, 1), rng.choice((1, 2, 3)))
    elif roll < 0.8:
        made = float(rng.randint(-5, 20))
    elif roll < 0.97:
        made = round(rng.uniform(-100, 100), rng.choice((0, 1, 2)))
    else:
        made = rng.choice(
            (0.0, -0.0, 1e-9, 1e6, -1e6, 0.1 + 0.2, 1e15, 10.0 ** rng.randint(3, 27) if sampler.profile.vast else 1e3)
        )
    if abs(made) > sampler.limit:
        made = rng.uniform(-1.0, 1.0) * sampler.limit
    if sampler.pool.magnitudes and not sampler.profile.tidy and rng.random() < 0.1:
        made *= 10.0 ** rng.randint(-160, 160)
    if sampler.least is not None and made < sampler.least:
        made = sampler.least + abs(made) % 10
    if loose(sampler, spec):
        return made
    return float(_within(rng, made, spec.low, spec.high))


def _within(rng: Random, made: float, low: float | None, high: float | None) -> float:
    """The number where it is inside, else one of few digits that is."""
    if (low is None or made >= low) and (high is None or made <= high):
        return made
    bottom = low if low is not None else min(0.0, high or 0.0) - 10
    top = high if high is not None else bottom + 20
    inside = min(top, max(bottom, round(rng.uniform(bottom, top), 2)))
    return rng.choice((bottom, top)) if rng.random() < 0.1 else inside


def moment_of(sampler: Drawing, kind: str) -> Any:
    """A date, a moment (without a zone, mostly) or a span of time."""
    rng, when = sampler.rng, moment(sampler.rng)
    if sampler.near and kind in ("date", "datetime"):
        # What takes one step after the other from one to the next has an end where they are near to each other.
        unit = datetime.timedelta(1) if kind == "date" else rng.choice(_STEPS)
        sampler.era = sampler.era or when
        when = sampler.era + unit * rng.randint(-1, sampler.longest)
    if not sampler.profile.tidy and sampler.pool.catches("OverflowError", "ValueError") and rng.random() < 0.04:
        return _extreme(rng, kind)
    if kind == "timedelta":
        return datetime.timedelta(
            rng.choice((0, 0, 1, -1, 7, 30, 365, rng.randint(0, 800))),
            rng.choice((0, 1, 59, 60, 3600, rng.randint(0, 86399))),
            rng.choice((0, 0, 0, 0, 0, 0, 1, 500_000, rng.randint(0, 999_999))),
        )
    if kind == "date":
        return when.date()
    # Moments with and without a zone don't compare, so all of an input are of one sort, mostly.
    zoned = sampler.zoned if rng.random() < (1.0 if sampler.profile.tidy else 0.95) else not sampler.zoned
    return when.replace(tzinfo=datetime.UTC) if zoned else when


_STEPS = tuple(datetime.timedelta(seconds=seconds) for seconds in (1, 1, 60, 3600))


_ENDS: dict[str, tuple[Any, Any]] = {
    kind: (known.min, known.max)
    for kind, known in (
        ("timedelta", datetime.timedelta), ("date", datetime.date), ("datetime", datetime.datetime))
}  # fmt: skip


def _extreme(rng: Random, kind: str) -> Any:
    """The first or the last value of its kind, in some zone or none: arithmetic leads beyond it."""
    first, last = _ENDS.get(kind, _ENDS["datetime"])
    made = rng.choice((first, last))
    if not isinstance(made, datetime.datetime):
        return made
    hours = rng.choice((None, 0, 5, -5, 14))
    return made if hours is None else made.replace(tzinfo=datetime.timezone(datetime.timedelta(hours=hours)))
