"""Two runs on one release, compared on the tasks that both have."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from harness.analysis import Cell, Share, Table
from harness.errors import UserError
from harness.records import Verdict
from harness.releases.hub import base_of, tag_of
from harness.scoring.metrics import Interval, bootstrap, mcnemar, sign_flip, wilson
from harness.scoring.results import Key, Results, Run, read_results

_NOTED = {
    "harness": "version of code2bench", "isolation": "isolation", "runtime": "Python", "answers": "kind of answers",
    "prompts_sha256": "prompts (other tracks, or questions that are put otherwise)",
}


@dataclass(frozen=True)
class Side:
    """One of the two on the shared tasks: where it is from, its run, the number of its answers, and their score.

    `pass_at_1` is the mean over tasks of the share of right answers, `wilson` its 95% interval.
    """

    file: str
    run: Run
    samples: int
    pass_at_1: float
    wilson: Interval


@dataclass(frozen=True)
class Difference:
    """A task on which the two differ, with the share of right answers of each."""

    task_id: str
    entry_point: str
    first: float
    second: float


@dataclass(frozen=True)
class Paired:
    """What came out; shares are of 1, `difference` is pass@1 of the second less that of the first.

    `interval` is its 95% percentile bootstrap interval, in which tasks are resampled, each with both of its results.
    `p_value` is two-sided, `test` names what gave it. `better` are the tasks on which the second is better, `worse`
    those on which the first is.
    """

    first: Side
    second: Side
    tasks: int
    difference: float
    interval: Interval
    test: str
    p_value: float
    better: tuple[Difference, ...]
    worse: tuple[Difference, ...]
    notes: tuple[str, ...]

    @property
    def table(self) -> Table:
        """A row for each of the two."""
        rows = (_row("A", self.first), _row("B", self.second))
        return Table(("", "samples", "pass@1", "95% (Wilson)"), rows)


def compare(first: Path, second: Path, seed: int = 0) -> Paired:
    """Compare two files of results; as `analyse`."""
    return analyse(read_results(first), read_results(second), seed)


def analyse(left: Results, right: Results, seed: int = 0) -> Paired:
    """Compare the results of two runs, task by task; raises `UserError` where they can't be.

    They must be of one release, by its name or the hash of its manifest, and of the same cases, all or lite. Of a
    release in two states (built and published, or corrected) those tasks are compared that are the same in both. Where
    each task has one answer in both, the test is McNemar's, exact; else signs of the tasks' differences are flipped.
    """
    _check(left, right)
    groups = _by_task(left), _by_task(right)
    changed = _changed(left, right)
    shared = sorted((groups[0].keys() & groups[1].keys()) - changed)
    if not shared:
        both = f"{left.path} and {right.path}"
        raise UserError(f"{both} have no task in common; compare runs of the same track and tasks, or what "
                        "evolved programs cost by --paired-by pair_id.")
    _check_totals(left, right, {task: groups[0][task] + groups[1][task] for task in shared})
    pairs = [tuple([verdict.perfect for verdict in group[task]] for group in groups) for task in shared]
    rates = [(sum(a) / len(a), sum(b) / len(b)) for a, b in pairs]
    changes = [b - a for a, b in rates]
    functions = {**right.functions, **left.functions}
    told = [Difference(task, functions.get(task, ""), *both) for task, both in zip(shared, rates, strict=True)]
    better = tuple(one for one in told if one.second > one.first)
    worse = tuple(one for one in told if one.second < one.first)
    single = all(len(a) == len(b) == 1 for a, b in pairs)
    return Paired(
        first=_side(left, sum(len(a) for a, _ in pairs), [a for a, _ in rates]),
        second=_side(right, sum(len(b) for _, b in pairs), [b for _, b in rates]),
        tasks=len(shared),
        difference=sum(changes) / len(changes),
        interval=bootstrap(changes, seed),
        test="exact McNemar test" if single else "paired sign-flip permutation test on the tasks' means",
        p_value=mcnemar(len(worse), len(better)) if single else sign_flip(changes, seed),
        better=better,
        worse=worse,
        notes=(*_on_states(left, right, changed), *_notes(left, right, groups)),
    )


def _row(letter: str, side: Side) -> tuple[Cell, ...]:
    return f"{letter}  {Path(side.file).name}", side.samples, Share(side.pass_at_1), side.wilson


def _side(results: Results, samples: int, rates: list[float]) -> Side:
    total = sum(rates)
    return Side(str(results.path), results.run, samples, total / len(rates), wilson(total, len(rates)))


def _changed(left: Results, right: Results) -> set[str]:
    """The tasks whose rows are not the same in both states of a release; of one state all are."""
    if left.run.manifest_sha256 == right.run.manifest_sha256:
        return set()
    digests = [{key.task_id: key.task_digest for key in results.verdicts} for results in (left, right)]
    return {task for task in digests[0].keys() & digests[1].keys() if digests[0][task] != digests[1][task]}


def _on_states(left: Results, right: Results, changed: set[str]) -> Iterator[str]:
    a, b = left.run.manifest_sha256[:12], right.run.manifest_sha256[:12]
    if a != b:
        yield (
            f"A was judged on manifest {a}, B on {b}: publishing changes the card and the veil, and so the hash; "
            f"{len(changed)} tasks are not the same in both and are left out."
        )


def _check(left: Results, right: Results) -> None:
    a, b = left.run, right.run
    if a.manifest_sha256 != b.manifest_sha256 and base_of(tag_of(a.release)) != base_of(tag_of(b.release)):
        told = [f"{one.path} on {one.run.release} (manifest {one.run.manifest_sha256[:12]})" for one in (left, right)]
        raise UserError(f"The results are on different releases, {' and '.join(told)}; judge both on the same one.")
    if a.cases != b.cases:
        told = [f"{one.path} of {one.run.cases} cases" for one in (left, right)]
        raise UserError(f"The results are {' and '.join(told)}; judge both with --lite, or both without.")


def _check_totals(left: Results, right: Results, groups: dict[str, list[Verdict]]) -> None:
    for task, verdicts in groups.items():
        totals = sorted({verdict.total for verdict in verdicts})
        if len(totals) > 1:
            told = " and ".join(map(str, totals))
            raise UserError(
                f"{left.path} and {right.path} hold results on {told} cases of task {task}, which has as many in both; "
                "judge the answers again."
            )


def _by_task(results: Results) -> dict[str, list[Verdict]]:
    """The verdicts on each task; of several on one sample the last in the file counts."""
    latest = {_sample(key): verdict for key, verdict in results.verdicts.items()}
    groups: dict[str, list[Verdict]] = defaultdict(list)
    for (task, _, _), verdict in latest.items():
        groups[task].append(verdict)
    return groups


def _sample(key: Key) -> tuple[str, str, int]:
    return key.task_id, key.variant, key.number


def _notes(left: Results, right: Results, groups: tuple[dict[str, list[Verdict]], ...]) -> Iterator[str]:
    for name, words in _NOTED.items():
        a, b = getattr(left.run, name), getattr(right.run, name)
        if a != b:
            yield f"The runs differ in their {words}: {_short(a)} and {_short(b)}."
    if left.run.sampling and right.run.sampling and left.run.sampling != right.run.sampling:
        yield f"The runs differ in their sampling: {left.run.sampling} and {right.run.sampling}."
    for results, own, other in ((left, groups[0], groups[1]), (right, groups[1], groups[0])):
        alone = len(own.keys() - other.keys())
        if alone:
            yield f"In {results.path} alone, and left out: {alone} of its {len(own)} tasks."
        stale = len(results.verdicts) - len({_sample(key) for key in results.verdicts})
        if stale:
            yield (
                f"In {results.path} are {stale} results on replaced answers; the last ones in the file count, "
                "a new --output holds no others."
            )


def _short(text: str) -> str:
    return text[:12] if len(text) == 64 else text
