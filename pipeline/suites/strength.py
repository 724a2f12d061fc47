"""How sharp a suite is: the share of the reference's mutants that it tells from the reference."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from harness.compare import agree
from harness.languages import Call, Machine
from harness.languages.python import run_calls
from harness.records import Case, Comparison
from harness.sandbox import Limits
from pipeline.transforms.mutants import Mutant, mutants

MOST_MUTANTS = 40
CHUNK = 60
CALL_SECONDS = 2.0
_LIMITS = Limits(cpu_seconds=CALL_SECONDS + 1.0, wall_seconds=60.0)


def mutation_score(
    program: str, entry_point: str, suite: tuple[Sequence[Case], Comparison], machine: Machine, seed: int
) -> tuple[float | None, tuple[str, ...]]:
    """The share of mutants that some case kills, and the survivors in words; None where there is no mutant.

    At most `MOST_MUTANTS` are run, drawn by the seed. Mutants that mean the same as the reference count as survivors,
    so the score is a lower bound. A mutant that loops for ever is killed by the limit on CPU time.
    """
    found = mutants(program, entry_point)
    if not found:
        return None, ()
    if len(found) > MOST_MUTANTS:
        places = sorted(Random(seed).sample(range(len(found)), MOST_MUTANTS))
        found = [found[place] for place in places]
    survivors = [mutant for mutant in found if not is_killed(mutant, entry_point, suite, machine)]
    names = tuple(f"line {mutant.line}: {mutant.operator}" for mutant in survivors)
    return round(1 - len(survivors) / len(found), 4), names


def is_killed(mutant: Mutant, entry_point: str, suite: tuple[Sequence[Case], Comparison], machine: Machine) -> bool:
    """Whether some case has another answer from the mutant; the cases run in chunks, most mutants die in the first."""
    cases, rule = suite
    for part in (cases[:CHUNK], cases[CHUNK:]):
        calls = [Call(case.args, case.kwargs, CALL_SECONDS) for case in part]
        run = run_calls(mutant.program, entry_point, calls, machine, _LIMITS)
        if run.load_error is not None:
            return True
        for case, outcome in zip(part, run.outcomes, strict=True):
            if outcome.answer is None or agree(case.expected, outcome.answer, rule):
                return True
    return False
