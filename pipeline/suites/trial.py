"""A suite for one function outside of any build: what came of it, with its cost, as `code2bench suite` tells it."""

from __future__ import annotations

import os
import time
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from harness.languages import Machine
from harness.records import digest
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import SuiteConfig
from pipeline.suites.drafts import Ablation, Draft, Refused, SuiteDraft, SuiteRequest
from pipeline.suites.metering import ANSWERS, MUTANTS, PHASES, SEARCH, START, Metered
from pipeline.suites.oracle import Recorded, Unanswered, finish, lite_of
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.selection.mutation_score import sharpness

GROUP = 12
"""How many functions share one start of the process that searches."""


@dataclass(frozen=True)
class Job:
    """A function to try: `file` is where it stands, `lock` the lock of the runtime to try it in.

    With an `ablation` some rules are left out, and the trial tells which ones have fired.
    """

    request: SuiteRequest
    config: SuiteConfig
    lock: Path
    file: str = ""
    ablation: Ablation | None = None


@dataclass(frozen=True)
class Trial:
    """What came of a function.

    `higher_order_score` is the share of mutants with two or three changes that some case kills; `entry_score` is the
    function's own share where it has members, and `excused` what is proved out of reach in those.
    `usual` is the number of cases that keep to what documentation and names suggest.
    `unmet` are outcomes of conditions and loops that no case has; `easiest` names the stub that passes the most cases,
    with their share; `lite` is the number of cases of the lite selection.

    `reason` is empty where there is a suite (a function may leave with all of its branches covered); coverage and
    scores are shares from 0 to 1, None where there is none.
    `search_cpu_seconds` is the search for inputs alone, `cpu_seconds` everything, the starts of the sandbox included;
    `steps` are the CPU seconds of each of `phases.PHASES`, where `start` is that of the process that searches, and
    answers and mutants include those of their own. `starts` is the number of all starts, with a share of
    the one that several functions have together.
    """

    file: str
    function: str
    reason: str
    evidence: str
    branches: int | None
    branch_coverage: float | None
    uncovered: tuple[str, ...]
    cases: int
    raising: int
    usual: int
    distinct_answers: int
    mutation_score: float | None
    higher_order_score: float | None
    survivors: tuple[str, ...]
    unmet: tuple[str, ...]
    easiest: dict[str, Any] | None
    lite: int
    parameters: tuple[dict[str, Any], ...] = field(default=())
    search_cpu_seconds: float = 0.0
    cpu_seconds: float = 0.0
    steps: dict[str, float] = field(default_factory=dict)
    starts: float = 0.0
    fired: tuple[str, ...] = ()
    entry_score: float | None = None
    excused: tuple[str, ...] = ()


def attempt(jobs: Sequence[Job]) -> list[Trial]:
    """Build a suite for each function, record its answers and run its mutants, all in the sandbox.

    The functions, which have to be tried with one configuration, share the start of the process that searches; each
    one's part of that is the same.
    """
    first = jobs[0]
    clock = _Clock(Metered(choose()))
    machine = Machine(clock.sandbox, find_runtime(first.lock))
    answers = build_suites([job.request for job in jobs], first.config, machine, first.ablation)
    start = clock.lap() - sum(draft.cpu_seconds for draft in answers)
    share = max(0.0, start) / len(jobs), clock.sandbox.runs / len(jobs)
    return [_trial(job, draft, machine, clock, share) for job, draft in zip(jobs, answers, strict=True)]


def groups(jobs: Sequence[Job], workers: int = 0) -> list[list[Job]]:
    """The jobs in groups for `attempt`, small enough that all workers have some."""
    size = max(1, min(GROUP, len(jobs) // (2 * (workers or len(os.sched_getaffinity(0))))))
    return [list(jobs[place : place + size]) for place in range(0, len(jobs), size)]


def _trial(job: Job, draft: Draft, machine: Machine, clock: _Clock, share: tuple[float, float]) -> Trial:
    request, config, runs = job.request, job.config, clock.sandbox.runs
    steps = draft.steps | {START: share[0]}
    if isinstance(draft, Refused):
        outcome = _Outcome(0, draft.reason, draft.evidence)
        clock.lap()
    else:
        recorded = finish(request.program, request.entry_point, draft, config, machine)
        steps[ANSWERS] = clock.lap()
        outcome = _answered(request, draft, recorded, config, machine)
    steps[MUTANTS] = clock.lap()
    spent = sum(steps[name] for name in (START, ANSWERS, MUTANTS) if name in steps) + draft.cpu_seconds
    made = draft if isinstance(draft, SuiteDraft) else None
    came = draft.reached if isinstance(draft, Refused) else None
    return Trial(
        file=job.file, function=request.entry_point, reason=outcome.reason, evidence=outcome.evidence,
        branches=made.branches if made else came.branches if came else None,
        branch_coverage=1.0 if made else came.coverage if came else None,
        uncovered=came.uncovered if came else (),
        cases=outcome.cases,
        raising=made.raising if made else 0,
        usual=made.usual if made else 0,
        distinct_answers=made.distinct if made else 0,
        mutation_score=outcome.score, higher_order_score=outcome.higher_order, survivors=outcome.survivors,
        unmet=made.unmet if made else (),
        easiest=asdict(made.easiest) if made else None,
        lite=len(made.lite) if made else 0,
        parameters=tuple(asdict(one) for one in draft.parameters),
        search_cpu_seconds=round(sum(steps.get(name, 0.0) for name in SEARCH), 3),
        cpu_seconds=round(spent, 3),
        steps={name: round(max(0.0, steps.get(name, 0.0)), 3) for name in PHASES},
        starts=round(share[1] + clock.sandbox.runs - runs, 2),
        fired=draft.fired,
        entry_score=outcome.entry_score,
        excused=made.excused if made else (),
    )


@dataclass
class _Clock:
    """The CPU seconds of this process and of what its sandbox runs, since the last lap and in all."""

    sandbox: Metered
    total: float = 0.0
    started: float = field(default_factory=time.process_time)

    def lap(self) -> float:
        """The CPU seconds since the last lap."""
        now = self.sandbox.cpu_seconds + time.process_time() - self.started
        spent, self.total = now - self.total, now
        return spent


@dataclass(frozen=True)
class _Outcome:
    cases: int
    reason: str = ""
    evidence: str = ""
    score: float | None = None
    survivors: tuple[str, ...] = ()
    higher_order: float | None = None
    entry_score: float | None = None


def _answered(
    request: SuiteRequest, draft: SuiteDraft, recorded: Recorded | Unanswered, config: SuiteConfig, machine: Machine
) -> _Outcome:
    if isinstance(recorded, Unanswered):
        return _Outcome(0, recorded.reason.name.lower(), recorded.evidence)
    return _measured(request, recorded, lite_of(draft, recorded), config, machine)


def _measured(
    request: SuiteRequest, recorded: Recorded, lite: Sequence[int], config: SuiteConfig, machine: Machine
) -> _Outcome:
    found = sharpness(request.program, request.entry_point, recorded, machine, seed_of(request.program), lite)
    weak = found.score is not None and found.score < config.min_mutation_score
    said = ("weak_suite", f"mutation score {found.score}") if weak else ("", "")
    return _Outcome(len(recorded.cases), *said, found.score, found.survivors, found.higher_order, found.entry_score)


def seed_of(program: str) -> int:
    """The seed of a function's own text, so that it gets the same suite wherever it is tried."""
    return int(digest(program)[:15], 16)
