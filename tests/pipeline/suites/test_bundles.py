"""Suites of bundles: a function with helpers and classes of its program, all of whose branches count."""

from __future__ import annotations

import json
import signal
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.release.coverage import recounted
from pipeline.suites.cli import suite
from pipeline.suites.drafts import Draft, Refused, SuiteDraft
from pipeline.suites.instrument.branch_coverage import Measure, told, verdict
from pipeline.suites.instrument.reference import Observation, Reference
from pipeline.suites.oracle import Recorded, finish, lite_of
from pipeline.suites.proofs.unreachable import CLAIMED
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.selection.mutation_analysis import Trials
from pipeline.suites.selection.mutation_score import sharpness
from pipeline.suites.subject import Subject
from tests.harness.make_release import make_task
from tests.pipeline.suites.programs import program, request, small_suites

WIDTHS = '''
from functools import lru_cache

MARKS = {"left": "<", "right": ">"}

class Odd(ValueError):
    """What is no side."""

    def __init__(self, side: str) -> None:
        if not side:
            side = "nothing"
        super().__init__(side)

@lru_cache(maxsize=None)
def _mark(side: str) -> str:
    if side not in MARKS:
        raise Odd(side)
    return MARKS[side]

def _cut(text: str, width: int) -> str:
    if len(text) > width:
        return text[:width]
    return text

def pad(text: str, width: int, side: str = "left") -> str:
    """The text in so many characters at most, after the mark of a side; sides are "left" and "right"."""
    if width < 0:
        raise ValueError("negative")
    return _mark(side) + _cut(text, width)
'''
SWALLOWED = '''
def _digit(text: str) -> int:
    """The number that is written in decimal digits."""
    if not text.isdigit():
        raise ValueError(text)
    return int(text)

def total(texts: list[str]) -> int:
    """The sum of the numbers among texts like "12", others left out."""
    found = 0
    for text in texts:
        try:
            found += _digit(text)
        except ValueError:
            continue
    if found > 100:
        return 100
    return found
'''
OUT_OF_REACH = '''
def _half(number: int) -> int:
    """Half of it."""
    if number * 2 // 2 != number:
        return 0
    return number // 2

def halves(number: int) -> int:
    """Half of a number, or of the next one."""
    if number % 2:
        return _half(number + 1)
    return _half(number)
'''
PROGRAMS = {"widths": WIDTHS, "swallowed": SWALLOWED, "out of reach": OUT_OF_REACH}


@pytest.fixture(scope="module")
def built(machine: Machine) -> dict[str, Draft]:
    return small_suites(PROGRAMS, machine, budget=600)


@pytest.fixture(autouse=True)
def _no_clock() -> Iterator[None]:
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGPROF, before)


def subject(text: str) -> Subject:
    made = request(text)
    return Subject.of(made.program, made.entry_point)


def called(text: str, *args: object) -> Observation:
    return Reference(subject(text)).call(list(args), {})


def test_members_are_functions_and_methods_in_the_order_of_the_text() -> None:
    assert [member.name for member in subject(WIDTHS).members] == ["Odd.__init__", "_mark", "_cut"]
    assert subject(WIDTHS).member_at(22) == "_cut" and subject(WIDTHS).member_at(29) == ""


def test_the_goals_of_members_are_goals_and_named() -> None:
    words = [str(goal) for goal in Measure(subject(WIDTHS)).goals]
    assert "`_cut` line 20 to line 21" in words and "`Odd.__init__` line 9 to line 10" in words
    assert "line 26 to line 27" in words


def test_conditions_of_members_are_seen() -> None:
    reference = Reference(subject('''
        def _either(x, y):
            return x > 1 or y > 1

        def f(x, y):
            return 3 if _either(x, y) else 4
        '''))
    reference.call([0, 2], {})
    found = [str(reference.conditions.goals[place]) for place in sorted(reference.conditions.reached())]
    assert found == ["line 5: `_either(x, y)` true", "`_either` line 2: `x > 1` false", *found[2:]]


def test_what_members_raise_is_meant_and_what_comes_up_in_them_is_not() -> None:
    assert called(WIDTHS, "text", 3, "up").kind == "raised"
    assert called(WIDTHS, 5, 3, "left").kind == "nonsense"
    caught = SWALLOWED.replace("continue", "found += text")
    assert called(caught, ["12", "x"]).kind == "nonsense"
    assert called(SWALLOWED.replace("except ValueError", "except KeyError"), ["x"]).kind == "raised"


def test_what_a_member_promises_is_meant() -> None:
    text = '''
        def _number(text):
            """The number.

            Raises:
                ValueError: if it is none
            """
            return int(text)

        def f(text):
            return _number(text) + int(text[1:])
        '''
    assert called(text, "x").kind == "raised"
    assert called(text, "1x"[:1]).kind == "nonsense"


def test_a_member_that_remembers_calls_is_called_anew() -> None:
    reference = Reference(subject(WIDTHS))
    first, second = (reference.call(["text", 3, "left"], {}) for _ in range(2))
    assert first.goals == second.goals


def test_all_branches_of_a_bundle_are_taken(built: dict[str, Draft]) -> None:
    for name in ("widths", "swallowed"):
        made = built[name]
        assert isinstance(made, SuiteDraft), made.evidence
        assert made.branches == made.taken and not made.excused
    assert built["widths"].branches == 8  # type: ignore[union-attr]


def test_what_a_member_keeps_untaken_is_told_with_its_name(built: dict[str, Draft]) -> None:
    made = built["out of reach"]
    assert isinstance(made, Refused) and made.reason == "coverage_below_100"
    assert "`_half` line 3 to line 4" in made.evidence


def test_what_somebody_claims_is_out_of_reach_is_no_goal_unless_it_is_taken(machine: Machine) -> None:
    right = "`_half` line 3 to line 4: twice a number is even", "`_half` line 4: twice a number is even"
    wrong = *right, "`_half` line 5: nobody comes there"
    asked = [replace(request(OUT_OF_REACH), id=str(len(claims)), unreachable=claims) for claims in (right, wrong)]
    good, bad = build_suites(asked, SuiteConfig(cases=60, budget=600), machine)
    assert isinstance(good, Refused) and good.reason == "trivial"
    assert bad.reason == "coverage_below_100" and "line 5, which is taken although nobody comes there" in bad.evidence


def test_conditions_of_a_branch_that_is_claimed_out_of_reach_need_no_cases(machine: Machine) -> None:
    text = OUT_OF_REACH.replace("if number * 2 // 2 != number:", "if number * 2 // 2 != number or abs(number) < 0 or number != number:")
    claims = "`_half` line 3 to line 4: twice a number is even", "`_half` line 4: twice a number is even"
    claimed, open_ones = (replace(request(text), id=name, unreachable=said) for name, said in (("claimed", claims), ("open", ())))
    good, bad = build_suites([claimed, open_ones], SuiteConfig(cases=60, budget=600), machine)
    assert good.reason == "trivial", "it is a suite, of a function that is too simple"
    assert bad.reason == "coverage_below_100"


def test_a_release_is_held_to_its_claims(machine: Machine) -> None:
    found = Measure(Subject.of(program(OUT_OF_REACH), "halves", ("`_half` line 4: twice a number is even",)))
    task = make_task("halves", program(OUT_OF_REACH), [(1,), (2,)])
    again = recounted(replace(task, excused=told(found.excused)), machine)
    assert again.excused == told(found.excused) and again.excused[0].endswith(CLAIMED)
    assert again.missing == ("`_half` line 3 to line 4",)
    assert recounted(task, machine).missing == ("`_half` line 3 to line 4", "`_half` line 4")


def test_mutants_of_members_run_in_the_search() -> None:
    text = subject(WIDTHS)
    reference = Reference(text)
    lines = [goal.line for goal in reference.measure.goals]
    trials = Trials(text, 1, lines)
    assert {trial.member for trial in trials.trials} >= {"", "_mark", "_cut"}
    assert any(str(trial).startswith("`_cut` line 20: ") for trial in trials.trials)


def test_the_score_is_of_the_whole_bundle_and_of_the_function_alone(built: dict[str, Draft], machine: Machine) -> None:
    made, source = built["widths"], program(WIDTHS)
    assert isinstance(made, SuiteDraft)
    config = SuiteConfig(cases=100)
    recorded = finish(source, "pad", made, config, machine)
    assert isinstance(recorded, Recorded)
    found = sharpness(source, "pad", recorded, machine, 1, lite_of(made, recorded))
    assert found.score is not None and found.score >= 0.7 and found.entry_score == 1.0


PADS = '''
from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

@dataclass(frozen=True)
class Cut:
    most: ClassVar[int] = 40
    text: str

    def done(self, width: int) -> str:
        return self.text[: min(width, self.most)]

    def never(self) -> str:
        return self.text

def _pad(text: str, width: int, fill: str = "-") -> str:
    if not fill:
        raise ValueError("nothing to fill with")
    return text + fill * (width - len(text))

def column(texts: list[str], width: int) -> list[str]:
    """The texts in a column of a width."""
    if width < 1:
        raise ValueError(width)
    return [_pad(Cut(text).done(width), width) for text in texts]
'''


def test_a_verdict_loads_classes_as_a_module_of_their_name(tmp_path: Path) -> None:
    found = verdict(subject(PADS), lambda column: column(["text"], 3), str(tmp_path / "reference.py"))
    assert found.missing == ("line 24 to line 25", "line 25") and len(found.excused) == 3
    assert "reference" not in sys.modules or not hasattr(sys.modules["reference"], "column")


def test_a_suite_for_a_bundle_in_a_file_tells_what_is_out_of_reach(tmp_path: Path) -> None:
    file = tmp_path / "pads.py"
    file.write_text(PADS, "utf-8")
    (found,) = CliRunner().invoke(suite, [str(file), "--function", "column", "--json"]).stdout.splitlines()
    row = json.loads(found)
    assert row["status"] == "suite" and row["branch_coverage"] == 1.0 and row["entry_score"] >= 0.8
    assert len(row["excused"]) == 3 and "`Cut.never` line 14: nothing here calls it" in row["excused"]
    assert not any(one.startswith("`Cut.never`") for one in row["survivors"])
