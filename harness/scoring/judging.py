"""Judging: an answer to a task goes in, a verdict comes out; the answer runs in the sandbox, the comparison here."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, as_completed, wait
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from threading import Event, Lock

from harness.errors import SandboxFailed, UserError
from harness.families import Assembled
from harness.families.frames import relative
from harness.families.registry import family_of
from harness.languages import Agree, Call, CallOutcome, Execution, LoadError, Machine, Machines, Run
from harness.languages.registry import language
from harness.records import Case, CaseResult, Comparison, Failure, Spectrum, Task, Verdict
from harness.sandbox import Limits
from harness.sandbox.contract import lowered_of
from harness.scoring.smallest import smallest

MAX_SOLUTION = 1_000_000
"""Characters of an answer; more is no answer to a function's description."""

_LATE, _TICK = 1.1, 0.05
"""How much more CPU time than allowed a case may report before that is held against it: clocks are coarse."""

_WRITTEN = 16
"""How many tasks' cases are kept as the driver reads and writes them."""
_OUTPUT_FLOOR, _OUTPUT_FACTOR = 4 * 1024**2, 4
"""Bytes that all answers of a candidate together may always have, and how many times as many as the reference's."""


@dataclass(frozen=True)
class Fairness:
    """How much more CPU time than the reference an answer may take, per case and for all, and what it always may.

    `case_floor` has room for a large library that only the answer imports, within its function. `idle_floor` are the
    seconds, of all cases together, in which it may neither compute nor wait for a processor.
    """

    factor: float = 10.0
    case_floor: float = 3.0
    total_floor: float = 10.0
    idle_floor: float = 10.0
    memory_bytes: int = 2 * 1024**3


@dataclass(frozen=True)
class Timing:
    """The CPU seconds of the reference on this machine: of each case, and of loading and all cases together.

    `output_bytes` is what it reports, `idle` the seconds in which it did not even want to compute.
    """

    cases: tuple[float, ...]
    total: float
    output_bytes: int = 0
    idle: float = 0.0


_USUAL = Fairness()
_PASSED = CaseResult("passed")


def judge(
    task: Task, solution: str, machine: Machine, fairness: Fairness = _USUAL, timing: Timing | None = None,
) -> Verdict:
    """The verdict on one answer; raises `SandboxFailed`, which is never scored, where running failed twice.

    `timing` is that of the reference, in this run on this machine; without it, the reference is measured first.
    """
    if len(solution) > MAX_SOLUTION:
        detail = f"the answer has {len(solution)} characters, more than {MAX_SOLUTION}"
        return Verdict(task.task_id, task.task_digest, Spectrum.SYNTAX_ERR, 0, len(task.cases), detail)
    timing = timing or measure(task, machine, fairness)
    seconds = [max(fairness.case_floor, fairness.factor * case) for case in timing.cases]
    cpu = max(fairness.total_floor, fairness.factor * timing.total)
    output = max(_OUTPUT_FLOOR, _OUTPUT_FACTOR * timing.output_bytes)
    idle = max(fairness.idle_floor, fairness.factor * timing.idle)
    limits = replace(_limits(cpu, fairness), output_bytes=output, idle_seconds=idle)
    made = family_of(task).program(task, solution)
    if made.unfit:
        return _not_loaded(task, LoadError(made.unfit, is_syntax=True))
    run = _told_of_answer(_run(task, made, machine, seconds, limits), made)
    if run.load_error is not None:
        return _not_loaded(task, run.load_error)
    judged, agree = zip(task.cases, run.outcomes, seconds, strict=True), language(task.language).values.agree
    cases = tuple(_case(case, outcome, task.comparison, most, agree) for case, outcome, most in judged)
    return _verdict(task, cases, run.outcomes)


def judge_all(
    jobs: Iterable[tuple[Task, str]], machine: Machine | Machines, workers: int = 1,
    fairness: Fairness = _USUAL, tasks: Iterable[Task] = (),
) -> Iterator[Verdict]:
    """The verdicts in the order of the jobs; otherwise as `judged`."""
    with _pool(machine, workers, fairness, tasks) as submit:
        running: deque[Future[Verdict]] = deque()
        for task, solution in jobs:
            running.append(submit(task, solution))
            if len(running) > 2 * workers:
                yield running.popleft().result()
        while running:
            yield running.popleft().result()


def judged(
    jobs: Iterable[tuple[Task, str]], machine: Machine | Machines, workers: int = 1,
    fairness: Fairness = _USUAL, tasks: Iterable[Task] = (),
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts as they come, each with the place of its job; `workers` are judged at a time.

    The jobs are read only a little ahead. Each task's reference is measured once, so that limits are those of this
    machine under its present load. Answers run in forks of warm processes that have imported what the references of
    `tasks` import, where that is possible. What still runs when nobody wants more of it, or at an interrupt, ends.
    """
    with _pool(machine, workers, fairness, tasks) as submit:
        running: dict[Future[Verdict], int] = {}
        for place, (task, solution) in enumerate(jobs):
            running[submit(task, solution)] = place
            if len(running) > 2 * workers:
                done = wait(running, return_when=FIRST_COMPLETED).done
                yield from ((running.pop(one), one.result()) for one in done)
        yield from ((running[one], one.result()) for one in as_completed(running))


@contextmanager
def _pool(
    machine: Machine | Machines, workers: int, fairness: Fairness, tasks: Iterable[Task]
) -> Iterator[Callable[[Task, str], Future[Verdict]]]:
    """What judges an answer when one of so many workers is free; all that it does ends with it."""
    stop = Event()
    warm = Warm(machine, stop, tasks)
    timings = _Timings(lambda task: measure(task, warm.machine(task), fairness))
    pool = ThreadPoolExecutor(max(1, workers), thread_name_prefix="judge")

    def verdict(task: Task, solution: str) -> Verdict:
        return judge(task, solution, warm.machine(task), fairness, timings.of(task))

    try:
        yield lambda task, solution: pool.submit(verdict, task, solution)
    finally:
        stop.set()
        pool.shutdown(wait=True, cancel_futures=True)
        warm.close()


def measure(task: Task, machine: Machine, fairness: Fairness = _USUAL) -> Timing:
    """Run the reference on the task's cases and note its CPU time; a case that it does not finish counts as nothing."""
    generous = _limits(60 * fairness.total_floor, fairness)
    made = family_of(task).program(task, task.reference)
    run = _run(task, made, machine, [60.0] * len(task.cases), generous, exact=True)
    low = "" if _finished(run) else lowered_of(generous)
    if low:
        raise UserError(f"The reference of {task.task_id} does not run under this shell's limits: {low}.")
    cases = [outcome.cpu_seconds for outcome in run.outcomes] or [0.0] * len(task.cases)
    return Timing(tuple(cases), run.cpu_seconds, run.output_bytes, run.idle_seconds)


def _told_of_answer(run: Run, made: Assembled) -> Run:
    """What became of a program, with its lines counted in the answer."""
    if not made.before:
        return run
    error = run.load_error and run.load_error._replace(text=relative(run.load_error.text, made))
    told = tuple(outcome._replace(where=relative(outcome.where, made)) for outcome in run.outcomes)
    return replace(run, load_error=error, outcomes=told)


def _finished(run: Run) -> bool:
    """Whether there is an answer to each case."""
    return run.load_error is None and all(one.answer is not None or one.status == "known" for one in run.outcomes)


class Warm:
    """The machine with warm processes for each track, made when its first task comes; a context manager."""

    def __init__(self, machine: Machine | Machines, stop: Event | None, tasks: Iterable[Task]):
        self.cold, self.stop = machine, stop
        self.lock = Lock()
        self.open = ExitStack()
        self.known: dict[str, Machine] = {}
        self.references: dict[str, list[str]] = {}
        for task in tasks:
            program = family_of(task).program(task, task.reference).program
            self.references.setdefault(task.track, []).append(program)

    def machine(self, task: Task) -> Machine:
        """The machine for a task."""
        with self.lock:
            if task.track not in self.known:
                cold = replace(self.cold.of(task.language), stop=self.stop)
                warmed = language(task.language).running.warmed(cold, self.references.get(task.track, ()))
                self.known[task.track] = self.open.enter_context(warmed)
            return self.known[task.track]

    def __enter__(self) -> Warm:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End the warm processes."""
        self.open.close()


class _Timings:
    """The timing of each task, measured once, whichever thread asks first; variants with its cases share it."""

    def __init__(self, measured: Callable[[Task], Timing]):
        self.measured = measured
        self.lock = Lock()
        self.locks: dict[tuple[str, int], Lock] = {}
        self.known: dict[tuple[str, int], tuple[tuple[Case, ...], Timing]] = {}

    def of(self, task: Task) -> Timing:
        """The timing of a task."""
        key = task.task_id, id(task.cases)
        with self.lock:
            lock = self.locks.setdefault(key, Lock())
        with lock:
            if key not in self.known:
                # The cases are kept, so that no others get their identity.
                self.known[key] = task.cases, self.measured(task)
            return self.known[key][1]


def _limits(cpu: float, fairness: Fairness) -> Limits:
    """Wall time is far beyond what the CPU time takes on a busy machine: what sleeps ends by its idle time."""
    return Limits(cpu_seconds=cpu, wall_seconds=max(120.0, 10 * cpu), memory_bytes=fairness.memory_bytes)


def _run(
    task: Task, made: Assembled, machine: Machine, seconds: Sequence[float], limits: Limits, exact: bool = False
) -> Run:
    cases = zip(task.cases, seconds, *_written(task), strict=True)
    calls = [Call(case.args, case.kwargs, cpu, told, known) for case, cpu, told, known in cases]
    limits = replace(limits, stop=machine.stop)
    run_calls = language(task.language).running.run_calls
    execution = Execution(
        made.program, made.entry_point or task.entry_point, calls, limits, watching=task.comparison.mutation,
        lenient=True, exact=exact)
    try:
        return run_calls(execution, machine)
    except SandboxFailed:
        if machine.stop is not None and machine.stop.is_set():
            raise
        with _explained(limits):
            return run_calls(execution, machine)


@contextmanager
def _explained(limits: Limits) -> Iterator[None]:
    """Where the sandbox fails under limits that are lower than ours, blame these: the user can raise them."""
    try:
        yield
    except SandboxFailed as error:
        low = lowered_of(limits)
        if not low:
            raise
        raise UserError(f"Answers can't be run under this shell's limits ({error}): {low}.") from None


class _Kept:
    """The cases of the tasks that were asked for last: their calls as they are told, their answers as reported."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.kept: dict[tuple[str, bool], tuple[tuple[Case, ...], list[bytes], list[bytes]]] = {}

    def of(self, task: Task) -> tuple[list[bytes], list[bytes]]:
        """Those of a task."""
        watching = task.comparison.mutation
        key = task.task_id, watching
        with self.lock:
            found = self.kept.pop(key, None)
        if found is None or found[0] is not task.cases:
            running = language(task.language).running
            calls = [running.as_told(Call(case.args, case.kwargs)) for case in task.cases]
            found = task.cases, calls, [running.as_reported(case.expected, watching) for case in task.cases]
        with self.lock:
            self.kept[key] = found
            if len(self.kept) > _WRITTEN:
                del self.kept[next(iter(self.kept))]
        return found[1:]


_written = _Kept().of


def _case(case: Case, outcome: CallOutcome, rule: Comparison, seconds: float, agree: Agree) -> CaseResult:
    """What became of one case, for which an answer had so many CPU seconds; it may have stopped the driver's clock."""
    if outcome.status == "known" and not outcome.cpu_seconds:
        return _PASSED
    answered = outcome.answer is not None or outcome.status == "known"
    if answered and outcome.cpu_seconds > _LATE * seconds + _TICK:
        return CaseResult("timeout", f"CPU time: {outcome.cpu_seconds:.1f} s in place of {seconds:.1f}")
    if outcome.status == "known":
        return _PASSED
    if outcome.answer is None:
        return CaseResult(outcome.status, _said(outcome.detail, outcome.where))
    difference = agree(case.expected, outcome.answer, rule, outcome.bases)
    if rule.mutation and not difference:
        # A detail beside an answer says that its changed arguments can't be carried; no expected answer has one.
        difference = outcome.detail
    if not difference:
        return _PASSED
    if outcome.status == "raised":
        text = outcome.answer.message[:200]
        return CaseResult("raised", _said(f"{outcome.answer.exception}: {text}", outcome.where))
    return CaseResult("wrong", difference)


def _said(detail: str, where: str) -> str:
    return f"{detail} ({where})" if where else detail


def _not_loaded(task: Task, error: LoadError) -> Verdict:
    """The verdict on code that could not be loaded: all of its cases count as not passed."""
    hung = Spectrum.TIMEOUT if error.hung else Spectrum.RUNTIME_ERR
    outcome = Spectrum.SYNTAX_ERR if error.is_syntax else hung
    return Verdict(task.task_id, task.task_digest, outcome, 0, len(task.cases), error.text)


def _verdict(task: Task, cases: tuple[CaseResult, ...], outcomes: Sequence[CallOutcome]) -> Verdict:
    failed = [place for place, case in enumerate(cases) if case.status != "passed"]
    detail = f"case {failed[0]} {cases[failed[0]].status}: {cases[failed[0]].detail}" if failed else ""
    passed = len(cases) - len(failed)
    failure = _failure(task, failed, outcomes)
    place = family_of(task).verdict(task, cases)
    return Verdict(task.task_id, task.task_digest, place, passed, len(cases), detail, cases, failure)


def _failure(task: Task, failed: Sequence[int], outcomes: Sequence[CallOutcome]) -> Failure | None:
    """What to show of the failed cases."""
    place = smallest(task.cases, failed)
    if place is None:
        return None
    given = outcomes[place].answer
    said = "" if given is None else language(task.language).values.candidates_answer(given)
    return Failure(place, said and _said(said, outcomes[place].where))
