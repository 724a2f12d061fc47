"""Releases as files: Parquet written the same way every time; folders and Hub datasets read and checked."""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from tempfile import TemporaryDirectory
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.cache import cache_folder
from harness.errors import UserError, guess
from harness.families.registry import families, family_of
from harness.files import chunks
from harness.garbage import without_collection
from harness.languages.registry import language, languages
from harness.locations import Location, Remote, location
from harness.records import FIRST_LANGUAGE, VERSIONS, Task, Track
from harness.releases.hub import Fetched, fetch, is_name
from harness.releases.rows import (
    ROWS_PER_GROUP,
    SCHEMA,
    RowError,
    Seal,
    published_order,
    row_digest,
    row_to_task,
    task_digest,
    task_to_row,
    write_track,
)
from harness.releases.snapshots import origin, snapshots
from harness.releases.veil import unveiled, veil_key

__all__ = [
    "SCHEMA", "Release", "RowError", "cache_folder", "load_release", "published_order", "read_manifest", "read_track",
    "row_digest", "row_to_task", "task_digest", "task_to_row", "write_track",
]

MANIFEST = "manifest.json"
DERIVED = "derived"
"""The manifest's entry that says of which release this one asks about the programs, and by which settings."""
_AGAIN = "get the release again"


@dataclass(frozen=True)
class Release:
    """A release that was read and whose files agree with its manifest.

    `source` is what the user asked for, `revision` the Hub's commit ("" for a folder), `locks` the list of the
    runtime's libraries for each of its languages, `notes` what its users have to be told, `manifest_sha256` the hash of
    `manifest.json`, which in turn holds the hashes of all files.
    """

    name: str
    folder: Location
    manifest: dict[str, Any]
    tasks: tuple[Task, ...]
    revision: str
    locks: dict[str, Location]
    source: str
    manifest_sha256: str
    notes: tuple[str, ...] = ()

    @property
    def lock(self) -> Location:
        """The lock of the only language, or of the first one by name."""
        return self.locks[min(self.locks)]

    def task(self, task_id: str) -> Task:
        """The task of that id; raises `UserError` when the release has none."""
        for task in self.tasks:
            if task.task_id == task_id:
                return task
        raise UserError(f"Release {self.name} has no task {task_id!r}; `code2bench prompts` lists the ids.")


def read_track(path: Location, key: str = "") -> Iterator[Task]:
    """The tasks of one file in its order; raises `UserError` naming file, row and field.

    With the `key` of their manifest, answers that are veiled are read as well.
    """
    for number, row in enumerate(_rows(path, key)):
        yield _numbered(row, path, number)


def _rows(path: Location, key: str) -> Iterator[dict[str, Any]]:
    """The rows of a file, unveiled."""
    try:
        file = pq.ParquetFile(path if isinstance(path, Path) else path.open("rb"))
        for name in SCHEMA.names:
            if name not in file.schema_arrow.names:
                raise UserError(f"{path} has no column {name}; {_AGAIN}.")
        for batch in file.iter_batches(batch_size=ROWS_PER_GROUP, use_threads=False):
            for row in batch.to_pylist():
                yield unveiled(row, key)
    except (pa.ArrowInvalid, OSError, UnicodeDecodeError) as error:
        raise UserError(f"{path} is no readable Parquet file ({error}); {_AGAIN}.") from None


def _numbered(row: dict[str, Any], path: Location, number: int) -> Task:
    try:
        return row_to_task(row)
    except RowError as error:
        raise UserError(f"{path.name}, row {number} ({row.get('task_id')}): {error}.") from None


@without_collection()
def load_release(where: str | Location, tracks: Sequence[str] | None = None, whole: bool = True) -> Release:
    """Read a release: a folder here or at an address, a name built or cached here, or `ORG/NAME[@revision]` on the Hub.

    Every file is compared with the manifest's hashes. `tracks` limits which rows are read. Unless `whole` is false,
    which is for those who look for faults, rows, digests and runtime must agree with each other as well. Raises
    `UserError`.
    """
    found = _find(where)
    folder = found.folder
    manifest, manifest_sha256 = read_manifest(folder)
    _check_files(folder, manifest)
    if whole:
        _check_runtime(manifest)
    chosen = [track for track in sorted(manifest["tracks"]) if tracks is None or track in tracks]
    for track in tracks or ():
        if track not in manifest["tracks"]:
            there = ", ".join(sorted(manifest["tracks"]))
            raise UserError(f"Release {manifest['name']} has no track {track!r}, only {there}.")
    key = veil_key(manifest)
    seals = {track: Seal() for track in chosen}
    tasks = tuple(task for track in chosen for task in _track_tasks(folder, track, manifest, key, seals[track]))
    _check_unique(tasks, manifest["name"])
    if whole:
        _check_seals(manifest, seals)
        _check_programs(tasks, manifest["name"])
    locks = {name: folder / runtime["lock"] for name, runtime in runtimes_of(manifest).items()}
    source = str(folder if isinstance(folder, Remote) else where)
    return Release(
        manifest["name"], folder, manifest, tasks, found.commit, locks, source, manifest_sha256, found.notes)


def read_manifest(folder: Location) -> tuple[dict[str, Any], str]:
    """The manifest of a release folder, its form checked, and its SHA-256; raises `UserError`."""
    try:
        data = (folder / MANIFEST).read_bytes()
        manifest = json.loads(data)
    except OSError as error:
        raise UserError(f"{folder} holds no readable {MANIFEST} ({error.strerror}); is it a release folder?") from None
    except (ValueError, RecursionError) as error:
        raise UserError(f"{folder / MANIFEST} is no JSON ({error}); {_AGAIN}.") from None
    problem = _manifest_problem(manifest)
    if problem:
        raise UserError(f"{folder / MANIFEST}: {problem}.")
    return manifest, hashlib.sha256(data).hexdigest()


def _manifest_problem(manifest: Any) -> str:
    if not isinstance(manifest, dict):
        return f"it should be an object; {_AGAIN}"
    version = manifest.get("schema_version")
    if version not in VERSIONS:
        return (
            f"schema_version is {version!r}, but this harness reads {VERSIONS[0]} to {VERSIONS[-1]}; "
            "install the version of code2bench that the release names"
        )
    several = "runtimes" if "runtimes" in manifest else "runtime"
    shapes: tuple[tuple[str, type], ...] = (("name", str), ("tracks", dict), ("files", dict), (several, dict))
    for key, kind in shapes:
        if not isinstance(manifest.get(key), kind):
            return f"key {key} is missing or of the wrong type; {_AGAIN}"
    for name, runtime in runtimes_of(manifest).items():
        where = f"runtimes.{name}" if several == "runtimes" else "runtime"
        lock = runtime.get("lock") if isinstance(runtime, dict) else None
        if not isinstance(lock, str) or lock not in manifest["files"]:
            return f"{where}.lock should name one of the files; {_AGAIN}"
    return _track_problem(manifest)


def runtimes_of(manifest: dict[str, Any]) -> dict[str, Any]:
    """What a manifest says of the runtime of each language; one of a single runtime says it of the first language."""
    several: dict[str, Any] = manifest.get("runtimes") or {FIRST_LANGUAGE: manifest["runtime"]}
    return several


def _track_problem(manifest: dict[str, Any]) -> str:
    for track, entry in manifest["tracks"].items():
        file = entry.get("file") if isinstance(entry, dict) else None
        if not isinstance(file, str) or file not in manifest["files"]:
            return f"tracks.{track}.file should name one of the files; {_AGAIN}"
        if not _known(track, runtimes_of(manifest)):
            return f"this harness knows no track {track!r}; install the version of code2bench that the release names"
    if "/" in manifest["name"] or manifest["name"] in ("", ".", ".."):
        return f"name {manifest['name']!r} can't be that of a release; {_AGAIN}"
    return ""


def _known(track: str, runtimes: dict[str, Any]) -> bool:
    """Whether this is a track of a family and a language that there are, with a runtime for it."""
    try:
        known = Track(track)
    except ValueError:
        return False
    return known.family in families() and known.language in languages() and known.language in runtimes


def _check_files(folder: Location, manifest: dict[str, Any]) -> None:
    for name, expected in sorted(manifest["files"].items()):
        parts = PurePosixPath(name)
        if parts.is_absolute() or ".." in parts.parts:
            raise UserError(f"The manifest of {folder} names {name!r}, which lies outside the release; don't use it.")
        try:
            actual = _sha256(folder / name)
        except (OSError, ValueError) as error:
            why = error.strerror if isinstance(error, OSError) else "no file can have this name"
            raise UserError(f"{folder / name} can't be read ({why}); {_AGAIN}.") from None
        if actual != expected:
            raise UserError(f"{folder / name} is not the file of the manifest (its SHA-256 differs); {_AGAIN}.")


def _sha256(file: Location) -> str:
    if isinstance(file, Remote):
        return hashlib.sha256(file.read_bytes()).hexdigest()
    found = hashlib.sha256()
    for chunk in chunks(file):
        found.update(chunk)
    return found.hexdigest()


def _check_runtime(manifest: dict[str, Any]) -> None:
    for name, runtime in runtimes_of(manifest).items():
        if runtime.get("sha256") != manifest["files"][runtime["lock"]]:
            raise UserError(f"The manifest's runtime.sha256 is not the hash of {runtime['lock']}; {_AGAIN}.")
        of = language(name)
        if runtime.get(name) != of.runtimes.version:
            raise UserError(
                f"Release {manifest['name']} runs on {of.title} {runtime.get(name)}, this harness on "
                f"{of.runtimes.version}; install the version of code2bench that the release names."
            )


def _track_tasks(folder: Location, track: str, manifest: dict[str, Any], key: str, seal: Seal) -> list[Task]:
    entry, tasks = manifest["tracks"][track], []
    path = folder / entry["file"]
    for number, row in enumerate(_rows(path, key)):
        tasks.append(_numbered(row, path, number))
        seal.add(row)
    if len(tasks) != entry.get("rows"):
        raise UserError(f"{entry['file']} has {len(tasks)} rows, the manifest says {entry.get('rows')}; {_AGAIN}.")
    for task in tasks:
        if task.track != track:
            where = f"{entry['file']}, {task.task_id}"
            raise UserError(f"{where}: field track is {task.track!r} in the file of {track}; {_AGAIN}.")
    return tasks


def _check_seals(manifest: dict[str, Any], seals: dict[str, Seal]) -> None:
    for track, seal in seals.items():
        entry = manifest["tracks"][track]
        if seal.broken:
            raise UserError(f"{entry['file']}, {seal.broken}: the task_digest is not that of the row; {_AGAIN}.")
        if seal.row_digest() != entry.get("row_digest"):
            raise UserError(f"The rows of {entry['file']} are not those of the manifest's row_digest; {_AGAIN}.")


def _check_programs(tasks: Iterable[Task], name: str) -> None:
    for task in tasks:
        of, made = language(task.language), family_of(task).program(task, task.reference)
        if made.unfit or not of.answers.parses("\n".join((*task.imports, made.program))):
            raise UserError(f"The reference of task {task.task_id} of release {name} is no {of.title}; {_AGAIN}.")


def _check_unique(tasks: Iterable[Task], name: str) -> None:
    seen: set[str] = set()
    for task in tasks:
        if task.task_id in seen:
            raise UserError(f"Release {name} holds task {task.task_id} twice; {_AGAIN}.")
        seen.add(task.task_id)


@dataclass(frozen=True)
class _Here:
    """A release that lies in a folder, or at an address."""

    folder: Location
    commit: str = ""
    notes: tuple[str, ...] = ()


def _find(given: str | Location) -> _Here | Fetched:
    """The folder of a release, the Hub's commit when it comes from there, and what has to be told of it."""
    place = location(given) if isinstance(given, str) else given
    if isinstance(place, Remote):
        for remote in (place, place / "release"):
            if (remote / MANIFEST).is_file():
                return _Here(remote)
        raise UserError(f"There is no release at {place}: give the address of its folder, such as s3://BUCKET/release.")
    where, folder = str(given), place.expanduser()
    if not where.strip():
        raise UserError("No release is named: give a folder, a name such as demo, or ORG/NAME@REVISION on the Hub.")
    for local in (folder, folder / "release"):
        if (local / MANIFEST).is_file():
            return _Here(local.resolve())
    if folder.exists():
        what = f"holds no {MANIFEST}" if folder.is_dir() else "is no folder"
        raise UserError(f"{folder} {what}; give the folder of a release, for example {_nearest(folder)}.")
    if is_name(where):
        return fetch(where)
    places = [Path("build") / where / "release", cache_folder() / "releases" / where]
    for place in places:
        if (place / MANIFEST).is_file():
            return _pulled(place.resolve())
    if where in snapshots():
        return _Here(snapshots()[where].resolve(), notes=(origin(where),))
    near = _near(where)
    if "/" in where:
        raise UserError(f"There is no folder {where!r}{near}, and it is no name on the Hub: give ORG/NAME@REVISION.")
    raise UserError(
        f"There is no release {where!r} here{near}, neither in {' nor in '.join(str(p) for p in places)}; "
        "give a folder, a name that `code2bench releases` lists, or ORG/NAME@REVISION on the Hub."
    )


def _nearest(place: Path) -> Path:
    """The folder of a release that this place belongs to, or that belongs to it, as far as there is one."""
    places = (*sorted(place.glob("*/release")), *place.resolve().parents[:2])
    return next((one for one in places if (one / MANIFEST).is_file()), Path("build/demo/release"))


def _near(name: str) -> str:
    """The release of this machine whose name is like this one, as a question; "" where none is."""
    built = (path.parent.parent.name for path in Path("build").glob(f"*/release/{MANIFEST}"))
    pulled = (path.parent.name for path in (cache_folder() / "releases").glob(f"*/{MANIFEST}"))
    return guess(name.lower().strip("/"), {*built, *pulled, *snapshots()})


def _pulled(folder: Path) -> _Here:
    """A release of that name; one that was pulled from the Hub has a file beside it that says from where."""
    origin = folder.with_name(f"{folder.name}.origin.json")
    if not origin.is_file():
        return _Here(folder)
    said = json.loads(origin.read_text("utf-8"))
    return _Here(folder, str(said["commit"]), tuple(said["notes"]))


def pull(where: str) -> Release:
    """Get a release from the Hub and keep it, checked, under its name; raises `UserError`."""
    if not is_name(where):
        raise UserError(f"{where!r} is no name on the Hub: give ORG/NAME, and the release by --release.")
    found = fetch(where)
    release = load_release(found.folder)
    kept = cache_folder() / "releases" / release.name
    with TemporaryDirectory(prefix="pull-", dir=_made(kept.parent)) as place:
        part = Path(place) / "release"
        for name in (MANIFEST, *release.manifest["files"]):
            _made((part / name).parent)
            shutil.copyfile(found.folder / name, part / name)
        shutil.rmtree(kept, ignore_errors=True)
        part.rename(kept)
    origin = {"from": where, "commit": found.commit, "notes": list(found.notes)}
    kept.with_name(f"{kept.name}.origin.json").write_text(json.dumps(origin) + "\n", "utf-8")
    return load_release(release.name) if not _built_here(release.name) else load_release(kept)


def _built_here(name: str) -> bool:
    """Whether a release of that name was built here, which then is what the name means."""
    return (Path("build") / name / "release" / MANIFEST).is_file()


def _made(folder: Path) -> Path:
    folder.mkdir(parents=True, exist_ok=True)
    return folder
