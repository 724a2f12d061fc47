"""What a card tells, from the files of a finished release alone."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from harness.releases.cutoffs import models_file, read_models
from harness.releases.dataset import Release
from pipeline.config_file import load_config
from pipeline.records import LockedSource
from pipeline.release.attribution import attributions
from pipeline.release.card import Facts
from pipeline.release.compared import Compared
from pipeline.release.funnel import FunnelRow
from pipeline.release.inputs import MODELS
from pipeline.sources.lock import read_lock


def facts_of(release: Release, folder: Path, name: str = "") -> Facts:
    """The facts of a release whose files lie in `folder`, under another `name` if one is given.

    What lies outside the release, such as the changes since the last one, is not told.
    """
    window, config = release.manifest["window"], load_config(folder / "release.toml")
    locked = [one for one in read_lock(folder / "sources.lock") if isinstance(one, LockedSource)]
    given = [entry for _, entry in attributions(release.tasks, locked)]
    rows = [FunnelRow(**row) for row in release.manifest["funnel"]]
    models = read_models(folder / MODELS if (folder / MODELS).is_file() else models_file())
    config = replace(config, name=name or release.name)
    compared = release.manifest.get("compared")
    return Facts(
        config, window["after"], window["until"], release.tasks, rows, given, list(models.values()),
        compared=Compared(**compared) if compared else None,
    )
