"""The lock: written, read, and used so that nothing is looked up again."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import MineConfig
from pipeline.records import LockedSource, Rejection, Source
from pipeline.sources.lock import LockStage, read_lock, write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context, key_of
from tests.pipeline.sources.conftest import MIT, Server, sdist

Lock = Callable[..., LockedSource | Rejection]
SOURCES = [Source("pypi", name, "System Utilities", name) for name in ("demo", "gone")]


@pytest.fixture
def locked(server: Server, context: Context, tmp_path: Path) -> Path:
    """A lock of two projects, one of which is not there."""
    server.upload("demo", "1.0", "2026-01-01", sdist({"a.py": "x = 1", "LICENSE": MIT}))
    server.upload("demo", "2.0", "2026-06-01", sdist({"a.py": "def f(x):\n    return x\n", "LICENSE": MIT}))
    decisions = list(LockStage(MineConfig()).run(SOURCES, context))
    path = tmp_path / "sources.lock"
    write_lock(
        path,
        [d for d in decisions if isinstance(d, LockedSource)],
        [d for d in decisions if isinstance(d, Rejection)],
    )
    return path


def test_a_lock_is_read_as_it_was_written(locked: Path, tmp_path: Path) -> None:
    decisions = read_lock(locked)
    assert [type(d).__name__ for d in decisions] == ["LockedSource", "Rejection"]
    write_lock(tmp_path / "again", decisions[:1], decisions[1:])
    assert (tmp_path / "again").read_bytes() == locked.read_bytes()


def test_a_lock_says_what_was_decided_and_no_host(locked: Path) -> None:
    text = locked.read_text()
    assert '"file_name": "demo-2.0.tar.gz"' in text
    assert '"sha256": "' in text
    assert '"reason": "project_gone"' in text
    assert "127.0.0.1" not in text


def test_a_build_from_a_lock_asks_the_registry_nothing_new(locked: Path, server: Server, context: Context) -> None:
    server.upload("demo", "3.0", "2026-07-01", sdist({"a.py": "y = 2"}))
    server.upload("gone", "1.0", "2026-01-01", sdist({"a.py": "y = 2"}))
    before = server.asked.total()
    decisions = list(LockStage(MineConfig(), locked).run(SOURCES, context))
    assert decisions == read_lock(locked)
    assert server.asked.total() == before


def test_what_is_locked_can_be_mined_with_another_cache(
    locked: Path, server: Server, context: Context, tmp_path: Path
) -> None:
    [first, _] = LockStage(MineConfig(), locked).run(SOURCES, context)
    [found] = MineStage().run([first], replace(context, cache=tmp_path / "empty"))
    assert found.provenance.project == "demo"
    assert server.asked["demo-2.0.tar.gz"] == 1


def test_a_source_that_the_lock_does_not_name_is_looked_up(locked: Path, server: Server, context: Context) -> None:
    for version, day in {"1.0": "2026-01-01", "2.0": "2026-06-01"}.items():
        server.upload("other", version, day, sdist({"a.py": "x = 1"}))
    [found] = LockStage(MineConfig(), locked).run([Source("pypi", "other", "System Utilities", "other")], context)
    assert isinstance(found, LockedSource)


def test_a_lock_of_another_window_gives_nothing(locked: Path, context: Context) -> None:
    [found] = LockStage(MineConfig(), locked).run(SOURCES[:1], replace(context, after="2026-06-15"))
    assert isinstance(found, Rejection)
    assert (found.reason, found.evidence) == ("no_new_release", "2.0 is of 2026-06-01")


def test_a_stage_without_a_lock_looks_all_up(locked: Path, server: Server, context: Context, tmp_path: Path) -> None:
    before = server.asked["demo"]
    list(LockStage(MineConfig(), tmp_path / "none.lock").run(SOURCES, context))
    assert server.asked["demo"] == before + 1


@pytest.mark.parametrize("text", ["{", "[]", '{"sources": [{"id": 1}], "rejected": []}', '{"sources": []}'])
def test_a_damaged_lock_is_told_with_the_cure(tmp_path: Path, text: str) -> None:
    path = tmp_path / "sources.lock"
    path.write_text(text)
    with pytest.raises(UserError, match=r"is no lock of sources.*remove it to lock anew"):
        read_lock(path)


def test_how_sources_are_fetched_decides_nothing(context: Context) -> None:
    context.runtime.write_text("")

    def key(**settings: float) -> str:
        return key_of(LockStage(MineConfig(**settings)), context, "")

    assert key(fetches=1, fetch_seconds=5.0, stall_seconds=3, fetch_attempts=9) == key() != key(max_files=9)
    assert LockStage(MineConfig(fetches=1)).shard_size == LockStage(MineConfig()).shard_size
