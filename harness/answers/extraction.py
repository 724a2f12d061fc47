"""The code in a model's answer to a task, as its language finds it."""

from __future__ import annotations

from harness.languages.registry import language
from harness.records import Task


def extract(text: str, task: Task) -> str:
    """The code to judge, "" when there is none; whatever the text, this ends, and soon."""
    return language(task.language).answers.extract(text, task)
