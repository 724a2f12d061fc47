"""The suite of one candidate, inside the worker: inference, search, mutants, selection, or the reason for none."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from harness.values import decode
from pipeline.suites import property_test
from pipeline.suites.domain.spec import (
    Column,
    Frame,
    Parameter,
    buildable,
    describe,
    options_of,
    without_unbuildable,
)
from pipeline.suites.domain.typical import ordinary
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.instrument import memory
from pipeline.suites.instrument.branch_coverage import Goal, Verdict, verdict
from pipeline.suites.instrument.condition_coverage import Conditions
from pipeline.suites.instrument.fatal_calls import Watch
from pipeline.suites.instrument.reference import Reference, Slow, replay
from pipeline.suites.instrument.rounding import Rounding
from pipeline.suites.phases import BROADENING, COVERAGE, HUNT, INFERENCE, LOADING, SELECTION, VERDICT, WRITING, Steps
from pipeline.suites.search.branch_distance import Probes
from pipeline.suites.search.loop import Endless, Found, Search
from pipeline.suites.search.resume import TYPICAL, Offered, remains
from pipeline.suites.search.scale import SCALES, Scale
from pipeline.suites.search.seed_corpus import observed, seeds
from pipeline.suites.selection.mutation_analysis import Trials
from pipeline.suites.selection.select import EASY, USUAL, Evidence, commonest, lite, selection
from pipeline.suites.selection.shortcut_answers import COMMONEST, MAX_SHARE, Answered, guarded, passing, worst
from pipeline.suites.selection.unreachable import unreachable

MAX_EVIDENCE = 1500
DOOMED = 300
"""Calls for a function with a branch that is proved unreachable, to say how far the others are taken."""
FIRST_RUNS, LATER_RUNS = 16_000, 2000
"""Calls of mutants on what the search has found, and on what each further round finds."""
STUBBORN = 8
"""How many times as many calls as there are cases go into outcomes of conditions that seem out of reach."""
MAX_ONE_SIDED = 0.125
"""The share of all outcomes of conditions that may be missing, one always: some can't be, and nobody can prove it."""
SPARE = 1.25
"""How many times the cases that are wanted are collected, so that there is something to choose from."""
ORDINARY = 0.85
"""How many inputs as callers pass them are collected, as a share of the cases that are wanted."""
SETTLING = 4
"""How often cases are chosen anew because rounding decides the answers of some."""
BEGINNINGS = 4
"""How often the search for branches begins, with a share of the budget each time; half as often for tables."""
ROUNDS, IN_VAIN, HUNTS, HUNTED = 3, 2, 12, 150
"""Rounds in vain after which a search gives up, most rounds for surviving mutants, and calls in each of those."""


@dataclass(frozen=True)
class _Settled:
    """The cases of a suite; `dropped` inputs have answers that rounding decides, `left` were tried and have not."""

    cases: list[Found]
    dropped: int
    left: int


def build(
    candidate: dict[str, Any], config: dict[str, Any], watch: Watch | None = None, scale: Scale = SCALES[0]
) -> dict[str, Any]:
    """The suite of one candidate, or the reason why there is none, as plain JSON; `steps` holds CPU seconds.

    `watch` notes each call before it runs, for a parent that wants to know which call has ended this process. `slow`
    is true where some call takes too long at this scale of inputs.
    """
    steps = Steps()
    return {**_built(candidate, config, steps, watch or Watch(), scale), "steps": steps.seconds}


def _built(
    candidate: dict[str, Any], config: dict[str, Any], steps: Steps, watch: Watch, scale: Scale
) -> dict[str, Any]:
    program, name = candidate["program"], candidate["entry_point"]
    with steps.step(INFERENCE):
        parameters = tuple(_possible(parameter) for parameter in infer(program, name))
    described = {"parameters": [_described(parameter) for parameter in parameters]}
    if not parameters:
        return rejected("no_parameters", "there is nothing to vary")
    for parameter in parameters:
        if not parameter.optional and not buildable(parameter.spec):
            return rejected("not_encodable", f"{parameter.name}: {describe(parameter.spec)}", described)
    try:
        with steps.step(LOADING):
            reference = Reference(program, name, watch)
    except BaseException as error:
        # Loading runs the imports and the definition; whatever goes wrong there, the candidate can't be used.
        return rejected("crashed", f"it does not load: {type(error).__name__}: {error}"[:300], described)
    with steps.step(INFERENCE):
        examples = seeds(candidate["calls"], parameters, reference.function)
        parameters = observed(parameters, examples)
        offered = Offered.of(candidate, parameters, reference.function)
        parameters = observed(parameters, offered.drawn[:TYPICAL], "a language model gives")
        pool = pool_of(program, name)
    described = {"parameters": [_described(parameter) for parameter in parameters]}
    with steps.step(LOADING):
        copies = Probes(program, name), Conditions(program, name)
    search = Search(
        reference, parameters, pool, candidate["seed"], *copies, examples, scale=scale, asked=offered.asked)
    try:
        with steps.step(COVERAGE):
            tried = offered.tried(search)
            _cover(search, config["budget"], unreachable(program, name, list(reference.measure.goals)))
            refusal = _refused(search, program, name)
        described = {"parameters": [_described(parameter) for parameter in search.parameters]}
        if refusal is not None:
            return {**rejected(*refusal, described), **_share(search), **tried}
        with steps.step(BROADENING):
            _broaden(search, config, (program, name))
        with steps.step(HUNT):
            trials = _sharpened(search, program, name)
    except (Slow, Endless) as error:
        return {**rejected("crashed", str(error)[:400], described), "slow": isinstance(error, Slow)}
    memory.lift()
    return {**_finished(search, config, described, (program, name), trials, steps), **tried}


def _cover(search: Search, budget: int, dead: Iterable[Goal]) -> None:
    """Search for all branches; only a little where one is proved dead, unless the search takes that one."""
    goals = {goal: number for number, goal in enumerate(search.reference.measure.goals)}
    doomed = {goals[goal] for goal in dead}
    if doomed:
        search.cover(min(budget, DOOMED))
    if doomed <= search.missing and doomed:
        return
    # Calls on tables take some thirty times as long as others.
    slow = any(isinstance(option, (Column, Frame)) for one in search.parameters for option in options_of(one.spec))
    beginnings, special = BEGINNINGS // 2 if slow else BEGINNINGS, search.pool.special
    for beginning in range(beginnings):
        if beginning:
            # What chance has taught so far may lead nowhere, and another beginning further.
            search.begin_again()
        # Where all comparisons with usual numbers have been tried, those with NaN are left.
        search.pool.special = special or beginning >= beginnings // 2
        search.cover(budget * (beginning + 1) // BEGINNINGS)
        search.pool.special = special
        if search.complete:
            return


def _broaden(search: Search, config: dict[str, Any], source: tuple[str, str]) -> None:
    """More cases once all branches are taken: usual ones, for conditions, at large, and for what has few at last.

    Where a stub passes many of them, inputs that it fails are changed until there are enough of those.
    """
    proved = tuple(replace(one, spec=search.sampler.proved(one.spec)) for one in search.parameters)
    usual = ordinary(proved, *source)
    wanted = int(ORDINARY * config["cases"])
    for tries in (2 * wanted, wanted // 2, wanted // 2):
        search.collect(usual, wanted, tries)
        _, easy = worst(_stubs(search, source))
        hard = sum(case.ordinary for key, case in search.found.items() if key not in easy)
        wanted = int(min(ORDINARY * config["cases"], USUAL * config["cases"] - hard))
        if wanted <= 0:
            break
    search.deepen(2 * config["cases"], config["cases"] // 2)
    if search.one_sided():
        search.deepen(STUBBORN * config["cases"], STUBBORN // 2 * config["cases"])
    search.probing = False
    wanted = int(SPARE * config["cases"])
    search.fill(wanted, int(wanted * (1 - config["max_raising"])), 4 * config["cases"])
    search.enrich(config["cases"])
    for _ in range(ROUNDS):
        _, easy = worst(_stubs(search, source))
        if len(easy) <= EASY[1] * len(search.found) or len(search.found) - len(easy) >= config["cases"]:
            return
        search.contrast(easy, config["cases"] // 2)


def _sharpened(search: Search, program: str, name: str) -> Trials:
    """Run the mutants on what was found, and search where they survive."""
    trials = Trials(program, name, search.seed, search.lines, search.reference.watch)
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
    return trials


def _settled(search: Search, config: dict[str, Any], evidence: Evidence, source: tuple[str, str]) -> _Settled:
    """The cases of the suite, without inputs whose answers rounding decides, but for those that alone take some branch.

    What takes the place of such inputs may be no better, so this goes on for some rounds.
    """
    rounding, known = Rounding(*source, search.seed), dict[str, bool]()
    found, left, cases = dict(search.found), set[str](), list[Found]()
    for _ in range(SETTLING):
        cases = selection(found.values(), config["cases"], config["max_raising"], config["max_same_answer"], evidence)
        for case in cases:
            if case.key not in known and not rounding.spent:
                known[case.key] = rounding.unstable(case.encoded)
        kept = {goal for case in cases if not known.get(case.key) for goal in case.observation.goals}
        dropped = set()
        for case in cases:
            if known.get(case.key) and case.observation.goals <= kept:
                dropped.add(case.key)
            kept |= case.observation.goals
        if not dropped:
            break
        left |= dropped
        found = {key: case for key, case in found.items() if key not in dropped}
    cases = [case for case in cases if case.key not in left]
    return _Settled(cases, len(left), sum(not decided for decided in known.values()))


def _evidence(search: Search, trials: Trials, source: tuple[str, str]) -> Evidence:
    """What is known of the inputs: mutants that they kill, stubs that they let pass."""
    return Evidence(trials.kills(), _stubs(search, source))


def _stubs(search: Search, source: tuple[str, str]) -> dict[str, frozenset[str]]:
    """The keys of the inputs that each stub passes, the one that knows the function's first guard included."""
    found = list(search.found.values())
    stubs = {
        name: frozenset(found[place].key for place in places)
        for name, places in passing(_answered(found), search.stubs).items()
    }
    line = guarded(*source)
    if line:
        kept = frozenset(case.key for case in found if max(_lines(search, case), default=0) == line)
        stubs[f"the guard that ends in line {line}, then {COMMONEST}"] = kept | stubs.get(COMMONEST, frozenset())
    return stubs


def _lines(search: Search, case: Found) -> Iterator[int]:
    """The lines that a case comes to; one that it only jumps to is among them as a statement."""
    return (search.lines[goal] for goal in case.observation.goals)


def _answered(cases: Iterable[Found]) -> list[Answered]:
    return [
        Answered(*case.encoded, case.observation.answer if case.observation.kind == "returned" else None, case.key)
        for case in cases
    ]


def _share(search: Search) -> dict[str, Any]:
    """How much of the branches is covered all the same, of the statements where there are none, and what is not."""
    goals = search.reference.measure.goals
    branches = [number for number, goal in enumerate(goals) if goal.target]
    counted = branches or range(len(goals))
    share = sum(number in search.covered for number in counted) / max(1, len(counted))
    missing = [str(goal) for number, goal in enumerate(goals) if number not in search.covered]
    return {"branches": len(branches), "coverage": round(share, 4), "uncovered": missing, "left": remains(search)}


def _possible(parameter: Parameter) -> Parameter:
    return replace(parameter, spec=without_unbuildable(parameter.spec))


def _described(parameter: Parameter) -> dict[str, Any]:
    return {
        "name": parameter.name,
        "kind": parameter.kind,
        "type": describe(parameter.spec),
        "declared": parameter.declared,
        "evidence": list(parameter.evidence),
    }


def rejected(reason: str, evidence: str, described: dict[str, Any] | None = None) -> dict[str, Any]:
    """The answer for a candidate without a suite; what differs from machine to machine is cut from the evidence."""
    evidence = re.sub(r"(?<![\w.])/(?:[\w.+-]+/)+", "", re.sub(r" at 0x[0-9a-f]+", "", evidence))
    return {"reason": reason, "evidence": evidence[:MAX_EVIDENCE], **(described or {"parameters": []})}


def _types(parameters: tuple[Parameter, ...]) -> str:
    return "; ".join(f"{parameter.name}: {describe(parameter.spec)}"[:150] for parameter in parameters)


def _refused(search: Search, program: str, name: str) -> tuple[str, str] | None:
    """Why the search has ended in vain, where it has."""
    if search.complete:
        return None
    kinds = search.kinds
    goals = search.reference.measure.goals
    missing = [goal for number, goal in enumerate(goals) if number not in search.covered]
    words = ", ".join(map(str, missing[:12]))
    proofs = unreachable(program, name, missing)
    if proofs:
        return "unreachable_branch", f"{', '.join(dict.fromkeys(proofs.values()))} ({words})"
    if kinds.get("unencodable", 0) > 0.5 * sum(kinds.values()):
        return "not_encodable", "its answers are " + _sample(search)
    if kinds.get("endless", 0) > 0.5 * sum(kinds.values()):
        return "crashed", "most inputs make it work without end or use too much memory"
    return "coverage_below_100", f"missing: {words}; types: {_types(search.parameters)}; {_outcomes(search)}"


def _sample(search: Search) -> str:
    return "no plain values" if not search.unencodable else search.unencodable[0]


def _outcomes(search: Search) -> str:
    common = sorted(search.nonsense.items(), key=lambda entry: (-entry[1], entry[0]))[:3]
    counts = ", ".join(f"{count} {kind}" for kind, count in sorted(search.kinds.items()))
    return counts + "".join(f"; {count} times {name}" for name, count in common)


def _finished(
    search: Search, config: dict[str, Any], described: dict[str, Any], source: tuple[str, str], trials: Trials,
    steps: Steps,
) -> dict[str, Any]:
    with steps.step(SELECTION):
        evidence = _evidence(search, trials, source)
        settled = _settled(search, config, evidence, source)
        cases = settled.cases
    raising = sum(1 for case in cases if case.observation.kind == "raised")
    refusal = _unfit(search, settled, raising, config) or _too_easy(cases, evidence)
    if refusal is not None:
        return {**rejected(*refusal, described), **_share(search)}
    with steps.step(VERDICT):
        judged = _judged(source, cases)
    if judged.missing:
        return rejected("coverage_below_100", f"coverage.py misses {', '.join(judged.missing[:12])}", described)
    with steps.step(WRITING):
        return {
            "reason": "",
            "evidence": "",
            **described,
            "cases": [_case(case, search.branches) for case in cases],
            "goals": [_goal(goal) for goal in search.reference.measure.goals],
            "conditions": [[goal.line, goal.text, goal.outcome] for goal in search.conditions.goals],
            "unmet": search.unmet(),
            "lite": lite(cases, evidence.kills),
            "mutants": {"tried": len(trials.trials), "alive": [str(trial) for trial in trials.weak()]},
            "easiest": _easiest(cases, evidence),
            "branches": judged.branches,
            "taken": judged.taken,
            "raising": raising,
            "usual": sum(case.usual for case in cases),
            "unsettled": settled.dropped,
            "distinct": len({case.observation.kind + case.observation.answer for case in cases}),
            "search": {"calls": search.reference.calls, "outcomes": dict(sorted(search.kinds.items()))},
            "strategies": property_test.source(
                source[1], search.parameters, search.pool, _raised(cases), search.seed, search.asked),
        }


def _unfit(search: Search, settled: _Settled, raising: int, config: dict[str, Any]) -> tuple[str, str] | None:
    """Why the selected cases are no suite, where they are none."""
    cases = settled.cases
    answer, same = commonest(cases)
    one_sided = search.one_sided()
    if len(one_sided) > max(1, MAX_ONE_SIDED * search.outcomes):
        return "weak_suite", f"no case has {', '.join(one_sided)}"
    if settled.dropped > settled.left:
        return "ill_conditioned", f"those to {settled.dropped} of {settled.dropped + settled.left} valid inputs"
    enough = len(cases) >= config["min_cases"]
    if raising > max(config["max_raising"], 0.05) * len(cases) and len(cases) - raising < config["min_cases"]:
        return "mostly_errors", f"{raising} of {len(cases)} cases raise"
    if len(same) > config["max_same_answer"] * len(cases) and len(search.found) >= config["min_cases"]:
        return "degenerate", f"{len(same)} of {len(cases)} cases give {answer[:100]}"
    if enough:
        return None
    if len(search.found) < config["min_cases"]:
        counts = f"{len(search.found)} distinct valid inputs in {search.reference.calls} calls"
        return "few_cases", f"{counts}; {_outcomes(search)}"
    errors = sum(1 for case in search.found.values() if case.observation.kind == "raised")
    if 2 * errors > len(search.found):
        return "mostly_errors", f"{errors} of {len(search.found)} valid inputs raise"
    return (
        "degenerate",
        f"{commonest(search.found.values())[0][:100]} is the answer to nearly all of {len(search.found)} inputs",
    )


def _too_easy(cases: list[Found], evidence: Evidence) -> tuple[str, str] | None:
    """Why an answer without any thought would look good by these cases, where it would."""
    stub, passed = evidence.easy(cases)
    if len(passed) <= MAX_SHARE * len(cases):
        return None
    return "weak_suite", f"{len(passed)} of {len(cases)} cases are passed by a stub: {stub}"


def _easiest(cases: list[Found], evidence: Evidence) -> dict[str, Any]:
    stub, passed = evidence.easy(cases)
    return {"stub": stub, "share": round(len(passed) / len(cases), 4)}


def _raised(cases: list[Found]) -> list[str]:
    return [case.observation.answer for case in cases if case.observation.kind == "raised"]


def _goal(goal: Goal) -> list[int]:
    return [goal.line, goal.target]


def _case(case: Found, branches: int) -> dict[str, Any]:
    """A case as JSON; `conditions` are the outcomes that it has, by their places in the list of the answer."""
    args, kwargs = case.encoded
    goals = sorted(case.observation.goals)
    return {
        "args": args,
        "kwargs": kwargs,
        "covered": [goal for goal in goals if goal < branches],
        "conditions": [goal - branches for goal in goals if goal >= branches],
        "kind": case.observation.kind,
        "usual": case.usual,
    }


def _judged(source: tuple[str, str], cases: list[Found]) -> Verdict:
    def calls(function: Any) -> None:
        for case in cases:
            replay(function, [decode(a) for a in case.encoded[0]], {k: decode(v) for k, v in case.encoded[1].items()})

    return verdict(*source, calls)

