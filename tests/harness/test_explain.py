"""Why answers failed: the smallest failing case as a call in Python, whatever the answer gave, and never too long."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.answers.samples import Sample
from harness.languages import Machine
from harness.records import Spectrum, Task, Verdict
from harness.releases.dataset import Release
from harness.report import as_json, text
from harness.scoring.evaluate import Options, evaluate, references, stubs
from harness.scoring.explain import Explanation, explain
from harness.scoring.judging import Fairness, judge
from harness.scoring.shrink import shrunk
from harness.values import decode
from tests.harness.make_release import make_task

HASTY = Fairness(case_floor=0.2, total_floor=0.8, idle_floor=2.0, memory_bytes=512 * 1024**2)
DOUBLE = make_task(
    "double", 'def double(items):\n    """Return the items twice."""\n    return items * 2\n',
    [([1000, 2000],), ([7],), ([1, 2, 3],), ([8],), ("x" * 1000,)],
)


def explained(task: Task, code: str, machine: Machine, fairness: Fairness = HASTY) -> Explanation:
    (one,) = explain([task], [judge(task, code, machine, fairness)])
    return one


def body(line: str) -> str:
    return f"def double(items):\n    {line}\n"


@pytest.mark.parametrize(("line", "status", "got"), [
    ("return items", "wrong", "-> [7]"),
    ("return items * (2 if len(items) > 1 else 3)", "wrong", "-> [7, 7, 7]"),
    ("return tuple(items) * 2", "wrong", "-> (7, 7)"),
    ("return items.none", "raised", "raises AttributeError(\"'list' object has no attribute 'none'\") (line 2 in double)"),
    ("import re; return re.compile('a')", "wrong", '-> re.compile('),
    ("return [5] * 10**4", "wrong", "-> [5, 5, 5"),
])
def test_the_smallest_failing_case_is_shown(line: str, status: str, got: str, machine: Machine) -> None:
    one = explained(DOUBLE, body(line), machine)
    assert (one.call, one.expected, one.status) == ("double([7])", "-> [7, 7]", status)
    assert one.got.startswith(got)
    assert len(one.got) < 400


def test_a_smaller_case_that_passes_is_not_shown(machine: Machine) -> None:
    one = explained(DOUBLE, body("return items * 2 if len(items) < 2 else None"), machine)
    assert (one.call, one.got) == ("double([1, 2, 3])", "-> None")
    assert (one.passed, one.total, one.outcome) == (2, 5, "PartialLow")


@pytest.mark.parametrize(("line", "status", "detail"), [
    ("while True: pass", "timeout", "CPU"), ("import os; os._exit(3)", "crashed", ""), ("return object()", "unencodable", "object"),
])
def test_an_answer_that_gave_nothing_says_why(line: str, status: str, detail: str, machine: Machine) -> None:
    one = explained(DOUBLE, body(line), machine)
    assert (one.call, one.got, one.status) == ("double([7])", "", status)
    assert detail in one.detail


LONG = make_task(
    "longest", 'def longest(words, limit=3):\n    """Return the first of the longest words."""\n    return max(words, key=len, default="")\n',
    [(["seven", "three", "eight", "fine", "one"], 7), (["alpha", "omega", "bravo", "tango"], 9)],
)


def test_a_smaller_input_is_found_on_which_the_answer_differs(machine: Machine) -> None:
    last = "def longest(words, limit=3):\n    return max(reversed(words), key=len, default='')\n"
    found = shrunk(LONG, last, LONG.cases[0], machine)
    assert found is not None and found.outcome.answer is not None
    words, _ = map(decode, found.case.args)
    assert len(words) == 2 and words[0] != words[1]
    assert (found.case.expected.value, found.outcome.answer.value) == (words[0], words[1])


@pytest.mark.parametrize(("contract", "kept"), [
    (("len(words) >= 3", "all(re.fullmatch('[a-z]+', word) for word in words)"), True),
    (("limit > 100",), False), (("len(words",), False),
])
def test_a_smaller_input_keeps_to_the_contract(contract: tuple[str, ...], kept: bool, machine: Machine) -> None:
    last = "def longest(words, limit=3):\n    return max(reversed(words), key=len, default='')\n"
    found = shrunk(replace(LONG, contract=contract), last, LONG.cases[0], machine)
    assert (found is not None) == kept
    if found is not None:
        words, _ = map(decode, found.case.args)
        assert len(words) == 3 and all(words) and found.case.expected.kind == "returned"


def test_what_can_not_be_smaller_or_is_nonsense_when_smaller_stays(machine: Machine) -> None:
    first = make_task("first", 'def first(items):\n    """Return the first."""\n    return items[0]\n', [([5],), ([7, 8],)])
    assert shrunk(first, "def first(items):\n    return items[0] + (items[0] == 5)\n", first.cases[0], machine) is None


def test_an_evaluation_shows_a_smaller_input(made: Release) -> None:
    task = next(one for one in made.tasks if one.entry_point == "runs")
    wrong = "def runs(text):\n    return [(c, 1) for c in text]\n"
    evaluation = evaluate(made, [Sample(task.task_id, 0, wrong, 1)], Options(explain=True, partial=True), "samples")
    (failure,) = evaluation.failures or ()
    assert failure.case is not None
    shown = text.render(evaluation)
    assert (failure.shrunk is None) == ("a smaller input" not in shown)
    assert failure.shrunk is None or len(failure.shrunk[0]) < len(failure.call)


def test_code_that_does_not_load_is_explained_without_a_call(machine: Machine) -> None:
    one = explained(DOUBLE, "def double(:\n", machine)
    assert (one.call, one.expected, one.got, one.outcome) == ("", "", "", "SyntaxErr")
    assert one.detail.startswith("SyntaxError")


def test_what_an_answer_gave_can_do_nothing_to_a_terminal(machine: Machine) -> None:
    code = "Evil = type('\\x1b[2J', (Exception,), {})\n\ndef double(items):\n    raise Evil('\\x1b[1m')\n"
    one = explained(DOUBLE, code, machine)
    assert (one.got + one.detail).isprintable()


def test_long_values_are_cut_and_the_place_is_told(machine: Machine) -> None:
    task = replace(DOUBLE, cases=DOUBLE.cases[-1:])
    one = explained(task, body("return items * 2 + 'y'"), machine)
    assert "characters left out" in one.call and "characters left out" in one.expected
    assert max(map(len, (one.call, one.expected, one.got, one.detail))) < 400


def test_a_number_of_too_many_digits_is_shown_as_it_is_stored(machine: Machine) -> None:
    task = make_task("power", 'def power(n):\n    """Return 10 to the n."""\n    return 10 ** n\n', [(5000,), (6000,)])
    one = explained(task, "def power(n):\n    return 10 ** n + 1\n", machine)
    assert one.call == "power(5000)"
    assert len(one.expected) < 400 and "characters left out" in one.expected
    assert one.got and len(one.got) < 400


LENIENT = "def clamp(value, low=0.0, high=1.0):\n    return max(low, min(value, high))\n"


def answers(made: Release) -> list[Sample]:
    codes = {"clamp": LENIENT, "runs": "", "merge": "def merge(first, second=None):\n    return {**first, **(second or {})}\n"}
    names = {task.task_id: task.entry_point for task in made.tasks}
    return [replace(one, code=codes.get(names[one.task_id], one.code)) for one in references(made.tasks)]


def test_the_report_has_each_failed_task_once(made: Release) -> None:
    shown = text.render(evaluate(made, answers(made), Options(explain=True), "samples"))
    ids = {task.entry_point: task.task_id for task in made.tasks}
    assert "3 tasks with a failed answer; of each the failing case with the smallest arguments:" in shown
    assert (
        f"{ids['merge']}  merge  (PartialHigh, 5 of 6 cases passed)\n"
        "    merge({'a': 1}, {'a': 2})\n    expected: -> {'a': 3}\n    got:      -> {'a': 2}\n"
    ) in shown
    assert "    expected: raises ValueError('empty range')\n" in shown
    assert f"{ids['runs']}  runs  (NoAnswer, 0 of 11 cases passed)\n    there is no code in the answer\n" in shown
    assert ids["medians"] not in shown


def test_explanations_come_from_the_results_file_too(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "r.jsonl", explain=True)
    fresh, again = (evaluate(made, answers(made), options, "samples") for _ in range(2))
    assert (fresh.taken_over, again.taken_over) == (0, 5)
    assert fresh.failures == again.failures
    record = json.loads(as_json.render(again))["failures"]
    assert [one["entry_point"] for one in record] == [one.entry_point for one in fresh.failures or ()]


def test_older_results_are_explained_without_what_was_given(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "r.jsonl", explain=True)
    fresh = evaluate(made, answers(made), options, "samples")
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    for row in rows:
        row.pop("smallest_failure", None)
    (tmp_path / "r.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    again = evaluate(made, answers(made), options, "samples")
    assert [one.call for one in again.failures or ()] == [one.call for one in fresh.failures or ()]
    assert all(one.got == "" for one in again.failures or ())


def test_of_several_samples_the_first_that_failed_is_shown(made: Release) -> None:
    given = [*references(made.tasks), *(replace(one, number=1) for one in stubs(made.tasks))]
    result = evaluate(made, given, Options(explain=True), "samples")
    assert {(one.sample, one.perfect, one.samples) for one in result.failures or ()} == {(1, 1, 2)}
    assert "sample 1 of 2, 1 of them perfect" in text.render(result)


def test_without_failures_it_says_so_and_unasked_nothing(made: Release) -> None:
    asked, unasked = (evaluate(made, references(made.tasks), Options(explain=e), "reference") for e in (True, False))
    assert asked.failures == () and "No answer failed." in text.render(asked)
    assert unasked.failures is None and "No answer failed." not in text.render(unasked)


def test_the_text_is_bounded_and_json_is_not(made: Release) -> None:
    tasks = [replace(DOUBLE, task_id=f"c2b-{n:03}") for n in range(150)]
    failures = explain(tasks, [Verdict(t.task_id, "d", Spectrum.RUNTIME_ERR, 0, 5, "it failed") for t in tasks])
    result = replace(evaluate(made, references(made.tasks), Options(), "reference"), failures=failures)
    assert "... and 50 more; --json has all of them." in text.render(result)
    assert len(json.loads(as_json.render(result))["failures"]) == 150
