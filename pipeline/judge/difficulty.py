"""How hard a function is: what those say who solved it blind, else a formula that was fitted to what they said.

The formula's measures can be explained (paper, Tables 7 and 8), and say little: most of the tasks that it was fitted to
were Easy for those who solved them, whatever their references look like.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.records import BLIND, Difficulty, Sufficiency
from pipeline.languages.facts import FunctionFacts
from pipeline.records import Candidate

EASY_BELOW, HARD_FROM = 22.0, 40.0
"""Where the levels part: as fitted to the ratings of solvers; no task of theirs has had a score of the last one."""


def assess(facts: FunctionFacts, candidate: Candidate) -> tuple[str, tuple[str, ...]]:
    """A difficulty, and the measures that it comes from with what each adds, largest first.

    Complexity counts above 1, nesting double, every fifth line, a loop in a loop three times, recursion four times,
    each kind of data structure and each library once.
    """
    measures = candidate.measures
    assert measures is not None, "candidates are measured by the screen"
    kinds = facts.structures
    parts = {
        f"complexity {measures.complexity}": float(measures.complexity - 1),
        f"depth {measures.depth}": 1.5 * max(0, measures.depth - 1),
        f"{measures.lines} lines": measures.lines / 5,
        f"{facts.loops} loops, {facts.loop_depth} deep": facts.loops + 2.0 * max(0, facts.loop_depth - 1),
        "recursion": 4.0 if facts.recursive else 0.0,
        f"{kinds} kinds of data structures": 0.5 * kinds,
        f"{len(candidate.libraries)} libraries": 0.5 * len(candidate.libraries),
    }
    score = sum(parts.values())
    reasons = tuple(f"{what}: {points:.1f}" for what, points in sorted(
        parts.items(), key=lambda part: (-part[1], part[0])) if points)
    return str(_level(score)), (f"score {score:.1f}, Easy below {EASY_BELOW:g}, Hard from {HARD_FROM:g}", *reasons)


def _level(score: float) -> Difficulty:
    if score < EASY_BELOW:
        return Difficulty.EASY
    return Difficulty.HARD if score >= HARD_FROM else Difficulty.MEDIUM


ENOUGH = 2
"""Blind answers that say how hard a task is."""
BY_SOLVERS = "solvers-2"
"""Who says how hard a task is where its blind answers decide."""


def by_solvers(
    difficulty: str, judge: str, found: Sufficiency | None, ratings: Sequence[str] = ()
) -> tuple[str, str]:
    """How hard a task is, and who says so: those who answered blind, if there were some and no model has judged.

    What one of them has missed is hard, whatever it looks. What all have solved is as hard as they say: the lower one
    in the middle of their `ratings`, where at least `ENOUGH` have said.
    """
    blind = found is not None and found.attempts >= ENOUGH and any(one.startswith(BLIND) for one in found.solvers)
    if found is None or not blind or judge.startswith("llm:"):
        return difficulty, judge
    if found.solved < found.attempts:
        return Difficulty.HARD, BY_SOLVERS
    if len(ratings) >= ENOUGH:
        levels = list(Difficulty)
        return sorted(map(Difficulty, ratings), key=levels.index)[(len(ratings) - 1) // 2], BY_SOLVERS
    return difficulty, judge
