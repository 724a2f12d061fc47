"""Small changes of a value that keep to its specification where that is known."""

from __future__ import annotations

import base64
import json
import sys
from copy import copy, deepcopy
from random import Random
from typing import Any

from pipeline.suites.domain.conformity import fits, orderable
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.kinds import arrays
from pipeline.suites.domain.kinds.exact import changed
from pipeline.suites.domain.kinds.numbers import loose
from pipeline.suites.domain.kinds.tables import row
from pipeline.suites.domain.kinds.texts import PUNCTUATION, UNICODE, text, written
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import HUGE
from pipeline.suites.domain.related import relate
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.spec import (
    CARRIERS,
    Anything,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Items,
    Real,
    Spec,
    Text,
    Whole,
    buildable,
    without_rare,
)
from pipeline.suites.rules import changes, finds
from pipeline.suites.subject import passable

NESTED, MOST_PARTS = 0.04, 200
"""How often a tree becomes deeper, and how many parts it has at most before that."""
_ANY = Anything()
_ANY_DICTIONARY = Dictionary(Text(), _ANY)


def mutated(
    sampler: Sampler, parameters: tuple[Parameter, ...], value: dict[str, Any], hints: list[Any] | None = None
) -> dict[str, Any]:
    """A copy of an input with one to three changes; `hints` are values that it was compared with."""
    rng = sampler.rng
    sampler.begin()
    sampler.seen = list(hints or [])
    made = dict(value)
    for _ in range(rng.choice((1, 1, 1, 2, 3))):
        parameter = rng.choice(parameters)
        old = made[parameter.name]
        if old is OMITTED or rng.random() < 0.12:
            new = sampler.argument(parameter)
        elif parameter.kind == "variadic":
            new = tuple(_change(sampler, Items(parameter.spec, "tuple"), old, 0))
        elif parameter.kind == "keywords":
            changed = _change(sampler, parameter.spec, old, 0)
            new = {k: v for k, v in changed.items() if passable(k)}
        else:
            new = _change(sampler, parameter.spec, old, 0)
        made[parameter.name] = new
    if rng.random() < NESTED:
        parameter = rng.choice(parameters)
        made[parameter.name] = _nested(rng, made[parameter.name])
    relate(sampler, parameters, made, share=0.4)
    return _closed(parameters, made)


@changes("mutation: nested", 1)
def _nested(rng: Random, value: Any) -> Any:
    """The value with a part that holds others of its sort once more in the place of such a one: a deeper tree.

    This is done up to four times, so that the depth may double each time; what has no such parts stays.
    """
    if not isinstance(value, (dict, list)):
        return value
    made = deepcopy(value)
    for _ in range(rng.choice((1, 2, 4))):
        pairs: list[tuple[Any, Any, Any, Any]] = []
        parts = _within(made, (), pairs)
        if not pairs or parts > MOST_PARTS:
            break
        outer, _, holder, place = max(rng.sample(pairs, min(3, len(pairs))), key=lambda pair: int(pair[1]))
        holder[place] = deepcopy(outer)
    return made


def _within(value: Any, above: tuple[Any, ...], pairs: list[tuple[Any, Any, Any, Any]]) -> int:
    """Collect containers with such of their sort inside them, their distance and their places; count all parts."""
    count = 1
    for place, part in list(value.items() if isinstance(value, dict) else enumerate(value)):
        if isinstance(part, (dict, list)):
            for distance, outer in enumerate(reversed((*above, value)), 1):
                alike = outer.keys() & part.keys() if isinstance(outer, dict) and isinstance(part, dict) else (
                    isinstance(outer, list) and isinstance(part, list))
                if alike and len(pairs) < MOST_PARTS:
                    pairs.append((outer, distance, value, place))
            count += _within(part, (*above, value), pairs)
    return count


def spliced(
    sampler: Sampler, value: dict[str, Any], other: dict[str, Any], parameters: tuple[Parameter, ...]
) -> dict[str, Any]:
    """An input that takes some parameters from one and the others from another."""
    sampler.begin()
    return _closed(parameters, {name: (value if sampler.rng.random() < 0.5 else other)[name] for name in value})


_ATOMS = frozenset([int, float, str, bytes, bool, type(None), type(OMITTED)])


def _closed(parameters: tuple[Parameter, ...], made: dict[str, Any]) -> dict[str, Any]:
    """Copies of the values, as a call may change what it gets; none after the first positional one that is left out."""
    omitting = False
    made = {name: value if type(value) in _ATOMS else deepcopy(value) for name, value in made.items()}
    for parameter in parameters:
        if parameter.kind == "positional":
            omitting = omitting or made[parameter.name] is OMITTED
            if omitting:
                made[parameter.name] = OMITTED
        elif parameter.kind == "variadic" and omitting:
            made[parameter.name] = ()
    return made


def _change(sampler: Sampler, spec: Spec, value: Any, depth: int) -> Any:
    rng = sampler.rng
    if isinstance(spec, Either):
        spec = _option(spec, value)
        if isinstance(spec, Either):
            return sampler.value(spec, depth)
    if not buildable(spec):
        return value
    if rng.random() < 0.1:
        return sampler.value(spec, depth)
    if arrays.is_scalar(value):
        return sampler.value(spec, depth)
    if isinstance(spec, Column) and spec.record is not None and type(value).__name__ == "Series":
        return row(_dictionary(sampler, spec.record, dict(value.items()), depth))
    match value:
        case bool():
            return not value if isinstance(spec, (Boolean, Anything)) else sampler.value(spec, depth)
        case int() | float():
            return _number(sampler, spec, value)
        case str():
            return _text(sampler, spec, value, depth)
        case bytes() | bytearray() if isinstance(spec, (Binary, Anything)):
            made = _text(sampler, Text(), value.decode("latin-1"), depth).encode("latin-1", "replace")
            return type(value)(made)
        case list() | tuple():
            return _sequence(sampler, spec, value, depth)
        case dict():
            return _dictionary(sampler, spec, value, depth)
    if isinstance(spec, Exact) and fits(spec, value):
        return changed(sampler, spec.kind, value)
    if type(value).__name__ in arrays.KNOWN:
        variant = arrays.changed(sampler, spec, value)
        return variant if variant is not None else sampler.value(spec, depth)
    return sampler.value(spec, depth)


def _option(spec: Either, value: Any) -> Spec:
    """The option of a union that a value belongs to, by its outer type."""
    kinds: dict[type, tuple[str, ...]] = {
        str: ("Text",),
        int: ("Whole",),
        float: ("Real",),
        bool: ("Boolean",),
        dict: ("Dictionary",),
        list: ("Items", "Fixed"),
        tuple: ("Fixed", "Items"),
    }
    owner = arrays.KNOWN.get(type(value).__name__)
    wanted = kinds.get(type(value), () if owner is None else (owner.__name__,))
    for option in spec.options:
        if type(option).__name__ in wanted or (isinstance(option, Exact) and fits(option, value)):
            return option
    return _ANY if Anything() in spec.options else spec


def _number(sampler: Sampler, spec: Spec, value: int | float) -> Any:
    if isinstance(spec, Choice):
        return sampler.value(spec)
    rng = sampler.rng
    if abs(value) >= HUGE:
        return value
    # Whole numbers may be larger than any float; neither infinities nor NaN are below a limit.
    limit = HUGE if isinstance(value, int) else sys.float_info.max
    hints = [hint for hint in sampler.seen if type(hint) in (int, float) and abs(hint) < limit]
    if hints and rng.random() < 0.3:
        made = type(value)(rng.choice(hints) + rng.choice((-1, 0, 0, 1)))
        return made if abs(made) < sampler.limit else value
    pool: list[Any] = list(sampler.pool.whole if isinstance(value, int) else sampler.pool.real) or [0]
    made = rng.choice(
        (value + 1, value - 1, -value, value * 2, value + rng.randint(-10, 10), rng.choice(pool), rng.choice(pool), 0)
    )
    if abs(made) >= HUGE:
        return made
    if isinstance(value, int):
        made = int(made)
    if isinstance(spec, (Whole, Real)) and not loose(sampler, spec):
        low, high = spec.low, spec.high
        made = max(low, made) if low is not None else made
        made = min(high, made) if high is not None else made
    if sampler.least is not None:
        made = max(sampler.least, made)
    return type(value)(made) if abs(made) < min(sampler.limit + 1, 10**28) else value


def _text(sampler: Sampler, spec: Spec, value: str, depth: int) -> str:
    if isinstance(spec, Choice):
        return str(sampler.value(spec))
    if isinstance(spec, Text) and spec.content is not None and sampler.rng.random() < 0.7:
        held = _held(spec, value)
        if held is not None:
            return written(sampler, held[0], _change(sampler, spec.content, held[1], depth + 1))
    rng, pool = sampler.rng, sampler.pool
    hints = [hint for hint in sampler.seen if isinstance(hint, str)]
    if hints and rng.random() < 0.35:
        return _hinted(rng, value, rng.choice(hints))[:200]
    start = rng.randrange(len(value) + 1)
    stop = min(len(value), start + rng.choice((0, 0, 1, 1, 2, 4)))
    inserted = ""
    roll = rng.random()
    if roll < 0.3 and pool.texts:
        inserted = rng.choice(pool.texts)
    elif roll < 0.5 and pool.alphabet:
        inserted = rng.choice(pool.alphabet)
    elif roll < 0.65:
        inserted = rng.choice("abzAZ019" + PUNCTUATION)
    elif roll < 0.75:
        inserted = text(sampler, spec if isinstance(spec, Text) else Text())[:20]
    elif roll < 0.8:
        inserted = value[start : start + 5] * 2
    elif roll < 0.82:
        inserted = rng.choice(UNICODE if pool.foreign else UNICODE[:4])
    elif roll < 0.86:
        return rng.choice((value.upper(), value.lower(), value.strip(), value + value, value.swapcase()))[:200]
    if rng.random() < 0.3:
        start = stop = rng.choice((0, len(value)))
    return (value[:start] + inserted + value[stop:])[:200]


@changes("mutation: hinted texts", 1)
def _hinted(rng: Random, value: str, hint: str) -> str:
    """The text that a test asked for, alone mostly, else before, behind or in what is there."""
    place = rng.randrange(len(value) + 1)
    return rng.choice((hint, hint, hint + value, value + hint, value[:place] + hint + value[place:]))


@finds("mutation: text that holds a value")
def _held(spec: Text, value: str) -> tuple[str, Any] | None:
    """The format in which a text holds something, and what it holds; None where it holds nothing."""
    for form in CARRIERS:
        try:
            if form in spec.formats and form == "json":
                return form, json.loads(value)
            if form in spec.formats and form == "base64":
                data = base64.urlsafe_b64decode(value + "=" * (-len(value) % 4))
                return form, data.decode() if isinstance(spec.content, Text) else data
        except (ValueError, RecursionError):
            continue
    return None


@finds("mutation: hints")
def _hint_for(sampler: Sampler, spec: Spec) -> Any:
    """Something that a test asked for and that the specification allows, None where there is nothing such."""
    hints = [hint for hint in sampler.seen if type(hint) in (str, int) and fits(spec, hint)]
    return sampler.rng.choice(hints) if hints else None


def _item_spec(spec: Spec, index: int) -> Spec:
    if isinstance(spec, Items):
        return spec.item
    if isinstance(spec, Fixed) and index < len(spec.items):
        return spec.items[index]
    return _ANY


def _sequence(sampler: Sampler, spec: Spec, value: Any, depth: int) -> Any:
    rng = sampler.rng
    made = list(value)
    fixed = isinstance(spec, Fixed)
    act = rng.randrange(8 if not fixed else 2)
    place = rng.randrange(len(made)) if made else 0
    hint = _hint_for(sampler, _item_spec(spec, place))
    if hint is not None and not fixed and rng.random() < 0.2:
        made.insert(place, hint)
        return made if isinstance(value, list) else type(value)(made)
    if act < 3 and made:
        made[place] = _change(sampler, _item_spec(spec, place), made[place], depth + 1)
    elif act == 3 and made:
        del made[place]
    elif act == 4 and made:
        made.insert(place, made[rng.randrange(len(made))])
    elif act == 5 and len(made) > 1:
        other = rng.randrange(len(made))
        made[place], made[other] = made[other], made[place]
    elif act == 6:
        made.reverse()
    elif not fixed and len(made) < 40 and buildable(_item_spec(spec, place)):
        made.insert(place, sampler.value(_item_spec(spec, place), depth + 1))
    if isinstance(spec, Items) and spec.ordered and orderable(made) and rng.random() < 0.9:
        made.sort()
    return made if isinstance(value, list) else type(value)(made)


def _dictionary(sampler: Sampler, spec: Spec, value: Any, depth: int) -> Any:
    rng = sampler.rng
    made = copy(value)
    known = spec if isinstance(spec, Dictionary) else _ANY_DICTIONARY
    values = {entry.key: entry.value for entry in known.entries}
    act = rng.randrange(5)
    hint = None if known.key is None else _hint_for(sampler, without_rare(known.key))
    if hint is not None and rng.random() < 0.35 and buildable(known.value or _ANY):
        made[hint] = sampler.value(known.value or _ANY, depth + 1)
    elif act < 3 and made:
        key = rng.choice(list(made))
        made[key] = _change(sampler, values.get(key, known.value or _ANY), made[key], depth + 1)
    elif act == 3 and made:
        del made[rng.choice(list(made))]
    elif known.entries and rng.random() < 0.6:
        entry = rng.choice(known.entries)
        if buildable(entry.value):
            made[entry.key] = sampler.value(entry.value, depth + 1)
    elif known.key is not None and buildable(known.value or _ANY):
        made[sampler.value(known.key, depth + 1)] = sampler.value(known.value or _ANY, depth + 1)
    return made
