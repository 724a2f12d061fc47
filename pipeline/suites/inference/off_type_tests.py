"""Off-type values: where the body tests the type of a value or handles what wrong ones raise."""

from __future__ import annotations

from pipeline.suites.domain.kinds.scientific import LIBRARY_KINDS
from pipeline.suites.domain.spec import (
    Anything,
    Binary,
    Boolean,
    Dictionary,
    Exact,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
    hashable,
    options_of,
    with_rare,
)
from pipeline.suites.inference.clues import Clue
from pipeline.suites.rules import changes

_WRONG: tuple[Spec, ...] = (Whole(-5, 20), Text(), Nothing(), Items(Whole(-5, 20)), Real(), Dictionary(Text(), Whole()))


LAST: tuple[Spec, ...] = (Binary(), Moment("date"))
"""What hardly any body tests for, so that it is left where all others are taken."""


@changes("off-type: held")
def held(spec: Spec, known: Clue) -> Spec:
    """The specification of something in a container: a truth where the body compares it with one, and, rarely, values
    of other types where the body tests its type."""
    if any(isinstance(value, bool) for value in known.constants) and not _covers(spec, Boolean()):
        spec = either([spec, Boolean()])
    if not _tested(known) or isinstance(spec, Anything):
        return spec
    if "tuple" in (*known.tested, *known.variants) and hashable(spec):
        spec = either([spec, Items(Text(), "tuple", fewest=1)])
    numbers = [Exact(kind) for kind in dict.fromkeys(known.tested) if kind in LIBRARY_KINDS]
    spec = with_rare(spec, [one for one in numbers if not _covers(spec, one)])
    return with_rare(spec, [option for option in (*_WRONG, *LAST[:1]) if not _covers(spec, option)])


def _tested(known: Clue) -> bool:
    return any(kind != "truth" for kind in (*known.tested, *known.variants))


def _covers(spec: Spec, other: Spec) -> bool:
    """Whether a specification has an option of that type of values."""
    options = options_of(spec)
    kind = getattr(other, "kind", "")
    return any(type(one) is type(other) and getattr(one, "kind", "") == kind for one in options)
