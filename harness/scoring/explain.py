"""Why answers failed: for each task the smallest failing case of an answer, as a call in Python."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from harness.languages import Machine
from harness.languages.registry import language
from harness.records import Task, Verdict
from harness.scoring.shrink import Shrunk, shrunk
from harness.scoring.smallest import smallest
from harness.telling import printable, shortened

MOST_SHRUNK = 20
"""For how many tasks a smaller input is looked for."""


@dataclass(frozen=True)
class Explanation:
    """The first answer to a task that is not perfect; `sample` is its number, `perfect` of `samples` answers are.

    `case` is the place of the failing case with the smallest encoded arguments, `call` that case, `expected` what the
    reference gave, `got` what the answer gave ("" where that was nothing). `status` and `detail` are those of the case,
    as in `CaseResult`. Where no case was run, `case` is None, `detail` says why, and the others are "". `shrunk` are
    call, expected and got for a smaller input that is no case of the task, where one was found.
    """

    task_id: str
    entry_point: str
    sample: int
    perfect: int
    samples: int
    outcome: str
    passed: int
    total: int
    case: int | None
    call: str
    expected: str
    status: str
    detail: str
    got: str
    shrunk: tuple[str, str, str] | None = None


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


def _case(task: Task, verdict: Verdict) -> tuple[int | None, str, str, str, str, str]:
    """The place of the case, the call, what was expected, what became of the case, why, and what the answer gave."""
    failed = (place for place, case in enumerate(verdict.cases) if case.status != "passed")
    place = verdict.failure.case if verdict.failure else smallest(task.cases, failed)
    if place is None:
        return None, "", "", "", printable(shortened(verdict.detail)), ""
    case, result, values = task.cases[place], verdict.cases[place], language(task.language).values
    got = verdict.failure.got if verdict.failure else ""
    asked, expected = values.call(task, case), values.answer(case.expected, task)
    return place, asked, expected, result.status, printable(shortened(result.detail)), got


def with_shrunk(
    failures: Iterable[Explanation], tasks: Mapping[str, Task], codes: Mapping[tuple[str, int], str],
    machine_of: Callable[[Task], Machine],
) -> Iterator[Explanation]:
    """The explanations, the first `MOST_SHRUNK` of cases with a smaller input; `codes` are the answers by their key."""
    left = MOST_SHRUNK
    for failure in failures:
        task, code = tasks[failure.task_id], codes.get((failure.task_id, failure.sample), "")
        if failure.case is None or not code or not left:
            yield failure
            continue
        left -= 1
        found = shrunk(task, code, task.cases[failure.case], machine_of(task))
        yield failure if found is None else replace(failure, shrunk=_told(task, found))


def _told(task: Task, found: Shrunk) -> tuple[str, str, str]:
    values, outcome = language(task.language).values, found.outcome
    got = values.candidates_answer(outcome.answer) if outcome.answer else f"{outcome.status}: {outcome.detail}"
    asked, expected = values.call(task, found.case), values.answer(found.case.expected, task)
    return asked, expected, printable(shortened(got))
