"""Calls and cases as examples write them."""

from __future__ import annotations

import ast
from typing import Any

import pytest

from harness.records import Answer, Case
from harness.values.expressions import Names, NotShowable
from pipeline.instruct.examples.cases import as_doctest, call
from tests.pipeline.making import suite


def test_arguments_that_are_named_like_keywords_are_written_as_a_dictionary() -> None:
    case = Case((1,), {"size": 2, "and": "x"}, Answer("returned", 3))
    shown = call("f", case, Names.of(()))
    assert shown == "f(1, size=2, **{'and': 'x'})"
    ast.parse(shown)


def test_what_can_t_be_read_can_t_be_shown() -> None:
    with pytest.raises(NotShowable):
        call("f", Case(({"$": "no such thing"},), {}, Answer("returned", 3)), Names.of(()))


SHOWN: dict[str, tuple[str, Any, str]] = {
    "a value": ("return x * 2", 2, ">>> f(2)\n4"),
    "nothing": ("return None", 2, ">>> f(2) is None\nTrue"),
    "an iterator": ("return iter([x, x])", 2, ">>> list(f(2))\n[2, 2]"),
    "an exception": ("raise KeyError('k')", 2, ">>> f(2)\nTraceback (most recent call last):\n    ...\nKeyError: 'k'"),
    "an exception without a message": ("raise KeyError", 2, ">>> f(2)\nTraceback (most recent call last):\n    ...\nKeyError"),
    "a message of several lines": ("raise ValueError('a\\nb')", 2, ">>> f(2)\nTraceback (most recent call last):\n    ...\nValueError"),
    "a long message": ("raise ValueError('z' * 90)", 2, ">>> f(2)\nTraceback (most recent call last):\n    ...\nValueError"),
    "an argument that changes": ("x.append(1)", [0], ">>> f([0]) is None\nTrue\n# afterwards the arguments are: [0, 1]"),
}


@pytest.mark.parametrize(("body", "given", "text"), SHOWN.values(), ids=SHOWN)
def test_a_case_as_a_doctest(body: str, given: Any, text: str) -> None:
    made = suite(f'def f(x):\n    """D."""\n    {body}\n', [(given,)])
    assert as_doctest("f", made.cases[0], Names.of(()))[0] == text


def test_the_expressions_of_a_doctest_are_those_that_imports_are_made_from() -> None:
    made = suite('def f(x):\n    """D."""\n    x.append(3)\n    return len(x)\n', [([1],)])
    assert as_doctest("f", made.cases[0], Names.of(()))[1] == ("f([1])", "2", "[1, 3]")
