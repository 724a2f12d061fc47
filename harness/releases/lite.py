"""The lite selection of a task's cases: tasks with it alone, and how often it says what all cases say."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace

from harness.records import Task, Verdict


@dataclass(frozen=True)
class Agreement:
    """Whether lite and full say the same of answers, perfect or not, over the answers to tasks with a selection.

    The selection is a part of all cases, so what is perfect in full is perfect in lite: the two can only disagree on
    answers that pass the selection and fail elsewhere, `lite_perfect - full_perfect` of them.
    """

    answers: int
    lite_perfect: int
    full_perfect: int

    @property
    def agree(self) -> int:
        """The number of answers of which both say the same."""
        return self.answers - (self.lite_perfect - self.full_perfect)


def lite(task: Task) -> Task:
    """The task with the cases of its lite selection alone, in its order; one without a selection as it is.

    Id and digest stay. Places of cases in verdicts on it are places in the selection.
    """
    if not task.lite:
        return task
    return replace(task, cases=tuple(task.cases[place] for place in task.lite), lite=None)


def agreement(pairs: Iterable[tuple[Task, Verdict]]) -> Agreement | None:
    """How lite and full agree, from verdicts on whole tasks; None where no answer's task has a selection.

    Nothing is run again: each case is judged by itself, so the full run's results hold those of the selection. An
    answer that could not be loaded is perfect in neither.
    """
    counted = [(task, verdict) for task, verdict in pairs if task.lite]
    if not counted:
        return None
    return Agreement(
        answers=len(counted),
        lite_perfect=sum(_passes(task, verdict) for task, verdict in counted),
        full_perfect=sum(verdict.perfect for _, verdict in counted),
    )


def _passes(task: Task, verdict: Verdict) -> bool:
    return bool(verdict.cases) and all(verdict.cases[place].status == "passed" for place in task.lite or ())
