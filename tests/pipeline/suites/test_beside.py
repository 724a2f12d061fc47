"""Types as values, pieces of texts by their place, and other inputs that a body asks for beside the usual ones."""

from __future__ import annotations

import typing
from random import Random

import pytest

from harness.languages import Machine
from harness.values import decode, encode
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.drafts import Draft
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import printed
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, searched, takes_all_branches

PROGRAMS = {
    "instances of a class": '''
        def spliced(items, cls):
            """The items, with those of a class spliced in."""
            found = []
            for item in items:
                if isinstance(item, cls):
                    found.extend(item)
                else:
                    found.append(item)
            return found
    ''',
    "annotations": '''
        from typing import Union, get_args, get_origin

        def worded(annotation):
            """An annotation in words."""
            origin, args = get_origin(annotation), get_args(annotation)
            if origin is None:
                return getattr(annotation, "__name__", "any")
            if origin is Union and type(None) in args:
                return "maybe " + worded(args[0])
            if origin in (list, set):
                return f"{origin.__name__} of {worded(args[0])}"
            if origin is dict:
                return f"{worded(args[0])} to {worded(args[1])}"
            return str(annotation)
    ''',
    "exceptions": '''
        def numbers(texts: list[str], errors, default=None):
            """The numbers in texts, a default for those that raise one of the exceptions."""
            found = []
            for text in texts:
                try:
                    found.append(int(text))
                except errors:
                    found.append(default)
            return found
    ''',
    "pieces of pieces": '''
        def content_range(header):
            """Start, end and length of a part."""
            unit, rest = header.strip().split()
            if unit.lower() != "bytes":
                raise ValueError("no bytes")
            span, length = rest.split("/")
            start, end = map(int, span.split("-"))
            return start, end, None if length == "*" else int(length)
    ''',
    "too many seconds": '''
        from datetime import timedelta

        def age(value: str | None = None) -> timedelta | None:
            """Seconds as a span of time."""
            if not value:
                return None
            try:
                seconds = int(value)
            except ValueError:
                return None
            try:
                return timedelta(seconds=seconds)
            except OverflowError:
                return timedelta.max
    ''',
    "comparing that raises": '''
        def place_of(value, values):
            """The place of a value, by identity or equality."""
            for place, one in enumerate(values):
                if one is value:
                    return place
                try:
                    if one == value:
                        return place
                except Exception:
                    return -1
            raise ValueError("not there")
    ''',
    "False beside a declared type": '''
        def columns(names: list[str], index: list[str] | None = None) -> list[str]:
            """The names without those of the index; all but the first for False."""
            if index is False:
                return names[1:]
            return [name for name in names if name not in (index or [])]
    ''',
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(PROGRAMS, machine)


@pytest.mark.parametrize("name", PROGRAMS)
def test_all_branches_are_taken(name: str, made: dict[str, Draft]) -> None:
    assert takes_all_branches(made[name]), made[name]


TYPED = {
    "isinstance": ("a", "return isinstance(1, a)", "a class | tuple[a class], ..."),
    "get_origin": ("a", "return typing.get_origin(a)", "a type"),
    "compared": ("a", "return a is int", "a class"),
    "caught": ("a", "try:\n        pass\n    except a:\n        pass", "a class of exceptions | tuple[a class of exceptions], ..."),
    "called": ("a", "return a(1) if a is int else a()", "a class"),
    "annotated": ("a: type[int]", "return a", "a class"),
    "of exceptions": ("a: type[BaseException]", "return a", "a class of exceptions"),
}


@pytest.mark.parametrize("name", TYPED)
def test_what_is_used_as_a_type_is_one(name: str) -> None:
    arguments, body, expected = TYPED[name]
    (parameter,) = infer(Subject.of(program(f"import typing\n\ndef f({arguments}):\n    {body}"), "f"))
    assert describe(parameter.spec) == expected


def test_a_class_of_a_project_stays_out_of_reach() -> None:
    (parameter,) = infer(Subject.of("def f(a: type[Widget]):\n    return a.name", "f"))
    assert describe(parameter.spec) == "a type"


def test_types_are_drawn_in_one_order_and_can_be_carried() -> None:
    text = "import typing\n\ndef f(annotation):\n    return typing.get_args(annotation)\n"
    parameters = infer(Subject.of(text, "f"))
    first, second = (Sampler(Random(3), pool_of(Subject.of(text, "f"))) for _ in range(2))
    drawn = [first.value(parameters[0].spec) for _ in range(200)]
    assert drawn == [second.value(parameters[0].spec) for _ in range(200)]
    assert all(decode(encode(kind)) == kind for kind in drawn)
    assert {typing.get_origin(kind) for kind in drawn} >= {None, list, dict, tuple, typing.Union, typing.Literal}


def test_the_strategy_of_types_is_python() -> None:
    text = "def f(items, cls):\n    return [one for one in items if isinstance(one, cls)]\n"
    module = printed("f", infer(Subject.of(text, "f")), pool_of(Subject.of(text, "f")), 1).text(())
    compile(module, "strategies.py", "exec")
    assert "cls_values = st.one_of(st.sampled_from([" in module and "import typing" not in module
