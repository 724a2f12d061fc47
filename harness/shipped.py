"""Files that come with the project: beside the code in a working copy, inside this package in a wheel."""

from __future__ import annotations

from pathlib import Path


def shipped(name: str) -> Path:
    """A file or folder of the project by its path in the repository."""
    package = Path(__file__).resolve().parent
    beside = package.parent / name
    return beside if beside.exists() else package / name
