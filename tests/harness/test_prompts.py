"""What models are asked: the instruction and nothing else of the task, in both forms."""

from __future__ import annotations

import ast
from dataclasses import replace

import pytest

from harness.languages.python import VERSION
from harness.languages.python.asking import SYSTEM
from harness.prompts import prompt, prompts_hash
from harness.records import Task, Track
from tests.harness.make_release import make_tasks

TASKS = [task for track in (Track.SC_PYTHON, Track.WSC_PYTHON) for task in make_tasks(track)]


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.entry_point)
def test_a_completion_prompt_and_the_references_body_are_the_reference(task: Task) -> None:
    body = task.reference.partition(task.instruction.strip() + "\n")[2]
    assert prompt(task).completion + body == f"# Python {VERSION}\n{task.reference}"


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.entry_point)
def test_all_are_told_which_python_runs_their_code(task: Task) -> None:
    asked = prompt(task)
    assert f"Python {VERSION}" in asked.system and f"Python {VERSION}" in asked.completion


@pytest.mark.parametrize("task", TASKS, ids=lambda t: t.entry_point)
@pytest.mark.parametrize("text", ["Adds two numbers.", "def other(): pass", "1. Do\n\n2. This \"quoted\" thing.", 'Split at \\n and """.'])
def test_an_instruction_in_prose_becomes_the_docstring_of_the_signature(task: Task, text: str) -> None:
    asked = prompt(replace(task, instruction=text))
    tree = ast.parse(asked.completion + "    return None\n")
    function = tree.body[-1]
    assert isinstance(function, ast.FunctionDef)
    assert function.name == task.entry_point
    assert (ast.get_docstring(function) or "").strip() == text
    assert asked.user.startswith(text)


def test_all_tracks_are_asked_in_the_same_words_which_tell_what_is_compared() -> None:
    assert {prompt(task).system for task in TASKS} == {SYSTEM}
    assert all(word in SYSTEM for word in ("tuple", "rounding", "message", "arguments unchanged"))


def test_the_hash_covers_all_that_is_asked_and_not_the_order() -> None:
    assert prompts_hash(TASKS) == prompts_hash(reversed(TASKS))
    for changed in (replace(TASKS[0], instruction=TASKS[0].instruction + "\n    More."), replace(TASKS[0], task_id="c2b-0")):
        assert prompts_hash([changed, *TASKS[1:]]) != prompts_hash(TASKS)


def test_the_reference_is_not_asked() -> None:
    for task in TASKS:
        asked = prompt(task)
        last = task.reference.strip().splitlines()[-1].strip()
        assert last not in asked.system + asked.user + asked.completion
