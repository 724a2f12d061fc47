"""How old tasks are, and which of them are younger than a day or than a model's knowledge."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from harness.errors import UserError
from harness.records import Provenance, Task
from harness.releases.cutoffs import find_model, models_file, read_models

_LATE = 90
"""Days that a change may wait to be committed."""


@dataclass(frozen=True)
class Cutoff:
    """A day that tasks must be younger than (ISO 8601, UTC), what the user gave, and who says so ("" for a date)."""

    what: str
    day: str
    source: str = ""

    @property
    def told(self) -> str:
        """The day, with the name that stands for it."""
        return self.day if self.what == self.day else f"{self.what} ({self.day})"

    def excludes(self, task: Task) -> bool:
        """Whether the task may have been public on the day or before."""
        return first_public(task) <= self.day


@dataclass(frozen=True)
class Age:
    """What a cutoff leaves of a release: so many `tasks` of all (`of`)."""

    cutoff: Cutoff
    tasks: int
    of: int


def first_public(task: Task) -> str:
    """The earliest day on which the task's function can have been public, as `earliest_day` has it."""
    return earliest_day(task.provenance)


def earliest_day(origin: Provenance) -> str:
    """The earliest day (YYYY-MM-DD, UTC) on which a function can have been public, as far as its provenance shows.

    It is that of `not_before`, the newest archive or commit in which the function was looked for and not found, or of
    `author_date`, where there is one that is earlier, since a commit may lie in a fork or on a branch from the day that
    it was written. Anybody can set an author date; one that is set too early leaves a task out that would be young
    enough, and never lets in one that is too old. What was public elsewhere before it came into its project,
    provenance can't show.

    Where nothing older was read, and in rows of versions before 6, which have no `not_before`, `first_seen` and
    `revision_date` stand for it.
    """
    shown = (origin.not_before,) if origin.not_before else (origin.first_seen, origin.revision_date)
    days = (*shown, origin.author_date)
    return min((day[:10] for day in days if day), default="")


def contradiction(author_date: str, committer_date: str) -> str:
    """What is odd about a commit's two dates, in words: written after it was committed, or long before; else ""."""
    if not author_date:
        return ""
    written, committed = (datetime.fromisoformat(day) for day in (author_date, committer_date))
    days = (committed - written).days
    if days < 0:
        return f"its author dates it {-days} days after it was committed"
    return f"its author dates it {days} days before it was committed" if days > _LATE else ""


def cutoff(what: str) -> Cutoff:
    """The cutoff that a date (YYYY-MM-DD) or the name of a model in `data/models.toml` means; raises `UserError`."""
    if re.fullmatch(r"[\d/.-]+", what):
        return Cutoff(what, _day(what))
    path = models_file()
    known = read_models(path, "a date such as 2026-05-01 instead of a model's name")
    model = find_model(what, known, f"give its day as a date such as 2026-05-01, or add the model to {path}")
    return Cutoff(what, model.last_day, model.said)


def _day(text: str) -> str:
    try:
        return datetime.strptime(text, "%Y-%m-%d").date().isoformat()
    except ValueError:
        raise UserError(f"{text!r} is no day; give one such as 2026-05-01, or the name of a model.") from None


def younger(tasks: Sequence[Task], limit: Cutoff) -> tuple[Task, ...]:
    """The tasks that were not public before the day after the cutoff; raises `UserError` where there are none."""
    left = tuple(task for task in tasks if not limit.excludes(task))
    if not left:
        raise UserError(
            f"None of the {len(tasks)} tasks is younger than {limit.told}, the youngest is of "
            f"{max(map(first_public, tasks), default='no day')}; take an earlier cutoff or a newer release."
        )
    return left
