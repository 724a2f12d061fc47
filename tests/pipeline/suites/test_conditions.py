"""Goals inside a line: which outcomes an input reaches, and that suites take what can be taken."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from harness.languages import Machine
from harness.values import canonical, encode
from pipeline.config import SuiteConfig
from pipeline.suites.instrument.reference import Reference
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, request


@pytest.fixture(autouse=True)
def _no_clock() -> Iterator[None]:
    """The copy sets a timer of CPU time, which must find a handler."""
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGPROF, before)


def _reached(text: str, *args: Any) -> list[str]:
    reference = Reference(Subject.of(program(text), "f"))
    reference.call(list(args), {})
    return [str(reference.conditions.goals[place]) for place in sorted(reference.conditions.reached())]


@pytest.mark.parametrize(
    ("text", "args", "expected"),
    [
        ("def f(x, y):\n    return x > 1 and y > 1", (0, 5), ["line 2: `x > 1` false"]),
        (
            "def f(x, y):\n    return x > 1 and y > 1",
            (2, 0),
            ["line 2: `x > 1` true", "line 2: `y > 1` false"],
        ),
        ("def f(x):\n    return x or 'none'", ("",), ["line 2: `x` false"]),
        ("def f(x):\n    return 1 if x else 2", (0,), ["line 2: `x` false"]),
        (
            "def f(x):\n    return [y for y in x if y > 1]",
            ([1, 2],),
            ["line 2: `y > 1` true", "line 2: `y > 1` false"],
        ),
        ("def f(x):\n    if x: return 1\n    return 2", (3,), ["line 2: `x` true"]),
        ("def f(x):\n    if x:\n        return 1\n    return 2", (3,), []),
        (
            "def f(x):\n    for y in x:\n        pass\n    return 2",
            ([],),
            ["line 2: `for y in x` passed through not at all"],
        ),
        (
            "def f(x):\n    for y in x:\n        break\n    return 2",
            ([1, 2],),
            ["line 2: `for y in x` passed through once"],
        ),
        ("def f(x):\n    for y in (1, 2):\n        x += y\n    return x", (1,), []),
    ],
    ids=str,
)
def test_an_input_reaches_outcomes(text: str, args: tuple[Any, ...], expected: list[str]) -> None:
    assert _reached(text, *args) == expected


SUBTLE = '''
def f(x, seen):
    """Order and number of evaluations are told by `seen`."""
    def say(value):
        seen.append(value)
        return value
    if 0 < say(x) < 5 and (half := x // 2) and not (say(half) == 1 or say(x) == 4):
        return half
    found = [y for y in range(x) if (z := y * 2) > 2 if say(z) != 6]
    for y in iter(found):
        if y > 3: continue
        seen.append(y)
    else:
        seen.append("end")
    return found if found else seen and x
'''


@pytest.mark.parametrize("number", range(-1, 8))
def test_the_copy_evaluates_what_the_original_does(number: int) -> None:
    original: dict[str, Any] = {}
    exec(program(SUBTLE), original)
    expected: list[Any] = []
    answer = original["f"](number, expected)
    reference, seen = Reference(Subject.of(program(SUBTLE), "f")), list[Any]()
    assert reference.conditions.goals
    assert reference.call([number, seen], {}).answer == canonical(encode(answer)) and seen == expected


ASSERTED = '''
def f(x: int, y: int) -> int:
    """Divide.{documented}"""
    assert isinstance(x, int) and x > -9 and (y or x)
    return x // (y or 1)
'''


@pytest.mark.parametrize(("documented", "asked"), [("", False), ("\n\n    Raises:\n        AssertionError: no.\n    ", True)])
def test_what_is_asserted_is_asked_for_where_its_failure_is_a_case(documented: str, asked: bool) -> None:
    text = ASSERTED.replace("{documented}", documented)
    goals = Reference(Subject.of(program(text), "f")).conditions.goals
    assert any("isinstance" in goal.text for goal in goals) == asked and any(goal.text == "y" for goal in goals)


MANY = '''
def label(name: str, size: int, tags: list[str]) -> str:
    """A label of a thing."""
    kept = [tag for tag in tags if tag.startswith("x-")]
    if (size > 10 and name.isupper()) or size == -3:
        return name.lower() if kept else name + "!"
    for tag in tags:
        name += tag
    return name
'''


def test_a_suite_takes_each_outcome_with_a_share_of_its_cases(machine: Machine) -> None:
    (made,) = build_suites([request(MANY)], SuiteConfig(), machine)
    assert made.unmet == ()
    counts = [sum(place in case.conditions for case in made.cases) for place in range(len(made.conditions))]
    assert len(counts) == 15 and min(counts) >= 15


def test_an_outcome_that_no_case_has_is_named(machine: Machine) -> None:
    text = 'def f(x: int) -> int:\n    """Twice."""\n    if x > 3 and x * x > 2:\n        ' \
        'return sum(x // n for n in range(1, 9))\n    return x'
    (made,) = build_suites([request(text)], SuiteConfig(), machine)
    assert (made.reason, made.unmet) == ("", ("line 3: `x * x > 2` false",))


@pytest.mark.parametrize(("test", "asked"), [
    ("x > 3 and x > 2", ["x > 3"]), ("x > 3 or x <= 3", ["x > 3", "x <= 3"]), ("x > 3 or x > 5", ["x > 3"]),
    ("x > 3 and y > 2", ["x > 3", "y > 2"]), ("x > 3 and x != 4", ["x > 3", "x != 4"]),
    ("x == 3 or x == 5 or x != 5", ["x == 3", "x == 5"]),
])
def test_outcomes_that_earlier_operands_rule_out_are_not_asked_for(test: str, asked: list[str]) -> None:
    goals = Reference(Subject.of(f"def f(x, y):\n    return 1 if {test} else 2\n", "f")).conditions.goals
    assert list(dict.fromkeys(goal.text for goal in goals if " else " not in goal.text and goal.text != test)) == asked


def test_several_outcomes_that_no_case_has_make_a_weak_suite(machine: Machine) -> None:
    text = 'def f(x: int) -> int:\n    """Twice."""\n    if x > 3 and x * x > 2 and abs(x) > 1:\n        return 1\n    return x'
    (made,) = build_suites([request(text)], SuiteConfig(), machine)
    assert made.reason == "weak_suite"
    assert made.evidence == "no case has line 3: `x * x > 2` false, line 3: `abs(x) > 1` false"
