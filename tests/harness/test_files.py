"""Files that users name: what comes through a pipe is read, and nobody waits for what never comes or never ends."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.answers.samples import read_samples
from harness.files import chunks, lines
from harness.releases.dataset import Release
from tests.harness.test_results import MIXED, written

HARNESS = f"{sys.executable} -m harness"


def shell(command: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(["bash", "-c", command], capture_output=True, text=True, timeout=60)


@pytest.fixture
def answers(made: Release, tmp_path: Path) -> Path:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(json.dumps({"task_id": t.task_id, "solution": t.reference}) + "\n" for t in made.tasks))
    return path


@given(st.binary(), st.lists(st.integers(0, 10)))
def test_lines_are_the_same_however_they_are_cut(data: bytes, sizes: list[int]) -> None:
    places = [0, *sizes, len(data)]
    parts = [data[sum(places[:n]) : sum(places[: n + 1])] for n in range(1, len(places))]
    found = list(lines(parts, 100))
    assert b"".join(found) == b"".join(parts)
    assert all(line.endswith(b"\n") and line.count(b"\n") == 1 for line in found[:-1])


def test_a_line_that_is_too_long_is_refused() -> None:
    assert len(list(lines([b"x" * 10, b"\n"], 10))) == 1
    with pytest.raises(OSError, match="line 2 has more than"):
        list(lines([b"\n", b"x" * 6, b"x" * 6], 10))


WAYS = {
    "a substitution": "{evaluate} --samples <(cat {answers})",
    "a slow substitution": "{evaluate} --samples <(sleep 1; head -2 {answers}; sleep 1; tail -3 {answers})",
    "standard input": "cat {answers} | {evaluate} --samples /dev/stdin",
    "a file as standard input": "{evaluate} --samples /dev/stdin < {answers}",
    "a named pipe": "mkfifo {place}/pipe; cat {answers} > {place}/pipe & {evaluate} --samples {place}/pipe",
    "a named pipe whose writer comes late": "mkfifo {place}/pipe; (sleep 2; cat {answers} > {place}/pipe) & {evaluate} --samples {place}/pipe",
}


@pytest.mark.parametrize("way", WAYS.values(), ids=WAYS.keys())
def test_answers_may_come_through_a_pipe(way: str, answers: Path, release_folder: Path) -> None:
    output = answers.with_name("kept.jsonl")
    command = f"{HARNESS} evaluate {release_folder} --json --output {output}"
    done = shell(way.format(evaluate=command, answers=answers, place=answers.parent))
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["score"]["pass_at"]["1"] == 1.0
    assert output.read_text().count("\n") == 6


def test_results_of_a_pipe_of_the_shell_are_kept_nowhere_unless_a_file_is_named(answers: Path, release_folder: Path) -> None:
    done = shell(f"{HARNESS} evaluate {release_folder} --json --samples <(cat {answers})")
    assert done.returncode == 0, done.stderr
    assert "Note: The results are not kept; name a file for them by --output.\n" in done.stderr


NEVER = {
    "/dev/zero": ("true", "/dev/zero", "it is a device"),
    "/dev/random by a link": ("ln -s /dev/random {place}/f", "{place}/f", "it is a device"),
    "a terminal": ("true", "/dev/ptmx", "it is a device"),
    "a folder": ("true", "{place}", "it is a folder"),
    "a loop of links": ("ln -s {place}/f {place}/f", "{place}/f", "Too many levels of symbolic links"),
    "a name that is too long": ("true", "/" + "x" * 300, "File name too long"),
}
COMMANDS = {
    "--samples": "evaluate {release} --samples {file}", "compare": "compare {file} {file}", "--lock": "runtime --lock {file}",
}


@pytest.mark.parametrize("command", COMMANDS.values(), ids=COMMANDS.keys())
@pytest.mark.parametrize(("prepare", "file", "why"), NEVER.values(), ids=NEVER.keys())
def test_what_is_no_file_is_refused_in_a_sentence(
    prepare: str, file: str, why: str, command: str, release_folder: Path, tmp_path: Path,
) -> None:
    file = file.format(place=tmp_path)
    subprocess.run(["bash", "-c", prepare.format(place=tmp_path)], check=True)
    refused(shell(f"{HARNESS} {command.format(release=release_folder, file=file)}"), f"{file} can't be read ({why}); give ")


def refused(done: subprocess.CompletedProcess[str], why: str) -> None:
    assert (done.returncode, done.stdout) == (2, "")
    assert why in done.stderr and done.stderr.startswith("Error: ") and done.stderr.count("\n") == 1


def test_nobody_waits_long_for_a_pipe_that_nobody_writes_to(release_folder: Path, tmp_path: Path) -> None:
    copy, file = tmp_path / "copy", tmp_path / "f"
    subprocess.run(["cp", "-r", release_folder, copy], check=True)
    (copy / "README.md").unlink()
    for pipe in (copy / "README.md", file):
        os.mkfifo(pipe)
    named = [command.format(release=release_folder, file=file) for command in COMMANDS.values()]
    with ThreadPoolExecutor() as pool:
        *others, last = pool.map(lambda command: shell(f"{HARNESS} {command}"), [*named, f"prompts {copy}"])
    for done in others:
        refused(done, f"{file} can't be read (it is a pipe that nobody writes to); give ")
    refused(last, "README.md can't be read (it is a pipe that nobody writes to)")


def test_results_and_locks_may_come_through_pipes(release_folder: Path, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", MIXED)
    assert shell(f"{HARNESS} compare <(cat {path}) <(cat {path})").returncode == 0
    done = shell(f"{HARNESS} runtime --lock <(cat {release_folder}/runtime.lock)")
    assert done.stdout.startswith("The runtime (Python"), done.stderr


def test_what_never_ends_behind_a_pipe_is_refused(release_folder: Path) -> None:
    for command in (f"evaluate {release_folder} --samples", "runtime --lock"):
        done = shell(f"{HARNESS} {command} <(cat /dev/zero)")
        assert done.returncode == 2
        assert " has more than " in done.stderr and done.stderr.count("\n") == 1


def test_a_pipe_is_given_back_when_it_was_read(made: Release, answers: Path) -> None:
    before = len(os.listdir("/proc/self/fd"))
    assert len(read_samples(answers, made.tasks).answers) == 5
    assert b"".join(chunks(answers)) == answers.read_bytes()
    assert len(os.listdir("/proc/self/fd")) == before
