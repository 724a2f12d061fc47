"""A bar for people at a terminal, a few lines in a file."""

from __future__ import annotations

import os
import pty
import subprocess
import sys
import termios
from contextlib import suppress

import pytest

from pipeline import progress
from pipeline.progress import Progress

SCRIPT = """
from pipeline.progress import Progress
with Progress("mine", 2000) as bar:
    bar.skip(500)
    for _ in range(1500):
        bar.advance(1)
"""


def test_a_file_gets_a_line_and_no_bar() -> None:
    run = subprocess.run([sys.executable, "-c", SCRIPT], capture_output=True, text=True, check=True)
    assert run.stderr.splitlines() == ["mine      2,000 of 2,000 rec in 0 s"]


def test_a_terminal_gets_a_bar() -> None:
    master, slave = pty.openpty()
    termios.tcsetwinsize(slave, (24, 100))
    subprocess.run([sys.executable, "-c", SCRIPT], stderr=slave, check=True)
    os.close(slave)
    shown = b""
    with suppress(OSError):  # that is how a terminal ends whose other side is closed
        while part := os.read(master, 1 << 16):
            shown += part
    os.close(master)
    assert b"mine     : 100%" in shown and shown.count(b"\r") > 1


def test_long_work_tells_of_each_tenth(capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(progress, "SECONDS", 0.0)
    with Progress("suite", 1000) as bar:
        for _ in range(1000):
            bar.advance(1)
    lines = capfd.readouterr().err.splitlines()
    assert [line.split()[1] for line in lines] == ["100", "200", "300", "400", "500", "600", "700", "800", "900", "1,000"]


def test_work_that_ends_early_says_how_far_it_came(capfd: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(KeyError), Progress("suite", 7) as bar:
        bar.advance(3)
        raise KeyError
    assert capfd.readouterr().err.startswith("suite     3 of 7 rec")
    with Progress("empty", 0):
        pass
    assert capfd.readouterr().err == ""
