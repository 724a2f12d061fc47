"""What the functions of a release were compared with besides their own projects' pasts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.runtime import find_runtime
from pipeline.records import LockedSource
from pipeline.sources.known import read_known


@dataclass(frozen=True)
class Compared:
    """How many projects had their past looked through, what the runtime brings, and the known benchmarks.

    `standard` is what the language's own library is called, with its exact version; `libraries` are the others;
    `benchmarks` has the number of functions that are known of each.
    """

    projects: int
    standard: str
    libraries: tuple[str, ...]
    benchmarks: dict[str, int]


def compared_with(locked: Sequence[LockedSource], runtime: Path, known: Path) -> Compared:
    """What a build with these sources, this runtime and this index of benchmarks compares with."""
    libraries = find_runtime(runtime).libraries()
    standard = next((one.title for one in libraries if not one.project), "")
    others = tuple(one.title for one in libraries if one.project)
    counts = Counter(one.owner for one in read_known(known))
    return Compared(sum(bool(one.baseline) for one in locked), standard, others, dict(sorted(counts.items())))
