"""The stage that gives candidates their suites: inputs found in the sandbox, answers recorded, or a reason."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any

from harness.languages import Call, Machine
from harness.records import Strength, canonical_json
from harness.runtime import find_runtime
from harness.sandbox import Limits, choose
from pipeline.config import SuiteConfig
from pipeline.records import Candidate, Reason, Rejection, Suite, reject_function
from pipeline.stage import Context
from pipeline.suites.answers import Recorded, Refused, record
from pipeline.suites.building import Request, build_suites


@dataclass(frozen=True)
class SuiteStage:
    """Candidates in, suites with 100% branch coverage and recorded answers out."""

    config: SuiteConfig = field(default_factory=SuiteConfig)
    name: str = "suite"
    takes: type = Candidate
    gives: type = Suite
    shard_size: int = 8
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Suite | Rejection]:
        """One start of the sandbox finds the inputs of all records; then each one's answers are recorded."""
        machine = Machine(choose(), find_runtime(context.runtime))
        requests = [request_for(candidate, context.seed_for(self.name, candidate.id)) for candidate in records]
        for candidate, made in zip(records, build_suites(requests, self.config, machine), strict=True):
            outcome = finish(candidate, made, self.config, machine)
            if isinstance(outcome, Suite):
                yield outcome
            else:
                yield reject_function(self.name, candidate.function, outcome.reason, outcome.evidence, candidate.track)


def request_for(candidate: Candidate, seed: int) -> Request:
    """What the worker has to know of a candidate."""
    return Request(candidate.id, candidate.program, candidate.function.name, seed, candidate.libraries)


def finish(candidate: Candidate, made: dict[str, Any], config: SuiteConfig, machine: Machine) -> Suite | Refused:
    """A suite of what the worker has found, with the reference's answers, or the reason against it."""
    if made["reason"]:
        return Refused(Reason[made["reason"].upper()], made["evidence"])
    calls = [Call(tuple(case["args"]), case["kwargs"]) for case in made["cases"]]
    limits = Limits(config.cpu_seconds, config.wall_seconds, config.memory_bytes)
    recorded = record(candidate.program, candidate.function.name, calls, machine, limits)
    if isinstance(recorded, Refused):
        return recorded
    refusal = _checked(made, recorded, config)
    return refusal if refusal is not None else _suite(candidate, made, recorded)


def _checked(made: dict[str, Any], recorded: Recorded, config: SuiteConfig) -> Refused | None:
    """What recording the answers may have cost: cases, goals that only they covered, or agreement with the search."""
    cases = [made["cases"][place] for place in recorded.kept]
    for case, answered in zip(cases, recorded.cases, strict=True):
        if case["kind"] != answered.expected.kind:
            evidence = f"it {case['kind']} in one process and {answered.expected.kind} in another: {case['args']}"
            return Refused(Reason.NONDETERMINISTIC, evidence[:400])
    if len(cases) < config.min_cases:
        return Refused(Reason.FEW_CASES, f"only {len(cases)} inputs have an answer that can be carried")
    covered = {goal for case in cases for goal in case["covered"]}
    missing = [goal for number, goal in enumerate(made["goals"]) if number not in covered]
    if missing:
        return Refused(Reason.COVERAGE_BELOW_100, f"the inputs for {missing[:5]} have no answer that can be carried")
    return None


def _suite(candidate: Candidate, made: dict[str, Any], recorded: Recorded) -> Suite:
    specification = {"parameters": made["parameters"], "goals": made["goals"], "search": made["search"]}
    return Suite(
        candidate,
        recorded.cases,
        recorded.comparison,
        Strength(branch_coverage=1.0),
        made["strategies"],
        canonical_json(json.loads(json.dumps(specification))),
        covered=tuple(tuple(made["cases"][place]["covered"]) for place in recorded.kept),
    )
