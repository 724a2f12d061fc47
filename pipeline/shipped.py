"""What of the project's data commands take by default."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UserError, guess
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
    known = {path.stem: path for path in shipped(RELEASES).glob("*.toml")}
    if str(given) not in known:
        near, names = guess(str(given), known), ", ".join(sorted(known))
        raise UserError(
            f"There is no configuration {str(given)!r} here{near}: give the path of one, or a name that we know "
            f"({names}).")
    return known[str(given)]
