"""The lock: written, read, and used so that nothing is looked up again."""

from __future__ import annotations

import json
import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import MineConfig
from pipeline.records import LockedSource, Rejection, Source
from pipeline.sources.lock import LockStage, read_lock, window_of, write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context, key_of
from tests.pipeline.sources.conftest import MIT, Server, sdist

Lock = Callable[..., LockedSource | Rejection]
SOURCES = [Source("pypi", name, "System Utilities", name) for name in ("demo", "gone")]


@pytest.fixture
def locked(server: Server, context: Context, tmp_path: Path) -> Path:
    """A lock of two projects, one of which is not there."""
    server.upload("demo", "1.0", "2026-01-01", sdist({"a.py": "x = 1", "LICENSE": MIT}))
    server.upload("demo", "1.1", "2026-05-10", sdist({"a.py": "x = 2"}))
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
    assert server.asked["demo-2.0.tar.gz"] == 2  # once for each cache


def test_a_source_that_the_lock_does_not_name_is_looked_up(locked: Path, server: Server, context: Context) -> None:
    for version, day in {"1.0": "2026-01-01", "2.0": "2026-06-01"}.items():
        server.upload("other", version, day, sdist({"a.py": "x = 1"}))
    [found] = LockStage(MineConfig(), locked).run([Source("pypi", "other", "System Utilities", "other")], context)
    assert isinstance(found, LockedSource)


@pytest.mark.parametrize(("moved", "misfit"), [
    ({"after": "2026-06-15"}, "the upper end, 2.0, is of 2026-06-01"),
    ({"until": "2026-06-01"}, "the upper end, 2.0, is of 2026-06-01"),
    ({"after": "2026-05-15"}, "what lies in between, 1.1, is of 2026-05-10"),
    ({"after": "2025-12-01"}, "1.0 of the baseline is of 2026-01-01"),
])
def test_a_lock_of_another_window_is_refused_with_the_cure(
    locked: Path, context: Context, moved: dict[str, str], misfit: str
) -> None:
    other = replace(context, **moved)
    cure = "remove it to lock anew, or give the configuration the lock's window"
    with pytest.raises(UserError, match=rf"does not fit the window from .* \(demo: {misfit}\): {cure}"):
        list(LockStage(MineConfig(), locked).run(SOURCES[:1], other))
    decisions = [one for one in read_lock(locked) if isinstance(one, LockedSource)]
    write_lock(locked, decisions, (), (context.after, context.until))
    days = f"from {context.after} to {context.until}, not from {other.after} to {other.until}"
    with pytest.raises(UserError, match=f"was made for the window {days}: {cure}"):
        list(LockStage(MineConfig(), locked).run(SOURCES[:1], other))
    assert list(LockStage(MineConfig(), locked).run(SOURCES[:1], context)) == decisions


def test_a_lock_from_before_windows_were_told_is_read(locked: Path, context: Context) -> None:
    kept = json.loads(locked.read_text())
    del kept["sources"][0]["between"]
    locked.write_text(json.dumps(kept))
    [found, _] = LockStage(MineConfig(), locked).run(SOURCES, context)
    assert isinstance(found, LockedSource) and found.between == () and window_of(locked) is None


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


def test_what_will_be_read_of_a_new_project_is_downloaded_where_several_can_wait_at_once(
    locked: Path, server: Server, context: Context, tmp_path: Path
) -> None:
    other = replace(context, cache=tmp_path / "other")
    before = Counter(server.asked)
    [first, _] = LockStage(MineConfig(), locked).run(SOURCES, other)
    names = {f"demo-{version}.tar.gz" for version in ("1.0", "2.0")}
    assert {name for name, times in (Counter(server.asked) - before).items() if name.endswith(".gz")} == names
    mined = list(MineStage().run([first], other))
    shutil.rmtree(other.cache / "archives")
    before = Counter(server.asked)
    assert list(LockStage(MineConfig(), locked).run(SOURCES, other)) == read_lock(locked)
    assert Counter(server.asked) == before  # the index holds what they define
    assert list(MineStage().run([first], other)) == mined
    assert set(Counter(server.asked) - before) <= {"demo-2.0.tar.gz", "demo"}
