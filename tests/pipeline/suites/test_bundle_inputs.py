"""What inputs of bundles are: what members say of parameters that are handed on, and types that the program defines."""

from __future__ import annotations

import ast
from textwrap import dedent

import pytest

from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import Dictionary, Entry, Real, Text, Unbuildable, Whole, options_of
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.handing_on import handed_on
from pipeline.suites.inference.infer import infer
from pipeline.suites.subject import Subject, find_function


def subject(text: str) -> Subject:
    return Subject.of(dedent(text).strip() + "\n", "f")


def inferred(text: str, name: str) -> Parameter:
    return next(one for one in infer(subject(text)) if one.name == name)


def test_a_parameter_is_what_the_member_that_takes_it_is_said_to_take() -> None:
    text = """
        def inner(number: float, *, mark="-"):
            return number

        def outer(value):
            return inner(value)

        def f(x, y):
            return outer(x) if y else outer(value=3)
        """
    found = inferred(text, "x")
    assert Real() in options_of(found.spec) and not found.declared
    assert "inner is said to take it" in found.evidence


def test_what_is_annotated_itself_stays_so() -> None:
    text = "def inner(number: float):\n    return number\n\n\ndef f(x: str):\n    return inner(x)\n"
    assert isinstance(inferred(text, "x").spec, Text)


def test_what_a_member_does_with_it_counts() -> None:
    text = """
        def inner(one, other):
            return one.upper() + other.split(",")[0]

        def f(x, y):
            return inner(other=y, one=x)
        """
    assert isinstance(inferred(text, "x").spec, Text) and isinstance(inferred(text, "y").spec, Text)


def test_members_that_call_each_other_are_read_once() -> None:
    text = """
        def even(n):
            return True if n == 0 else odd(n - 1)

        def odd(n):
            return False if n == 0 else even(n - 1)

        def f(n):
            return even(n) or f(n)
        """
    assert Whole in [type(one) for one in options_of(inferred(text, "n").spec)]


@pytest.mark.parametrize(
    ("body", "count"),
    [("return g(x)", 2), ("return g(b=x)", 1), ("x = 3\n    return g(x)", 0), ("return g(x + 1)", 0), ("return g(*x)", 0)],
)
def test_handing_on_is_followed_where_nothing_else_is_bound_to_the_name(body: str, count: int) -> None:
    tree = ast.parse(f"def h(c):\n    return c\n\n\ndef g(a=1, b=2):\n    return h(a)\n\n\ndef f(x):\n    {body}\n")
    members = [find_function(tree, name) for name in ("h", "g")]
    assert len(handed_on(find_function(tree, "f"), "x", members)) == count


TYPED = """
from typing import NotRequired, TypedDict
from enum import Enum
from typing import NamedTuple

class Base(TypedDict):
    name: str

class Row(Base, total=False):
    count: int
    more: NotRequired["Row"]

class Side(Enum):
    LEFT = "leftwards"

class Pair(NamedTuple):
    first: int
    second: int

def f(row: Row, side: Side, pair: Pair, rows: list[Row] | None = None):
    return row["name"]
"""


def test_a_typed_dictionary_is_a_dictionary_with_its_keys() -> None:
    spec = inferred(TYPED, "row").spec
    assert isinstance(spec, Dictionary)
    assert spec.entries[0] == Entry("name", Text(), True) and isinstance(spec.entries[1].value, Whole)
    assert [one.required for one in spec.entries] == [True, False, False]


@pytest.mark.parametrize("name", ["side", "pair"])
def test_instances_of_classes_of_the_program_are_carried_by_nothing(name: str) -> None:
    assert isinstance(inferred(TYPED, name).spec, Unbuildable)


def test_constants_of_members_come_after_those_of_the_function() -> None:
    text = 'def g(x):\n    return x == "inner"\n\n\ndef f(x):\n    """Shown."""\n    return g(x) or x == "outer"\n'
    assert pool_of(subject(text)).texts == ["outer", "inner"]
    assert "leftwards" in pool_of(subject(TYPED)).texts
