"""The author as a writer: the docstring as it is, with what analysis knows of the interface below it."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from harness.values import decode
from pipeline.config import InstructConfig
from pipeline.instruct.constants import constants
from pipeline.instruct.drafts import Draft, frame
from pipeline.instruct.examples.cases import arguments, changed_positions, type_name
from pipeline.instruct.source import GAP, raised, returned_type
from pipeline.languages.python.facts import Facts
from pipeline.records import Suite

MAX_ALTERNATIVES, MAX_INSIDE = 4, 2
"""How many types are told apart at the top, and inside of containers."""
MAX_PLACES = 4
"""Tuples of more places are told of as such only."""
MAX_LENGTH = 90
_SAME = {"float64": "float", "int64": "int"}
"""NumPy's numbers that are Python's beside these."""


@dataclass
class Kinds:
    """The types of some values: how often each was met, and what those that hold others hold.

    `items` are of what is in lists and sets, `keys` and `values` of what is in dictionaries, `places` of what is at
    each place of tuples, None for tuples of several lengths.
    """

    met: Counter[str] = field(default_factory=Counter)
    items: dict[str, Kinds] = field(default_factory=dict)
    keys: Kinds | None = None
    values: Kinds | None = None
    places: list[Kinds] | None = None

    def add(self, value: Any, depth: int) -> None:
        """Note the type of a value, and those of what it holds down to a depth."""
        name = type_name(value)
        self.met[name] += 1
        if not depth:
            return
        if isinstance(value, dict):
            self.keys, self.values = self.keys or Kinds(), self.values or Kinds()
            for key, one in value.items():
                self.keys.add(key, depth - 1)
                self.values.add(one, depth - 1)
        elif isinstance(value, tuple) and len(value) <= MAX_PLACES:
            if self.met[name] == 1:
                self.places = [Kinds() for _ in value]
            if self.places is not None and len(self.places) == len(value):
                for known, one in zip(self.places, value, strict=True):
                    known.add(one, depth - 1)
            else:
                self.places = None
        elif isinstance(value, (list, set, frozenset)):
            held = self.items.setdefault(name, Kinds())
            for one in value:
                held.add(one, depth - 1)

    def words(self, most: int) -> str:
        """The types, the most frequent first, "" where there are none or more than `most`."""
        spoken = dict.fromkeys(self._one(name) for name in sorted(self.met, key=self._rank))
        return " or ".join(spoken) if len(spoken) <= most else ""

    def _rank(self, name: str) -> tuple[bool, int, str]:
        return name == "None", -self.met[name], name

    def _one(self, name: str) -> str:
        if _SAME.get(name, "") in self.met:
            return _SAME[name]
        if name == "tuple" and self.places:
            places = [place.words(MAX_INSIDE) for place in self.places]
            return f"tuple ({', '.join(places)})" if all(places) else name
        if name == "dict" and self.keys is not None and self.values is not None:
            keys, values = self.keys.words(1), self.values.words(MAX_INSIDE)
            return f"dict from {keys} to {_grouped(values)}" if keys and values else name
        inner = self.items[name].words(MAX_INSIDE) if name in self.items else ""
        return f"{name} of {_grouped(inner)}" if inner else name


def _grouped(words: str) -> str:
    """Alternatives in brackets, so that nobody reads the second as one of the whole."""
    return f"({words})" if " or " in words and not words.endswith(")") else words


def types_in_words(values: Iterable[Any]) -> str:
    """The types of values, the most frequent first, "" where they are too many to say anything."""
    values = list(values)
    for depth in (2, 1, 0):
        kinds = Kinds()
        for value in values:
            kinds.add(value, depth)
        words = kinds.words(MAX_ALTERNATIVES)
        if len(words) <= MAX_LENGTH:
            return words
    return ""


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


@dataclass(frozen=True)
class AuthorWriter:
    """Keeps the author's text and adds facts that all cases bear out; nothing of how the body works is told."""

    config: InstructConfig
    name: str = "author-1"

    def write(self, suite: Suite, facts: Facts) -> Draft:
        """The stub of the suite's function with the docstring and the facts."""
        prose = facts.description.text if facts.description else ""
        types, notes = tuple(type_notes(suite, facts)), tuple(interface_notes(suite, facts))
        return replace(frame(suite, facts, self.config), prose=prose, types=types, notes=notes)
