"""Where builds lie."""

from __future__ import annotations

from pathlib import Path

from harness.errors import UserError
from harness.locations import Location, location


def build_folder(release: str) -> Location:
    """The folder of a build, by name, by path or by address (that of its release will do)."""
    place = location(release)
    named = [Path("build") / release] if isinstance(place, Path) else []
    for folder in (*named, place, place.parent):
        if (folder / "stages").is_dir():
            return folder
    raise UserError(f"There is no build {str(place)!r}: give a name below build/, or the folder of a build.")
