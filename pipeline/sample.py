"""Sampling: breadth first over domains, projects and files, so that no project fills the benchmark (paper, stage 4)."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from random import Random
from typing import TypeVar

from pipeline.config import SampleConfig
from pipeline.records import Candidate, Reason, Rejection, reject_function
from pipeline.stage import Context

T = TypeVar("T")


@dataclass(frozen=True)
class SampleStage:
    """Keeps the first `size` candidates of the breadth-first order in which no project has more than its share."""

    config: SampleConfig = field(default_factory=SampleConfig)
    name: str = "sample"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield the candidates in their own order, each kept or rejected."""
        limit = project_limit(Counter(_project(record) for record in records).values(), self.config)
        taken: Counter[str] = Counter()
        kept: set[str] = set()
        for record in breadth_first(records, context.seed_for("sample")):
            if len(kept) < self.config.size and taken[_project(record)] < limit:
                taken[_project(record)] += 1
                kept.add(record.id)
        for record in records:
            yield record if record.id in kept else self._reject(record, taken, limit)

    def _reject(self, record: Candidate, taken: Counter[str], limit: int) -> Rejection:
        full = taken[_project(record)] >= limit
        why = f"{_project(record)} has its {limit} candidates." if full else f"{taken.total()} were taken before it."
        return reject_function(self.name, record.function, Reason.NOT_SAMPLED, why, record.track)


def project_limit(counts: Iterable[int], config: SampleConfig) -> int:
    """The most candidates that one project may give, so that none exceeds its share of the sample as it comes out.

    Every project may give one.
    """
    sizes = list(counts)
    limit = max(1, min(int(config.size * config.max_share), max(sizes, default=1)))
    while limit > 1 and limit > config.max_share * min(config.size, sum(min(size, limit) for size in sizes)):
        limit -= 1
    return limit


def breadth_first(records: Sequence[Candidate], seed: int) -> list[Candidate]:
    """One candidate of each domain in turn; within a domain one of each project, within that one of each file."""
    shuffled = sorted(records, key=lambda record: record.id)
    Random(seed).shuffle(shuffled)
    domains: dict[str, dict[str, dict[str, list[Candidate]]]] = defaultdict(
        lambda: defaultdict(lambda: defaultdict(list)))
    for record in shuffled:
        domains[record.function.provenance.domain][_project(record)][record.function.provenance.path].append(record)
    return _turns(
        _turns(_turns(files.values()) for files in projects.values()) for projects in domains.values())


def _turns(queues: Iterable[Sequence[T]]) -> list[T]:
    """The first of each queue, then the second of each, and so on."""
    rows = list(queues)
    return [row[i] for i in range(max(map(len, rows), default=0)) for row in rows if i < len(row)]


def _project(record: Candidate) -> str:
    return record.function.provenance.project
