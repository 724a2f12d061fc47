"""Worked examples that stand before a question (few-shot prompting), in rows that have any."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass, replace

from harness.records import Task, canonical_json


@dataclass(frozen=True)
class Shot:
    """A program, what is asked about it, and the answer: as in the task, but not what is asked there."""

    program: str
    question: str
    answer: str


def with_shots(task: Task, shots: Sequence[Shot]) -> Task:
    """The task with these examples alone."""
    return replace(task, shots=canonical_json([asdict(one) for one in shots]) if shots else None)


def shots_of(task: Task) -> tuple[Shot, ...]:
    """The examples that the task's prompt shows; raises `ValueError` where that is no JSON of examples."""
    try:
        found = tuple(Shot(**one) for one in json.loads(task.shots or "[]"))
    except (TypeError, RecursionError) as error:
        raise ValueError(str(error)) from None
    if not all(isinstance(part, str) for one in found for part in asdict(one).values()):
        raise ValueError("it holds something else than texts")
    return found
