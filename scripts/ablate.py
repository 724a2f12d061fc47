"""Which rules of inference and search earn their keep: each is left out in turn, on functions that nobody looked at.

    python scripts/ablate.py --seed 2 --count 500 --folders ~/repositories --out ablation.jsonl
    python scripts/ablate.py --seed 2 --count 500 --out ablation.jsonl --rules "arrays: shapes" "words: bounds" \
        --together

The functions are drawn as those of an exam are (`drawing.py`). All of them are tried once with all rules, and for each
rule those again in which it has found anything, up to the phase that covers branches, or with `--whole` up to the
mutants. What is printed are counts and points: how much smaller, in percent of all branches of a function, the mean
coverage over all functions is without it, and how much smaller the mutation score where both have one. A rule that
earns less than `LEAST` of either goes; rules that back each other up are left out at once with `--together`. Stopped
anywhere, the next call goes on with what `--out` has.
"""

from __future__ import annotations

import argparse
import json
import statistics
import sys
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path

from drawing import Drawn, Exam, draw, drawn
from exam import RUNTIME

from harness.errors import UserError
from pipeline import store
from pipeline.config import SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.progress import Progress
from pipeline.suites import rules
from pipeline.suites.drafts import Ablation
from pipeline.suites.trial import Job, Trial, attempt, groups

LEAST = 0.1
"""Points of coverage below which a rule does not pay."""


@dataclass(frozen=True)
class Tried:
    """What came of a function without a rule, or with all of them where it is ""; `coverage` and `score` are shares."""

    rule: str
    id: str
    coverage: float
    cpu_seconds: float
    fired: tuple[str, ...] = ()
    score: float | None = None
    reason: str = ""

    @property
    def good(self) -> bool:
        """Whether all branches are covered, and all gates passed where they were asked for."""
        return self.coverage == 1.0 and not self.reason


@dataclass(frozen=True)
class Worth:
    """What a rule earns: the functions it fired in, those good with and without it alone, points in the mean."""

    rule: str
    fired: int
    lost: int
    gained: int
    points: float
    score: float

    def __str__(self) -> str:
        verdict = "stays" if max(self.points, self.score) >= LEAST else "goes"
        counts = f"{self.rule:45} {self.fired:5} {self.lost:5} {self.gained:6}"
        return f"{counts} {self.points:+8.3f} {self.score:+8.3f}  {verdict}"


TOGETHER = " & "
"""Joins the names of rules that are left out at once."""


class Runs:
    """All that was tried, in a file of JSON lines that grows as it comes."""

    def __init__(self, path: Path, whole: bool) -> None:
        self.path, self.whole = path, whole
        lines = path.read_text("utf-8").splitlines() if path.is_file() else []
        self.rows = [Tried(**json.loads(line) | {"fired": tuple(json.loads(line)["fired"])}) for line in lines]

    def of(self, rule: str) -> dict[str, Tried]:
        """What is known of a rule, by function."""
        return {row.id: row for row in self.rows if row.rule == rule}

    def run(self, rule: str, functions: Sequence[Drawn], workers: int) -> None:
        """Try functions without the rule, but for those that were tried before."""
        known = self.of(rule)
        left = [one for one in functions if one.id not in known]
        ablation = Ablation(tuple(rule.split(TOGETHER)) if rule else (), coverage_alone=not self.whole)
        jobs = [Job(one.request(), SuiteConfig(), RUNTIME, one.id, ablation) for one in left]
        with Progress(rule or "all rules", len(jobs), "fn") as progress:
            for trials in LocalExecutor(workers).map(attempt, groups(jobs, workers) if jobs else []):
                self.rows += [_tried(rule, trial) for trial in trials]
                store.write_bytes(self.path, "".join(json.dumps(asdict(row)) + "\n" for row in self.rows).encode())
                progress.advance(len(trials))


def _tried(rule: str, trial: Trial) -> Tried:
    return Tried(rule, trial.file, trial.branch_coverage or 0.0, trial.cpu_seconds, trial.fired, trial.mutation_score,
                 trial.reason)  # fmt: skip


def main() -> None:
    """Draw what is yet to be drawn, try it, print the table."""
    options = _options()
    exam = Exam(options.seed, options.count, options.cache)
    functions = draw(exam, options.folders) if options.folders else drawn(exam)
    runs = Runs(options.out, options.whole)
    runs.run("", functions, options.workers)
    whole = runs.of("")
    names = options.rules or list(rules.rules())
    names = [TOGETHER.join(names)] if options.together else names
    for rule in names:
        runs.run(rule, [one for one in functions if _fired(rule, whole[one.id])], options.workers)
    for line in table(runs, [one.id for one in functions], names):
        print(line)


def table(runs: Runs, ids: Sequence[str], names: Sequence[str]) -> Iterator[str]:
    """A line for each rule, those that earn the most first."""
    whole = runs.of("")
    good = sum(whole[id].good for id in ids)
    yield f"{len(ids)} functions, {good} with {'a suite' if runs.whole else 'all branches covered'}; {len(names)} rules"
    yield f"{'rule':45} {'fired':>5} {'lost':>5} {'gained':>6} {'points':>8} {'score':>8}"
    worths = [_worth(rule, whole, runs.of(rule), ids) for rule in names]
    yield from map(str, sorted(worths, key=lambda worth: (-worth.points, worth.rule)))


def _worth(rule: str, whole: dict[str, Tried], without: dict[str, Tried], ids: Sequence[str]) -> Worth:
    pairs = [(whole[id], without.get(id, whole[id])) for id in ids]
    lost = sum(one.good and not other.good for one, other in pairs)
    gained = sum(other.good and not one.good for one, other in pairs)
    points = 100 * statistics.mean(one.coverage - other.coverage for one, other in pairs)
    scores = [one.score - other.score for one, other in pairs if one.score is not None and other.score is not None]
    score = 100 * statistics.mean(scores) if scores else 0.0
    return Worth(rule, sum(_fired(rule, whole[id]) for id in ids), lost, gained, points, score)


def _fired(rule: str, whole: Tried) -> bool:
    return not set(rule.split(TOGETHER)).isdisjoint(whole.fired)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=2, help="which functions")
    parser.add_argument("--count", type=int, default=500, help="how many functions, half of each track")
    parser.add_argument("--cache", type=Path, default=Exam(0, 0).cache, help="where the drawn functions are kept")
    parser.add_argument("--folders", type=Path, nargs="+", default=[], help="what to draw from: git repositories")
    parser.add_argument("--rules", nargs="+", default=[], help="which rules; all without this")
    parser.add_argument("--together", action="store_true", help="leave all of --rules out at once")
    parser.add_argument("--whole", action="store_true", help="go on to the mutants, in place of coverage alone")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--out", type=Path, required=True, help="a file for one JSON line per function and rule")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
