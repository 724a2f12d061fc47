"""What a model is asked, after the paper's protocol (Tables 15 and 16): zero-shot, one system and one user message.

Chat models get both messages; completion models get the beginning of a file, which they continue.
"""

from __future__ import annotations

from collections.abc import Iterable

from harness.families import Prompt
from harness.families.registry import family_of
from harness.records import Task, digest

__all__ = ["Prompt", "prompt", "prompts_hash", "stop"]


def prompt(task: Task) -> Prompt:
    """The prompt of a task."""
    return family_of(task).prompt(task)


def stop(task: Task) -> tuple[str, ...]:
    """Where a completion ends that goes on with a task's."""
    return family_of(task).stop(task)


def prompts_hash(tasks: Iterable[Task]) -> str:
    """A hash over all that models are asked, in the order of the tasks' ids: results with another one don't compare."""
    asked = sorted((p.task_id, p.system, p.user, p.completion) for p in map(prompt, tasks))
    return digest(*(part for parts in asked for part in parts))
