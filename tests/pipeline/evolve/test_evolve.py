"""A release is evolved, asked about, judged, compared, and made again to the same bytes."""

from __future__ import annotations

import ast
import json
from pathlib import Path

import pytest

from harness import bundle
from harness.evolved import pair_id, version
from harness.records import Translation
from harness.releases.dataset import load_release
from harness.scoring.results import read_results
from pipeline import store
from pipeline.evolve.rows import Bug, EvolvedProgram
from pipeline.transforms.preserving.evolving.registry import EVOLVERS
from tests.pipeline.evolve.small import evolved
from tests.pipeline.vary.commands import bytes_of, run


def rows(made: Path) -> list[EvolvedProgram]:
    return list(store.read(made / "evolved.parquet", EvolvedProgram))


def test_programs_are_more_complex_and_within_the_bounds(made: Path) -> None:
    versions = {(row.task_id, row.version): row for row in rows(made)}
    assert {version for _, version in versions} == {"original", "v1"}
    for (task, name), row in versions.items():
        if name == "v1" and row.program:
            first = versions[task, "original"]
            assert row.rc > first.rc and row.rr >= 0.88 * first.rr and row.pylint >= first.pylint
            assert row.tokens <= 6 * first.tokens and row.dead_share is not None and row.dead_share <= 0.5
            assert {one.code for one in row.operators} <= set(EVOLVERS) and row.applications > 0 and not row.refused
            ast.parse(row.program)


def test_each_question_is_asked_about_both_programs(made: Path) -> None:
    tasks = load_release(str(made)).tasks
    assert {task.track for task in tasks} == {"input-python", "output-python", "repair-python"}
    pairs: dict[str, set[str]] = {}
    for task in tasks:
        pairs.setdefault(pair_id(task), set()).add(version(task))
    assert "" not in pairs and all(one == {"original", "v1"} for one in pairs.values())


def test_faults_are_the_same_in_both_and_shown_by_tests(made: Path) -> None:
    bugs = list(store.read(made / "bugs.parquet", Bug))
    there = [bug for bug in bugs if bug.program]
    assert {bug.order for bug in there} >= {1, 2}
    for bug in there:
        other = next(one for one in there if one.task_id == bug.task_id and one.order == bug.order and one is not bug)
        assert (bug.kinds, bug.origins, bug.killed, bug.failing) == (other.kinds, other.origins, other.killed, other.failing)
        assert len(set(bug.origins)) == bug.order and 0.02 <= bug.killed / bug.cases <= 0.9
        assert bug.failing and bug.passing and not set(bug.failing) & set(bug.passing)


def test_references_are_right_and_faults_are_not(made: Path, tmp_path: Path) -> None:
    for how, right in (("--reference", True), ("--stub", False)):
        results = tmp_path / f"{how}.jsonl"
        assert run("evaluate", made, how, "--output", results).exit_code == 0
        outcomes = [verdict.perfect for verdict in read_results(results).verdicts.values()]
        assert outcomes and all(one is right for one in outcomes)


def test_a_prompt_shows_the_program_and_the_tests(made: Path) -> None:
    asked = [json.loads(line) for line in run("prompts", made).stdout.splitlines()]
    tasks = {task.task_id: task for task in load_release(str(made)).tasks}
    for one in asked:
        task = tasks[one["task_id"]]
        assert "_load_module" not in one["user"]
        if task.family == "repair":
            assert "These calls give something else than they should" in one["user"]
            assert bundle.shown(task.given.before) in one["user"]  # type: ignore[union-attr]
            assert task.reference not in one["user"]


def test_each_version_is_to_be_written_in_java_where_java_has_its_values(made: Path) -> None:
    asked = list(store.read(made / "translation.parquet", Translation))
    there = [row for row in asked if not row.reason]
    programs = {(row.task_id, row.version): row.program for row in rows(made) if row.program}
    assert there and {row.task_id for row in asked} == {task for task, _ in programs}
    for row in there:
        program = programs[row.task_id, "original" if row.chain == "Plain" else f"v{row.draw}"]
        assert bundle.shown(program) in row.user and row.user.count("assert ") >= 2
        assert row.signature in row.user and row.cases and not row.scored
    of_originals = {row.task_id for row in there if row.chain == "Plain"}
    assert of_originals == {row.task_id for row in there if row.chain == "Evolved"}
    assert "translation-java" in (made / "README.md").read_text()


def test_what_evolution_costs_is_told_pair_by_pair(made: Path, tmp_path: Path) -> None:
    answers, results = tmp_path / "answers.jsonl", tmp_path / "answers.results.jsonl"
    tasks = load_release(str(made)).tasks
    lines = [{"task_id": task.task_id, "solution": task.reference} for task in tasks
             if version(task) == "original" or task.family == "repair"]
    lines += [{"task_id": task.task_id, "solution": "None"} for task in tasks
              if version(task) == "v1" and task.family != "repair"]
    answers.write_text("".join(json.dumps(line) + "\n" for line in lines))
    assert run("evaluate", made, "--samples", answers).exit_code == 0
    told = run("compare", results, results, "--paired-by", "pair_id", "--json")
    assert told.exit_code == 0, told.output
    found = {row["family"]: row for row in json.loads(told.stdout)}
    assert found["repair"]["points"] == 0 and found["output"]["points"] == -100
    assert "exact McNemar" in found["all"]["p"] and found["all"]["pairs"] == len(lines) / 2
    text = run("evolve", "report", made, results, "--figures", tmp_path / "figures")
    assert text.exit_code == 0 and "RC gained" in text.output and "-100" in text.output
    assert "tokens before" in text.output and "p (Mann-Whitney)" in text.output
    assert {path.name for path in (tmp_path / "figures").iterdir()} == {"measures.png", "operators.png"}


def test_another_release_has_no_pairs(made: Path, origin: Path, tmp_path: Path) -> None:
    results = tmp_path / "r.jsonl"
    assert run("evaluate", origin, "--reference", "--output", results).exit_code == 0
    told = run("compare", results, results, "--paired-by", "pair_id")
    assert told.exit_code == 2 and "have no pair_id in common" in told.output


@pytest.mark.slow  # the release is made twice more
def test_the_same_seed_gives_the_same_bytes_and_verify_says_so(made: Path, origin: Path, tmp_path: Path) -> None:
    told = run("verify", made, "--workers", 2, "--origin", origin)
    assert told.exit_code == 0 and "passes every gate" in told.output, told.output
    other = evolved(origin, tmp_path / "other", "--seed", 1)
    assert bytes_of(other)["evolved.parquet"] != bytes_of(made)["evolved.parquet"]


def test_programs_are_shown_with_their_operators(made: Path) -> None:
    told = run("evolve", "show", made, "runs", "--diff")
    assert told.exit_code == 0 and "RC 0." in told.output and "+++ v1" in told.output
    assert run("evolve", "show", made, "nothing").exit_code == 2
    assert "RC with" in run("evolve", "operators", made).output
    assert "AddNestedFor" in run("evolve", "operators").output
    alike = run("evolve", "similarity", made, "--json")
    assert json.loads(alike.stdout)[0]["identical"] == 0


def test_programs_to_train_on_are_no_near_duplicates(made: Path, tmp_path: Path) -> None:
    out = tmp_path / "training.jsonl"
    assert run("evolve", "training", made, "--out", out).exit_code == 0
    kept = [json.loads(line) for line in out.read_text().splitlines()]
    assert len(kept) >= 2 and len({row["program"] for row in kept}) == len(kept)


@pytest.mark.parametrize(("options", "sentence"), [
    (("--operators", "S99"), "no operator 'S99'"), (("--profile", "papers"), "no profile 'papers'"),
    (("--strategy", "nsga"), "no strategy 'nsga' (nearest"), (("--limits", "papers"), "no limits 'papers' (nearest"), (("--evaluations", 3), "fewer than the population"),
    (("--family", "outputs"), "no family 'outputs'"), (("--readability", 2), "no share of readability"),
    (("--versions", 0), "at least one version"), (("--task", "nobody"), "has no such task"),
    (("--population", 1), "can't breed"),
])
def test_what_can_not_be_met_is_told_in_a_sentence(
    options: tuple[object, ...], sentence: str, origin: Path, tmp_path: Path
) -> None:
    told = run("evolve", origin, "--out", tmp_path / "x", *options)
    assert told.exit_code == 2
    assert sentence.split(" (")[0] in " ".join(told.output.split()), told.output


def test_evolved_releases_do_not_evolve(made: Path, tmp_path: Path) -> None:
    told = run("evolve", made, "--out", tmp_path / "x")
    assert told.exit_code == 2 and "was made of" in told.output
