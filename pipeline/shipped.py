"""What of the project's data commands take by default."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UserError
from harness.shipped import shipped

__all__ = ["LIBRARIES", "RELEASES", "RUNTIME", "configuration", "shipped"]

LIBRARIES = "data/libraries.toml"
"""The allowed libraries of Python."""
RUNTIME = "data/runtimes/python-3.11.txt"
"""The lock of the runtime that Python's answers run in."""
RELEASES = "data/releases"
"""The configurations of our own releases."""


def configuration(given: Path) -> Path:
    """The file that a configuration is given by: its path, or the name of one of our own releases.

    Raises `UserError` for another name.
    """
    if given.name != str(given) or given.exists():
        return given
    there = shipped(f"{RELEASES}/{given}.toml")
    if not there.is_file():
        names = ", ".join(sorted(path.stem for path in there.parent.glob("*.toml")))
        raise UserError(f"There is no configuration {given}: give the path of one, or a name that we know ({names}).")
    return there
