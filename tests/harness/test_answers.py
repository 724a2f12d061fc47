"""Honest answers of every shape get all that their bare code gets, and honest programs of every kind are perfect."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.answers.extraction import extract
from harness.languages import Machine
from harness.records import Task, Verdict
from harness.scoring.judging import judge, judge_all
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


def verdicts_on(kind: str, ending: str, machine: Machine, workers: int = 2) -> dict[str, Verdict]:
    """The verdict on each of the files, judged as an evaluation does."""
    found = files(kind, ending)
    jobs = [(task_of(path), extract(read(path), task_of(path)) if ending == ".txt" else read(path)) for path in found]
    return dict(zip(map(stem, found), judge_all(jobs, machine, workers, tasks=TASKS.values()), strict=True))


@pytest.fixture(scope="module")
def texts(machine: Machine) -> dict[str, Verdict]:
    return verdicts_on("texts", ".txt", machine, workers=4)  # some of them wait for seconds


@pytest.fixture(scope="module")
def bare(machine: Machine) -> dict[str, Verdict]:
    return verdicts_on("texts", ".bare.py", machine)


@pytest.fixture(scope="module")
def programs(machine: Machine) -> dict[str, Verdict]:
    return verdicts_on("programs", ".py", machine)


@pytest.mark.parametrize("name", map(stem, files("texts", ".txt")))
def test_the_code_is_found_in_an_odd_text(name: str, texts: dict[str, Verdict]) -> None:
    assert texts[name].perfect, texts[name].detail


@pytest.mark.parametrize("name", map(stem, files("texts", ".bare.py")))
def test_the_bare_code_of_an_odd_text_is_perfect(name: str, bare: dict[str, Verdict]) -> None:
    assert bare[name].perfect, bare[name].detail


@pytest.mark.parametrize("name", map(stem, files("programs", ".py")))
def test_an_odd_program_is_perfect(name: str, programs: dict[str, Verdict]) -> None:
    assert programs[name].perfect, programs[name].detail


@pytest.mark.parametrize("path", files("refused", ".py"), ids=stem)
def test_a_value_of_another_type_differs_even_where_it_is_equal(path: Path, machine: Machine) -> None:
    assert judge(task_of(path), read(path), machine).passed < len(task_of(path).cases)


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
