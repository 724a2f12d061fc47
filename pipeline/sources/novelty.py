"""What existed before the cutoff, as an index that tells old functions, versions of old ones, and new ones apart."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np
import numpy.typing as npt

from pipeline.languages import Definition


@dataclass(frozen=True)
class Known:
    """A function that existed before the cutoff: its name, the state and the file that held it, and its text."""

    name: str
    qualified: str
    state: str
    path: str
    source: str

    def __str__(self) -> str:
        return f"{self.qualified} in {self.path} ({self.state})"


@dataclass(frozen=True)
class Likeness:
    """How much of a function existed before: the share of its shingles that one older function has, 0 to 1.

    `version` is that of the older functions with the same name, `similarity` that of all of them, `nearest` the one
    that has it. `text` is the share of its text, documentation included, that stands line by line in an older
    function with the same name: a function that was written anew to the same description is no new task.
    """

    version: float
    version_of: Known | None
    text: float
    text_of: Known | None
    similarity: float
    nearest: Known | None


@dataclass
class Baseline:
    """All functions from before the cutoff, each kept once per fingerprint and name.

    `shingles` is the language's. It is called only when a function has to be compared with all others, because it is
    the expensive part.
    """

    shingles: Callable[[str], frozenset[int]]
    _same: dict[str, Known] = field(default_factory=dict)
    _all: dict[tuple[str, str], Known] = field(default_factory=dict)
    _index: _Index | None = None

    def __len__(self) -> int:
        return len(self._all)

    def add(self, definition: Definition, state: str, path: str) -> None:
        """Take a function into the index; the first place that it is seen in is the one that is named."""
        key = definition.fingerprint, definition.name
        if key not in self._all:
            known = Known(definition.name, definition.qualified, state, path, definition.source)
            self._all[key] = known
            self._same.setdefault(definition.fingerprint, known)
            self._index = None

    def same(self, fingerprint: str) -> Known | None:
        """A function that is the same but for its name, comments, annotations and formatting, if there was one."""
        return self._same.get(fingerprint)

    def likeness(self, definition: Definition) -> Likeness:
        """How much of a function existed before."""
        if self._index is None:
            known = list(self._all.values())
            self._index = _Index(known, [self.shingles(k.source) for k in known])
        return self._index.likeness(definition, self.shingles(definition.source))


class _Index:
    """From a shingle to the functions that have it: two sorted arrays, a tenth of what a dictionary of lists takes."""

    def __init__(self, known: list[Known], shingles: list[frozenset[int]]) -> None:
        self._known = known
        self._names = np.array([k.name for k in known], dtype=object)
        self._sizes = np.array([len(s) for s in shingles], dtype=np.int64)
        owners = np.repeat(np.arange(len(known), dtype=np.int64), self._sizes)
        values = _array([s for one in shingles for s in one])
        order = np.argsort(values, kind="stable")
        self._values, self._owners = values[order], owners[order]

    def likeness(self, definition: Definition, shingles: frozenset[int]) -> Likeness:
        if not shingles or not self._known:
            return Likeness(0.0, None, 0.0, None, 0.0, None)
        shared = self._shared(_array(sorted(shingles)))
        own = np.flatnonzero(self._names == definition.name)
        version, version_of = self._best(own, shared, len(shingles))
        text, text_of = _most_text(definition.source, [self._known[i] for i in own])
        similarity, nearest = self._best(np.flatnonzero(shared), shared, len(shingles))
        return Likeness(version, version_of, text, text_of, similarity, nearest)

    def _shared(self, wanted: npt.NDArray[np.uint64]) -> npt.NDArray[np.int64]:
        """For each known function, the number of the wanted shingles that it has."""
        starts = np.searchsorted(self._values, wanted, "left")
        ends = np.searchsorted(self._values, wanted, "right")
        hits = [self._owners[a:b] for a, b in zip(starts, ends, strict=True) if b > a]
        joined = np.concatenate(hits) if hits else np.empty(0, dtype=np.int64)
        return np.bincount(joined, minlength=len(self._known))

    def _best(
        self, among: npt.NDArray[np.intp], shared: npt.NDArray[np.int64], size: int
    ) -> tuple[float, Known | None]:
        if not len(among):
            return 0.0, None
        # Of those that share as much, the smallest is the most alike; then the first one.
        best = among[np.lexsort((among, self._sizes[among], -shared[among]))[0]]
        return round(float(shared[best]) / size, 4), self._known[best]


def _most_text(source: str, others: list[Known]) -> tuple[float, Known | None]:
    shares = [_text_share(source, other.source) for other in others]
    best = max(range(len(shares)), key=lambda i: (shares[i], -i), default=-1)
    return (shares[best], others[best]) if shares else (0.0, None)


def _text_share(source: str, other: str) -> float:
    """The share of a text's characters, space at the ends of lines apart, in lines that the other has too."""
    lines = [line.strip() for line in source.splitlines()]
    old = {line.strip() for line in other.splitlines()}
    total = sum(map(len, lines))
    return round(sum(len(line) for line in lines if line in old) / total, 4) if total else 0.0


def _array(values: list[int]) -> npt.NDArray[np.uint64]:
    return np.array([v & 0xFFFFFFFFFFFFFFFF for v in values], dtype=np.uint64)
