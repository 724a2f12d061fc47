"""The gate: the rules that an instruction must pass before somebody may be asked to implement it."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from pipeline.instruct import domain, told, wording
from pipeline.instruct.told import View


@dataclass(frozen=True)
class Rule:
    """A check; what it returns is the evidence against the instruction, "" where it has no objection.

    `on_telling` marks what asks whether enough is told: an outline of the whole body leaves nothing out.
    """

    name: str
    check: Callable[[View], str]
    on_telling: bool = False


RULES = (
    Rule("size", wording.size_is_bounded),
    Rule("words", wording.is_long_enough, on_telling=True),
    Rule("vague", wording.is_definite, on_telling=True),
    Rule("broad handler", wording.errors_are_caught_narrowly, on_telling=True),
    Rule("formula", wording.arithmetic_is_bounded, on_telling=True),
    Rule("parameters", told.parameters_are_explained, on_telling=True),
    Rule("input types", domain.inputs_have_the_types),
    Rule("open types", domain.inputs_have_a_clear_type),
    Rule("strange parameters", told.documented_parameters_exist),
    Rule("strange examples", told.examples_stand_alone),
    Rule("exceptions", told.exceptions_are_explained),
    Rule("changes", told.changes_are_told, on_telling=True),
    Rule("constants", told.constants_are_told, on_telling=True),
    Rule("operations", told.operations_are_told, on_telling=True),
    Rule("decisions", told.decisions_are_told, on_telling=True),
    Rule("one line", told.one_line_tells_no_branches, on_telling=True),
    Rule("options", told.options_are_told, on_telling=True),
    Rule("answers", told.answers_are_shown),
    Rule("branches", told.branches_are_shown),
)


SHOWN = tuple(rule for rule in RULES if rule.name in ("answers", "branches"))
"""What no text can mend: there are no cases that show the function."""


def objection(view: View, rules: Sequence[Rule] = RULES) -> str:
    """The first rule that objects, with its evidence; "" where none does."""
    for rule in rules:
        evidence = "" if rule.on_telling and view.draft.outline else rule.check(view)
        if evidence:
            return f"{rule.name}: {evidence}"
    return ""
