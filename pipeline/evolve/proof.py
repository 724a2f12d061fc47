"""Whether evolved programs answer as their origin does: on the lite selection, on the whole suite, on fresh inputs."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass

from harness.languages import Batch, Call, Machine, Run
from harness.languages.registry import language
from harness.records import FIRST_LANGUAGE, Task
from harness.sandbox import Limits
from pipeline.suites.selection.mutation_score import modules_of
from pipeline.vary.equivalence import Known, first_difference

SECONDS = 2.0
"""CPU seconds that a call may take."""
BROUGHT = (
    "base64", "datetime", "dateutil.parser", "http.client", "queue", "threading", "logging", "functools", "io", "time",
    "concurrent.futures",
)
HEAVY = ("numpy", "scipy.stats", "sklearn.utils", "Crypto.Cipher.AES")
"""What operators import, and what of that takes long."""
PROVING = 40
"""So many cases of the lite selection prove the programs of a front."""
LIMITS = Limits(cpu_seconds=60.0, wall_seconds=240.0)
"""What one program may use for all of its calls."""


def proving(task: Task) -> list[int]:
    """The places of the cases in which all programs of a front have to answer as their origin does."""
    return list(task.lite if task.lite is not None else range(len(task.cases)))[:PROVING]


@dataclass(frozen=True)
class Judged:
    """What became of a program: the first difference in words, "" where there is none, and the CPU seconds it took."""

    difference: str
    cpu_seconds: float


def judged(
    programs: Sequence[str], entry_point: str, origin: Known, machine: Machine, places: Sequence[int] | None = None
) -> list[Judged]:
    """Run programs on calls of their origin, all or those at some places, and compare by the strictest rule."""
    asked = origin if places is None else origin.at(places)
    runs = ran(programs, entry_point, list(asked.expecting(SECONDS)), machine)
    return [Judged(first_difference(run, asked), run.cpu_seconds) for run in runs]


def ran(programs: Sequence[str], entry_point: str, calls: Sequence[Call], machine: Machine) -> list[Run]:
    """What each program gives in all calls: forks of one process that has imported what they need."""
    if not programs:
        return []
    batch = Batch(programs, entry_point, calls, LIMITS, preloaded(programs), [], [1] * len(programs))
    return list(language(FIRST_LANGUAGE).running.run_variants(batch, machine))


def preloaded(programs: Sequence[str]) -> list[str]:
    """The modules that some of the programs import, and those that cost next to nothing."""
    heavy = [name for name in HEAVY if any(name.split(".")[0] in program for program in programs)]
    own = {name for program in programs[:1] for name in _imports(program)}
    return sorted({*BROUGHT, *heavy, *own})


def _imports(program: str) -> list[str]:
    first = [ast.unparse(node) for node in ast.parse(program).body if isinstance(node, (ast.Import, ast.ImportFrom))]
    return modules_of(["\n".join(first)])
