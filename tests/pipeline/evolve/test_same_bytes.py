"""An evolved release is the same whatever workers make it, and wherever it was stopped on the way."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.pipeline.evolve.small import FEW, evolved
from tests.pipeline.vary.commands import bytes_of

TWO = ("--task", "merge")
"""One more task, so that there are two pieces of work."""


def started(origin: Path, folder: Path) -> subprocess.Popen[str]:
    options = map(str, (*FEW, *TWO, "--workers", 1))
    command = [sys.executable, "-m", "harness", "evolve", "release", str(origin), "--out", str(folder), *options]
    return subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True)


def pieces(folder: Path) -> list[Path]:
    return sorted((folder / "stages" / "evolve").glob("*.kept.parquet"))


def stopped(origin: Path, folder: Path) -> None:
    """Kill a run as soon as its first piece of work is done."""
    process = started(origin, folder)
    deadline = time.monotonic() + 240
    while not pieces(folder):
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < deadline
        time.sleep(0.01)
    os.kill(process.pid, signal.SIGKILL)
    process.communicate()
    assert process.returncode == -signal.SIGKILL and not (folder / "release").exists()


@pytest.mark.slow  # two tasks are evolved twice, and once more in processes of their own
def test_workers_and_a_kill_change_no_byte(origin: Path, tmp_path: Path) -> None:
    one = evolved(origin, tmp_path / "one", *TWO)
    two = evolved(origin, tmp_path / "two", *TWO, "--workers", 2)
    stopped(origin, tmp_path / "killed")
    [first] = pieces(tmp_path / "killed")
    made = first.stat().st_mtime_ns
    again = evolved(origin, tmp_path / "killed", *TWO)
    assert bytes_of(one) == bytes_of(two) == bytes_of(again)
    assert len(pieces(tmp_path / "killed")) == 2 and first.stat().st_mtime_ns == made
