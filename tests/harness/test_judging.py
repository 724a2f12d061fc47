"""The verdict: what an answer gets, and that no hostile one gets anything."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import SandboxFailed
from harness.languages import Machine
from harness.records import CaseResult, Comparison, Spectrum, Task, Verdict
from harness.sandbox import Limits, Outcome, Program, Sandbox
from harness.scoring.explain import explain
from harness.scoring.judging import MAX_SOLUTION, Fairness, Timing, judge, judge_all, judged, measure
from harness.spectrum import spectrum
from tests.harness.make_release import make_task, make_tasks

ATTACKS = Path(__file__).parent / "attacks"
HASTY = Fairness(case_floor=0.2, total_floor=0.8, idle_floor=2.0, memory_bytes=512 * 1024**2)
"""Limits that end what never ends soon enough for a test."""
PATIENT = Fairness(case_floor=1.0)

TASKS = make_tasks("sc-python") + make_tasks("wsc-python")
RUNS = next(task for task in TASKS if task.entry_point == "runs")
SQUARE = make_task("square", 'def square(n):\n    """Return n times n."""\n    return n * n\n', [(n,) for n in range(1, 101)])


def files(kind: str) -> list[Path]:
    return sorted((ATTACKS / kind).glob("*.py"))


@pytest.fixture(scope="module")
def timing(machine: Machine) -> Timing:
    """The reference, measured once as in an evaluation."""
    return measure(RUNS, machine, HASTY)


@pytest.mark.parametrize("path", files("hostile"), ids=lambda path: path.stem)
def test_a_hostile_answer_scores_nothing(path: Path, machine: Machine, timing: Timing) -> None:
    verdict = judge(RUNS, path.read_text(), machine, HASTY, timing)
    # Some give an empty list whatever they are asked, which is right for one of the cases.
    assert verdict.passed <= 1 and verdict.total == len(RUNS.cases), verdict.detail
    assert all(case.status != "passed" for case in verdict.cases[1:]), verdict.cases
    assert not Path("/tmp/harmed").exists()
    (told,) = explain([RUNS], [verdict])
    assert all(text.isprintable() and len(text) < 400 for text in (told.call, told.got, told.detail))


@pytest.mark.parametrize("path", files("odd"), ids=lambda path: path.stem)
def test_an_odd_but_right_answer_is_perfect(path: Path, machine: Machine, timing: Timing) -> None:
    verdict = judge(RUNS, path.read_text(), machine, timing=timing)
    assert verdict.perfect, verdict.detail


def test_each_attack_says_what_it_tries() -> None:
    assert len(files("hostile")) >= 60 and len(files("odd")) >= 30
    assert all(path.read_text().startswith('"""') for kind in ("hostile", "odd") for path in files(kind))


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.entry_point)
def test_references_are_perfect(task: Task, machine: Machine) -> None:
    assert judge(task, task.reference, machine).perfect


@pytest.mark.parametrize(("body", "outcome"), [
    ("return n * n", Spectrum.PERFECT), ("return n * n + (n > 99)", Spectrum.NEAR_PERF), ("return n * n + (n > 98)", Spectrum.NEAR_PERF),
    ("return n * n + (n > 97)", Spectrum.PARTIAL_HIGH), ("return n * n + (n > 60)", Spectrum.PARTIAL_HIGH),
    ("return n * n + (n > 59)", Spectrum.PARTIAL_LOW), ("return n * n + (n > 20)", Spectrum.PARTIAL_LOW),
    ("return n * n + (n > 19)", Spectrum.FAIL), ("return n * n + (n > 1)", Spectrum.FAIL), ("return n * n + 1", Spectrum.LOGIC_ERR),
    ("return None", Spectrum.LOGIC_ERR), ("return object()", Spectrum.LOGIC_ERR), ("return undefined", Spectrum.RUNTIME_ERR),
    ("raise NotImplementedError", Spectrum.RUNTIME_ERR), ("return 1 // (n - n) if n > 50 else None", Spectrum.LOGIC_ERR),
    ("return (", Spectrum.SYNTAX_ERR),
])
def test_the_place_in_the_spectrum(body: str, outcome: Spectrum, machine: Machine) -> None:
    assert judge(SQUARE, f"def square(n):\n    {body}\n", machine).outcome is outcome


@pytest.mark.parametrize(("solution", "outcome", "detail"), [
    ("", Spectrum.RUNTIME_ERR, "NameError: the entry point square is not defined"), ("import nowhere", Spectrum.RUNTIME_ERR, "ModuleNotFoundError"),
    ("def other(n): return n * n", Spectrum.RUNTIME_ERR, "NameError"), ("I would write:", Spectrum.SYNTAX_ERR, "SyntaxError"),
    ("raise SyntaxError", Spectrum.RUNTIME_ERR, "raised SyntaxError"), ("x" * (MAX_SOLUTION + 1), Spectrum.SYNTAX_ERR, "the answer has 1000001 characters"),
    ("def square(n):\n    while True: pass", Spectrum.TIMEOUT, "case 0 timeout: CPU time (line 2 in square)"),
])
def test_what_is_said_of_a_failure(solution: str, outcome: Spectrum, detail: str, machine: Machine) -> None:
    verdict = judge(SQUARE, solution, machine, HASTY)
    assert verdict.outcome is outcome and verdict.detail.startswith(detail), verdict
    assert (verdict.passed, verdict.total) == (0, 100)


@given(st.lists(st.sampled_from(["passed", "wrong", "raised", "timeout", "crashed", "unencodable"]), min_size=1, max_size=8), st.randoms(use_true_random=False))
def test_the_spectrum_does_not_depend_on_the_order_of_cases(statuses: list[str], random: object) -> None:
    cases = [CaseResult(status) for status in statuses]
    assert spectrum(cases) is spectrum(cases[::-1])
    assert (spectrum(cases) is Spectrum.PERFECT) == (set(statuses) == {"passed"})


def test_rules_of_the_task_are_followed(machine: Machine) -> None:
    reversed_order = "def runs(text):\n    import itertools\n    return [(k, len(list(g))) for k, g in itertools.groupby(text)][::-1]\n"
    assert not judge(RUNS, reversed_order, machine).perfect
    assert judge(replace(RUNS, comparison=Comparison(unordered=True)), reversed_order, machine).perfect


def test_changed_arguments_fail_where_the_task_says_so(machine: Machine) -> None:
    merge = next(task for task in TASKS if task.entry_point == "merge")
    clobbers = "def merge(first, second=None):\n    for k, v in (second or {}).items():\n        first[k] = first.get(k, 0) + v\n    return first\n"
    assert judge(merge, clobbers, machine).perfect
    verdict = judge(replace(merge, comparison=replace(merge.comparison, mutation=True)), clobbers, machine)
    assert "changed its arguments" in verdict.detail


def test_a_change_of_arguments_that_can_not_be_told_is_none_the_less(machine: Machine) -> None:
    merge = next(task for task in TASKS if task.entry_point == "merge")
    spoils = merge.reference.replace("    return total", "    first['x'] = object()\n    return total")
    assert spoils != merge.reference and judge(merge, spoils, machine).perfect
    verdict = judge(replace(merge, comparison=replace(merge.comparison, mutation=True)), spoils, machine)
    assert verdict.passed == 0 and "arguments after the call: an object" in verdict.detail


def test_many_are_judged_in_order(machine: Machine) -> None:
    jobs = [(task, task.reference if n % 2 else "x = 1") for n in range(4) for task in TASKS]
    verdicts = list(judge_all(jobs, machine, workers=3, fairness=HASTY))
    assert [v.task_id for v in verdicts] == [task.task_id for task, _ in jobs]
    assert [v.perfect for v in verdicts] == [solution != "x = 1" for _, solution in jobs]


def test_jobs_are_read_only_a_little_ahead(machine: Machine) -> None:
    read = []

    def jobs() -> Iterator[tuple[Task, str]]:
        for number in range(100):
            read.append(number)
            yield SQUARE, SQUARE.reference

    verdicts = judge_all(jobs(), machine, workers=2)
    assert [verdict.perfect for verdict in islice(verdicts, 3)] == [True] * 3
    verdicts.close()  # type: ignore[attr-defined]
    assert len(read) < 12


def test_limits_are_multiples_of_the_reference(machine: Machine) -> None:
    slow = 'def slow(n):\n    """Count for long."""\n    for _ in range(n * 400_000):\n        pass\n    return n\n'
    task = make_task("slow", slow, [(n,) for n in (1, 2, 20)])
    timing = measure(task, machine)
    assert len(timing.cases) == 3 and 0 < timing.cases[0] < timing.cases[2] <= timing.total
    tight = Fairness(case_floor=0.001, total_floor=0.5)
    assert judge(task, slow.replace("400_000", "1_000_000"), machine, tight).perfect
    assert judge(task, slow.replace("400_000", "40_000_000"), machine, tight).passed == 0


STOPS_THE_CLOCK = '''
import signal, time

def square(n):
    """Right, but late once, with the driver's clock stopped."""
    if n == 7:
        signal.setitimer(signal.ITIMER_PROF, 0)
        end = time.thread_time() + 0.4
        while time.thread_time() < end:
            pass
    return n * n
'''


def test_a_case_that_stops_the_clock_is_late_all_the_same(machine: Machine) -> None:
    verdict = judge(SQUARE, STOPS_THE_CLOCK, machine, HASTY)
    assert [place for place, case in enumerate(verdict.cases) if case.status != "passed"] == [6]
    assert verdict.cases[6].status == "timeout"


def test_answers_that_are_far_larger_than_the_reference_s_end_the_run(machine: Machine) -> None:
    verdict = judge(SQUARE, "def square(n):\n    return 'x' * 9_000_000", machine)
    assert "too large" in " ".join(case.detail for case in verdict.cases) and verdict.passed == 0


def test_a_large_file_of_its_own_is_no_output(machine: Machine) -> None:
    program = "import os\n\ndef square(n):\n    with open('big', 'wb') as file:\n        file.write(bytes(30_000_000))\n    os.remove('big')\n    return n * n"
    few = replace(SQUARE, cases=SQUARE.cases[:3])
    assert judge(few, program, machine).perfect


class Flaky:
    """A sandbox of ours that fails the first time, or always."""

    name = isolation = "flaky"

    def __init__(self, inner: Sandbox, failures: int):
        self.inner, self.failures = inner, failures

    def run(self, program: Program, limits: Limits) -> Outcome:
        if self.failures:
            self.failures -= 1
            raise SandboxFailed("lost")
        return self.inner.run(program, limits)


def test_our_own_failure_is_retried_once_and_never_scored(machine: Machine) -> None:
    def judged(failures: int) -> Verdict:
        return judge(SQUARE, SQUARE.reference, Machine(Flaky(machine.sandbox, failures), machine.runtime))

    assert judged(1).perfect
    with pytest.raises(SandboxFailed):
        judged(2)


def test_the_verdict_is_the_same_on_a_busy_machine(machine: Machine) -> None:
    start = time.monotonic()
    jobs = [(SQUARE, SQUARE.reference), (SQUARE, "def square(n):\n    while True: pass")] * 2
    assert [v.outcome for v in judge_all(jobs, machine, 8, HASTY)] == [Spectrum.PERFECT, Spectrum.TIMEOUT] * 2
    assert time.monotonic() - start < 60


STOPS_ALL_CLOCKS = '''
import gc, time
burn, began = 0.0, time.thread_time

for module in [time]:
    now = time.thread_time
    for name in ("process_time", "thread_time"):
        setattr(time, name, lambda: 0.5)

def square(n):
    """Right, but late at some numbers, with the driver's own clocks replaced."""
    if n in {late}:
        end = now() + {seconds}
        while now() < end:
            pass
    return n * n
'''


@pytest.mark.parametrize(("late", "seconds", "passed"), [
    pytest.param((7,), 1.5, 99, marks=pytest.mark.slow), ((7, 50), 1.5, 98),
    pytest.param((100,), 1.5, 99, marks=pytest.mark.slow), ((7, 8, 9), 0.5, 100),
])
def test_time_that_the_driver_was_not_told_of_counts(late: tuple[int, ...], seconds: float, passed: int, machine: Machine) -> None:
    code = STOPS_ALL_CLOCKS.replace("{late}", repr(late)).replace("{seconds}", repr(seconds))
    for where in (machine, None):
        if where is not None:
            verdict = judge(SQUARE, code, where, PATIENT)
        else:
            (verdict,) = judge_all([(SQUARE, code)], machine, fairness=PATIENT, tasks=[SQUARE])
        wrong = [place + 1 for place, case in enumerate(verdict.cases) if case.status != "passed"]
        assert verdict.passed <= passed and set(late) & set(wrong) == (set(late) if passed < 100 else set()), (wrong, verdict.detail)


def test_children_that_compute_are_no_hidden_time(machine: Machine) -> None:
    code = "import os, time\n\ndef square(n):\n    if n % 2 and not os.fork():\n        end = time.process_time() + 0.05\n        while time.process_time() < end: pass\n        os._exit(0)\n    if n % 2: os.wait()\n    return n * n\n"
    assert judge(SQUARE, code, machine).perfect


def test_an_exception_of_a_more_special_type_is_as_good(machine: Machine) -> None:
    clamp = next(task for task in TASKS if task.entry_point == "clamp")
    for kind, right in (("UnicodeError", True), ("Mine", True), ("Fake", False), ("RuntimeError", False), ("Exception", False)):
        code = clamp.reference.replace("raise ValueError", f"raise {kind}")
        code = f"class Mine(ValueError): pass\nclass Fake(Exception): pass\nFake.__name__ = 'ValueError'\n{code}"
        assert judge(clamp, code, machine).perfect is right, kind


def test_verdicts_come_as_they_are_made(machine: Machine) -> None:
    slow = "def square(n):\n    while True: pass\n"
    jobs = [(SQUARE, slow), (SQUARE, SQUARE.reference), (SQUARE, SQUARE.reference)]
    assert [place for place, _ in judged(jobs, machine, 2, HASTY)] == [1, 2, 0]


def test_what_runs_ends_when_nobody_wants_more(machine: Machine) -> None:
    hangs = "import time\ntime.sleep(1000)"
    patient = Fairness(idle_floor=900.0)
    verdicts = judged([(SQUARE, SQUARE.reference), (SQUARE, hangs), (SQUARE, hangs)], machine, 3, patient)
    assert next(verdicts)[1].perfect
    start = time.monotonic()
    verdicts.close()  # type: ignore[attr-defined]
    assert time.monotonic() - start < 90


def test_an_answer_of_few_characters_that_stands_for_much_costs_the_judge_nothing(machine: Machine) -> None:
    task = make_task("ones", 'def ones(n):\n    """Return ones."""\n    return [1] * n\n', [(n,) for n in range(1, 40)])
    code = "import numpy as np, pandas as pd\n\ndef ones(n):\n    found = np.empty(1, dtype=object)\n    found[0] = pd.RangeIndex(20_000_000)\n    return found\n"
    judge(task, task.reference, machine)
    start = time.process_time()
    verdict = judge(task, code, machine)
    assert time.process_time() - start < 1 and verdict.passed == 0 and "RangeIndex" in verdict.detail
