"""Readings: wrong answers with the cases that refuse them, and what shown cases leave open."""

from __future__ import annotations

from harness.languages import Call, Machine
from harness.records import Case, Comparison
from harness.values import encode
from pipeline.suites.selection.readings import SECONDS, Reading, beyond, open_points, readings
from tests.pipeline.making import suite

PROGRAM = "def capped(values: list[int], most: int) -> list[int]:\n    return [value for value in values if value <= most]\n"
INPUTS = [([1, 2, 3], 2), ([1, 5], 3), ([4], 4), ([], 1)]


def found(machine: Machine) -> tuple[tuple[Case, ...], list[Reading]]:
    cases = suite(PROGRAM, INPUTS).cases
    return cases, readings(PROGRAM, "capped", cases, Comparison(), machine, 1)


def test_each_reading_has_the_cases_that_refuse_it_and_its_answers(machine: Machine) -> None:
    _, made = found(machine)
    strict = next(one for one in made if one.words == "line 2: change the comparison")
    assert strict.refused_by == (0, 2) and strict.given[2].value == encode([])
    unfiltered = next(one for one in made if "drop the filter" in one.words)
    assert unfiltered.refused_by == (0, 1)


def test_what_no_shown_case_refuses_is_open(machine: Machine) -> None:
    _, made = found(machine)
    assert any("change the comparison" in one.words for one in open_points(made, {1}, 9))
    assert not any("change the comparison" in one.words for one in open_points(made, {2}, 9))
    assert len(open_points(made, set(), 1)) == 1
    assert all(one.refused_by for one in open_points(made, set(), 99))


def test_a_reading_that_hangs_gives_nothing_from_there_on(machine: Machine) -> None:
    program = "def halvings(n: int) -> int:\n    count = 0\n    while n > 1:\n        n //= 2\n        count += 1\n    return count\n"
    cases = suite(program, [(1,), (5,), (8,), (2,), (3,), (6,), (7,)]).cases
    made = readings(program, "halvings", cases, Comparison(), machine, 1)
    endless = next(one for one in made if one.words == "line 4: delete the statement")
    assert endless.refused_by == (1, 2, 3, 4, 5, 6) and set(endless.given.values()) == {None}


def test_further_inputs_tell_a_hole_from_the_same_program_in_other_words(machine: Machine) -> None:
    cases = suite(PROGRAM, [([1, 2, 3], 5), ([], 1)]).cases
    passing = [one for one in readings(PROGRAM, "capped", cases, Comparison(), machine, 1) if not one.refused_by]
    strict = next(one for one in passing if one.words == "line 2: change the comparison")
    calls = [Call((encode([4]), 4), {}, SECONDS), Call((encode([1]), 3), {}, SECONDS)]
    further, tried = beyond(PROGRAM, "capped", [strict], calls, (), Comparison(), machine)
    assert [case.expected.value for case in further] == [encode([4]), encode([1])]
    assert [(one.words, one.refused_by) for one in tried] == [(strict.words, (0,))]
    assert tried[0].given[0].value == encode([])
    [again] = beyond(PROGRAM, "capped", [strict], calls[1:], (), Comparison(), machine)[1]
    assert not again.refused_by


def test_calls_that_give_nothing_tell_nothing(machine: Machine) -> None:
    program = "def halved(n: int) -> int:\n    while n < 0:\n        pass\n    return n // 2\n"
    cases = suite(program, [(1,), (4,)]).cases
    passing = [one for one in readings(program, "halved", cases, Comparison(), machine, 1) if not one.refused_by]
    calls = [Call((-1,), {}, SECONDS), Call((6,), {}, SECONDS)]
    further, tried = beyond(program, "halved", passing, calls, (), Comparison(), machine)
    assert passing and len(further) <= 1 and not any(one.refused_by for one in tried)


def test_an_error_tells_only_where_it_is_an_answer(machine: Machine) -> None:
    program = "def nth(values: list[int], n: int) -> int:\n    return values[n] if n <= 9 else 0\n"
    cases = suite(program, [([1, 2], 1), ([3], 0), ([3], 10)]).cases
    passing = [one for one in readings(program, "nth", cases, Comparison(), machine, 1) if not one.refused_by]
    strict = next(one for one in passing if "change the comparison" in one.words)
    calls = [Call((encode([1]), 9), {}, SECONDS)]
    assert not beyond(program, "nth", [strict], calls, (), Comparison(), machine)[1][0].refused_by
    assert beyond(program, "nth", [strict], calls, {"IndexError"}, Comparison(), machine)[1][0].refused_by == (0,)
