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
    built = sorted(path.parent.name for path in Path("build").glob("*/stages"))
    there = f" ({', '.join(built)})" if built else ", where none is"
    raise UserError(
        f"There is no build {str(place)!r}: give a name below build/{there}, the folder of a build, or build it first "
        "with `code2bench build`."
    )
