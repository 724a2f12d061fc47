"""The strategies of a task are a module that runs: right candidates pass its test, wrong ones fail it."""

from __future__ import annotations

import ast
import subprocess
import sys
from pathlib import Path

import pytest

from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import source
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import COVERABLE, request

NUMBERS = [0, 1, 2, 3, 8, 15, 16, 17, 21, 22]


def _written(text: str, folder: Path) -> str:
    one = request(text)
    parameters = infer(Subject.of(one.program, one.entry_point))
    raised = ("ValueError", "KeyError", "TypeError")
    made = source(one.entry_point, parameters, pool_of(Subject.of(one.program, one.entry_point)), raised, 1)
    (folder / "reference.py").write_text(one.program)
    (folder / "candidate.py").write_text(one.program)
    (folder / "test_candidate.py").write_text(made)
    return made


FORKS = """
import os, sys
import hypothesis.strategies, pytest
codes = []
for folder in sys.argv[1:]:
    child = os.fork()
    if not child:
        os.chdir(folder)
        sys.exit(pytest.main(["-q", "-p", "no:cacheprovider", "--rootdir", folder, folder]))
    codes.append(os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]))
open("codes", "w").write(" ".join(map(str, codes)))
"""


def _run(place: Path, *folders: Path) -> list[int]:
    """How the property tests of some folders end, each in a process of its own."""
    subprocess.run([sys.executable, "-c", FORKS, *map(str, folders)], capture_output=True, cwd=place, check=True)
    return [int(code) for code in (place / "codes").read_text().split()]


@pytest.mark.parametrize("text", COVERABLE, ids=lambda text: request(text).entry_point)
def test_the_source_is_python_and_ends_in_a_test(text: str, tmp_path: Path) -> None:
    made = _written(text, tmp_path)
    tree = ast.parse(made)
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1].startswith("test_")


def test_references_pass_their_own_property_tests_and_a_wrong_candidate_fails(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in (*NUMBERS, 12)]
    for folder in folders:
        folder.mkdir()
        _written(COVERABLE[int(folder.name)], folder)
    wrong = folders[-1] / "candidate.py"
    wrong.write_text(wrong.read_text().replace("return not stack", "return True"))
    assert _run(tmp_path, *folders) == [0] * len(NUMBERS) + [1]


def test_the_same_function_gives_the_same_source(tmp_path: Path) -> None:
    assert _written(COVERABLE[0], tmp_path) == _written(COVERABLE[0], tmp_path)
