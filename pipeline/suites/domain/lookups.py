"""Containers whose items are keys of a dictionary or places in a sequence, alone or in groups such as pairs."""

from __future__ import annotations

from typing import Any

from pipeline.suites.domain.conformity import fits
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.spec import Fixed, Items, Spec, options_of
from pipeline.suites.rules import finds

POINTING = 0.75
"""How many of the items lead somewhere; in as many containers all do."""


@finds("relations: leading keys")
def leading(sampler: Drawing, source: Any, spec: Items | None, old: Any) -> Any:
    """The container that was drawn, most of whose items lead into the source; None where none can."""
    if not isinstance(source, (dict, list, tuple, str, bytes)) or not source or spec is None:
        return None
    if not isinstance(old, (list, tuple, set, frozenset)):
        return None
    keys = list(source) if isinstance(source, dict) else list(range(len(source)))
    place = sampler.rng.randrange(12)
    one = sampler.rng.choice(keys)
    drawn = sorted(old, key=repr) if isinstance(old, (set, frozenset)) else list(old)
    share = 1.0 if sampler.rng.random() < POINTING else POINTING
    drawn = drawn or ([one] if fits(spec.item, one) else [])
    made = [_led(sampler, spec.item, item, keys, place, share) for item in drawn]
    return type(old)(made) if made else None


def _led(sampler: Drawing, spec: Spec, item: Any, keys: list[Any], place: int, share: float) -> Any:
    """A key instead of the item, or in one place of a group; the same place for all groups of a container."""
    key = sampler.rng.choice(keys)
    if sampler.rng.random() > share:
        return item
    if not isinstance(item, (list, tuple)):
        return key if fits(spec, key) else item
    parts = _parts(spec, len(item))
    fitting = [index for index, part in enumerate(parts) if fits(part, key)]
    if not fitting:
        return item
    made = list(item)
    made[fitting[place % len(fitting)]] = key
    return type(item)(made)


def _parts(spec: Spec, count: int) -> list[Spec]:
    """What the places of a group may hold."""
    for option in options_of(spec):
        if isinstance(option, Fixed) and len(option.items) == count:
            return list(option.items)
        if isinstance(option, Items):
            return [option.item] * count
    return []
