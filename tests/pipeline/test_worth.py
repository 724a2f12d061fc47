"""Worth: a number from a program's text alone, with the parts, the helpers and the spread that it promises."""

from __future__ import annotations

from dataclasses import dataclass, replace
from textwrap import dedent

import pytest

from pipeline.config import WorthConfig
from pipeline.languages.programs import Unreadable
from pipeline.worth import Program, by_worth, measure, share_limit

PLAIN = "def f(x):\n    return x + 1\n"
BRANCHES = """
    def f(x):
        if x > 3:
            return x + 1
        if x < 0:
            return x - 1
        return x * 2
"""
LOOP = """
    def f(rows):
        total = 0
        for row in rows:
            for one in row:
                total += one
        return total
"""
CALLS = "def f(x):\n    return sorted(x.strip().split(','))[0]\n"
WITH_HELPER = """
    def clean(rows):
        return [row.strip().lower() for row in rows if row]

    def f(rows):
        return clean(rows)
"""
ONLY = WorthConfig(0, 0, 0, 0)


def program(text: str) -> Program:
    return measure(dedent(text), "f", "python")


def worth(text: str, config: WorthConfig | None = None) -> float:
    return program(text).worth(config or WorthConfig())


@pytest.mark.parametrize(("part", "text", "expected"), [
    ("complexity", BRANCHES, 2 / 6),
    ("length", BRANCHES, 5 / 15),
    ("loops", LOOP, 3 / 5),
    ("variety", PLAIN, 2 / 14),
    ("variety", CALLS, 5 / 17),
], ids=["two branches", "five statements", "a loop in a loop", "a return and a sum", "calls by their names"])
def test_each_part_is_its_amount_over_itself_and_the_half(part: str, text: str, expected: float) -> None:
    assert worth(text, replace(ONLY, **{part: 1.0})) == pytest.approx(expected)


def test_worth_is_the_mean_of_the_parts_by_their_weights() -> None:
    config = WorthConfig(2.0, 1.0, 0.0, 1.0)
    parts = [worth(BRANCHES, replace(ONLY, **{part: 1.0})) for part in ("complexity", "complexity", "length", "variety")]
    assert worth(BRANCHES, config) == pytest.approx(sum(parts) / 4)
    assert worth(BRANCHES, ONLY) == 0.0


def test_what_is_to_be_solved_is_worth_more_than_an_idiom() -> None:
    assert worth(PLAIN) < worth(CALLS) < worth(BRANCHES) < worth(LOOP) < 1


@pytest.mark.parametrize("other", [
    "def f(x):\n    # a comment\n\n    return (\n        x + 1\n    )\n",
    'def f(x: int) -> int:\n    """Documented at some length."""\n    return x + 1\n',
    "def f(number):\n    return number + 1\n",
], ids=["layout", "documentation and annotations", "names"])
def test_only_what_is_computed_counts(other: str) -> None:
    assert program(other) == program(PLAIN)


def test_what_is_raised_is_one_kind_whatever_its_type() -> None:
    text = "def f(x):\n    if x:\n        raise {}(x)\n    return x\n"
    assert program(text.format("ValueError")) == program(text.format("KeyError"))


def test_helpers_count_less_than_the_entry_function() -> None:
    alone = "def f(rows):\n    return [row.strip().lower() for row in rows if row]\n"
    none, half, whole = (worth(WITH_HELPER, replace(WorthConfig(), helpers=share)) for share in (0.0, 0.5, 1.0))
    assert none < half < whole and half < worth(alone)


def test_the_entry_function_is_measured_wherever_it_stands() -> None:
    first, second = dedent(WITH_HELPER).strip().split("\n\n")
    assert measure(f"{second}\n\n{first}\n", "f", "python") == program(WITH_HELPER)


def test_a_program_without_its_entry_function_is_refused() -> None:
    with pytest.raises(Unreadable):
        measure("def g(x):\n    return x\n", "f", "python")


@dataclass(frozen=True)
class Record:
    """Something with an id."""

    id: str


def ordered(programs: dict[str, str], config: WorthConfig) -> str:
    measured = {name: program(text) for name, text in programs.items()}
    return "".join(record.id for record in by_worth([Record(name) for name in programs], measured, config))


def test_what_is_worth_more_comes_first_and_even_ones_in_their_order() -> None:
    assert ordered({"p": PLAIN, "l": LOOP, "q": PLAIN, "b": BRANCHES}, WorthConfig(spread=0.0)) == "lbpq"


def test_spread_prefers_kinds_that_none_before_has() -> None:
    programs = {"b": BRANCHES, "c": BRANCHES, "s": CALLS}
    assert ordered(programs, WorthConfig(spread=0.0)) == "bcs"
    assert ordered(programs, WorthConfig(spread=4.0)) == "bsc"


def test_no_group_exceeds_its_share() -> None:
    assert share_limit([40, 10, 10], 1000, 0.5) == 20
    assert share_limit([3], 1000, 1.0) == 3
    assert share_limit([], 10, 0.5) == 1
