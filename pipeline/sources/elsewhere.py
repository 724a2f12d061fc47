"""The stage that asks whether a function stood elsewhere: in another project's past, or in what the runtime brings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import chain
from pathlib import Path

from harness.runtime import find_runtime
from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.reading import SHINGLE
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function, LockedSource, Reason, Rejection, reject_function
from pipeline.sources import Reading, Unusable, persisting
from pipeline.sources.adapters import past_of
from pipeline.sources.lock import read_lock
from pipeline.sources.novelty import TELLING_WORDS, Known, shape_of, share_of_words, words_in
from pipeline.sources.runtime_index import RuntimeIndex
from pipeline.stage import Context

_Rank = tuple[int, float, int, int]
_IsOwn = Callable[[Function, Known], bool]
_SAME, _RENAMED, _COPY = range(3)


@dataclass(frozen=True)
class ElsewhereStage:
    """Candidate -> Candidate: what stood elsewhere leaves. `lock` names the projects whose pasts are looked through.

    It leaves by the rules that hold for its own project's past, but for those on versions: a namesake elsewhere is no
    version of it. Of a function with few words, only the same code counts.
    """

    config: MineConfig = field(default_factory=MineConfig)
    lock: Path | None = None
    name: str = "elsewhere"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield the records in their order; everything that they are compared with goes by once."""
        functions = [record.function for record in records]
        found: dict[int, str] = {}
        for spoken in map(language, sorted({one.language for one in functions})):
            numbers = [number for number, one in enumerate(functions) if one.language == spoken.name]
            search = Search([functions[number] for number in numbers], spoken, self.config)
            self._look(search, spoken, context)
            found |= {numbers[at]: evidence for at, evidence in search.evidence().items()}
        for number, one in enumerate(records):
            if stood := found.get(number):
                yield reject_function(self.name, one.function, Reason.KNOWN_ELSEWHERE, stood, one.track)
            else:
                yield one

    def _look(self, search: Search, spoken: Language, context: Context) -> None:
        runtime = find_runtime(context.runtime, spoken.name)
        persisting(lambda: _look_in_runtime(search, spoken, RuntimeIndex(runtime, spoken, context.cache)))
        locked = read_lock(self.lock) if self.lock is not None else ()
        sources = [one for one in locked if isinstance(one, LockedSource) and one.source.language == spoken.name]
        for number, one in enumerate(sources, 1):
            reading = Reading(one, self.config, context, spoken.layout.suffixes)
            try:
                persisting(partial(_look_in_past, search, number, reading, spoken))
            except Unusable:  # then none of its own functions came so far, and the funnel says why
                continue


def _look_in_runtime(search: Search, spoken: Language, index: RuntimeIndex) -> None:
    past = index.alike(search.fingerprints, search.shapes, search.marks)
    search.see(past, 0, partial(_of_library, spoken, index.projects))


def _of_library(spoken: Language, projects: dict[str, str], function: Function, known: Known) -> bool:
    """Whether a function is the library's own: the runtime may have the very release that it is new in."""
    own = spoken.layout.own_packages(function.provenance.project, function.provenance.path)
    return bool(projects[known.state]) and not own.isdisjoint((projects[known.state], known.path.split("/")[0]))


def _look_in_past(search: Search, number: int, reading: Reading, spoken: Language) -> None:
    project, past = reading.locked.source.name, past_of(reading, spoken.reading)
    named = (replace(known, state=f"{known.state}, the baseline of {project}") for known in past)
    search.see(named, number, lambda function, _: function.provenance.project == project)


class Search:
    """Functions, and where each of them stood so far; what they are compared with goes by in any order."""

    def __init__(self, functions: Sequence[Function], spoken: Language, config: MineConfig) -> None:
        self._functions = functions
        self._spoken = spoken
        self._config = config
        self._shingles: list[Sequence[int]] = []
        self._by_code: dict[str, list[int]] = defaultdict(list)
        self._by_shape: dict[str, list[int]] = defaultdict(list)
        for number, function in enumerate(functions):
            [definition, *_] = spoken.reading.definitions(function.source)
            self._shingles.append(spoken.reading.shingles(definition.tokens))
            self._by_code[function.fingerprint].append(number)
            if shape := shape_of(definition, self._shingles[number]):
                self._by_shape[shape].append(number)
        self.marks = self._marked()
        """For each function shingles that may give it away, and how many of them what it is a copy of has at least."""
        self._owners: dict[int, list[int]] = defaultdict(list)
        for number, (own, _) in enumerate(self.marks):
            for shingle in own:
                self._owners[shingle].append(number)
        self._best: dict[int, tuple[_Rank, Known]] = {}

    @property
    def fingerprints(self) -> Collection[str]:
        """Those of the functions."""
        return self._by_code.keys()

    @property
    def shapes(self) -> Collection[str]:
        """Those of the functions that are long enough to be known by it."""
        return self._by_shape.keys()

    def _marked(self) -> list[tuple[list[int], int]]:
        """A copy shares so many words that a few shingles can be left out: those that most functions have."""
        owners = Counter(shingle for own in self._shingles for shingle in set(own))
        marked: list[tuple[list[int], int]] = []
        for own in self._shingles:
            words = words_in(own)
            needed = int(words * self._config.copy_similarity / SHINGLE)
            spare = needed // 2
            marks: list[int] = []
            marked.append((marks, max(needed - spare, 1)))
            for shingle, times in sorted(Counter(own).items(), key=lambda one: (-owners[one[0]], one[0])):
                if times <= spare:
                    spare -= times
                elif words >= TELLING_WORDS:
                    marks += [shingle] * times
        return marked

    def see(self, past: Iterable[Known], number: int, is_own: _IsOwn) -> None:
        """Compare with all of a past, but for a function's own; of several, that of the lowest number is named."""
        for known in past:
            for at in self._by_code.get(known.fingerprint, ()):
                self._note(at, (_SAME, 0.0, number, known.order), known, is_own)
            for at in self._by_shape.get(known.shape, ()):
                self._note(at, (_RENAMED, 0.0, number, known.order), known, is_own)
            self._see_copies(known, number, is_own)

    def _see_copies(self, known: Known, number: int, is_own: _IsOwn) -> None:
        theirs = frozenset(self._spoken.reading.shingles(known.tokens))
        shared = Counter(chain.from_iterable(map(self._owners.__getitem__, self._owners.keys() & theirs)))
        for at, count in shared.items():
            if count >= self.marks[at][1]:
                share = round(share_of_words(self._shingles[at], theirs), 4)
                if share >= self._config.copy_similarity:
                    self._note(at, (_COPY, -share, number, known.order), known, is_own)

    def _note(self, at: int, rank: _Rank, known: Known, is_own: _IsOwn) -> None:
        if (at not in self._best or rank < self._best[at][0]) and not is_own(self._functions[at], known):
            self._best[at] = rank, known

    def evidence(self) -> dict[int, str]:
        """For each function that stood somewhere, where that was."""
        return {at: _told(rank, known) for at, (rank, known) in self._best.items()}


def _told(rank: _Rank, known: Known) -> str:
    kind, share, _, _ = rank
    return {
        _SAME: f"the same as {known}",
        _RENAMED: f"the same but for the names of its variables as {known}",
        _COPY: f"{-share:.0%} of it stood in {known}",
    }[kind]
