"""A maintainer's review: tasks are looked at one by one, and what is rejected is excluded from the next build."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import click

from harness.answers.samples import read_samples
from harness.errors import UserError
from harness.languages import Machine
from harness.releases.dataset import load_release
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from harness.show import as_text, find
from harness.telling import say
from pipeline.curated.answers import add_answers, load_ratings, tried
from pipeline.packaging.exclusions import Exclusion, add_exclusion, load_exclusions

_PSEUDONYM = re.compile(r"[A-Za-z0-9]+(-[A-Za-z0-9]+)*")


@dataclass(frozen=True)
class Decision:
    """That a task is rejected: its id, why in a sentence, and where it was discussed."""

    task: str
    reason: str
    link: str = ""


def ask(release: str, exclusions: Path) -> Iterator[Decision]:
    """Show each task that is not excluded yet and ask; what was rejected counts at once, so one may stop any time."""
    excluded = load_exclusions(exclusions)
    tasks = [t for t in load_release(release).tasks if t.task_id not in excluded]
    for number, task in enumerate(tasks, 1):
        say(f"\n{as_text(task)}\n")
        answer = click.prompt(f"{number} of {len(tasks)}: (a)ccept, (r)eject, (q)uit", type=click.Choice(list("arq")))
        if answer == "q":
            return
        if answer == "r":
            yield Decision(task.task_id, click.prompt("Why, in a sentence"), click.prompt("Link", default=""))


def decide(release: str, decisions: Sequence[Decision] | Iterator[Decision], exclusions: Path) -> Iterator[Decision]:
    """Record each decision as soon as it is made; raises `UserError` for a task that the release does not have.

    Of several that are made already, which may call tasks by their names, none is recorded then.
    """
    loaded = load_release(release)
    if isinstance(decisions, Sequence):
        decisions = [replace(decision, task=find(loaded, decision.task).task_id) for decision in decisions]
    for decision in decisions:
        add_exclusion(exclusions, Exclusion(decision.task, decision.reason, decision.link))
        yield decision


@dataclass(frozen=True)
class Recorded:
    """Blind answers of a solver that were judged: how many, to how many tasks, which were missed, in which file."""

    solver: str
    answers: int
    tasks: int
    missed: list[str]
    notes: list[str]
    file: str

    def __str__(self) -> str:
        notes = "".join(f"Note: {note}\n" for note in self.notes)
        named = f"; missed: {', '.join(self.missed)}" if self.missed else ""
        return f"{notes}{self.answers} answers of {self.solver} to {self.tasks} tasks are in {self.file}{named}."


def record(release: str, answers: Path, solver: str, path: Path) -> Recorded:
    """Judge blind answers to a release's tasks and record them. Raises `UserError`."""
    if not _PSEUDONYM.fullmatch(solver):
        raise UserError("--answers are somebody's: give a pseudonym of letters, digits and '-' by --solver.")
    if answers.is_fifo():
        raise UserError(f"{answers} is a pipe, and answers are read twice, for their ratings: save them to a file.")
    loaded = load_release(release)
    samples = read_samples(answers, loaded.tasks, partial=True)
    machine = Machine(choose(), ensure_runtime(loaded.lock))
    added = add_answers(path, samples.answers, loaded.tasks, solver, load_ratings(answers))
    known = {task: [one for one in added if one.task == task] for task in {one.task for one in added}}
    found = tried(loaded.tasks, known, machine)
    missed = [task.entry_point for task in loaded.tasks if task.task_id in found and not found[task.task_id].solved]
    return Recorded(solver, len(added), len(found), missed, list(samples.notes), str(path))
