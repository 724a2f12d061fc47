"""Which cases are shown as examples, and in which order."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from pipeline.config import InstructConfig
from pipeline.instruct.examples.cases import branches_of, changed_positions, is_bare, is_passed_on, type_name
from pipeline.instruct.examples.choice import Example, choose, features, readable
from pipeline.records import Suite
from tests.pipeline.instruct.making import Inputs, drafted, facts_of
from tests.pipeline.instruct.test_author import CLIP, INPUTS
from tests.pipeline.making import suite

DOUBLE = 'def f(xs):\n    """D."""\n    return [2 * x for x in xs if x > 0]\n'


def shown(program: str, inputs: Inputs) -> str:
    return drafted(suite(program, inputs)).shown


def chosen(made: Suite, **config: int) -> list[Example]:
    return choose(made, facts_of(made), InstructConfig(**config))


def test_examples_are_cases_with_the_answers_of_the_reference() -> None:
    doctests = drafted(suite(CLIP, INPUTS)).shown
    assert ">>> clip('hello world', 5)\n'hello...'" in doctests
    assert ">>> clip(None)\nTraceback (most recent call last):\n    ...\nValueError: no text" in doctests


def test_examples_are_typical_before_special_and_do_not_repeat_an_answer() -> None:
    doctests = shown(DOUBLE, [([],), ([-1],), ([-2, -3],), ([3],), ([1, 2],), ([3, -1],), ([0],), ([5, 5],), ([7],)])
    answers = [part.split("\n")[1] for part in doctests.split(">>> ")[1:]]
    assert answers[0] != "[]"
    assert answers[-1] == "[]"
    assert len(set(answers)) == len(answers)


def test_nothing_in_and_what_is_passed_on_are_shown_when_that_is_special() -> None:
    program = 'def f(s):\n    """D."""\n    if s is None:\n        return "nobody"\n    return "dear " + s\n'
    assert ">>> f(None)\n'nobody'" in shown(program, [("ann",), ("bob",), (None,), *((f"u{i}",) for i in range(40))])


def test_each_exception_is_shown() -> None:
    program = ('def f(n):\n    """D."""\n    if n > 90:\n        raise KeyError("k")\n    if n > 80:\n'
               '        raise ValueError("v")\n    return n * 2\n')
    doctests = shown(program, [(n,) for n in range(92)])
    assert "ValueError: v" in doctests
    assert "KeyError: 'k'" in doctests


def test_at_most_half_of_the_examples_raise() -> None:
    program = 'def f(n):\n    """D."""\n    if n > 3:\n        raise ValueError(str(n))\n    return n * 2\n'
    examples = chosen(suite(program, [(n,) for n in range(40)]))
    raising = sum(example.role == "raises" for example in examples)
    assert 1 <= raising <= len(examples) / 2
    assert [example.role for example in examples] == sorted(
        (example.role for example in examples), key=("typical", "special", "raises").index)


def test_modules_that_values_need_are_imported_before_the_examples() -> None:
    program = 'def f(p):\n    """D."""\n    return p.name\n'
    assert shown(program, [(Path("a/b"),), (Path("c"),)]).startswith(">>> from pathlib import Path\n>>> f(Path('")


def test_long_examples_are_shown_where_there_are_no_others() -> None:
    program = 'def f(s):\n    """D."""\n    return s[::-1]\n'
    assert shown(program, [("ab" * 150,), ("cd" * 170,)]).count(">>>") == 2
    assert "cd" not in shown(program, [("ab",), ("cd" * 170,)])


def test_values_that_have_no_text_are_not_shown() -> None:
    program = 'def f(s):\n    """D."""\n    return len(s)\n'
    made = suite(program, [("ab",), ("c\x00d",), ("x" * 2000,)])
    assert {example.index for example in readable(made, facts_of(made), InstructConfig())} <= {0, 1}


def test_examples_show_the_branches_that_few_cases_take() -> None:
    made = replace(suite(CLIP, [("abcd",)] * 30 + [("ab",)]), covered=(*[(1,)] * 30, (2,)))
    assert 30 in drafted(made, examples=2).examples


def test_examples_are_short_and_few() -> None:
    draft = drafted(suite(CLIP, [("x" * n,) for n in range(1, 400, 7)]), examples=4, max_example_chars=80)
    assert 3 <= len(draft.examples) <= 4
    assert all(len(example) < 120 for example in draft.shown.split(">>>"))


def test_past_the_first_few_an_example_teaches_something_new() -> None:
    made = suite('def f(n):\n    """D."""\n    return n * 2\n', [(n,) for n in range(20, 60)])
    assert len(chosen(made)) == 4
    several = replace(made, covered=tuple((index % 7,) for index in range(40)))
    assert len(chosen(several)) == 7


def test_what_callers_pass_comes_first() -> None:
    made = suite('def f(n):\n    """D."""\n    return n * 2\n', [(n,) for n in range(20, 60)])
    assert {example.index for example in chosen(replace(made, usual=10))} <= set(range(10))


def test_a_value_of_the_body_is_shown_where_it_decides() -> None:
    program = 'def f(s):\n    """D."""\n    if s == "draft":\n        return False\n    return len(s) > 2\n'
    inputs: Inputs = [("alpha",), ("b",), ("gamma",), ("draft",), *((f"word {i}",) for i in range(30))]
    assert ">>> f('draft')\nFalse" in shown(program, inputs)


@pytest.mark.parametrize(("given", "answer", "found"), [
    ((1,), 2, {"branch 3", "branch 5", "returns int"}),
    (("a",), "", {"branch 3", "branch 5", "returns str", "returns nothing"}),
    (("a",), ["b"], {"branch 3", "branch 5", "returns list", "returns something"}),
    ((0,), None, {"branch 3", "branch 5", "returns None"}),
    ((0,), True, {"branch 3", "branch 5", "returns bool", "returns True"}),
])
def test_what_a_case_shows(given: tuple[Any, ...], answer: Any, found: set[str]) -> None:
    made = suite(f'def f(x):\n    """D."""\n    return {answer!r}\n', [given])
    assert features(replace(made, covered=((3, 5),)), 0) == found


def test_what_a_case_that_raises_shows() -> None:
    made = suite('def f(x):\n    """D."""\n    raise KeyError(x)\n', [(1,)])
    assert features(made, 0) == {"raises KeyError"}


@pytest.mark.parametrize(("value", "bare"), [
    (None, True), (0, True), (0.0, True), (float("nan"), True), ("", True), (" \n", True), (b"", True), ([], True), ([[], [0]], True),
    ({"a": None}, True), (set(), True), (False, False), (True, False), (1, False), ("a", False), ([0, 1], False), ({"a": 1}, False)])
def test_values_that_say_nothing(value: Any, bare: bool) -> None:
    made = suite('def f(x):\n    """D."""\n    return 1\n', [(value,)])
    assert is_bare(made.cases[0].args[0]) is bare


@pytest.mark.parametrize(("program", "given", "same"), [
    ("return x", "a", True), ("return x + x", "a", False), ("return x", True, False), ("return x", None, False), ("raise KeyError(x)", "a", False)])
def test_answers_that_are_an_argument(program: str, given: Any, same: bool) -> None:
    assert is_passed_on(suite(f'def f(x):\n    """D."""\n    {program}\n', [(given,)]).cases[0]) is same


def test_arguments_that_change_are_found_by_their_place() -> None:
    program = 'def f(a, b, c):\n    """D."""\n    b.append(1)\n    c.update(a)\n'
    assert changed_positions(suite(program, [({}, [], {}), ({"x": 1}, [], {})])) == [1, 2]
    assert changed_positions(suite('def f(a):\n    """D."""\n    return a\n', [([],)])) == []


def test_branches_are_none_where_the_suite_does_not_tell() -> None:
    made = suite('def f(a):\n    """D."""\n    return a\n', [(1,), (2,)])
    assert branches_of(replace(made, covered=((4,),)), 0) == (4,) and branches_of(replace(made, covered=((4,),)), 1) == ()


@pytest.mark.parametrize(("value", "name"), [(None, "None"), (1, "int"), ([], "list"), (Path("a"), type(Path("a")).__name__)])
def test_types_are_called_by_their_names(value: Any, name: str) -> None:
    assert type_name(value) == name
