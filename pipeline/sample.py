"""Sampling: in turns over domains and projects, so that no project fills the benchmark (paper, stage 4), by worth."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import islice
from random import Random
from typing import TypeVar

from pipeline.config import SampleConfig
from pipeline.records import Candidate, Reason, Rejection, reject_function
from pipeline.stage import DECIDES, Context
from pipeline.worth import Program, by_worth, measure, share_limit, version

T = TypeVar("T")


@dataclass(frozen=True)
class SampleStage:
    """Keeps `size` candidates: those that maintainers have written for, then those worth most of each project, no
    project above its share, domains in turn.
    """

    config: SampleConfig = field(default_factory=SampleConfig)
    measured_by: str = field(default_factory=version, metadata=DECIDES)
    name: str = "sample"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield the candidates in their own order, each kept or rejected."""
        limit = project_limit(Counter(_project(record) for record in records).values(), self.config)
        seed, first = context.seed_for("sample"), int(self.config.size * self.config.helpers_share)
        written = [record for record in records if record.curated is not None]
        layered = in_turns([record for record in records if record.layers], limit, self.config, seed)[:first]
        taken: Counter[str] = Counter()
        kept: set[str] = set()
        for record in (*written, *layered, *in_turns(records, limit, self.config, seed)):
            free = record.curated is not None or taken[_project(record)] < limit
            if len(kept) < self.config.size and free and record.id not in kept:
                kept.add(record.id)
                taken[_project(record)] += 1
        for record in records:
            yield record if record.id in kept else self._reject(record, taken, limit)

    def _reject(self, record: Candidate, taken: Counter[str], limit: int) -> Rejection:
        full = taken[_project(record)] >= limit
        why = f"{_project(record)} has its {limit} candidates." if full else f"{taken.total()} were taken before it."
        return reject_function(self.name, record.function, Reason.NOT_SAMPLED, why, record.track)


def project_limit(counts: Iterable[int], config: SampleConfig) -> int:
    """The most candidates that one project may give, so that none exceeds its share of the sample as it comes out."""
    return share_limit(counts, config.size, config.max_share)


def in_turns(records: Sequence[Candidate], limit: int, config: SampleConfig, seed: int) -> list[Candidate]:
    """One candidate of each domain in turn; within a domain one of each project, so many of a project at most.

    Of a project the next is the one that is worth most beside those before it. Where they are worth the same, one of
    each file comes in turn, and chance decides the rest; of projects the one with the better candidate comes first.
    """
    programs = {record.id: _measured(record) for record in records}
    shuffled = sorted(records, key=lambda record: record.id)
    Random(seed).shuffle(shuffled)
    domains: dict[str, list[list[Candidate]]] = defaultdict(list)
    for own in _grouped(shuffled, _project):
        even = _turns(_grouped(own, lambda record: record.function.provenance.path))
        best = list(islice(by_worth(even, programs, config.worth), limit))
        domains[best[0].function.provenance.domain].append(best)
    return _turns(_turns(_best_first(projects, programs, config)) for projects in domains.values())


def _measured(record: Candidate) -> Program:
    return measure(record.program, record.function.name, record.function.language)


def _best_first(
    projects: Sequence[list[Candidate]], programs: Mapping[str, Program], config: SampleConfig
) -> list[list[Candidate]]:
    return sorted(projects, key=lambda own: -programs[own[0].id].worth(config.worth))


def _grouped(records: Iterable[Candidate], key: Callable[[Candidate], str]) -> list[list[Candidate]]:
    """The records with the same key together, in the order that the keys are met."""
    groups: dict[str, list[Candidate]] = defaultdict(list)
    for record in records:
        groups[key(record)].append(record)
    return list(groups.values())


def _turns(queues: Iterable[Sequence[T]]) -> list[T]:
    """The first of each queue, then the second of each, and so on."""
    rows = list(queues)
    return [row[i] for i in range(max(map(len, rows), default=0)) for row in rows if i < len(row)]


def _project(record: Candidate) -> str:
    return record.function.provenance.project
