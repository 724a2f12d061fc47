"""Facts about the interface that frozen cases bear out: types, keys of mappings, error messages, arguments changed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from harness.values import decode
from pipeline.instruct.constants import constants
from pipeline.instruct.examples.cases import arguments, changed_positions
from pipeline.instruct.source import GAP, raised, returned_type
from pipeline.instruct.writers.value_types import types_in_words
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

MAX_MESSAGE = 120
MAX_DEPTH = 4
"""How deep keys are looked for in the arguments."""
MIN_SHARE = 0.05
"""The share of cases that must have a key at a place: values of other types come there, too, now and then."""
_OPEN = ("", "Any", "object", "dict", "list", "tuple", "set", "Sequence", "Iterable", "Mapping")


def type_notes(suite: Suite, facts: Facts) -> Iterator[str]:
    """The types of the parameters and of the answer that have no annotation, or one that says little."""
    named = [parameter for parameter in facts.parameters if parameter.kind not in ("all positional", "all keyword")]
    described = facts.description.parameters if facts.description else {}
    for position, parameter in enumerate(named):
        if _is_open(parameter.annotation) and _is_open(described.get(parameter.name, ("", ""))[0]):
            spoken = types_in_words(arguments(suite, position, parameter.name))
            if spoken:
                yield f"`{parameter.name}`: {spoken}."
    if _is_open(returned_type(facts)):
        spoken = types_in_words(decode(c.expected.value) for c in suite.cases if c.expected.kind == "returned")
        if spoken:
            yield f"Returns: {spoken}."


def interface_notes(suite: Suite, facts: Facts) -> Iterator[str]:
    """What else callers must know: keys that the arguments have, messages of exceptions, arguments that change."""
    yield from _keys(suite, facts)
    yield from _exceptions(suite, facts)
    names = [parameter.name for parameter in facts.parameters]
    yield from (f"`{names[place]}` is changed in place." for place in changed_positions(suite) if place < len(names))


def _is_open(annotation: str) -> bool:
    return annotation in _OPEN or "Any" in annotation


def _keys(suite: Suite, facts: Facts) -> Iterator[str]:
    """Of the keys that the body names those that the arguments have, by their place, where the author tells not all."""
    named = {c.value: None for c in constants(facts) if c.role in ("key", "compared") and isinstance(c.value, str)}
    places: dict[str, dict[str, int]] = {}
    for position, parameter in enumerate(facts.parameters if named else ()):
        for value in arguments(suite, position, parameter.name):
            for place, key in dict.fromkeys(_mappings(value, f"`{parameter.name}`", named, MAX_DEPTH)):
                counts = places.setdefault(place, {})
                counts[key] = counts.get(key, 0) + 1
    for place, counts in places.items():
        keys = [key for key in named if counts.get(key, 0) >= max(1, MIN_SHARE * len(suite.cases))]
        if any(facts.description is None or not facts.description.mentions(key) for key in keys):
            yield f"Keys of {place}: {', '.join(map(repr, keys))}."


def _mappings(value: Any, place: str, named: Mapping[str, None], depth: int) -> Iterator[tuple[str, str]]:
    """The named keys of mappings in a value, each with the mapping's place in words."""
    if not depth:
        return
    if isinstance(value, dict):
        for key, inner in value.items():
            if isinstance(key, str) and key in named:
                yield place, key
                yield from _mappings(inner, f"what {place} has under {key!r}", named, depth - 1)
            else:
                yield from _mappings(inner, f"each value of {place}", named, depth - 1)
    elif isinstance(value, (list, tuple)):
        for inner in value:
            yield from _mappings(inner, f"each element of {place}", named, depth - 1)


def _exceptions(suite: Suite, facts: Facts) -> Iterator[str]:
    """The messages of the exceptions that the body raises, those that some case shows."""
    seen: dict[str, set[str]] = {}
    for case in suite.cases:
        if case.expected.kind == "raised":
            kind = case.expected.exception.rsplit(".", 1)[-1]
            seen.setdefault(kind, set()).add(" ".join(case.expected.message.split()))
    for kind, message in dict.fromkeys(raised(facts)):
        pattern = f"'?{'.*'.join(map(re.escape, message.split(GAP)))}'?"  # a KeyError quotes its message
        if message and any(re.fullmatch(pattern, shown) for shown in seen.get(kind.rsplit(".", 1)[-1], ())):
            yield f"Raises {kind}: {message if len(message) <= MAX_MESSAGE else message[:MAX_MESSAGE] + GAP}"
