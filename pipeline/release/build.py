"""Tasks to a release folder, written whole or not at all: the same inputs give the same bytes."""

from __future__ import annotations

import hashlib
import json
import platform
import shutil
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from importlib.metadata import version
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from harness.errors import UserError
from harness.languages.registry import language
from harness.locations import Location, Remote, files_below
from harness.records import CANARY, FIRST_LANGUAGE, SCHEMA_VERSION, Task
from harness.releases.cutoffs import read_models
from harness.releases.dataset import MANIFEST
from harness.releases.rows import row_digest, write_track
from pipeline import store
from pipeline.config import ReleaseConfig
from pipeline.curated.answers import current, load_answers, publish
from pipeline.llm import Exchange
from pipeline.packaging.flags import flags_of
from pipeline.records import LockedSource
from pipeline.release.asked import ANSWERS, recorded
from pipeline.release.attribution import Attribution, attributions, notice
from pipeline.release.card import Facts, write_card
from pipeline.release.changes import Changes
from pipeline.release.compared import Compared, compared_with
from pipeline.release.funnel import FunnelRow, as_json, asked, funnel
from pipeline.release.inputs import ANSWERS_LOCK, RUNTIME_LOCK, models_of, write_inputs
from pipeline.sources.adapters import licence_texts
from pipeline.stage import Context, Output

TOOLS = (
    "code2bench", "coverage", "datasketch", "detect-secrets", "docstring-parser", "gitpython", "hypothesis", "pyarrow",
    "tree-sitter", "tree-sitter-python",
)


@dataclass(frozen=True)
class Ingredients:
    """What a release is made of: the configuration, the finished stages in order, and the folder to write.

    For the card: `changes` since the last release, and `repository`, the dataset on the Hub that it will be part of.
    """

    config: ReleaseConfig
    outputs: Sequence[Output]
    folder: Location
    context: Context
    changes: Changes | None = None
    repository: str = ""

    def tasks(self) -> list[Task]:
        """The tasks that passed every stage."""
        return list(self.outputs[-1].records())

    def locked(self) -> list[LockedSource]:
        """All sources that were read, whether or not a task came from them."""
        return list(self.outputs[0].records())


def write_release(made: Ingredients) -> None:
    """Write the release beside its final place and move it there.

    For a folder of another machine it is written on this one and copied there, the manifest last: without it, it is no
    release.
    """
    tasks = made.tasks()
    if not tasks:
        raise UserError(
            f"No task passed every stage of {made.config.name}: look at `code2bench status {made.config.name}`, "
            "and add sources or widen the window."
        )
    flagged = [task for task in tasks if flags_of(task)]
    if len(flagged) > made.config.package.max_flagged * len(tasks):
        raise UserError(
            f"Something is wrong with {len(flagged)} of the {len(tasks)} tasks of {made.config.name}, as "
            f"{flagged[0].entry_point} ({', '.join(flags_of(flagged[0]))}), and package.max_flagged allows "
            f"{made.config.package.max_flagged:.0%}: leave such tasks out (package.leave_out), or write for them."
        )
    if isinstance(made.folder, Remote):
        with TemporaryDirectory(prefix="code2bench-") as place:
            _write(made, tasks, Path(place))
            _upload(Path(place), made.folder)
        return
    part = made.folder.with_name("release.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    _write(made, tasks, part)
    shutil.rmtree(made.folder, ignore_errors=True)
    part.rename(made.folder)


def _upload(folder: Path, release: Remote) -> None:
    release.remove()
    for name in sorted(files_below(folder), key=lambda name: (name == MANIFEST, name)):
        (release / name).write_bytes((folder / name).read_bytes())


def _write(made: Ingredients, tasks: Sequence[Task], part: Path) -> None:
    tracks = write_tracks(tasks, part)
    projects = _write_sources(made, tasks, part)
    _write_needed(made, tasks, part)
    rows = funnel(made.folder.parent)
    compared = compared_with(made.locked(), made.context.runtime, made.context.data / made.config.dedupe.known)
    write_card(part, _facts(made, tasks, rows, projects, compared))
    manifest = _manifest(made, part) | {"tracks": tracks, "funnel": as_json(rows), "files": hashes(part)}
    manifest["compared"] = asdict(compared)
    if asked(rows):
        manifest["models"] = asked(rows)
    store.write_bytes(part / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())


def _facts(
    made: Ingredients, tasks: Sequence[Task], rows: Sequence[FunnelRow], projects: Sequence[Attribution],
    compared: Compared,
) -> Facts:
    context, models = made.context, read_models(models_of(made.context))
    return Facts(
        made.config, context.after, context.until, tasks, rows, projects, list(models.values()), made.changes,
        made.repository, compared=compared,
    )


def write_tracks(tasks: Sequence[Task], folder: Path, key: str = "") -> dict[str, Any]:
    """Write the tasks by track, veiled with a key; gives what the manifest says of the tracks."""
    tracks = {}
    for track in sorted({t.track for t in tasks}):
        own = [t for t in tasks if t.track == track]
        file = f"{track}/test-00000-of-00001.parquet"
        write_track(own, folder / file, key)
        tracks[track] = {"file": file, "rows": len(own), "row_digest": row_digest(own)}
    return tracks


def _write_sources(made: Ingredients, tasks: Sequence[Task], folder: Path) -> list[Attribution]:
    write_inputs(folder, made.config, made.context, made.outputs)
    exchanges = recorded(made.outputs)
    if exchanges:
        store.write(folder / ANSWERS, Exchange, exchanges)
    known = load_answers(made.context.data / made.config.instruct.answers)
    publish(folder, [one for task in tasks for one in current(task, known)])
    used = attributions(tasks, made.locked())
    licences = []
    for locked, entry in used:
        for name, text in sorted(licence_texts(locked, made.context).items()):
            licences.append(f"{'=' * 100}\n{entry.title}\n{name}\n{'=' * 100}\n{text.strip()}\n")
    projects = [entry for _, entry in used]
    store.write_bytes(folder / "LICENSES.txt", "\n".join(licences).encode())
    store.write_bytes(folder / "NOTICE.txt", notice(made.config.name, projects).encode())
    return projects


def _write_needed(made: Ingredients, tasks: Sequence[Task], folder: Path) -> None:
    """Write what answers need of the runtime, where that is less."""
    if made.config.package.whole_runtime:
        return
    own = [task for task in tasks if task.language == FIRST_LANGUAGE]
    libraries = [library for task in own for library in task.libraries]
    programs = (task.program for task in own)
    lock = language(FIRST_LANGUAGE).runtimes.needed(made.context.runtime, libraries, programs)
    if lock != (folder / RUNTIME_LOCK).read_text("utf-8"):
        store.write_bytes(folder / ANSWERS_LOCK, lock.encode())


def _manifest(made: Ingredients, folder: Path) -> dict[str, Any]:
    name = ANSWERS_LOCK if (folder / ANSWERS_LOCK).is_file() else RUNTIME_LOCK
    lock = (folder / name).read_bytes()
    return {
        "name": made.config.name,
        "title": made.config.title,
        "schema_version": SCHEMA_VERSION,
        "canary": CANARY,
        "window": {"after": made.context.after, "until": made.context.until},
        "seed": made.config.seed,
        "runtime": {
            "python": ".".join(platform.python_version_tuple()[:2]),
            "lock": name,
            "sha256": hashlib.sha256(lock).hexdigest(),
        },
        "tools": {name: version(name) for name in TOOLS},
    }


def hashes(folder: Path) -> dict[str, str]:
    """The SHA-256 of each file of a folder, by its path in it."""
    return {name: hashlib.sha256((folder / name).read_bytes()).hexdigest() for name in sorted(files_below(folder))}
