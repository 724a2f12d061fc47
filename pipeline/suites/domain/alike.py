"""Values like others: the same, with few changes, a part of it, or it with more; and what values hold."""

from __future__ import annotations

import copy
import datetime
import re
from typing import Any

from pipeline.suites.domain.conformity import CONTAINERS, fits, orderable
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.near import SEQUENCES, near, near_text, under
from pipeline.suites.domain.spec import (
    Anything,
    Dictionary,
    Items,
    Spec,
    Text,
    buildable,
    options_of,
)

_OPEN = Dictionary(Text(), Anything())


SETS = (set, frozenset)


def members(value: Any) -> list[Any]:
    """What a value holds: the words of a text, the keys of a dictionary, the items of a container."""
    if isinstance(value, str):
        return [word for word in re.split(r"[\s,;|=&:]+", value) if word] or list(value)
    if isinstance(value, dict):
        return list(value)
    if type(value).__name__ == "DataFrame":
        return list(value.columns)
    if isinstance(value, SETS):
        return sorted(value, key=lambda one: (type(one).__name__, repr(one)))
    return list(value) if isinstance(value, (*SEQUENCES, range)) else []


def items_of(spec: Spec) -> Items | None:
    """The container among what a value may be."""
    options = options_of(spec)
    return next((option for option in options if isinstance(option, Items)), None)


def arranged(spec: Items, made: list[Any]) -> Any:
    """Items as a container of the kind, in the order that is promised."""
    return CONTAINERS[spec.kind](sorted(made) if spec.ordered and orderable(made) else made)


def like(sampler: Drawing, source: Any, spec: Spec, whole: bool = False) -> Any:
    """A variant of the source: the same, or with few changes, or a part of it, or it with more."""
    rng = sampler.rng
    if isinstance(source, dict):
        return _like_dictionary(sampler, source, spec)
    if isinstance(source, (*SEQUENCES, *SETS)):
        return _like_items(sampler, source, spec)
    if isinstance(source, str):
        return _like_text(sampler, source, spec, whole)
    if isinstance(source, (datetime.date, datetime.datetime)):
        return source + datetime.timedelta(days=rng.choice((-1, 0, 0, 1, 7, 30)))
    return source if rng.random() < 0.3 else near(sampler, source, spec)


def _like_text(sampler: Drawing, source: str, spec: Spec, whole: bool) -> str | None:
    rng = sampler.rng
    if not source:
        return None
    place = rng.randrange(len(source))
    other = rng.choice([one for one in source if one.isalnum()] or ["x"])
    edited = source[:place] + other + source[place + 1 :]
    if whole:
        return rng.choice((source, edited, source[::-1], source.swapcase()))
    more = [source[:place] or source, source + " " + source[:place], source[: place + 1] + source[place:]]
    return rng.choice((source, edited, near_text(sampler, source, spec), source.upper(), *more))


def _like_items(sampler: Drawing, source: Any, spec: Spec) -> Any:
    rng, holder = sampler.rng, items_of(spec)
    if holder is None:
        return None
    made = members(source)
    act = rng.randrange(7)
    if act == 0 and made:
        made = made[: rng.randrange(len(made) + 1)]
    elif act == 1:
        made = [one for one in made if rng.random() < 0.7]
    elif act == 2 and made:
        place = rng.randrange(len(made))
        made[place] = near(sampler, made[place], holder.item)
    elif act == 3:
        rng.shuffle(made)
    elif act in (4, 5) and buildable(holder.item):
        made = made[: rng.randrange(len(made) + 1)] if act == 5 else made
        made = [*made, *(sampler.value(holder.item, 2) for _ in range(rng.choice((1, 1, 2))))]
    return arranged(holder, made) if all(fits(holder.item, one) for one in made) else None


def _like_dictionary(sampler: Drawing, source: dict[Any, Any], spec: Spec) -> dict[Any, Any] | None:
    rng = sampler.rng
    options = options_of(spec)
    known = next((option for option in options if isinstance(option, Dictionary)), None)
    known = _OPEN if known is None and Anything() in options else known
    if known is None:
        return None
    made = copy.copy(source)
    made.clear()
    for key, value in source.items():
        roll = rng.random()
        inner = under(known, key)
        if roll < 0.4:
            made[key] = value
        elif roll < 0.6 and inner is not None and isinstance(value, dict):
            made[key] = like(sampler, value, inner)
        elif roll < 0.6:
            made[key] = near(sampler, value, inner)
        elif roll < 0.8 and inner is not None and buildable(inner):
            made[key] = sampler.value(inner, 2)
    if known.key is not None and buildable(known.value or Text()):
        for _ in range(rng.choice((0, 1, 1, 2))):
            made.setdefault(sampler.value(known.key, 2), sampler.value(known.value or Text(), 2))
    return made
