"""Answers to questions in other words that define the function by its first name, as if the question had it wrong."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from harness.answers.samples import Sample
from harness.languages.registry import language
from harness.records import Task


def leniently(
    answers: Iterable[Sample], asked: Mapping[tuple[str, str], Task], names: Mapping[str, str]
) -> tuple[Sample, ...]:
    """The answers, each of which may have defined the name that its task has at first; `names` gives these by id."""
    return tuple(_leniently(one, asked[one.task_id, one.variant], names[one.task_id]) for one in answers)


def _leniently(answer: Sample, task: Task, first: str) -> Sample:
    if task.entry_point == first or not answer.code:
        return answer
    return replace(answer, code=language(task.language).answers.also_named(answer.code, first, task.entry_point))
