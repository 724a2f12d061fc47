"""Profiles: the thresholds that make relative complexity and readability of the measures (GeneBench, Eq. 1 and 2)."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import UserError, guess
from pipeline.measures.complexity import Complexity
from pipeline.measures.readability import Readability
from pipeline.shipped import shipped

FILE = "data/complexity.toml"
C_NAMES = tuple(f"c{number}" for number in range(1, 8))
R_NAMES = tuple(f"r{number}" for number in range(1, 14))


@dataclass(frozen=True)
class Profile:
    """Thresholds of the measures, CT and RT of the paper: what a program of the real world has."""

    name: str
    complexity: tuple[float, ...]
    readability: tuple[float, ...]

    def rc(self, of: Complexity) -> float:
        """Relative complexity, 0 to 1: the mean of how far each measure reaches its threshold."""
        return _mean([min(1.0, value / most) for value, most in zip(of.values, self.complexity, strict=True)])

    def rc_uncapped(self, of: Complexity) -> float:
        """The same where a measure above its threshold counts for more, as in the paper's Table 4."""
        return _mean([value / most for value, most in zip(of.values, self.complexity, strict=True)])

    def rr(self, of: Readability) -> float:
        """Relative readability, 0 to 1: the mean of what is left of each measure below its threshold."""
        return _mean([max(0.0, 1 - value / most) for value, most in zip(of.values, self.readability, strict=True)])

    def passed(self, of: Readability, original: Readability) -> list[str]:
        """The measures that pass their threshold, and the original's value too."""
        values = zip(R_NAMES, of.values, original.values, self.readability, strict=True)
        return [name for name, value, first, most in values if value > most and value > first]


def profile(name: str) -> Profile:
    """The profile of that name; raises `UserError`."""
    return _read(tomllib.loads(shipped(FILE).read_text("utf-8")), name)


def _read(told: Mapping[str, Any], name: str) -> Profile:
    if name not in told:
        raise UserError(f"There is no profile {name!r}{guess(name, told)}: name one of {', '.join(told)}.")
    return checked(name, told[name].get("complexity", {}), told[name].get("readability", {}))


def checked(name: str, complexity: Mapping[str, Any], readability: Mapping[str, Any]) -> Profile:
    """A profile of these thresholds; raises `UserError` where one is missing, or no number above zero."""
    for names, given in ((C_NAMES, complexity), (R_NAMES, readability)):
        for one in names:
            value = given.get(one)
            if isinstance(value, bool) or not isinstance(value, (int, float)) or not value > 0:
                raise UserError(f"The profile {name} gives {value!r} for {one}: set it to a number above 0 in {FILE}.")
    return Profile(name, tuple(complexity[one] for one in C_NAMES), tuple(readability[one] for one in R_NAMES))


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)
