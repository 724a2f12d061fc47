"""Values of other types than the usual ones, for bodies that test the type of what containers hold."""

from __future__ import annotations

from pipeline.suites.clues import Clue
from pipeline.suites.library_kinds import LIBRARY_KINDS
from pipeline.suites.types import (
    Anything,
    Binary,
    Boolean,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
)

_WRONG: tuple[Spec, ...] = (Whole(-5, 20), Text(), Nothing(), Items(Whole(-5, 20)), Real(), Dictionary(Text(), Whole()))
_WRONG_KEYS: tuple[Spec, ...] = (Whole(-5, 20), Nothing(), Fixed((Text(), Whole(-5, 20))))
LAST: tuple[Spec, ...] = (Binary(), Moment("date"))
"""What hardly any body tests for, so that it is left where all others are taken."""


def held(spec: Spec, known: Clue) -> Spec:
    """The specification of something in a container: a truth where the body compares it with one, and, rarely, values
    of other types where the body tests its type."""
    if any(isinstance(value, bool) for value in known.constants) and not _covers(spec, Boolean()):
        spec = either([spec, Boolean()])
    if not _tested(known) or isinstance(spec, Anything):
        return spec
    if "tuple" in (*known.tested, *known.variants) and _hashable(spec):
        spec = either([spec, Items(Text(), "tuple", fewest=1)])
    numbers = [Exact(kind) for kind in dict.fromkeys(known.tested) if kind in LIBRARY_KINDS]
    spec = _with_rare(spec, [one for one in numbers if not _covers(spec, one)])
    return _with_rare(spec, [option for option in (*_WRONG, *LAST[:1]) if not _covers(spec, option)])


def keys(spec: Spec, known: Clue) -> Spec:
    """The specification of keys: rarely no text where the body tests whether they are."""
    return _with_rare(spec, [k for k in _WRONG_KEYS if not _covers(spec, k)]) if _tested(known) else spec


def _hashable(spec: Spec) -> bool:
    """Whether it is what may be a key, where nothing else is known."""
    return isinstance(spec, Either) and {type(option) for option in spec.options} == {Text, Whole}


def usual(spec: Spec) -> Spec:
    """The specification without what is rare."""
    return either(list(spec.options)) if isinstance(spec, Either) else spec


def _with_rare(spec: Spec, more: list[Spec]) -> Spec:
    options, rare = (spec.options, spec.rare) if isinstance(spec, Either) else ((spec,), ())
    return either(list(options), [*rare, *more])


def _tested(known: Clue) -> bool:
    return any(kind != "truth" for kind in (*known.tested, *known.variants))


def _covers(spec: Spec, other: Spec) -> bool:
    """Whether a specification has an option of that type of values."""
    options = spec.options if isinstance(spec, Either) else (spec,)
    kind = getattr(other, "kind", "")
    return any(type(one) is type(other) and getattr(one, "kind", "") == kind for one in options)
