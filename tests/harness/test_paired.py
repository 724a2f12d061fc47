"""Two files of results: pairs of tasks, the difference with its interval and p-value, and what can't be compared."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.analysis.paired import compare
from harness.cli import cli
from harness.errors import UserError
from harness.records import CaseResult, Spectrum, Verdict
from harness.releases.dataset import Release
from harness.report import comparison
from harness.scoring.evaluate import Options, evaluate, references, stubs
from harness.scoring.metrics import Interval, bootstrap, mcnemar, sign_flip, wilson
from harness.scoring.results import Key, Run
from harness.scoring.results_file import ResultsFile

RUN = Run(
    release="made", source="build/made", revision="", manifest_sha256="a" * 64, harness="0.1.0", prompts_sha256="b" * 64,
    runtime="3.11.7", runtime_sha256="c" * 64, isolation="namespaces", answers="samples",
)


def written(path: Path, rights: Mapping[str, Sequence[bool]], digests: Mapping[str, str] | None = None, **run: str) -> Path:
    """A file of results with the given answers to each task, right or wrong."""
    with ResultsFile(path, replace(RUN, **run)) as file:
        for task, answers in rights.items():
            for number, right in enumerate(answers):
                verdict = Verdict(task, "digest", Spectrum.SYNTAX_ERR, 0, 5)
                if right:
                    verdict = Verdict(task, "digest", Spectrum.PERFECT, 5, 5, cases=5 * (CaseResult("passed"),))
                file.add(Key(task, (digests or {}).get(task, "digest"), "", number, f"{number} {right}"), verdict, f"f_{task}")
    return path


def ones(text: str, first: int = 0) -> dict[str, list[bool]]:
    """Tasks with one answer each: `1` is a right one."""
    return {f"t{number:03}": [letter == "1"] for number, letter in enumerate(text, first)}


def test_one_answer_per_task_gives_mcnemars_test(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", ones("1111000000" * 3)), written(tmp_path / "b", ones("1110111110" * 3))
    result = compare(a, b)
    assert (result.tasks, result.first.samples, result.second.samples) == (30, 30, 30)
    assert (result.first.pass_at_1, result.second.pass_at_1) == (0.4, 0.8)
    assert result.first.wilson == wilson(12, 30)
    assert result.difference == pytest.approx(0.4)
    assert (len(result.better), len(result.worse)) == (15, 3)
    assert (result.test, result.p_value) == ("exact McNemar test", mcnemar(3, 15))
    assert result.interval == bootstrap([0, 0, 0, -1, 1, 1, 1, 1, 1, 0] * 3)
    assert result.notes == ()


def test_a_release_as_it_was_built_and_as_it_was_published_are_compared_on_what_is_the_same(tmp_path: Path) -> None:
    a = written(tmp_path / "a", ones("1110"), release="2611")
    b = written(tmp_path / "b", ones("0010"), {"t000": "another"}, release="2611.1", manifest_sha256="d" * 64)
    result = compare(a, b)
    assert (result.tasks, result.first.pass_at_1, result.second.pass_at_1) == (3, 2 / 3, 1 / 3)
    [note] = [one for one in result.notes if "manifest" in one]
    assert "A was judged on manifest aaaaaaaaaaaa, B on dddddddddddd" in note and "1 tasks are not the same" in note


def test_the_other_way_round_the_difference_turns(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", ones("1100101")), written(tmp_path / "b", ones("0111101"))
    there, back = compare(a, b), compare(b, a)
    assert there.difference == -back.difference
    assert there.p_value == back.p_value
    assert (there.better, there.worse) != (back.better, back.worse)
    assert [one.task_id for one in there.better] == [one.task_id for one in back.worse] == ["t002", "t003"]


def test_several_answers_per_task_give_flipped_signs_of_means(tmp_path: Path) -> None:
    a = written(tmp_path / "a", {"t": [True, False], "u": [False, False], "v": [True, True], "w": [True]})
    b = written(tmp_path / "b", {"t": [True, True, True], "u": [True, False], "v": [True, True], "w": [False]})
    result = compare(a, b)
    assert (result.first.samples, result.second.samples) == (7, 8)
    assert result.first.pass_at_1 == 2.5 / 4
    assert result.second.pass_at_1 == 2.5 / 4
    assert result.test.startswith("paired sign-flip permutation test")
    assert result.p_value == sign_flip([0.5, 0.5, 0.0, -1.0]) == 1.0
    assert [(one.task_id, one.first, one.second) for one in result.worse] == [("w", 1.0, 0.0)]


def test_a_file_with_itself_has_no_difference(tmp_path: Path) -> None:
    path = written(tmp_path / "a", ones("10110"))
    result = compare(path, path)
    assert (result.difference, result.interval, result.p_value) == (0.0, Interval(0.0, 0.0), 1.0)
    assert "B is better on no task" in comparison.as_text(result)


def test_only_shared_tasks_are_compared(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", ones("11110", 0)), written(tmp_path / "b", ones("0110", 3))
    result = compare(a, b)
    assert (result.tasks, result.first.pass_at_1, result.second.pass_at_1) == (2, 0.5, 0.5)
    assert result.notes == (
        f"In {a} alone, and left out: 3 of its 5 tasks.", f"In {b} alone, and left out: 2 of its 4 tasks.",
    )


def test_what_differs_in_the_runs_is_noted(tmp_path: Path) -> None:
    a = written(tmp_path / "a", ones("10"))
    b = written(tmp_path / "b", ones("10"), harness="0.2.0", isolation="none at all", answers="reference", source="elsewhere")
    assert compare(a, b).notes == (
        "The runs differ in their version of code2bench: 0.1.0 and 0.2.0.",
        "The runs differ in their isolation: namespaces and none at all.",
        "The runs differ in their kind of answers: samples and reference.",
    )


def test_of_an_answer_that_was_replaced_the_last_result_counts(tmp_path: Path) -> None:
    path = written(tmp_path / "a", ones("00"))
    written(path, ones("1"))
    result = compare(path, written(tmp_path / "b", ones("10")))
    assert result.difference == 0
    assert result.notes == (
        f"In {path} are 1 results on replaced answers; the last ones in the file count, a new --output holds no others.",
    )


def test_the_text_names_at_most_ten_tasks_each_way(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", ones("0" * 14 + "10")), written(tmp_path / "b", ones("1" * 14 + "00"))
    lines = comparison.as_text(compare(a, b)).splitlines()
    assert lines[0].split() == ["samples", "pass@1", "95%", "(Wilson)"]
    assert lines[1].split()[:4] == ["A", "a", "16", "6.2%"]
    assert lines[4].startswith("B - A: +81.2 points, 95%: +")
    assert lines[5] == f"p = {2 * 16 / 2**15:.4g} (exact McNemar test, two-sided)"
    assert lines[6].startswith("B is better on 14 tasks: f_t000 (t000), ") and lines[6].endswith(", f_t009 (t009) and 4 more")
    assert lines[7] == "A is better on 1 task: f_t014 (t014)"
    assert len(json.loads(comparison.as_json(compare(a, b)))["better"]) == 14


def run(*arguments: str | Path) -> Result:
    return CliRunner().invoke(cli, ["compare", *map(str, arguments)])


@pytest.fixture
def real(made: Release, tmp_path: Path) -> tuple[Path, Path]:
    """Results of the references, and of answers with two that do nothing."""
    a, b = tmp_path / "a.jsonl", tmp_path / "b.jsonl"
    good, bad = references(made.tasks), stubs(made.tasks)
    evaluate(made, good, Options(a), "samples")
    evaluate(made, [*good[:3], *bad[3:]], Options(b), "samples")
    return a, b


def test_the_command_compares_what_evaluate_wrote(made: Release, real: tuple[Path, Path]) -> None:
    record = json.loads(run(*real, "--json").stdout)
    assert (record["tasks"], record["difference"], record["p_value"]) == (5, pytest.approx(-0.4), 0.5)
    assert record["first"]["run"]["manifest_sha256"] == made.manifest_sha256
    assert {one["entry_point"] for one in record["worse"]} == {task.entry_point for task in made.tasks[3:]}
    assert "B - A: -40.0 points" in run(*real).stdout


def test_a_last_line_that_was_cut_short_is_left_out_and_left_there(real: tuple[Path, Path]) -> None:
    a, b = real
    a.write_bytes(a.read_bytes()[:-5])
    before = a.read_bytes()
    assert json.loads(run(a, b, "--json").stdout)["tasks"] == 4
    assert a.read_bytes() == before


REFUSED = {
    "another release": ({"manifest_sha256": "d" * 64, "release": "other"}, r"on different releases, .* on made \(manifest aaaaaaaaaaaa\) and .* on other \(manifest dddddddddddd\); judge both on the same one"),
    "another selection of cases": ({"cases": "lite"}, "of full cases and .* of lite cases; judge both with --lite, or both without"),
}


@pytest.mark.parametrize(("changes", "sentence"), REFUSED.values(), ids=REFUSED.keys())
def test_what_is_not_comparable_is_refused(tmp_path: Path, changes: dict[str, str], sentence: str) -> None:
    a, b = written(tmp_path / "a", ones("10")), written(tmp_path / "b", ones("10"), **changes)
    with pytest.raises(UserError, match=sentence):
        compare(a, b)


def test_files_without_a_common_task_are_refused(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="no task in common"):
        compare(written(tmp_path / "a", ones("1")), written(tmp_path / "b", ones("1", 5)))


@pytest.mark.parametrize(("content", "sentence"), [
    (None, "can't be read"), ("", "is no file of results"), ('{"task_id": "x", "solution": "y"}\n', "is no file of results"),
    ('{"run": {"release": "made"}}\n', "is no file of results"), ("\xff\n", "is no file of results"),
], ids=["not there", "empty", "answers", "half a run", "no text"])
def test_what_is_no_file_of_results_is_refused(tmp_path: Path, content: str | None, sentence: str) -> None:
    other = tmp_path / "other"
    if content is not None:
        other.write_bytes(content.encode("latin-1"))
    with pytest.raises(UserError, match=sentence):
        compare(written(tmp_path / "a", ones("1")), other)


def test_a_damaged_line_is_named(tmp_path: Path) -> None:
    path = written(tmp_path / "a", ones("111"))
    lines = path.read_text().splitlines()
    path.write_text("\n".join([*lines[:2], "{}", *lines[3:]]) + "\n")
    with pytest.raises(UserError, match=r"Line 3 of .* is no result; remove it, or judge the answers again"):
        compare(path, path)


def test_results_on_other_numbers_of_cases_are_refused(tmp_path: Path) -> None:
    a, b = written(tmp_path / "a", ones("110")), written(tmp_path / "b", ones("110"))
    b.write_text(b.read_text().replace('"passed":5,"total":5,"detail":"","cases":"ppppp"', '"passed":1,"total":1,"detail":"","cases":"p"', 1))
    with pytest.raises(UserError, match="hold results on 1 and 5 cases of task t000"):
        compare(a, b)
