"""Mutants: each operator makes the change that it is named after; every mutant parses and differs."""

import ast
import textwrap
from pathlib import Path

import pytest

from pipeline.transforms.mutants import mutants


def texts(body: str, operator: str) -> set[str]:
    """The bodies of the mutants of one operator, on a function of x and y."""
    program = "def f(x, y):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"
    found = [ast.parse(m.program).body[0] for m in mutants(program, "f") if m.operator == operator]
    return {"\n".join(ast.unparse(s) for s in f.body) for f in found if isinstance(f, ast.FunctionDef)}


@pytest.mark.parametrize(("operator", "body", "expected"), [
    ("negate the condition", "return 1 if x else 2", {"return 1 if not x else 2"}),
    ("change the comparison", "return x < y", {"return x <= y"}),
    ("change the comparison", "return x in y", {"return x not in y"}),
    ("change the arithmetic", "return x + y", {"return x - y"}),
    ("swap and with or", "return x and y", {"return x or y"}),
    ("drop an operand", "return x and y", {"return y and y", "return x and x"}),
    ("negate the constant", "return True", {"return False"}),
    ("add one to the constant", "return 3", {"return 4"}),
    ("take one from the constant", "return 3", {"return 2"}),
    ("change the text", "return 'a'", {"return 'ax'"}),
    ("drop the filter", "return [a for a in x if a]", {"return [a for a in x]"}),
    ("drop the method call", "return x.strip()", {"return x"}),
    ("drop the call", "return sorted(x)", {"return x"}),
    ("swap the arguments", "return min(x, y)", {"return min(y, x)"}),
    ("delete the statement", "x += 1\nreturn x", {"pass\nreturn x"}),
    ("delete the jump", "for a in x:\n    break\nreturn y", {"for a in x:\n    pass\nreturn y"}),
], ids=lambda value: value if isinstance(value, str) and "\n" not in value else None)
def test_an_operator_makes_its_change(operator: str, body: str, expected: set[str]) -> None:
    assert expected <= texts(body, operator)


def test_the_docstring_and_other_functions_are_left_alone() -> None:
    program = 'def g():\n    return 1\n\n\ndef f(x):\n    """Add 1."""\n    return x + 1\n'
    found = mutants(program, "f")
    assert {m.line for m in found} == {7}
    assert all("return 1\n" in m.program and "Add 1." in m.program for m in found)


@pytest.mark.parametrize("name", ["textwrap", "bisect", "statistics", "shlex"])
def test_every_mutant_of_real_code_parses_and_differs(name: str) -> None:
    text = Path(__import__(name).__file__).read_text("utf-8")
    functions = [n for n in ast.parse(text).body if isinstance(n, ast.FunctionDef)][:6]
    for function in functions:
        program = ast.unparse(function)
        found = mutants(program, function.name)
        assert len({m.program for m in found} | {program + "\n"}) == len(found) + 1
        for mutant in found:
            ast.parse(mutant.program)
