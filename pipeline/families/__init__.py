"""Families of tasks: what each needs and how its tasks are made, one file per family; `registry` has them by name.

A release names the families that it takes. Before anybody is asked for an instruction, each suite falls to the first of
them that can use it, and to those that ask in a further way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from harness.records import Task, Verdict
from pipeline.records import Instruction, Rejection, Suite
from pipeline.stage import Context


class Family(Protocol):
    """A kind of question that can be asked about a function, and how answers without thought are kept from passing."""

    @property
    def name(self) -> str:
        """What the published row's `family` says; the names of its tracks begin with it."""
        ...

    @property
    def bundles(self) -> bool:
        """Whether functions are asked about that need more of their project, which they take along."""
        ...

    @property
    def further(self) -> bool:
        """Whether it asks in its way about functions that other families ask about, too."""
        ...

    def asked(self, suite: Suite) -> Suite | None:
        """A suite as this family asks about it, None where its function can't become a task of the family."""
        ...

    def task(self, instruction: Instruction) -> Task:
        """The task as solvers get it; the instruction may not be final. Raises `ValueError`."""
        ...

    def tasks(self, source: Instruction, context: Context) -> Iterator[Task | Rejection]:
        """What a release takes of an instruction: one task under the instruction's id, or why there is none."""
        ...

    def stubs(self, task: Task) -> Sequence[str]:
        """Answers without thought, which have to fail."""
        ...

    def weakness(self, task: Task) -> str:
        """What is wrong with a task by its cases alone, as a sentence; "" where nothing is."""
        ...

    def objection(self, task: Task, verdicts: Sequence[Verdict]) -> str:
        """What is wrong with a task by the verdicts on its reference and then on its stubs; "" where nothing is."""
        ...
