"""Readings: plausible wrong answers, each with the cases that refuse it and what it gives there.

A reading is the reference with one change of meaning: a boundary that is strict, a condition that is left out, the
first in place of the last. What no shown example refuses is an open point: the text has to decide it. What no case
refuses, although other inputs do that callers may pass, is a hole in the suite.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace

from harness.languages import Batch, Call, Machine, Run
from harness.languages.python.runner import run_variants
from harness.records import Answer, Case, Comparison
from harness.values.comparison import agree
from pipeline.languages.python.effects import chance_in
from pipeline.suites.proofs.unreachable import dead_lines
from pipeline.suites.selection.mutation_score import LIMITS, modules_of
from pipeline.suites.subject import Subject
from pipeline.transforms.altering.mutants import Mutants, fairly

MOST = 120
"""How many readings of a function are tried."""
SECONDS = 1.0
FEW = 5
"""Cases below which a reading is refused by hardly any."""


@dataclass(frozen=True)
class Reading:
    """A wrong answer in words, the places of the cases that refuse it, and what it gives in the first of them.

    `given` is None where it gives nothing there: it hangs, or its answer can't be carried.
    """

    words: str
    refused_by: tuple[int, ...]
    given: dict[int, Answer | None]
    program: str = ""

    def is_open(self, shown: Collection[int]) -> bool:
        """Whether it differs from the reference, but in no case that is shown."""
        return bool(self.refused_by) and not set(shown).intersection(self.refused_by)


def readings(
    program: str, entry_point: str, cases: Sequence[Case], comparison: Comparison, machine: Machine, seed: int
) -> list[Reading]:
    """The readings of a function, each run on all cases; those of its members are none, since these are given."""
    dead = dead_lines(Subject.of(program, entry_point))
    every = Mutants(program, entry_point, dead, chance_in, members=False, misread=True)
    sites = [every.sites[place] for place in fairly(every.own, 0, MOST, seed)]
    found = [mutant for site in sites for mutant in every.written(site)]
    calls = [Call(case.args, case.kwargs, SECONDS) for case in cases]
    runs = answered([mutant.program for mutant in found], entry_point, calls, machine)
    return [
        _reading(str(mutant), mutant.program, run, cases, comparison) for mutant, run in zip(found, runs, strict=True)]


def answered(programs: Sequence[str], entry_point: str, calls: Sequence[Call], machine: Machine) -> list[Run]:
    """What each program gives in all calls."""
    places = [list(range(len(calls)))] * len(programs)
    batch = Batch(programs, entry_point, calls, LIMITS, modules_of(programs), places, [1] * len(programs))
    return list(run_variants(batch, machine))


def beyond(
    program: str, entry_point: str, passing: Sequence[Reading], calls: Sequence[Call], errors: Collection[str],
    comparison: Comparison, machine: Machine,
) -> tuple[list[Case], list[Reading]]:
    """Further calls as cases, by what the reference gives, and readings that pass all others with what refuses them
    here.

    Calls to which the reference gives nothing are left out, and those where it raises anything but the `errors`.
    """
    reference, *runs = answered([program, *(one.program for one in passing)], entry_point, calls, machine)
    right = {
        place: one.answer for place, one in enumerate(reference.outcomes)
        if one.answer is not None and (one.answer.kind == "returned" or one.answer.exception in errors)
    }
    cases = [Case(calls[place].args, dict(calls[place].kwargs), answer) for place, answer in right.items()]
    found = []
    for one, run in zip(passing, runs, strict=True):
        kept = tuple(run.outcomes[place] for place in right if place < len(run.outcomes))
        found.append(_reading(one.words, one.program, replace(run, outcomes=kept), cases, comparison))
    return cases, found


def _reading(words: str, program: str, run: Run, cases: Sequence[Case], comparison: Comparison) -> Reading:
    given: dict[int, Answer | None] = {}
    if run.load_error is not None:
        return Reading(words, tuple(range(len(cases))), {0: None}, program)
    for place, outcome in enumerate(run.outcomes):
        if outcome.answer is None or agree(cases[place].expected, outcome.answer, comparison):
            given[place] = outcome.answer
    # A program that hangs or dies has no outcomes behind that case, and gives nothing there.
    given |= dict.fromkeys(range(len(run.outcomes), len(cases)))
    return Reading(words, tuple(given), given, program)


def open_points(found: Sequence[Reading], shown: Collection[int], most: int) -> list[Reading]:
    """The readings that no shown case refuses, those that most cases refuse first; one of each set of cases."""
    points: dict[tuple[int, ...], Reading] = {}
    for one in found:
        if one.is_open(shown):
            points.setdefault(one.refused_by, one)
    return sorted(points.values(), key=lambda one: -len(one.refused_by))[:most]
