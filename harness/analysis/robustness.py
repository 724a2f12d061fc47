"""What changes of programs cost a model: each chain against the origin, on the tasks that both ask about.

A task's rate is the share of right answers over its cases and samples. Differences are paired: only tasks and cases
that the chain is asked about in count, on both sides, where Dynamic Benchmarking (Tables 2, 3, 5 and 6) compares with
all of them.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from statistics import fmean, quantiles, stdev

from harness.analysis import Cell, Share, Table
from harness.errors import UserError
from harness.languages.registry import language
from harness.records import Answer, Task, Verdict
from harness.releases.dataset import DERIVED, Release
from harness.scoring.metrics import Interval, bootstrap, sign_flip
from harness.scoring.results import Results

ORIGIN, ALTERED = "Plain", "Altered"
POWER = 2.8
"""Standard errors that a difference must have to be found in 80% of runs at the 5% level."""


@dataclass(frozen=True)
class Drop:
    """One chain of one family against the origin; shares are of 1, differences are the chain's rate less the origin's.

    `interval` is the 95% percentile bootstrap interval of `difference` over tasks, `p_value` two-sided by flipping the
    signs of the tasks' differences, and adjusted for all chains of the family (Holm). `relative` is the loss as a share
    of the origin's rate, None where that is 0. `unpaired` is the difference to the origin's rate on all tasks, as the
    paper prints it. `detectable` is the smallest loss that this run could have told (80% power at 5%), None for one
    task, or where all tasks differ alike. `recited` is the share of answers to altered programs that are what the
    origin gives, `prior` what guessing gives. `steps` are those of the origin in the cases that count, the fewest and
    the most, None where the row is about all cases.
    """

    model: str
    family: str
    chain: str
    tasks: int
    answers: int
    origin: float
    rate: float
    difference: float
    interval: Interval
    p_value: float
    relative: float | None
    better: int
    worse: int
    unpaired: float
    detectable: float | None
    prior: float
    recited: float | None = None
    steps: tuple[int, int] | None = None


@dataclass(frozen=True)
class _Asked:
    """A row that was answered, with its verdicts."""

    task: Task
    verdicts: tuple[Verdict, ...]

    @property
    def case(self) -> tuple[int, int]:
        """The draw, and the place of the case."""
        about = self.task.variation
        return (about.draw, about.case) if about else (0, 0)

    @property
    def rate(self) -> float:
        """The share of right answers."""
        return fmean(one.perfect for one in self.verdicts)


def analyse(results: Sequence[Results], release: Release, seed: int = 0, by_steps: bool = False) -> list[Drop]:
    """A row for each model, family and chain; raises `UserError` where results or release have nothing to compare.

    `by_steps` gives a row for each quartile of the cases that are answered of origins, by the steps that these take.
    """
    if DERIVED not in release.manifest:
        raise UserError(f"{release.name} asks about no variants: give results on a release that `vary` has made.")
    found: list[Drop] = []
    for one in results:
        check_release(one, release)
        found += _of_model(one, release, seed, by_steps)
    if not found:
        raise UserError(f"{results[0].path} answers no variant in a case in which it answers the origin: judge both.")
    return found


def check_release(results: Results, release: Release) -> None:
    """Raise `UserError` for results on another release."""
    if results.run.manifest_sha256 != release.manifest_sha256:
        raise UserError(
            f"{results.path} is on another release than {release.name} (manifest {results.run.manifest_sha256[:12]}, "
            f"not {release.manifest_sha256[:12]}): a table holds results on one seed and one origin.")


def _of_model(results: Results, release: Release, seed: int, by_steps: bool) -> Iterator[Drop]:
    latest = {(key.task_id, key.variant, key.number): verdict for key, verdict in results.verdicts.items()}
    verdicts: dict[str, list[Verdict]] = defaultdict(list)
    for (task_id, _, _), verdict in latest.items():
        verdicts[task_id].append(verdict)
    asked: dict[str, dict[str, dict[str, list[_Asked]]]] = defaultdict(lambda: defaultdict(lambda: defaultdict(list)))
    for task in release.tasks:
        if task.variation is not None and task.variation.chain and task.task_id in verdicts:
            row = _Asked(task, tuple(verdicts[task.task_id]))
            asked[task.family][task.variation.chain][str(task.origin)].append(row)
    model = results.run.model or results.path.stem.removesuffix(".results")
    for family, chains in sorted(asked.items()):
        if ORIGIN not in chains:
            raise UserError(f"{results.path} has no answers about origins ({family}): judge the chain {ORIGIN}, too.")
        names = sorted(chains.keys() - {ORIGIN}, key=lambda chain: (chain == ALTERED, chain))
        if by_steps:
            parts = _by_steps(chains, release)
            cut = [(steps, _drop(model, family, chain, part, seed)) for chain in names for steps, part in parts]
            yield from _adjusted([replace(row, steps=steps) for steps, row in cut if row is not None])
            continue
        rows = [_drop(model, family, chain, chains, seed) for chain in names]
        yield from _adjusted([row for row in rows if row is not None])
    if not asked:
        raise UserError(f"{results.path} has no answers about programs of {release.name}.")


_Chains = Mapping[str, Mapping[str, Sequence[_Asked]]]
"""What was answered, by chain and task."""


def _by_steps(chains: _Chains, release: Release) -> list[tuple[tuple[int, int], _Chains]]:
    """What was answered in the cases of each quartile of the origins' steps, with the fewest and most of these."""
    steps = {(task, row.case): row.task.variation.steps for task, rows in chains[ORIGIN].items() for row in rows
             if row.task.variation is not None}
    if not all(steps.values()):
        raise UserError(
            f"{release.name} doesn't say how many steps its programs take: make it again by `code2bench vary`, or "
            "leave out --by.")
    every = sorted(steps.values())
    bounds = quantiles(every, n=4, method="inclusive") if len(every) > 1 else []
    quartile = {case: sum(bound < count for bound in bounds) for case, count in steps.items()}
    parts = list[tuple[tuple[int, int], _Chains]]()
    for number in sorted(set(quartile.values())):
        inside = {case for case, own in quartile.items() if own == number}
        some = [steps[case] for case in inside]
        kept = {chain: _inside(tasks, inside) for chain, tasks in chains.items()}
        parts.append(((min(some), max(some)), kept))
    return parts


def _inside(
    tasks: Mapping[str, Sequence[_Asked]], cases: set[tuple[str, tuple[int, int]]]
) -> dict[str, list[_Asked]]:
    kept = {task: [row for row in rows if (task, row.case) in cases] for task, rows in tasks.items()}
    return {task: rows for task, rows in kept.items() if rows}


def _drop(model: str, family: str, chain: str, chains: _Chains, seed: int) -> Drop | None:
    """The row of a chain, None where nothing was answered in the same case of a task by both."""
    first = chains[ORIGIN]
    pairs = {task: _paired(first[task], own) for task, own in sorted(chains[chain].items()) if task in first}
    pairs = {task: both for task, both in pairs.items() if all(both)}
    if not pairs:
        return None
    rates = [(_rate(old), _rate(new)) for old, new in pairs.values()]
    changes = [after - before for before, after in rates]
    before, after = (fmean(side) for side in zip(*rates, strict=True))
    rows = [row for _, new in pairs.values() for row in new]
    return Drop(
        model, family, chain, len(pairs), sum(len(row.verdicts) for row in rows), before, after, fmean(changes),
        bootstrap(changes, seed), sign_flip(changes, seed), (before - after) / before if before else None,
        sum(change > 0 for change in changes), sum(change < 0 for change in changes),
        after - fmean(map(_rate, first.values())),
        POWER * stdev(changes) / math.sqrt(len(changes)) if len(set(changes)) > 1 else None,
        fmean(row.task.variation.prior for row in rows if row.task.variation),
        _recited(rows, first) if chain == ALTERED and family == "output" else None,
    )


def _paired(first: Sequence[_Asked], own: Sequence[_Asked]) -> tuple[list[_Asked], list[_Asked]]:
    """The rows of both that are about the same cases."""
    shared = {row.case for row in first} & {row.case for row in own}
    return [row for row in first if row.case in shared], [row for row in own if row.case in shared]


def _rate(rows: Iterable[_Asked]) -> float:
    """The share of right answers to rows that have as many samples."""
    return fmean(row.rate for row in rows)


def _recited(rows: Sequence[_Asked], first: Mapping[str, Sequence[_Asked]]) -> float:
    """The share of answers that give what the origin gives in the same case."""
    known = {
        (origin, row.task.variation.case): _said(row.task.cases[0].expected, row.task)
        for origin, asked in first.items() for row in asked if row.task.variation}
    told = [
        verdict.failure is not None and row.task.variation is not None
        and verdict.failure.got == known.get((str(row.task.origin), row.task.variation.case))
        for row in rows for verdict in row.verdicts]
    return fmean(told)


def _said(answer: Answer, task: Task) -> str:
    """An answer as a verdict tells what a wrong one has given."""
    return language(task.language).values.candidates_answer(answer)


def _adjusted(rows: Sequence[Drop]) -> list[Drop]:
    return [replace(row, p_value=p) for row, p in zip(rows, holm([row.p_value for row in rows]), strict=True)]


def holm(p_values: Sequence[float]) -> list[float]:
    """The p-values so that they hold for all of them together (Holm 1979), in the same order."""
    order = sorted(range(len(p_values)), key=lambda place: p_values[place])
    adjusted, highest = dict[int, float](), 0.0
    for rank, place in enumerate(order):
        highest = max(highest, min(1.0, (len(p_values) - rank) * p_values[place]))
        adjusted[place] = highest
    return [adjusted[place] for place in range(len(p_values))]


def table(rows: Sequence[Drop]) -> Table:
    """The rows as a table, differences in points of 100."""
    columns = (
        "model", "family", "chain", *(["steps"] if any(row.steps for row in rows) else []), "tasks",
        "answers", "origin", "variant", "points", "low", "high", "p", "relative",
        "better", "worse", "unpaired", "detectable", "prior", "recited")
    return Table(columns, tuple(_cells(row) for row in rows))


def _cells(row: Drop) -> tuple[Cell, ...]:
    return (
        row.model, row.family, row.chain, *([f"{row.steps[0]}-{row.steps[1]}"] if row.steps else []), row.tasks,
        row.answers, Share(row.origin), Share(row.rate),
        _points(row.difference), _points(row.interval.low), _points(row.interval.high), f"{row.p_value:.2g}",
        "" if row.relative is None else Share(row.relative), row.better, row.worse, _points(row.unpaired),
        "" if row.detectable is None else f"{100 * row.detectable:.1f}", Share(row.prior),
        "" if row.recited is None else Share(row.recited),
    )


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"
