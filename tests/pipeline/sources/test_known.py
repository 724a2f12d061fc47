"""The index of known benchmarks: what goes in, and that nothing of it becomes a task."""

from __future__ import annotations

import gzip
import json
from dataclasses import replace
from pathlib import Path

import pandas as pd
import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.errors import UserError
from pipeline.config import DedupeConfig
from pipeline.languages.registry import language
from pipeline.records import Rejection
from pipeline.sources.dedupe import DedupeStage
from pipeline.sources.known import Known, known_in, read_known, write_known
from pipeline.stage import Context, key_of
from tests.pipeline.sources.test_dedupe import OTHER, TEXT, function

HEAD, BODY = TEXT[: TEXT.index("    best,")], TEXT[TEXT.index("    best,") :]
RENAMED = TEXT.replace("widest", "solve").replace("The width", "A width")


def shingles_in(text: str) -> frozenset[int]:
    reader = language("python").reading
    return frozenset(reader.shingles(reader.definitions(text)[0].tokens))


def run(*arguments: str | Path) -> str:
    result = CliRunner().invoke(cli, list(map(str, arguments)))
    assert result.exit_code == 0, result.output
    return result.output


def write_rows(path: Path, rows: list[dict[str, object]]) -> Path:
    text = "".join(json.dumps(row) + "\n" for row in rows)
    if path.suffix == ".gz":
        path.write_bytes(gzip.compress(text.encode()))
    elif path.suffix == ".parquet":
        pd.DataFrame(rows).to_parquet(path)
    elif path.suffix == ".json":
        path.write_text(json.dumps(rows))
    else:
        path.write_text(text)
    return path


@pytest.mark.parametrize("name", ["b.jsonl", "b.jsonl.gz", "b.json", "b.parquet"])
@pytest.mark.parametrize("row", [
    {"task_id": "B/0", "prompt": HEAD, "canonical_solution": BODY, "test": "def check(f):\n    assert f([]) == 0\n"},
    {"question_id": "B/0", "code": TEXT, "text": "def is no code here"},
])
def test_functions_of_usual_rows_are_found(name: str, row: dict[str, object], tmp_path: Path) -> None:
    found = known_in(write_rows(tmp_path / name, [row]), "B")
    assert {one.label: one.shingles for one in found} == {"B/0 widest": shingles_in(TEXT)}


ROWS: dict[str, tuple[dict[str, object], str]] = {
    "HumanEval": ({
        "task_id": "HumanEval/0", "prompt": f"from typing import List\n\n\n{HEAD}", "entry_point": "widest",
        "canonical_solution": BODY, "test": "def check(candidate):\n    assert candidate([]) == [0, 0, 2]\n",
    }, "HumanEval/0 widest"),
    "MBPP": ({
        "task_id": 11, "text": "Write a function to find the widest row.", "code": TEXT.replace("\n", "\r\n"),
        "test_list": ["assert widest([]) == [0, 0, 2]"], "test_setup_code": "", "challenge_test_list": [],
    }, "11 widest"),
    "EvalPlus": ({
        "task_id": "Mbpp/11", "prompt": '"""\nWrite a function to find the widest row.\n"""\n', "atol": 0,
        "canonical_solution": f"\n{TEXT}", "base_input": [[[]]], "plus_input": [], "contract": "",
        "assertion": "assert widest([]) == [0, 0, 2]",
    }, "Mbpp/11 widest"),
    "BigCodeBench": ({
        "task_id": "BigCodeBench/3", "complete_prompt": f"import numpy as np\n\n{HEAD}", "instruct_prompt": "Write it.",
        "code_prompt": f"import numpy as np\n{HEAD.splitlines()[0]}\n", "canonical_solution": BODY, "libs": "['numpy']",
        "test": "import unittest\nclass TestCases(unittest.TestCase):\n    def test_case_1(self):\n        pass\n",
    }, "BigCodeBench/3 widest"),
    "CRUXEval": ({"id": "sample_0", "code": TEXT, "input": "[[1]]", "output": "[0, 0, 2]"}, "sample_0 widest"),
    "LiveCodeBench": ({
        "question_id": "2777", "question_content": "You are given rows. def ine the widest one.", "platform": "leetcode",
        "starter_code": "class Solution:\n    def widest(self, rows: List[int]) -> int:\n        ",
        "public_test_cases": '[{"input": "[]", "output": "0", "testtype": "functional"}]',
        "code_list": ["print(1)\n", f"class Solution:\n    @staticmethod\n    {TEXT.replace(chr(10), chr(10) + '    ').rstrip()}\n"],
    }, "2777 Solution.widest"),
    "APPS": ({"problem_id": 4, "question": "Find it.", "id": 4, "solutions": json.dumps([TEXT, TEXT + "\nprint(1)\n"]),
              "input_output": '{"inputs": ["1"]}'}, "4 widest"),
    "DS-1000": ({
        "prompt": "Problem:\nI have rows.\n<code>\nrows = []\n</code>\nresult = ... # put solution here\n",
        "reference_code": f"{TEXT}\nresult = widest(rows)\n", "metadata": {"problem_id": 5, "library": "Pandas"},
        "code_context": "def generate_test_case(test_case_id):\n    def define_test_input(test_case_id):\n        return []\n"
                        "    return define_test_input(test_case_id)\n\n\ndef exec_test(result, ans):\n    return 1\n",
    }, "row 0 widest"),
}
"""A row of the form that each benchmark has; the function in it is ours."""


@pytest.mark.parametrize("suffix", [".jsonl", ".jsonl.gz", ".json", ".parquet"])
@pytest.mark.parametrize("benchmark", ROWS)
def test_rows_of_the_form_that_benchmarks_have_are_read(benchmark: str, suffix: str, tmp_path: Path) -> None:
    row, label = ROWS[benchmark]
    found = known_in(write_rows(tmp_path / f"b{suffix}", [row]), benchmark)
    wanted = shingles_in(TEXT)
    assert {label: wanted}.items() <= {one.label: one.shingles for one in found}.items()
    assert all(one.shape for one in found)
    assert {one.label for one in found} <= {label, "row 0 generate_test_case"}


def test_columns_can_be_named(tmp_path: Path) -> None:
    path = write_rows(tmp_path / "b.jsonl", [{"id": 7, "start": HEAD, "rest": BODY, "other": OTHER}])
    assert [one.label for one in known_in(path, "B", ["start", "rest"])] == ["7 widest"]
    assert [one.label for one in known_in(path, "B", ["other"])] == ["7 runs"]


def test_functions_of_a_python_file_are_found_and_short_ones_left(tmp_path: Path) -> None:
    path = tmp_path / "b.py"
    path.write_text(f"{TEXT}\n\ndef add(a, b):\n    return a + b\n\n\nclass Solution:\n    {OTHER.replace(chr(10), chr(10) + '    ')}\n")
    assert [one.label for one in known_in(path, "B")] == ["widest", "Solution.runs"]


@pytest.mark.parametrize(("name", "text", "said"), [
    ("b.jsonl", "no json", "is no JSON"), ("b.jsonl", '{"code": "x = 1"}\n', "--field"), ("b.py", "\ud800", "UTF-8"),
])
def test_what_gives_nothing_is_said_in_a_sentence(name: str, text: str, said: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(text.encode("utf-8", "surrogatepass"))
    with pytest.raises(UserError, match=said):
        known_in(path, "B")
    with pytest.raises(UserError, match="can't be read"):
        known_in(tmp_path / "none.py", "B")


def test_an_index_is_read_as_it_was_written_in_any_order(tmp_path: Path) -> None:
    known = [Known("B", "b", frozenset([2**64 - 1, 0, 7])), Known("A", "ä\n\u2028", frozenset([1]))]
    write_known(tmp_path / "one", known)
    write_known(tmp_path / "other", [*reversed(known), known[0]])
    assert (tmp_path / "one").read_bytes() == (tmp_path / "other").read_bytes()
    assert set(read_known(tmp_path / "one")) == set(known)
    (tmp_path / "one").write_text("{}\n")
    with pytest.raises(UserError, match="no index"):
        read_known(tmp_path / "one")


def test_what_a_known_benchmark_has_is_no_task(context: Context, tmp_path: Path) -> None:
    context.runtime.write_text("")
    there = replace(context, data=tmp_path)
    stage = DedupeStage(DedupeConfig())
    before = key_of(stage, there, "")
    source = write_rows(tmp_path / "Bench.jsonl", [{"task_id": "Bench/0", "code": RENAMED}])
    assert run("index", "add", source, "--index", tmp_path / "known.jsonl") == f"1 functions of Bench are in {tmp_path / 'known.jsonl'}.\n"
    assert key_of(stage, there, "") != before
    [mine, other] = stage.run([function("a", "2026-06-01"), function("a", "2026-06-01", OTHER, 20)], there)
    assert isinstance(mine, Rejection) and mine.reason == "known_benchmark"
    assert mine.evidence == "100% alike: Bench/0 solve of Bench"
    assert not isinstance(other, Rejection)
    assert run("index", "list", "--index", tmp_path / "known.jsonl").split() == ["1", "Bench"]
    assert json.loads(run("index", "list", "--json", "--index", tmp_path / "known.jsonl")) == {"Bench": 1}
    assert TEXT.splitlines()[3] not in (tmp_path / "known.jsonl").read_text()
    assert CliRunner().invoke(cli, ["index", "remove", "Other", "--index", str(tmp_path / "known.jsonl")]).exit_code == 2
    run("index", "remove", "Bench", "--index", tmp_path / "known.jsonl")
    assert not read_known(tmp_path / "known.jsonl")
