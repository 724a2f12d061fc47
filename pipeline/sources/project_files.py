"""The files of a locked project's upper end as texts, for what needs more of a project than one file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any

from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.records import LockedSource, Reason
from pipeline.sources import Reading, Unusable, licence, persisting
from pipeline.sources.adapters import adapter
from pipeline.sources.folders import excluded_as, generated_by
from pipeline.sources.lock import read_lock
from pipeline.sources.personal import personal_in
from pipeline.stage import Context

KEPT = 2
"""How many projects are held at a time; functions come project by project."""


@dataclass(frozen=True)
class ProjectFiles:
    """The texts of a project's own code by their paths; tests, examples and what can't be read are left out.

    `known` is what readers have found out about the project, for those who come after them.
    """

    texts: Mapping[str, str]
    known: dict[Any, Any] = field(default_factory=dict, compare=False, repr=False)

    @staticmethod
    def read(locked: LockedSource, config: MineConfig, context: Context, spoken: Language) -> ProjectFiles:
        """Read them again, from the cache or from where they came; raises `Unusable`."""
        return ProjectFiles(read_texts(locked, config, context, spoken, own=True))

    def header(self, path: str) -> str:
        """The licence that a file's own header names, "" where it names none."""
        return _of_header(self.texts[path])

    def objection(self, path: str) -> tuple[Reason, str] | None:
        """Why nothing may be taken from a file, None where that is allowed."""
        key = "objection", path
        if key not in self.known:
            self.known[key] = self._objection(path)
        found: tuple[Reason, str] | None = self.known[key]
        return found

    def _objection(self, path: str) -> tuple[Reason, str] | None:
        said = self.header(path)
        if said and not licence.is_permissive(said):
            return Reason.FILE_LICENCE, f"{path} is under {said}"
        if comment := generated_by(self.texts[path]):
            return Reason.GENERATED, f"{path}: {comment}"
        return None


def read_texts(
    locked: LockedSource, config: MineConfig, context: Context, spoken: Language, own: bool = False
) -> dict[str, str]:
    """The files of a project's upper end that can be read, by their paths; with `own` none of tests and examples."""
    reading = Reading(locked, config, context, spoken.layout.suffixes)
    place = adapter(locked.source.kind)
    place.fetch(reading)
    texts = {}
    for file in place.upper_files(reading):
        if max(file.size, len(file.data)) > config.max_file_bytes or (own and excluded_as(file.path, spoken.layout)):
            continue
        try:
            texts[file.path] = spoken.reading.decode(file.data)
        except UnicodeDecodeError:
            continue
    return texts


@lru_cache(maxsize=256)
def _of_header(text: str) -> str:
    return licence.of_header(text)


@lru_cache(maxsize=8192)
def secret_in(text: str) -> str:
    """What in a text must not be published, "" where nothing is."""
    return personal_in(text)


@dataclass(frozen=True)
class Projects:
    """The projects of a lock, by the names of their sources, each read when it is asked for."""

    lock: Path
    config: MineConfig
    context: Context

    def files(self, project: str, spoken: Language) -> ProjectFiles:
        """The files of a project; raises `Unusable` where they can't be read any more."""
        return _files(self, project, spoken)

    def locked(self, project: str) -> LockedSource:
        """What the lock says of a project."""
        found = _by_name(self.lock, self.lock.stat().st_mtime_ns).get(project)
        if found is None:
            raise Unusable(Reason.PROJECT_GONE, f"{self.lock.name} does not name {project}")
        return found


@lru_cache(maxsize=KEPT)
def _files(projects: Projects, project: str, spoken: Language) -> ProjectFiles:
    locked = projects.locked(project)
    return persisting(lambda: ProjectFiles.read(locked, projects.config, projects.context, spoken))


@lru_cache(maxsize=2)
def _by_name(lock: Path, changed: int) -> dict[str, LockedSource]:  # noqa: ARG001
    return {one.source.name: one for one in read_lock(lock) if isinstance(one, LockedSource)}
