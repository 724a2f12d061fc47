"""Releases that come with the package: snapshots, veiled, by name; and which dataset on the Hub has more of them."""

from __future__ import annotations

import os
from pathlib import Path

from harness import __version__
from harness.shipped import shipped

DEFAULT_RELEASE = "demo"
"""The release that is taken where nobody names one: a snapshot, unless one of that name was built or pulled."""
DATASET = "CODE2BENCH_DATASET"
"""The environment variable that names the dataset on the Hub where newer releases are looked for, as ORG/NAME."""


def snapshots() -> dict[str, Path]:
    """The folders of the snapshots by name."""
    return {path.parent.name: path.parent for path in sorted(shipped("data/snapshots").glob("*/manifest.json"))}


def dataset() -> str:
    """The dataset on the Hub that is looked at where nobody names one; "" where none is set."""
    return os.environ.get(DATASET, "")


def origin(name: str) -> str:
    """What users of a snapshot have to be told."""
    return (
        f"Release {name} is the snapshot that came with code2bench {__version__}: `code2bench releases` tells of newer "
        "ones, `code2bench pull` gets one."
    )
