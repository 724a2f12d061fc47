"""From a task of a release to what is asked about its programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.languages import Machine
from harness.records import OUTCOME_FAMILY, TRANSLATION, Answer, Program, Provenance, Task, Translation
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import VaryConfig
from pipeline.records import Reason, Rejection
from pipeline.stage import DECIDES, Context
from pipeline.transforms.preserving.chains import ALTERED, version
from pipeline.vary.equivalence import Known
from pipeline.vary.items import PROGRAMS, Drawn, about_description, about_program, drawn, fitting
from pipeline.vary.programs import altered, known_of, programs
from pipeline.vary.translation import translations


@dataclass(frozen=True)
class Varied:
    """What a derived release takes of one task: programs, or why there are none, and the rows that ask about them."""

    id: str
    programs: tuple[Program, ...]
    items: tuple[Task, ...]
    provenance: Provenance
    translations: tuple[Translation, ...] = ()


@dataclass(frozen=True)
class VaryStage:
    """Makes the programs of tasks, proves them, and asks about them."""

    config: VaryConfig = field(default_factory=VaryConfig)
    operators: str = field(default_factory=version, metadata=DECIDES)
    name: str = "vary"
    takes: type = Task
    gives: type = Varied
    shard_size: int = 4
    fan_out: bool = False

    def run(self, records: Sequence[Task], context: Context) -> Iterator[Varied | Rejection]:
        """Yield each task as what is asked about it, or why nothing can be."""
        machine = Machine(choose(), find_runtime(context.runtime))
        for task in records:
            chosen = [drawn(task, self.config.cases, self.config.seed, draw) for draw in range(self.config.draws)]
            if not chosen[0]:
                yield _rejected(task)
                continue
            origin = known_of(task, self.config, machine)
            made = [self._draw(task, draw, own, origin, machine) for draw, own in enumerate(chosen)]
            rows = tuple(row for one, _ in made for row in one)
            items = tuple(item for _, own in made for item in own)
            yield Varied(task.id, rows, items, task.provenance, self._translations(task, rows))

    def _translations(self, task: Task, rows: Sequence[Program]) -> tuple[Translation, ...]:
        """What is asked for in another language: programs that mean what the task's does."""
        same = [row for row in rows if row.chain != ALTERED]
        return tuple(translations(task, same)) if TRANSLATION in self.config.families else ()

    def _draw(
        self, task: Task, draw: int, chosen: Sequence[Drawn], origin: Known, machine: Machine
    ) -> tuple[list[Program], list[Task]]:
        """The programs and rows of one draw, which asks about the chosen cases."""
        config = self.config
        others, given = list[Program](), list[Answer | None]()
        if ALTERED in config.chains:
            other, given = altered(task, [task.cases[one.place] for one in chosen], config, draw, machine)
            others.append(other)
        counting = replace(origin, counted=[one.place for one in chosen])
        rows, steps = programs(task, config, draw, counting, machine, [one for one in others if one.program])
        counted = {chain: [replace(one, steps=count) for one, count in zip(chosen, own, strict=True)]
                   for chain, own in steps.items()}
        items = [*self._about(task, [(row, one, None) for row in rows if row.program for one in counted[row.chain]])]
        told = zip(counted.get(ALTERED, ()), given, strict=False)
        items += self._about(task, [(other, one, answer) for other in others for one, answer in told if answer])
        rows += others
        if OUTCOME_FAMILY in config.families:
            items += [about_description(task, one, config.seed, draw, config.reasoned) for one in chosen]
        return rows, fitting(items)

    def _about(self, task: Task, asked: Sequence[tuple[Program, Drawn, Answer | None]]) -> Iterator[Task]:
        for family in PROGRAMS:
            if family in self.config.families:
                how = self.config.reasoned
                yield from (about_program(task, row, one, family, answer, how) for row, one, answer in asked)


def _rejected(task: Task) -> Rejection:
    where = task.provenance
    return Rejection(
        "vary", "task", task.id, where.project, where.path, task.entry_point, where.line_start,
        Reason.NO_CASE_TO_PREDICT.name.lower(), f"{len(task.cases)} cases were looked at.", task.track, where.domain)
