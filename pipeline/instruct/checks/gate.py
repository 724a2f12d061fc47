"""The gate: the rules that an instruction must pass before somebody may be asked to implement it."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

from harness.values import canonical
from pipeline.config import InstructConfig
from pipeline.instruct.checks import inputs, telling
from pipeline.instruct.checks.form import locals_named
from pipeline.instruct.checks.untold import constants_are_told
from pipeline.instruct.drafts import View
from pipeline.instruct.examples.cases import branches_of, is_bare, is_passed_on
from pipeline.instruct.source import code_without_texts
from pipeline.languages.python.facts import Facts
from pipeline.records import Reason

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


_TOKEN = re.compile(r"[A-Za-z_]\w*|\d+(?:\.\d+)?|[^\w\s]")
_CODE_SIGNS = frozenset("()[]{}=:.<>+*/%")


def body_is_not_copied(view: View) -> str:
    """Prose and notes share no long run of code with the body."""
    overlap = too_much_overlap(view.facts, "\n".join((view.draft.prose, *view.draft.notes)), view.config)
    return f"The text and the body share: {overlap}"[:300] if overlap else ""


def too_much_overlap(facts: Facts, text: str, config: InstructConfig) -> str:
    """The longest run of tokens that the body and a text share, "" where it is as short as is allowed."""
    overlap = longest_overlap(facts, text)
    return overlap if len(overlap.split(" ")) > config.max_overlap_tokens else ""


def longest_overlap(facts: Facts, text: str) -> str:
    """The longest run of tokens that the body and a text share, "" where they share none with code in it.

    Texts inside the body (messages, keys) are no code and don't count.
    """
    body, said = _TOKEN.findall(code_without_texts(facts)), _TOKEN.findall(text)
    found = SequenceMatcher(None, body, said, autojunk=False).find_longest_match()
    run = body[found.a:found.a + found.size]
    return " ".join(run) if _CODE_SIGNS & set(run) else ""


def locals_are_not_named(view: View) -> str:
    """The text calls nothing by a name that only the body gives."""
    candidate = view.suite.candidate
    named = locals_named(candidate.program, candidate.function.name, view.draft.text)
    return f"It speaks of {', '.join(named)}, which only the body has." if named else ""


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
    Rule("answers", answers_are_shown),
    Rule("branches", branches_are_shown),
)
"""What no text can mend: there are no cases that show the function."""
ON_TEXT = (
    Rule("overlap", body_is_not_copied, Reason.LEAKS_BODY),
    Rule("length", telling.there_are_words_enough),
    Rule("helpers", telling.helpers_are_not_named),
    Rule("parameters", telling.parameters_are_explained),
    Rule("strange parameters", telling.documented_parameters_exist),
    Rule("input types", inputs.inputs_have_the_types),
    Rule("open types", inputs.inputs_have_a_clear_type),
    Rule("exceptions", telling.exceptions_are_explained),
    Rule("changes", telling.changes_are_told),
    Rule("constants", constants_are_told),
)
RULES = (*ON_EXAMPLES, *ON_TEXT)
BY_MAINTAINERS = (
    *(one for one in RULES if one.name not in ("branches", "length", "open types", "input types", "constants")),
    Rule("locals", locals_are_not_named),
)
"""What has to hold of a text that somebody has written who has seen the function: the rest, solvers tell better."""


def objections(view: View, rules: Sequence[Rule] = RULES) -> Iterator[Objection]:
    """All that the rules object to, in their order."""
    for rule in rules:
        evidence = rule.check(view)
        if evidence:
            yield Objection(rule, evidence)
