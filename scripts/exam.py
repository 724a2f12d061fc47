"""A sealed exam of the search for suites, on real functions of projects that no list of ours names.

    python scripts/exam.py draw --seed 1 --folders ~/repositories
    python scripts/exam.py run --seed 1 --out before.jsonl
    python scripts/exam.py run --seed 1 --out after.jsonl --against before.jsonl

Functions are drawn by hash (`drawing.py`) from repositories that nothing here names and kept in the cache folder, where
nobody reads them; what is printed are counts, histograms and means, and what `--out` writes has hashes in place of
names. Another seed, or other repositories, is another exam. What can be covered at all nobody has labelled: `--missed
before.jsonl --budget-times 20` tries again what an earlier run did not cover, with a larger budget, and so says what
more patience would find.
"""

from __future__ import annotations

import argparse
import json
import math
import statistics
import sys
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path

from drawing import DATA, Drawn, Exam, counted, draw, drawn

from harness.errors import UserError
from pipeline import store
from pipeline.config import SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.progress import Progress
from pipeline.suites.trial import Job, Trial, attempt, groups

RUNTIME = DATA / "runtimes" / "python-3.11.txt"
THRESHOLDS = (0.75, 0.9, 1.0)


@dataclass(frozen=True)
class Result:
    """What came of a function, without a word of it; fields as in `Trial`."""

    id: str
    project: str
    track: str
    reason: str
    branches: int | None
    branch_coverage: float | None
    mutation_score: float | None
    higher_order_score: float | None
    cases: int
    search_cpu_seconds: float
    cpu_seconds: float
    steps: Mapping[str, float]

    @property
    def covered(self) -> bool:
        """Whether the search has taken every branch."""
        return self.branch_coverage == 1.0

    @property
    def kept(self) -> bool:
        """Whether the function has a suite that passes all gates."""
        return not self.reason


def main() -> None:
    """Draw, or try what is drawn."""
    options = _options()
    exam = Exam(options.seed, options.count, options.cache)
    if options.action == "draw":
        print(_of(draw(exam, options.folders)))
    else:
        _report(options, drawn(exam))


def _report(options: argparse.Namespace, functions: Sequence[Drawn]) -> None:
    print(_of(functions))
    earlier = read(options.against) if options.against else []
    if options.missed:
        missed = {one.id for one in read(options.missed) if not one.covered}
        functions = [one for one in functions if one.id in missed]
        print(f"{len(functions)} of them were not covered, the budget is {options.budget_times} times as large now")
    results = run(functions, patient(options.budget_times), options.workers, options.out)
    for line in [*figures(results), *comparison(earlier, results)]:
        print(line)


def _of(functions: Sequence[Drawn]) -> str:
    tracks = ", ".join(f"{name} {count}" for name, count in counted(functions).items())
    return f"{len(functions)} functions of {len({one.project for one in functions})} projects: {tracks}"


def patient(times: int) -> SuiteConfig:
    """The usual configuration with so many times the budget."""
    usual = SuiteConfig()
    return replace(usual, budget=usual.budget * times, cpu_seconds=usual.cpu_seconds * times,
                   wall_seconds=usual.wall_seconds * times)  # fmt: skip


def run(functions: Sequence[Drawn], config: SuiteConfig, workers: int = 0, out: Path | None = None) -> list[Result]:
    """What comes of each function, in the order of their ids; written to a file as it comes, if one is given."""
    results: list[Result] = []
    with Progress("exam", len(functions), "fn") as progress:
        for made in _tried(functions, config, workers):
            results = sorted([*results, *made], key=lambda result: result.id)
            progress.advance(len(made))
            if out:
                write(out, results)
    return results


def _tried(functions: Sequence[Drawn], config: SuiteConfig, workers: int) -> Iterator[list[Result]]:
    known = {one.id: one for one in functions}
    jobs = [Job(one.request(), config, RUNTIME, one.id) for one in functions]
    for trials in LocalExecutor(workers).map(attempt, groups(jobs, workers) if jobs else []):
        yield [_result(known[trial.file], trial) for trial in trials]


def _result(drawn: Drawn, trial: Trial) -> Result:
    return Result(
        drawn.id, drawn.project, drawn.track, trial.reason, trial.branches, trial.branch_coverage,
        trial.mutation_score, trial.higher_order_score, trial.cases, trial.search_cpu_seconds, trial.cpu_seconds,
        trial.steps,
    )


def write(path: Path, results: Iterable[Result]) -> None:
    """Write results as JSON lines."""
    store.write_bytes(path, "".join(json.dumps(asdict(result)) + "\n" for result in results).encode())


def read(path: Path) -> list[Result]:
    """The results of a file: inverse of `write`."""
    return [Result(**json.loads(line)) for line in path.read_text("utf-8").splitlines()]


def figures(results: Sequence[Result]) -> Iterator[str]:
    """What there is to say of a run: of each track, and of all."""
    for track in sorted({one.track for one in results}):
        yield from _figures(track, [one for one in results if one.track == track])
    if results:
        yield from _figures("all", results)


def _figures(name: str, results: Sequence[Result]) -> Iterator[str]:
    covered = [one for one in results if one.covered]
    kept = sum(one.kept for one in results)
    yield f"{name}: {len(results)} functions of {len({one.project for one in results})} projects"
    whole = len(results)
    yield f"  all branches covered: {_share(len(covered), whole)}; kept with all gates: {_share(kept, whole)}"
    yield f"  why they leave with all branches covered: {_reasons(one for one in covered if one.reason)}"
    yield f"  why they leave with branches left: {_reasons(one for one in results if not one.covered)}"
    yield from _scores("mutation score", [one.mutation_score for one in results])
    yield from _scores("with several changes", [one.higher_order_score for one in results])
    cases = [one.cases for one in results if one.kept]
    if cases:
        yield f"  cases of what is kept: median {statistics.median(cases):g}, mean {statistics.mean(cases):.0f}"
    yield from _costs(results)


def _share(part: int, whole: int) -> str:
    return f"{part} of {whole} ({part / whole:.1%})"


def _reasons(results: Iterable[Result]) -> str:
    found = Counter(one.reason for one in results)
    return ", ".join(f"{reason} {count}" for reason, count in sorted(found.items(), key=lambda r: (-r[1], r))) or "-"


def _scores(what: str, scores: Sequence[float | None]) -> Iterator[str]:
    found = [score for score in scores if score is not None]
    if found:
        shares = ", ".join(f"{sum(s >= least for s in found) / len(found):.1%} >= {least:g}" for least in THRESHOLDS)
        average, median = statistics.mean(found), statistics.median(found)
        yield f"  {what} ({len(found)}): mean {average:.4f}, median {median:.4f}, {shares}"


def _costs(results: Sequence[Result]) -> Iterator[str]:
    for what, seconds in (("all in", [one.cpu_seconds for one in results]),
                          ("search", [one.search_cpu_seconds for one in results])):  # fmt: skip
        spent = sorted(seconds)
        median, p90 = statistics.median(spent), spent[int(0.9 * (len(spent) - 1))]
        yield f"  CPU seconds, {what}: median {median:.3f}, p90 {p90:.2f}, sum {sum(spent):.0f}"
    sums = {step: sum(one.steps[step] for one in results) for step in results[0].steps}
    whole = sum(sums.values()) or 1.0
    yield "  of which " + ", ".join(f"{step} {spent / whole:.1%}" for step, spent in sums.items())


def comparison(before: Sequence[Result], after: Sequence[Result]) -> Iterator[str]:
    """How a run differs from an earlier one on the functions that both have, each track and all."""
    earlier = {one.id: one for one in before}
    pairs = [(earlier[one.id], one) for one in after if one.id in earlier]
    for track in sorted({one.track for _, one in pairs}):
        yield from _compared(track, [pair for pair in pairs if pair[1].track == track])
    if pairs:
        yield from _compared("all", pairs)


_Pairs = Sequence[tuple[Result, Result]]
_Measure = Callable[[Result], float | None]
_MEASURES: Mapping[str, _Measure] = {
    "covered": lambda one: one.covered,
    "kept": lambda one: one.kept,
    "mutation score": lambda one: one.mutation_score,
    "with several changes": lambda one: one.higher_order_score,
    "CPU seconds": lambda one: one.cpu_seconds,
    "CPU seconds of the search": lambda one: one.search_cpu_seconds,
}


def _compared(name: str, pairs: _Pairs) -> Iterator[str]:
    yield f"{name}, against the earlier run: {len(pairs)} functions that both have"
    for what, measure in _MEASURES.items():
        yield f"  {what}: {_moved(pairs, measure)}{difference(pairs, measure)}"


def _moved(pairs: _Pairs, measure: _Measure) -> str:
    """How many functions gained something that a function has or has not, and how many lost it."""
    values = [(measure(old), measure(new)) for old, new in pairs]
    if not all(isinstance(value, bool) for both in values for value in both):
        return ""
    gained, lost = values.count((False, True)), values.count((True, False))
    return f"{gained} gained, {lost} lost, "


@dataclass(frozen=True)
class Difference:
    """The mean of paired differences, later minus earlier, with its standard error."""

    mean: float
    error: float
    pairs: int

    def __str__(self) -> str:
        return f"{self.mean:+.4f} (standard error {self.error:.4f}, {self.pairs} pairs)"


def difference(pairs: _Pairs, measure: _Measure) -> Difference:
    """How a measure differs where both runs have it; the functions of one project count as one draw for the error."""
    found = [(old.project, measure(old), measure(new)) for old, new in pairs]
    apart = [(project, new - old) for project, old, new in found if old is not None and new is not None]
    if not apart:
        return Difference(0.0, 0.0, 0)
    mean = statistics.mean(value for _, value in apart)
    sums: defaultdict[str, float] = defaultdict(float)
    for project, value in apart:
        sums[project] += value - mean
    spread = math.fsum(value * value for value in sums.values())
    correction = len(sums) / max(1, len(sums) - 1)
    return Difference(mean, math.sqrt(correction * spread) / len(apart), len(apart))


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("action", choices=("draw", "run"))
    parser.add_argument("--seed", type=int, default=1, help="which exam")
    parser.add_argument("--count", type=int, default=500, help="how many functions, half of each track")
    parser.add_argument("--cache", type=Path, default=Exam(0, 0).cache, help="where the drawn functions are kept")
    parser.add_argument("--folders", type=Path, nargs="+", default=[], help="what to draw from: git repositories")
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--out", type=Path, help="a file for one JSON line per function")
    parser.add_argument("--against", type=Path, help="such a file of an earlier run: compare with it in pairs")
    parser.add_argument("--missed", type=Path, help="such a file of an earlier run: try only what it did not cover")
    parser.add_argument("--budget-times", type=int, default=1, help="multiply the budget of the search")
    return parser.parse_args()


if __name__ == "__main__":
    try:
        main()
    except UserError as error:
        sys.exit(str(error))
