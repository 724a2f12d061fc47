"""From clues to numbers: bounds and constants, and where what is called a number is an array."""

from __future__ import annotations

from pipeline.suites.domain.spec import Real, Whole
from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence.names import COUNT_NAMES


def whole_of(known: Clue, low: int | None, high: int | None, name: str = "") -> Whole:
    """The whole number with the bounds and constants that the body asks for; a count where its name says so."""
    constants = tuple(
        dict.fromkeys(
            int(v) for v in known.constants if isinstance(v, (int, float)) and not isinstance(v, bool) and abs(v) < 1e15
        )
    )
    bound = known.high if high is None else high
    if low is None and any(part in COUNT_NAMES for part in name.lower().split("_")):
        return Whole(0, bound, constants, soft=True)
    return Whole(low, bound, constants)


def real_of(known: Clue, declared: Real) -> Real:
    """The number with the constants that it is compared with; none or endless ones where the body looks for them."""
    constants = tuple(
        dict.fromkeys(
            float(v)
            for v in known.constants
            if isinstance(v, (int, float)) and not isinstance(v, bool) and not abs(v) > 1e300
        )
    )
    constants = tuple(value for value in constants if value == value)
    special = any(value != value or abs(value) == float("inf") for value in known.constants if isinstance(value, float))
    special = special or any("isnan" in why or "isinf" in why or "isfinite" in why for why in known.evidence)
    return Real(declared.low, declared.high, constants, special)
