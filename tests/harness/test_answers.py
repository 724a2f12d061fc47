"""Honest answers of every shape get all that their bare code gets, and honest programs of every kind are perfect."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.extraction import extract
from harness.judging import judge
from harness.languages import Machine
from harness.records import Task
from tests.harness.answers.tasks import TASKS

ANSWERS = Path(__file__).parent / "answers"


def files(kind: str, ending: str) -> list[Path]:
    return sorted((ANSWERS / kind).glob(f"*{ending}"))


def stem(path: Path) -> str:
    return path.name.split(".")[0]


def task_of(path: Path) -> Task:
    return TASKS[path.name.split("--")[0]]


def read(path: Path) -> str:
    return path.read_bytes().decode()


@pytest.mark.parametrize("path", files("texts", ".txt"), ids=stem)
def test_the_code_is_found_in_an_odd_text(path: Path, machine: Machine) -> None:
    task = task_of(path)
    code = extract(read(path), task)
    verdict = judge(task, code, machine)
    assert verdict.perfect, f"{verdict.detail}\n{code}"


@pytest.mark.parametrize("path", files("texts", ".bare.py"), ids=stem)
def test_the_bare_code_of_an_odd_text_is_perfect(path: Path, machine: Machine) -> None:
    verdict = judge(task_of(path), read(path), machine)
    assert verdict.perfect, verdict.detail


@pytest.mark.parametrize("path", files("programs", ".py"), ids=stem)
def test_an_odd_program_is_perfect(path: Path, machine: Machine) -> None:
    verdict = judge(task_of(path), read(path), machine)
    assert verdict.perfect, verdict.detail


def test_each_text_has_its_bare_code() -> None:
    texts, bare = ({stem(path) for path in files("texts", ending)} for ending in (".txt", ".bare.py"))
    assert texts == bare and len(texts) >= 90


def test_each_program_says_what_is_odd_about_it() -> None:
    programs = files("programs", ".py")
    assert len(programs) >= 70
    assert all(read(path).startswith('"""') for path in programs)


def test_each_task_has_texts_and_programs() -> None:
    for kind, ending in (("texts", ".txt"), ("programs", ".py")):
        assert {path.name.split("--")[0] for path in files(kind, ending)} == set(TASKS)
