"""Files of results: what can't hold them is refused, a full disk loses nothing, and what contradicts itself is seen."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from harness.records import CaseResult, Failure, Verdict
from harness.releases.dataset import Release
from harness.scoring.results import LETTERS, Key, Run, read_results, without_details
from harness.scoring.results_file import ResultsFile
from harness.spectrum import spectrum

RUN = Run(
    release="made", source="build/made", revision="", manifest_sha256="a" * 64, harness="0.1.0", prompts_sha256="b" * 64,
    runtime="3.11.7", runtime_sha256="c" * 64, isolation="namespaces", answers="samples",
)
KEY = Key("task", "digest", "", 0, "code")


def verdict_on(statuses: list[str]) -> Verdict:
    cases = tuple(CaseResult(status, "" if status == "passed" else f"case {n}") for n, status in enumerate(statuses))
    failed = [n for n, status in enumerate(statuses) if status != "passed"]
    failure = Failure(failed[-1], "5") if failed else None
    return Verdict("task", "digest", spectrum(cases), len(cases) - len(failed), len(cases), "why", cases, failure)


MIXED = verdict_on(["passed", "wrong", "passed", "raised"])


def written(path: Path, *verdicts: Verdict) -> Path:
    with ResultsFile(path, RUN) as file:
        for number, verdict in enumerate(verdicts):
            file.add(KEY._replace(number=number), verdict, "f")
    return path


@given(st.lists(st.sampled_from(sorted(LETTERS)), min_size=1, max_size=30))
def test_a_verdict_comes_back_without_the_details_of_most_cases(
    tmp_path_factory: pytest.TempPathFactory, statuses: list[str],
) -> None:
    verdict = verdict_on(statuses)
    path = written(tmp_path_factory.mktemp("results") / "r.jsonl", verdict)
    assert list(read_results(path).verdicts.values()) == [without_details(verdict)]


def evaluate(release: Path, output: str | Path, *more: str, before: Callable[[], None] | None = None) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "harness", "evaluate", str(release), "--stub", "--output", str(output), *more]
    return subprocess.run(command, capture_output=True, text=True, timeout=120, preexec_fn=before)


def a_loop(place: Path) -> Path:
    (place / "loop").symlink_to(place / "loop")
    return place / "loop"


def a_pipe(place: Path) -> Path:
    os.mkfifo(place / "pipe")
    return place / "pipe"


def a_socket(place: Path) -> Path:
    with socket.socket(socket.AF_UNIX) as one:
        one.bind(os.path.relpath(place / "socket"))
    return place / "socket"


def a_file_as_folder(place: Path) -> Path:
    (place / "file").write_text("precious")
    return place / "file" / "results.jsonl"


def a_link_to_a_device(place: Path) -> Path:
    (place / "link").symlink_to("/dev/full")
    return place / "link"


SPECIAL: dict[str, tuple[Callable[[Path], Path], str]] = {
    "/dev/full": (lambda _: Path("/dev/full"), "it is a device"),
    "/dev/zero": (lambda _: Path("/dev/zero"), "it is a device"),
    "a link to a device": (a_link_to_a_device, "it is a device"),
    "/dev/stdout": (lambda _: Path("/dev/stdout"), "it is a pipe"),
    "a pipe that nobody reads": (a_pipe, "it is a pipe"),
    "a socket": (a_socket, "it is a socket"),
    "a folder": (lambda place: place, "it is a folder"),
    "a loop of links": (a_loop, "Too many levels of symbolic links"),
    "a name that is too long": (lambda place: place / ("x" * 300), "File name too long"),
    "a path that is too long": (lambda place: place.joinpath(*50 * ["x" * 100]), "File name too long"),
    "below a file": (a_file_as_folder, "Not a directory"),
    "below /dev/null": (lambda _: Path("/dev/null/r.jsonl"), "Not a directory"),
}


@pytest.mark.parametrize(("prepare", "why"), SPECIAL.values(), ids=SPECIAL.keys())
def test_what_cannot_hold_results_is_refused_in_a_sentence(
    prepare: Callable[[Path], Path], why: str, release_folder: Path, tmp_path: Path,
) -> None:
    output = prepare(tmp_path)
    done = evaluate(release_folder, output)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == f"Error: {output} can't be written ({why}); choose another --output, /dev/null for none.\n"


def test_results_go_nowhere_where_that_is_said(release_folder: Path) -> None:
    done = evaluate(release_folder, "/dev/null", "--json")
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["taken_over"] == 0


def test_results_are_not_written_into_what_is_printed(release_folder: Path, tmp_path: Path) -> None:
    command = [sys.executable, "-m", "harness", "evaluate", str(release_folder), "--stub", "--output", str(tmp_path / "out")]
    with (tmp_path / "out").open("w") as out:
        done = subprocess.run(command, stdout=out, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert "it is where this command prints" in done.stderr


@pytest.fixture
def small_disk(tmp_path: Path) -> Iterator[Path]:
    """A disk of one page beside what is in it."""
    place = tmp_path / "disk"
    place.mkdir()
    done = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=8k", "tmpfs", str(place)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"no disk can be mounted here: {done.stderr.strip()}")
    yield place
    subprocess.run(["umount", "--lazy", str(place)], check=True)


def test_a_full_disk_ends_in_a_sentence_and_keeps_whole_lines(release_folder: Path, small_disk: Path) -> None:
    (small_disk / "else").write_bytes(b"x" * 4096)
    path = small_disk / "r.jsonl"
    samples = small_disk.parent / "a.jsonl"
    ids = [json.loads(line)["task_id"] for line in subprocess.run(
        [sys.executable, "-m", "harness", "prompts", str(release_folder)], capture_output=True, text=True, check=True,
    ).stdout.splitlines()]
    samples.write_text("".join(json.dumps({"task_id": one, "solution": f"# {n}"}) + "\n" for n in range(20) for one in ids))
    command = [sys.executable, "-m", "harness", "evaluate", str(release_folder), "--samples", str(samples), "--output", str(path), "--json"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.splitlines()[-1] == (
        f"Error: {path} can't be written (No space left on device); make room and run the command again: it goes on.")
    kept = path.read_bytes()
    assert kept.endswith(b"\n") and kept.count(b"\n") > 5
    (small_disk / "else").unlink()
    subprocess.run(["mount", "-o", "remount,size=1m", str(small_disk)], check=True)
    done = subprocess.run(command, capture_output=True, text=True)
    assert json.loads(done.stdout)["taken_over"] == kept.count(b"\n") - 1
    assert path.read_bytes().startswith(kept)
    assert len(read_results(path).verdicts) == 100


def test_a_full_disk_from_the_beginning_ends_in_a_sentence(release_folder: Path, small_disk: Path) -> None:
    (small_disk / "else").write_bytes(b"x" * 8192)
    done = evaluate(release_folder, small_disk / "r.jsonl")
    assert done.returncode == 2
    assert "No space left on device" in done.stderr and "Traceback" not in done.stderr


def test_after_a_write_that_failed_the_next_line_stands_in_its_place(small_disk: Path) -> None:
    (small_disk / "else").write_bytes(b"x" * 4096)
    path = small_disk / "r.jsonl"
    with ResultsFile(path, RUN) as file:
        with pytest.raises(UserError, match="it goes on"):
            for number in range(100):
                file.add(KEY._replace(number=number), MIXED, "f")
        kept = path.read_bytes()
        (small_disk / "else").unlink()
        file.add(KEY._replace(number=1000), MIXED, "f")
    assert path.read_bytes().startswith(kept) and kept.endswith(b"\n")
    assert [key.number for key in read_results(path).verdicts] == [*range(kept.count(b"\n") - 1), 1000]


def test_a_full_output_ends_in_a_sentence(release_folder: Path) -> None:
    with open("/dev/full", "w") as full:
        done = subprocess.run(
            [sys.executable, "-m", "harness", "prompts", str(release_folder)], stdout=full, stderr=subprocess.PIPE, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("Error: There is no room left") and done.stderr.count("\n") == 1


def edited(**changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda row: {name: value for name, value in {**row, **changes}.items() if value is not None}


def failing(name: str, **changes: Any) -> Callable[[dict[str, Any]], dict[str, Any]]:
    return lambda row: {**row, name: {**row[name], **changes}}


NO_CASES: dict[str, Any] = {"cases": "", "first_failure": None, "smallest_failure": None, "passed": 0}

EDITS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "a better outcome": edited(outcome="Perfect"),
    "a worse outcome": edited(outcome="Fail"),
    "an outcome of our own": edited(outcome="Superb"),
    "an outcome that is a number": edited(outcome=1),
    "a passed case more": edited(passed=3),
    "fewer cases": edited(total=3),
    "cases and counts that agree, and another outcome": edited(cases="ppp", passed=3, total=3),
    "cases that failed nowhere, with a failure": edited(cases="pppp", passed=4, outcome="Perfect"),
    "an unknown letter": edited(cases="pwpx"),
    "cases that are a list": edited(cases=["p", "w", "p", "r"]),
    "perfect without a case": edited(**NO_CASES, outcome="Perfect", total=4),
    "wrong without a case": edited(**NO_CASES, outcome="LogicErr", total=4),
    "passed without a case": edited(**{**NO_CASES, "passed": 2}, outcome="RuntimeErr", total=4),
    "of no cases": edited(**NO_CASES, outcome="RuntimeErr", total=0),
    "a failure without a case": edited(cases="", passed=0, outcome="RuntimeErr"),
    "a negative sample": edited(sample=-1),
    "a sample that is no whole number": edited(sample=0.5),
    "a sample that is a text": edited(sample="0"),
    "a sample that is true": edited(sample=True),
    "a count that is no number": edited(passed=float("nan")),
    "an infinite count": edited(total=float("inf")),
    "a negative count": edited(passed=-2),
    "an id that is a list": edited(task_id=[]),
    "an id that is gone": edited(task_id=None),
    "a function that is a number": edited(entry_point=3),
    "a detail that is a number": edited(detail=3),
    "a first failure elsewhere": failing("first_failure", case=3),
    "a first failure that passed": failing("first_failure", case=0),
    "a failure behind the last case": failing("smallest_failure", case=4),
    "a failure before the first case": failing("smallest_failure", case=-1),
    "a failure of another kind": failing("smallest_failure", status="wrong"),
    "a failure that passed": failing("first_failure", status="passed"),
    "a failure that gave a list": failing("smallest_failure", got=[]),
    "a failure that is a list": edited(first_failure=[1]),
    "a list": lambda row: [row],
}


@pytest.mark.parametrize("edit", EDITS.values(), ids=EDITS.keys())
def test_a_line_that_contradicts_itself_is_refused(edit: Callable[[dict[str, Any]], Any], tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", MIXED)
    header, line = path.read_text().splitlines()
    path.write_text(f"{header}\n{json.dumps(edit(json.loads(line)))}\n")
    before = path.read_bytes()
    for read in (lambda: read_results(path), lambda: written(path)):
        with pytest.raises(UserError, match=r"^Line 2 of .* is no result; remove it, or"):
            read()
    assert path.read_bytes() == before


JUNK = {
    "deep": b"[" * 200_000, "deep and closed": b'{"a":' * 50_000 + b"1" + b"}" * 50_000, "zeros": bytes(1000), "a number": b"9" * 100_000,
    "no text": b"\xff\xfe", "half": b'{"task_id":', "empty": b"",
}


@pytest.mark.parametrize("junk", JUNK.values(), ids=JUNK.keys())
@pytest.mark.parametrize("place", [0, 1, 2])
def test_junk_in_any_line_is_refused_in_a_sentence(junk: bytes, place: int, tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", MIXED)
    lines = path.read_bytes().split(b"\n")
    path.write_bytes(b"\n".join([*lines[:place], junk, *lines[place:]]))
    for read in (lambda: read_results(path), lambda: written(path)):
        with pytest.raises(UserError, match=r"is no result|no file of results") as refused:
            read()
        assert "\n" not in str(refused.value)


def test_a_line_without_an_end_is_refused_before_memory_is_full(tmp_path: Path) -> None:
    path = written(tmp_path / "r.jsonl", MIXED)
    with path.open("ab") as file:
        file.truncate(8 * 1024**3)  # a hole, which takes no room
    code = "import resource, sys; resource.setrlimit(resource.RLIMIT_AS, (2**31, 2**31)); sys.argv[0] = 'c'; from harness.cli import main; main()"
    done = subprocess.run([sys.executable, "-c", code, "compare", str(path), str(path)], capture_output=True, text=True, timeout=60)
    assert (done.returncode, done.stderr) == (2, f"Error: {path} can't be read (line 3 has more than 16 MB); give a file that `evaluate` wrote, or a run and its --store.\n")


def test_a_result_on_other_cases_than_those_of_the_task_is_refused(made: Release, release_folder: Path, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    assert evaluate(release_folder, path).returncode == 0
    header, first, *rest = path.read_text().splitlines()
    shortened = {
        **{name: value for name, value in json.loads(first).items() if "failure" not in name},
        "cases": "p", "passed": 1, "total": 1, "outcome": "Perfect",
    }
    path.write_text("\n".join([header, json.dumps(shortened), *rest, ""]))
    done = evaluate(release_folder, path)
    cases = len(made.task(shortened["task_id"]).cases)
    assert done.returncode == 2
    assert f"holds a result on 1 cases of task {shortened['task_id']}, of which {cases} are run" in done.stderr
