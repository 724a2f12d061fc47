"""Print functions and megabytes per CPU-second of reading and classifying, and CPU seconds per function of suites.

All of it runs on the code that is installed. `--suites 50 500` says how many functions get suites, one number after the
other, which shows how the cost grows.
"""

from __future__ import annotations

import argparse
import ast
import random
import statistics
import sys
import sysconfig
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

from tqdm import tqdm

from pipeline.classify.libraries import load
from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.config import SuiteConfig
from pipeline.executors.local import LocalExecutor
from pipeline.languages import language
from pipeline.languages.python_syntax import parse
from pipeline.suites.building import Request
from pipeline.suites.command import requests_of
from pipeline.suites.steps import STEPS
from pipeline.suites.trial import Job, Trial, attempt, groups

ROOT = Path(__file__).parents[1]
_ELSEWHERE = {"test", "tests", "idlelib", "lib2to3", "turtledemo", "site-packages"}
MOST_BYTES = 12_000_000
MOST_OF_A_FILE = 30_000
"""Bytes of a file beyond which no functions are drawn from it: it is read anew for each."""


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
    reader = language("python")
    libraries = load(Path(__file__).parents[1] / "data" / "libraries.toml")
    functions = sum(len(reader.definitions(text)) for text in files)
    print(f"{len(files)} files, {functions} functions, {size:.1f} MB")

    def classified(text: str) -> None:
        module = read_module(text)
        for unit in module.reading.units:
            classify(module, unit, libraries)

    steps: dict[str, Callable[[str], object]] = {
        "parse alone (tree-sitter)": lambda text: parse(text.encode()),
        "definitions and fingerprints": reader.definitions,
        "scope graph": read_module,
        "scope graph and class": classified,
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


def bench_suites(requests: Sequence[Request]) -> None:
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


def drawn(folders: Sequence[Path], count: int) -> list[Request]:
    """Functions that have parameters and branches, and need nothing but imports of the standard library."""
    places = [place for folder in folders for place in _shapely(folder)]
    random.Random(7).shuffle(places)
    found: list[Request] = []
    for path, name in places if count else ():
        found += [r for r in requests_of(path, name) if r.entry_point == name and needs_imports_alone(r.program)][:1]
        if len(found) == count:
            break
    return found


def _shapely(folder: Path) -> Iterator[tuple[Path, str]]:
    """The functions below a folder that have parameters and branches."""
    for path in sorted(folder.rglob("*.py")):
        if _ELSEWHERE & set(path.relative_to(folder).parts) or path.stat().st_size > MOST_OF_A_FILE:
            continue
        try:
            tree = ast.parse(path.read_text("utf-8", errors="replace"))
        except (SyntaxError, ValueError):
            continue
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and node.args.args and _branches(node):
                yield path, node.name


def needs_imports_alone(program: str) -> bool:
    """Whether a program holds one function and imports of the standard library, and nothing else."""
    body = ast.parse(program).body
    imports = [node for node in body if isinstance(node, (ast.Import, ast.ImportFrom))]
    names = [alias.name for node in imports if isinstance(node, ast.Import) for alias in node.names]
    names += [node.module or "" for node in imports if isinstance(node, ast.ImportFrom)]
    standard = all(name.partition(".")[0] in sys.stdlib_module_names for name in names)
    return standard and len(body) == len(imports) + 1


def _branches(function: ast.FunctionDef) -> bool:
    return any(isinstance(node, (ast.If, ast.For, ast.While)) for node in ast.walk(function))


def costs(trials: Sequence[Trial]) -> None:
    """Print the CPU seconds per function: of the search for inputs, of everything, and step by step."""
    _cost("the search for inputs", [trial.search_cpu_seconds for trial in trials])
    _cost("everything", [trial.cpu_seconds for trial in trials])
    for step in STEPS:
        _cost(f"  {step}", [trial.steps[step] for trial in trials])
    print(f"  starts of the sandbox: median {statistics.median(trial.starts for trial in trials):.1f}")


def _cost(name: str, seconds: Sequence[float]) -> None:
    spent = sorted(seconds)
    median, p90 = statistics.median(spent), spent[int(0.9 * (len(spent) - 1))]
    print(f"  CPU seconds, {name}: median {median:.3f}, p90 {p90:.2f}, sum {sum(spent):.1f}")


if __name__ == "__main__":
    main()
