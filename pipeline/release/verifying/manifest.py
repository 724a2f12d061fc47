"""What the manifest says of a release: against its files, its rows, its configuration and its lock."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.languages.registry import language
from harness.locations import files_below
from harness.records import CANARY
from harness.releases.cutoffs import cutoff_of
from harness.releases.dataset import Release, runtimes_of
from harness.releases.rows import row_digest
from pipeline.config import ReleaseConfig
from pipeline.families.registry import taken
from pipeline.release.build import TOOLS
from pipeline.release.funnel import FunnelRow
from pipeline.release.inputs import ANSWERS_LOCK, MODELS, RUNTIME_LOCK
from pipeline.release.verifying import HUBS_OWN, Evidence, Finding
from pipeline.sources.lock import check_window, window_of

_FIRST, _LAST = "lock", "package"
"""The stages at the ends of a funnel."""


def manifest(evidence: Evidence) -> Iterator[Finding]:
    """What is wrong with the manifest."""
    release = evidence.release
    yield from _sealed(release)
    if evidence.config is None:
        return
    yield from (Finding("manifest", "manifest.json", what) for what in _named(evidence, evidence.config))
    try:
        rows = [FunnelRow(**row) for row in release.manifest["funnel"]]
    except (KeyError, TypeError) as error:
        yield Finding("funnel", "manifest.json", f"there is no funnel to be read ({error})")
        return
    yield from (Finding("funnel", "manifest.json", what) for what in _funnel(rows, evidence))


def _sealed(release: Release) -> Iterator[Finding]:
    manifest = release.manifest
    besides = {"manifest.json"} | (HUBS_OWN if release.revision else set())
    for name in sorted(files_below(release.folder) - set(manifest["files"]) - besides):
        yield Finding("files", name, "the manifest does not name this file")
    for track, entry in manifest["tracks"].items():
        own = [t for t in release.tasks if t.track == track]
        if row_digest(own) != entry.get("row_digest"):
            yield Finding("digest", track, "the rows' digest is not the manifest's")
    if manifest.get("canary") != CANARY:
        yield Finding("canary", "manifest.json", "the canary is not ours")
    if manifest["runtime"].get("sha256") != manifest["files"].get(manifest["runtime"]["lock"]):
        yield Finding("runtime", "manifest.json", "the runtime's hash is not that of its lock")


def _named(evidence: Evidence, config: ReleaseConfig) -> Iterator[str]:
    """What contradicts release.toml, the rows, or the harness."""
    found, release = evidence.release.manifest, evidence.release
    corrects = isinstance(found.get("corrects"), dict)
    if found["name"] != config.name and not (corrects and str(found["name"]).startswith(f"{config.name}.")):
        yield f"the name is {found['name']!r}, but release.toml says {config.name!r}"
    for key in ("title", "seed"):
        if found.get(key) != getattr(config, key):
            yield f"{key} is {found.get(key)!r}, but release.toml says {getattr(config, key)!r}"
    if {task.schema_version for task in release.tasks} != {found["schema_version"]}:
        yield f"schema_version is {found['schema_version']}, but the rows have another"
    if set(found.get("tools") or ()) != set(TOOLS):
        yield "the tools are not those that a release names"
    for name, runtime in runtimes_of(found).items():
        if runtime.get(name) != language(name).runtimes.version:
            yield f"the runtime is of {name} {runtime.get(name)}, the harness's of {language(name).runtimes.version}"
        if runtime.get("lock") == ANSWERS_LOCK and not _is_part(evidence.folder):
            yield f"{ANSWERS_LOCK} is no part of {RUNTIME_LOCK}"
    yield from _window(evidence, config)


def _is_part(folder: Path) -> bool:
    """Whether answers run with nothing else than what the release was built with."""
    whole, part = ((folder / name).read_text("utf-8").splitlines() for name in (RUNTIME_LOCK, ANSWERS_LOCK))
    return {line for line in part if not line.startswith("#")} <= set(whole)


def _window(evidence: Evidence, config: ReleaseConfig) -> Iterator[str]:
    said = evidence.release.manifest.get("window")
    try:
        after = config.window.after or cutoff_of(config.window.models, evidence.folder / MODELS)
    except UserError as error:
        yield str(error)
        return
    if said != {"after": after, "until": config.window.until}:
        yield f"the window is {said}, but release.toml asks for {after} to {config.window.until}"
    lock = evidence.folder / "sources.lock"
    if window_of(lock) is None:
        yield "sources.lock does not say for which window it was made"
    try:
        check_window(lock, evidence.locked.values(), (after, config.window.until))
    except UserError as error:
        yield str(error)


def _funnel(rows: Sequence[FunnelRow], evidence: Evidence) -> Iterator[str]:
    """Where the numbers do not add up, by themselves or with the lock and the rows."""
    for row in rows:
        if row.read != row.kept + sum(row.reasons.values()):
            yield f"stage {row.stage} read {row.read}, but kept {row.kept} and rejected {sum(row.reasons.values())}"
        if row.tracks and sum(row.tracks.values()) != row.kept:
            yield f"the tracks of stage {row.stage} are not the {row.kept} that it kept"
        if row.domains and sum(drawn for _, drawn in row.domains.values()) != row.kept:
            yield f"the domains of stage {row.stage} are not the {row.kept} that it kept"
    functions = [row for row in rows if row.unit == "function"]
    asks_further = evidence.config is not None and any(one.further for one in taken(evidence.config.families.take))
    for one, two in pairwise(functions):
        if one.kept + two.further != two.read or not 0 <= two.further <= (one.kept if asks_further else 0):
            yield f"stage {one.stage} kept {one.kept}, but stage {two.stage} read {two.read}"
    yield from _ends({row.stage: row for row in rows if row.unit != "file"}, evidence)


def _ends(rows: dict[str, FunnelRow], evidence: Evidence) -> Iterator[str]:
    """The first stage has what the lock has, the last one the tasks; corrections may have fewer."""
    if not {_FIRST, _LAST} <= rows.keys():
        yield f"it lacks the stages {_FIRST} and {_LAST}"
        return
    first, last = rows[_FIRST], rows[_LAST]
    refused = Counter(one.reason for one in evidence.refused)
    if first.kept != len(evidence.locked) or first.reasons != dict(refused):
        yield f"stage {_FIRST} is not what sources.lock holds"
    own: dict[str, Any] = dict(Counter(task.track for task in evidence.release.tasks))
    corrected = isinstance(evidence.release.manifest.get("corrects"), dict)
    if own != last.tracks and not (corrected and all(own[name] <= last.tracks.get(name, 0) for name in own)):
        yield f"stage {_LAST} kept {last.tracks}, but there are {own}"
