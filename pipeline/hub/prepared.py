"""A release as it is published: its card says where it lies, and a correction says what it corrects."""

from __future__ import annotations

import json
import shutil
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from harness.locations import near
from harness.records import digest
from harness.releases.dataset import DERIVED, MANIFEST, Release, write_track
from harness.releases.hub import tag_of
from harness.releases.veil import COLUMNS, veil_key
from harness.rewordings import has_rewordings, read_rewordings
from pipeline import store
from pipeline.curated.answers import publish, published
from pipeline.release.build import hashes
from pipeline.release.card import write_card
from pipeline.release.changes import Changes
from pipeline.release.changes import as_json as changes_json
from pipeline.release.facts import facts_of
from pipeline.release.inputs import keep, kept
from pipeline.vary.prompts import write_prompts


@dataclass(frozen=True)
class Prepared:
    """A folder to be published, whole: `name` is the release's or the correction's, `tag` the one that it will get."""

    folder: Path
    repository: str
    name: str
    manifest: dict[str, Any]

    @property
    def tag(self) -> str:
        """The tag that it gets."""
        return tag_of(self.name)

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of each file, the manifest included."""
        return hashes(self.folder)


def prepare(
    release: Release, repository: str, name: str, since: Changes | None, folder: Path, veil: bool = False
) -> Prepared:
    """Write a release as it is published under a name; `since` is what has changed since the one before it.

    A name that is not the release's own is that of a correction. With `veil`, answers are no plain text.
    """
    shutil.rmtree(folder, ignore_errors=True)
    with near(release.folder) as here:
        shutil.copytree(here, folder)
    manifest: dict[str, Any] = {**release.manifest, "name": name}
    if name != release.name and since is not None:
        manifest["corrects"] = {"release": since.before, "changes": changes_json(since)}
    if veil:
        manifest["veil"] = {"key": digest("code2bench", repository, name)[:32], "columns": list(COLUMNS)}
        for track, entry in manifest["tracks"].items():
            own = [task for task in release.tasks if task.track == track]
            write_track(own, folder / entry["file"], manifest["veil"]["key"])
        publish(folder, published(folder), manifest["veil"]["key"])
        keep(folder, kept(folder), manifest["veil"]["key"])
        if has_rewordings(release):
            write_prompts(read_rewordings(release), folder, manifest["veil"]["key"])
    if DERIVED not in manifest:
        key = veil_key(manifest)
        write_card(folder, replace(facts_of(release, folder, name), changes=since, repository=repository, key=key))
    manifest["files"] = {name: found for name, found in hashes(folder).items() if name != MANIFEST}
    store.write_bytes(folder / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    return Prepared(folder, repository, name, manifest)
