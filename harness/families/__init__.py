"""Families of tasks: what is asked, what of a reply is the answer, which program runs, what its cases add up to.

`harness.families.registry` knows which families there are; a module here holds one of them. What runs the program, and
what the language of it is like, is the language's own business.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict, dataclass
from typing import Protocol

from harness.records import CaseResult, Spectrum, Task


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


@dataclass(frozen=True)
class Assembled:
    """The program that runs for an answer, in which the answer's lines begin behind `before` others.

    `unfit` says why there is none: the answer can't stand where it has to, which is a syntax error. `entry_point` is
    what is called, "" where that is the task's own.
    """

    program: str
    before: int = 0
    lines: int = 0
    unfit: str = ""
    entry_point: str = ""


class Family(Protocol):
    """One kind of tasks."""

    @property
    def name(self) -> str:
        """What rows call it."""
        ...

    def prompt(self, task: Task) -> Prompt:
        """What is asked."""
        ...

    def question(self, task: Task) -> str:
        """What is asked, without what it is about."""
        ...

    def stop(self, task: Task) -> tuple[str, ...]:
        """Where a completion ends that goes on with the prompt's."""
        ...

    def extract(self, text: str, task: Task) -> str:
        """The answer in what a model says, "" when there is none."""
        ...

    def stub(self, task: Task) -> str:
        """An answer that does nothing."""
        ...

    def program(self, task: Task, answer: str) -> Assembled:
        """The program that runs for an answer; the reference is an answer, too."""
        ...

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        """The place of an answer in the spectrum, by what became of its cases."""
        ...
