"""A maintainer's review: tasks are looked at one by one, and what is rejected is excluded from the next build."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

import click

from harness.errors import UserError
from harness.releases.dataset import load_release
from harness.show import as_text
from harness.telling import say
from pipeline.packaging.exclusions import Exclusion, add_exclusion, load_exclusions


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
    """Record each decision as soon as it is made; raises `UserError` for a task that the release does not have."""
    loaded = load_release(release)
    known = {t.task_id for t in loaded.tasks}
    for decision in decisions:
        if decision.task not in known:
            where = loaded.source
            raise UserError(f"{where} has no task {decision.task!r}: `code2bench prompts {where}` lists the ids.")
        add_exclusion(exclusions, Exclusion(decision.task, decision.reason, decision.link))
        yield decision
