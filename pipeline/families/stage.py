"""Packaging: instructions become tasks that pass a dry run, the best of each project, without the excluded ones."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.languages import Machine
from harness.records import Task
from harness.runtime import find_runtime
from harness.sandbox import choose
from harness.scoring.judging import judge_all
from pipeline.config import PackageConfig
from pipeline.families.exclusions import load_exclusions
from pipeline.families.function import dry_run_objection, easy_objection, make_task, stub
from pipeline.records import Instruction, Reason, Rejection, reject_function
from pipeline.stage import Context


@dataclass(frozen=True)
class PackageStage:
    """Gives the tasks of a release, dry-run with the judge that will score the answers to them."""

    config: PackageConfig = field(default_factory=PackageConfig)
    name: str = "package"
    takes: type = Instruction
    gives: type = Task
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Instruction], context: Context) -> Iterator[Task | Rejection]:
        """Yield each instruction as a task, or why it is none, in the order of the instructions."""
        exclusions = load_exclusions(context.data / self.config.exclusions)
        refused: dict[str, tuple[Reason, str]] = {}
        for record in records:
            if record.id in exclusions:
                entry = exclusions[record.id]
                refused[record.id] = Reason.EXCLUDED, f"{entry.reason} {entry.link}".strip()
        tasks = {record.id: make_task(record) for record in records if record.id not in refused}
        refused |= dry_run(list(tasks.values()), context) if tasks else {}
        refused |= not_selected([task for key, task in tasks.items() if key not in refused], self.config)
        for record in records:
            if record.id in refused:
                candidate = record.suite.candidate
                yield reject_function(self.name, candidate.function, *refused[record.id], candidate.track)
            else:
                yield tasks[record.id]


def dry_run(tasks: Sequence[Task], context: Context) -> dict[str, tuple[Reason, str]]:
    """Judge each task's reference and a stub; what is wrong, by task."""
    machine = Machine(choose(), find_runtime(context.runtime))
    jobs = [job for task in tasks for job in ((task, task.reference), (task, stub(task)))]
    verdicts = list(judge_all(jobs, machine, os.cpu_count() or 1, tasks=tasks))
    objections = {
        task.task_id: dry_run_objection(reference, nothing) or easy_objection(task)
        for task, reference, nothing in zip(tasks, verdicts[::2], verdicts[1::2], strict=True)
    }
    return {key: (Reason.DRY_RUN_FAILED, what) for key, what in objections.items() if what}


def not_selected(tasks: Sequence[Task], config: PackageConfig) -> dict[str, tuple[Reason, str]]:
    """The tasks beyond a project's limit, by the order of `preference`."""
    projects: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        projects[task.provenance.project].append(task)
    refused = {}
    for found in projects.values():
        ranked = sorted(found, key=preference)
        taken = ", ".join(task.entry_point for task in ranked[: config.max_per_project])
        for task in ranked[config.max_per_project:]:
            refused[task.task_id] = Reason.NOT_SELECTED, f"Preferred to it were {taken}."
    return refused


def preference(task: Task) -> tuple[float, int, int, str]:
    """What comes first: a suite that kills more mutants, has more cases (in hundreds), more complexity."""
    score = task.strength.mutation_score or 0.0
    return -round(score, 2), -(len(task.cases) // 100), -task.measures.complexity, task.task_id
