"""Typical mistakes of evaluators, twenty and more: each ends in one sentence that names what is wrong, and tells the cure.

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
    "a command is misspelt": ("docter {made}", ["No such command 'docter' (did you mean 'doctor'?): `code2bench --help`"]),
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
    "results of another harness": (f"{JUDGE}/eval_results.json", ["eval_results.json is a file of results of EvalPlus or BigCodeBench", "take them out of it by `jq -c '.eval[][] |"]),
    "a dictionary of answers": (f"{JUDGE}/dictionary.json", ["dictionary.json is a dictionary of answers by task", "as `jq -c 'to_entries[] | "]),
    "lm-eval's folder in place of a log": (f"{JUDGE}/output", ["output is a folder that lm-eval has written: give its log of answers {things}/output/model/samples_code2bench_sc_python_2026.jsonl"]),
    "results in place of answers": (f"{JUDGE}/old.results.jsonl", ["old.results.jsonl is a file of results: give the answers that were judged"]),
    "questions in place of answers": (f"{JUDGE}/prompts.jsonl", ["prompts.jsonl holds the prompts, and no answers to them; put what a model says under `solution`"]),
    "an output that is something else": (f"{JUDGE}/good.jsonl --output {{things}}/prompts.jsonl", ["prompts.jsonl is there and is no file of results; choose another --output"]),
    "an export into the midst of things": ("export {made} {things}", ["{things} is there already, and not empty: name another folder"]),
    "two things to judge": (f"{JUDGE}/good.jsonl --reference", ["give one of --samples FILE, --reference and --stub"]),
    "an option without its value": ("evaluate {made} --samples", ["Option '--samples' requires an argument: `code2bench evaluate --help`"]),
    "a sandbox of another name": ("evaluate {made} --stub --sandbox docker", ["'docker' is not one of 'bubblewrap', 'container': `code2bench evaluate --help`"]),
    "a track is misspelt": ("evaluate {made} --stub --track sc-pyhton", ["Release made has no track 'sc-pyhton', only sc-python, wsc-python"]),
    "a setting without its value": (f"{JUDGE}/good.jsonl --model m --sampling temperature", ["--sampling takes NAME=VALUE such as temperature=0.8, not 'temperature'"]),
    "a model without its answers": ("evaluate {made} --reference --model m", ["say whose --samples these are; leave them out"]),
    "a name without its organisation": ("pull demo", ["'demo' is no name on the Hub: give ORG/NAME"]),
    "a store that nothing was put into": ("runs --store {things}/none", ["There is no store {things}/none: name the folder that `evaluate --store` has filled"]),
    "answers in place of results": ("compare {things}/good.jsonl {things}/good.jsonl", ["good.jsonl is no file of results; give one that `evaluate` wrote"]),
    "answers in place of a lock": ("runtime --lock {things}/good.jsonl", ["good.jsonl is no lock (line 1 pins no version of a library): give a list of NAME==VERSION"]),
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
        "eval_results.json": json.dumps({"eval": {task.task_id: [answer]}}).encode(),
        "dictionary.json": json.dumps({task.task_id: task.reference}).encode(),
        "output/model/samples_code2bench_sc_python_2026.jsonl": good,
        "other.jsonl": _lines({"task_id": "HumanEval/0", "completion": "    pass"}), "prompts.jsonl": prompts.encode(),
    }


@pytest.fixture(scope="module")
def things(tmp_path_factory: pytest.TempPathFactory, made: Release, release_folder: Path) -> Path:
    """A folder with files of answers and results that people might give."""
    folder = tmp_path_factory.mktemp("things")
    prompts = CliRunner().invoke(cli, ["prompts", str(release_folder)]).stdout
    for name, data in _files(made.tasks[0], prompts).items():
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        (folder / name).write_bytes(data)
    written(folder / "a.results.jsonl", ones("1"))
    written(folder / "old.results.jsonl", ones("1"), release="old", manifest_sha256="0" * 64)
    return folder


def test_there_are_twenty_or_more() -> None:
    assert len(MISTAKES) >= 20


@pytest.mark.parametrize(("arguments", "parts"), MISTAKES.values(), ids=MISTAKES.keys())
def test_a_mistake_of_an_evaluator_ends_in_one_sentence(
    arguments: str, parts: list[str], release_folder: Path, things: Path,
) -> None:
    places = {"made": release_folder, "things": things}
    before = _content(things)
    is_told(arguments, parts, places)
    assert _content(things) == before


def _content(folder: Path) -> dict[Path, bytes]:
    return {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}


@pytest.mark.parametrize("command", ["evaluate {made} --stub --yes", "runtime {made}"])
def test_a_cache_that_can_not_be_written_ends_in_one_sentence(
    command: str, release_folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", "/proc/x")
    is_told(command, ["The cache /proc/x can't be used (", "): set CODE2BENCH_CACHE to a folder that can be written"], {"made": release_folder})


def test_a_runtime_that_is_missing_is_made_with_consent_alone(
    release_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path))
    is_told("evaluate {made} --stub", ["The runtime is missing (Python 3.11 with ", "nobody to ask: give --yes, and it is made first"], {"made": release_folder})
    assert [path for path in tmp_path.rglob("*") if path.is_file()] == []
