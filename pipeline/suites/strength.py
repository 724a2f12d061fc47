"""How sharp a suite is: the share of the reference's mutants that it tells from the reference."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from harness.compare import agree
from harness.languages import Call, Machine
from harness.languages.python import run_calls
from harness.records import Case, Comparison
from harness.sandbox import Limits
from pipeline.transforms.higher_order import higher_order
from pipeline.transforms.mutants import Mutant, mutants

MOST_MUTANTS, MOST_OF_HIGHER_ORDER = 40, 20
CHUNK = 60
CALL_SECONDS = 1.0
_LIMITS = Limits(cpu_seconds=CALL_SECONDS + 1.0, wall_seconds=60.0)


@dataclass(frozen=True)
class Sharpness:
    """The share of mutants that some case kills (None where there is no mutant), the survivors in words, and the lite
    selection, with all cases that it needs to kill what the whole suite kills; apart from that the share of mutants
    with several changes that some case kills.
    """

    score: float | None
    survivors: tuple[str, ...]
    lite: tuple[int, ...]
    higher_order: float | None = None


def sharpness(
    program: str, entry_point: str, suite: tuple[Sequence[Case], Comparison], machine: Machine, seed: int,
    lite: Sequence[int] = (),
) -> Sharpness:
    """Run mutants on a suite, on its lite selection first; a case beyond it that alone kills a mutant is added to it.

    At most `MOST_MUTANTS` are run, drawn by the seed, and `MOST_OF_HIGHER_ORDER` with several changes. Mutants that
    mean the same as the reference, but are not proved to, count as survivors, so the scores are lower bounds. A mutant
    that loops for ever is killed by the limit on CPU time.
    """
    found = mutants(program, entry_point)
    chosen = list(lite)
    if len(found) > MOST_MUTANTS:
        places = sorted(Random(seed).sample(range(len(found)), MOST_MUTANTS))
        found = [found[place] for place in places]
    survivors = []
    for mutant in found:
        killer = killing_case(mutant, entry_point, suite, machine, chosen)
        if killer is None:
            survivors.append(f"line {mutant.line}: {mutant.operator}")
        elif lite and killer not in chosen:
            chosen.append(killer)
    score = round(1 - len(survivors) / len(found), 4) if found else None
    several = higher_order(program, entry_point, seed, MOST_OF_HIGHER_ORDER)
    killed = sum(killing_case(mutant, entry_point, suite, machine, chosen) is not None for mutant in several)
    of_several = round(killed / len(several), 4) if several else None
    return Sharpness(score, tuple(survivors), tuple(sorted(chosen)), of_several)


def killing_case(
    mutant: Mutant, entry_point: str, suite: tuple[Sequence[Case], Comparison], machine: Machine,
    first: Sequence[int] = (),
) -> int | None:
    """The place of a case that has another answer from the mutant, or None.

    The cases run in two parts, those of `first` before the others; most mutants die in the first part.
    """
    cases, rule = suite
    rest = [place for place in range(len(cases)) if place not in set(first)]
    parts = [list(first), rest] if first else [rest[:CHUNK], rest[CHUNK:]]
    for part in parts:
        calls = [Call(cases[place].args, cases[place].kwargs, CALL_SECONDS) for place in part]
        run = run_calls(mutant.program, entry_point, calls, machine, _LIMITS)
        if run.load_error is not None:
            return part[0] if part else 0
        for place, outcome in zip(part, run.outcomes, strict=True):
            if outcome.answer is None or agree(cases[place].expected, outcome.answer, rule):
                return place
    return None
