"""The stage that reads how a project calls its functions: its tests first, because they show typical values."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.reading import Layout
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function, Rejection, reject_function
from pipeline.sources import Unusable, persisting
from pipeline.sources.personal import personal_in
from pipeline.sources.project_files import Projects, read_texts
from pipeline.stage import Context

MOST = 50

_Texts = Mapping[str, str]
"""The files of a project by their paths."""


@dataclass(frozen=True)
class CallsStage:
    """Candidate -> Candidate: each with the calls that its project makes of it with literals, tests included.

    It stands behind the sample, since most functions that are mined never come so far. `lock` names the projects.
    """

    lock: Path
    config: MineConfig = field(default_factory=MineConfig)
    name: str = "calls"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 32
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield the records in their order; each project is read once."""
        projects: dict[tuple[str, str], list[Candidate]] = defaultdict(list)
        for record in records:
            projects[record.function.provenance.project, record.function.language].append(record)
        done: dict[str, Candidate | Rejection] = {}
        for (project, spoken), own in projects.items():
            try:
                texts = self._texts(project, language(spoken), context)
            except Unusable as error:
                done |= {one.id: self._rejected(one, error) for one in own}
            else:
                done |= {one.id: one for one in with_calls(own, texts, language(spoken))}
        for record in records:
            yield done[record.id]

    def _texts(self, project: str, spoken: Language, context: Context) -> _Texts:
        locked = Projects(self.lock, self.config, context).locked(project)
        return persisting(partial(read_texts, locked, self.config, context, spoken))

    def _rejected(self, candidate: Candidate, error: Unusable) -> Rejection:
        return reject_function(self.name, candidate.function, error.reason, error.evidence, candidate.track)


def with_calls(candidates: Iterable[Candidate], texts: _Texts, spoken: Language) -> list[Candidate]:
    """The candidates, each with at most `MOST` different calls; files that name none of them are not parsed.

    Arguments that hold an address, a key or a password are left out.
    """
    by_name: dict[str, list[Candidate]] = defaultdict(list)
    for candidate in candidates:
        by_name[candidate.original or candidate.function.name].append(candidate)
    naming = _naming(by_name, texts)
    defined = Counter(name for path in naming for name in _defined(texts[path], spoken))
    found: dict[str, dict[str, None]] = defaultdict(dict)
    for path in sorted(naming, key=lambda path: (not spoken.layout.is_test(path), path)):
        for site in spoken.reading.calls(texts[path], naming[path]):
            if personal_in(site.arguments):
                continue
            for one in by_name[site.name]:
                if _is_meant(one.function, site.module, path, defined[site.name] == 1, spoken.layout):
                    found[one.id][site.arguments] = None
    return [
        replace(one, function=replace(one.function, calls=tuple(found[one.id])[:MOST]))
        for own in by_name.values() for one in own
    ]


def _naming(names: Iterable[str], texts: _Texts) -> dict[str, set[str]]:
    """The files that hold some of the names as words, each with those."""
    any_of = re.compile(rf"(?<!\w)(?:{'|'.join(map(re.escape, sorted(names)))})(?!\w)")
    return {path: held for path, text in texts.items() if (held := set(any_of.findall(text)))}


def _defined(text: str, spoken: Language) -> set[str]:
    """The names of the functions that a file defines at its own level."""
    try:
        return {one.name for one in spoken.reading.definitions(text) if one.kind == "function"}
    except RecursionError:
        return set()


def _is_meant(function: Function, module: str, path: str, unique: bool, layout: Layout) -> bool:
    """Whether a caller's name leads to this function: by its module, by the same file, or because there is no other."""
    where = function.provenance.path
    if module:
        return module == layout.module(where) or unique
    return path == where or unique
