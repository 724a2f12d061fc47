"""The stage that gives candidates their suites: inputs found in the sandbox, answers recorded, or a reason."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from threading import Lock
from typing import Protocol

from harness.languages import Machine
from harness.records import Strength, canonical_json
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import SuiteConfig
from pipeline.llm import Exchange
from pipeline.llm.desk import side_by_side
from pipeline.records import Candidate, Reason, Rejection, Suite, reject_function
from pipeline.stage import Context
from pipeline.suites.domain.contract import parameter_names
from pipeline.suites.domain.declared import declared_contract
from pipeline.suites.domain.parameter import Asked
from pipeline.suites.drafts import Draft, Further, Refused, SuiteDraft, SuiteRequest, specification
from pipeline.suites.llm.resort import Resort, lacks_inputs
from pipeline.suites.llm.strategy_code import as_function
from pipeline.suites.llm.strategy_inputs import Source, draw_each
from pipeline.suites.oracle import Recorded, finish, lite_of
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.selection.mutation_score import sharpness
from pipeline.suites.subject import Subject


class SuiteEngine(Protocol):
    """What the suite stage asks of a language."""

    @property
    def language(self) -> str:
        """The language whose functions it takes."""
        ...

    def build(self, requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine) -> list[Draft]:
        """What became of each request, in their order; raises `SandboxFailed`."""
        ...


class PythonEngine:
    """Searches under the runtime's own Python, in the sandbox."""

    language = "python"

    def build(self, requests: Sequence[SuiteRequest], config: SuiteConfig, machine: Machine) -> list[Draft]:
        """One start of the sandbox for all requests."""
        return build_suites(requests, config, machine)


_ENGINES: tuple[SuiteEngine, ...] = (PythonEngine(),)


def engine(language: str) -> SuiteEngine:
    """The engine of a language; raises `KeyError` where there is none."""
    return {one.language: one for one in _ENGINES}[language]


def build_each(
    requests: Sequence[SuiteRequest], languages: Sequence[str], config: SuiteConfig, machine: Machine
) -> list[Draft]:
    """What became of each request, in their order; those in one language go to its engine together."""
    made: dict[int, Draft] = {}
    for language in dict.fromkeys(languages):
        places = [place for place, own in enumerate(languages) if own == language]
        found = engine(language).build([requests[place] for place in places], config, machine)
        made.update(zip(places, found, strict=True))
    return [made[place] for place in range(len(requests))]


DRAWN, ENOUGH = 2000, 1200
"""How many inputs are drawn from a maintainer's strategies at most, and how many different ones are enough: the cases
are chosen from these, so that what comes in one of fifty can be one of twenty."""

_Built = tuple[SuiteRequest, Draft]
_Helped = tuple[Draft, list[Exchange]]


@dataclass(frozen=True)
class SuiteStage:
    """Candidates in, suites with 100% branch coverage and recorded answers out."""

    config: SuiteConfig = field(default_factory=SuiteConfig)
    name: str = "suite"
    takes: type = Candidate
    gives: type = Suite
    shard_size: int = 8
    fan_out: bool = False
    reuses: bool = True

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Suite | Rejection | Exchange]:
        """One start of the sandbox finds the inputs of all records; then each one's answers are recorded.

        Where a model is configured, it is asked for those that the search has found too few inputs for.
        """
        machine = Machine(choose(), find_runtime(context.runtime))
        plain = [request_for(candidate, context.seed_for(self.name, candidate.id)) for candidate in records]
        able, requests = list[Candidate](), list[SuiteRequest]()
        for candidate, request in zip(records, supplied(plain, records, machine), strict=True):
            if isinstance(request, str):
                yield self._rejected(candidate, Reason.UNFIT_CURATION, request)
            else:
                able.append(candidate)
                requests.append(request)
        records = able
        languages = [candidate.function.language for candidate in records]
        built = list(zip(requests, build_each(requests, languages, self.config, machine), strict=True))
        # All of them first: no two sandboxes of one process run at a time.
        alone: list[_Helped] = [(draft, []) for _, draft in built]
        helped = list(self._helped(built, context, machine)) if self.config.model else alone
        for candidate, (draft, asked) in zip(records, helped, strict=True):
            yield self._finished(candidate, draft, context, machine)
            yield from asked

    def _helped(self, built: Sequence[_Built], context: Context, machine: Machine) -> Iterator[_Helped]:
        """What became of each request once the model was asked, with what was said; questions go side by side."""
        turn = Lock()

        def helped(one: _Built) -> _Helped:
            request, draft = one
            if not lacks_inputs(draft):
                return draft, []
            desk = context.office.desk(self.name, request.id)
            return Resort(request, draft, self.config, machine, turn).ask(desk), desk.exchanges

        return side_by_side(helped, built, "  asking")

    def _finished(
        self, candidate: Candidate, draft: Draft, context: Context, machine: Machine
    ) -> Suite | Rejection:
        if isinstance(draft, Refused):
            result: Suite | Rejection = self._rejected(candidate, draft.why, draft.evidence)
        else:
            recorded = finish(candidate.program, candidate.function.name, draft, self.config, machine)
            if isinstance(recorded, Recorded):
                result = self._measured(_suite(candidate, draft, recorded), recorded, context, machine)
            else:
                result = self._rejected(candidate, recorded.reason, recorded.evidence)
        if isinstance(result, Rejection) and draft.told:
            return replace(result, evidence=f"{result.evidence}; {draft.told}")
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
            return self._rejected(suite.candidate, Reason.WEAK_SUITE, evidence[:500])
        strength = Strength(1.0, found.score, found.survivors, found.higher_order)
        return replace(suite, strength=strength, lite=found.lite or None, entry_score=found.entry_score)

    def _rejected(self, candidate: Candidate, reason: Reason, evidence: str) -> Rejection:
        return reject_function(self.name, candidate.function, reason, evidence, candidate.track)


def supplied(
    requests: Sequence[SuiteRequest], candidates: Sequence[Candidate], machine: Machine
) -> Iterator[SuiteRequest | str]:
    """The requests with what maintainers have written, or with the contracts that annotations say.

    Where a maintainer's strategies give no inputs, there is a sentence in place of the request.
    """
    pairs = list(zip(requests, candidates, strict=True))
    sources = {one.id: _source(one, request.seed) for request, one in pairs if one.curated and one.curated.strategies}
    drawn = dict(zip(sources, draw_each(list(sources.values()), machine), strict=True))
    for request, candidate in pairs:
        curated, source = candidate.curated, sources.get(candidate.id)
        if curated is None:
            yield replace(request, contract=contract_of(candidate))
            continue
        request = replace(
            request, contract=curated.contract, examples=curated.examples, unreachable=curated.unreachable,
            wrong=curated.wrong)
        if source is None:
            yield request
        elif fault := drawn[candidate.id].fault:
            yield f"The strategies can't be drawn from. {fault}"
        else:
            asked = Asked((source.source,), source.names)
            yield replace(request, further=Further((), drawn[candidate.id].inputs, asked, typical=True))


def _source(candidate: Candidate, seed: int) -> Source:
    """What a maintainer has written to draw inputs from."""
    subject = Subject.of(candidate.program, candidate.function.name)
    name, names = Asked.name(1), tuple(parameter_names(subject.function))
    written = candidate.curated.strategies if candidate.curated is not None else ""
    return Source(as_function(written, name, candidate.program), name, names, seed, DRAWN, ENOUGH)


def contract_of(candidate: Candidate) -> tuple[str, ...]:
    """What callers keep to: as a maintainer has written it, else as annotations say."""
    if candidate.curated is not None:
        return candidate.curated.contract
    return declared_contract(Subject.of(candidate.program, candidate.function.name))


def request_for(candidate: Candidate, seed: int) -> SuiteRequest:
    """What the worker has to know of a candidate."""
    function = candidate.function
    return SuiteRequest(candidate.id, candidate.program, function.name, seed, candidate.libraries, function.calls)


def _suite(candidate: Candidate, draft: SuiteDraft, recorded: Recorded) -> Suite:
    kept = [draft.cases[place] for place in recorded.kept]
    return Suite(
        candidate,
        recorded.cases,
        recorded.comparison,
        Strength(branch_coverage=1.0),
        draft.strategies,
        canonical_json(specification(draft)),
        lite=lite_of(draft, recorded) or None,
        covered=tuple(case.covered for case in kept),
        usual=sum(case.usual for case in kept),
        undrawn=draft.undrawn,
        excused=draft.excused,
        contract=contract_of(candidate),
    )
