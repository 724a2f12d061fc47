"""Settling: the selected cases without those whose answers rounding decides, and whether what is left is a suite."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from pipeline.config import SuiteConfig
from pipeline.suites.instrument.reference import Observation
from pipeline.suites.instrument.rounding import Rounding
from pipeline.suites.search.attempts import Found
from pipeline.suites.search.loop import Search
from pipeline.suites.selection.member_answers import MemberAnswers
from pipeline.suites.selection.select import Evidence, commonest, selection
from pipeline.suites.selection.shortcut_answers import COMMONEST, MAX_SHARE, Answered, guarded, passing
from pipeline.suites.subject import Subject

MAX_ONE_SIDED = 0.125
"""The share of all outcomes of conditions that may be missing, one always: some can't be, and nobody can prove it."""
SETTLING = 4
"""How often cases are chosen anew because rounding decides the answers of some."""
MAX_SAMPLE = 100
"""Characters of an answer that a reason shows."""


@dataclass(frozen=True)
class Settled:
    """The cases of a suite; `dropped` inputs have answers that rounding decides, `left` were tried and have not."""

    cases: list[Found]
    dropped: int
    left: int

    @property
    def raising(self) -> int:
        """How many cases raise."""
        return sum(case.observation.kind == "raised" for case in self.cases)


def settled(search: Search, config: SuiteConfig, evidence: Evidence, subject: Subject) -> Settled:
    """The cases of the suite, without inputs whose answers rounding decides, but for those that alone take some branch.

    What takes the place of such inputs may be no better, so this goes on for some rounds.
    """
    rounding, known = Rounding(subject, search.seed), dict[str, bool]()
    found, left, cases = dict(search.found), set[str](), list[Found]()
    for _ in range(SETTLING):
        cases = selection(found.values(), config.cases, config.max_raising, config.max_same_answer, evidence)
        for case in cases:
            if case.key not in known and not rounding.spent:
                known[case.key] = rounding.unstable(case.encoded)
        dropped = _dispensable(cases, known)
        if not dropped:
            break
        left |= dropped
        found = {key: case for key, case in found.items() if key not in dropped}
    cases = [case for case in cases if case.key not in left]
    return Settled(cases, len(left), sum(not decided for decided in known.values()))


def _dispensable(cases: list[Found], unstable: dict[str, bool]) -> set[str]:
    """The keys of unstable cases whose goals others reach."""
    kept = {goal for case in cases if not unstable.get(case.key) for goal in case.observation.goals}
    dropped = set()
    for case in cases:
        if unstable.get(case.key) and case.observation.goals <= kept:
            dropped.add(case.key)
        kept |= case.observation.goals
    return dropped


def shortcuts(search: Search, subject: Subject, members: MemberAnswers) -> dict[str, frozenset[str]]:
    """The keys of the inputs that each stub passes, those that call members and the one that knows the function's first
    guard included.
    """
    found = list(search.found.values())
    stubs = {
        name: frozenset(found[place].key for place in places)
        for name, places in passing(_answered(found), search.stubs).items()
    }
    stubs |= members.passing(found)
    line = guarded(subject)
    if line:
        kept = frozenset(case.key for case in found if max(_lines(search, case), default=0) == line)
        stubs[f"the guard that ends in line {line}, then {COMMONEST}"] = kept | stubs.get(COMMONEST, frozenset())
    return stubs


def _lines(search: Search, case: Found) -> Iterator[int]:
    """The lines that a case comes to; one that it only jumps to is among them as a statement."""
    return (search.lines[goal] for goal in case.observation.goals)


def _answered(cases: Iterable[Found]) -> list[Answered]:
    return [
        Answered(*case.encoded, case.observation.answer if _is_plain(case.observation) else None, case.key)
        for case in cases
    ]


def _is_plain(seen: Observation) -> bool:
    """Whether an answer that changes no argument could be right."""
    return seen.kind == "returned" and not seen.left


def objection(search: Search, made: Settled, config: SuiteConfig, evidence: Evidence) -> tuple[str, str] | None:
    """Why the selected cases are no suite, where they are none: the reason's name and the evidence."""
    return _unfit(search, made, config) or _too_easy(made.cases, evidence)


def _unfit(search: Search, made: Settled, config: SuiteConfig) -> tuple[str, str] | None:
    cases, raising = made.cases, made.raising
    answer, same = commonest(cases)
    one_sided = search.one_sided()
    if len(one_sided) > max(1, MAX_ONE_SIDED * search.outcomes):
        return "weak_suite", f"no case has {', '.join(one_sided)}"
    if made.dropped > made.left:
        return "ill_conditioned", f"those to {made.dropped} of {made.dropped + made.left} valid inputs"
    if raising > max(config.max_raising, 0.05) * len(cases) and len(cases) - raising < config.min_cases:
        return "mostly_errors", f"{raising} of {len(cases)} cases raise"
    if len(same) > config.max_same_answer * len(cases) and len(search.found) >= config.min_cases:
        return "degenerate", f"{len(same)} of {len(cases)} cases give {answer[:MAX_SAMPLE]}"
    return None if len(cases) >= config.min_cases else _too_few(search, config)


def _too_few(search: Search, config: SuiteConfig) -> tuple[str, str]:
    """Why there are fewer cases than a suite has."""
    if len(search.found) < config.min_cases:
        counts = f"{len(search.found)} distinct valid inputs in {search.reference.calls} calls"
        return "few_cases", f"{counts}; {search.outcomes_in_words()}"
    errors = sum(1 for case in search.found.values() if case.observation.kind == "raised")
    if 2 * errors > len(search.found):
        return "mostly_errors", f"{errors} of {len(search.found)} valid inputs raise"
    answer = commonest(search.found.values())[0][:MAX_SAMPLE]
    return "degenerate", f"{answer} is the answer to nearly all of {len(search.found)} inputs"


def _too_easy(cases: list[Found], evidence: Evidence) -> tuple[str, str] | None:
    """Why an answer without any thought would look good by these cases, where it would."""
    stub, passed = evidence.easy(cases)
    if len(passed) <= MAX_SHARE * len(cases):
        return None
    return "weak_suite", f"{len(passed)} of {len(cases)} cases are passed by a stub: {stub}"
