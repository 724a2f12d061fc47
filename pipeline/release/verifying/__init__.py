"""What the gates of a release look at, and what they say; each module holds those of one kind."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.records import SCHEMA_VERSION, Task
from harness.releases.dataset import Release
from pipeline.classify.libraries import Libraries
from pipeline.config import ReleaseConfig
from pipeline.curated.answers import BlindAnswer
from pipeline.families.registry import families
from pipeline.languages.registry import languages
from pipeline.records import LockedSource, Rejection

HUBS_OWN = {".gitattributes", "advisories.json"}
"""What the Hub, or its default branch, adds to a release."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a release: which gate found it, in which file or task, in words."""

    gate: str
    where: str
    what: str


@dataclass(frozen=True)
class Evidence:
    """What a gate may look at besides the task: the release, what its lock decided, its configuration.

    `locked` are the sources by project, `libraries` the allowed ones by language, `folder` is where the release's files
    lie on this machine. `config` is None for releases of rows from before version 6, of which less can be held. `blind`
    are the blind answers by task.
    """

    release: Release
    folder: Path
    locked: dict[str, LockedSource]
    libraries: dict[str, Libraries]
    refused: tuple[Rejection, ...] = field(default=())
    config: ReleaseConfig | None = None
    blind: Mapping[str, Sequence[BlindAnswer]] = field(default_factory=dict)


def is_held(task: Task) -> bool:
    """Whether a row is of a version all of whose columns can be compared with the configuration."""
    return task.schema_version == SCHEMA_VERSION


def is_known(task: Task) -> bool:
    """Whether there are its language and its family."""
    return task.language in {one.name for one in languages()} and task.family in {one.name for one in families()}
