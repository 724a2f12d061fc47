"""Print functions and megabytes per CPU-second of reading and classifying, on the installed packages' own code."""

from __future__ import annotations

import sysconfig
import time
from collections.abc import Callable
from pathlib import Path

from tqdm import tqdm

from pipeline.classify.libraries import load
from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.languages import language
from pipeline.languages.python_syntax import parse

MOST_BYTES = 12_000_000


def main() -> None:
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


if __name__ == "__main__":
    main()
