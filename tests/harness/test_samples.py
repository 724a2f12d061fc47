"""A file of answers: each oddity is one sentence with a cure, and nothing gets lost in silence."""

from __future__ import annotations

import json
import shutil
import subprocess
from dataclasses import replace
from pathlib import Path

import pytest

from harness.answers.samples import Samples, read_samples
from harness.errors import UserError
from tests.harness.make_release import make_tasks

TASKS = make_tasks("sc-python")
A, B, C = (task.task_id for task in TASKS)


def line(task_id: str, solution: str = "def f(): pass") -> str:
    return json.dumps({"task_id": task_id, "solution": solution})


def read(tmp_path: Path, *lines: str | bytes, partial: bool = False) -> Samples:
    path = tmp_path / "answers.jsonl"
    path.write_bytes(b"\n".join(text.encode() if isinstance(text, str) else text for text in lines) + b"\n")
    return read_samples(path, TASKS, partial)


def test_a_good_file_has_no_notes(tmp_path: Path) -> None:
    found = read(tmp_path, *(line(task.task_id, task.reference) for task in TASKS))
    assert found.notes == ()
    assert [(s.task_id, s.number, s.line) for s in found.answers] == [(A, 0, 1), (B, 0, 2), (C, 0, 3)]
    assert all(f"def {task.entry_point}" in s.code for task, s in zip(TASKS, found.answers, strict=True))


def test_answers_as_peers_write_them_are_read(tmp_path: Path) -> None:
    humaneval = json.dumps({"task_id": A, "completion": TASKS[0].reference})
    evalplus = json.dumps({"task_id": B, "solution": TASKS[1].reference, "_identifier": "x"})
    logged = json.dumps({"doc_id": 2, "doc": {"task_id": C}, "target": "", "resps": [[TASKS[2].reference, "no idea"]]})
    found = read(tmp_path, humaneval, evalplus, logged)
    assert [(s.task_id, s.number, bool(s.code)) for s in found.answers] == [
        (A, 0, True), (B, 0, True), (C, 0, True), (C, 1, False)]


EVALPLUS = {"date": "2026-11-01", "hash": "0", "eval": {A: [{"task_id": A, "solution": "def f(): pass", "base_status": "pass"}]}}
LM_EVAL = {"results": {"code2bench": {"pass@1,judged": 0.5}}, "configs": {}, "n-samples": {}}
PEERS = {
    "EvalPlus's results": (EVALPLUS, r"answers\.json is a file of results of EvalPlus or BigCodeBench: .*`jq -c '\.eval\[\]\[\] \| \{task_id, solution\}'`"),
    "lm-eval's results": (LM_EVAL, r"answers\.json is lm-eval's table of results: give its logs of answers, samples_\*\.jsonl"),
    "a dictionary": ({A: "def f(): pass"}, r"is a dictionary of answers by task: .*`jq -c 'to_entries\[\] \| \{task_id: \.key, solution: \.value\}'`"),
    "a dictionary of several each": ({A: ["def f(): pass", ""]}, r"solution: \.value\[\]\}'`"),
    "another benchmark's dictionary": ({"HumanEval/0": "def f(): pass"}, "is a dictionary of answers by task"),
    "a list": ([{"task_id": A, "solution": ""}], r"is one piece of JSON: .*`jq -c '\.\[\]'` does with a list"),
}  # fmt: skip


@pytest.mark.parametrize("indent", [None, 2])
@pytest.mark.parametrize(("value", "sentence"), PEERS.values(), ids=PEERS.keys())
def test_what_peers_write_that_is_no_lines_is_named(tmp_path: Path, value: object, sentence: str, indent: int | None) -> None:
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(value, indent=indent))
    with pytest.raises(UserError, match=sentence):
        read_samples(path, TASKS)


@pytest.mark.parametrize("value", [EVALPLUS, {A: "def f(): pass"}, {A: ["def f(): pass"]}], ids=["EvalPlus", "dictionary", "several"])
def test_the_cure_for_one_piece_of_json_gives_answers(tmp_path: Path, value: object) -> None:
    if shutil.which("jq") is None:
        pytest.skip("needs jq")
    path = tmp_path / "answers.json"
    path.write_text(json.dumps(value))
    with pytest.raises(UserError) as told:
        read_samples(path, TASKS)
    program = str(told.value).partition("jq -c '")[2].partition("'")[0]
    (tmp_path / "cured.jsonl").write_bytes(subprocess.run(["jq", "-c", program, path], check=True, capture_output=True).stdout)
    assert [(one.task_id, one.code) for one in read_samples(tmp_path / "cured.jsonl", TASKS).answers] == [(A, "def f(): pass")]


def output(folder: Path, *names: str) -> Path:
    """A folder as lm-eval leaves it, with these files in that of the model."""
    (folder / "model__name").mkdir()
    for name in names:
        (folder / "model__name" / name).write_text("")
    return folder


def test_a_folder_of_lm_eval_is_named_with_its_newest_logs(tmp_path: Path) -> None:
    logs = [f"samples_code2bench_{track}_python_{day}.jsonl" for day in ("2026-11-02T10-00-00.5", "2026-11-03T10-00-00.5") for track in ("sc", "wsc")]
    folder = output(tmp_path, *logs, "results_2026-11-03T10-00-00.5.json")
    with pytest.raises(UserError, match=r"lm-eval has written: give what `cat (.*) > answers\.jsonl`") as told:
        read_samples(folder, TASKS)
    pattern = str(told.value).partition("cat ")[2].partition(" >")[0]
    assert sorted(Path(pattern).parent.glob(Path(pattern).name)) == [folder / "model__name" / name for name in logs[2:]]


def test_a_folder_of_lm_eval_with_one_log_or_none_is_named(tmp_path: Path) -> None:
    folder = output(tmp_path, "results_2026-11-03T10-00-00.5.json")
    with pytest.raises(UserError, match="without answers: run lm-eval again with --log_samples"):
        read_samples(folder, TASKS)
    log = folder / "model__name" / "samples_code2bench_sc_python_2026-11-03T10-00-00.5.jsonl"
    log.write_text("")
    with pytest.raises(UserError, match=f"give its log of answers {log}"):
        read_samples(folder, TASKS)


def test_several_samples_of_each_task_are_numbered(tmp_path: Path) -> None:
    found = read(tmp_path, *(line(i) for i in (A, B, A, C, C, B)))
    assert [(s.task_id, s.number) for s in found.answers] == [(A, 0), (B, 0), (A, 1), (C, 0), (C, 1), (B, 1)]
    assert found.notes == ()


def test_empty_lines_a_mark_and_windows_line_ends_are_no_matter(tmp_path: Path) -> None:
    assert len(read(tmp_path, b"\xef\xbb\xbf" + line(A).encode() + b"\r", "", line(B), "  ", line(C)).answers) == 3


NOTES = {
    "unknown task": ([line(A), line(B), line(C), line("c2b-none")], "1 line not judged, because the release has no such task (c2b-none in line 4); wrong release?"),
    "missing tasks": ([line(A)], f"2 tasks without an answer ({B}, {C}): counted as not passed; --partial leaves them out of the score."),
    "duplicate": ([line(A), line(B), line(C), line(B)], f"1 task with more answers than the others ({B} in lines 2, 4): each counts as a sample, and a task's score is their mean; remove duplicates that are no samples."),
    "no code": ([line(A), line(B, "I don't know."), line(C)], "1 answer without any code (line 2): counted as NoAnswer; look at what was answered."),
    "empty answer": ([line(A), line(B), line(C, "")], "1 answer without any code (line 3): counted as NoAnswer; look at what was answered."),
}


@pytest.mark.parametrize(("lines", "note"), NOTES.values(), ids=NOTES.keys())
def test_what_is_odd_is_said_in_a_sentence(tmp_path: Path, lines: list[str], note: str) -> None:
    found = read(tmp_path, *lines)
    assert found.notes == (note,)
    assert len(found.answers) == sum("none" not in text for text in lines)


def test_missing_tasks_can_be_left_out(tmp_path: Path) -> None:
    assert read(tmp_path, line(A), partial=True).notes == (f"2 tasks without an answer ({B}, {C}): left out of the score.",)


def test_many_oddities_are_counted_and_three_are_named(tmp_path: Path) -> None:
    (note,) = read(tmp_path, line(A), line(B), line(C), *(line(f"x{n}") for n in range(50))).notes
    assert note.startswith("50 lines not judged")
    assert "(x0 in line 4, x1 in line 5, x2 in line 6 and 47 more)" in note


REFUSED = {
    "broken JSON": ([line(A), '{"task_id": "x", '], "line 2: no JSON"),
    "not UTF-8": ([line(A), b'{"task_id": "\xff\xfe"}'], "line 2: not UTF-8"),
    "a list": (["[1, 2]"], "line 1: a list, not an object"),
    "no id": (['{"solution": "x"}'], "line 1: no text under 'task_id'"),
    "a solution that is a number": ([f'{{"task_id": "{A}", "solution": 3}}'], "line 1: no text under 'solution'"),
    "a solution under another name": ([f'{{"task_id": "{A}", "answer": "x"}}'], "line 1: no text under 'solution' or 'completion'"),
    "a log of other tasks": (['{"doc_id": 0, "doc": {"question": "?"}, "resps": [["x"]]}'], "line 1: a line of lm-eval's log, but of no task of ours"),
    "JSON too deep": (["[" * 100_000], "line 1: no JSON"),
    "nothing": ([""], "is empty"),
    "another release": ([line("c2b-other")], "answers none of the release's 3 tasks"),
}


@pytest.mark.parametrize(("lines", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_what_cannot_be_read_is_refused_in_a_sentence(tmp_path: Path, lines: list[str | bytes], sentence: str) -> None:
    with pytest.raises(UserError) as error:
        read(tmp_path, *lines)
    assert sentence in str(error.value)
    assert "\n" not in str(error.value)


def test_all_broken_lines_are_counted(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"line 1: .*, line 2: .*, line 3: .* and 2 more"):
        read(tmp_path, *["x"] * 5)


def test_a_file_that_is_not_there(tmp_path: Path) -> None:
    with pytest.raises(UserError, match=r"can't be read .No such file"):
        read_samples(tmp_path / "none.jsonl", TASKS)


def test_answers_that_are_not_wanted_are_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "answers.jsonl"
    path.write_text("".join(line(i) + "\n" for i in (A, B, C)))
    found = read_samples(path, TASKS[1:], left_out={A})
    assert ([s.task_id for s in found.answers], found.notes) == ([B, C], ())
    with pytest.raises(UserError, match="answers none of the 1 tasks that are scored"):
        read_samples(path, [replace(TASKS[0], task_id="c2b-other")], left_out={A, B, C})


def test_an_answer_that_never_came_is_none(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    path.write_text(json.dumps({"task_id": TASKS[0].task_id, "solution": None}) + "\n")
    found = read_samples(path, TASKS, partial=True)
    assert [one.code for one in found.answers] == [""] and "without any code" in found.notes[-1]
