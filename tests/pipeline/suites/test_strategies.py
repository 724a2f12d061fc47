"""The strategies of a task are a module that runs: right candidates pass its test, wrong ones fail it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import printed
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import COVERABLE, request

NUMBERS = [0, 1, 2, 3, 8, 15, 16, 17, 21, 22]


def _written(text: str, folder: Path) -> str:
    one = request(text)
    parameters = infer(Subject.of(one.program, one.entry_point))
    raised = ("ValueError", "KeyError", "TypeError")
    made = printed(one.entry_point, parameters, pool_of(Subject.of(one.program, one.entry_point)), 1).text(raised)
    (folder / "reference.py").write_text(one.program)
    (folder / "candidate.py").write_text(one.program)
    (folder / "test_candidate.py").write_text(made)
    return made


def _run(folder: Path) -> int:
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(folder), str(folder)]
    return subprocess.run(command, capture_output=True, cwd=folder, check=False).returncode


@pytest.mark.parametrize("text", COVERABLE, ids=lambda text: request(text).entry_point)
def test_the_source_is_python_and_ends_in_a_test(text: str, tmp_path: Path) -> None:
    made = _written(text, tmp_path)
    tree = ast.parse(made)
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1].startswith("test_")


@pytest.mark.parametrize("number", NUMBERS)
def test_the_reference_passes_its_own_property_test(number: int, tmp_path: Path) -> None:
    _written(COVERABLE[number], tmp_path)
    assert _run(tmp_path) == 0


def test_a_wrong_candidate_fails(tmp_path: Path) -> None:
    _written(COVERABLE[12], tmp_path)
    wrong = (tmp_path / "candidate.py").read_text().replace("return not stack", "return True")
    (tmp_path / "candidate.py").write_text(wrong)
    assert _run(tmp_path) == 1


def test_the_same_function_gives_the_same_source(tmp_path: Path) -> None:
    assert _written(COVERABLE[0], tmp_path) == _written(COVERABLE[0], tmp_path)
