"""A suite for one function outside of any build: what came of it, with its cost, as `code2bench suite` tells it."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from harness.languages import Machine
from harness.records import digest
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import SuiteConfig
from pipeline.suites.answers import Recorded, finish
from pipeline.suites.building import Request, build_suites
from pipeline.suites.metering import Metered
from pipeline.suites.steps import ANSWERS, MUTANTS, SEARCH, START, STEPS
from pipeline.suites.strength import sharpness


@dataclass(frozen=True)
class Job:
    """A function to try: `file` is where it stands, `lock` the lock of the runtime to try it in."""

    request: Request
    config: SuiteConfig
    lock: Path
    file: str = ""


@dataclass(frozen=True)
class Trial:
    """What came of a function.

    `higher_order_score` is the share of mutants with two or three changes that some case kills.
    `unmet` are outcomes of conditions and loops that no case has; `easiest` names the stub that passes the most cases,
    with their share; `lite` is the number of cases of the lite selection.

    `reason` is empty where there is a suite (a function may leave with all of its branches covered); coverage and
    scores are shares from 0 to 1, None where there is none.
    `search_cpu_seconds` is the search for inputs alone, `cpu_seconds` everything, the starts of the sandbox included;
    `steps` are the CPU seconds of each of `steps.STEPS`, where `start` is that of the process that searches, and answers
    and mutants include those of their own. `starts` is the number of all starts.
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
    starts: int = 0


def attempt(job: Job) -> Trial:
    """Build a suite for the function, record its answers and run its mutants, all in the sandbox."""
    clock = _Clock(Metered(choose()))
    request, config, machine = job.request, job.config, Machine(clock.sandbox, find_runtime(job.lock))
    made = build_suites([request], config, machine)[0]
    steps = dict(made.get("steps") or {})
    steps[START] = clock.lap() - (made.get("cpu_seconds") or 0.0)
    recorded = finish(request.program, request.entry_point, made, config, machine)
    steps[ANSWERS] = clock.lap()
    if isinstance(recorded, Recorded):
        outcome = _measured(request, recorded, config, machine)
    else:
        outcome = _Outcome(0, recorded.reason.name.lower(), recorded.evidence)
    steps[MUTANTS] = clock.lap()
    return Trial(
        job.file, request.entry_point, outcome.reason, outcome.evidence, made.get("branches"),
        1.0 if made.get("cases") else made.get("coverage"), tuple(made.get("uncovered", ())), outcome.cases,
        made.get("raising", 0), made.get("distinct", 0), outcome.score, outcome.higher_order, outcome.survivors,
        tuple(made.get("unmet", ())), made.get("easiest"), len(made.get("lite") or ()), tuple(made["parameters"]),
        round(sum(steps.get(name, 0.0) for name in SEARCH), 3), round(clock.total, 3),
        {name: round(max(0.0, steps.get(name, 0.0)), 3) for name in STEPS}, clock.sandbox.runs,
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


def _measured(request: Request, recorded: Recorded, config: SuiteConfig, machine: Machine) -> _Outcome:
    found = sharpness(request.program, request.entry_point, recorded, machine, seed_of(request.program))
    weak = found.score is not None and found.score < config.min_mutation_score
    said = ("weak_suite", f"mutation score {found.score}") if weak else ("", "")
    return _Outcome(len(recorded.cases), *said, found.score, found.survivors, found.higher_order)


def seed_of(program: str) -> int:
    """The seed of a function's own text, so that it gets the same suite wherever it is tried."""
    return int(digest(program)[:15], 16)
