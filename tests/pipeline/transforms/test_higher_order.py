"""Mutants with several changes: in different statements, unlike all with fewer, the same for each seed."""

import ast
from pathlib import Path

import pytest

from pipeline.transforms.altering.higher_order import higher_order
from pipeline.transforms.altering.mutants import Mutant, Mutants, mutants

PROGRAM = """
LIMIT = 3

def f(x, y):
    total = 0
    for a in x:
        if a > LIMIT:
            total += a
    y = y.strip()
    return f'{y}: {total}'
"""


def several(program: str, name: str, seed: int, count: int) -> list[Mutant]:
    return higher_order(Mutants(program, name), seed, count)


def test_two_and_three_changes_half_of_each() -> None:
    found = several(PROGRAM, "f", 1, 20)
    assert [mutant.operator.count(" + ") for mutant in found] == [1] * 10 + [2] * 10
    assert len({mutant.program for mutant in found}) == 20
    assert all("LIMIT = 3" in mutant.program for mutant in found)


def test_none_is_a_mutant_with_one_change() -> None:
    lower = {ast.dump(ast.parse(mutant.program)) for mutant in mutants(PROGRAM, "f")} | {ast.dump(ast.parse(PROGRAM))}
    assert not lower & {ast.dump(ast.parse(mutant.program)) for mutant in several(PROGRAM, "f", 2, 40)}


def test_no_change_is_lost_within_another() -> None:
    text = "def f(x, y):\n    if x > y:\n        y = x\n    return y\n"
    found = {mutant.program for mutant in several(text, "f", 1, 400)}
    assert "def f(x, y):\n    if x >= y:\n        pass\n    return y\n" in found
    assert not any("if False" in program and "y = x" not in program for program in found)
    assert not any("return\n" in program and "y" in program.split("return")[1] for program in found)


def test_the_seed_decides() -> None:
    assert several(PROGRAM, "f", 1, 10) == several(PROGRAM, "f", 1, 10) != several(PROGRAM, "f", 2, 10)


@pytest.mark.parametrize("text", ["def f(x):\n    return x + 1\n", "def g(x):\n    return x\n", "def f(x):\n    pass\n"])
def test_one_statement_gives_none(text: str) -> None:
    assert several(text, "f", 1, 20) == []


@pytest.mark.parametrize("name", ["textwrap", "bisect", "shlex"])
def test_every_one_of_real_code_parses(name: str) -> None:
    text = Path(str(__import__(name).__file__)).read_text("utf-8")
    for function in [node for node in ast.parse(text).body if isinstance(node, ast.FunctionDef)][:6]:
        for mutant in several(ast.unparse(function), function.name, 1, 20):
            ast.parse(mutant.program)
