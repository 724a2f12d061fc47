"""Files in the forms of other benchmarks become tasks; what is no call with a value is named."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.languages import Machine
from harness.releases.dataset import load_release
from harness.values import decode
from pipeline.evolve.imported import read, tasks, written

HUMANEVAL = {
    "task_id": "Own/0", "prompt": "def double(xs):\n    \"\"\"Twice each.\"\"\"\n", "entry_point": "double",
    "canonical_solution": "    return [2 * x for x in xs]\n",
    "test": "def check(candidate):\n    assert candidate([1, 2]) == [2, 4]\n    assert candidate([]) == []\n"
            "    assert abs(candidate([1])[0] - 2) < 1e-6\n    assert candidate([3]) == [7]\n",
}
MBPP = {"task_id": 7, "text": "Write a function to add.", "code": "import math\ndef add(a, b=1):\n    return a + b\n",
        "test_list": ["assert add(1, 2) == 3", "assert add(1, b=3) == 4", "assert not add(0, 0)"]}
CRUXEVAL = {"id": "sample_3", "code": "def f(text, n):\n    return text * n, n", "input": "'ab', 2", "output": "('abab', 2)"}
LINES = {"code": "def f(x):\n    while x:\n        pass\n    return 1\n", "entry_point": "f", "tests": ["assert f(0) == 1", "assert f(1) == 1"]}


def file_of(folder: Path, *rows: object) -> Path:
    path = folder / "rows.jsonl"
    path.write_text("".join(json.dumps(row) + "\n" for row in rows))
    return path


@pytest.mark.parametrize(("form", "row", "calls"), [
    ("humaneval", HUMANEVAL, [(([1, 2],), {}, [2, 4]), (([],), {}, [])]),
    ("mbpp", MBPP, [((1, 2), {}, 3), ((1,), {"b": 3}, 4)]), ("cruxeval", CRUXEVAL, [(("ab", 2), {}, ("abab", 2))]),
])
def test_rows_become_tasks(form: str, row: object, calls: list[object], tmp_path: Path, machine: Machine) -> None:
    made = tasks(read(file_of(tmp_path, row), form), machine)
    [task] = made.tasks
    found = [(tuple(map(decode, case.args)), {name: decode(value) for name, value in case.kwargs.items()},
              decode(case.expected.value)) for case in task.cases]
    assert found == calls and not made.failed


def test_what_is_no_call_or_not_true_is_named(tmp_path: Path, machine: Machine) -> None:
    made = tasks(read(file_of(tmp_path, HUMANEVAL), "humaneval"), machine)
    assert len(made.left_out) == 2
    assert "abs(double([1])[0] - 2)" in made.left_out[0] and "something else than its test says" in made.left_out[1]


@pytest.mark.parametrize(("code", "why"), [
    ("def f(x):\n    return\n  1", "unindent"), ("import nowhere_at_all\ndef f(x):\n    return 1\n", "does not load"),
    ("x = 1\n", "defines no function f"), ("def f(x):\n    return input()\n", "no test of it"),
    ("def f(x):\n    import os\n    os._exit(0)\n", "no test of it"),
])
def test_code_that_gives_nothing_is_no_task(code: str, why: str, tmp_path: Path, machine: Machine) -> None:
    rows = read(file_of(tmp_path, {"code": code, "entry_point": "f", "tests": "assert f(1) == 1"}), "jsonl")
    made = tasks(rows, machine)
    assert not made.tasks and why in made.failed[0]


def test_tasks_are_written_as_a_release(tmp_path: Path, machine: Machine) -> None:
    made = tasks(read(file_of(tmp_path, CRUXEVAL), "cruxeval"), machine)
    written(made.tasks, tmp_path / "own" / "release", tmp_path / "rows.jsonl")
    release = load_release(str(tmp_path / "own" / "release"))
    assert release.name == "own" and [task.entry_point for task in release.tasks] == ["f"]
    with pytest.raises(UserError, match="holds something already"):
        written(made.tasks, tmp_path / "own" / "release", tmp_path / "rows.jsonl")


@pytest.mark.parametrize(("text", "form", "sentence"), [
    ("{}", "humanevil", "no form 'humanevil'"), ("{", "mbpp", "is no JSON of rows"),
    ("{\"id\": 1}", "cruxeval", "rows without what cruxeval has"),
])
def test_bad_files_are_told_in_a_sentence(text: str, form: str, sentence: str, tmp_path: Path) -> None:
    path = tmp_path / "bad.jsonl"
    path.write_text(text)
    with pytest.raises(UserError, match=sentence):
        read(path, form)
