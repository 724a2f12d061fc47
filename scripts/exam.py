"""Examine the search for suites on real functions: two halves split by project, one to tune on, one only to report.

    python scripts/exam.py build/2611 --half report --count 400

reads the functions that the judge admitted in a build (`stages/07-judge`), leaves out the projects of `demo.toml`, and
draws the same functions each time. Nothing of a function is kept in this project.

What can be covered at all is a question of its own. `--missed FILE` tries again what an earlier run (`--out FILE`) did
not cover, with `--budget-times 50`, say; `--labels FILE` reads what a person or another tool found of the misses, one
JSON line each with `file`, `function` and `coverable`, and gives the share of the coverable functions that are covered.
"""

from __future__ import annotations

import argparse
import json
import statistics
import tomllib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

from bench import costs

from harness.records import digest
from pipeline import store
from pipeline.config import SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.progress import Progress
from pipeline.records import Candidate
from pipeline.suites.stage import request_for
from pipeline.suites.trial import Job, Trial, attempt, groups, seed_of

ROOT = Path(__file__).parents[1]
HALVES = ("tune", "report")


def main() -> None:
    """Try the drawn functions, write one JSON line for each, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("build", type=Path, help="the folder of a build that has come to its judge stage")
    parser.add_argument("--half", choices=HALVES, default="tune")
    parser.add_argument("--count", type=int, default=400)
    parser.add_argument("--workers", type=int, default=0)
    parser.add_argument("--budget-times", type=int, default=1, help="multiply the search's budget, to see what is left")
    parser.add_argument("--out", type=Path, help="a file for one JSON line per function")
    parser.add_argument("--missed", type=Path, help="such a file of an earlier run: try only what it did not cover")
    parser.add_argument("--labels", type=Path, action="append", default=[], help="files that say what is coverable")
    options = parser.parse_args()
    drawn = draw(admitted(options.build), options.half, options.count)
    if options.missed:
        missed = {(row["file"], row["function"]) for row in lines(options.missed) if row["branch_coverage"] != 1.0}
        drawn = [c for c in drawn if (c.function.provenance.project, c.function.name.rsplit(".", 1)[-1]) in missed]
    config, times = SuiteConfig(), options.budget_times
    config = replace(config, budget=config.budget * times, cpu_seconds=config.cpu_seconds * times,
                     wall_seconds=config.wall_seconds * times)
    lock = ROOT / "data" / "runtimes" / "python-3.11.txt"
    jobs = [Job(request_for(c, seed_of(c.program)), config, lock, c.function.provenance.project) for c in drawn]
    tracks = {c.function.name + c.function.provenance.project: c.track for c in drawn}
    trials: list[Trial] = []
    with Progress("exam", len(jobs)) as progress:
        for made in LocalExecutor(options.workers).map(attempt, groups(jobs, options.workers)):
            trials += made
            progress.advance(len(made))
            if options.out:
                # What is done is there even if the rest takes too long.
                rows = sorted(trials, key=lambda trial: (trial.file, trial.function))
                options.out.write_text("".join(json.dumps(asdict(row)) + "\n" for row in rows))
    labels = {(row["file"], row["function"]): bool(row["coverable"]) for path in options.labels for row in lines(path)}
    print(f"{options.half}: {len(drawn)} functions of {len({job.file for job in jobs})} projects")
    for track in sorted(set(tracks.values())):
        figures(track, [t for t in trials if tracks[t.function + t.file] == track], labels)
    figures("all", trials, labels)


def admitted(build: Path) -> list[Candidate]:
    """The candidates that the judge admitted, without those of the demo's projects."""
    demo = tomllib.loads((ROOT / "data" / "releases" / "demo.toml").read_text("utf-8"))["sources"]["only"]
    files = sorted((build / "stages" / "07-judge").glob("*.kept.parquet"))
    found: Iterable[Candidate] = (candidate for file in files for candidate in store.read(file, Candidate))
    return [candidate for candidate in found if candidate.function.provenance.project not in demo]


def draw(candidates: Sequence[Candidate], half: str, count: int) -> list[Candidate]:
    """The first `count` of one half, in an order that depends on their ids alone; a project is in one half only."""
    side = [c for c in candidates if int(digest(c.function.provenance.project)[:8], 16) % 2 == HALVES.index(half)]
    return sorted(side, key=lambda candidate: digest("exam", candidate.id))[:count]


def lines(path: Path) -> list[dict[str, Any]]:
    """The rows of a file of JSON lines."""
    return [json.loads(line) for line in path.read_text("utf-8").splitlines() if line.strip()]


def figures(name: str, trials: Sequence[Trial], labels: Mapping[tuple[str, str], bool]) -> None:
    """Print what share is covered and how sharp, how long it takes, and why the others left.

    A miss without a label counts as coverable.
    """
    if not trials:
        return
    covered = [t for t in trials if t.branch_coverage == 1.0]
    scores = sorted(t.mutation_score for t in trials if t.mutation_score is not None)
    reasons = Counter(t.reason for t in trials if t.reason)
    print(f"{name}: {len(covered)} of {len(trials)} reach 100% of the branches ({len(covered) / len(trials):.1%})")
    if labels:
        missed = [t for t in trials if t.branch_coverage != 1.0]
        found = [labels[t.file, t.function] for t in missed if (t.file, t.function) in labels]
        coverable = len(covered) + len(missed) - found.count(False)
        share = f"{len(covered) / max(1, coverable):.1%} of the {coverable} that are coverable"
        print(f"  {len(missed)} misses, {len(found)} labelled, {found.count(False)} of them not coverable: {share}")
    print(f"  kept {sum(not t.reason for t in trials)}; " + ", ".join(f"{r} {n}" for r, n in reasons.most_common()))
    if scores:
        low = sum(score < 0.75 for score in scores)
        print(f"  mutation score: median {statistics.median(scores):.3f}, lowest {scores[0]:.2f}, below 0.75: {low}")
    usual = sorted(t.usual / t.cases for t in trials if t.cases and not t.reason)
    if usual:
        few = sum(share < 0.4 for share in usual)
        print(f"  cases as callers pass them: median {statistics.median(usual):.0%}, below 40%: {few}")
    several = sorted(t.higher_order_score for t in trials if t.higher_order_score is not None)
    if several:
        print(f"  with several changes: median {statistics.median(several):.3f}, lowest {several[0]:.2f}")
    costs(trials)


if __name__ == "__main__":
    main()
