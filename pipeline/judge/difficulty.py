"""How hard a function is, from measures that can be explained (paper, Tables 7 and 8)."""

from __future__ import annotations

from harness.records import Difficulty
from pipeline.languages.facts import FunctionFacts
from pipeline.records import Candidate

EASY_BELOW = 3.5
HARD_FROM = 8.0


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
