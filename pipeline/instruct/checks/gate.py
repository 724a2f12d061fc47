"""The gate: the rules that an instruction must pass before somebody may be asked to implement it."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

from pipeline.instruct.checks import inputs, overlap, showing, telling
from pipeline.instruct.checks.untold import constants_are_told
from pipeline.instruct.drafts import View
from pipeline.records import Reason


@dataclass(frozen=True)
class Rule:
    """A check; what it returns is the evidence against the instruction, "" where it has no objection."""

    name: str
    check: Callable[[View], str]
    reason: Reason = Reason.UNDERSPECIFIED


@dataclass(frozen=True)
class Objection:
    """What a rule has against an instruction."""

    rule: Rule
    evidence: str

    def __str__(self) -> str:
        return f"{self.rule.name}: {self.evidence}"


ON_EXAMPLES = (
    Rule("answers", showing.answers_are_shown),
    Rule("branches", showing.branches_are_shown),
)
"""What no text can mend: there are no cases that show the function."""
ON_TEXT = (
    Rule("overlap", overlap.body_is_not_copied, Reason.LEAKS_BODY),
    Rule("length", telling.there_are_words_enough),
    Rule("parameters", telling.parameters_are_explained),
    Rule("strange parameters", telling.documented_parameters_exist),
    Rule("input types", inputs.inputs_have_the_types),
    Rule("open types", inputs.inputs_have_a_clear_type),
    Rule("exceptions", telling.exceptions_are_explained),
    Rule("changes", telling.changes_are_told),
    Rule("constants", constants_are_told),
)
RULES = (*ON_EXAMPLES, *ON_TEXT)


def objections(view: View, rules: Sequence[Rule] = RULES) -> Iterator[Objection]:
    """All that the rules object to, in their order."""
    for rule in rules:
        evidence = rule.check(view)
        if evidence:
            yield Objection(rule, evidence)
