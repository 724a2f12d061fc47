"""The snapshot that comes with the package is what the demo's build gives: the same bytes."""

from __future__ import annotations

from pathlib import Path

import pytest
from snapshot import SNAPSHOTS, snapshot

from pipeline import flow
from pipeline.flow import Options

DEMO = Path(__file__).parents[2] / "data" / "releases" / "demo.toml"


def tree(folder: Path) -> dict[str, bytes]:
    return {path.relative_to(folder).as_posix(): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.slow
@pytest.mark.network
def test_the_demo_s_build_gives_the_snapshot(tmp_path: Path) -> None:
    """Builds the whole demo from the real PyPI, as `make release` does."""
    built = flow.build(DEMO, Options(folder=tmp_path / "build"))
    made = tree(snapshot(str(built.release), tmp_path / "snapshots"))
    there = tree(SNAPSHOTS / built.config.name)
    assert [name for name in made.keys() | there.keys() if made.get(name) != there.get(name)] == []
