"""Scores by a property of the tasks, of chosen tasks, in text and JSON."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.records import Task
from harness.releases.ages import cutoff
from harness.releases.dataset import Release
from harness.report import as_json, text
from harness.scoring.evaluate import Evaluation, Options, evaluate, references, stubs
from harness.scoring.slices import SLICES

MONTHS = {"clamp": "2026-05", "runs": "2026-07", "merge": "2026-07", "distance": "2026-06", "medians": "2026-07"}
CHANGES = {
    "clamp": {"difficulty": "Hard"}, "runs": {"difficulty": "Medium"}, "merge": {"domain": "data"},
    "medians": {"libraries": ("numpy", "math")},
}


def changed(task: Task) -> Task:
    where = replace(task.provenance, first_seen=f"{MONTHS[task.entry_point]}-15T00:00:00Z", revision_date="2026-10-01T00:00:00Z")
    return replace(task, provenance=where, **CHANGES.get(task.entry_point, {}))  # type: ignore[arg-type]


@pytest.fixture(scope="module")
def varied(made: Release) -> Release:
    return replace(made, tasks=tuple(map(changed, made.tasks)))


@pytest.fixture(scope="module")
def evaluation(varied: Release) -> Evaluation:
    good = [one for one in references(varied.tasks) if "def runs" not in one.code]
    bad = [one for one in stubs(varied.tasks) if "def runs" in one.code]
    return evaluate(varied, good + bad, Options(by=tuple(SLICES)), "samples")


@pytest.mark.parametrize(("by", "scores"), {
    "track": {"sc-python": (3, 2 / 3), "wsc-python": (2, 1.0)},
    "difficulty": {"Easy": (3, 1.0), "Medium": (1, 0.0), "Hard": (1, 1.0)},
    "library": {"(none)": (3, 2 / 3), "math": (2, 1.0), "numpy": (1, 1.0)},
    "domain": {"data": (1, 1.0), "testing": (4, 0.75)},
    "month": {"2026-05": (1, 1.0), "2026-06": (1, 1.0), "2026-07": (3, 2 / 3)},
}.items(), ids=lambda part: part if isinstance(part, str) else "")
def test_a_slice_counts_the_tasks_of_each_value(evaluation: Evaluation, by: str, scores: dict[str, tuple[int, float]]) -> None:
    found = {name: (score.tasks, score.pass_at[1]) for name, score in evaluation.slices[by].items()}
    assert list(found) == list(scores)
    assert found == {name: (tasks, pytest.approx(rate)) for name, (tasks, rate) in scores.items()}


def test_slices_as_a_table(evaluation: Evaluation) -> None:
    table = text.render(evaluation).split("\n\n")[2].splitlines()
    assert table[0] == "by difficulty  tasks  pass@1  95% (Wilson)  near-perfect  cases passed"
    assert [line.split()[:3] for line in table[1:]] == [["Easy", "3", "100.0%"], ["Medium", "1", "0.0%"], ["Hard", "1", "100.0%"]]


def test_slices_as_json(evaluation: Evaluation) -> None:
    record = json.loads(as_json.render(evaluation))
    assert list(record["slices"]) == list(SLICES)
    easy = record["slices"]["difficulty"]["Easy"]
    assert (easy["tasks"], easy["pass_at"]["1"], easy["case_pass_rate"], easy["near_perfect"]) == (3, 1.0, 1.0, 0.0)
    assert easy["wilson"] == {"low": pytest.approx(0.438494, abs=1e-5), "high": 1.0}


def test_only_young_tasks_are_scored(varied: Release) -> None:
    options = Options(younger_than=cutoff("2026-06-30"))
    result = evaluate(varied, references(varied.tasks), options, "reference")
    assert (result.score.tasks, result.score.samples) == (3, 3)
    assert "Scored: 3 of 5 tasks, those younger than 2026-06-30.\n" in text.render(result)
    record = json.loads(as_json.render(result))["younger_than"]
    assert record == {"what": "2026-06-30", "day": "2026-06-30", "source": "", "tasks": 3, "of": 5}


def test_young_tasks_without_an_answer_count_and_old_ones_do_not(varied: Release) -> None:
    one = [answer for answer in references(varied.tasks) if "def runs" in answer.code]
    result = evaluate(varied, one, Options(younger_than=cutoff("2026-06-30")), "samples")
    assert result.score.pass_at == {1: pytest.approx(1 / 3)}


def test_results_are_shared_by_runs_with_and_without_a_cutoff(varied: Release, tmp_path: Path) -> None:
    young = Options(tmp_path / "r.jsonl", younger_than=cutoff("2026-06-30"))
    answers = references(varied.tasks)
    assert evaluate(varied, answers, young, "samples").taken_over == 0
    assert evaluate(varied, answers, Options(tmp_path / "r.jsonl"), "samples").taken_over == 3
    assert evaluate(varied, answers, young, "samples").taken_over == 3


def test_a_cutoff_that_leaves_nothing_is_refused(varied: Release) -> None:
    with pytest.raises(UserError, match="None of the 5 tasks is younger than 2026-07-15, the youngest is of 2026-07-15"):
        evaluate(varied, references(varied.tasks), Options(younger_than=cutoff("2026-07-15")), "reference")
