"""The pool: constants of the body and values seen at run time, from which kinds draw and the search mutates."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from pipeline.suites.rules import notes

MAX_STRING = 80


HUGE = 10**320
"""More than a float can hold."""


@dataclass
class Pool:
    """Values worth trying, each list in the order of the text and without repetition.

    `alphabet` are characters that matter, `keys` those of dictionaries, `patterns` regular expressions, `asked` keys
    that were looked up at run time and not found. `foreign` says that the
    body cares for letters beyond ASCII, `special` for NaN and infinities, `magnitudes` for powers of ten,
    `unwritable` for values that JSON can't hold, `huge` for integers that no float can hold, `none` that something is
    compared with None. `octets` are numbers that single bytes are compared or combined with, `caught` the names of the
    exceptions that the body catches, `classes` the names of types that the body spells.
    """

    whole: list[int] = field(default_factory=list)
    real: list[float] = field(default_factory=list)
    texts: list[str] = field(default_factory=list)
    alphabet: list[str] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    patterns: list[str] = field(default_factory=list)
    asked: list[str] = field(default_factory=list)
    foreign: bool = False
    special: bool = False
    magnitudes: bool = False
    unwritable: bool = False
    huge: bool = False
    none: bool = False
    octets: list[int] = field(default_factory=list)
    caught: frozenset[str] = frozenset()
    classes: list[str] = field(default_factory=list)

    def catches(self, *names: str) -> bool:
        """Whether the body catches one of the exceptions, or whatever there is."""
        return bool(self.caught & {*names, "Exception", "BaseException"})

    @property
    def large(self) -> bool:
        """Whether a number of the body asks for inputs of such a size."""
        return any(200 <= number <= 12_000 for number in self.whole)

    @notes("search: constants seen at run time")
    def learn(self, value: Any) -> None:
        """Add a value that was seen at run time."""
        if isinstance(value, bool):
            return
        if isinstance(value, int) and abs(value) < 10**12:
            _add(self.whole, value)
        elif isinstance(value, float) and value == value and abs(value) < 1e12:
            _add(self.real, value)
        elif isinstance(value, str) and 0 < len(value) <= MAX_STRING:
            _add(self.texts, value)


def _add(values: list[Any], value: Any) -> None:
    if value not in values and len(values) < 400:
        values.append(value)
