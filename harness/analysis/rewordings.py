"""What other words of the questions cost a model, and how much it depends on them: strategy by strategy.

(Prompt mutation, Tables I and II, Figure 4.) Everything is paired: a strategy is compared with the initial questions of
the tasks that it has variants of, in the same cases. What chance alone gives stands beside each size.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, stdev

from harness.analysis import Cell, Share, Table
from harness.analysis.robustness import POWER, check_release, holm
from harness.analysis.sensitivity import (
    Asked,
    Counts,
    all_right,
    best,
    cross_fitted,
    dealt_change,
    interval_of,
    mean_change_of_all,
    null,
    rms,
)
from harness.errors import UserError
from harness.records import PromptVariant, Verdict
from harness.releases.dataset import Release
from harness.rewordings import CONTROL, INITIAL, read_rewordings
from harness.scoring.metrics import Interval, sign_flip
from harness.scoring.results import Results

SAME = "(same information)"
"""In place of a strategy: all variants that tell as much as the initial question, and that surely mean the same."""
_UNCHECKED = "unchecked"


@dataclass(frozen=True)
class Sensitivity:
    """One strategy of one model; rates are shares of 1, changes are the variant's rate less the initial question's.

    `change` is the mean over tasks, with its interval over tasks and `p_value` (sign flips; Holm over strategies).
    `mean_change` (MB) weighs each task alike, `mean_change_of_all` each variant, as the paper does; `floor` is what
    chance alone gives of the first, `excess` the rest, with interval and permutation test. With single samples the
    floor is what the control shows, and there is no test. `spread` is the root of the mean square of true changes,
    None with single samples. `best` is pass@1 of each task's best variant (Pass@1_b), `best_by_chance` what that is
    where all prompts are one, and `best_elsewhere` what the choice is worth on other samples. `all_right` is the chance
    that a sample of each variant is right. `cases` is the mean change of the share of passed cases, with its floor.
    """

    model: str
    strategy: str
    information: str
    tasks: int
    variants: int
    answers: int
    initial: float
    rate: float
    change: float
    interval: Interval
    p_value: float
    detectable: float | None
    mean_change: float
    mean_change_of_all: float
    floor: float | None
    excess: float | None
    excess_interval: Interval | None
    excess_p: float | None
    spread: tuple[float, Interval] | None
    best: float
    best_with_initial: float
    best_by_chance: float | None
    best_p: float | None
    best_elsewhere: float | None
    all_right: float
    cases: float
    cases_floor: float


@dataclass(frozen=True)
class _Task:
    """The verdicts on a task's initial question, and on each of its variants."""

    initial: tuple[Verdict, ...]
    variants: tuple[tuple[Verdict, ...], ...]

    @property
    def counts(self) -> Asked:
        """How many are right."""
        return Asked(_counts(self.initial), tuple(map(_counts, self.variants)))


def analyse(results: Sequence[Results], release: Release, seed: int = 0) -> list[Sensitivity]:
    """A row for each model and strategy; raises `UserError` where results or release have nothing to compare."""
    rows = [row for row in read_rewordings(release) if not row.reason]
    found: list[Sensitivity] = []
    for one in results:
        check_release(one, release)
        found += _of_model(one, rows, seed)
    return found


def _of_model(results: Results, rows: Sequence[PromptVariant], seed: int) -> Iterator[Sensitivity]:
    verdicts = _by_variant(results)
    initial = {row.task_id: verdicts[row.variant_id] for row in rows
               if row.strategy == INITIAL and row.variant_id in verdicts}
    answered = [row for row in rows if row.strategy != INITIAL and row.variant_id in verdicts]
    if not answered or not initial:
        raise UserError(f"{results.path} answers no question in other words and in its first ones: judge both.")
    by_strategy: dict[str, list[PromptVariant]] = defaultdict(list)
    for row in answered:
        by_strategy[row.strategy].append(row)
    same = [row for row in answered if counts_together(row)]
    model = results.run.model or results.path.stem.removesuffix(".results")
    if "lenient" in results.run.answers:
        model += " (lenient)"
    told = partial(_row, model, verdicts=verdicts, initial=initial, seed=seed)
    found = [made for name, own in sorted(by_strategy.items()) if (made := told(name, own))]
    adjusted = holm([one.p_value for one in found])
    pooled = told(SAME, same)
    found = [replace(one, p_value=p) for one, p in zip(found, adjusted, strict=True)]
    yield from _with_control([*found, pooled] if pooled else found)


def counts_together(row: PromptVariant) -> bool:
    """Whether a variant belongs to those that tell as much as the initial question and surely mean the same."""
    return row.information == "same" and row.meaning != _UNCHECKED and row.strategy not in (INITIAL, CONTROL)


def _by_variant(results: Results) -> dict[str, tuple[Verdict, ...]]:
    """The verdicts on each variant; of several on one sample the last in the file counts."""
    latest = {(key.variant, key.number): verdict for key, verdict in results.verdicts.items() if key.variant}
    found: dict[str, list[Verdict]] = defaultdict(list)
    for (variant, _), verdict in latest.items():
        found[variant].append(verdict)
    return {variant: tuple(own) for variant, own in found.items()}


def _row(
    model: str, strategy: str, rows: Sequence[PromptVariant], verdicts: Mapping[str, tuple[Verdict, ...]],
    initial: Mapping[str, tuple[Verdict, ...]], seed: int,
) -> Sensitivity | None:
    """The row of a strategy, None where no task of it has an answer to its initial question."""
    by_task: dict[str, list[tuple[Verdict, ...]]] = defaultdict(list)
    for row in rows:
        if row.task_id in initial:
            by_task[row.task_id].append(verdicts[row.variant_id])
    tasks = [_Task(initial[task_id], tuple(own)) for task_id, own in sorted(by_task.items())]
    if not tasks:
        return None
    asked = [task.counts for task in tasks]
    changes = [fmean(one.changes) for one in asked]
    single = min(one.samples for task in asked for one in (task.origin, *task.variants)) < 2
    by_chance = None if single else null(asked, seed)
    cases, cases_floor = _in_cases(tasks, seed)
    return Sensitivity(
        model=model,
        strategy=strategy,
        information="/".join(sorted({row.information for row in rows})),
        tasks=len(tasks),
        variants=sum(len(task.variants) for task in tasks),
        answers=sum(len(own) for task in tasks for own in task.variants),
        initial=fmean(one.origin.rate for one in asked),
        rate=fmean(fmean(own.rate for own in one.variants) for one in asked),
        change=fmean(changes),
        interval=interval_of(lambda one: fmean(one.changes), asked, seed),
        p_value=sign_flip(changes, seed),
        detectable=POWER * stdev(changes) / math.sqrt(len(changes)) if len(set(changes)) > 1 else None,
        mean_change=fmean(one.mean_change for one in asked),
        mean_change_of_all=mean_change_of_all(asked),
        floor=None if single else fmean(one.floor for one in asked),
        excess=None if single else fmean(one.excess for one in asked),
        excess_interval=None if single else interval_of(lambda one: one.excess, asked, seed),
        excess_p=by_chance.excess_p if by_chance else None,
        spread=rms(asked, seed),
        best=best(asked),
        best_with_initial=best(asked, with_origin=True),
        best_by_chance=by_chance.best if by_chance else None,
        best_p=by_chance.best_p if by_chance else None,
        best_elsewhere=cross_fitted(asked, seed),
        all_right=all_right(asked),
        cases=cases,
        cases_floor=cases_floor,
    )


def _in_cases(tasks: Sequence[_Task], seed: int) -> tuple[float, float]:
    """The mean change of the share of passed cases, and what chance gives of it."""
    changes, floors = list[float](), list[float]()
    for task in tasks:
        first = [one.pass_rate for one in task.initial]
        pairs = [(first, [one.pass_rate for one in own]) for own in task.variants]
        changes.append(fmean(abs(fmean(own) - fmean(first)) for _, own in pairs))
        floors.append(fmean(dealt_change(first, own, seed) for _, own in pairs))
    return fmean(changes), fmean(floors)


def _with_control(rows: Sequence[Sensitivity]) -> Iterator[Sensitivity]:
    """The rows; those with single samples have the control's mean change as their floor."""
    control = next((row.mean_change for row in rows if row.strategy == CONTROL), None)
    for row in rows:
        if row.floor is not None or control is None:
            yield row
        else:
            yield replace(row, floor=control, excess=row.mean_change - control)


def _counts(verdicts: Sequence[Verdict]) -> Counts:
    return Counts(sum(one.perfect for one in verdicts), len(verdicts))


def table(rows: Sequence[Sensitivity], brief: bool = False) -> Table:
    """The rows as a table, changes in points of 100; a brief one leaves out what spreadsheets have room for."""
    columns = (
        "model", "strategy", "information", "tasks", "variants", "answers", "initial", "variant", "points", "low",
        "high", "p", "detectable", "MB", "MB by variants", "floor", "excess", "excess low", "excess high", "excess p",
        "spread", "spread low", "spread high", "best", "best with initial", "best by chance", "best p",
        "best elsewhere", "all right", "MB of cases", "floor of cases")
    whole = Table(columns, tuple(_cells(row) for row in rows))
    return _some(whole, _BRIEF) if brief else whole


_BRIEF = (
    "model", "strategy", "tasks", "variants", "initial", "points", "low", "high", "p", "detectable", "MB", "floor",
    "excess", "excess p", "spread", "best", "best by chance", "best elsewhere")


def _some(given: Table, columns: Sequence[str]) -> Table:
    places = [given.columns.index(name) for name in columns]
    return Table(tuple(columns), tuple(tuple(row[place] for place in places) for row in given.rows))


def _cells(row: Sensitivity) -> tuple[Cell, ...]:
    spread, around = row.spread or (None, None)
    return (
        row.model, row.strategy, row.information, row.tasks, row.variants, row.answers, Share(row.initial),
        Share(row.rate), _signed(row.change), _signed(row.interval.low), _signed(row.interval.high), _p(row.p_value),
        _points(row.detectable), _points(row.mean_change), _points(row.mean_change_of_all), _points(row.floor),
        _points(row.excess), *_ends(row.excess_interval), _p(row.excess_p), _points(spread), *_ends(around),
        Share(row.best),
        Share(row.best_with_initial), _share(row.best_by_chance), _p(row.best_p), _share(row.best_elsewhere),
        Share(row.all_right), _points(row.cases), _points(row.cases_floor),
    )


def _ends(around: Interval | None) -> tuple[Cell, Cell]:
    return ("", "") if around is None else (_points(around.low), _points(around.high))


def _known(told: Callable[[float], Cell]) -> Callable[[float | None], Cell]:
    """The same for values that may be missing."""
    return lambda value: "" if value is None else told(value)


_share = _known(Share)
_points = _known(lambda share: f"{100 * share:.1f}")
_signed = _known(lambda share: f"{100 * share:+.1f}")
_p = _known(lambda value: f"{value:.2g}")


