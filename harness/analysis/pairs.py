"""What evolved programs cost: rows about them and about their originals, joined by what they have in common."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable
from dataclasses import dataclass
from statistics import mean

from harness.analysis import Cell, Share, Table
from harness.errors import UserError
from harness.evolved import PAIR, pair_id, version
from harness.records import Task
from harness.releases.dataset import Release
from harness.scoring.metrics import Interval, bootstrap, mcnemar, sign_flip
from harness.scoring.results import Results

ORIGINAL = "original"


@dataclass(frozen=True)
class Drop:
    """A family's pairs: shares of right answers before and after, and what is between them.

    `difference` is after less before, `interval` its 95% bootstrap interval over pairs, `p_value` of McNemar's exact
    test where each side of each pair has one answer, else of flipped signs. `ratio_of_means` is the change as a share
    of the mean before, `mean_of_ratios` the mean of tasks' own, as the paper has it. `both` and `only_before` count the
    pairs that are right on both sides, or before alone.
    """

    family: str
    pairs: int
    before: float
    after: float
    difference: float
    interval: Interval
    test: str
    p_value: float
    ratio_of_means: float | None
    mean_of_ratios: float | None
    both: int
    only_before: int


def drops(before: Results, after: Results, release: Release, wanted: str = "", seed: int = 0) -> list[Drop]:
    """What it costs by family, and over all; raises `UserError` where the results can't be paired.

    Of `before` the rows about originals count, of `after` those about evolved programs, of one version if one is
    `wanted`; the answers about several versions of a program are one side of its pair.
    """
    for one in (before, after):
        if one.run.manifest_sha256 != release.manifest_sha256:
            raise UserError(f"{one.path} was judged on another release than {release.name}: name that by --release.")
    tasks = {task.task_id: task for task in release.tasks}
    old = _rates(before, tasks, lambda told: told == ORIGINAL)
    new = _rates(after, tasks, lambda told: told not in ("", ORIGINAL) and told == (wanted or told))
    shared = sorted(old.keys() & new.keys())
    if not shared:
        raise UserError(
            f"{before.path} and {after.path} have no {PAIR} in common: give results on an original and on an evolved "
            "program of one release that `code2bench evolve` has made.")
    families = sorted({family for family, _ in shared})
    groups = [(family, [key for key in shared if key[0] == family]) for family in families]
    if len(families) > 1:
        groups.append(("all", shared))
    return [_drop(family, [(old[key], new[key]) for key in keys], seed) for family, keys in groups]


def _rates(
    results: Results, tasks: dict[str, Task], fits: Callable[[str], bool]
) -> dict[tuple[str, str], list[bool]]:
    """Whether each answer is right, by family and pair."""
    found: dict[tuple[str, str], list[bool]] = defaultdict(list)
    for key, verdict in results.verdicts.items():
        task = tasks.get(key.task_id)
        if task is not None and fits(version(task)):
            found[task.family, pair_id(task)].append(verdict.perfect)
    return dict(found)


@dataclass(frozen=True)
class Asked:
    """An evolved program in the questions of a family: the task that it was made of, and its version."""

    family: str
    origin: str
    version: str


def fates(results: Results, release: Release) -> dict[Asked, bool]:
    """The evolved programs of whose originals something was told right, and whether all of that still is.

    Of several answers to a question all have to be right.
    """
    right: dict[str, bool] = {}
    for key, verdict in results.verdicts.items():
        right[key.task_id] = right.get(key.task_id, True) and verdict.perfect
    tasks = [task for task in release.tasks if task.task_id in right]
    before = {pair_id(task) for task in tasks if version(task) == ORIGINAL and right[task.task_id]}
    found: dict[Asked, bool] = {}
    for task in tasks:
        if version(task) not in ("", ORIGINAL) and pair_id(task) in before:
            asked = Asked(task.family, str(task.origin), version(task))
            found[asked] = found.get(asked, True) and right[task.task_id]
    return found


def _drop(family: str, pairs: list[tuple[list[bool], list[bool]]], seed: int) -> Drop:
    rates = [(mean(a), mean(b)) for a, b in pairs]
    changes = [b - a for a, b in rates]
    single = all(len(a) == len(b) == 1 for a, b in pairs)
    better, worse = sum(change > 0 for change in changes), sum(change < 0 for change in changes)
    before, after = mean(a for a, _ in rates), mean(b for _, b in rates)
    ratios = [(b - a) / a for a, b in rates if a]
    return Drop(
        family, len(pairs), before, after, after - before, bootstrap(changes, seed),
        "exact McNemar test" if single else "paired sign-flip permutation test",
        mcnemar(worse, better) if single else sign_flip(changes, seed),
        (after - before) / before if before else None, mean(ratios) if ratios else None,
        sum(a == b == 1 for a, b in rates), sum(a > 0 and b == 0 for a, b in rates))


def table(found: list[Drop]) -> Table:
    """A row for each family."""
    rows: list[tuple[Cell, ...]] = [
        (one.family, one.pairs, Share(one.before), Share(one.after), round(100 * one.difference, 1),
         one.interval, f"{one.p_value:.4g} ({one.test})",
         _points(one.ratio_of_means), _points(one.mean_of_ratios), one.both, one.only_before) for one in found]
    return Table(
        ("family", "pairs", "before", "after", "points", "95%", "p", "ratio of means", "mean of ratios",
         "right in both", "right before only"), tuple(rows))


def _points(value: float | None) -> str:
    return "" if value is None else f"{100 * value:+.1f}%"
