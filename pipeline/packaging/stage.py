"""Packaging: instructions become tasks that pass a dry run, the best of each project, without the excluded ones."""

from __future__ import annotations

import os
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field

from harness.languages import Machine
from harness.records import MAINTAINER, Task, Verdict
from harness.runtime import find_runtime
from harness.sandbox import choose
from harness.scoring.judging import judge_all
from pipeline.config import PackageConfig
from pipeline.families.registry import family
from pipeline.packaging.exclusions import load_exclusions
from pipeline.packaging.flags import flags_of
from pipeline.records import Instruction, Reason, Rejection, reject_function
from pipeline.stage import DECIDES, Context
from pipeline.worth import by_worth, measure, share_limit, version


@dataclass(frozen=True)
class PackageStage:
    """Gives the tasks of a release, dry-run with the judge that will score the answers to them."""

    config: PackageConfig = field(default_factory=PackageConfig)
    measured_by: str = field(default_factory=version, metadata=DECIDES)
    name: str = "package"
    takes: type = Instruction
    gives: type = Task
    shard_size: int = 0
    fan_out: bool = False

    def run(self, records: Sequence[Instruction], context: Context) -> Iterator[Task | Rejection]:
        """Yield each instruction as a task, or why it is none, in the order of the instructions."""
        exclusions = load_exclusions(context.data / self.config.exclusions)
        made: dict[str, Task | Rejection] = {}
        for record in records:
            entry = exclusions.get(record.id)
            if entry is None:
                [made[record.id]] = family(record.suite.family).tasks(record, context)
            else:
                made[record.id] = _rejected(record, Reason.EXCLUDED, f"{entry.reason} {entry.link}".strip())
        tasks = [one for one in made.values() if isinstance(one, Task)]
        refused = {
            task.task_id: (Reason.FLAGGED, f"Flagged: {', '.join(found)}.")
            for task in tasks if (found := flags_of(task, self.config.leave_out))}
        tasks = [task for task in tasks if task.task_id not in refused]
        refused |= dry_run(tasks, context) if tasks else {}
        refused |= shown([task for task in tasks if task.task_id not in refused], self.config.apart)
        refused |= not_selected([task for task in tasks if task.task_id not in refused], self.config)
        for record in records:
            yield _rejected(record, *refused[record.id]) if record.id in refused else made[record.id]


def _rejected(record: Instruction, reason: Reason, evidence: str) -> Rejection:
    candidate = record.suite.candidate
    return reject_function("package", candidate.function, reason, evidence, candidate.track)


def dry_run(tasks: Sequence[Task], context: Context) -> dict[str, tuple[Reason, str]]:
    """Judge each task's reference and its family's stubs; what is wrong, by task."""
    machine = Machine(choose(), find_runtime(context.runtime))
    jobs = [(task, answer) for task in tasks for answer in (task.reference, *family(task.family).stubs(task))]
    verdicts = judge_all(jobs, machine, os.cpu_count() or 1, tasks=tasks)
    judged: dict[str, list[Verdict]] = defaultdict(list)
    for (task, _), verdict in zip(jobs, verdicts, strict=True):
        judged[task.task_id].append(verdict)
    objections = {}
    for task in tasks:
        own = family(task.family)
        objections[task.task_id] = own.objection(task, judged[task.task_id]) or own.weakness(task)
    return {key: (Reason.DRY_RUN_FAILED, what) for key, what in objections.items() if what}


def shown(tasks: Sequence[Task], apart: bool = False) -> dict[str, tuple[Reason, str]]:
    """The tasks whose answer stands in the code that is given with another one, or, where all are to be `apart`, is a
    part of another one's answer. Of two that call each other, each is a part of the other's, and both stay.
    """
    holders = {
        place: task for task in tasks if apart or task.given is not None for place in _members(task)
    }
    found = {}
    for task in tasks:
        holder = holders.get(_place(task))
        if holder is not None and (holder.given is not None or _place(holder) not in _members(task)):
            what = "a part of the answer to" if holder.given is None else "given with"
            found[task.task_id] = (Reason.NOT_SELECTED, f"Its answer is {what} {holder.entry_point}.")
    return found


def _place(task: Task) -> tuple[str, str, str]:
    return task.provenance.project, task.provenance.path, task.original or task.entry_point


def _members(task: Task) -> set[tuple[str, str, str]]:
    """Where what it calls stands, by project, file and name."""
    own = task.members or ()
    return {(task.provenance.project, one.path, name) for one in own for name in one.names.split(", ")}


def not_selected(tasks: Sequence[Task], config: PackageConfig) -> dict[str, tuple[Reason, str]]:
    """The tasks beyond their project's limit, and beyond their domain's share of those that are left, by `ranked`.

    Families stand side by side, so each has a limit of its own.
    """
    projects = [ranked(own, config) for own in _grouped(tasks, lambda task: f"{task.family} {task.provenance.project}")]
    kept = [task for own in projects for task in own[: config.max_per_project]]
    refused = {task.task_id: _preferred(own[: config.max_per_project])
               for own in projects for task in own[config.max_per_project:]}
    domains = _grouped(kept, lambda task: task.domain)
    limit = share_limit(map(len, domains), len(kept), config.max_domain_share)
    for own in domains if config.max_domain_share < 1 else ():
        best = ranked(own, config)
        refused |= {task.task_id: _preferred(best[:limit]) for task in best[limit:]}
    return refused


def _preferred(taken: Sequence[Task]) -> tuple[Reason, str]:
    return Reason.NOT_SELECTED, f"Preferred to it were {', '.join(task.entry_point for task in taken)}."


def ranked(tasks: Sequence[Task], config: PackageConfig) -> list[Task]:
    """Those first that a maintainer has written, then those whose references are worth more; of even ones that whose
    suite kills more wrong variants.

    How strong a suite has to be is decided where it is made.
    """
    programs = {task.id: measure(task.program, task.entry_point, task.language) for task in tasks}
    sharpest = sorted(tasks, key=lambda task: (-(task.strength.mutation_score or 0.0), -len(task.cases), task.id))
    best = by_worth(sharpest, programs, config.worth)
    return sorted(best, key=lambda task: task.instructed_by != MAINTAINER)


def _grouped(tasks: Iterable[Task], key: Callable[[Task], str]) -> list[list[Task]]:
    groups: dict[str, list[Task]] = defaultdict(list)
    for task in tasks:
        groups[key(task)].append(task)
    return list(groups.values())
