"""How sharp a suite is: the share of the reference's mutants that it tells from the reference."""

from __future__ import annotations

import ast
from bisect import bisect_right
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice

from harness.languages import Batch, Call, Machine, Run
from harness.languages.python.runner import run_variants
from harness.sandbox import Limits
from harness.values.comparison import agree
from pipeline.languages.python.effects import chance_in
from pipeline.suites.oracle import Recorded
from pipeline.suites.proofs.unreachable import dead_lines
from pipeline.suites.subject import Subject
from pipeline.transforms.altering.higher_order import higher_order
from pipeline.transforms.altering.mutants import Mutant, Mutants, fairly

MOST_MUTANTS, MOST_OF_HIGHER_ORDER = 40, 20
CHUNK, TOGETHER = 60, 60
CALL_SECONDS, TIMES = (0.1, 1.0), 20
"""The CPU seconds that a call of a mutant has: so many times as much as the reference's slowest call, within bounds."""
LIMITS = Limits(cpu_seconds=CALL_SECONDS[1] + 1.0, wall_seconds=60.0)


_Task = tuple[str, Sequence[int]]
"""A program and the places of the cases that it runs."""


@dataclass(frozen=True)
class Sharpness:
    """The share of mutants that some case kills (None where there is no mutant), the survivors in words, and the lite
    selection, with all cases that it needs to kill what the whole suite kills; apart from that the share of mutants
    with several changes that some case kills. `entry_score` is that of the function alone where it has members.
    """

    score: float | None
    survivors: tuple[str, ...]
    lite: tuple[int, ...]
    higher_order: float | None = None
    entry_score: float | None = None


def sharpness(
    program: str, entry_point: str, recorded: Recorded, machine: Machine, seed: int, lite: Sequence[int] = ()
) -> Sharpness:
    """Run mutants on a suite, on its lite selection first; a case beyond it that alone kills a mutant is added to it.

    At most `MOST_MUTANTS` are run, drawn by the seed, and `MOST_OF_HIGHER_ORDER` with several changes; members have
    mutants, too, but for lines that no call comes to. Mutants that mean the same as the reference, but are not proved
    to, count as survivors, so the scores are lower bounds. A mutant that loops for ever is killed by the limit on CPU
    time.
    """
    every, found = first_order(program, entry_point, seed)
    several = higher_order(every, seed, MOST_OF_HIGHER_ORDER)
    reaching = _Reaching(recorded)
    places = [reaching.of(mutant.line) for mutant in found] + [reaching.every] * len(several)
    doubtful = {n for n, m in enumerate(found) if str(replace(m, line=reaching.start(m.line))) in recorded.doubtful}
    programs = [mutant.program for mutant in (*found, *several)]
    killers = _killers(program, programs, entry_point, recorded, machine, lite, places, doubtful)
    first, later = killers[: len(found)], killers[len(found) :]
    chosen = list(lite)
    for telling in first:
        if lite and telling and not set(chosen).intersection(telling):
            chosen.append(telling[0])
    survivors = tuple(str(mutant) for mutant, telling in zip(found, first, strict=True) if not telling)
    own = [telling for mutant, telling in zip(found, first, strict=True) if not mutant.member]
    alone = _share(own) if len(own) < len(found) else None
    return Sharpness(_share(first), survivors, tuple(sorted(chosen)), _share(later), alone)


def first_order(program: str, entry_point: str, seed: int) -> tuple[Mutants, list[Mutant]]:
    """All mutants of a program, and those with one change that are run."""
    every = Mutants(program, entry_point, dead_lines(Subject.of(program, entry_point)), chance_in)
    sites = [every.sites[place] for place in fairly(every.own, len(every.sites) - every.own, MOST_MUTANTS, seed)]
    return every, [mutant for site in sites for mutant in every.written(site)]


def _share(killers: Sequence[Sequence[int]]) -> float | None:
    return round(sum(map(bool, killers)) / len(killers), 4) if killers else None


class _Reaching:
    """Which cases come to the statement of a line: the others can't tell a change there."""

    def __init__(self, recorded: Recorded) -> None:
        self.every = tuple(range(len(recorded.cases)))
        self.lines = recorded.lines
        self.starts = sorted({line for lines in recorded.lines for line in lines})

    def of(self, line: int) -> tuple[int, ...]:
        """The places of the cases that come to the statement; all where none does, as for defaults of parameters."""
        start = self.start(line)
        return tuple(place for place in self.every if start in self.lines[place]) if start else self.every

    def start(self, line: int) -> int:
        """The line where the statement of a line begins, 0 where no case comes to it."""
        before = bisect_right(self.starts, line)
        return self.starts[before - 1] if before else 0


def _killers(
    reference: str, programs: Sequence[str], entry_point: str, recorded: Recorded, machine: Machine,
    lite: Sequence[int], places: Sequence[Sequence[int]], doubtful: Collection[int] = (),
) -> list[list[int]]:
    """For each mutant the places of cases that have another answer from it, among its `places`; none for a survivor.

    At first only the cases of the lite selection run, on several mutants in one process, after which the reference
    itself has to give its answers there: else one of the mutants has left something behind, and none of them counts.
    A mutant that hangs or dies ends the process, so the reference speaks only for those that come after the last such.
    Each mutant that has not died so runs again in a process of its own, with all cases. `doubtful` mutants, few of
    which die, run so at once, which saves a start for most functions. For a mutant that dies at first, and without a
    lite selection for all, one place is all that is given.
    """
    chosen = set(lite or range(min(CHUNK, len(recorded.cases))))
    sure = [number for number in range(len(programs)) if number not in doubtful]
    groups = [sure[place : place + TOGETHER] for place in range(0, len(sure), TOGETHER)]
    first: list[_Task] = []
    for group in groups:
        first += [(programs[number], [place for place in places[number] if place in chosen]) for number in group]
        first.append((reference, sorted(chosen)))
    alone = [number for number in range(len(programs)) if number in doubtful]
    first += [(programs[number], places[number]) for number in alone]
    found = iter(_differing(first, entry_point, recorded, machine, [len(group) + 1 for group in groups]))
    killers: dict[int, Iterator[int]] = {}
    for group in groups:
        one = {number: list(islice(next(found), 1)) for number in group}
        untouched = not any(True for _ in next(found))
        killers |= {number: iter(telling) for number, telling in one.items() if telling and untouched}
    killers |= dict(zip(alone, found, strict=True))
    left = [number for number in range(len(programs)) if number not in killers]
    later = [(programs[number], sorted(places[number], key=lambda place: place not in chosen)) for number in left]
    killers |= dict(zip(left, _differing(later, entry_point, recorded, machine), strict=True))
    return [list(killers[number] if lite else islice(killers[number], 1)) for number in range(len(programs))]


def _differing(
    tasks: Sequence[_Task], entry_point: str, recorded: Recorded, machine: Machine, together: Sequence[int] = ()
) -> list[Iterator[int]]:
    """For each program the places, of these, of the cases with other answers; a call that does not end ends them.

    The first programs share processes, as many as `together` says; the others have one each.
    """
    if not any(places for _, places in tasks):
        return [iter(()) for _ in tasks]
    seconds = min(CALL_SECONDS[1], max(CALL_SECONDS[0], TIMES * recorded.slowest))
    used = sorted({place for _, places in tasks for place in places})
    at = {place: number for number, place in enumerate(used)}
    calls = [Call(recorded.cases[place].args, recorded.cases[place].kwargs, seconds) for place in used]
    wanted = [[at[place] for place in places] for _, places in tasks]
    programs = [program for program, _ in tasks]
    sizes = [*together, *[1] * (len(tasks) - sum(together))]
    runs = run_variants(Batch(programs, entry_point, calls, LIMITS, modules_of(programs), wanted, sizes), machine)
    return [_places(run, recorded, places) for run, (_, places) in zip(runs, tasks, strict=True)]


def _places(run: Run, recorded: Recorded, part: Sequence[int]) -> Iterator[int]:
    if run.load_error is not None:
        yield from part[:1]
    for place, outcome in zip(part, run.outcomes, strict=False):
        if outcome.answer is None or agree(recorded.cases[place].expected, outcome.answer, recorded.comparison):
            yield place


def modules_of(programs: Sequence[str]) -> list[str]:
    """What the mutants import, all of them by one text; some of it may turn out to be no module but what it holds."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(programs[0])) if programs else ():
        if isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found.update((node.module, *(f"{node.module}.{alias.name}" for alias in node.names)))
    return sorted(found)
