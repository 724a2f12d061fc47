"""Where a function is said to come from, and since when: against the lock, the window and the configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from pathlib import PurePosixPath

from harness.records import FIRST_FAMILY, Provenance, Task
from harness.releases.ages import first_public
from pipeline.config import MineConfig
from pipeline.languages.registry import language
from pipeline.records import LockedSource
from pipeline.release.verifying import Evidence, is_held
from pipeline.sources.folders import excluded_as
from pipeline.sources.licence import is_permissive
from pipeline.sources.uploads import steps

_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ")
_NEAREST = re.compile(r"\S+ in .+ \((.+)\)", re.S)


def provenance(task: Task, evidence: Evidence) -> Iterator[str]:
    """What contradicts the window, the lock or the configuration."""
    origin = task.provenance
    yield from _form(task, evidence)
    locked = evidence.locked.get(origin.project)
    if locked is None:
        yield f"sources.lock does not name {origin.project!r}"
        return
    said = _said(task, locked)
    if is_held(task):
        said |= _dated(origin, locked)
        yield from _claims(task, evidence, locked)
    for name, (here, there) in said.items():
        if here != there:
            yield f"{name} is {here!r}, but sources.lock says {there!r}"


def _form(task: Task, evidence: Evidence) -> Iterator[str]:
    origin, window = task.provenance, evidence.release.manifest["window"]
    if not is_permissive(origin.licence):
        yield f"the licence {origin.licence!r} is not permissive"
    for name, day in (("revision_date", origin.revision_date), ("first_seen", origin.first_seen)):
        if not window["after"] <= day[:10] < window["until"]:
            yield f"{name} {day} is outside the window"
    if not 0 <= origin.similarity < 1:
        yield f"similarity is {origin.similarity}"
    if not 0 < origin.line_start <= origin.line_end:
        yield f"lines {origin.line_start} to {origin.line_end} can't be"
    if not origin.path.endswith(language(task.language).layout.suffixes) or origin.path.startswith(("/", "..")):
        yield f"the path {origin.path!r} can't be"


def _said(task: Task, locked: LockedSource) -> dict[str, tuple[object, object]]:
    """What rows of all versions repeat of the lock: the row's word, and the lock's."""
    origin = task.provenance
    said: dict[str, tuple[object, object]] = {
        "source": (origin.source, locked.source.kind),
        "url": (origin.url, locked.url),
        "domain": (origin.domain, locked.source.domain),
        "task's domain": (task.domain, locked.source.domain),
        "archive": (origin.archive, locked.upper.file_name),
        "archive_sha256": (origin.archive_sha256, locked.upper.sha256),
        "baseline": (origin.baseline, locked.compared_with),
    }
    if origin.licence_source == locked.licence_source:  # else the file's own header counts
        said["licence"] = (origin.licence, locked.licence)
    elif origin.licence_source != f"the header of {origin.path}":
        said["licence_source"] = (origin.licence_source, locked.licence_source)
    if locked.source.kind == "pypi":  # in a repository, each function has the commit that brought it
        said["revision"] = (origin.revision, locked.upper.version)
    return said


def _dated(origin: Provenance, locked: LockedSource) -> dict[str, tuple[object, object]]:
    """The same for what rows tell since version 6; commits between the baseline and the upper one are in no lock."""
    said: dict[str, tuple[object, object]] = {"state": (origin.state, locked.upper.version)}
    if locked.source.kind == "pypi":
        said["revision_date"] = (origin.revision_date, locked.upper.uploaded)
        said["author_date"] = (origin.author_date, "")
    elif origin.revision == locked.upper.version:
        said["revision_date"] = (origin.revision_date, locked.upper.uploaded)
    return said


def _claims(task: Task, evidence: Evidence, locked: LockedSource) -> Iterator[str]:
    """What is claimed of a function's age and likeness."""
    origin, window = task.provenance, evidence.release.manifest["window"]
    for name in ("revision_date", "first_seen", "not_before", "author_date"):
        day = getattr(origin, name)
        if not _TIME.fullmatch(day) and (day or name in ("revision_date", "first_seen")):
            yield f"{name} {day!r} is no time"
    if locked.source.kind == "pypi":
        if (origin.not_before, origin.first_seen) not in set(pairwise(steps(locked))):
            yield f"nothing that was read lacks it on {origin.not_before} and has it on {origin.first_seen}"
    else:
        yield from _committed(origin, locked)
    config = evidence.config
    if config is None:
        return
    if config.window.strict and first_public(task) < window["after"]:
        yield f"it may be of {first_public(task)}, but the window is strict"
    yield from _likeness(task, config.mine, locked)
    yield from _place(task, config.mine)
    yield from _compared(locked, config.mine, window["after"])


def _place(task: Task, config: MineConfig) -> Iterator[str]:
    """Path and lines: the path as archives have it, of code that counts, and as many lines as the function has."""
    origin, spoken = task.provenance, language(task.language)
    parts = PurePosixPath(origin.path).parts
    if PurePosixPath(*parts).as_posix() != origin.path or ".." in parts or "\\" in origin.path:
        yield f"the path {origin.path!r} can't be"
    if kind := excluded_as(origin.path, spoken.layout):
        yield f"the path {origin.path!r} is one of {kind}"
    own = [one for one in spoken.reading.definitions(task.reference) if one.qualified == task.entry_point]
    for one in own[-1:] if task.family == FIRST_FAMILY else ():
        decorators = (origin.line_end - origin.line_start) - (one.line_end - one.line_start)
        if not 0 <= decorators <= len(config.allowed_decorators):
            yield f"lines {origin.line_start} to {origin.line_end} are not as many as the function has"


def _committed(origin: Provenance, locked: LockedSource) -> Iterator[str]:
    """What can't be of a commit's dates."""
    if origin.first_seen != origin.revision_date:
        yield f"its commit is of {origin.revision_date}, but it was seen first on {origin.first_seen}"
    if not re.fullmatch(r"[0-9a-f]{40}", origin.revision):
        yield f"the commit {origin.revision!r} can't be"
    if origin.not_before > origin.first_seen or (locked.baseline and not origin.not_before):
        yield f"not_before is {origin.not_before!r}, and it was seen first on {origin.first_seen}"


def _likeness(task: Task, config: MineConfig, locked: LockedSource) -> Iterator[str]:
    """Similarity and nearest function: below the limits, and of the baseline."""
    origin = task.provenance
    found = _NEAREST.fullmatch(origin.nearest)
    if bool(origin.similarity) != bool(found):
        yield f"similarity is {origin.similarity}, and the nearest function {origin.nearest!r}"
    if found is None:
        return
    own = origin.nearest.split(" in ")[0].rpartition(".")[2] == (task.original or task.entry_point).rpartition(".")[2]
    limit = config.modification_similarity if own else config.copy_similarity
    if origin.similarity >= limit:
        yield f"similarity is {origin.similarity}, which makes it a version of {origin.nearest}"
    states = {archive.file_name for archive in locked.baseline if archive.file_name}
    if states and found[1] not in states:
        yield f"the nearest function is in {found[1]}, which is not of the baseline"


def _compared(locked: LockedSource, config: MineConfig, after: str) -> Iterator[str]:
    """What the baseline of a registry's project can't be by the configuration."""
    if locked.source.kind != "pypi":
        return
    if not 0 < len(locked.baseline) <= config.baseline_archives or len(locked.between) > config.dating_archives:
        yield f"it was compared with {len(locked.baseline)} archives and dated by {len(locked.between)}"
    times = steps(locked)
    if any(archive.uploaded >= after for archive in locked.baseline) or not times[1] >= after:
        yield f"the baseline is not of before {after}, or the rest not of since"
    if list(times) != sorted(times):
        yield f"the archives are not in the order of their times: {', '.join(times)}"
