"""Limits of the shell: answers are run below them where they can be; else a sentence names the limit and the cure."""

from __future__ import annotations

import errno
import json
import os
import resource
import shutil
import subprocess
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from harness.sandbox.contract import Limits, bounds_of, lowered_of
from harness.ulimits import lowered, told, within

ENOUGH = {
    "what it needs": ("--as=1500000000", "--nofile=300", "--nproc=100", "--fsize=1000000", "--cpu=60"),
    "the sandbox's own CPU": ("--cpu=5",),
}
TOO_LITTLE = {
    "memory": ("--as=300000000", "`ulimit -v` is 292968 here"), "open files": ("--nofile=64", "`ulimit -n` is 64 here"),
    "hardly a file": ("--nofile=12", "`ulimit -n` is 12 here"), "files": ("--fsize=0", "raise `ulimit -f`"),
}
FOR_USERS = {"processes": ("--nproc=4", "`ulimit -u` is 4"), "a process": ("--nproc=1", "`ulimit -u` is 1"), "memory": ("--as=300000000", "`ulimit -v` is 292968 here")}


def evaluate(release: Path, limits: Sequence[str], output: Path, *user: str) -> subprocess.CompletedProcess[str]:
    command = [*user, "prlimit", *limits, sys.executable, "-m", "harness", "evaluate", str(release), "--reference", "--json", "--workers", "2", "--output", str(output)]
    return subprocess.run(command, capture_output=True, text=True, timeout=240)


def assert_right(done: subprocess.CompletedProcess[str]) -> None:
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["score"]["pass_at"]["1"] == 1.0


def assert_told(done: subprocess.CompletedProcess[str], sentence: str) -> None:
    assert done.returncode == 2, done.stderr
    assert "Traceback" not in done.stderr and "namespaces" not in done.stderr.replace("new namespace", "")
    last = done.stderr.splitlines()[-1]
    assert last.startswith("Error: ") and sentence in last and "raise" in last


@pytest.mark.parametrize("limits", ENOUGH.values(), ids=ENOUGH.keys())
def test_answers_are_run_below_limits(limits: tuple[str, ...], release_folder: Path, tmp_path: Path) -> None:
    assert_right(evaluate(release_folder, limits, tmp_path / "r.jsonl"))


@pytest.mark.parametrize(("limit", "sentence"), TOO_LITTLE.values(), ids=TOO_LITTLE.keys())
def test_a_limit_that_is_too_low_is_named(limit: str, sentence: str, release_folder: Path, tmp_path: Path) -> None:
    assert_told(evaluate(release_folder, [limit], tmp_path / "r.jsonl"), sentence)


USER = ("setpriv", "--reuid=1234", "--regid=1234", "--clear-groups")


@pytest.fixture
def open_folder(release_folder: Path) -> Iterator[Path]:
    """A folder with the release in which every user may write."""
    if os.geteuid() != 0 or shutil.which("setpriv") is None:
        pytest.skip("only root becomes another user, by setpriv")
    if subprocess.run([*USER, "env", sys.executable, "-c", "import harness"], capture_output=True, cwd="/").returncode:
        pytest.skip("other users can't read this installation")
    with TemporaryDirectory() as place:
        os.chmod(place, 0o777)
        shutil.copytree(release_folder, Path(place) / "release")
        yield Path(place)


def test_answers_of_other_users_are_run_below_limits(open_folder: Path) -> None:
    limits = ("--nproc=100", "--as=1500000000", "--cpu=60")
    assert_right(evaluate(open_folder / "release", limits, open_folder / "r.jsonl", *USER))


@pytest.mark.parametrize(("limit", "sentence"), FOR_USERS.values(), ids=FOR_USERS.keys())
def test_a_limit_that_is_too_low_for_other_users_is_named(limit: str, sentence: str, open_folder: Path) -> None:
    assert_told(evaluate(open_folder / "release", [limit], open_folder / "r.jsonl", *USER), sentence)


def test_a_command_whose_cpu_time_is_over_ends_in_a_sentence_and_keeps_results(release_folder: Path) -> None:
    code = "from harness import ulimits, cli\nimport click\n@cli.cli.command()\ndef busy():\n    while True: pass\ncli.main()"
    done = subprocess.run(["prlimit", "--cpu=3", sys.executable, "-c", code, "busy"], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    assert done.stderr == (
        "Error: The CPU time of this command is over: `ulimit -t` is 3; raise it and run the same command again, results are kept.\n")


def below(limits: dict[int, int], code: str) -> str:
    def lower() -> None:
        for name, most in limits.items():
            resource.setrlimit(name, (most, most))

    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True, preexec_fn=lower).stdout


def test_bounds_are_the_smaller_of_ours_and_the_machines() -> None:
    code = "from harness.sandbox.contract import *; print(bounds_of(Limits()), lowered_of(Limits()))"
    found = below({resource.RLIMIT_NOFILE: 100, resource.RLIMIT_CPU: 5}, code)
    assert "'NOFILE': 100" in found and "'CPU': 5" in found and "'NPROC': 64" in found
    assert "`ulimit -t` is 5 here, raise it to 11 or more" in found and "`ulimit -n` is 100 here, raise it to 256 or more" in found


def test_without_lower_limits_nothing_is_lowered() -> None:
    limits = Limits(cpu_seconds=1, memory_bytes=1024, file_bytes=10, processes=1)
    assert bounds_of(limits) == {"NPROC": 1, "AS": 1024, "FSIZE": 10, "NOFILE": 256, "CORE": 0, "CPU": 2}
    assert lowered_of(limits) == lowered({"FSIZE": 1}) == ""
    assert within({"CORE": 0}) == {"CORE": 0}


SHORT = {
    "files": (OSError(errno.EMFILE, "Too many open files"), "`ulimit -n`"), "processes": (BlockingIOError(errno.EAGAIN, "x"), "`ulimit -u`"),
    "memory": (MemoryError(), "`ulimit -v`"), "threads": (RuntimeError("can't start new thread"), "`ulimit -u`"),
    "a library's error": (ValueError("worker thread: Resource temporarily unavailable"), "`ulimit -u`"),
    "a file that is too large": (OSError(errno.EFBIG, "File too large"), "`ulimit -f`"),
    "a disk": (OSError(errno.ENOSPC, "No space left on device"), "make room"), "a share of it": (OSError(errno.EDQUOT, "x"), "make room"),
    "our own fault": (KeyError("x"), ""), "another": (PermissionError(errno.EACCES, "x"), ""), "recursion": (RecursionError("x"), ""),
}


@pytest.mark.parametrize(("error", "cure"), SHORT.values(), ids=SHORT.keys())
def test_what_ran_short_is_told_with_its_cure(error: Exception, cure: str) -> None:
    assert cure in told(error)
    assert bool(told(error)) == bool(cure)
