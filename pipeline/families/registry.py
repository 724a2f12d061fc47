"""The families by name: each is imported here, so this is the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from harness.errors import UserError
from pipeline.families import Family
from pipeline.families.function import FUNCTION, LSC, WHOLE
from pipeline.records import Reason, Rejection, Suite, reject_function

_FAMILIES: dict[str, Family] = {one.name: one for one in (FUNCTION, LSC, WHOLE)}


def family(name: str) -> Family:
    """The family of that name, the first for "", as of what no family was chosen for; raises `KeyError`."""
    return _FAMILIES[name] if name else families()[0]


def families() -> tuple[Family, ...]:
    """All of them, in the order in which they were registered."""
    return tuple(_FAMILIES.values())


def taken(names: Sequence[str]) -> tuple[Family, ...]:
    """The families of these names, in their order; without names the first. Raises `UserError`."""
    for name in names:
        if name not in _FAMILIES:
            raise UserError(f"families.take names {name!r}: set it to some of {', '.join(_FAMILIES)}.")
    return tuple(_FAMILIES[name] for name in names) or families()[:1]


def bundled(names: Sequence[str]) -> bool:
    """Whether one of the families asks about functions together with what they need of their projects."""
    return any(one.bundles for one in taken(names))


def chosen(suites: Iterable[Suite], names: Sequence[str]) -> tuple[list[Suite], list[Rejection]]:
    """Each suite as the families ask about it that can use it, and what became of those that none can use.

    Of the families that don't ask in a further way, the first that can use a suite has it.
    """
    kept, left = [], []
    for suite in suites:
        asked = [(one, found) for one in taken(names) if (found := one.asked(suite)) is not None]
        first = [replace(found, family=one.name) for one, found in asked if not one.further][:1]
        if asked:
            kept += [*first, *(replace(found, family=one.name) for one, found in asked if one.further)]
            continue
        candidate = suite.candidate
        evidence = f"Asked were {', '.join(one.name for one in taken(names))}."
        if candidate.curated is not None and candidate.curated.family:
            wanted = candidate.curated.family
            evidence += f" Its text is for {wanted}: leave out family, or add that to families.take, if the function " \
                "calls others of its project and no classes."
        left.append(reject_function("instruct", candidate.function, Reason.NO_FAMILY, evidence, candidate.track))
    return kept, left


@contextmanager
def registered(one: Family) -> Iterator[None]:
    """A further family in this process, for as long as the context lasts."""
    if one.name in _FAMILIES:
        raise ValueError(f"there is a family {one.name} already")
    _FAMILIES[one.name] = one
    try:
        yield
    finally:
        del _FAMILIES[one.name]
