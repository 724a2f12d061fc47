"""What a model is asked, after the paper's protocol (Tables 15 and 16): zero-shot, one system and one user message.

Chat models get both messages; completion models get the beginning of a file, which they continue.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass

from harness.languages.registry import language
from harness.records import Task, digest


@dataclass(frozen=True)
class Prompt:
    """What is asked for one task: `system` and `user` for chat models, `completion` for the others."""

    task_id: str
    system: str
    user: str
    completion: str

    def as_json(self) -> dict[str, str]:
        """A line of `code2bench prompts`."""
        return asdict(self)


def prompt(task: Task) -> Prompt:
    """The prompt of a task."""
    asking = language(task.language).asking
    return Prompt(task.task_id, asking.system(task), asking.user(task), asking.completion(task))


def stop(task: Task) -> tuple[str, ...]:
    """Where a completion ends that goes on with a task's."""
    return language(task.language).asking.stop


def prompts_hash(tasks: Iterable[Task]) -> str:
    """A hash over all that models are asked, in the order of the tasks' ids: results with another one don't compare."""
    asked = sorted((p.task_id, p.system, p.user, p.completion) for p in map(prompt, tasks))
    return digest(*(part for parts in asked for part in parts))
