"""How good a release's tasks are, as far as a program can see it: what is wrong with each by name, and in sum."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from functools import cache
from pathlib import Path
from statistics import mean
from typing import Any

import harness
import pipeline
from harness.cache import cache_folder
from harness.languages import Machine
from harness.records import Task, canonical_json, digest
from harness.releases.dataset import task_to_row
from harness.report.layout import table
from pipeline.executors.local import LocalExecutor
from pipeline.packaging.flags import flags_of
from pipeline.progress import Progress
from pipeline.release.further import COUNT
from pipeline.release.readings import RULE, Readings, read
from pipeline.suites.selection.readings import FEW

PASSING, HARDLY = 0.03, 0.05
"""Shares of wrong answers that may pass every case, and that may fail but a few."""


@dataclass(frozen=True)
class Quality:
    """One task: what is wrong with it by name, and its readings, None where they were not tried."""

    task: Task
    flags: tuple[str, ...]
    readings: Readings | None = None

    def as_json(self) -> dict[str, Any]:
        """The row for programs."""
        task = self.task
        return {
            "task_id": task.task_id, "entry_point": task.entry_point, "track": task.track,
            "difficulty": task.difficulty, "instructed_by": task.instructed_by, "lines": task.measures.lines,
            "complexity": task.measures.complexity, "typical": round(task.usual, 4),
            "mutation_score": task.strength.mutation_score,
            "blind": asdict(task.sufficiency) if task.sufficiency else None,
            "readings": asdict(self.readings) if self.readings else None, "flags": list(self.flags),
        }


def quality(
    tasks: Sequence[Task], machine: Machine | None, workers: int = 0, wrong: Mapping[str, Sequence[str]] | None = None
) -> list[Quality]:
    """Each task with what is wrong with it; with a machine its readings are tried, which takes some seconds each.

    So are `wrong` answers that people have written, by task. `workers` processes try them, 0 for one per core. What was
    found is kept in the cache: stopped, it goes on.
    """
    if machine is None:
        return [Quality(task, flags_of(task)) for task in tasks]
    answers = [tuple((wrong or {}).get(task.task_id, ())) for task in tasks]
    jobs = [_Job(place, task, answers[place], machine) for place, task in enumerate(tasks)]
    found: dict[int, Readings] = {}
    with Progress("readings", len(tasks)) as progress:
        for place, readings in LocalExecutor(workers).map(_tried, jobs):
            found[place] = readings
            progress.advance(1)
    return [
        Quality(task, (*flags_of(task), *_of_readings(found[place])), found[place]) for place, task in enumerate(tasks)
    ]


@dataclass(frozen=True)
class _Job:
    """A task whose readings are tried, and `wrong` answers to it."""

    place: int
    task: Task
    wrong: tuple[str, ...]
    machine: Machine

    @property
    def kept(self) -> Path:
        """Where what was found is kept, by all that decides about it."""
        key = digest(canonical_json(task_to_row(self.task)), *self.wrong, self.machine.runtime.lock_sha256, _code())
        return cache_folder() / "readings" / f"{key}.json"


def _tried(job: _Job) -> tuple[int, Readings]:
    kept = job.kept
    try:
        said = json.loads(kept.read_text("utf-8"))
        return job.place, Readings(**{**said, "points": tuple(said["points"]), "missed": tuple(said["missed"])})
    except (OSError, ValueError, TypeError, KeyError):
        pass  # it was not tried, or not written to the end
    found = read(job.task, job.machine, job.wrong)
    kept.parent.mkdir(parents=True, exist_ok=True)
    kept.write_text(canonical_json(asdict(found)), "utf-8")
    return job.place, found


@cache
def _code() -> str:
    """A hash over our own code."""
    folders = [Path(str(module.__file__)).parent for module in (harness, pipeline)]
    return digest(*(file.read_text("utf-8") for folder in folders for file in sorted(folder.rglob("*.py"))))


def _of_readings(found: Readings) -> Iterator[str]:
    # Where further inputs were drawn, what differs on none of them is taken for the same program in other words.
    wrong = found.holes if found.further else found.passing
    if wrong > PASSING * found.total:
        yield "readings pass"
    if found.few > HARDLY * found.total:
        yield "readings hardly fail"
    if found.written_passing > PASSING * found.written:
        yield "wrong answers pass"
    if found.written_few > HARDLY * found.written:
        yield "wrong answers hardly fail"


def as_text(found: Sequence[Quality]) -> str:
    """A line for each task, those with most flags first, and the sums."""
    lines = [("task", "track", "lines", "cx", "typical", "blind", "readings", "flags")]
    for one in sorted(found, key=lambda one: (-len(one.flags), one.task.entry_point)):
        task, read_ = one.task, one.readings
        solved = f"{task.sufficiency.solved} of {task.sufficiency.attempts}" if task.sufficiency else "-"
        told = _of(read_) if read_ else "-"
        lines.append((
            task.entry_point, task.track, str(task.measures.lines), str(task.measures.complexity),
            f"{task.usual:.0%}", solved, told, ", ".join(one.flags) or "none"))
    return "\n".join([*table(lines), "", *_sums(found)])


def _of(found: Readings) -> str:
    holes = f"{found.holes} holes" if found.further else "holes unknown"
    written = f"; {found.written} written: {found.written_passing} pass, {found.written_few} hardly fail"
    return f"{found.total}: {found.passing} pass ({holes}), {found.few} hardly fail, {found.open} open" \
        f"{written if found.written else ''}"


def _sums(found: Sequence[Quality]) -> Iterable[str]:
    tasks = [one.task for one in found]
    counts = Counter(flag for one in found for flag in one.flags)
    flagged = sum(bool(one.flags) for one in found)
    named = ", ".join(f"{count} {name}" for name, count in counts.most_common())
    yield f"{flagged} of {len(found)} tasks are flagged{': ' * bool(named)}{named}."
    yield f"Mean lines {mean(task.measures.lines for task in tasks):.1f}, complexity " \
        f"{mean(task.measures.complexity for task in tasks):.1f}; complexity 6 or more: " \
        f"{mean(task.measures.complexity >= 6 for task in tasks):.0%}."
    tried = [one.readings for one in found if one.readings is not None]
    if tried:
        every = sum(one.total for one in tried)
        yield f"Of {every} readings {sum(one.passing for one in tried) / every:.1%} pass every case, " \
            f"{sum(one.holes for one in tried) / every:.2%} differ on up to {COUNT} further inputs, " \
            f"{sum(one.few for one in tried) / every:.1%} fail fewer than {FEW}."
    if written := sum(one.written for one in tried):
        yield f"Of {written} wrong answers that people have written, to {sum(one.written > 0 for one in tried)} " \
            f"tasks, {sum(one.written_passing for one in tried) / written:.1%} pass every case, " \
            f"{sum(one.written_few for one in tried) / written:.1%} fail fewer than {FEW}, " \
            f"{sum(one.written_rare for one in tried) / written:.1%} less than {RULE:.0%} of the cases."
