"""Source archives of a registry: PyPI, or a server that speaks its JSON."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial
from pathlib import Path
from typing import Any

from harness.records import digest
from pipeline.config import MineConfig
from pipeline.languages.reading import Definition, Reader
from pipeline.records import Archive, LockedSource, Reason, Rejection, Source, reject_source
from pipeline.sources import Origin, Reading, SourceFile, Unusable, licence
from pipeline.sources.archive_index import ArchiveIndex
from pipeline.sources.archives import read_archive
from pipeline.sources.dating import Past, first_holding
from pipeline.sources.history_index import View
from pipeline.sources.novelty import Known
from pipeline.sources.registry import registry
from pipeline.sources.uploads import Upload, baseline, between, first_inside, steps, uploads_of, upper_end
from pipeline.stage import Context

_FORGES = ("https://github.com/", "https://gitlab.com/", "https://codeberg.org/", "https://bitbucket.org/")
_LICENCE_BYTES = 200_000


class PyPI:
    """The source `pypi`: `location` is the project's name."""

    def lock(self, source: Source, config: MineConfig, context: Context) -> LockedSource | Rejection:
        """Choose the archives by their versions and upload times."""
        try:
            return _lock(source, config, context)
        except Unusable as error:
            return reject_source("lock", source, error.reason, error.evidence)

    def fetch(self, reading: Reading) -> None:
        """Download what is always read of a project that is new here; of another one, the index holds most."""
        locked = reading.locked
        if reading.context.offline or _index_folder(reading).is_dir():
            return
        for archive in (locked.upper, *locked.baseline):
            _archive(reading, archive)

    def upper_files(self, reading: Reading) -> Iterator[SourceFile]:
        """The files of the upper end's source archive."""
        yield from sorted(_files(reading, reading.locked.upper), key=lambda file: file.path)

    def past(self, reading: Reading, reader: Reader) -> Past:
        """The files of each baseline archive, newest version first."""
        return _Archives(ArchiveIndex(_index_folder(reading), reader, reading), reading, reader)

    def licence_files(self, reading: Reading) -> dict[str, str]:
        """The licences and notices at the root of the upper end's archive."""
        return _licence_files(reading.locked, reading.config, reading.context)


PYPI = PyPI()


@dataclass(frozen=True)
class _Archives:
    """What the archives from before the cutoff hold, and by those from since when a function came."""

    index: ArchiveIndex
    reading: Reading
    reader: Reader

    @cached_property
    def known(self) -> View:
        """The functions of the baseline."""
        return self.index.view(self.reading.locked.baseline, partial(_files, self.reading))

    def __iter__(self) -> Iterator[Known]:
        return iter(self.known)

    def same(self, fingerprints: Collection[str]) -> Mapping[str, Known]:
        return self.known.same(fingerprints)

    def renamed(self, shapes: Collection[str]) -> Mapping[str, Known]:
        return self.known.renamed(shapes)

    def origins(self, new: Sequence[Definition]) -> Sequence[Origin]:
        """The upper end's release for all; the archives in between are only read where there is something to date."""
        reading, locked = self.reading, self.reading.locked
        places = {archive.file_name: place for place, archive in enumerate(locked.between)}
        since = self.index.view(locked.between, partial(_files, reading)) if new else None
        later = since.like({one.name for one in new}, {one.fingerprint for one in new}) if since else ()
        times = steps(locked)
        found = []
        for known in first_holding(new, later, self.reader, reading.config):
            place = places[known.state] if known else len(places)
            found.append(Origin(locked.upper.version, locked.upper.uploaded, "", times[place + 1], times[place]))
        return found


def _lock(source: Source, config: MineConfig, context: Context) -> LockedSource:
    project = registry(context.cache, context.offline).project(source.location)
    if project is None:
        raise Unusable(Reason.PROJECT_GONE, f"the registry has no project {source.location}")
    uploads = uploads_of(project)
    upper = upper_end(uploads, context.after, context.until)
    if upper is None:
        newest = uploads[-1].archive if uploads else None
        said = f"the last upload is {newest.version} of {newest.uploaded[:10]}" if newest else "there are no uploads"
        raise Unusable(Reason.NO_NEW_RELEASE, said)
    older = baseline(uploads, context.after, config.baseline_months, config.baseline_archives)
    if not older:
        raise Unusable(Reason.NO_BASELINE, f"the first upload is of {uploads[0].since[:10]}")
    _check_sizes([upper, *older], config)
    info = project.get("info") or {}
    small = [u for u in uploads if u.archive.size <= config.max_archive_bytes]
    locked = LockedSource(
        source, _url(info, source), "", "", upper.archive, tuple(_public(u, context.after) for u in older),
        first_inside(uploads, context.after),
        tuple(u.archive for u in between(small, upper, context.after, config.dating_archives)),
    )
    return _with_licence(locked, info, config, context)


def _public(upload: Upload, after: str) -> Archive:
    """The archive of a version from before the window; where it was uploaded later, with the version's own time."""
    return upload.archive if upload.uploaded < after else replace(upload.archive, uploaded=upload.since)


def _check_sizes(uploads: list[Upload], config: MineConfig) -> None:
    for upload in uploads:
        if upload.archive.size > config.max_archive_bytes:
            what = f"{upload.archive.file_name} has {upload.archive.size} bytes"
            raise Unusable(Reason.CORRUPT_SOURCE, f"{what}, the limit is {config.max_archive_bytes}")


def _with_licence(locked: LockedSource, info: dict[str, Any], config: MineConfig, context: Context) -> LockedSource:
    said, field = licence.of_project(info)
    if not said:
        said, field = licence.of_files(_licence_files(locked, config, context))
    if not licence.is_permissive(said):
        raise Unusable(Reason.LICENCE, f"{field} says {said}" if said else "no field and no file names one")
    return replace(locked, licence=said, licence_source=field)


def _url(info: dict[str, Any], source: Source) -> str:
    """The address of the project's repository, where the registry knows it, else of its page."""
    named = {str(k).lower(): str(v) for k, v in (info.get("project_urls") or {}).items()}
    wanted = ("source", "source code", "repository", "code", "github", "homepage")
    urls = [named[key] for key in wanted if key in named] + sorted(named.values()) + [str(info.get("home_page") or "")]
    for url in (u.replace("http://", "https://", 1) for u in urls):
        parts = url.split("#")[0].split("?")[0].rstrip("/").split("/")[:5]
        if url.startswith(_FORGES) and len(parts) == 5 and parts[3] != "sponsors":
            return "/".join(parts).removesuffix(".git")
    return f"https://pypi.org/project/{source.location}/"


def _index_folder(reading: Reading) -> Path:
    return reading.context.cache / "history" / digest("pypi", reading.locked.source.location)[:16]


def _archive(reading: Reading, archive: Archive) -> Path:
    client = registry(reading.context.cache, reading.context.offline)
    return client.archive(reading.locked.source.location, archive, reading.config.max_archive_bytes)


def _files(reading: Reading, archive: Archive) -> Iterator[SourceFile]:
    yield from read_archive(_archive(reading, archive), archive.file_name, reading.config, reading.wants)


def _licence_files(locked: LockedSource, config: MineConfig, context: Context) -> dict[str, str]:
    client = registry(context.cache, context.offline)
    path = client.archive(locked.source.location, locked.upper, config.max_archive_bytes)
    files = read_archive(path, locked.upper.file_name, config, licence.is_licence_file)
    return {f.path: f.data.decode("utf-8", "replace") for f in files if 0 < len(f.data) <= _LICENCE_BYTES}
