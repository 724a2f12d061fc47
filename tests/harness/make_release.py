"""A small honest release for tests: references of our own, whose answers are recorded by running them."""

from __future__ import annotations

import copy
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.records import (
    CANARY,
    SCHEMA_VERSION,
    Answer,
    Case,
    Comparison,
    Measures,
    Provenance,
    Strength,
    Task,
    task_id,
)
from harness.releases.dataset import SCHEMA, row_digest, task_digest, write_track
from harness.values import encode

CLAMP = '''\
def clamp(value: float, low: float = 0.0, high: float = 1.0) -> float:
    """Return value limited to the range from low to high.

    Raises ValueError with the message "empty range" when low is greater than high.
    """
    if low > high:
        raise ValueError("empty range")
    if value < low:
        return low
    return high if value > high else value
'''
CLAMP_INPUTS: list[tuple[Any, ...]] = [(v / 4, lo, hi) for v in range(-8, 9) for lo, hi in ((0.0, 1.0), (-1.0, 0.5), (1.0, 0.0))]

RUNS = '''\
def runs(text: str) -> list[tuple[str, int]]:
    """Return the runs of equal characters in text as pairs of the character and its count, in order."""
    found = []
    for character in text:
        if found and found[-1][0] == character:
            found[-1] = (character, found[-1][1] + 1)
        else:
            found.append((character, 1))
    return found
'''
RUNS_INPUTS: list[tuple[Any, ...]] = [(text,) for text in ("", "a", "aa", "ab", "aab", "abb", "aaabbb", "äöü", "  x", "1122", "aba")]

MERGE = '''\
from typing import Optional


def merge(first: dict, second: Optional[dict] = None) -> dict:
    """Return the sums of the values of both mappings by key; the keys of first come first."""
    total = dict(first)
    for key, value in (second or {}).items():
        total[key] = total.get(key, 0) + value
    return total
'''
MERGE_INPUTS: list[tuple[Any, ...]] = [
    ({},), ({"a": 1}, None), ({"a": 1}, {"a": 2}), ({"a": 1}, {"b": 2}), ({}, {"c": -1}), ({"a": 1, "b": 0}, {"b": 5, "c": 7}),
]

DISTANCE = '''\
import math


def distance(first: list[float], second: list[float]) -> float:
    """Return the Euclidean distance of two points; NaN when they differ in their number of coordinates."""
    if len(first) != len(second):
        return math.nan
    return math.sqrt(sum((a - b) ** 2 for a, b in zip(first, second)))
'''
DISTANCE_INPUTS: list[tuple[Any, ...]] = [
    ([], []), ([0.0], [1.0]), ([0.0, 0.0], [3.0, 4.0]), ([1.0], []), ([1.5, 2.5, -3.0], [0.0, 0.25, 9.0]), ([1e150], [-1e150]),
]

MEDIANS = '''\
import numpy as np


def medians(rows: list[list[float]]) -> list[float]:
    """Return the median of each row, and an empty list when there are no rows; an empty row gives 0.0."""
    if not rows:
        return []
    return [float(np.median(row)) if row else 0.0 for row in rows]
'''
MEDIANS_INPUTS: list[tuple[Any, ...]] = [([],), ([[1.0]],), ([[1.0, 2.0], []],), ([[3.0, 1.0, 2.0], [5.0]],), ([[0.5, 0.25]],)]

SOURCES = {
    "sc-python": (("clamp", CLAMP, CLAMP_INPUTS, ()), ("runs", RUNS, RUNS_INPUTS, ()), ("merge", MERGE, MERGE_INPUTS, ())),
    "wsc-python": (("distance", DISTANCE, DISTANCE_INPUTS, ("math",)), ("medians", MEDIANS, MEDIANS_INPUTS, ("numpy",))),
}


def answer_of(function: Any, arguments: Sequence[Any]) -> Answer:
    try:
        return Answer("returned", encode(function(*copy.deepcopy(arguments))))
    except ValueError as error:
        return Answer("raised", exception="ValueError", message=str(error))


def make_task(name: str, reference: str, inputs: Sequence[tuple[Any, ...]], track: str = "sc-python", libraries: Sequence[str] = ()) -> Task:
    space: dict[str, Any] = {}
    exec(compile(reference, name, "exec"), space)
    cases = tuple(Case(tuple(encode(a) for a in given), {}, answer_of(space[name], given)) for given in inputs)
    lines = reference.split("\n")
    start = next(n for n, line in enumerate(lines) if line.startswith("def "))
    end = next(n for n, line in enumerate(lines) if n > start and line.endswith('"""'))
    instruction = "\n".join(lines[: end + 1]) + "\n"
    rule = Comparison(messages="message" in instruction)
    return Task(
        task_id=task_id("python", name, reference), task_digest=task_digest(instruction, cases, rule), track=track,
        language="python", family="function", entry_point=name, signature=lines[start],
        imports=tuple(line for line in lines[:start] if line.strip()), libraries=tuple(libraries), instruction=instruction,
        difficulty="Easy", domain="testing", reference=reference, cases=cases, lite=(0, 1), strategies="", comparison=rule,
        measures=Measures(len(lines), 3, 2, 4), strength=Strength(1.0),
        raising=sum(case.expected.kind == "raised" for case in cases) / len(cases), usual=1.0, judged_by="rules",
        instructed_by="rules", provenance=PROVENANCE, sufficiency=None, variants=(),
    )


PROVENANCE = Provenance(
    source="pypi", project="example", domain="testing", url="https://pypi.org/project/example", path="example/made.py",
    line_start=1, line_end=9, revision="1.0", revision_date="2026-06-01T00:00:00Z", author_date="", archive="example-1.0.tar.gz",
    archive_sha256="0" * 64, first_seen="2026-06-01T00:00:00Z", baseline=("0.9",), similarity=0.0, nearest="",
    licence="MIT", licence_source="pypi", not_before="", state="1.0",
)


def make_tasks(track: str) -> list[Task]:
    return [make_task(name, code, inputs, track, libraries) for name, code, inputs, libraries in SOURCES[track]]


def make_release(folder: Path, lock: str = "# no libraries\n", name: str = "made") -> Path:
    """Write the release into the folder and give the folder back."""
    folder.mkdir(parents=True)
    texts = {"README.md": "# Made\n", "LICENSES.txt": "", "NOTICE.txt": "", "release.toml": "", "sources.lock": "", "runtime.lock": lock}
    for file, text in texts.items():
        (folder / file).write_text(text)
    tracks = {}
    for track in SOURCES:
        file = f"{track}/test-00000-of-00001.parquet"
        tasks = make_tasks(track)
        write_track(tasks, folder / file)
        tracks[track] = {"file": file, "rows": len(tasks), "row_digest": row_digest(tasks)}
    write_manifest(folder, tracks, name)
    return folder


def write_manifest(folder: Path, tracks: dict[str, Any], name: str = "made", runtimes: dict[str, str] | None = None) -> None:
    """Write the manifest over the files that lie in the folder; with `runtimes`, more tracks and versions by language."""
    files = sorted(p for p in folder.rglob("*") if p.is_file() and p.name != "manifest.json")
    hashes = {p.relative_to(folder).as_posix(): hashlib.sha256(p.read_bytes()).hexdigest() for p in files}
    manifest: dict[str, Any] = {
        "name": name, "title": "Made for tests", "schema_version": SCHEMA_VERSION, "canary": CANARY,
        "window": {"after": "2026-05-01", "until": "2026-11-01"}, "tracks": tracks, "files": hashes,
        "runtime": {"python": "3.11", "lock": "runtime.lock", "sha256": hashes["runtime.lock"]}, "tools": {}, "funnel": [],
    }
    if runtimes:
        locks = {"python": "runtime.lock"} | {name: f"{name}.lock" for name in runtimes if name != "python"}
        del manifest["runtime"]
        manifest["runtimes"] = {
            name: {name: version, "lock": locks[name], "sha256": hashes[locks[name]]} for name, version in runtimes.items()
        }
        manifest["tracks"] = json.loads((folder / "manifest.json").read_text())["tracks"] | tracks
    (folder / "manifest.json").write_text(json.dumps(manifest, indent=1))


__all__ = ["SCHEMA", "make_release", "make_task", "make_tasks", "write_manifest"]
