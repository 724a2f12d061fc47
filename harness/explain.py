"""Why answers failed: for each task the smallest failing case of an answer, as a call in Python."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.calls import answer, call, printable, shortened, smallest
from harness.expressions import Names
from harness.records import Task, Verdict


@dataclass(frozen=True)
class Explanation:
    """The first answer to a task that is not perfect; `sample` is its number, `perfect` of `samples` answers are.

    `call` is the failing case with the smallest encoded arguments, `expected` what the reference gave, `got` what the
    answer gave ("" where that was nothing). `status` and `detail` are those of the case, as in `CaseResult`. Where no
    case was run, `detail` says why, and the others are "".
    """

    task_id: str
    entry_point: str
    sample: int
    perfect: int
    samples: int
    outcome: str
    passed: int
    total: int
    call: str
    expected: str
    status: str
    detail: str
    got: str


def explain(tasks: Iterable[Task], verdicts: Iterable[Verdict]) -> tuple[Explanation, ...]:
    """One explanation for each task that has an answer that is not perfect, in the order of the tasks.

    The verdicts on one task must come in the order of its samples, with the cases of the task as it was judged.
    """
    by_task: dict[str, list[Verdict]] = {}
    for verdict in verdicts:
        by_task.setdefault(verdict.task_id, []).append(verdict)
    found = (_explanation(task, by_task.get(task.task_id, [])) for task in tasks)
    return tuple(one for one in found if one is not None)


def _explanation(task: Task, verdicts: list[Verdict]) -> Explanation | None:
    number = next((number for number, verdict in enumerate(verdicts) if not verdict.perfect), None)
    if number is None:
        return None
    verdict = verdicts[number]
    return Explanation(
        task.task_id, task.entry_point, number, sum(v.perfect for v in verdicts), len(verdicts),
        verdict.outcome.value, verdict.passed, verdict.total, *_case(task, verdict),
    )


def _case(task: Task, verdict: Verdict) -> tuple[str, str, str, str, str]:
    """The call, what was expected, what became of the case, why, and what the answer gave."""
    failed = (place for place, case in enumerate(verdict.cases) if case.status != "passed")
    place = verdict.failure.case if verdict.failure else smallest(task.cases, failed)
    if place is None:
        return "", "", "", printable(shortened(verdict.detail)), ""
    case, result, names = task.cases[place], verdict.cases[place], Names.of(task.imports)
    got = verdict.failure.got if verdict.failure else ""
    asked, expected = call(task.entry_point, case, names), answer(case.expected, names)
    return asked, expected, result.status, printable(shortened(result.detail)), got
