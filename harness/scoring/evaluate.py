"""Judging many answers to a release: streamed to a file as they come, taken up again where a killed run ended."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from harness import __version__
from harness.answers.samples import Sample
from harness.errors import UserError
from harness.families.registry import family_of
from harness.languages import Machines, Runtime
from harness.prompts import prompts_hash
from harness.records import Spectrum, Task, Verdict
from harness.releases.ages import Age, Cutoff, younger
from harness.releases.dataset import Release
from harness.releases.lite import Agreement, agreement, lite
from harness.rewordings import INITIAL, strategy_of
from harness.runtime import Consent, announced, ensure_runtime
from harness.sandbox.choice import BUBBLEWRAP, choose
from harness.scoring.explain import Explanation, explain, with_shrunk
from harness.scoring.judging import Warm
from harness.scoring.judging import judged as judged_as_they_come
from harness.scoring.metrics import Score, score
from harness.scoring.results import Key, Run, without_details
from harness.scoring.results_file import ResultsFile
from harness.scoring.slices import slices
from harness.scoring.store import Store
from harness.scoring.subject import NOBODY, Subject
from harness.variants import Variant, derived

Place = tuple[str, str]
"""The id of a task, and that of its variant, "" for the task itself."""


@dataclass(frozen=True)
class Options:
    """How to judge: where results are kept (None: nowhere), processes (0: all cores), isolation; what is scored.

    `lite` runs each task's lite selection of cases alone. `by` names keys of `SLICES`; `explain` asks for explanations.
    Where there are `variants`, they are scored in place of the tasks. `subject` is who has answered; what was judged is
    kept in the `store` as well, where there is one. `consent` is told before a runtime is made, and `ready` when all
    that can be refused was looked at, before the first answer is judged.
    """

    output: Path | None = None
    workers: int = 0
    unprotected: bool = False
    sandbox: str = BUBBLEWRAP
    partial: bool = False
    lite: bool = False
    younger_than: Cutoff | None = None
    by: tuple[str, ...] = ()
    explain: bool = False
    variants: tuple[Variant, ...] = ()
    subject: Subject = NOBODY
    store: Path | None = None
    consent: Consent = announced
    ready: Callable[[], object] = lambda: None


@dataclass(frozen=True)
class Evaluation:
    """What came out: the run, the numbers of all tasks and of each track, how many verdicts were there already.

    `age` is there where a cutoff was given, `slices` for each property that was asked for, `agreement` of lite and full
    in full runs on tasks with lite selections, `failures` where explanations were asked for.
    """

    run: Run
    score: Score
    tracks: dict[str, Score]
    taken_over: int
    notes: tuple[str, ...] = ()
    age: Age | None = None
    slices: dict[str, dict[str, Score]] = field(default_factory=dict)
    agreement: Agreement | None = None
    failures: tuple[Explanation, ...] | None = None


class Progress(Protocol):
    """What is told of each verdict as it comes."""

    def update(self, n: int) -> object:
        """So many more are done."""
        ...


def machine_for(
    release: Release, unprotected: bool = False, sandbox: str = BUBBLEWRAP, consent: Consent = announced
) -> Machines:
    """The sandbox and the runtimes that answers to the release run in, which are made where they are missing.

    `consent` is told first. Raises `UserError`.
    """
    isolation = choose(unprotected, sandbox)
    made = (ensure_runtime(lock, name, consent) for name, lock in sorted(release.locks.items()))
    return Machines(isolation, tuple(made))


def describe(
    release: Release, machine: Machines, answers: str, cases: str = "full", subject: Subject = NOBODY,
    tasks: Iterable[Task] | None = None,
) -> Run:
    """What results must carry, so that only equals are compared; `cases` is `full` or `lite`. The run begins now.

    `tasks` are those that are asked, where these are not the release's.
    """
    return Run(
        release=release.name,
        source=release.source,
        revision=release.revision,
        manifest_sha256=release.manifest_sha256,
        harness=__version__,
        prompts_sha256=prompts_hash(release.tasks if tasks is None else tasks),
        runtime=_of_each(machine.runtimes, lambda runtime: runtime.version),
        runtime_sha256=_of_each(machine.runtimes, lambda runtime: runtime.lock_sha256),
        isolation=machine.sandbox.isolation,
        answers=answers,
        cases=cases,
        model=subject.model,
        model_revision=subject.revision,
        sampling=subject.sampling,
        date=datetime.now(UTC).isoformat(timespec="seconds"),
    )


def _of_each(runtimes: Sequence[Runtime], told: Callable[[Runtime], str]) -> str:
    """What is told of the only runtime, or of each of several with its language."""
    if len(runtimes) == 1:
        return told(runtimes[0])
    return ", ".join(f"{runtime.language} {told(runtime)}" for runtime in runtimes)


def judge_answers(
    jobs: Sequence[tuple[Task, str]], machine: Machines, workers: int = 0
) -> Iterator[tuple[int, Verdict]]:
    """The verdicts as they come, each with the place of its job; where there is no code, nothing is run."""
    coded = [(place, task, code) for place, (task, code) in enumerate(jobs) if code]
    yield from ((place, no_code(task)) for place, (task, code) in enumerate(jobs) if not code)
    tasks = {task.task_id: task for _, task, _ in coded}
    run = ((task, code) for _, task, code in coded)
    for number, verdict in judged_as_they_come(run, machine, workers or cores(), tasks=tasks.values()):
        yield coded[number][0], verdict


def no_code(task: Task, detail: str = "there is no code in the answer") -> Verdict:
    """The verdict on an answer that holds no code."""
    return Verdict(task.task_id, task.task_digest, Spectrum.NO_ANSWER, 0, len(task.cases), detail)


def cores() -> int:
    """The cores that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def scored(release: Release, options: Options) -> tuple[Task, ...]:
    """The tasks that these options score, with the cases that they run; raises `UserError` where there are none."""
    tasks = release.tasks if options.younger_than is None else younger(release.tasks, options.younger_than)
    return tuple(map(lite, tasks)) if options.lite else tasks


def asked(release: Release, options: Options) -> dict[Place, Task]:
    """The tasks that are scored by their ids and those of variants: of variants these alone, where some are given."""
    tasks = scored(release, options)
    if not options.variants:
        return {(task.task_id, ""): task for task in tasks}
    if options.explain:
        raise UserError("What fails of variants can't be explained yet; leave the explanations out.")
    whole = {task.task_id: task for task in release.tasks}
    made = derived([whole[task.task_id] for task in tasks], options.variants)
    return {place: lite(task) for place, task in made.items()} if options.lite else made


def evaluate(
    release: Release, answers: Sequence[Sample], options: Options, kind: str, progress: Progress | None = None,
) -> Evaluation:
    """Judge the answers that the results file does not hold yet, and score all of them.

    `kind` says what the answers are (`samples`, `reference`, `stub`). Tasks without an answer count as not passed,
    unless `options.partial`; answers to tasks that are not scored are left. Raises `UserError` where isolation, runtime
    or results file don't fit.
    """
    store = None if options.store is None else Store(options.store)
    machine = machine_for(release, options.unprotected, options.sandbox, options.consent)
    by_id = asked(release, options)
    run = describe(
        release, machine, kind, "lite" if options.lite else "full", options.subject,
        by_id.values() if options.variants else None)
    wanted = [answer for answer in answers if _place(answer) in by_id]
    keys = [key_of(by_id[_place(answer)], answer.code, answer.number, answer.variant) for answer in wanted]
    with ResultsFile(options.output, run) as file:
        run = file.run
        done = {key: verdict for key in keys if (verdict := file.verdict(key))}
        _check_totals(done, by_id, options.output)
        taken_over = len(done)
        todo = [(key, answer) for key, answer in zip(keys, wanted, strict=True) if key not in done]
        options.ready()
        if progress:
            progress.update(len(wanted) - len(todo))
        jobs = [(by_id[_place(answer)], answer.code) for _, answer in todo]
        for place, verdict in judge_answers(jobs, machine, options.workers):
            key, answer = todo[place]
            file.add(key, verdict, by_id[_place(answer)].entry_point)
            done[key] = without_details(verdict)
            if progress:
                progress.update(1)
    if store is not None:
        functions = {task_id: task.entry_point for (task_id, _), task in by_id.items()}
        store.add(run, [(key, done[key]) for key in keys], functions)
    judged = [(_place(answer), done[key]) for key, answer in zip(keys, wanted, strict=True)]
    made = _evaluation(release, run, by_id, judged, options, taken_over)
    return _shrunk(made, by_id, wanted, machine) if made.failures else made


def _place(answer: Sample) -> Place:
    return answer.task_id, answer.variant


def _shrunk(made: Evaluation, by_id: dict[Place, Task], answers: Sequence[Sample], machine: Machines) -> Evaluation:
    """The evaluation with smaller inputs in its explanations."""
    codes = {(answer.task_id, answer.number): answer.code for answer in answers}
    tasks = {task_id: task for (task_id, _), task in by_id.items()}
    failures = made.failures or ()
    with Warm(machine, None, [tasks[failure.task_id] for failure in failures]) as warm:
        return replace(made, failures=tuple(with_shrunk(failures, tasks, codes, warm.machine)))


def _check_totals(done: Mapping[Key, Verdict], by_id: dict[Place, Task], file: Path | None) -> None:
    for key, verdict in done.items():
        cases = len(by_id[key.task_id, key.variant].cases)
        if verdict.total != cases:
            raise UserError(
                f"{file} holds a result on {verdict.total} cases of task {verdict.task_id}, of which {cases} are run; "
                "remove it, or choose another --output."
            )


def _evaluation(
    release: Release, run: Run, by_id: dict[Place, Task], judged: list[tuple[Place, Verdict]], options: Options,
    taken_over: int,
) -> Evaluation:
    """All numbers of the verdicts on the answers to these tasks of the release."""
    if not options.partial:
        answered = {place for place, _ in judged}
        missing = [(place, no_code(task, "there is no answer")) for place, task in by_id.items()
                   if place not in answered]
        judged = [*judged, *missing]
    by_strategy = _by_strategy(judged, options)
    # What all strategies are compared with is the score; samples of several questions are none of one.
    judged = by_strategy.get(INITIAL) or judged
    agreed = None if options.lite else agreement((by_id[place], verdict) for place, verdict in judged)
    tasks, verdicts = tuple(by_id.values()), [verdict for _, verdict in judged]
    return Evaluation(
        run=run,
        score=score(verdicts),
        tracks=slices(verdicts, tasks, "track"),
        taken_over=taken_over,
        age=Age(options.younger_than, len(tasks), len(release.tasks)) if options.younger_than else None,
        slices={
            **({"strategy": {name: score(v for _, v in own) for name, own in by_strategy.items()}}
               if by_strategy else {}),
            **{by: slices(verdicts, tasks, by) for by in options.by},
        },
        agreement=agreed,
        failures=explain(tasks, verdicts) if options.explain else None,
    )


def _by_strategy(
    judged: Iterable[tuple[Place, Verdict]], options: Options
) -> dict[str, list[tuple[Place, Verdict]]]:
    """The verdicts by the strategies that have put the questions otherwise; none where none has."""
    strategies = {one.id: strategy_of(one) for one in options.variants}
    found: dict[str, list[tuple[Place, Verdict]]] = {}
    for place, verdict in judged:
        if name := strategies.get(place[1]):
            found.setdefault(name, []).append((place, verdict))
    return {name: found[name] for name in sorted(found)}


def key_of(task: Task, code: str, number: int, variant: str = "") -> Key:
    """What a verdict on the code of an answer, the `number`th to a task or its variant, is kept by."""
    sha256 = hashlib.sha256(code.encode("utf-8", "surrogatepass")).hexdigest()
    return Key(task.task_id, task.task_digest, variant, number, sha256)


def references(tasks: Iterable[Task]) -> list[Sample]:
    """The reference answers as samples: a release whose own score is not 1 is broken."""
    return [Sample(task.task_id, 0, task.reference, 0) for task in tasks]


def stubs(tasks: Iterable[Task]) -> list[Sample]:
    """Programs with the right names that do nothing: a suite that lets one pass is worth nothing."""
    return [Sample(task.task_id, 0, family_of(task).stub(task), 0) for task in tasks]


def of_variants(places: Iterable[Place], answers: Iterable[Sample]) -> tuple[Sample, ...]:
    """The answers to what is asked at these places, in the same order, with the variants that they answer."""
    return tuple(replace(one, variant=variant) for (_, variant), one in zip(places, answers, strict=True))
