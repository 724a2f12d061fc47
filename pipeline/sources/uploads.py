"""Which uploads of a registry are read: the rule for the upper end of a window and for what it is compared with."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from functools import partial
from typing import Any

from packaging.version import InvalidVersion, Version

from pipeline.records import Archive, LockedSource

_SOURCES = (".tar.gz", ".tgz", ".zip", ".tar.bz2", ".tar.xz")
"""The kinds of source archives, those that are preferred first."""


@dataclass(frozen=True)
class Upload:
    """A version on a registry as one archive of it; `since` is when any file of that version was first uploaded."""

    version: Version
    archive: Archive
    is_source: bool
    yanked: bool
    since: str

    @property
    def uploaded(self) -> str:
        """When the archive was uploaded: ISO 8601, UTC."""
        return self.archive.uploaded

    @property
    def line(self) -> tuple[int, ...]:
        """The release line: epoch, major and minor number."""
        release = (*self.version.release, 0)[:2]
        return (self.version.epoch, *release)


def uploads_of(project: dict[str, Any]) -> list[Upload]:
    """The uploads that a registry's JSON names, oldest first; versions that break PEP 440 are passed over.

    A version stands for itself with its source archive. One that never had a source archive stands with a wheel,
    because it was public all the same.
    """
    found = []
    for text, files in (project.get("releases") or {}).items():
        try:
            version = Version(text)
        except InvalidVersion:
            continue
        found += _of_version(version, [f for f in files if isinstance(f, dict)])
    return sorted(found, key=lambda u: (u.uploaded, u.version, u.archive.file_name))


def _of_version(version: Version, files: Sequence[dict[str, Any]]) -> list[Upload]:
    ranked = sorted((f for f in files if _rank(f) is not None), key=lambda f: (_rank(f), f["filename"]))
    if not ranked:
        return []
    best = ranked[0]
    size = int(best.get("size") or 0)
    archive = Archive(str(version), best["filename"], best["digests"]["sha256"], _time(best), size)
    since = min(_time(f) for f in files if _when(f))
    return [Upload(version, archive, best["packagetype"] == "sdist", bool(best.get("yanked")), since)]


def _rank(file: dict[str, Any]) -> int | None:
    name, kind = str(file.get("filename", "")), file.get("packagetype")
    if not _when(file) or not file.get("digests", {}).get("sha256"):
        return None
    if kind == "sdist":
        return next((rank for rank, suffix in enumerate(_SOURCES) if name.endswith(suffix)), None)
    if kind == "bdist_wheel" and name.endswith(".whl"):
        return 10 if name.endswith("-none-any.whl") else 11
    return None


def _when(file: dict[str, Any]) -> str:
    return str(file.get("upload_time_iso_8601") or file.get("upload_time") or "")


def _time(file: dict[str, Any]) -> str:
    moment = datetime.fromisoformat(_when(file))
    moment = moment.replace(tzinfo=moment.tzinfo or UTC).astimezone(UTC)
    return moment.strftime("%Y-%m-%dT%H:%M:%SZ")


def upper_end(uploads: Iterable[Upload], after: str, until: str) -> Upload | None:
    """The highest final version that was uploaded inside the window as a source archive, and not yanked.

    A version of which any file is older than the window is not new, even when its source archive came later.
    """
    inside = [
        u for u in uploads
        if u.is_source and not u.yanked and after <= u.since and u.uploaded < until
        and not u.version.is_prerelease
    ]
    return max(inside, key=lambda u: u.version, default=None)


def baseline(uploads: Iterable[Upload], after: str, months: int, most: int) -> list[Upload]:
    """What is known to have existed before the window, at most `most` archives, pre-releases and yanked ones included.

    These are the highest version, the latest upload, and the last upload of each release line in the `months` before
    the window, lines that were uploaded to last first.
    """
    before = [u for u in uploads if u.since < after]
    if not before:
        return []
    start = _months_earlier(after, months)
    lines: dict[tuple[int, ...], Upload] = {}
    for upload in sorted(before, key=_by_time):
        if upload.uploaded >= start:
            lines[upload.line] = upload
    highest = max(before, key=lambda u: u.version)
    latest = max(before, key=_by_time)
    chosen = [highest, latest, *sorted(lines.values(), key=_by_time, reverse=True)]
    return list(dict.fromkeys(chosen))[:most]


def between(uploads: Iterable[Upload], upper: Upload, after: str, most: int) -> list[Upload]:
    """Source archives of the window from before its upper end, which tell when a function came; at most `most`.

    Only those count whose version was the highest until then: a long-term branch lacks what its project has long had.
    The first of them is taken, and those that are nearest to what divides the time from it to the upper end evenly.
    What is yanked may lack anything.
    """
    highest = max((u.version for u in uploads if u.since < after and u.version < upper.version), default=None)
    found = []
    for upload in sorted((u for u in uploads if after <= u.since and u.uploaded < upper.since), key=_by_time):
        if upload.version < upper.version and (highest is None or upload.version > highest):
            highest = upload.version
            found += [upload] if upload.is_source and not upload.yanked else []
    if not found:
        return []
    first, last = (datetime.fromisoformat(one.uploaded) for one in (found[0], upper))
    moments = [first + (last - first) * number / most for number in range(most)]
    return list(dict.fromkeys(min(found, key=partial(_distance, moment)) for moment in moments))


def _distance(moment: datetime, upload: Upload) -> timedelta:
    return abs(datetime.fromisoformat(upload.uploaded) - moment)


def steps(locked: LockedSource) -> tuple[str, ...]:
    """The upload times between which a function came: of the baseline, of each archive in between, of the upper end.

    That of the baseline is of its highest version up to the upper end's; what a long-term branch lacks shows nothing.
    Without a baseline it is "".
    """
    top = Version(locked.upper.version)
    below = [archive for archive in locked.baseline if Version(archive.version) <= top]
    newest = max(below, key=lambda archive: Version(archive.version), default=None)
    oldest = min((archive.uploaded for archive in locked.baseline), default="")
    since = [*locked.between, locked.upper]
    return (newest.uploaded if newest else oldest, *(archive.uploaded for archive in since))


def _by_time(upload: Upload) -> tuple[str, Version]:
    return upload.uploaded, upload.version


def _months_earlier(day: str, months: int) -> str:
    start = date.fromisoformat(day)
    index = start.year * 12 + start.month - 1 - months
    return date(index // 12, index % 12 + 1, 1).isoformat()


def first_inside(uploads: Iterable[Upload], after: str) -> str:
    """When the first file of any version that is not older than the window was uploaded."""
    return min((u.since for u in uploads if u.since >= after), default="")
