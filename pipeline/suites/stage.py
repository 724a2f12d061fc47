"""The stage that gives candidates their suites: inputs found in the sandbox, answers recorded, or a reason."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Any

from harness.languages import Machine
from harness.records import Strength, canonical_json
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import SuiteConfig
from pipeline.llm import Exchange
from pipeline.llm.desk import side_by_side
from pipeline.records import Candidate, Reason, Rejection, Suite, reject_function
from pipeline.stage import Context
from pipeline.suites.engines import build_each
from pipeline.suites.llm.resort import Resort, lacks_inputs
from pipeline.suites.oracle import Recorded, finish, lite_of
from pipeline.suites.sandbox.start import Request
from pipeline.suites.selection.mutation_score import sharpness

_Built = tuple[Request, dict[str, Any]]
_Helped = tuple[dict[str, Any], list[Exchange]]


@dataclass(frozen=True)
class SuiteStage:
    """Candidates in, suites with 100% branch coverage and recorded answers out."""

    config: SuiteConfig = field(default_factory=SuiteConfig)
    name: str = "suite"
    takes: type = Candidate
    gives: type = Suite
    shard_size: int = 8
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Suite | Rejection | Exchange]:
        """One start of the sandbox finds the inputs of all records; then each one's answers are recorded.

        Where a model is configured, it is asked for those that the search has found too few inputs for.
        """
        machine = Machine(choose(), find_runtime(context.runtime))
        requests = [request_for(candidate, context.seed_for(self.name, candidate.id)) for candidate in records]
        languages = [candidate.function.language for candidate in records]
        built = list(zip(requests, build_each(requests, languages, self.config, machine), strict=True))
        # All of them first: no two sandboxes of one process run at a time.
        helped = list(self._helped(built, context, machine)) if self.config.model else [(made, []) for _, made in built]
        for candidate, (made, asked) in zip(records, helped, strict=True):
            yield self._finished(candidate, made, context, machine)
            yield from asked

    def _helped(self, built: Sequence[_Built], context: Context, machine: Machine) -> Iterator[_Helped]:
        """What became of each request once the model was asked, with what was said; questions go side by side."""
        turn = Lock()

        def helped(one: _Built) -> _Helped:
            request, made = one
            if not lacks_inputs(made):
                return made, []
            desk = context.office.desk(self.name, request.id)
            return Resort(request, made, self.config, machine, turn).ask(desk), desk.exchanges

        return side_by_side(helped, built, "  asking")

    def _finished(
        self, candidate: Candidate, made: dict[str, Any], context: Context, machine: Machine
    ) -> Suite | Rejection:
        recorded = finish(candidate.program, candidate.function.name, made, self.config, machine)
        if isinstance(recorded, Recorded):
            result = self._measured(_suite(candidate, made, recorded), recorded, context, machine)
        else:
            result = reject_function(
                self.name, candidate.function, recorded.reason, recorded.evidence, candidate.track
            )
        if isinstance(result, Rejection) and "told" in made:
            return replace(result, evidence=f"{result.evidence}; {made['told']}")
        return result

    def _measured(self, suite: Suite, recorded: Recorded, context: Context, machine: Machine) -> Suite | Rejection:
        """The suite with its mutation score, unless too many wrong variants pass it."""
        function = suite.candidate.function
        found = sharpness(
            suite.candidate.program, function.name, recorded, machine, context.seed_for("mutants", suite.id),
            suite.lite or (),
        )
        if found.score is not None and found.score < self.config.min_mutation_score:
            evidence = f"mutation score {found.score}; survivors: {'; '.join(found.survivors)}"
            return reject_function(self.name, function, Reason.WEAK_SUITE, evidence[:500], suite.candidate.track)
        strength = Strength(1.0, found.score, found.survivors, found.higher_order)
        return replace(suite, strength=strength, lite=found.lite or None)


def request_for(candidate: Candidate, seed: int) -> Request:
    """What the worker has to know of a candidate."""
    function = candidate.function
    return Request(candidate.id, candidate.program, function.name, seed, candidate.libraries, function.calls)


def _suite(candidate: Candidate, made: dict[str, Any], recorded: Recorded) -> Suite:
    specification = {"parameters": made["parameters"], "goals": made["goals"], "search": made["search"]}
    specification |= {"unmet": made["unmet"], "easiest": made["easiest"]}
    specification |= {"asked": made["asked"]} if "asked" in made else {}
    return Suite(
        candidate,
        recorded.cases,
        recorded.comparison,
        Strength(branch_coverage=1.0),
        made["strategies"],
        canonical_json(json.loads(json.dumps(specification))),
        lite=lite_of(made, recorded) or None,
        covered=tuple(tuple(made["cases"][place]["covered"]) for place in recorded.kept),
        usual=sum(made["cases"][place]["usual"] for place in recorded.kept),
    )
