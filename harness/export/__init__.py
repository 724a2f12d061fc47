"""Releases for those who don't use this harness: folders of files that need nothing of it, by the name of a form."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from harness.errors import UserError
from harness.export import humaneval, jsonl, pytests
from harness.records import Task
from harness.releases.dataset import Release

Form = Callable[[Sequence[Task], Path], Sequence[Task]]
"""Writes tasks into a folder; gives those that the form can't carry."""

FORMS: dict[str, Form] = {"pytest": pytests.write, "humaneval": humaneval.write, "jsonl": jsonl.write}


LIBRARIES = "libraries.txt"
"""What the tests need besides Python, pinned as the release has it."""


@dataclass(frozen=True)
class Exported:
    """What was written: into which folder, how many tasks, and the names of those that the form can't carry."""

    folder: Path
    tasks: int
    left_out: tuple[str, ...]


def export(release: Release, form: str, folder: Path) -> Exported:
    """Write a release in one of the `FORMS` into a folder that is empty or not there; raises `UserError`."""
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UserError(f"{folder} is there already, and not empty: name another folder.")
    folder.mkdir(parents=True, exist_ok=True)
    left_out = FORMS[form](release.tasks, folder)
    if form != "jsonl":
        (folder / LIBRARIES).write_bytes(release.lock.read_bytes())
    return Exported(folder, len(release.tasks) - len(left_out), tuple(task.entry_point for task in left_out))
