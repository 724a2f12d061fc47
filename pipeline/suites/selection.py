"""Which of the valid inputs become the suite: all goals, few errors, diverse answers, simple ones first."""

from __future__ import annotations

from collections.abc import Iterable

from pipeline.suites.search import Found

REDUNDANCY = 25
"""How many cases are kept for each goal before diversity decides, as far as there are so many."""


def selection(found: Iterable[Found], wanted: int, max_raising: float, max_same: float) -> list[Found]:
    """At most `wanted` cases: the project's own and what a person would write first, shorter ones before longer ones.

    Every goal that some input covers stays covered. At most the share `max_raising` raises, and no answer has more
    than the share `max_same`, unless covering the goals takes it.
    """
    ordered = sorted(found, key=_simplicity)
    chosen = {case.key: case for case in _essential(ordered)}
    returned = _in_turn([case for case in ordered if case.observation.kind == "returned"])
    raised = _in_turn([case for case in ordered if case.observation.kind == "raised"])
    _add(chosen, returned, wanted - min(len(raised), int(wanted * max_raising)))
    calm = sum(1 for case in chosen.values() if case.observation.kind == "returned")
    errors = sum(1 for case in chosen.values() if case.observation.kind == "raised")
    allowed = int(calm * max_raising / (1 - max_raising)) if max_raising < 1 else wanted
    _add(chosen, raised, min(wanted, len(chosen) + max(0, allowed - errors)))
    _add(chosen, returned, wanted)
    _thin(chosen, max_same, {case.key for case in _essential(ordered)})
    return sorted(chosen.values(), key=_simplicity)


def _simplicity(case: Found) -> tuple[bool, bool, int, str]:
    return not case.given, not case.tidy, len(case.key), case.key


def _essential(ordered: list[Found]) -> list[Found]:
    """For each goal the simplest cases that cover it."""
    counts: dict[int, int] = {}
    kept = []
    for case in ordered:
        if any(counts.get(goal, 0) < REDUNDANCY for goal in case.observation.goals):
            rare = [goal for goal in case.observation.goals if counts.get(goal, 0) < REDUNDANCY]
            for goal in rare:
                counts[goal] = counts.get(goal, 0) + 1
            kept.append(case)
    return kept


def _in_turn(ordered: list[Found]) -> list[Found]:
    """The cases so that each answer comes once before any comes twice, and so on."""
    rounds: dict[str, int] = {}
    numbered = []
    for place, case in enumerate(ordered):
        turn = rounds.get(case.observation.answer, 0)
        rounds[case.observation.answer] = turn + 1
        numbered.append((turn, place, case))
    return [case for _, _, case in sorted(numbered, key=lambda entry: entry[:2])]


def _add(chosen: dict[str, Found], cases: list[Found], size: int) -> None:
    for case in cases:
        if len(chosen) >= size:
            return
        chosen.setdefault(case.key, case)


def _thin(chosen: dict[str, Found], max_same: float, essential: set[str]) -> None:
    """Drop the longest cases of the commonest answer until its share is small enough."""
    _, cases = commonest(chosen.values())
    others = len(chosen) - len(cases)
    allowed = int(others * max_same / (1 - max_same)) if max_same < 1 else len(chosen)
    spare = [case for case in cases if case.key not in essential]
    for case in sorted(spare, key=lambda case: (-len(case.key), case.key))[: max(0, len(cases) - allowed)]:
        del chosen[case.key]


def commonest(cases: Iterable[Found]) -> tuple[str, list[Found]]:
    """The answer that most cases have (exceptions count by type), and those cases."""
    groups: dict[str, list[Found]] = {}
    for case in cases:
        groups.setdefault(case.observation.kind + case.observation.answer, []).append(case)
    if not groups:
        return "", []
    return max(groups.items(), key=lambda entry: (len(entry[1]), entry[0]))
