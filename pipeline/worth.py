"""What a function is worth as a task: how much there is to solve in it, from its program alone.

Worth is a number from 0 to below 1. Each of four parts is an amount x that gives x / (x + h), so that more is always
worth more, but the tenth branch less than the second; h is the amount that gives a half:

| part | amount | h |
|---|---|---|
| complexity | McCabe complexity above 1 | 4 |
| length | statements, those inside others included, whatever the layout | 10 |
| loops | loops and comprehensions, one more for each level in which they lie in each other, and for recursion | 2 |
| variety | distinct kinds of statements and operators, and names of what is called | 12 |

The mean of the parts, by the weights of the configuration, is the worth. The entry function counts whole; what the
other functions of its program hold counts by `helpers`, and of their kinds those that the entry function lacks.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Protocol, TypeVar

from harness.records import digest
from pipeline.config import WorthConfig
from pipeline.languages.registry import language

HALVES = {"complexity": 4.0, "length": 10.0, "loops": 2.0, "variety": 12.0}
"""The amount of each part that gives half of what it can give."""


class Identified(Protocol):
    """A record of the flow."""

    @property
    def id(self) -> str:
        """Its function's id."""
        ...


T = TypeVar("T", bound=Identified)


@dataclass(frozen=True)
class Amounts:
    """What one function holds of each part; `kinds` are those that `variety` counts."""

    complexity: int
    length: int
    loops: int
    kinds: frozenset[str]


@dataclass(frozen=True)
class Program:
    """What a program holds: its entry function, and the other functions at its top level."""

    entry: Amounts
    helpers: tuple[Amounts, ...] = ()

    @property
    def kinds(self) -> frozenset[str]:
        """The kinds of all of its functions."""
        return self.entry.kinds.union(*(one.kinds for one in self.helpers))

    def worth(self, config: WorthConfig) -> float:
        """What it is worth; 0 where all weights are 0."""
        share = config.helpers
        amounts = {
            "complexity": self.entry.complexity + share * sum(one.complexity for one in self.helpers),
            "length": self.entry.length + share * sum(one.length for one in self.helpers),
            "loops": self.entry.loops + share * sum(one.loops for one in self.helpers),
            "variety": len(self.entry.kinds) + share * len(self.kinds - self.entry.kinds),
        }
        weights = {part: getattr(config, part) for part in amounts}
        told = sum(weights[part] * x / (x + HALVES[part]) for part, x in amounts.items())
        return float(told / (sum(weights.values()) or 1.0))


def measure(program: str, entry: str, language_name: str) -> Program:
    """What a program holds whose entry function has that name; raises `Unreadable`."""
    spoken = language(language_name)
    names = {one.name for one in spoken.reading.definitions(program) if one.kind == "function"}
    others = tuple(_amounts(program, name, language_name) for name in sorted(names - {entry}))
    return Program(_amounts(program, entry, language_name), others)


def _amounts(program: str, name: str, language_name: str) -> Amounts:
    spoken = language(language_name)
    graph, facts = spoken.flow.read(program, name).graph, spoken.facts.read(program, name)
    loops = facts.loops + max(0, facts.loop_depth - 1) + facts.recursive
    return Amounts(graph.complexity - 1, facts.statements, loops, frozenset(facts.kinds))


def by_worth(records: Sequence[T], programs: Mapping[str, Program], config: WorthConfig) -> Iterator[T]:
    """Records by the ids of their programs, those worth most first; equal ones in the order that they came in.

    Each time the next is the one whose worth, times 1 + `spread` x the share of its kinds that none before it has, is
    highest. Worth counts in hundredths, so that a trifle does not decide.
    """
    rest = [(record, programs[record.id].kinds, programs[record.id].worth(config)) for record in records]
    seen: set[str] = set()
    while rest:
        gains = [round(worth * (1 + config.spread * _fresh(kinds, seen)), 2) for _, kinds, worth in rest]
        record, kinds, _ = rest.pop(gains.index(max(gains)))
        seen |= kinds
        yield record


def _fresh(kinds: frozenset[str], seen: set[str]) -> float:
    return len(kinds - seen) / len(kinds) if kinds else 0.0


def share_limit(counts: Iterable[int], size: int, share: float) -> int:
    """The most that one group may give, so that none exceeds its share of what is taken, `size` records at most.

    Every group may give one.
    """
    sizes = list(counts)
    limit = max(1, min(int(size * share), max(sizes, default=1)))
    while limit > 1 and limit > share * min(size, sum(min(one, limit) for one in sizes)):
        limit -= 1
    return limit


@cache
def version() -> str:
    """A text that changes with this module, for stages whose choice depends on it."""
    return digest(Path(__file__).read_text("utf-8"))
