"""Which of the valid inputs become the suite: all goals, wrong variants told apart, few errors, diverse answers."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from heapq import heapify, heappop, heapreplace

from pipeline.suites.search.attempts import Found
from pipeline.suites.selection.shortcut_answers import MAX_STUB_SHARE

REDUNDANCY = 25
"""How many cases are kept for each goal before diversity decides, as far as there are so many; for each mutant and
wrong answer, too, of inputs that somebody has weighed."""
STEPS = (2, 5, 8, 12, 16, 20)
"""How many cases each goal has before any has more, and so on: what is rare comes before what there is much of."""
KILLERS = 5
"""How many cases are kept for each mutant, as far as so many are known to kill it."""
SCARCE, KILLER = 5, 1
"""The same of inputs beside those that somebody has weighed: what is rare among these stays rare."""
EASY = (0.2, 0.35, MAX_STUB_SHARE)
"""Shares of the cases that one stub may pass: cases beyond each are taken later, beyond the last not at all."""
USUAL = 0.8
"""The share of the cases that are as callers pass them, as far as there are so many that stubs don't pass."""
MIN_CASES = 20
LENGTH = 60
"""Cases count as equally long within so many characters of JSON."""
LITE = (30, 50)


@dataclass(frozen=True)
class Evidence:
    """What is known of inputs besides goals: the mutants that each kills, and the keys of those that a stub passes, and
    of those that somebody wants to be cases. With `as_drawn` somebody has weighed what callers pass: it comes as often
    as it was drawn, whatever it gives, and the rest is what branches and mutants need.
    """

    kills: Mapping[str, frozenset[int]] = field(default_factory=dict)
    stubs: Mapping[str, frozenset[str]] = field(default_factory=dict)
    wanted: frozenset[str] = frozenset()
    as_drawn: bool = False

    def easy(self, cases: Iterable[Found]) -> tuple[str, list[Found]]:
        """The stub that passes most of the cases, with those cases."""
        cases = list(cases)
        passed = {name: [case for case in cases if case.key in keys] for name, keys in self.stubs.items()}
        return max(passed.items(), key=lambda entry: (len(entry[1]), -len(entry[0]), entry[0]), default=("", []))


NOTHING = Evidence()
_Wanted = tuple[bool, int]
"""A goal, or, where the first is true, a mutant."""


def selection(
    found: Iterable[Found], wanted: int, max_raising: float, max_same: float, evidence: Evidence = NOTHING
) -> list[Found]:
    """At most `wanted` cases: the project's own, then what a person would write, then the others; short before long,
    but of what callers pass (`ordinary`) as it was drawn.

    Every goal that some input covers stays covered, and every mutant that some input kills stays killed. At most the
    share `max_raising` raises, no answer has more than the share `max_same`, and stubs pass few, unless goals and
    mutants take more; where stubs pass too many, fewer cases for each goal are kept.
    """
    drawn = list(found)
    cases: list[Found] = []
    for redundancy in (REDUNDANCY, *reversed(STEPS)):
        cases = _Selection(drawn, wanted, redundancy, evidence).made(max_raising, max_same)
        if len(cases) <= wanted and len(evidence.easy(cases)[1]) <= MAX_STUB_SHARE * len(cases):
            break
    return cases


class _Selection:
    """One attempt at a selection, with a number of cases that each goal gets."""

    def __init__(self, drawn: list[Found], wanted: int, redundancy: int, evidence: Evidence) -> None:
        self.drawn = drawn
        self.ordered = ordered = sorted(drawn, key=_weight if evidence.as_drawn else _simplicity)
        self.wanted = wanted
        self.evidence = evidence
        self.size = min(wanted, len(ordered))
        self.passing: dict[str, list[str]] = {}
        for name, keys in sorted(evidence.stubs.items()):
            for key in keys:
                self.passing.setdefault(key, []).append(name)
        self.counts = dict.fromkeys(evidence.stubs, 0)
        self.chosen: dict[str, Found] = {}
        self.others = 0
        self._take_essential(redundancy)
        self.essential = frozenset(self.chosen)

    def _take_essential(self, redundancy: int) -> None:
        """Take for each goal and each mutant the simplest cases that reach or kill it, of those that stubs fail first.

        All have two before one has more, and so on up to the redundancy, as long as there is room, no stub passes too
        many, and there are few that callers don't pass. What is rarest has its cases first: much of the rest is in
        these, too.
        """
        _, easy = self.evidence.easy(self.ordered)
        passed = {case.key for case in easy}
        holders: dict[_Wanted, list[Found]] = {}
        for case in sorted(self.ordered, key=lambda case: case.key in passed):
            for one in _wanted(case, self.evidence):
                holders.setdefault(one, []).append(case)
        rarest = sorted(holders, key=lambda one: (len(holders[one]), one))
        for case in self.ordered:
            if case.key in self.evidence.wanted:
                self._take(case)
        counts = Counter(one for case in self.chosen.values() for one in _wanted(case, self.evidence))
        for step in (*(step for step in STEPS if step < redundancy), redundancy):
            for one in rarest:
                for case in holders[one]:
                    if counts[one] >= step:
                        break
                    few = counts[one] < _enough(case, one, redundancy, self.evidence)
                    few_others = case.ordinary or self.others < (1 - USUAL) * self.wanted
                    fits = step == STEPS[0] or (few_others and self._fits(case, self.wanted, MAX_STUB_SHARE))
                    if few and fits and case.key not in self.chosen:
                        self._take(case)
                        counts.update(_wanted(case, self.evidence))

    def _fits(self, case: Found, size: int, share: float) -> bool:
        """Whether fewer than so many cases are taken, and of these no stub that passes this one passes the share."""
        stubs = self.passing.get(case.key, ())
        return len(self.chosen) < size and all(self.counts[name] < share * self.size for name in stubs)

    def made(self, max_raising: float, max_same: float) -> list[Found]:
        """The cases, the simplest first."""
        returned, raised = self._in_order("returned"), self._in_order("raised")
        # As they were drawn, not the short ones first: what shows in long inputs alone has its share.
        drawn = [case for case in self.drawn if case.ordinary and case.observation.kind == "returned"]
        usual, reserved = _in_turn(drawn), 0
        if self.evidence.as_drawn:
            ordinary = sum(case.ordinary for case in self.drawn)
            raising = min(max_raising, 1 - len(drawn) / max(1, ordinary))
            usual, reserved = drawn, max(0, int(raising * self.wanted) - self._errors())
        share = 1.0 if self.evidence.as_drawn else USUAL
        missing = int(share * self.wanted) - sum(case.ordinary for case in self.chosen.values())
        shares = EASY[1:] if self.evidence.as_drawn else EASY[:2]
        self._add(usual, min(self.wanted - reserved, len(self.chosen) + max(0, missing)), shares)
        self._add(returned, self.wanted - min(len(raised), int(self.wanted * max_raising)))
        errors = self._errors()
        allowed = int((len(self.chosen) - errors) * max_raising / (1 - max_raising)) if max_raising < 1 else self.wanted
        self._add(raised, min(self.wanted, len(self.chosen) + max(0, allowed - errors)))
        self._add(returned, self.wanted)
        _thin(self.chosen, commonest(self.chosen.values())[1], max_same, self.essential)
        for _ in self.evidence.stubs:
            # What is dropped for one stub may make the share of another too large.
            easy = self.evidence.easy(self.chosen.values())[1]
            if not _thin(self.chosen, easy, EASY[-1], self.essential):
                break
        return sorted(self.chosen.values(), key=_simplicity)

    def _errors(self) -> int:
        return sum(case.observation.kind == "raised" for case in self.chosen.values())

    def _in_order(self, kind: str) -> list[Found]:
        """What returns or raises: each answer in turn, but for what is wanted as it was drawn, which comes before."""
        cases = [case for case in self.ordered if case.observation.kind == kind]
        if not self.evidence.as_drawn:
            return _in_turn(cases)
        drawn = [case for case in self.drawn if case.ordinary and case.observation.kind == kind]
        return drawn + _in_turn([case for case in cases if not case.ordinary])

    def _take(self, case: Found) -> None:
        if case.key not in self.chosen:
            self.chosen[case.key] = case
            self.others += not case.ordinary
            for name in self.passing.get(case.key, ()):
                self.counts[name] += 1

    def _add(self, cases: list[Found], size: int, shares: tuple[float, ...] = (*EASY, 1.0)) -> None:
        """Fill up to a size, first without cases of which stubs pass many already."""
        for share in shares:
            for case in cases:
                if case.key not in self.chosen and self._fits(case, size, share):
                    self._take(case)


def lite(cases: list[Found], kills: Mapping[str, frozenset[int]]) -> list[int]:
    """The places of 30 to 50 cases that reach each goal and kill each mutant that the suite does, by greedy cover.

    Where fewer would do, each goal and mutant is covered once more, and so on.
    """
    masks = []
    shift = 1 + max((goal for case in cases for goal in case.observation.goals), default=0)
    for case in cases:
        wanted = [*case.observation.goals, *(shift + mutant for mutant in kills.get(case.key, ()))]
        masks.append(sum(1 << number for number in set(wanted)))
    every = 0
    for mask in masks:
        every |= mask
    chosen: list[int] = []
    left = every
    heap = [(-mask.bit_count(), place) for place, mask in enumerate(masks)]
    heapify(heap)
    while heap and len(chosen) < LITE[1] and (left or len(chosen) < LITE[0]):
        known, best = heap[0]
        gain = -(masks[best] & left).bit_count()
        if gain != known:
            # Gains only shrink while a cover grows, so the first whose gain is as known is the best.
            heapreplace(heap, (gain, best))
            continue
        if not gain:
            if left == every or len(chosen) >= LITE[0]:
                break
            left = every
            heap = [(-masks[place].bit_count(), place) for _, place in heap]
            heapify(heap)
            continue
        chosen.append(best)
        heappop(heap)
        left &= ~masks[best]
    return sorted(chosen)


def _simplicity(case: Found) -> tuple[bool, bool, bool, int]:
    """The order of cases: what the project passes, what callers do, then the others.

    Of like length, the one drawn first comes first, so that typical ones do not give way to scraps.
    """
    return not case.given, not case.ordinary, not case.tidy, len(case.key) // LENGTH


def _weight(case: Found) -> tuple[bool, bool, bool, int]:
    """The same, where what callers pass was weighed by somebody: of that, long ones have their share, too."""
    given, ordinary, tidy, length = _simplicity(case)
    return given, ordinary, tidy, 0 if case.ordinary else length


def _wanted(case: Found, evidence: Evidence) -> list[_Wanted]:
    """The goals that a case reaches, and the mutants that it kills."""
    kills = evidence.kills.get(case.key, ())
    return [*((False, goal) for goal in case.observation.goals), *((True, mutant) for mutant in kills)]


def _enough(case: Found, one: _Wanted, redundancy: int, evidence: Evidence) -> int:
    """How many cases for a goal or a mutant are enough, where this one is the next."""
    mutant, _ = one
    if evidence.as_drawn and not case.ordinary:
        return KILLER if mutant else min(SCARCE, redundancy)
    return KILLERS if mutant and not evidence.as_drawn else redundancy


def _in_turn(ordered: list[Found]) -> list[Found]:
    """The cases so that each answer comes once before any comes twice, and so on."""
    rounds: dict[str, int] = {}
    numbered = []
    for place, case in enumerate(ordered):
        turn = rounds.get(case.observation.effect, 0)
        rounds[case.observation.effect] = turn + 1
        numbered.append((turn, place, case))
    return [case for _, _, case in sorted(numbered, key=lambda entry: entry[:2])]


def _thin(chosen: dict[str, Found], group: list[Found], share: float, essential: frozenset[str]) -> int:
    """Drop cases of a group until its share is small enough, while enough are left: first those that raise, then the
    longest ones. Gives their number.
    """
    others = len(chosen) - len(group)
    allowed = int(others * share / (1 - share)) if share < 1 else len(chosen)
    spare = [case for case in group if case.key not in essential]
    number = max(0, min(len(group) - allowed, len(chosen) - MIN_CASES))
    dropped = sorted(spare, key=_dispensable)[:number]
    for case in dropped:
        del chosen[case.key]
    return len(dropped)


def _dispensable(case: Found) -> tuple[bool, int, str]:
    return case.observation.kind != "raised", -len(case.key), case.key


def commonest(cases: Iterable[Found]) -> tuple[str, list[Found]]:
    """What most cases give (exceptions count by type), with the arguments that they change alike, and those cases."""
    groups: dict[str, list[Found]] = {}
    for case in cases:
        groups.setdefault(case.observation.kind + case.observation.effect, []).append(case)
    if not groups:
        return "", []
    return max(groups.items(), key=lambda entry: (len(entry[1]), entry[0]))
