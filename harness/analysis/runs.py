"""Which runs a store has."""

from __future__ import annotations

from collections.abc import Sequence

from harness.analysis import Share, Table
from harness.scoring.store import Stored


def analyse(runs: Sequence[Stored]) -> Table:
    """A row for each run; `perfect` is the share of its answers."""
    columns = ("run", "model", "revision", "sampling", "release", "cases", "date", "tasks", "answers", "perfect")
    return Table(columns, tuple(
        (
            one.id, one.run.model or f"({one.run.answers})", one.run.model_revision, one.run.sampling, one.run.release,
            one.run.cases, one.run.date[:10], one.tasks, one.answers, Share(one.perfect / one.answers),
        )
        for one in runs
    ))
