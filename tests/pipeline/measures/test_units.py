"""Classes and functions of a module as programs, with their measures counted by hand."""

from __future__ import annotations

import pytest

from pipeline.measures.units import CLASS, FUNCTION, Unit, units

MODULE = '''
"""A module."""
import re
import shop.money as money
from .rows import tidy
try:
    import fast
except ImportError:
    fast = None

LIMIT = 3


def clean(text):
    """Strip, and more."""
    return re.sub(" +", " ", tidy(text))


def unused(text):
    return text


def joined(parts):
    return "-".join(clean(part) if part else other(part) for part in parts)


def other(part):
    return clean(str(money.of(part)))


class Box:
    """A box."""

    def size(self):
        if self.empty():
            return 0
        return len(self.rows) + fast.count(self.rows) + unused(1)

    @classmethod
    def empty(cls):
        return cls.made() or cls.size()
'''


def found() -> dict[str, Unit]:
    return {one.name: one for one in units(MODULE, ["shop"])}


def test_units_are_those_at_the_top_in_their_order() -> None:
    assert [(one.name, one.kind) for one in units(MODULE, [])] == [
        ("clean", FUNCTION), ("unused", FUNCTION), ("joined", FUNCTION), ("other", FUNCTION), ("Box", CLASS)]


def test_a_function_comes_with_all_that_it_calls_and_their_imports() -> None:
    made = found()
    assert made["unused"].complexity.values == (1, 0, 0, 0, 0, 0, 0)
    assert made["unused"].readability.r2 == 2
    joined = made["joined"]  # clean, joined and other, behind re, money and tidy
    assert joined.readability.r2 == 3 * 2 + 3
    assert joined.complexity.values == (3, 0, 0, 1, 1, 2, 3)


def test_what_a_project_imports_from_itself_is_no_library() -> None:
    assert (found()["clean"].complexity.c5, found()["clean"].complexity.c6) == (1, 1)
    elsewhere = {one.name: one for one in units(MODULE, ["store"])}
    assert (elsewhere["other"].complexity.c5, elsewhere["other"].complexity.c6) == (2, 1)


def test_a_class_counts_calls_of_its_own_methods() -> None:
    box = found()["Box"]
    assert box.complexity.values == (1 + 1 + 1, 0, 0, 2, 1, 0, 2)
    assert box.readability.r2 == 1 + 1 + 4 + 3


def test_functions_that_call_each_other_end() -> None:
    [one, other] = units("def f(a):\n    return g(a)\n\ndef g(a):\n    return f(a)\n", [])
    assert one.complexity == other.complexity and one.complexity.c7 == 2


@pytest.mark.parametrize("text", ["def f(:", "x = '\0'", "x = " + "(" * 500 + ")" * 500])
def test_what_can_not_be_read_is_told(text: str) -> None:
    with pytest.raises((SyntaxError, ValueError, RecursionError, MemoryError)):
        list(units(text, []))


def test_measured_code_is_not_run(capsys: pytest.CaptureFixture[str]) -> None:
    [one] = units("print('run')\n\ndef f():\n    return 1\n", [])
    assert one.name == "f" and not capsys.readouterr().out
