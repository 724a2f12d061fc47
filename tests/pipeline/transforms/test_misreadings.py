"""Misreadings: each makes the change that it is named after, and none is a mutant."""

import ast
import textwrap

import pytest

from pipeline.transforms.altering.mutants import Mutants, mutants


def program(body: str) -> str:
    """A function of x and y."""
    return "import re\ndef f(x, y):\n" + textwrap.indent(textwrap.dedent(body).strip(), "    ") + "\n"


def read(body: str, name: str) -> set[str]:
    """The bodies that a misreading makes of a function of x and y."""
    every = Mutants(program(body), "f", misread=True)
    found = [ast.parse(made.program).body[1] for site in every.sites if site.operator == name for made in every.written(site)]
    return {"\n".join(ast.unparse(part) for part in one.body) for one in found if isinstance(one, ast.FunctionDef)}


@pytest.mark.parametrize(("name", "body", "expected"), [
    ("compare without case", "return x == 'Ab'", "return (x.lower() if isinstance(x, str) else x) == 'ab'"),
    ("compare without case", "return x in ('A', 'b')", "return (x.lower() if isinstance(x, str) else x) in ('a', 'b')"),
    ("compare without blanks at the ends", "return x != '..'", "return (x.strip() if isinstance(x, str) else x) != '..'"),
    ("compare the beginning", "return x == 'ab'", "return x.startswith('ab') if isinstance(x, str) else False"),
    ("what is empty is as None", "return x is None", "return not x"),
    ("what is empty is as None", "return x is not None", "return bool(x)"),
    ("only None is left out", "if x:\n    return 1\nreturn 2", "if x is not None:\n    return 1\nreturn 2"),
    ("only None is left out", "return 1 if not x else 2", "return 1 if not x is not None else 2"),
    ("only None takes the default", "return x or 1", "return x if x is not None else 1"),
    ("what is empty takes the default", "return x.get(y, 1)", "return x.get(y) or 1"),
    ("only signs of ASCII", "return x.isalpha()", "return x.isalpha() and x.isascii()"),
    ("strip spaces alone", "return x.strip()", "return x.strip(' ')"),
    ("only the newline ends a line", "return x.splitlines()", "return x.split('\\n')"),
    ("only the first", "return x.replace('a', y)", "return x.replace('a', y, 1)"),
    ("only the first", "return re.sub('a', y, x)", "return re.sub('a', y, x, count=1)"),
    ("the first stays", "x[y] = 1\nreturn x", "x.setdefault(y, 1)\nreturn x"),
    ("the last stays", "x.setdefault(y, 1)\nreturn x", "x.__setitem__(y, 1)\nreturn x"),
    ("each only once", "x.append(y)\nreturn x", "y in x or x.append(y)\nreturn x"),
    ("without the bound", "return min(x, y)", "return x"),
    ("only the bound", "return max(x, y)", "return y"),
    ("the last of those alike", "return max(x, key=y)", "return max(reversed(list(x)), key=y)"),
    ("those alike the other way round", "return sorted(x, key=y)", "return sorted(reversed(list(x)), key=y)"),
    ("a bool is no number", "return isinstance(x, int)", "return isinstance(x, int) and (not isinstance(x, bool))"),
    ("only once", "while x:\n    x -= y\nreturn x", "while x:\n    x -= y\n    break\nreturn x"),
    ("from the end", "for a in x:\n    y += a\nreturn y", "for a in reversed(list(x)):\n    y += a\nreturn y"),
    ("without the blank at the end", "return x + 'a '", "return x + 'a'"),
    ("without the last sign", "return x.find('](')", "return x.find(']')"),
    ("without the first sign", "return x.find(b'--a')", "return x.find(b'-a')"),
    ("without case", "return re.search('[a-z]', x)", "return re.search('(?i)[a-z]', x)"),
])  # fmt: skip
def test_a_misreading_makes_its_change_and_is_no_mutant(name: str, body: str, expected: str) -> None:
    assert read(body, name) == {expected}
    assert name not in {one.operator for one in mutants(program(body), "f")}


@pytest.mark.parametrize(("name", "body"), [
    ("compare without case", "return x == '+'"),
    ("compare without case", "return x.pop() == 'a'"),
    ("compare without blanks at the ends", "return x == ' a'"),
    ("compare without blanks at the ends", "return x == '/'"),
    ("each only once", "x.append(next(y))\nreturn x"),
    ("without case", "return re.search(r'\\d', x)"),
    ("only None takes the default", "return next(x) or 1"),
    ("the first stays", "x[1:] = y\nreturn x"),
])
def test_where_there_is_nothing_to_misread_there_is_no_misreading(name: str, body: str) -> None:
    assert read(body, name) == set()
