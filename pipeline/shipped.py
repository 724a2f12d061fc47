"""Files that come with the project: beside the code in a working copy, inside the package in a wheel."""

from __future__ import annotations

from pathlib import Path

LIBRARIES = "data/libraries.toml"
"""The allowed libraries of Python."""
RUNTIME = "data/runtimes/python-3.11.txt"
"""The lock of the runtime that Python's answers run in."""


def shipped(name: str) -> Path:
    """A file of the project by its path in the repository."""
    package = Path(__file__).resolve().parent
    beside = package.parent / name
    return beside if beside.is_file() else package / name
