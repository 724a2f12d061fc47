"""Values that relate to others: near duplicates, parts, members, equal lengths, indexes, upper bounds."""

from __future__ import annotations

import copy
import datetime
import decimal
import fractions
import pathlib
from collections.abc import Callable
from typing import Any

from pipeline.suites.domain.alike import SEQUENCES, SETS, arranged, items_of, like, members, near
from pipeline.suites.domain.conformity import CONTAINERS, fits
from pipeline.suites.domain.drawing import OMITTED, Drawing
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import Dictionary, Items, Spec, Text, buildable, options_of
from pipeline.suites.rules import applies, declare

_WRITTEN = (pathlib.PurePath, decimal.Decimal, fractions.Fraction)
"""Types whose values are read from texts."""


def relate(sampler: Drawing, parameters: tuple[Parameter, ...], made: dict[str, Any], share: float = 1.0) -> None:
    """Make the values of an input relate as the parameters say, in most inputs; changes `made`."""
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
        source = _in_words(source)
    ways: dict[str, Callable[[], Any]] = {
        "index": lambda: _index(sampler, source, spec),
        "size": lambda: _size(sampler, source),
        "key": lambda: _key(sampler, source),
        "part": lambda: _folder(sampler, path) if path is not None else _part(sampler, source, spec),
        "members": lambda: _members(sampler, source, spec, old),
        "above": lambda: _above_or_like(sampler, source, spec, old),
        "length": lambda: _as_long(sampler, source, spec, old),
        "count": lambda: _count(source),
        "shared": lambda: _shared(sampler, source, spec, old),
        "similar": lambda: like(sampler, source, spec),
    }
    made = ways[kind]() if applies(f"relation: {kind}") else None
    if isinstance(old, pathlib.PurePath) and isinstance(made, str):
        return type(old)(made.replace("\0", ""))
    return made


KINDS = "index size key part members above length count shared similar".split()
for _name in KINDS:
    declare(f"relation: {_name}", f"{__name__}.related")


def _in_words(source: Any) -> Any:
    """Paths and the like, alone or in a sequence, as texts, for what is read from a text."""
    if isinstance(source, _WRITTEN):
        return str(source)
    if isinstance(source, SEQUENCES):
        return type(source)([_in_words(one) for one in source])
    return source


def _index(sampler: Drawing, source: Any, spec: Spec) -> Any:
    if isinstance(source, dict):
        return _key(sampler, source)
    if type(source).__name__ == "DataFrame":
        return _columns(sampler, members(source), spec)
    if not isinstance(source, (str, bytes, *SEQUENCES)) or not len(source):
        return None
    inside = sampler.rng.randrange(len(source))
    return sampler.rng.choice((0, len(source) - 1, inside, inside))


def _columns(sampler: Drawing, names: list[Any], spec: Spec) -> Any:
    """The name of a column, or a container of some of the names."""
    holder = items_of(spec)
    if holder is None:
        return sampler.rng.choice(names) if names else None
    return CONTAINERS[holder.kind](name for name in names if sampler.rng.random() < 0.6)


def _size(sampler: Drawing, source: Any) -> Any:
    """A number about the length of the source: the length itself, its neighbours, half of it."""
    if not isinstance(source, (str, bytes, dict, *SEQUENCES, *SETS)) and not getattr(source, "shape", ()):
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
    return sampler.rng.choice(inner) if isinstance(one, (dict, *SEQUENCES)) and inner else one


def _part(sampler: Drawing, source: Any, spec: Spec) -> Any:
    rng = sampler.rng
    if isinstance(source, (str, bytes)):
        if not source:
            return None
        start, stop = sorted((rng.randrange(len(source) + 1), rng.randrange(len(source) + 1)))
        words = source.split()
        pieces = (rng.choice(words or [source]), source[:stop], source[start:], source[start:stop])
        made = rng.choice(pieces) or source
        if isinstance(made, str) and rng.random() < 0.12:
            return made.swapcase()
        return made
    if isinstance(source, SETS) and isinstance(spec, Items):
        return CONTAINERS[spec.kind](one for one in members(source) if rng.random() < 0.6)
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


def _members(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """The container, most of whose items are what the source holds."""
    rng, holder = sampler.rng, items_of(spec)
    if isinstance(source, str) and isinstance(old, str):
        return _with_piece(sampler, source, old)
    if isinstance(source, dict) and isinstance(old, dict) and rng.random() < 0.6:
        return like(sampler, source, spec)
    known = [one for one in members(source) if holder is not None and fits(holder.item, one)]
    if isinstance(old, dict) and isinstance(spec, Dictionary):
        return _with_keys(sampler, members(source), spec, old)
    if holder is None or not known or not isinstance(old, (*SEQUENCES, *SETS)):
        return None
    made = [rng.choice(known) if rng.random() < 0.7 else one for one in members(old)] or [rng.choice(known)]
    return arranged(holder, made)


def _with_piece(sampler: Drawing, source: str, old: str) -> str | None:
    """A text with something of another one: a piece of it alone, at the start, in the middle or at the end."""
    if not source:
        return None
    start, stop = sorted((sampler.rng.randrange(len(source) + 1), sampler.rng.randrange(len(source) + 1)))
    piece = source[start:stop] or source
    half = len(old) // 2
    return sampler.rng.choice((piece, source, f"{piece} {old}", f"{old} {piece}", old[:half] + source + old[half:]))


def _with_keys(sampler: Drawing, keys: list[Any], spec: Dictionary, old: dict[Any, Any]) -> dict[Any, Any]:
    made = copy.copy(old)
    value = spec.value if spec.value is not None and buildable(spec.value) else Text()
    for key in keys[:8]:
        if sampler.rng.random() < 0.6 and spec.key is not None and fits(spec.key, key):
            made[key] = sampler.value(value, 2)
    return made


def _above_or_like(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """What is not below the source; of arrays, now and then one much like it."""
    if type(source).__name__ == type(old).__name__ == "ndarray":
        return like(sampler, source, spec) if sampler.rng.random() < 0.3 else None
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
            return like(sampler, source, spec, whole=True)
        return (old * (count + 1))[:count]
    holder = items_of(spec)
    if holder is None or not isinstance(old, SEQUENCES) or not buildable(holder.item):
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
    return arranged(holder, made)


def _shared(sampler: Drawing, source: Any, spec: Spec, old: Any) -> Any:
    """What was drawn with some of what the source holds."""
    rng, holder = sampler.rng, items_of(spec)
    if isinstance(old, (*SEQUENCES, *SETS)) and holder is not None and rng.random() < 0.5:
        return _members(sampler, source, spec, old)
    if isinstance(source, (int, float)):
        return None
    if type(old) is not type(source):
        return _members(sampler, source, spec, old)
    return like(sampler, source, spec)
