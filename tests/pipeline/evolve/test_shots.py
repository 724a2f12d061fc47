"""Prompts show one worked example: another program of the front, or another task's repair; never what is asked."""

from __future__ import annotations

import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

from harness.evolved import pair_id, version
from harness.families.repair import faulty
from harness.languages.registry import language
from harness.prompts import prompt
from harness.records import Task
from harness.releases.dataset import load_release
from harness.releases.rows import RowError, row_to_task, task_to_row
from harness.releases.veil import unveiled, veiled
from harness.scoring.results import read_results
from harness.shots import Shot, shots_of, with_shots
from pipeline import store
from pipeline.config import EvolveConfig
from pipeline.evolve.rows import EvolvedProgram
from pipeline.evolve.shots import cosine, shown, tf_idf
from pipeline.evolve.stage import EvolvedTask
from tests.harness.make_release import make_tasks
from tests.pipeline.evolve.small import evolved
from tests.pipeline.vary.commands import run

TASK = make_tasks("sc-python")[0]
SHOT = Shot("def f(a):\n    return a\n", "assert f(1) == ", "assert f(1) == 1")


@pytest.fixture(scope="module")
def helped(made: Path, origin: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The small evolved release with examples; what was evolved is there already."""
    folder = tmp_path_factory.mktemp("shots") / "one"
    shutil.copytree(made.parent, folder)
    return evolved(origin, folder, "--shots", 1)


def predictions(release: Path) -> list[Task]:
    return [task for task in load_release(str(release)).tasks if task.family != "repair"]


def test_a_question_comes_behind_another_program_in_another_case(helped: Path) -> None:
    versions = {row.program for row in store.read(helped / "evolved.parquet", EvolvedProgram)}
    front = {row.program for row in store.read(helped / "front.parquet", EvolvedProgram)}
    words = language("python").predicting
    assert words is not None and front - versions
    for task in predictions(helped):
        [shot] = shots_of(task)
        assert shot.program in front - versions
        assert not shot.answer.endswith(f" == {words.value(task)}") and not shot.answer.startswith(words.call(task))
        asked = prompt(task)
        assert shot.answer in asked.user and asked.user.index(shot.answer) < asked.user.index("This is a program:")
        assert shot.answer in asked.completion and asked.completion.endswith(prompt(with_shots(task, ())).completion)
        exec(f"{shot.program}\n{shot.answer}", {"__name__": "program"})


def test_an_input_is_asked_for_as_in_the_example(helped: Path) -> None:
    asked = [task for task in predictions(helped) if task.family == "input"]
    assert asked and all("(...)" in shots_of(task)[0].question for task in asked)


def test_both_sides_of_a_pair_see_the_same(helped: Path) -> None:
    found: dict[str, set[tuple[Shot, ...]]] = {}
    for task in predictions(helped):
        found.setdefault(pair_id(task), set()).add(shots_of(task))
    assert found and all(len(one) == 1 for one in found.values())


def test_what_is_asked_is_as_without_examples(helped: Path, made: Path, tmp_path: Path) -> None:
    plain = {task.task_id: task for task in load_release(str(made)).tasks}
    own = load_release(str(helped)).tasks
    assert {task.task_id: with_shots(task, ()).task_digest for task in own} == {
        key: task.task_digest for key, task in plain.items()}
    assert not any(map(shots_of, plain.values()))
    assert run("evaluate", helped, "--reference", "--output", tmp_path / "r.jsonl").exit_code == 0
    assert all(one.perfect for one in read_results(tmp_path / "r.jsonl").verdicts.values())
    told = {row["task_id"]: row["user"] for row in map(json.loads, run("prompts", helped).stdout.splitlines())}
    assert all(shots_of(task)[0].answer in told[task.task_id] for task in own if task.family != "repair")


@pytest.mark.slow  # the release is made once more
def test_examples_are_verified_like_the_rest(helped: Path, origin: Path) -> None:
    told = run("verify", helped, "--workers", 1, "--origin", origin)
    assert told.exit_code == 0 and "passes every gate" in told.output, told.output


def repairs(made: Path, names: dict[str, str]) -> tuple[list[EvolvedTask], dict[str, Task]]:
    """The repairs of the small release as if they were of tasks of these instructions."""
    items = [task for task in load_release(str(made)).tasks if task.family == "repair"]
    origins = {
        name: replace(TASK, task_id=name, instruction=text, entry_point=name, reference=f"def {name}(a): return a\n")
        for name, text in names.items()}
    tasks = [
        EvolvedTask(name, (), (), (), tuple(
            replace(item, origin=name, entry_point=name, instruction=f"{name} {item.instruction}") for item in items),
            TASK.provenance) for name in names]
    return tasks, origins


def test_a_repair_comes_behind_the_nearest_other_one(made: Path) -> None:
    names = {"trim": "Cut the spaces of a text.", "strip": "Cut spaces of texts.", "add": "Add numbers of a list."}
    tasks, origins = repairs(made, names)
    nearest = {"trim": "strip", "strip": "trim"}
    for item in shown(tasks, origins, EvolveConfig(shots=1)):
        [shot] = shots_of(item)
        assert shot.question.split()[0] == nearest.get(str(item.origin), shot.question.split()[0]) != item.origin
        asked = prompt(item).user
        assert asked.index(shot.question) < asked.index(item.instruction) and shot.answer in asked


def test_a_repair_is_of_as_many_parts(made: Path) -> None:
    tasks, origins = repairs(made, {"one": "Cut.", "two": "Cut."})
    orders = {(item.instruction, faulty(item)): item for one in tasks for item in one.items}
    for item in shown(tasks, origins, EvolveConfig(shots=1)):
        [shot] = shots_of(item)
        other = orders[shot.question, shot.program]
        assert item.variation is not None and other.variation is not None
        assert item.variation.case == other.variation.case and version(other) == "original"


def test_who_has_the_function_that_is_asked_about_is_no_example(made: Path) -> None:
    tasks, origins = repairs(made, {"trim": "Cut spaces.", "strip": "Cut spaces.", "add": "Add."})
    origins["strip"] = replace(origins["strip"], reference="def strip(a): return trim(a)\n")
    for item in shown(tasks, origins, EvolveConfig(shots=1)):
        if item.origin == "trim":
            assert shots_of(item)[0].question.startswith("add ")
    [alone], own = repairs(made, {"trim": "Cut spaces."})
    assert not any(map(shots_of, shown([alone], own, EvolveConfig(shots=1))))


def test_rare_words_weigh_more() -> None:
    first, second, third = tf_idf(["sort the list", "sort the table", "count the rows of the list"])
    assert first["the"] == 0 < first["sort"] and first["list"] == first["sort"] < second["table"]
    assert cosine(first, first) == pytest.approx(1) and cosine(second, third) == 0 < cosine(first, third)
    assert cosine({}, first) == 0


def test_rows_with_examples_are_read_back_and_veiled() -> None:
    told = with_shots(TASK, [SHOT])
    row = task_to_row(told)
    assert row_to_task(row) == told != TASK and shots_of(told) == (SHOT,)
    assert row_to_task({**task_to_row(TASK), "shots": None}) == TASK and "shots" not in task_to_row(TASK)
    hidden = veiled(row, "key")
    assert "return a" not in json.dumps(hidden["shots"]) and unveiled(hidden, "key") == row
    assert "shots" not in veiled(task_to_row(TASK), "key")


@pytest.mark.parametrize("text", ["{", "[1]", '[{"program": ""}]', '[{"program": 1, "question": "", "answer": ""}]', 3])
def test_examples_that_are_none_are_refused(text: object) -> None:
    with pytest.raises(RowError, match="field shots"):
        row_to_task({**task_to_row(TASK), "shots": text})


def test_more_than_one_example_is_refused(origin: Path, tmp_path: Path) -> None:
    told = run("evolve", origin, "--out", tmp_path / "x", "--shots", 2)
    assert told.exit_code == 2 and "give --shots 0 or 1" in told.output
