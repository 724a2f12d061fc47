"""What one release has and another has not: tasks added, removed and changed, with the reason where one is known."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

from harness.records import Task
from harness.releases.ages import first_public
from harness.releases.dataset import Release

_DERIVED = ("task_id", "task_digest")
"""Columns that follow from others, so that a change of them alone is none."""
_ASKED = ("instruction", "cases", "comparison")
"""Columns that `task_digest` is made of."""
_FIRST = (*_ASKED, "reference", "provenance")


class Cause(Protocol):
    """Why a task was taken out or mended: an exclusion, an advisory."""

    @property
    def task(self) -> str:
        """The task's id."""
        ...

    @property
    def reason(self) -> str:
        """The reason, in a sentence."""
        ...

    @property
    def link(self) -> str:
        """Where it was discussed, or ""."""
        ...


@dataclass(frozen=True)
class TaskChange:
    """A task that differs between two releases.

    `what` names the columns that differ, none for a task that only one of the releases has; a digest is "" for the
    release that has it not. `why` is a sentence, "" where nothing is known, and `link` where it was discussed.
    """

    task_id: str
    entry_point: str
    track: str
    project: str
    what: tuple[str, ...]
    digest_before: str
    digest_after: str
    why: str = ""
    link: str = ""

    @property
    def comparable(self) -> bool:
        """Whether an answer is judged the same in both releases."""
        return self.digest_before == self.digest_after


@dataclass(frozen=True)
class Changes:
    """All differences between two releases, by their names; `same` tasks are in both and alike in every column."""

    before: str
    after: str
    added: tuple[TaskChange, ...]
    removed: tuple[TaskChange, ...]
    changed: tuple[TaskChange, ...]
    same: int

    @property
    def any(self) -> bool:
        """Whether there is a difference at all."""
        return bool(self.added or self.removed or self.changed)

    @property
    def lists(self) -> dict[str, tuple[TaskChange, ...]]:
        """The three kinds of difference by name."""
        return {"added": self.added, "removed": self.removed, "changed": self.changed}


@dataclass(frozen=True)
class Side:
    """One of the two releases that are compared: its name, its tasks, and its window (ISO dates)."""

    name: str
    tasks: Sequence[Task]
    after: str
    until: str

    @classmethod
    def of(cls, release: Release) -> Side:
        """The side that a release is."""
        window = release.manifest["window"]
        return cls(release.name, release.tasks, window["after"], window["until"])


def changes(
    before: Release, after: Release, exclusions: Iterable[Cause] = (), advisories: Iterable[Cause] = ()
) -> Changes:
    """What became of the tasks of `before` in `after`; exclusions and advisories say why, where they name a task."""
    return between(Side.of(before), Side.of(after), exclusions, advisories)


def between(
    before: Side, after: Side, exclusions: Iterable[Cause] = (), advisories: Iterable[Cause] = ()
) -> Changes:
    """The same for tasks that are no release yet."""
    why = _reasons(exclusions, advisories)
    old, new = ({task.task_id: task for task in side.tasks} for side in (before, after))
    both = sorted(old.keys() & new.keys())
    pairs = [(old[key], new[key], differing(old[key], new[key])) for key in both]
    return Changes(
        before.name,
        after.name,
        tuple(_change(None, new[key], (), _younger(new[key], before)) for key in sorted(new.keys() - old.keys())),
        tuple(_change(old[key], None, (), why.get(key) or _older(old[key], after))
              for key in sorted(old.keys() - new.keys())),
        tuple(_change(one, two, what, why.get(two.task_id)) for one, two, what in pairs if what),
        sum(not what for _, _, what in pairs),
    )  # fmt: skip


def differing(one: Task, two: Task) -> tuple[str, ...]:
    """The columns in which two versions of a task differ; first what is asked, then the others in their order."""
    names = [field.name for field in dataclasses.fields(Task) if field.name not in _DERIVED]
    ordered = [*_FIRST, *(name for name in names if name not in _FIRST)]
    return tuple(name for name in ordered if getattr(one, name) != getattr(two, name))


_Why = tuple[str, str]


def _reasons(exclusions: Iterable[Cause], advisories: Iterable[Cause]) -> Mapping[str, _Why]:
    """Reason and link by task; an advisory goes before an exclusion, because it was written for the public."""
    found = {cause.task: (f"excluded: {cause.reason}", cause.link) for cause in exclusions}
    return found | {cause.task: (f"advisory: {cause.reason}", cause.link) for cause in advisories}


def _younger(task: Task, before: Side) -> _Why | None:
    if first_public(task) >= before.until:
        return f"its code is younger than {before.name}, which ends before {before.until}", ""
    return None


def _older(task: Task, after: Side) -> _Why | None:
    if first_public(task) < after.after:
        return f"its code is older than {after.name}, which begins on {after.after}", ""
    return None


def _change(one: Task | None, two: Task | None, what: tuple[str, ...], why: _Why | None) -> TaskChange:
    task = two or one
    assert task is not None
    sentence, link = why or ("", "")
    return TaskChange(
        task.task_id, task.entry_point, task.track, task.provenance.project, what,
        one.task_digest if one else "", two.task_digest if two else "", sentence, link,
    )  # fmt: skip


def as_json(found: Changes) -> dict[str, Any]:
    """The changes for programs."""
    lists = {kind: [_plain(change) for change in some] for kind, some in found.lists.items()}
    return {"before": found.before, "after": found.after, "same": found.same, **lists}


def _plain(change: TaskChange) -> dict[str, Any]:
    return dataclasses.asdict(change) | {"what": list(change.what), "comparable": change.comparable}


def summary(found: Changes) -> str:
    """The numbers, in a sentence."""
    changed = len(found.changed)
    judged = sum(not change.comparable for change in found.changed)
    return (
        f"{found.after} against {found.before}: {len(found.added)} added, {len(found.removed)} removed, "
        f"{changed} changed ({judged} in what is asked or how it is judged), {found.same} as they were."
    )


def as_text(found: Changes) -> str:
    """The changes for people: the numbers, then a line for each task."""
    lines = [summary(found)]
    for kind, some in found.lists.items():
        if some:
            lines += ["", f"{kind}:", *(f"  {line(change)}" for change in some)]
    return "\n".join(lines)


def line(change: TaskChange) -> str:
    """One task's change for people."""
    what = f" in {', '.join(change.what)}" if change.what else ""
    why = "; ".join(part for part in (change.why, change.link) if part)
    return f"{change.task_id}  {change.track}  {change.entry_point} ({change.project}){what}{': ' + why if why else ''}"
