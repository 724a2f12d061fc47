"""Near duplicates: values that differ from another in one small thing."""

from __future__ import annotations

import copy
import pathlib
from typing import Any

from pipeline.suites.domain.conformity import fits
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.spec import (
    Choice,
    Dictionary,
    Either,
    Fixed,
    Items,
    Spec,
    Text,
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
