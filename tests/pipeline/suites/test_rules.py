"""The registry of rules: each has a name, can be left out, and tells whether it has found anything."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites import rules
from pipeline.suites.drafts import Ablation, Refused, SuiteRequest
from pipeline.suites.inference.infer import infer
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject

PLACED = '''def placed(items, place):
    if place >= len(items):
        return None
    return items[place]
'''
TOTALS = '''def share(part: float, whole: float) -> float:
    """Return the share.

    Args:
        part: a number between 0 and 1.
        whole: what it is a part of.
    """
    return part * whole if part > 0.5 else whole
'''
SAYS = '''def says(word: str) -> int:
    if word == "a-word-that-nobody-would-guess":
        return 1
    return 0
'''


@pytest.fixture(autouse=True)
def nothing_left_out() -> Iterator[None]:
    yield
    rules.leave_out(())


def test_no_function_is_two_rules() -> None:
    functions = [function for name, several in rules.rules().items() for function in several if "in_format" not in name]
    named = [function for function in functions if not function.endswith(("in_format", "related"))]
    assert len(named) == len(set(named)) > 60


@pytest.mark.parametrize(("program", "name", "rule"), [
    (PLACED, "placed", "relations: from the body"), (TOTALS, "share", "words: bounds"),
])
def test_what_is_left_out_finds_nothing(program: str, name: str, rule: str) -> None:
    whole = infer(Subject.of(program, name))
    assert rule in rules.fired()
    rules.leave_out([rule])
    without = infer(Subject.of(program, name))
    assert [one.name for one in without] == [one.name for one in whole] and without != whole
    rules.leave_out(())
    assert infer(Subject.of(program, name)) == whole


def test_a_name_that_no_rule_has_is_told() -> None:
    with pytest.raises(ValueError, match="No rule is called 'words: bonds'; there are"):
        rules.leave_out(["words: bonds"])


@pytest.mark.slow  # three searches
def test_coverage_alone_gives_no_suite_and_says_what_has_fired(machine: Machine) -> None:
    request, config = SuiteRequest("placed", PLACED, "placed", 1), SuiteConfig(budget=400)
    (draft,) = build_suites([request], config, machine, Ablation())
    assert isinstance(draft, Refused) and draft.reached is not None
    assert (draft.reason, draft.reached.coverage) == ("", 1.0)
    assert set(draft.fired) <= set(rules.rules()) and draft.fired
    (suite,) = build_suites([request], config, machine, Ablation(coverage_alone=False))
    assert (suite.reason, suite.fired[:1]) == ("trivial", draft.fired[:1])
    (usual,) = build_suites([request], config, machine)
    assert usual.fired == ()
