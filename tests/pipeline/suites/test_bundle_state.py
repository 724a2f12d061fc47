"""What bundles keep between calls, what loading them costs, and answers that call one of their members."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from typing import Any

import pytest

from harness.languages import Machine
from pipeline.suites.drafts import Draft, Refused, SuiteDraft
from pipeline.suites.instrument.reference import Reference, SlowToLoad
from pipeline.suites.instrument.standing import Standing
from pipeline.suites.selection.member_answers import member_stubs
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, request, small_suites

STATE = '''
import re
from collections import defaultdict, deque

class Setting:
    def __init__(self):
        self.size = 3

class Held:
    known = {}

LIST, NESTED, SEEN, COUNTS, LAST = [1], {"a": [{"b": 1}]}, set(), defaultdict(int), deque([1])
PATTERN, SETTING, NUMBER, CIRCLE = re.compile("a"), Setting(), 1, [1]
CIRCLE.append(CIRCLE)

def default(x, kept=[]):
    kept.append(x)

def f(how):
    global NUMBER
    if how == "bind":
        NUMBER = 2
    exec(how if how != "bind" else "")
'''
COUNTED = '''
CALLS = {"all": 0}

def _count(text: str) -> int:
    CALLS["all"] += 1
    return len(text)

def f(text: str) -> int:
    """The length of a text, twice that of a long one."""
    if _count(text) > 5:
        return 2 * len(text)
    return len(text)
'''
THOUGHTLESS = '''
def _clean(text: str) -> str:
    """The text without blanks at its ends, in small letters."""
    if text.isdigit():
        return "number"
    return text.strip().lower()

def f(text: str) -> str:
    """The clean text, or a word for what is empty."""
    if text == "":
        return "nothing"
    return _clean(text)
'''
REMEMBERING = '''
from functools import lru_cache

@lru_cache(maxsize=None)
def _steps(number: int) -> int:
    if number <= 1:
        return 0
    return 1 + _steps(number // 2 if number % 2 == 0 else number - 1)

def f(number: int, most: int = 7) -> int:
    """The steps to one, at most so many."""
    found = _steps(abs(number))
    if found > most:
        return most
    return found
'''
PROGRAMS = {"counted": COUNTED, "thoughtless": THOUGHTLESS, "remembering": REMEMBERING}


@pytest.fixture(scope="module")
def built(machine: Machine) -> dict[str, Draft]:
    return small_suites(PROGRAMS, machine)


@pytest.fixture(autouse=True)
def _no_clock() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGPROF, before)


@pytest.mark.parametrize(
    ("how", "changed"),
    [
        ("LIST.append(2)", "LIST"),
        ("NESTED['a'][0]['b'] = 2", "NESTED"),
        ("SEEN.add(1)", "SEEN"),
        ("COUNTS['asked']", "COUNTS"),
        ("LAST.append(3)", "LAST"),
        ("SETTING.size = 4", "SETTING"),
        ("Held.known['a'] = 1", "Held.known"),
        ("CIRCLE.append(2)", "CIRCLE"),
        ("default(1)", "a default of default"),
        ("bind", "NUMBER"),
        ("LIST.append(2); LIST.pop(); PATTERN.match('a')", None),
    ],
)
def test_what_calls_change_is_named(how: str, changed: str | None) -> None:
    made = request(STATE)
    space: dict[str, Any] = {"__name__": "reference"}
    exec(made.program, space)
    standing = Standing(Subject.of(made.program, "f"), space["f"])
    space["f"](how)
    assert standing.changed() == (() if changed is None else (changed,))


def test_a_bundle_whose_calls_change_its_constants_leaves(built: dict[str, Draft]) -> None:
    made = built["counted"]
    assert isinstance(made, Refused) and made.reason == "impure" and "CALLS" in made.evidence


def test_a_member_may_remember_its_calls(built: dict[str, Draft]) -> None:
    made = built["remembering"]
    assert isinstance(made, SuiteDraft) and made.branches == made.taken == 4, made.evidence


def test_a_bundle_that_loads_slowly_leaves() -> None:
    table = "TABLE = sorted(sorted(str(n) for n in range(2_500_000)), key=hash)"
    text = f"{table}\n\n\ndef f(x):\n    return TABLE[x]\n"
    with pytest.raises(SlowToLoad, match="too long"):
        Reference(Subject.of(text, "f"))
    Reference(Subject.of(text.replace("2_500_000", "900"), "f"))


def test_answers_that_call_one_member_are_written_down() -> None:
    text = """
        A, (B, C) = 1, (2, 3)
        LIMIT: int = 3

        class Odd:
            def method(self, x):
                return x

        def one(x):
            return x

        def all_of(*x):
            return x

        def too_many(a, b, c, d):
            return a

        def named(x, *, mark, other=1):
            return x

        def unknown(x, *, missing):
            return x

        def f(x: int, y: "Odd" = None, *, mark="-") -> Odd:
            return x
        """
    head = "def f(x, y=None, *, mark='-'):\n    return "
    assert member_stubs(program(text), "f") == tuple(
        f"{head}{value}\n" for value in ("one(x)", "all_of(x, y)", "named(x, mark=mark)", "LIMIT"))
    assert member_stubs("import re\n\ndef f(x):\n    return x\n", "f") == ()


def test_a_bundle_that_a_member_answers_alone_is_too_easy(built: dict[str, Draft]) -> None:
    made = built["thoughtless"]
    assert isinstance(made, Refused) and made.reason == "weak_suite"
    assert "call _clean with the arguments" in made.evidence
