"""The stage: candidates in, suites or reasons out, as the flow sees it; and the command for a single file."""

from __future__ import annotations

import json
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.records import Reason, Rejection, Suite
from pipeline.suites.cli import suite
from pipeline.suites.metering import PHASES
from pipeline.suites.stage import SuiteStage
from tests.pipeline.making import candidate, context
from tests.pipeline.suites.conftest import LOCK
from tests.pipeline.suites.programs import COVERABLE, REFUSED, program


def test_each_candidate_becomes_a_suite_or_a_rejection(tmp_path: Path, machine: Machine) -> None:
    texts = [COVERABLE[2], REFUSED["few_cases"], COVERABLE[11]]
    candidates = [candidate(program(text)) for text in texts]
    outcomes = list(SuiteStage(SuiteConfig()).run(candidates, replace(context(tmp_path), runtime=LOCK)))
    first, second, third = outcomes
    assert isinstance(first, Suite) and isinstance(third, Suite) and isinstance(second, Rejection)
    assert second.reason == Reason.FEW_CASES.name.lower() and second.record_id == candidates[1].id
    score = first.strength.mutation_score
    several = first.strength.higher_order_score
    assert several is not None and several >= 0.75
    assert first.strength.branch_coverage == 1.0 and score is not None and score >= 0.75 and first.lite
    assert len(first.cases) == len(first.covered) == 500
    raised = [case for case in first.cases if case.expected.kind == "raised"]
    assert raised and all(case.expected.exception == "ValueError" for case in raised)
    told = json.loads(first.specification)
    assert [parameter["name"] for parameter in told["parameters"]] == ["text", "width", "marker"]
    assert "test_candidate_agrees_with_the_reference" in first.strategies


@pytest.mark.slow  # whole suites
def test_the_command_says_what_came_out(tmp_path: Path, machine: Machine) -> None:
    file = tmp_path / "some.py"
    file.write_text(program(COVERABLE[8]) + "\n\n" + program(REFUSED["degenerate"]))
    runner = CliRunner()
    told = runner.invoke(suite, [str(file), "--runtime", str(LOCK)])
    assert told.exit_code == 0, told.output
    assert "grade: suite" in told.output and "points: int" in told.output and "constant: rejected" in told.output
    assert "mutation score" in told.output and "with several changes at once" in told.output and "the easiest stub passes" in told.output
    lines = runner.invoke(suite, [str(file), "--runtime", str(LOCK), "--json", "--function", "grade"]).stdout.splitlines()
    row = json.loads(lines[0])
    assert len(lines) == 1 and row["branch_coverage"] == 1.0 and row["cases"] > 100
    assert 0.5 < row["mutation_score"] <= 1.0 and 0.5 < row["higher_order_score"] <= 1.0 and row["cpu_seconds"] >= row["search_cpu_seconds"] > 0
    assert set(row["steps"]) == set(PHASES) and sum(row["steps"].values()) <= row["cpu_seconds"] + 0.05
    assert "CPU seconds by step: start" in told.output
    assert row["unmet"] == [] and row["easiest"]["share"] < 0.6 and row["lite"] >= 1


@pytest.mark.slow  # whole suites of a folder
def test_the_command_takes_folders_and_what_a_function_needs_of_its_file(tmp_path: Path, machine: Machine) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "one.py").write_text(
        "BROKEN = nowhere()\ndef half(n: int) -> int:\n    return n // 2\n\nLIMIT = half(20)\n\n"
        "def capped(n: int) -> int:\n    return LIMIT if half(n) > LIMIT else half(n)\n"
    )
    (tmp_path / "bad.py").write_text("def (")
    (tmp_path / "two.py").write_text(program(COVERABLE[8]))
    told = CliRunner().invoke(suite, [str(tmp_path), "--runtime", str(LOCK), "--json", "--workers", "2"])
    assert told.exit_code == 0, told.output
    rows = {row["function"]: row for row in map(json.loads, told.stdout.splitlines())}
    assert set(rows) == {"half", "capped", "grade"}
    assert rows["grade"]["status"] == "suite" and "not defined" not in rows["capped"]["evidence"]
    assert "bad.py" in told.stderr


def test_the_command_names_a_function_that_is_not_there(tmp_path: Path, machine: Machine) -> None:
    file = tmp_path / "some.py"
    file.write_text("x = 1\n")
    told = CliRunner().invoke(suite, [str(file), "--runtime", str(LOCK), "--function", "grade"])
    assert told.exit_code != 0 and "grade" in str(told.exception)
