"""Rules on the examples: they take most of the branches, and show each frequent kind of answer."""

from __future__ import annotations

from harness.values import canonical
from pipeline.instruct.drafts import View
from pipeline.instruct.examples.cases import branches_of, is_bare, is_passed_on

MAX_LEFT_OUT = 0.15
FREQUENT = 0.05


def branches_are_shown(view: View) -> str:
    """The examples take most of the branches that the cases take."""
    everything = {branch for index in range(len(view.suite.cases)) for branch in branches_of(view.suite, index)}
    shown = {branch for index in view.draft.examples for branch in branches_of(view.suite, index)}
    missing, count = len(everything - shown), len(everything)
    few = missing <= MAX_LEFT_OUT * count
    return "" if few else f"The examples leave {missing} of {count} branches and statements out."


def answers_are_shown(view: View) -> str:
    """There are examples, and each kind of answer that a twentieth of the cases give is among them."""
    if not view.draft.examples:
        return "No case is short and plain enough to be shown."
    kinds = [_kind(view, index) for index in range(len(view.suite.cases))]
    frequent = {kind for kind in kinds if kinds.count(kind) >= FREQUENT * len(kinds)}
    missing = sorted(frequent - {kinds[index] for index in view.draft.examples})
    if missing:
        return f"No example shows an answer of the kind {missing[0]}."
    shown = [view.suite.cases[index] for index in view.draft.examples]
    plain = [case for case in shown if case.expected.kind == "raised" or not (
        is_bare(case.expected.value) or is_passed_on(case))]
    same = len({canonical([case.expected.kind, case.expected.value]) for case in shown}) < min(2, len(shown))
    return "" if plain and not same else "The examples show nothing but one answer, or special values."


def _kind(view: View, index: int) -> str:
    expected = view.suite.cases[index].expected
    if expected.kind == "raised":
        return f"exception {expected.exception}"
    return "None" if expected.value is None else "value"
