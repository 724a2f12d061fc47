"""What annotations say of parameters becomes the contract of functions for which no maintainer has written one."""

from __future__ import annotations

from typing import Any

import pytest

from harness.languages import Machine
from harness.values import decode
from pipeline.config import SuiteConfig
from pipeline.suites.domain.contract import checked, faults
from pipeline.suites.domain.declared import declared_contract
from pipeline.suites.instrument.reference import Reference
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import request


def contract(signature: str, body: str = "return x") -> tuple[str, ...]:
    return declared_contract(Subject.of(f"def f({signature}):\n    {body}\n", "f"))


KEPT: list[tuple[str, list[Any], list[Any]]] = [
    ("x: int", [0, -3], [True, 1.0, "1", None]),
    ("x: float", [0, 1.5], [True, "1"]),
    ("x: 'str | None'", ["", None], [b"", 1]),
    ("x: Optional[int] = None", [None, 4], [False, "4"]),
    ("x: str = None", [None, "a"], [1]),
    ("x: list[str]", [[], ["a"]], [("a",), [1], "a"]),
    ("x: typing.Sequence[int]", [(1,), [2]], [["1"], "12"]),
    ("x: dict[str, list[int]]", [{}, {"a": [1]}], [{1: []}, {"a": ["b"]}, {"a": 1}]),
    ("x: tuple[int, str]", [(1, "a")], [(1,), ("a", 1), [1, "a"]]),
    ("x: tuple[int, ...]", [(), (1, 2)], [("a",), [1]]),
    ("x: Literal['up', 'down']", ["up"], ["left", 1]),
    ("x: list[int | str]", [[1, "a"]], [[None]]),
    ("x: Annotated[int, 'm']", [3], ["3"]),
]


@pytest.mark.parametrize(("signature", "inside", "outside"), KEPT, ids=[row[0] for row in KEPT])
def test_a_condition_holds_for_what_the_annotation_says(
    signature: str, inside: list[Any], outside: list[Any]
) -> None:
    program = f"from __future__ import annotations\ndef f({signature}):\n    return x\n"
    subject, conditions = Subject.of(program, "f"), contract(signature)
    assert len(conditions) == 1 and list(faults(conditions, program, "f")) == []
    within = checked(subject, Reference(subject).function, conditions)
    assert within is not None
    assert [value for value in inside if not within([value], {})] == []
    assert [value for value in outside if within([value], {})] == []


@pytest.mark.parametrize("signature", [
    "x", "x: Any", "x: Thing", "x: Iterable[int]", "x: int | Thing", "x: Callable[[int], int]", "x: '('", "x: int = LIMIT",
])
def test_where_an_annotation_says_nothing_that_can_be_asked_there_is_no_condition(signature: str) -> None:
    assert contract(signature) == ()


def test_what_the_body_asks_for_is_part_of_what_is_passed() -> None:
    assert contract("x: list[int]", "return [x] if isinstance(x, int) else x") == ()


def test_every_case_keeps_to_it(machine: Machine) -> None:
    text = '''
def f(prices: list[float], share: float, name: str | None = None) -> list[str]:
    """Prices less a share, those above 10 with a name in front."""
    found = []
    for price in prices:
        left = round(price * (1 - share), 2)
        if left > 10 and name:
            found.append(f"{name}: {left}")
        else:
            found.append(str(left))
    return found
'''
    subject = Subject.of(text, "f")
    conditions = declared_contract(subject)
    assert len(conditions) == 3
    (made,) = build_suites([request(text)], SuiteConfig(cases=60), machine)
    within = checked(subject, Reference(subject).function, conditions)
    assert within is not None
    assert all(within([decode(a) for a in case.args], {k: decode(v) for k, v in case.kwargs.items()})
               for case in made.cases)
