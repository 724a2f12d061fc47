"""Small projects whose new functions become tasks: what the tests of the whole flow are made from."""

from __future__ import annotations

import hashlib
import os
import shutil
from functools import cache
from pathlib import Path

from harness.cache import cache_folder
from harness.languages.registry import language
from harness.records import FIRST_LANGUAGE, digest
from harness.runtime import ensure_runtime
from tests.pipeline.sources.conftest import Server, sdist

ROOT = Path(__file__).parents[2]
LICENCE = (ROOT / "tests" / "pipeline" / "mit.txt").read_text("utf-8")

ALPHA = '''
"""Texts and numbers."""

import re


def shorten(text: str, limit: int) -> str:
    """Shorten a text to at most ``limit`` characters.

    A text that fits is returned unchanged. A longer one is cut, and ``"..."`` is put at its end, so that the result has
    exactly ``limit`` characters. If the limit is below 3, the first ``limit`` characters are returned without dots.

    Args:
        text: The text to shorten.
        limit: The largest number of characters of the result, 0 or more.

    Returns:
        The shortened text.

    Raises:
        ValueError: If ``limit`` is negative.
    """
    if limit < 0:
        raise ValueError("limit must not be negative")
    if len(text) <= limit:
        return text
    if limit < 3:
        return text[:limit]
    return text[: limit - 3] + "..."


def count_words(text: str, minimum: int = 1) -> dict[str, int]:
    """Count the words of a text, without regard to case.

    A word is a longest run of the letters a to z (after the text was lowercased with ``str.lower``). Words with fewer
    than ``minimum`` letters are left out.

    Args:
        text: The text whose words are counted.
        minimum: The smallest number of letters of a word that counts.

    Returns:
        A dictionary from each word to the number of times that it occurs, in the order of first occurrence.
    """
    counts: dict[str, int] = {}
    for word in re.findall("[a-z]+", text.lower()):
        if len(word) >= minimum:
            counts[word] = counts.get(word, 0) + 1
    return counts
'''

BETA = '''
def merge_ranges(ranges: list[tuple[int, int]]) -> list[tuple[int, int]]:
    """Merge ranges of integers that overlap or touch.

    Each range is a pair ``(start, end)``, both ends included. Pairs whose start is larger than their end are ignored. Two
    ranges are merged when the second starts at most one above the end of the first.

    Args:
        ranges: The ranges, in any order.

    Returns:
        The merged ranges as a list of pairs, sorted by their start.
    """
    merged: list[tuple[int, int]] = []
    for start, end in sorted(ranges):
        if start > end:
            continue
        if merged and start <= merged[-1][1] + 1:
            last_start, last_end = merged[-1]
            merged[-1] = (last_start, max(last_end, end))
        else:
            merged.append((start, end))
    return merged


def old(values: list[int]) -> int:
    """Return the sum of the positive values, or 0 if there are none of them in the list."""
    total = 0
    for value in values:
        if value > 0:
            total += value
    return total
'''

OLD = BETA[BETA.index("def old") :]

LISTED = '''
kind = "pypi"
[[source]]
name = "alpha"
domain = "Text Processing & NLP"
[[source]]
name = "beta"
domain = "Scientific Computing"
[[source]]
name = "gone"
domain = "Web Development"
'''

RELEASE = '''
name = "tiny"
title = "A tiny release"
seed = 7
runtime = "runtimes/python-3.11.txt"
[window]
after = "2026-05-01"
until = "2026-11-01"
[sources]
lists = ["../sources/pypi.toml"]
[suite]
cases = 60
[sample]
max_share = 1.0
'''


@cache
def archive(name: str, version: str, text: str) -> bytes:
    files = {f"{name}/__init__.py": text, "LICENSE": LICENCE, "tests/test_it.py": "def test_it(): assert 1\n"}
    return sdist(files, f"{name}-{version}")


def fill(registry: Server) -> None:
    for name, old, new in (("alpha", "VERSION = 1\n", ALPHA), ("beta", OLD, BETA)):
        registry.project(name)
        for version, day, text in (("1.0", "2026-01-10", old), ("1.0.1", "2026-05-20", old), ("1.1", "2026-06-10", new)):
            registry.upload(name, version, day, archive(name, version, text))


def data_folder(place: Path) -> Path:
    """A data folder with the project's own lists, a small runtime and the tiny release; gives the path of its configuration."""
    data = place / "data"
    (data / "runtimes").mkdir(parents=True)
    shutil.copy(small_lock(), data / "runtimes" / "python-3.11.txt")
    for name in ("libraries.toml", "models.toml"):
        (data / name).write_bytes((ROOT / "data" / name).read_bytes())
    (data / "sources").mkdir()
    (data / "sources" / "pypi.toml").write_text(LISTED)
    (data / "releases").mkdir()
    config = data / "releases" / "tiny.toml"
    config.write_text(RELEASE)
    return config


@cache
def small_lock() -> Path:
    """The lock of a runtime with numpy alone, which suites need: for a build all of what is in it is read."""
    text = language(FIRST_LANGUAGE).runtimes.needed(ROOT / "data" / "runtimes" / "python-3.11.txt", ("numpy",), ())
    place = cache_folder() / "locks" / f"{digest(text)[:12]}.txt"
    place.parent.mkdir(parents=True, exist_ok=True)
    part = place.with_suffix(f".{os.getpid()}")
    part.write_text(text)
    part.replace(place)
    ensure_runtime(place)
    return place


def tree(folder: Path) -> dict[str, str]:
    files = (p for p in sorted(folder.rglob("*")) if p.is_file())
    return {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}


def new_cache(folder: Path) -> Path:
    """An empty cache, but for runtimes, what is known of them and what has been compiled for them."""
    folder.mkdir()
    for kind in ("runtimes", "libraries", "drivers", "kits"):
        (cache_folder() / kind).mkdir(parents=True, exist_ok=True)
        (folder / kind).symlink_to((cache_folder() / kind).absolute())
    return folder
