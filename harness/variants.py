"""Variants: tasks that are made from others by a change that somebody has recorded, such as another name to define.

A variant says what has changed and nothing else, so that it stays valid as long as its task does; `derive` makes the
task that is asked and judged. Its id stays that of the task, its digest tells it from the task and from all others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import lru_cache

from harness.errors import UserError
from harness.records import Case, Task, canonical_json, digest
from harness.releases.rows import cases_to_text


@dataclass(frozen=True)
class Change:
    """What is other than in the task; "" and None where that is nothing.

    `renamed` are pairs of old and new names of parameters; `scored` are the numbers of the cases that count.
    """

    entry_point: str = ""
    signature: str = ""
    instruction: str = ""
    reference: str = ""
    renamed: tuple[tuple[str, str], ...] = ()
    scored: tuple[int, ...] | None = None


@dataclass(frozen=True)
class Variant:
    """A change to the task of an id: `kind` is what has made it, with `seed`; `digest` is that of the derived task."""

    task: str
    kind: str
    parameters: Change
    seed: int
    digest: str

    @property
    def id(self) -> str:
        """What results call it."""
        return f"c2v-{digest(self.task, self.kind, str(self.seed), self.digest)[:16]}"


def variant(task: Task, kind: str, parameters: Change, seed: int = 0) -> Variant:
    """The variant of a task with a change; raises `UserError` for a change that the task can't have."""
    return Variant(task.task_id, kind, parameters, seed, _changed(task, parameters).task_digest)


def derive(task: Task, variant: Variant) -> Task:
    """The task that a variant stands for; raises `UserError` where the variant was made from another task."""
    made = _changed(task, variant.parameters)
    if variant.task != task.task_id or variant.digest != made.task_digest:
        raise UserError(
            f"Variant {variant.id} was made from another version of {variant.task} than this {task.task_id}; make it "
            "anew, or take the release that it was made from."
        )
    return made


def derived(tasks: Sequence[Task], variants: Sequence[Variant]) -> dict[tuple[str, str], Task]:
    """The tasks of all variants by the ids of task and variant; raises `UserError` for one whose task is not there."""
    by_id = {task.task_id: task for task in tasks}
    for one in variants:
        if one.task not in by_id:
            raise UserError(f"Variant {one.id} is one of {one.task}, which is not among the tasks that are scored.")
    return {(one.task, one.id): derive(by_id[one.task], one) for one in variants}


def _changed(task: Task, change: Change) -> Task:
    numbers = tuple(range(len(task.cases))) if change.scored is None else change.scored
    if any(not 0 <= number < len(task.cases) for number in numbers) or not numbers:
        raise UserError(f"A variant of {task.task_id} scores cases that the task has not; it has {len(task.cases)}.")
    cases, told = _cases(_Known(task), numbers, change.renamed)
    places = {number: place for place, number in enumerate(numbers)}
    lite = None if task.lite is None else tuple(places[number] for number in task.lite if number in places) or None
    made = replace(
        task, cases=cases, lite=lite, entry_point=change.entry_point or task.entry_point,
        signature=change.signature or task.signature, instruction=change.instruction or task.instruction,
        reference=change.reference or task.reference,
    )
    if made == task:
        return task
    asked = canonical_json([made.entry_point, made.signature, made.instruction])
    return replace(made, task_digest=digest(task.task_digest, asked, told))


class _Known:
    """A task by its digest and the identity of its cases, which takes no look at each of them."""

    def __init__(self, task: Task) -> None:
        self.task = task

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Known) and self.task.task_digest == other.task.task_digest \
            and self.task.cases is other.task.cases

    def __hash__(self) -> int:
        return hash(self.task.task_digest)


@lru_cache(maxsize=64)
def _cases(
    known: _Known, numbers: tuple[int, ...], renamed: tuple[tuple[str, str], ...]
) -> tuple[tuple[Case, ...], str]:
    """Some of a task's cases, with other names where these are there, and their text; variants share them."""
    if not any(old in case.kwargs for case in known.task.cases for old, _ in renamed):
        if renamed:
            return _cases(known, numbers, ())
        cases = tuple(known.task.cases[number] for number in numbers)
        return cases, cases_to_text(cases)
    names = dict(renamed)
    some = (known.task.cases[number] for number in numbers)
    cases = tuple(replace(case, kwargs={names.get(name, name): value for name, value in case.kwargs.items()})
                  for case in some)
    return cases, cases_to_text(cases)
