"""The families by name: each is imported here, so this is the list."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace

from harness.errors import UserError
from pipeline.families import Family
from pipeline.families.function import FUNCTION, LSC
from pipeline.records import Reason, Rejection, Suite, reject_function

_FAMILIES: dict[str, Family] = {FUNCTION.name: FUNCTION, LSC.name: LSC}


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
    """Each suite with the first of the families that can use it; and what became of those that none can use."""
    kept, left = [], []
    for suite in suites:
        first = next((one for one in taken(names) if one.wants(suite)), None)
        if first is not None:
            kept.append(replace(suite, family=first.name))
            continue
        candidate = suite.candidate
        evidence = f"Asked were {', '.join(one.name for one in taken(names))}."
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
