"""Near misses: small changes of the cases that keep to the contract; what they tell apart and no case does is a hole."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.languages import Machine
from harness.records import Task
from harness.values import decode
from pipeline.release.near_misses import near_misses
from pipeline.release.readings import read
from tests.harness.make_release import make_tasks
from tests.pipeline.making import suite

PROGRAM = '''def without_dots(parts: list[str]) -> list[str]:
    kept = []
    for part in parts:
        if part == "..":
            del kept[-1:]
        else:
            kept.append(part)
    return kept
'''
INPUTS = [(["a", "..", "b c"],), (["a", "b"],), (["..", "é "],), ([],), (["a", "a", ".."],)]
CONTRACT = ("all(part == part.lower() and len(part) < 5 for part in parts)",)


@pytest.fixture(scope="module")
def task() -> Task:
    """A task with few cases, in none of which dots have blanks around them."""
    return replace(
        make_tasks("sc-python")[0], entry_point="without_dots", reference=PROGRAM, given=None,
        cases=suite(PROGRAM, INPUTS).cases, contract=CONTRACT, strategies="",
    )


def test_they_keep_to_the_contract_and_differ_from_the_cases(task: Task, machine: Machine) -> None:
    lists = [decode(call.args[0]) for call in near_misses(task, 1, machine)]
    assert len(lists) > 100 and all(len(part) < 5 and part == part.lower() for parts in lists for part in parts)
    assert sum(parts not in [one for one, in INPUTS] for parts in lists) > 0.9 * len(lists)
    assert [decode(call.args[0]) for call in near_misses(task, 1, machine)] == lists
    assert [decode(call.args[0]) for call in near_misses(task, 2, machine)] != lists


def test_without_a_contract_there_are_none(task: Task, machine: Machine) -> None:
    assert near_misses(replace(task, contract=()), 1, machine) == []


def test_what_a_near_miss_tells_and_no_case_does_is_a_hole(task: Task, machine: Machine) -> None:
    found = read(task, machine)
    assert found.further > 100 and 0 < found.holes <= found.passing
    blank = next(one for one in found.missed if "compare without blanks at the ends" in one)
    assert blank.startswith("No case says that without_dots([") and "line 4: " in blank
    # What the contract keeps out is none: no part has letters in the other case.
    assert not any("without case" in one for one in found.missed)


def test_what_a_case_tells_is_no_hole(task: Task, machine: Machine) -> None:
    more = suite(PROGRAM, [*INPUTS, (["a", " .."],)]).cases
    [said] = [one for one in read(replace(task, cases=more), machine).missed if "compare without blanks" in one]
    assert said.startswith("Hardly any case says that without_dots(['a', ' ..']) gives ") and "; 0 more show it" in said
