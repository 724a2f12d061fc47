"""From a task of a release to its evolved programs, their faults, and what is asked about them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.evolved import REPAIR_FAMILY
from harness.languages import Machine
from harness.records import Provenance, Task, Translation
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import EvolveConfig
from pipeline.evolve.bugs import Faults
from pipeline.evolve.items import predictions, repairs, to_java
from pipeline.evolve.making import ORIGINAL, Evolving, evolving
from pipeline.evolve.naming import Namer
from pipeline.evolve.rows import Bug, EvolvedProgram, Why
from pipeline.llm import Exchange
from pipeline.measures.profile import Profile
from pipeline.records import Rejection
from pipeline.stage import DECIDES, Context
from pipeline.transforms.preserving.evolving.registry import version
from pipeline.vary.items import drawn


@dataclass(frozen=True)
class EvolvedTask:
    """What an evolved release takes of one task: its versions, the rest of the fronts, faults, and the rows."""

    id: str
    programs: tuple[EvolvedProgram, ...]
    front: tuple[EvolvedProgram, ...]
    bugs: tuple[Bug, ...]
    items: tuple[Task, ...]
    provenance: Provenance
    translations: tuple[Translation, ...] = ()


@dataclass(frozen=True)
class EvolveStage:
    """Evolves the programs of tasks, breaks them, and asks about them."""

    config: EvolveConfig = field(default_factory=EvolveConfig)
    operators: str = field(default_factory=version, metadata=DECIDES)
    thresholds: Profile | None = field(default=None, metadata=DECIDES)
    name: str = "evolve"
    takes: type = Task
    gives: type = EvolvedTask
    shard_size: int = 1
    fan_out: bool = False

    def run(self, records: Sequence[Task], context: Context) -> Iterator[EvolvedTask | Rejection | Exchange]:
        """Yield each task with its programs, or why it has none; besides, what a model was asked."""
        machine = Machine(choose(), find_runtime(context.runtime))
        for task in records:
            desk = context.office.desk(self.name, task.id)
            made = evolving(task, self.config, machine, Namer(self.config.model, desk) if self.config.model else None)
            yield _rejected(task, made) if isinstance(made, str) else self._evolved(made)
            yield from desk.exchanges

    def _evolved(self, made: Evolving) -> EvolvedTask | Rejection:
        task, config = made.task, self.config
        versions = [made.version(number + 1) for number in range(config.versions)]
        good = [one for one in versions if one.made is not None]
        if not good:
            return _rejected(task, " ".join(one.row.evidence for one in versions[:1]), Why.NOT_EVOLVED)
        rows = [made.original(), *(one.row for one in versions)]
        cases = drawn(task, config.cases, config.seed, 0)
        items = predictions(task, rows, cases, config) if cases else []
        bugs: list[Bug] = []
        if REPAIR_FAMILY in config.families:
            genomes = {ORIGINAL: ()} | {one.row.version: one.made.genome for one in good if one.made is not None}
            bugs = Faults(task, made.soil, genomes, config, made.machine).found()
        items += repairs(task, rows, bugs, config)
        front = tuple(row for one in good for row in one.front)
        java = to_java(task, rows, config)
        return EvolvedTask(task.id, tuple(rows), front, tuple(bugs), tuple(items), task.provenance, java)


def _rejected(task: Task, evidence: str, why: Why = Why.INTROSPECTIVE) -> Rejection:
    where = task.provenance
    return Rejection(
        "evolve", "task", task.id, where.project, where.path, task.entry_point, where.line_start, why.name.lower(),
        evidence, task.track, where.domain)
