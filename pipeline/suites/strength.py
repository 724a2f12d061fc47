"""How sharp a suite is: the share of the reference's mutants that it tells from the reference."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from random import Random

from harness.compare import agree
from harness.languages import Call, Machine, Run
from harness.languages.python import run_variants
from harness.sandbox import Limits
from pipeline.suites.answers import Recorded
from pipeline.suites.names import imported_names
from pipeline.transforms.higher_order import higher_order
from pipeline.transforms.mutants import Mutants

MOST_MUTANTS, MOST_OF_HIGHER_ORDER = 40, 20
CHUNK = 60
CALL_SECONDS, TIMES = (0.1, 1.0), 20
"""The CPU seconds that a call of a mutant has: so many times as much as the reference's slowest call, within bounds."""
_LIMITS = Limits(cpu_seconds=CALL_SECONDS[1] + 1.0, wall_seconds=60.0)


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
    program: str, entry_point: str, recorded: Recorded, machine: Machine, seed: int, lite: Sequence[int] = ()
) -> Sharpness:
    """Run mutants on a suite, on its lite selection first; a case beyond it that alone kills a mutant is added to it.

    At most `MOST_MUTANTS` are run, drawn by the seed, and `MOST_OF_HIGHER_ORDER` with several changes. Mutants that
    mean the same as the reference, but are not proved to, count as survivors, so the scores are lower bounds. A mutant
    that loops for ever is killed by the limit on CPU time.
    """
    every = Mutants(program, entry_point)
    sites = every.sites
    if len(sites) > MOST_MUTANTS:
        sites = [sites[place] for place in sorted(Random(seed).sample(range(len(sites)), MOST_MUTANTS))]
    found = [mutant for site in sites for mutant in every.written(site)]
    several = higher_order(every, seed, MOST_OF_HIGHER_ORDER)
    killers = _killers([mutant.program for mutant in (*found, *several)], entry_point, recorded, machine, lite)
    first, later = killers[: len(found)], killers[len(found) :]
    chosen = list(lite)
    for places in first:
        if lite and places and not set(chosen).intersection(places):
            chosen.append(places[0])
    survivors = tuple(f"line {m.line}: {m.operator}" for m, places in zip(found, first, strict=True) if not places)
    return Sharpness(_share(first), survivors, tuple(sorted(chosen)), _share(later))


def _share(killers: Sequence[Sequence[int]]) -> float | None:
    return round(sum(map(bool, killers)) / len(killers), 4) if killers else None


def _killers(
    programs: Sequence[str], entry_point: str, recorded: Recorded, machine: Machine, first: Sequence[int]
) -> list[list[int]]:
    """For each mutant the places of cases that have another answer from it, none for a survivor.

    The cases run in two parts, those of `first` before the others; for a mutant that dies in the first part that one
    place is all that is given.
    """
    cases = recorded.cases
    rest = [place for place in range(len(cases)) if place not in set(first)]
    part, other = (list(first), rest) if first else (rest[:CHUNK], rest[CHUNK:])
    killers = [list(islice(found, 1)) for found in _differing(programs, entry_point, recorded, machine, part)]
    left = [number for number, found in enumerate(killers) if not found]
    if other:
        later = _differing([programs[number] for number in left], entry_point, recorded, machine, other)
        for number, found in zip(left, later, strict=True):
            killers[number] = list(found if first else islice(found, 1))
    return killers


def _differing(
    programs: Sequence[str], entry_point: str, recorded: Recorded, machine: Machine, part: Sequence[int]
) -> list[Iterator[int]]:
    """For each program the places, of these, of the cases with other answers; a call that does not end ends them."""
    seconds = min(CALL_SECONDS[1], max(CALL_SECONDS[0], TIMES * recorded.slowest))
    calls = [Call(recorded.cases[place].args, recorded.cases[place].kwargs, seconds) for place in part]
    runs = run_variants(programs, entry_point, calls, machine, _LIMITS, _modules(programs))
    return [_places(run, recorded, part) for run in runs]


def _places(run: Run, recorded: Recorded, part: Sequence[int]) -> Iterator[int]:
    if run.load_error is not None:
        yield from part[:1]
    for place, outcome in zip(part, run.outcomes, strict=False):
        if outcome.answer is None or agree(recorded.cases[place].expected, outcome.answer, recorded.comparison):
            yield place


def _modules(programs: Sequence[str]) -> list[str]:
    """What the mutants import, all of them by one text."""
    return sorted({name.split(".")[0] for text in programs[:1] for name in imported_names(ast.parse(text)).values()})
