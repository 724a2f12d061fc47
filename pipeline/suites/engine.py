"""The engine: one suite in named phases, inside the worker, or the reason for none.

`infer` says what the parameters may be, `load` makes the instrumented copies, `cover` searches for all branches,
`draw` prints the property test and runs it, `broaden` searches for more cases, `sharpen` for what kills mutants,
`select` chooses the cases, `confirm` asks coverage.py, `write` makes the draft.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, TypeVar

from harness.values import decode
from pipeline.config import SuiteConfig
from pipeline.suites.domain.contract import source
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.domain.spec import Column, Frame, buildable, options_of, without_unbuildable
from pipeline.suites.drafts import (
    DescribedParameter,
    Draft,
    DraftCase,
    Easiest,
    Offered,
    Refused,
    SuiteDraft,
    SuiteRequest,
)
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.inference.typical import ordinary
from pipeline.suites.instrument import fuel
from pipeline.suites.instrument.branch_coverage import Verdict, told, verdict
from pipeline.suites.instrument.fatal_calls import Watch
from pipeline.suites.instrument.reference import Reference, Slow, replay
from pipeline.suites.instrument.standing import Standing
from pipeline.suites.metering import BROADEN, CONFIRM, COVER, DRAW, INFER, LOAD, SELECT, SHARPEN, WRITE, Phases
from pipeline.suites.proofs.goal import Goal
from pipeline.suites.proofs.unreachable import unreachable
from pipeline.suites.property_run import BEFORE, MOST, Run, run
from pipeline.suites.property_test import PropertyTest, printed
from pipeline.suites.search.attempts import Endless, Found
from pipeline.suites.search.branch_distance import Probes
from pipeline.suites.search.loop import Search
from pipeline.suites.search.resume import TYPICAL, Offers, offer, reached, shaped
from pipeline.suites.search.seed_corpus import observed, seeds
from pipeline.suites.selection.member_answers import MemberAnswers
from pipeline.suites.selection.mutation_analysis import Trials
from pipeline.suites.selection.select import EASY, USUAL, Evidence, lite
from pipeline.suites.selection.settling import Settled, objection, settled, shortcuts
from pipeline.suites.selection.short_expressions import short_expression
from pipeline.suites.selection.shortcut_answers import worst
from pipeline.suites.subject import Subject

DOOMED = 300
"""Calls for a function with a branch that is proved unreachable, to say how far the others are taken."""
FIRST_RUNS, LATER_RUNS = 16_000, 2000
"""Calls of mutants on what the search has found, and on what each further round finds."""
STUBBORN = 8
"""How many times as many calls as there are cases go into outcomes of conditions that seem out of reach."""
SPARE = 1.25
"""How many times the cases that are wanted are collected, so that there is something to choose from."""
ORDINARY = 0.85
"""How many inputs as callers pass them are collected, as a share of the cases that are wanted."""
BEGINNINGS = 4
"""How often the search for branches begins, with a share of the budget each time; half as often for tables."""
ROUNDS, IN_VAIN, HUNTS, HUNTED = 3, 2, 12, 150
"""Rounds in vain after which a search gives up, most rounds for surviving mutants, and calls in each of those."""
SHOWN = 12
"""How many goals a reason names."""

T = TypeVar("T")


class _Leave(Exception):
    """The candidate leaves: the refusal says why."""

    def __init__(self, refusal: Refused) -> None:
        super().__init__(refusal.evidence)
        self.refusal = refusal


def build(request: SuiteRequest, config: SuiteConfig, watch: Watch | None = None, scale: Scale = SCALES[0]) -> Draft:
    """The suite of one candidate, or the reason why there is none.

    `watch` notes each call before it runs, for a parent that wants to know which call has ended this process. A refusal
    is `slow` where some call takes too long at this scale of inputs.
    """
    return _ended(Engine(request, config, watch or Watch(), scale), Engine.built)


def cover(request: SuiteRequest, config: SuiteConfig, watch: Watch | None = None, scale: Scale = SCALES[0]) -> Draft:
    """How far the search comes alone: a refusal, without a reason where it covers all branches; else as `build`."""
    return _ended(Engine(request, config, watch or Watch(), scale), Engine.covered)


def _ended(engine: Engine, work: Callable[[Engine], Draft]) -> Draft:
    try:
        draft = work(engine)
    except _Leave as leave:
        draft = leave.refusal
    except (Slow, Endless) as error:
        refusal = Refused.of("crashed", str(error)[:400], engine.described)
        draft = replace(refusal, slow=isinstance(error, Slow))
    return replace(draft, steps=engine.phases.seconds)


class Engine:
    """The state of one suite in the making: each phase leaves behind what the next ones work on."""

    search: Search
    trials: Trials
    settled: Settled
    evidence: Evidence
    confirmed: Verdict
    test: PropertyTest
    drawn: Run
    stubs: MemberAnswers
    wanted: frozenset[str]

    def __init__(self, request: SuiteRequest, config: SuiteConfig, watch: Watch, scale: Scale) -> None:
        self.request, self.config, self.watch, self.scale = request, config, watch, scale
        self.phases = Phases()
        self.subject = Subject.of(request.program, request.entry_point, request.unreachable)
        self.parameters: tuple[Parameter, ...] = ()
        self.described: tuple[DescribedParameter, ...] = ()
        self.offered: Offered | None = None

    def built(self) -> SuiteDraft:
        """The phases in their order."""
        self._timed(INFER, self.infer)
        self._load()
        self._timed(COVER, self.cover)
        self._timed(DRAW, self.draw)
        self._timed(BROADEN, self.broaden)
        self._timed(SHARPEN, self.sharpen)
        fuel.lift()
        self._timed(SELECT, self.select)
        self._timed(CONFIRM, self.confirm)
        return self._timed(WRITE, self.write)

    def covered(self) -> Refused:
        """The phases up to `cover`."""
        self._timed(INFER, self.infer)
        self._load()
        self._timed(COVER, self.cover)
        return self._with_reached(Refused.of("", "", self.described))

    def _timed(self, phase: str, work: Callable[[], T]) -> T:
        with self.phases.timed(phase):
            return work()

    def infer(self) -> None:
        """Say of each parameter what it may be; leaves where a value can't be made of one."""
        self._know(tuple(_possible(parameter) for parameter in infer(self.subject)))
        if not self.parameters:
            raise _Leave(Refused.of("no_parameters", "there is nothing to vary"))
        for parameter in self.parameters:
            if not parameter.optional and not buildable(parameter.spec):
                raise _Leave(self._refusal("not_encodable", f"{parameter.name}: {describe(parameter.spec)}"))

    def _load(self) -> None:
        """Load the reference and its instrumented copies, and begin the search with what others give."""
        try:
            reference = self._timed(LOAD, lambda: Reference(self.subject, self.watch, self.request.contract))
        except BaseException as error:
            # Loading runs the imports and the definition; whatever goes wrong there, the candidate can't be used.
            said = f"it does not load: {type(error).__name__}: {error}"[:300]
            raise _Leave(self._refusal("crashed", said)) from error
        with self.phases.timed(INFER):
            examples = seeds(self.request.calls, self.parameters, reference.function)
            wanted = seeds(self.request.examples, self.parameters, reference.function)
            parameters = observed(self.parameters, examples)
            self.offers = Offers.of(self.request.further, parameters, reference.function)
            self._know(observed(parameters, self.offers.drawn[:TYPICAL], self.offers.giver))
            pool = pool_of(self.subject)
        with self.phases.timed(LOAD):
            probes = Probes(self.subject)
            self.stubs = MemberAnswers(self.subject, self.watch)
        self.search = Search(
            reference, self.parameters, pool, self.request.seed, probes, seeds=examples, scale=self.scale,
            asked=self.offers.asked,
        )
        self.wanted = self.search.offered(wanted)

    def cover(self) -> None:
        """Search for all branches; only a little where one is proved dead, unless the search takes that one."""
        search, budget = self.search, self.config.budget
        self.offered = self.offers.tried(search)
        goals = {goal: number for number, goal in enumerate(search.reference.measure.goals)}
        doomed = {goals[goal] for goal in unreachable(self.subject, list(goals))}
        if doomed:
            search.cover(min(budget, DOOMED))
        if not (doomed and doomed <= search.missing):
            self._begin(budget)
        self._know(search.parameters)
        refusal = self._uncovered()
        if refusal is not None:
            raise _Leave(refusal)

    def _begin(self, budget: int) -> None:
        """Search in several beginnings: what chance has taught so far may lead nowhere, and another one further."""
        search = self.search
        # Calls on tables take some thirty times as long as others.
        slow = any(isinstance(option, (Column, Frame)) for one in search.parameters for option in options_of(one.spec))
        beginnings, special = BEGINNINGS // 2 if slow else BEGINNINGS, search.pool.special
        for beginning in range(beginnings):
            if beginning:
                search.begin_again()
            # Where all comparisons with usual numbers have been tried, those with NaN are left.
            search.pool.special = special or beginning >= beginnings // 2
            search.cover(budget * (beginning + 1) // BEGINNINGS)
            search.pool.special = special
            if search.complete:
                return

    def draw(self) -> None:
        """Print the property test and run it; what it draws are inputs like others.

        Calls that take what it seldom takes become part of it; where it can't be run, they are all that there is.
        """
        alone = self.offers.typical
        self._draw(BEFORE, alone=alone)
        if self.drawn.missing:
            self._draw(MOST, shaped(self.search, self.drawn.missing), alone=alone or bool(self.drawn.fault))
        if self.drawn.fault:
            self._draw(MOST, shaped(self.search, self.drawn.missing), alone=True)
        offer(self.search, self.drawn.calls)

    def _draw(self, most: int, calls: tuple[str, ...] = (), alone: bool = False) -> None:
        search, name = self.search, self.request.entry_point
        self.test = printed(
            name, search.parameters, search.pool, search.seed, search.asked, calls, alone, self._contract())
        self.drawn = run(self.test.text(()), name, search.reference, most)

    def _contract(self) -> str:
        """The contract as a function for the printed test, "" where there is none."""
        return source(self.request.contract, self.subject.function) if self.request.contract else ""

    def broaden(self) -> None:
        """More cases once all branches are taken: usual ones, for conditions, at large, and for what has few at last.

        Where a stub passes many of them, inputs that it fails are changed until there are enough of those.
        """
        search, cases = self.search, self.config.cases
        self._collect_usual()
        search.deepen(2 * cases, cases // 2)
        if search.one_sided():
            search.deepen(STUBBORN * cases, STUBBORN // 2 * cases)
        search.probing = False
        wanted = int(SPARE * cases)
        search.fill(wanted, int(wanted * (1 - self.config.max_raising)), 4 * cases)
        search.spread(cases // 4)
        search.enrich(cases)
        for _ in range(ROUNDS):
            _, easy = worst(shortcuts(search, self.subject, self.stubs))
            if len(easy) <= EASY[1] * len(search.found) or len(search.found) - len(easy) >= cases:
                return
            search.contrast(easy, cases // 2)

    def _collect_usual(self) -> None:
        search, cases = self.search, self.config.cases
        if self.offers.typical:
            return
        proved = tuple(replace(one, spec=search.sampler.proved(one.spec)) for one in search.parameters)
        usual = ordinary(proved, self.subject)
        wanted = int(ORDINARY * cases)
        for tries in (2 * wanted, wanted // 2, wanted // 2):
            search.collect(usual, wanted, tries)
            _, easy = worst(shortcuts(search, self.subject, self.stubs))
            hard = sum(case.ordinary for key, case in search.found.items() if key not in easy)
            wanted = int(min(ORDINARY * cases, USUAL * cases - hard))
            if wanted <= 0:
                return

    def sharpen(self) -> None:
        """Run the mutants on what was found, and search where they survive."""
        search = self.search
        trials = self.trials = Trials(
            self.subject, search.seed, search.lines, search.reference.watch, self.request.wrong)
        trials.run(list(search.found.values()), FIRST_RUNS)
        search.probing = True
        fruitless = 0
        for _ in range(HUNTS):
            weak, before = trials.weak(), len(search.found)
            if not weak or fruitless == IN_VAIN:
                break
            search.hunt([trial.line for trial in weak], HUNTED)
            trials.run(list(search.found.values())[before:], LATER_RUNS)
            fruitless = fruitless + 1 if len(trials.weak()) == len(weak) else 0

    def select(self) -> None:
        """Choose the cases; leaves where what can be chosen is no suite."""
        shortcut = shortcuts(self.search, self.subject, self.stubs)
        self.evidence = Evidence(self.trials.kills(), shortcut, self.wanted, self.offers.typical)
        self.settled = settled(self.search, self.config, self.evidence, self.subject)
        if refusal := objection(self.search, self.settled, self.config, self.evidence):
            raise _Leave(self._with_reached(self._refusal(*refusal)))

    def confirm(self) -> None:
        """Ask coverage.py itself; leaves where it misses a branch, calls change what stays, or the answer is short."""
        changed: list[str] = []

        def calls(function: Any) -> None:
            standing = Standing(self.subject, function)
            for case in self.settled.cases:
                args, kwargs = case.encoded
                replay(function, [decode(a) for a in args], {name: decode(value) for name, value in kwargs.items()})
            changed.extend(standing.changed())

        self.confirmed = verdict(self.subject, calls)
        if changed:
            raise _Leave(self._refusal("impure", f"calls change {', '.join(changed[:SHOWN])}, which later calls see"))
        if self.confirmed.missing:
            missed = f"coverage.py misses {', '.join(self.confirmed.missing[:SHOWN])}"
            raise _Leave(self._refusal("coverage_below_100", missed))
        if not self.trials.changes_arguments and (short := short_expression(self.subject, self.settled.cases)):
            raise _Leave(self._refusal("trivial", f"{short} gives the answer to all {len(self.settled.cases)} cases"))

    def write(self) -> SuiteDraft:
        """The draft of the suite."""
        search, cases = self.search, self.settled.cases
        stub, passed = self.evidence.easy(cases)
        raised = [case.observation.answer for case in cases if case.observation.kind == "raised"]
        return SuiteDraft(
            parameters=self.described,
            offered=self.offered,
            cases=tuple(_case(case, search.branches) for case in cases),
            goals=tuple((goal.line, goal.target) for goal in search.reference.measure.goals),
            conditions=tuple((goal.line, goal.text, goal.outcome) for goal in search.conditions),
            unmet=tuple(search.unmet()),
            lite=tuple(lite(cases, self.evidence.kills)),
            mutants=len(self.trials.trials) - len(self.request.wrong),
            alive=tuple(str(trial) for trial in self.trials.weak()),
            easiest=Easiest(stub, round(len(passed) / len(cases), 4)),
            excused=told(search.reference.measure.excused),
            branches=self.confirmed.branches,
            taken=self.confirmed.taken,
            unsettled=self.settled.dropped,
            distinct=len({case.observation.kind + case.observation.effect for case in cases}),
            calls=search.reference.calls,
            outcomes=dict(sorted(search.kinds.items())),
            strategies=self.test.text(raised),
            undrawn=tuple(str(search.reference.measure.goals[goal]) for goal in sorted(self.drawn.missing)),
        )

    def _know(self, parameters: tuple[Parameter, ...]) -> None:
        self.parameters = parameters
        self.described = tuple(_described(parameter) for parameter in parameters)

    def _refusal(self, reason: str, evidence: str) -> Refused:
        return replace(Refused.of(reason, evidence, self.described), offered=self.offered)

    def _with_reached(self, refusal: Refused) -> Refused:
        return replace(refusal, reached=reached(self.search))

    def _uncovered(self) -> Refused | None:
        """Why the search has ended in vain, where it has."""
        search = self.search
        if search.complete:
            return None
        goals = search.reference.measure.goals
        missing = [goal for number, goal in enumerate(goals) if number not in search.covered]
        return self._with_reached(self._refusal(*self._why(missing, ", ".join(map(str, missing[:SHOWN])))))

    def _why(self, missing: list[Goal], words: str) -> tuple[str, str]:
        kinds, proofs = self.search.kinds, unreachable(self.subject, missing)
        if proofs:
            return "unreachable_branch", f"{', '.join(dict.fromkeys(proofs.values()))} ({words})"
        if kinds.get("unencodable", 0) > 0.5 * sum(kinds.values()):
            return "not_encodable", f"its answers are {next(iter(self.search.unencodable), 'no plain values')}"
        if kinds.get("endless", 0) > 0.5 * sum(kinds.values()):
            return "crashed", "most inputs make it work without end or use too much memory"
        types = _types(self.search.parameters)
        return "coverage_below_100", f"missing: {words}; types: {types}; {self.search.outcomes_in_words()}"


def _possible(parameter: Parameter) -> Parameter:
    return replace(parameter, spec=without_unbuildable(parameter.spec))


def _described(parameter: Parameter) -> DescribedParameter:
    return DescribedParameter(
        parameter.name, parameter.kind, describe(parameter.spec), parameter.declared, parameter.evidence)


def _types(parameters: Iterable[Parameter]) -> str:
    return "; ".join(f"{parameter.name}: {describe(parameter.spec)}"[:150] for parameter in parameters)


def _case(case: Found, branches: int) -> DraftCase:
    """A case as a draft has it; outcomes of conditions have numbers of their own."""
    args, kwargs = case.encoded
    goals = sorted(case.observation.goals)
    covered = tuple(goal for goal in goals if goal < branches)
    conditions = tuple(goal - branches for goal in goals if goal >= branches)
    return DraftCase(tuple(args), kwargs, covered, conditions, case.observation.kind, case.usual)
