"""Types of many values in a few words: `list of tuple (str, int or None)` for what differs only in places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any

from pipeline.instruct.examples.cases import type_name

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
