"""Values that relate to others: near duplicates, parts, members, equal lengths, indexes, upper bounds."""

from __future__ import annotations

import copy
import datetime
import decimal
import fractions
import ipaddress
import pathlib
import re
import uuid
from collections import deque
from collections.abc import Callable
from typing import Any

from pipeline.suites.domain import totals
from pipeline.suites.domain.conformity import fits, orderable
from pipeline.suites.domain.drawing import OMITTED, Drawing
from pipeline.suites.domain.formats.notations import in_format
from pipeline.suites.domain.kinds.addresses import inside
from pipeline.suites.domain.lookups import leading
from pipeline.suites.domain.spec import (
    Anything,
    Choice,
    Dictionary,
    Either,
    Fixed,
    Items,
    Parameter,
    Spec,
    Text,
    buildable,
    options_of,
)
from pipeline.suites.rules import applies, changes, declare

_OPEN = Dictionary(Text(), Anything())
_SEQUENCES = (list, tuple, deque)
_SETS = (set, frozenset)
_WRITTEN = (
    pathlib.PurePath, uuid.UUID, decimal.Decimal, fractions.Fraction, ipaddress.IPv4Address, ipaddress.IPv6Address
)  # fmt: skip
"""Types whose values are read from texts."""


def relate(sampler: Drawing, parameters: tuple[Parameter, ...], made: dict[str, Any], share: float = 1.0) -> None:
    """Make the values of an input relate as the parameters say, in most inputs; changes `made`."""
    _relate(sampler, parameters, made, share)
    for parameter in parameters:
        if parameter.total is not None and made.get(parameter.name, OMITTED) is not OMITTED:
            summing = totals.summing(sampler.rng, made[parameter.name], parameter.total)
            if sampler.rng.random() < totals.OFTEN and fits(parameter.spec, summing):
                made[parameter.name] = summing


def _relate(sampler: Drawing, parameters: tuple[Parameter, ...], made: dict[str, Any], share: float) -> None:
    for parameter in in_order(parameters):
        relation = parameter.relation
        if relation is None or made.get(relation.target) is OMITTED:
            continue
        sources = [one for one in (relation.source, *relation.others) if made.get(one) is not OMITTED]
        if not sources:
            continue
        if relation.kind == "index" and type(made[relation.target]).__name__ == "ndarray":
            # An array that is drawn as places along an axis holds these already.
            continue
        if sampler.rng.random() < share * relation.share:
            for source in sampler.rng.sample(sources, len(sources)) if len(sources) > 1 else sources:
                value = related(sampler, relation.kind, parameter.spec, made[source], made[relation.target])
                if value is not None and fits(parameter.spec, value):
                    # What two arguments share must not be one object: a function may change either.
                    made[relation.target] = copy.deepcopy(value)
                    break


def in_order(parameters: tuple[Parameter, ...]) -> list[Parameter]:
    """The parameters so that each comes after the one that it relates to."""
    names = {parameter.name: parameter for parameter in parameters}
    placed: dict[str, Parameter] = {}

    def place(parameter: Parameter) -> None:
        relation = parameter.relation
        for source in (relation.source, *relation.others) if relation is not None else ():
            if source in names and source not in placed:
                place(names[source])
        placed.setdefault(parameter.name, parameter)

    for parameter in parameters:
        place(parameter)
    return list(placed.values())


def related(sampler: Drawing, kind: str, spec: Spec, source: Any, old: Any) -> Any:
    """A value of the specification that relates to `source`, None where none can be made; `old` is what was drawn."""
    path = source if isinstance(source, pathlib.PurePath) and isinstance(old, pathlib.PurePath) else None
    if isinstance(old, pathlib.PurePath) and isinstance(source, str) and source and "\0" not in source:
        path = type(old)(source)
    if isinstance(old, str):
        source = _in_words(sampler, source)
    ways: dict[str, Callable[[], Any]] = {
        "index": lambda: _index(sampler, source, spec),
        "size": lambda: _size(sampler, source),
        "key": lambda: _key(sampler, source),
        "path": lambda: _path(sampler, source, spec, old),
        "part": lambda: _folder(sampler, path) if path is not None else _part(sampler, source, spec),
        "members": lambda: _members(sampler, source, spec, old),
        "places": lambda: leading(sampler, source, _items_of(spec), old) or _members(sampler, source, spec, old),
        "above": lambda: _above_or_like(sampler, source, spec, old),
        "length": lambda: _as_long(sampler, source, spec, old),
        "count": lambda: _count(source),
        "shape": lambda: _lengths(sampler, source, old),
        "keyed": lambda: _keyed(sampler, source, spec, old),
        "shared": lambda: _shared(sampler, source, spec, old),
        "similar": lambda: _like(sampler, source, spec),
    }
    made = ways[kind]() if applies(f"relation: {kind}") else None
    if isinstance(old, pathlib.PurePath) and isinstance(made, str):
        return type(old)(made.replace("\0", ""))
    return made


KINDS = "index size key path part members places above length count shape keyed shared similar".split()
for _name in KINDS:
    declare(f"relation: {_name}", f"{__name__}.related")


def _in_words(sampler: Drawing, source: Any) -> Any:
    """Paths and the like, alone or in a sequence, as texts, and addresses of networks, for what is read from a text."""
    if isinstance(source, (ipaddress.IPv4Network, ipaddress.IPv6Network)):
        return inside(source, sampler.rng)
    if isinstance(source, _WRITTEN):
        return str(source)
    if isinstance(source, _SEQUENCES):
        return type(source)([_in_words(sampler, one) for one in source])
    return source


@changes("drawing: near duplicates", 1)
def near(sampler: Drawing, value: Any, spec: Spec | None = None) -> Any:
    """A value that differs from another in one small thing, or not at all where there is nothing to change."""
    rng = sampler.rng
    if isinstance(spec, Either):
        spec = next((option for option in spec.options if fits(option, value)), None)
    if isinstance(spec, Choice) or isinstance(value, bool) or value is None:
        return value
    if isinstance(value, str):
        return _near_text(sampler, value, spec)
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
        made[key] = near(sampler, value[key], _under(spec, key))
        return made
    if isinstance(value, _SEQUENCES) and value:
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


def _near_text(sampler: Drawing, value: str, spec: Spec | None) -> str:
    rng = sampler.rng
    if isinstance(spec, Text) and (spec.closed or spec.character):
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


def _under(spec: Spec | None, key: Any) -> Spec | None:
    if not isinstance(spec, Dictionary):
        return None
    return next((entry.value for entry in spec.entries if entry.key == key), spec.value)


def members(value: Any) -> list[Any]:
    """What a value holds: the words of a text, the keys of a dictionary, the items of a container."""
    if isinstance(value, str):
        return [word for word in re.split(r"[\s,;|=&:]+", value) if word] or list(value)
    if isinstance(value, dict):
        return list(value)
    if type(value).__name__ == "DataFrame":
        return list(value.columns)
    if isinstance(value, _SETS):
        return sorted(value, key=lambda one: (type(one).__name__, repr(one)))
    return list(value) if isinstance(value, (*_SEQUENCES, range)) else []


def _index(sampler: Drawing, source: Any, spec: Spec) -> Any:
    if isinstance(source, dict):
        return _key(sampler, source)
    if type(source).__name__ == "DataFrame":
        return _columns(sampler, members(source), spec)
    if not isinstance(source, (str, bytes, *_SEQUENCES)) or not len(source):
        return None
    inside = sampler.rng.randrange(len(source))
    return sampler.rng.choice((0, len(source) - 1, inside, inside))


def _lengths(sampler: Drawing, source: Any, old: Any) -> Any:
    """The lengths of the axes of an array, or one of them for a number; one is off at times."""
    shape = list(getattr(source, "shape", ()))
    if not shape:
        return None
    if isinstance(old, int):
        return sampler.rng.choice(shape)
    if sampler.rng.random() < 0.15:
        shape[sampler.rng.randrange(len(shape))] += sampler.rng.choice((-1, 1, 2))
    return type(old)(shape) if isinstance(old, (list, tuple)) else None


def _columns(sampler: Drawing, names: list[Any], spec: Spec) -> Any:
    """The name of a column, or a container of some of the names."""
    holder = _items_of(spec)
    if holder is None:
        return sampler.rng.choice(names) if names else None
    return _kind(holder, [name for name in names if sampler.rng.random() < 0.6])


def _size(sampler: Drawing, source: Any) -> Any:
    """A number about the length of the source: the length itself, its neighbours, half of it."""
    if not isinstance(source, (str, bytes, dict, *_SEQUENCES, *_SETS)) and not getattr(source, "shape", ()):
        return None
    count = source.shape[0] if hasattr(source, "shape") else len(source)
    near_by = (count - 1, count, count + 1, count // 2, sampler.rng.randint(0, count + 3))
    return max(0, sampler.rng.choice(near_by))


def _key(sampler: Drawing, source: Any) -> Any:
    """A key of a dictionary, or of one of the dictionaries in a list; else an item, or something in one."""
    known = members(source)
    if not known:
        return None
    one = sampler.rng.choice(known)
    if isinstance(source, dict) or type(source).__name__ == "DataFrame":
        return one
    inner = members(one)
    return sampler.rng.choice(inner) if isinstance(one, (dict, *_SEQUENCES)) and inner else one


def _keyed(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """The dictionary with the keys of another one, or the columns of a table, as its keys; one is left out at times."""
    known = next((one for one in options_of(spec) if isinstance(one, Dictionary)), None)
    if not isinstance(old, dict) or known is None:
        return None
    keys = members(source)
    if keys and sampler.rng.random() < 0.12:
        keys.remove(sampler.rng.choice(keys))
    held = known.value or Anything()
    return {key: old[key] if key in old else sampler.value(held, 1) for key in keys if isinstance(key, (str, int))}


def _part(sampler: Drawing, source: Any, spec: Spec) -> Any:
    rng = sampler.rng
    if isinstance(source, (str, bytes)):
        if not source:
            return None
        if isinstance(spec, Text) and spec.character and isinstance(source, str):
            return rng.choice(source)
        start, stop = sorted((rng.randrange(len(source) + 1), rng.randrange(len(source) + 1)))
        words = source.split()
        pieces = (rng.choice(words or [source]), source[:stop], source[start:], source[start:stop])
        made = rng.choice(pieces) or source
        if isinstance(made, str) and rng.random() < 0.12:
            return made.swapcase()
        return made
    if isinstance(source, _SETS) and isinstance(spec, Items):
        return _kind(spec, [one for one in members(source) if rng.random() < 0.6])
    known = members(source)
    if not known:
        return None
    one = rng.choice(known)
    roll = rng.random()
    if isinstance(one, str) and roll < 0.3 and (signs := _signs(spec)):
        # What begins with it, or ends in it, is in its neighbourhood too.
        return rng.choice((f"{one}{rng.choice(signs)}{sampler.value(Text(), 2)}", one + rng.choice("sx1")))
    return near(sampler, one, spec) if roll < 0.45 and roll > 0.3 else one


def _folder(sampler: Drawing, path: pathlib.PurePath) -> pathlib.PurePath:
    """The path, one that it lies in, or one that begins alike."""
    known = [path, *path.parents]
    return sampler.rng.choice(known) if sampler.rng.random() < 0.85 else path.parent / f"{path.name}x"


def _signs(spec: Spec) -> tuple[str, ...]:
    options = options_of(spec)
    return tuple(sign for option in options if isinstance(option, Text) for sign in option.separators)


def _kind(spec: Items, made: list[Any]) -> Any:
    kinds: dict[str, Callable[[list[Any]], Any]] = {
        "list": list, "tuple": tuple, "set": set, "frozenset": frozenset, "deque": deque,
    }  # fmt: skip
    return kinds[spec.kind](made)


def _items_of(spec: Spec) -> Items | None:
    """The container among what a value may be."""
    options = options_of(spec)
    return next((option for option in options if isinstance(option, Items)), None)


def _path(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """Keys that lead down into nested dictionaries, one of them wrong now and then; as a text where `old` is one."""
    rng, place = sampler.rng, source
    keys: list[Any] = []
    while isinstance(place, (dict, list, tuple)) and place and (not keys or rng.random() < 0.75):
        keys.append(rng.choice(list(place) if isinstance(place, dict) else range(len(place))))
        place = place[keys[-1]]
    if _of_attributes(spec) and rng.random() < 0.5:
        keys.append(in_format("attribute", rng))
    if rng.random() < 0.12:
        keys.append(sampler.value(Text()))
    if isinstance(old, str):
        separators = spec.separators if isinstance(spec, Text) and spec.separators else (".",)
        return separators[0].join(map(str, keys))
    return type(old)(keys) if isinstance(old, _SEQUENCES) else None


def _of_attributes(spec: Spec) -> bool:
    """Whether the pieces or the items of a value name attributes."""
    options = options_of(spec)
    parts = [part for one in options for part in (one, getattr(one, "piece", None), getattr(one, "item", None))]
    return any("attribute" in part.formats for part in parts if isinstance(part, Text))


def _members(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """The container, most of whose items are what the source holds."""
    rng, holder = sampler.rng, _items_of(spec)
    if isinstance(source, str) and isinstance(old, str):
        return _with_piece(sampler, source, old)
    if isinstance(source, dict) and isinstance(old, dict) and rng.random() < 0.6:
        return _like(sampler, source, spec)
    known = [one for one in members(source) if holder is not None and fits(holder.item, one)]
    if isinstance(old, dict) and isinstance(spec, Dictionary):
        return _with_keys(sampler, members(source), spec, old)
    if holder is None or not known or not isinstance(old, (*_SEQUENCES, *_SETS)):
        return None
    made = [rng.choice(known) if rng.random() < 0.7 else one for one in members(old)] or [rng.choice(known)]
    return _arranged(holder, made)


def _with_piece(sampler: Drawing, source: str, old: str) -> str | None:
    """A text with something of another one: a piece of it alone, at the start, in the middle or at the end."""
    if not source:
        return None
    start, stop = sorted((sampler.rng.randrange(len(source) + 1), sampler.rng.randrange(len(source) + 1)))
    piece = source[start:stop] or source
    half = len(old) // 2
    return sampler.rng.choice((piece, source, f"{piece} {old}", f"{old} {piece}", old[:half] + source + old[half:]))


def _arranged(spec: Items, made: list[Any]) -> Any:
    if spec.distinct:
        made = distinct(made)
    return _kind(spec, sorted(made) if spec.ordered and orderable(made) else made)


def distinct(values: list[Any]) -> list[Any]:
    """The values without repetition, in their order."""
    kept: list[Any] = []
    for value in values:
        if value not in kept:
            kept.append(value)
    return kept


def _with_keys(sampler: Drawing, keys: list[Any], spec: Dictionary, old: dict[Any, Any]) -> dict[Any, Any]:
    made = dict(old)
    value = spec.value if spec.value is not None and buildable(spec.value) else Text()
    for key in keys[:8]:
        if sampler.rng.random() < 0.6 and spec.key is not None and fits(spec.key, key):
            made[key] = sampler.value(value, 2)
    return type(old)(made)


def _above_or_like(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """What is not below the source; of arrays, now and then one much like it."""
    if type(source).__name__ == type(old).__name__ == "ndarray":
        return _like(sampler, source, spec) if sampler.rng.random() < 0.3 else None
    return _above(source, old)


def _above(source: Any, old: Any) -> Any:
    """The number or moment that was drawn, moved so that it is not below the source."""
    if isinstance(source, bool) or isinstance(old, bool):
        return None
    if isinstance(source, (int, float)) and isinstance(old, (int, float)):
        try:
            return old if old >= source else type(old)(source + min(abs(source - old), 20))
        except (ValueError, OverflowError):  # no whole number lies above NaN or infinity
            return None
    if type(source) is type(old) and isinstance(source, (datetime.date, datetime.timedelta)):
        try:
            return old if old >= source else source + abs(source - old)
        except (TypeError, OverflowError):
            return None
    if isinstance(source, str) and isinstance(old, str):
        return max(source, old)
    return None


def _count(source: Any) -> int | None:
    """How many items a value has, None where it holds none, as an array without axes does."""
    return len(source) if hasattr(source, "__len__") and getattr(source, "shape", None) != () else None


def _as_long(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """What was drawn, cut or filled up to the length of the source."""
    count = _count(source)
    if count is None:
        return None
    if isinstance(old, str) and isinstance(source, str):
        # Texts of one length that are compared place by place differ in few places.
        if sampler.rng.random() < 0.6:
            return _like(sampler, source, spec, whole=True)
        return (old * (count + 1))[:count]
    holder = _items_of(spec)
    if holder is None or not isinstance(old, _SEQUENCES) or not buildable(holder.item):
        return None
    made = list(old)[:count]
    if type(old) is type(source) and sampler.rng.random() < 0.5:
        # The same up to some place, with one change further on at most.
        common = sampler.rng.randint(0, count)
        made = [*list(source)[:common], *made[common:]]
        if not all(fits(holder.item, one) for one in made):
            return None
    alike = type(old) is type(source) and sampler.rng.random() < 0.4
    for one in list(source)[len(made) : min(count, 40)]:
        made.append(one if alike and fits(holder.item, one) else sampler.value(holder.item, 2))
    return _arranged(holder, made)


def _shared(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """What was drawn with some of what the source holds."""
    rng, holder = sampler.rng, _items_of(spec)
    if isinstance(old, (*_SEQUENCES, *_SETS)) and holder is not None and rng.random() < 0.5:
        return _members(sampler, source, spec, old)
    if isinstance(source, (int, float)):
        return None
    if type(old) is not type(source):
        return _members(sampler, source, spec, old)
    return _like(sampler, source, spec)


def _like(sampler: Drawing, source: Any, spec: Spec, whole: bool = False) -> Any:
    """A variant of the source: the same, or with few changes, or a part of it, or it with more."""
    rng = sampler.rng
    if isinstance(source, dict):
        return _like_dictionary(sampler, source, spec)
    if isinstance(source, (*_SEQUENCES, *_SETS)):
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
    return rng.choice((source, edited, _near_text(sampler, source, spec), source.upper(), *more))


def _like_items(sampler: Drawing, source: Any, spec: Spec) -> Any:
    rng, holder = sampler.rng, _items_of(spec)
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
    return _arranged(holder, made) if all(fits(holder.item, one) for one in made) else None


def _like_dictionary(sampler: Drawing, source: dict[Any, Any], spec: Spec) -> dict[Any, Any] | None:
    rng = sampler.rng
    options = options_of(spec)
    known = next((option for option in options if isinstance(option, Dictionary)), None)
    known = _OPEN if known is None and Anything() in options else known
    if known is None:
        return None
    made: dict[Any, Any] = {}
    for key, value in source.items():
        roll = rng.random()
        inner = _under(known, key)
        if roll < 0.4:
            made[key] = value
        elif roll < 0.6 and inner is not None and isinstance(value, dict):
            made[key] = _like(sampler, value, inner)
        elif roll < 0.6:
            made[key] = near(sampler, value, inner)
        elif roll < 0.8 and inner is not None and buildable(inner):
            made[key] = sampler.value(inner, 2)
    if known.key is not None and buildable(known.value or Text()):
        for _ in range(rng.choice((0, 1, 1, 2))):
            made.setdefault(sampler.value(known.key, 2), sampler.value(known.value or Text(), 2))
    return type(source)(made)
