"""What is printed: no text from outside reaches a terminal raw, whatever encoding it has, and JSON stays JSON."""

from __future__ import annotations

import ast
import dataclasses
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.records import Task
from harness.releases.rows import row_digest, task_digest, write_track
from harness.telling import printable
from tests.harness.make_release import make_release, make_tasks, write_manifest
from tests.harness.test_results import MIXED, written

ROOT = Path(__file__).parents[2]
NASTY = "a\x1b[31mb\x9b2Jc\rd\x07e\x08f\x7fg\u202eh\ud800i\udcffj\nk\x00l\u2028m"
"""Colours, a cleared screen, overwriting, a bell, text turned round, halves of characters, ends of lines."""


def code2bench(*arguments: str | Path, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """The command with its raw output, which goes to a terminal as far as it can tell from the variables."""
    return subprocess.run(
        [sys.executable, "-m", "harness", *map(os.fsencode, arguments)], capture_output=True, timeout=120,
        env={**os.environ, **environment},
    )


def assert_tame(done: subprocess.CompletedProcess[bytes], code: int = 0) -> None:
    assert done.returncode == code, done.stderr
    for output in (done.stdout, done.stderr):
        text = output.decode("utf-8")
        assert b"Traceback" not in output and b"Error ignored" not in output
        assert all(c.isprintable() or c in "\n\t" for c in text), text


@given(st.text())
def test_what_is_printable_is_on_one_line_and_in_every_encoding_that_has_it(text: str) -> None:
    shown = printable(text)
    assert shown.isprintable()
    assert shown == text or not text.isprintable()
    shown.encode()


def nasty_samples(path: Path, made: Any) -> Path:
    rows = [{"task_id": t.task_id, "solution": t.reference} for t in made.tasks]
    rows += [{"task_id": NASTY, "solution": "x"}, {"task_id": made.tasks[0].task_id, "solution": NASTY}]
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


ENCODINGS = {"UTF-8": {"PYTHONIOENCODING": "utf-8"}, "ASCII": {"PYTHONIOENCODING": "ascii"}, "Latin-1": {"PYTHONIOENCODING": "latin-1:strict"}}


@pytest.mark.parametrize("environment", ENCODINGS.values(), ids=ENCODINGS.keys())
def test_ids_in_samples_are_told_escaped(made: Any, release_folder: Path, tmp_path: Path, environment: dict[str, str]) -> None:
    samples = nasty_samples(tmp_path / "a.jsonl", made)
    done = code2bench("evaluate", release_folder, "--samples", samples, "--explain", **environment)
    assert_tame(done)
    assert rb"a\x1b[31mb\x9b2Jc\rd\x07e\x08f\u007fg\u202eh\ud800i\udcffj\nk" in done.stdout
    done = code2bench("evaluate", release_folder, "--samples", samples, "--explain", "--json", **environment)
    assert_tame(done)
    assert NASTY in json.loads(done.stdout)["notes"][0]


def test_names_of_files_are_told_escaped(release_folder: Path, tmp_path: Path) -> None:
    for name in (b"\xff\x1b[31m", "\u202e\n".encode()):
        path = Path(os.fsdecode(os.fsencode(tmp_path) + b"/" + name))
        assert_tame(code2bench("evaluate", release_folder, "--samples", path), 2)
        assert_tame(code2bench("compare", path, path), 2)
        assert_tame(code2bench("runtime", "--lock", path), 2)
        assert_tame(code2bench("show", path, "x"), 2)
        assert_tame(code2bench("show", release_folder, path), 2)
        assert_tame(code2bench("evaluate", release_folder, "--sandbox", path), 2)
        written(path, MIXED)
        assert_tame(code2bench("compare", path, path))


def test_text_in_results_is_told_escaped(tmp_path: Path) -> None:
    one, other = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    rows = [json.loads(line) for line in written(one, MIXED).read_text().splitlines()]
    rows[0]["run"] |= dict.fromkeys(["release", "isolation", "runtime", "harness", "answers"], NASTY)
    rows[1] |= {"task_id": NASTY, "entry_point": NASTY}
    one.write_text("".join(json.dumps(row) + "\n" for row in rows))
    rows[0]["run"]["isolation"] = "other"
    right = {name: value for name, value in rows[1].items() if "failure" not in name}
    right |= {"cases": "pppp", "passed": 4, "outcome": "Perfect"}
    other.write_text(json.dumps(rows[0]) + "\n" + json.dumps(right) + "\n")
    assert_tame(code2bench("compare", one, other))
    done = code2bench("compare", one, other, "--json")
    assert_tame(done)
    assert json.loads(done.stdout)["better"][0]["task_id"] == NASTY


VALID = NASTY.replace("\ud800", "").replace("\udcff", "")
"""Without what Parquet can't hold."""


def nasty(task: Task) -> Task:
    cases = tuple(dataclasses.replace(case, kwargs={NASTY: NASTY}) for case in task.cases)
    task = dataclasses.replace(
        task, task_id=VALID, entry_point=VALID, domain=VALID, libraries=(VALID,), instruction=VALID,
        reference=f"{VALID!r}\n{task.reference}",
        difficulty=VALID, judged_by=VALID, cases=cases,
        provenance=dataclasses.replace(task.provenance, project=VALID, path=VALID, url=VALID, nearest=VALID, licence=VALID),
    )
    return dataclasses.replace(task, task_digest=task_digest(task.instruction, task.cases, task.comparison))


@pytest.fixture
def nasty_release(tmp_path: Path, release_folder: Path) -> Path:
    folder = make_release(tmp_path / "release", (release_folder / "runtime.lock").read_text())
    tracks = json.loads((folder / "manifest.json").read_text())["tracks"]
    own = [nasty(make_tasks("sc-python")[0])]
    write_track(own, folder / tracks["sc-python"]["file"])
    tracks["sc-python"] |= {"rows": 1, "row_digest": row_digest(own)}
    write_manifest(folder, tracks, NASTY)
    return folder


COMMANDS: dict[str, tuple[list[str], int]] = {
    "show": (["show", "{release}", "a", "--cases", "3"], 0), "show that finds nothing": (["show", "{release}", "nothing"], 2),
    "prompts": (["prompts", "{release}"], 0),
    "evaluate": (["evaluate", "{release}", "--stub", "--explain", "--by", "domain", "--by", "library", "--by", "difficulty"], 0),
    "a track that is not there": (["prompts", "{release}", "--track", "java"], 2),
}


@pytest.mark.parametrize("how", [[], ["--json"]], ids=["text", "json"])
@pytest.mark.parametrize(("command", "code"), COMMANDS.values(), ids=COMMANDS.keys())
def test_names_in_releases_are_told_escaped(command: list[str], code: int, how: list[str], nasty_release: Path) -> None:
    done = code2bench(*(part.format(release=nasty_release) for part in command), *how)
    assert_tame(done, code)
    if how and not code:
        assert json.loads(done.stdout)


@pytest.mark.parametrize("change", [
    lambda m: {**m, "name": "../../x"}, lambda m: {**m, "schema_version": NASTY}, lambda m: {**m, "tracks": {NASTY: {"file": NASTY}}},
    lambda m: {**m, "files": {NASTY: "0", **m["files"]}}, lambda m: {**m, "runtime": {**m["runtime"], "python": NASTY}},
])
def test_manifests_are_refused_escaped(change: Callable[[dict[str, Any]], Any], nasty_release: Path) -> None:
    path = nasty_release / "manifest.json"
    path.write_text(json.dumps(change(json.loads(path.read_text()))))
    done = code2bench("prompts", nasty_release)
    assert_tame(done, 2)
    assert done.stderr.count(b"\n") == 1


PRINTING = sorted(p for folder in ("harness", "pipeline") for p in (ROOT / folder).rglob("*.py"))


def test_everything_is_printed_in_one_way() -> None:
    allowed = {"telling.py", "python_driver.py", "python_server.py", "confine.py"}
    for path in PRINTING:
        calls = [node.func for node in ast.walk(ast.parse(path.read_text("utf-8"))) if isinstance(node, ast.Call)]
        names = {ast.unparse(call) for call in calls if isinstance(call, (ast.Name, ast.Attribute))}
        assert path.name in allowed or not names & {"click.echo", "click.secho", "print", "echo"}, path
