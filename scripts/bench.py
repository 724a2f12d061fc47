"""Print functions and megabytes per CPU-second of reading and classifying, and CPU seconds per function of suites.

All of it runs on the code that is installed. `--suites 50 500` says how many functions get suites, one number after the
other, which shows how the cost grows.
"""

from __future__ import annotations

import argparse
import random
import statistics
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from harness.records import Provenance, task_id
from pipeline.classify.libraries import Libraries, load
from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.classify.stage import ClassifyStage
from pipeline.config import SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.languages.python.syntax import parse
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function
from pipeline.screen.stage import ScreenStage
from pipeline.suites.drafts import SuiteRequest
from pipeline.suites.metering import PHASES
from pipeline.suites.stage import request_for
from pipeline.suites.trial import Job, Trial, attempt, groups, seed_of

ROOT = Path(__file__).parents[1]
_ELSEWHERE = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "site-packages"}
MOST_BYTES = 12_000_000


def main() -> None:
    """Measure reading, then suites."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--suites", type=int, nargs="*", default=[100, 1000], metavar="N")
    counts = parser.parse_args().suites
    bench_reading()
    folders = [Path(sysconfig.get_path(name)) for name in ("stdlib", "purelib")]
    requests = drawn(folders, max(counts, default=0))
    for count in counts:
        bench_suites(requests[:count])


def bench_reading() -> None:
    """Measure each step on the same files, one after the other."""
    files = sources(Path(sysconfig.get_path("purelib")))
    size = sum(len(text.encode()) for text in files) / 1e6
    reader, naming = language("python").reading, language("python").naming
    libraries = load(Path(__file__).parents[1] / "data" / "libraries.toml")
    functions = sum(len(reader.definitions(text)) for text in files)
    print(f"{len(files)} files, {functions} functions, {size:.1f} MB")

    def classified(text: str) -> None:
        module = read_module(text, naming)
        for unit in module.reading.units:
            classify(module, unit, libraries)

    steps: dict[str, Callable[[str], object]] = {
        "parse alone (tree-sitter)": lambda text: parse.__wrapped__(text.encode()),
        "definitions and fingerprints": reader.definitions,
        "scope graph": lambda text: read_module(text, naming),
        "scope graph and class": classified,
        "all of it, from text to class": lambda text: (reader.definitions(text), classified(text)),
    }
    seconds = {name: cpu(step, files) for name, step in steps.items()}
    alone = seconds["parse alone (tree-sitter)"]
    for name, spent in seconds.items():
        rates = f"{functions / spent:>10.0f} functions/s{size / spent:>8.2f} MB/s"
        print(f"{name:<30}{rates}{spent / alone:>8.1f} x parsing")


def sources(folder: Path) -> list[str]:
    """Files of installed packages, in the order of their paths, up to some megabytes."""
    found: list[str] = []
    for path in sorted(folder.rglob("*.py")):
        if sum(map(len, found)) > MOST_BYTES:
            break
        text = path.read_text("utf-8", errors="replace")
        if "\0" not in text:
            found.append(text)
    return found


def cpu(step: Callable[[str], object], files: list[str]) -> float:
    """The CPU seconds of one step over all files."""
    start = time.process_time()
    for text in tqdm(files, leave=False):
        step(text)
    return time.process_time() - start


def bench_suites(requests: Sequence[SuiteRequest]) -> None:
    """Give suites to functions, drawn by a fixed seed from those that could be tasks by their shape."""
    config, lock = SuiteConfig(), ROOT / "data" / "runtimes" / "python-3.11.txt"
    jobs = [Job(request, config, lock) for request in requests]
    start = time.perf_counter()
    parts = groups(jobs)
    trials = [one for made in tqdm(LocalExecutor().map(attempt, parts), total=len(parts), leave=False) for one in made]
    covered = sum(trial.branch_coverage == 1.0 for trial in trials)
    wall = time.perf_counter() - start
    print(f"{len(jobs)} functions of what is installed, {covered} at 100% of the branches, {wall:.0f} s")
    costs(trials)
    hundreds = [[trial.cpu_seconds for trial in trials[n : n + 100]] for n in range(0, len(trials), 100)]
    if len(hundreds) > 1:
        means = ", ".join(f"{statistics.mean(one):.2f}" for one in hundreds)
        medians = ", ".join(f"{statistics.median(one):.2f}" for one in hundreds)
        print(f"  CPU seconds per function, hundred after hundred: median {medians}; mean {means}")


def drawn(folders: Sequence[Path], count: int) -> list[SuiteRequest]:
    """Functions of installed files, in a seeded order, that pass through the pipeline's classes and its screen."""
    libraries = load(ROOT / "data" / "libraries.toml")
    rng = random.Random(7)
    found: list[SuiteRequest] = []
    with tqdm(total=count, leave=False) as progress:
        for folder, inside in _shuffled(folders, rng):
            if len(found) >= count:
                break
            found += _requests(folder / inside, inside, libraries)
            progress.update(min(len(found), count) - progress.n)
    rng.shuffle(found)
    return found[:count]


def _shuffled(folders: Sequence[Path], rng: random.Random) -> list[tuple[Path, Path]]:
    """The Python files below some folders in a random order, each with its folder; tests and examples are left out."""
    files = [(folder, path.relative_to(folder)) for folder in folders for path in sorted(folder.rglob("*.py"))]
    files = [(folder, inside) for folder, inside in files if not _ELSEWHERE & set(inside.parts)]
    rng.shuffle(files)
    return files


def _requests(path: Path, inside: Path, libraries: Libraries) -> Iterator[SuiteRequest]:
    """A request for each function of a file that the screen keeps."""
    text = path.read_text("utf-8", errors="replace")
    if "\0" in text or parse(text.encode()).root_node.has_error:
        return
    reader, classes, screen = language("python").reading, ClassifyStage(), ScreenStage()
    for one in reader.definitions(text):
        if one.kind != "function" or one.is_async or one.is_generator:
            continue
        where = Provenance(
            source="installed", project=inside.parts[0], domain="", url="", path=str(inside), line_start=one.line_start,
            line_end=one.line_end, revision="", revision_date="", author_date="", archive="", archive_sha256="",
            first_seen="", baseline=(), similarity=0.0, nearest="", licence="", licence_source="",
        )
        function = Function(
            task_id("python", one.name, one.fingerprint), "python", one.name, one.qualified, one.source, text,
            one.fingerprint, where,
        )
        candidate = classes.decide(function, libraries)
        if isinstance(candidate, Candidate):
            candidate = screen.screen(candidate)
        if isinstance(candidate, Candidate):
            yield request_for(candidate, seed_of(candidate.program))


def costs(trials: Sequence[Trial]) -> None:
    """Print the CPU seconds per function: of the search for inputs, of everything, and step by step."""
    _cost("the search for inputs", [trial.search_cpu_seconds for trial in trials])
    _cost("everything", [trial.cpu_seconds for trial in trials])
    for step in PHASES:
        _cost(f"  {step}", [trial.steps[step] for trial in trials])
    print(f"  starts of the sandbox: median {statistics.median(trial.starts for trial in trials):.1f}")


def _cost(name: str, seconds: Sequence[float]) -> None:
    spent = sorted(seconds)
    median, p90 = statistics.median(spent), spent[int(0.9 * (len(spent) - 1))]
    print(f"  CPU seconds, {name}: median {median:.3f}, p90 {p90:.2f}, sum {sum(spent):.1f}")


if __name__ == "__main__":
    main()
