"""What of the project's data commands take by default."""

from __future__ import annotations

from pathlib import Path

from harness.shipped import shipped

__all__ = ["LIBRARIES", "RELEASES", "RUNTIME", "configuration", "shipped"]

LIBRARIES = "data/libraries.toml"
"""The allowed libraries of Python."""
RUNTIME = "data/runtimes/python-3.11.txt"
"""The lock of the runtime that Python's answers run in."""
RELEASES = "data/releases"
"""The configurations of our own releases."""


def configuration(given: Path) -> Path:
    """The file that a configuration is given by: its path, or the name of one of our own releases."""
    own = shipped(f"{RELEASES}/{given}.toml")
    return own if given.name == str(given) and not given.exists() and own.is_file() else given
