"""Values that are like others: near duplicates, variants, and containers with the same items."""

from __future__ import annotations

import copy
import datetime
import pathlib
import re
from typing import Any

from pipeline.suites.domain.conformity import CONTAINERS, fits, orderable
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.spec import (
    Anything,
    Choice,
    Dictionary,
    Either,
    Fixed,
    Items,
    Spec,
    Text,
    buildable,
    options_of,
)
from pipeline.suites.rules import changes

SEQUENCES = (list, tuple)


@changes("drawing: near duplicates", 1)
def near(sampler: Drawing, value: Any, spec: Spec | None = None) -> Any:
    """A value that differs from another in one small thing, or not at all where there is nothing to change."""
    rng = sampler.rng
    if isinstance(spec, Either):
        spec = next((option for option in spec.options if fits(option, value)), None)
    if isinstance(spec, Choice) or isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return near_text(sampler, value, spec)
    if isinstance(value, int):
        return value + rng.choice((-1, 1))
    if isinstance(value, float):
        return round(value + rng.choice((-1.0, 1.0, 0.5, 0.01)), 6)
    if isinstance(value, pathlib.PurePath):
        return _near_path(sampler, value)
    if type(value).__name__ == "ndarray":
        return _near_array(sampler, value)
    if isinstance(value, dict) and value:
        key = rng.choice(list(value))
        made = copy.copy(value)
        made[key] = near(sampler, value[key], under(spec, key))
        return made
    if isinstance(value, SEQUENCES) and value:
        place = len(value) - 1 if isinstance(value, tuple) else rng.randrange(len(value))
        changed = near(sampler, value[place], _item(spec, place))
        return type(value)([*list(value)[:place], changed, *list(value)[place + 1 :]])
    return value


def _near_path(sampler: Drawing, value: pathlib.PurePath) -> pathlib.PurePath:
    """A path in the same folder, or of the same name in another one."""
    name = value.name or "data"
    stem, dot, suffix = name.partition(".")
    names = (f"{stem}2{dot}{suffix}", f"{stem}.txt", f"{stem}.csv", name)
    folder = value.parent if sampler.rng.random() < 0.6 else value.parent / sampler.rng.choice(("a", "b", "old"))
    return folder / sampler.rng.choice(names)


def _near_array(sampler: Drawing, value: Any) -> Any:
    """A copy of an array with one of its numbers changed."""
    made = value.copy()
    if made.size and made.dtype.kind in "iuf":
        made.flat[sampler.rng.randrange(made.size)] = sampler.rng.randint(0, 9)
    return made


def near_text(sampler: Drawing, value: str, spec: Spec | None) -> str:
    """A text with another digit, in another case, or with an end more or less."""
    rng = sampler.rng
    if isinstance(spec, Text) and spec.closed:
        return value
    digits = [place for place, character in enumerate(value) if character in "0123456789"]
    if digits and rng.random() < 0.5:
        place = rng.choice(digits)
        return value[:place] + rng.choice("0123456789") + value[place + 1 :]
    plain = not (isinstance(spec, Text) and (spec.formats or spec.examples))
    ways = [value.upper(), value.lower(), value.capitalize(), value]
    if value.isalnum():
        ways += [value + rng.choice(("s", "2", "_1")), value[:-1]]
    return rng.choice(ways[:-1] if plain else ways[:4])


def _item(spec: Spec | None, place: int) -> Spec | None:
    if isinstance(spec, Items):
        return spec.item
    return spec.items[place] if isinstance(spec, Fixed) and place < len(spec.items) else None


def under(spec: Spec | None, key: Any) -> Spec | None:
    """What stands under a key."""
    if not isinstance(spec, Dictionary):
        return None
    return next((entry.value for entry in spec.entries if entry.key == key), spec.value)


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
