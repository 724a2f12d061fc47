"""The releases that are on this machine under a name: built here, pulled from the Hub, or come with the package."""

from __future__ import annotations

from pathlib import Path

from harness.cache import cache_folder
from harness.errors import UserError
from harness.releases.dataset import MANIFEST, read_manifest
from harness.releases.hub import Listed, listed
from harness.releases.snapshots import snapshots


def here() -> list[Listed]:
    """The releases in the order in which a name is looked for, each name once; what can't be read is passed over."""
    places = [*sorted(Path("build").glob("*/release")), *sorted((cache_folder() / "releases").glob("*"))]
    found: dict[str, Listed] = {}
    for place in [*places, *snapshots().values()]:
        if not (place / MANIFEST).is_file():
            continue
        try:
            one = listed(read_manifest(place)[0], place=str(place))
        except UserError:
            continue
        found.setdefault(one.release, one)
    return list(found.values())
