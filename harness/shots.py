"""Worked examples that stand before a question (few-shot prompting), in rows that have any."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, fields

from harness.records import Task, canonical_json


@dataclass(frozen=True)
class Shot:
    """A program, what is asked about it, and the answer: as in the task, but not what is asked there."""

    program: str
    question: str
    answer: str


@dataclass(frozen=True)
class ShownTask(Task):
    """A row whose prompt shows examples: builds know of none, only releases that were made of other ones have any."""

    shots: tuple[Shot, ...] = ()


def with_shots(task: Task, shots: Sequence[Shot]) -> Task:
    """The task with these examples; as it is, where there are none."""
    given = {one.name: getattr(task, one.name) for one in fields(Task)}
    return ShownTask(**given, shots=tuple(shots)) if shots else task


def shots_of(task: Task) -> tuple[Shot, ...]:
    """The examples that the task's prompt shows."""
    return task.shots if isinstance(task, ShownTask) else ()


def shots_to_text(shots: Sequence[Shot]) -> str:
    """Canonical JSON of examples."""
    return canonical_json([asdict(one) for one in shots])


def text_to_shots(text: str) -> tuple[Shot, ...]:
    """The inverse of `shots_to_text`; raises `ValueError`."""
    try:
        found = tuple(Shot(**one) for one in json.loads(text))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not all(isinstance(part, str) for one in found for part in asdict(one).values()):
        raise ValueError("it holds something else than texts")
    return found
