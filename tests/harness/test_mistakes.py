"""Twenty mistakes that evaluators make: each ends in one sentence that names what is wrong, and tells the cure.

`{name}` in the arguments is a release (`made`), or one of the files and folders of `things`.
"""

from __future__ import annotations

import gzip
import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.records import Task
from harness.releases.dataset import Release
from tests.harness.test_paired import ones, written
from tests.mistakes import is_told

JUDGE = "evaluate {made} --samples {things}"

MISTAKES: dict[str, tuple[str, list[str]]] = {
    "a release is misspelt": ("show dmeo x", ["no release 'dmeo' here (did you mean 'demo'?)", "`code2bench releases` lists"]),
    "a file stands for its folder": ("prompts {made}/manifest.json", ["manifest.json is no folder; give the folder of a release, for example {made}."]),
    "a folder is two too high": ("prompts {made}/../..", ["holds no manifest.json; give the folder of a release, for example {made}/../../made/release."]),
    "a task is misspelt": ("show {made} clmap", ["has no task 'clmap' (did you mean 'clamp'?); `code2bench prompts {made}` lists the ids"]),
    "a command is misspelt": ("evalute {made}", ["No such command 'evalute' (did you mean 'evaluate'?): `code2bench --help`"]),
    "answers without their option": ("evaluate {made} {things}/good.jsonl", ["unexpected extra argument ({things}/good.jsonl): `code2bench evaluate --help`"]),
    "fewer workers than none": (f"{JUDGE}/good.jsonl --workers -3", ["'--workers': -3 is not in the range x>=0: `code2bench evaluate --help`"]),
    "a model that nobody knows": (f"{JUDGE}/good.jsonl --younger-than gpt5", ["cutoff of 'gpt5' is not known (did you mean 'gpt-5'?): give its day as a date"]),
    "answers that are no file": (f"{JUDGE}", ["{things} can't be read (it is a folder); give a file of answers as JSON lines"]),
    "no answers yet": (f"{JUDGE}/empty.jsonl", ["empty.jsonl is empty; each line should be an object with the texts `task_id` and `solution`"]),
    "an array in place of lines": (f"{JUDGE}/array.json", ["array.json is one piece of JSON: write each answer on a line of its own", "jq -c '.[]'"]),
    "a packed file": (f"{JUDGE}/packed.jsonl", ["packed.jsonl is no text in UTF-8: unpack it"]),
    "a line that is cut": (f"{JUDGE}/cut.jsonl", ["cut.jsonl can't be judged as it is (line 7: no JSON, ", "mend or remove the lines"]),
    "answers under another key": (f"{JUDGE}/keys.jsonl", ["keys.jsonl", "line 1: no text under 'solution' or 'completion'", "an object with the texts `task_id` and `solution`"]),
    "answers to another benchmark": (f"{JUDGE}/other.jsonl", ["other.jsonl answers none of the release's 5 tasks (it answers 'HumanEval/0'): name the release that it is for"]),
    "results in place of answers": (f"{JUDGE}/old.results.jsonl", ["old.results.jsonl is a file of results: give the answers that were judged"]),
    "questions in place of answers": (f"{JUDGE}/prompts.jsonl", ["prompts.jsonl holds the prompts, and no answers to them; put what a model says under `solution`"]),
    "an output that is something else": (f"{JUDGE}/good.jsonl --output {{things}}/prompts.jsonl", ["prompts.jsonl is there and is no file of results; choose another --output"]),
    "an export into the midst of things": ("export {made} {things}", ["{things} is there already, and not empty: name another folder"]),
    "results of two releases": ("compare {things}/a.results.jsonl {things}/old.results.jsonl", ["on different releases", "{things}/old.results.jsonl on old (manifest", "judge both on the same one"]),
}  # fmt: skip


def _lines(*rows: object) -> bytes:
    return "".join(json.dumps(row) + "\n" for row in rows).encode()


def _files(task: Task, prompts: str) -> dict[str, bytes]:
    answer = {"task_id": task.task_id, "solution": task.reference}
    good = _lines(answer)
    return {
        "good.jsonl": good, "empty.jsonl": b"\n", "array.json": json.dumps([answer], indent=1).encode(),
        "packed.jsonl": gzip.compress(good), "cut.jsonl": good * 6 + good[:-9] + b"\n" + good,
        "keys.jsonl": _lines({"task_id": task.task_id, "code": task.reference}),
        "other.jsonl": _lines({"task_id": "HumanEval/0", "completion": "    pass"}), "prompts.jsonl": prompts.encode(),
    }


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory, made: Release, release_folder: Path) -> Path:
    """A folder with files of answers and results that people might give."""
    folder = tmp_path_factory.mktemp("things")
    prompts = CliRunner().invoke(cli, ["prompts", str(release_folder)]).stdout
    for name, data in _files(made.tasks[0], prompts).items():
        (folder / name).write_bytes(data)
    written(folder / "a.results.jsonl", ones("1"))
    written(folder / "old.results.jsonl", ones("1"), release="old", manifest_sha256="0" * 64)
    return folder


def test_there_are_twenty() -> None:
    assert len(MISTAKES) == 20


@pytest.mark.parametrize(("arguments", "parts"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_of_an_evaluator_ends_in_one_sentence(
    arguments: str, parts: list[str], release_folder: Path, things: Path,
) -> None:
    places = {"made": release_folder, "things": things}
    before = {path: path.read_bytes() for path in things.iterdir()}
    is_told(arguments, parts, places)
    assert {path: path.read_bytes() for path in things.iterdir()} == before
