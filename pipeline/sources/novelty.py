"""What existed before the cutoff, and how it tells old functions, versions of old ones, and new ones apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Protocol

from pipeline.languages import Definition
from pipeline.sources import Origin

_LATELY = 4096


@dataclass(frozen=True)
class Known:
    """A function that existed before the cutoff: what it is called, the state and the file that held it, its text.

    `order` says which of several is named: the one that was met first.
    """

    qualified: str
    state: str
    path: str
    source: str
    fingerprint: str
    tokens: bytes
    order: int

    @property
    def name(self) -> str:
        """The name alone."""
        return self.qualified.rpartition(".")[2]

    def __str__(self) -> str:
        return f"{self.qualified} in {self.path} ({self.state})"


class Past(Protocol):
    """All functions of a project from before the cutoff, each text once; iterating may read them from disk."""

    def __iter__(self) -> Iterator[Known]:
        """Every function under every text that it had, in any order."""
        ...

    def same(self, fingerprints: Collection[str]) -> Mapping[str, Known]:
        """For those of the fingerprints that were there, the first function that had it."""
        ...

    def origins(self, fingerprints: Collection[str]) -> Mapping[str, Origin]:
        """Where each of these fingerprints, none of which is of the past, came from since."""
        ...


@dataclass(frozen=True)
class Likeness:
    """How much of a function existed before: the share of its shingles that one older function has, 0 to 1.

    `version` is that of the older functions with the same name, `similarity` that of all of them, `nearest` the one
    that has it. `text` is the share of its text, documentation included, that stands line by line in an older
    function with the same name: a function that was written anew to the same description is no new task.
    """

    version: float = 0.0
    version_of: Known | None = None
    text: float = 0.0
    text_of: Known | None = None
    similarity: float = 0.0
    nearest: Known | None = None


def likenesses(
    new: Sequence[Definition], past: Iterable[Known], shingles: Callable[[bytes], frozenset[int]]
) -> list[Likeness]:
    """How much of each function existed before; `shingles` is the language's.

    The past goes by once, so what is held does not grow with it.
    """
    found = [_Nearest(one, shingles(one.tokens)) for one in new]
    owners: dict[int, list[int]] = defaultdict(list)
    by_name: dict[str, list[_Nearest]] = defaultdict(list)
    for number, nearest in enumerate(found):
        by_name[nearest.definition.name].append(nearest)
        for shingle in nearest.shingles:
            owners[shingle].append(number)

    @lru_cache(_LATELY)
    def shared_with(tokens: bytes) -> tuple[int, Mapping[int, int]]:
        theirs = shingles(tokens)
        return len(theirs), Counter(number for shingle in owners.keys() & theirs for number in owners[shingle])

    for known in past if found else ():
        size, shared = shared_with(known.tokens)
        for number, count in shared.items():
            found[number].see(known, count, size)
        for nearest in by_name.get(known.name, ()):
            nearest.see_text(known)
    return [nearest.likeness() for nearest in found]


@dataclass
class _Nearest:
    """A new function, and the older ones that are the most like it so far: the smallest of those that share as much."""

    definition: Definition
    shingles: frozenset[int]
    best: tuple[int, int, int] = (0, 0, 0)
    best_of: Known | None = None
    version: tuple[int, int, int] = (0, 0, 0)
    version_of: Known | None = None
    text: tuple[float, int] = (0.0, 0)
    text_of: Known | None = None
    lines: list[str] = field(init=False)

    def __post_init__(self) -> None:
        self.lines = [line.strip() for line in self.definition.source.splitlines()]

    def see(self, known: Known, shared: int, size: int) -> None:
        if shared >= self.best[0]:
            rank = shared, -size, -known.order
            if self.best_of is None or rank > self.best:
                self.best, self.best_of = rank, known
        if known.name == self.definition.name:
            rank = shared, -size, -known.order
            if self.version_of is None or rank > self.version:
                self.version, self.version_of = rank, known

    def see_text(self, known: Known) -> None:
        rank = self._text_share(known.source), -known.order
        if self.text_of is None or rank > self.text:
            self.text, self.text_of = rank, known

    def _text_share(self, other: str) -> float:
        """The share of the text's characters, space at the ends of lines apart, in lines that the other has too."""
        old = {line.strip() for line in other.splitlines()}
        total = sum(map(len, self.lines))
        return round(sum(len(line) for line in self.lines if line in old) / total, 4) if total else 0.0

    def likeness(self) -> Likeness:
        count = len(self.shingles) or 1
        return Likeness(
            round(self.version[0] / count, 4), self.version_of, self.text[0], self.text_of,
            round(self.best[0] / count, 4), self.best_of,
        )  # fmt: skip
