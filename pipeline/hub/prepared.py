"""A release as it is published: its card says where it lies, and a correction says what it corrects."""

from __future__ import annotations

import hashlib
import json
import shutil
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.dataset import MANIFEST, Release
from harness.locations import files_below, near
from pipeline import store
from pipeline.config import load_config
from pipeline.release.card import write_card
from pipeline.release.funnel import FunnelRow

CARD = "README.md"


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
        return f"v{self.name}"

    @property
    def files(self) -> dict[str, str]:
        """The SHA-256 of each file, the manifest included."""
        return {name: _sha256(self.folder / name) for name in sorted(files_below(self.folder))}


def prepare(release: Release, repository: str, name: str, corrects: dict[str, Any], folder: Path) -> Prepared:
    """Write a release as it is published under a name; `corrects` is empty, or says what it corrects and how."""
    with near(release.folder) as here:
        shutil.copytree(here, folder, dirs_exist_ok=True)
    manifest = {**release.manifest, "name": name, **({"corrects": corrects} if corrects else {})}
    rows = [FunnelRow(**row) for row in manifest["funnel"]]
    write_card(folder, load_config(folder / "release.toml"), release.tasks, rows)
    manifest["files"] = {one: _sha256(folder / one) for one in sorted(files_below(folder)) if one != MANIFEST}
    store.write_bytes(folder / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    return Prepared(folder, repository, name, manifest)


def _sha256(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
