"""The runtime of a release: made once, found again, remade where it is broken."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.languages.python import VERSION
from harness.runtime import ensure_runtime, find_runtime


@pytest.fixture
def lock(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A lock without libraries, in a cache of its own."""
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    path = tmp_path / "runtime.lock"
    path.write_text("# no libraries\n")
    return path


def test_a_missing_runtime_names_the_command_that_makes_it(lock: Path) -> None:
    with pytest.raises(UserError, match=r"code2bench runtime --lock .*runtime.lock`"):
        find_runtime(lock)


def test_it_is_made_once_and_found_again(lock: Path) -> None:
    made = ensure_runtime(lock)
    stamp = made.prefix.stat().st_mtime_ns
    assert ensure_runtime(lock) == find_runtime(lock) == made
    assert made.prefix.stat().st_mtime_ns == stamp
    assert made.version.startswith(VERSION) and made.prefix.name == f"py311-{made.lock_sha256[:12]}"
    assert [path.name for path in made.prefix.parent.iterdir()] == [made.prefix.name]


def test_it_holds_nothing_but_what_is_locked(lock: Path) -> None:
    code = "import importlib.util as u; print([n for n in ('numpy', 'harness', 'datasets', 'lm_eval') if u.find_spec(n)])"
    done = subprocess.run([ensure_runtime(lock).python, "-I", "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


def test_another_lock_is_another_runtime(lock: Path) -> None:
    first = ensure_runtime(lock)
    lock.write_text("# no libraries either\n")
    assert ensure_runtime(lock).prefix != first.prefix


@pytest.mark.parametrize("damage", ["half", "gone"])
def test_a_broken_one_is_made_again(damage: str, lock: Path) -> None:
    made = ensure_runtime(lock)
    marker = made.prefix / "code2bench-runtime.json"
    if damage == "half":
        marker.unlink()
    else:
        marker.write_text(json.dumps({**json.loads(marker.read_text()), "executable": "/nowhere/python"}))
    assert ensure_runtime(lock) == made


def test_two_that_make_it_at_once_do_not_disturb_each_other(lock: Path) -> None:
    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(ensure_runtime, [lock, lock])
    assert first == second


def test_what_was_begun_long_ago_is_removed_before_another_is_made(lock: Path) -> None:
    place = lock.parent / "cache" / "runtimes"
    for name in (".py311-old.x", ".py311-new.x"):
        (place / name / "venv").mkdir(parents=True)
    os.utime(place / ".py311-old.x", (0, 0))
    made = ensure_runtime(lock)
    assert sorted(path.name for path in place.iterdir()) == [".py311-new.x", made.prefix.name]


def test_a_lock_that_can_not_be_installed_leaves_nothing(lock: Path) -> None:
    lock.write_text("numpy==2.0.0\n")
    with pytest.raises(UserError, match="Could not install the locked libraries"):
        ensure_runtime(lock)
    assert not list((lock.parent / "cache" / "runtimes").iterdir())


def test_a_lock_that_is_not_there_is_said(lock: Path) -> None:
    shutil.move(lock, lock.with_name("elsewhere"))
    with pytest.raises(UserError, match="can't be read"):
        find_runtime(lock)
