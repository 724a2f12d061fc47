"""What existed before the cutoff, and how it tells old functions, versions of old ones, and new ones apart."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache

from pipeline.languages.reading import SHINGLE, Definition

LEAST = 0.3
"""Shares below it are nobody's copy."""
TELLING_WORDS = 20
"""Functions with fewer words are alike by chance, but for the names of their variables, or in parts."""

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
    shape: str = ""

    @property
    def name(self) -> str:
        """The name alone."""
        return self.qualified.rpartition(".")[2]

    def __str__(self) -> str:
        return f"{self.qualified} in {self.path} ({self.state})"


@dataclass(frozen=True)
class Likeness:
    """How much of a function existed before, 0 to 1, and in which older function.

    `similarity` is the share of its shingles that the `nearest` one has. `version` and `copy` are the shares of its
    words that stand in shingles which an older one has, of its name and of any: a changed word breaks five shingles,
    and leaves the words around it. `text` is the share of its text, documentation included, that stands line by line
    in an older function with the same name: a function that was written anew to the same description is no new task.
    Of shares below `LEAST` nothing is told, but of the similarity.
    """

    version: float = 0.0
    version_of: Known | None = None
    copy: float = 0.0
    copy_of: Known | None = None
    text: float = 0.0
    text_of: Known | None = None
    similarity: float = 0.0
    nearest: Known | None = None


def likenesses(
    new: Sequence[Definition], past: Iterable[Known], shingles: Callable[[bytes], Sequence[int]]
) -> list[Likeness]:
    """How much of each function existed before; `shingles` is the language's.

    The past goes by once, so what is held does not grow with it.
    """
    found = [_Nearest(one, shingles(one.tokens)) for one in new]
    owners: dict[int, list[int]] = defaultdict(list)
    by_name: dict[str, list[_Nearest]] = defaultdict(list)
    for number, nearest in enumerate(found):
        by_name[nearest.definition.name].append(nearest)
        for shingle in set(nearest.shingles):
            owners[shingle].append(number)

    @lru_cache(_LATELY)
    def shared_with(tokens: bytes) -> tuple[frozenset[int], Mapping[int, int]]:
        theirs = frozenset(shingles(tokens))
        return theirs, Counter(number for shingle in owners.keys() & theirs for number in owners[shingle])

    for known in past if found else ():
        theirs, shared = shared_with(known.tokens)
        for number, count in shared.items():
            found[number].see(known, theirs, count)
        for nearest in by_name.get(known.name, ()):
            nearest.see_text(known)
    return [nearest.likeness() for nearest in found]


def words_in(shingles: Sequence[int]) -> int:
    """How many words a function with these shingles has; of one with fewer than a shingle's, these."""
    return len(shingles) + SHINGLE - 1 if shingles else 0


def shape_of(function: Definition, shingles: Sequence[int]) -> str:
    """A function's shape, where it is long enough to be known by it; else ""."""
    return function.shape if words_in(shingles) >= TELLING_WORDS else ""


def share_of_words(shingles: Sequence[int], theirs: Collection[int]) -> float:
    """The share of a function's words that stand in one of another's shingles."""
    covered = end = 0
    for start, shingle in enumerate(shingles):
        if shingle in theirs:
            covered += start + SHINGLE - max(start, end)
            end = start + SHINGLE
    return covered / words_in(shingles) if shingles else 0.0


_Best = tuple[tuple[float, int, int], Known | None]
_NONE: _Best = (0.0, 0, 0), None


@dataclass
class _Nearest:
    """A new function, and the older ones that are the most like it so far: the smallest of those that share as much."""

    definition: Definition
    shingles: Sequence[int]
    similar: _Best = _NONE
    version: _Best = _NONE
    copy: _Best = _NONE
    text: _Best = _NONE

    def __post_init__(self) -> None:
        self._count = len(set(self.shingles)) or 1
        self._lines = [line.strip() for line in self.definition.source.splitlines()]

    def see(self, known: Known, theirs: frozenset[int], shared: int) -> None:
        """Take notice of an older function that has so many of the shingles."""
        self.similar = _better(self.similar, shared / self._count, known, len(theirs))
        if not self._may_be(shared, known):
            return
        words = share_of_words(self.shingles, theirs)
        if words >= LEAST:
            self.copy = _better(self.copy, words, known, len(theirs))
            if known.name == self.definition.name:
                self.version = _better(self.version, words, known, len(theirs))

    def _may_be(self, shared: int, known: Known) -> bool:
        """Whether so many shingles could make a better version or copy; some may stand in several places."""
        best = self.version if known.name == self.definition.name else self.copy
        most = SHINGLE * shared / (len(self.shingles) + SHINGLE - 1)
        return len(self.shingles) > self._count or most >= max(best[0][0], LEAST)

    def see_text(self, known: Known) -> None:
        """Take notice of an older function of the same name."""
        old = {line.strip() for line in known.source.splitlines()}
        total = sum(map(len, self._lines))
        share = sum(len(line) for line in self._lines if line in old) / total if total else 0.0
        self.text = _better(self.text, share, known, 0)

    def likeness(self) -> Likeness:
        """What was found."""
        (version, version_of), (copy, copy_of), (text, text_of), (similarity, nearest) = (
            (round(share, 4), known) for (share, _, _), known in (self.version, self.copy, self.text, self.similar)
        )
        return Likeness(version, version_of, copy, copy_of, text, text_of, similarity, nearest)


def _better(best: _Best, share: float, known: Known, size: int) -> _Best:
    rank = share, -size, -known.order
    return (rank, known) if best[1] is None or rank > best[0] else best
