"""A comparison of two runs, for people and for programs."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict

from harness.analysis.paired import Difference, Paired
from harness.report.layout import count
from harness.report.tables import as_text as as_lines
from harness.telling import printable

MAX_NAMES = 10
"""Tasks that are named for each way in which two runs differ; JSON names all."""


def as_json(comparison: Paired) -> str:
    """All of it as one object."""
    return json.dumps(asdict(comparison))


def as_text(comparison: Paired) -> str:
    """Both scores, their difference with its interval and p-value, and the tasks that make it."""
    c, low, high = comparison, _points(comparison.interval.low), _points(comparison.interval.high)
    lines = [
        *as_lines(c.table),
        "",
        f"B - A: {_points(c.difference)} points, 95%: {low} to {high} (paired bootstrap over {count(c.tasks, 'task')})",
        f"p = {c.p_value:.4g} ({c.test}, two-sided)",
        f"B is better on {_named(c.better)}",
        f"A is better on {_named(c.worse)}",
        "",
        f"release {c.first.run.release} (manifest {c.first.run.manifest_sha256[:12]}), {c.first.run.cases} cases",
    ]
    return "\n".join(map(printable, [*lines, *c.notes]))


def _points(share: float) -> str:
    return f"{100 * share:+.1f}"


def _named(tasks: Sequence[Difference]) -> str:
    if not tasks:
        return "no task"
    names = ", ".join(f"{one.entry_point or '?'} ({one.task_id})" for one in tasks[:MAX_NAMES])
    more = f" and {len(tasks) - MAX_NAMES} more" if len(tasks) > MAX_NAMES else ""
    return f"{count(len(tasks), 'task')}: {names}{more}"
