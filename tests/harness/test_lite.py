"""Lite runs: only the selected cases, results kept apart, and how often lite and full say the same."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.answers.samples import Sample
from harness.errors import UserError
from harness.records import CaseResult, Spectrum, Task, Verdict
from harness.releases.dataset import Release
from harness.releases.lite import Agreement, agreement, lite
from harness.report import as_json, text
from harness.scoring.evaluate import Options, evaluate, references, stubs
from tests.harness.make_release import make_tasks

CLAMP = make_tasks("sc-python")[0]
LENIENT = "def clamp(value, low=0.0, high=1.0):\n    return max(low, min(value, high))\n"
"""Right where the range is not empty, as in the first two cases."""


def test_a_lite_task_has_the_cases_of_its_selection_alone() -> None:
    task = lite(replace(CLAMP, lite=(5, 0)))
    assert task.cases == (CLAMP.cases[5], CLAMP.cases[0])
    assert (task.task_id, task.task_digest) == (CLAMP.task_id, CLAMP.task_digest)


@pytest.mark.parametrize("selection", [None, ()])
def test_a_task_without_a_selection_keeps_all_cases(selection: tuple[int, ...] | None) -> None:
    assert lite(replace(CLAMP, lite=selection)).cases == CLAMP.cases


def answers(made: Release) -> list[Sample]:
    return [replace(one, code=LENIENT) if "def clamp" in one.code else one for one in references(made.tasks)]


def test_a_lite_run_judges_by_the_selection(made: Release, tmp_path: Path) -> None:
    result = evaluate(made, answers(made), Options(tmp_path / "r.jsonl", lite=True), "samples")
    assert result.score.pass_at == {1: 1.0}
    assert result.run.cases == "lite"
    assert result.agreement is None
    rows = [json.loads(line) for line in (tmp_path / "r.jsonl").read_text().splitlines()]
    assert rows[0]["run"]["cases"] == "lite"
    assert {row["total"] for row in rows[1:]} == {2}
    assert "Only the lite selection of each task's cases was run" in text.render(result)


def test_a_full_run_says_how_lite_agrees_without_running_it(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "r.jsonl")
    fresh, again = (evaluate(made, answers(made), options, "samples") for _ in range(2))
    assert again.taken_over == 5
    for result in (fresh, again):
        assert result.agreement == Agreement(answers=5, lite_perfect=5, full_perfect=4)
        assert result.agreement.agree == 4
        sentence = "Lite and full agree (perfect or not) on 4 of 5 answers (80.0%): 5 are perfect in lite, 4 in full."
        assert sentence in text.render(result)
        assert json.loads(as_json.render(result))["lite_agreement"] == {
            "answers": 5, "lite_perfect": 5, "full_perfect": 4, "agree": 4, "share": 0.8,
        }


def test_the_agreement_is_that_of_two_runs(made: Release) -> None:
    given = [*answers(made), *(replace(one, number=1) for one in stubs(made.tasks))]
    in_full = evaluate(made, given, Options(), "samples")
    in_lite = evaluate(made, given, Options(lite=True), "samples")
    assert in_full.agreement is not None
    assert in_full.agreement.lite_perfect == in_lite.score.pass_at[1] * 10
    assert in_full.agreement.full_perfect == in_full.score.pass_at[1] * 10


def verdict(task: Task, statuses: str) -> Verdict:
    words = {"p": "passed", "w": "wrong"}
    outcome = Spectrum.PERFECT if set(statuses) == {"p"} else Spectrum.FAIL if statuses else Spectrum.SYNTAX_ERR
    return Verdict(task.task_id, "d", outcome, statuses.count("p"), 3, "", tuple(CaseResult(words[s]) for s in statuses))


def test_answers_that_could_not_be_loaded_are_perfect_in_neither() -> None:
    task = replace(CLAMP, cases=CLAMP.cases[:3], lite=(2, 0))
    pairs = [(task, verdict(task, statuses)) for statuses in ("ppp", "pwp", "pww", "")]
    assert agreement(pairs) == Agreement(answers=4, lite_perfect=2, full_perfect=1)
    assert agreement([(replace(task, lite=None), verdict(task, "ppp"))]) is None


def test_results_of_lite_and_full_are_not_mixed(made: Release, tmp_path: Path) -> None:
    evaluate(made, references(made.tasks), Options(tmp_path / "r.jsonl", lite=True), "samples")
    with pytest.raises(UserError, match=r"another run \(cases was 'lite', is 'full'\)"):
        evaluate(made, references(made.tasks), Options(tmp_path / "r.jsonl"), "samples")


def test_results_from_before_there_was_lite_are_full(made: Release, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    evaluate(made, references(made.tasks), Options(path), "samples")
    first, *rest = path.read_text().splitlines()
    run = json.loads(first)["run"]
    del run["cases"]
    path.write_text("\n".join([json.dumps({"run": run}), *rest]) + "\n")
    assert evaluate(made, references(made.tasks), Options(path), "samples").taken_over == 5
    with pytest.raises(UserError, match="cases was 'full', is 'lite'"):
        evaluate(made, references(made.tasks), Options(path, lite=True), "samples")
