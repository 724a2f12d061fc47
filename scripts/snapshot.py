"""Put a finished release, veiled, among the snapshots that come with the package.

    make release
    python scripts/snapshot.py build/demo/release
"""

from __future__ import annotations

import argparse
from pathlib import Path

from harness.releases.dataset import load_release
from pipeline.hub.prepared import prepare

SNAPSHOTS = Path(__file__).resolve().parents[1] / "data" / "snapshots"


def snapshot(release: str, folder: Path = SNAPSHOTS) -> Path:
    """Write the snapshot of a release below a folder; the same release gives the same bytes."""
    loaded = load_release(release)
    return prepare(loaded, "", loaded.name, None, folder / loaded.name, veil=True).folder


def main() -> None:
    """Write the snapshot of the release that the command line names."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release", help="a release, as other commands take it")
    print(snapshot(parser.parse_args().release))


if __name__ == "__main__":
    main()
