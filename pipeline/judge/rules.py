"""A judge made of rules: each is a function that gives the evidence for a refusal, or nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from harness.records import MAINTAINER
from pipeline.config import JudgeConfig
from pipeline.judge import Refusal, description, logic, parameters
from pipeline.judge.difficulty import assess
from pipeline.languages.facts import FunctionFacts
from pipeline.languages.registry import language
from pipeline.records import Candidate, Judgement, Reason

Check = Callable[[FunctionFacts, Candidate, JudgeConfig], str]


@dataclass(frozen=True)
class Rule:
    """A check with the reason that it speaks for; what it returns is the evidence, "" where it has no objection.

    `opinion` marks what language models judge better, where some are configured.
    """

    name: str
    reason: Reason
    check: Check
    opinion: bool = False


RULES = (
    Rule("a namesake", Reason.PRIOR_TO_CUTOFF, logic.is_a_version),
    Rule("other language", Reason.UNDESCRIBED, description.is_not_english, opinion=True),
    Rule("no description", Reason.UNDESCRIBED, description.is_missing, opinion=True),
    Rule("short description", Reason.UNDESCRIBED, description.is_short, opinion=True),
    Rule("restated name", Reason.UNDESCRIBED, description.restates_the_name, opinion=True),
    Rule("few statements", Reason.TRIVIAL, logic.has_few_statements, opinion=True),
    Rule("few operations", Reason.TRIVIAL, logic.has_few_operations, opinion=True),
    Rule("a table of answers", Reason.TRIVIAL, logic.is_a_table, opinion=True),
    Rule("a wrapper", Reason.TRIVIAL, logic.wraps_one_call, opinion=True),
    Rule("repeated lines", Reason.TRIVIAL, logic.is_repetitive, opinion=True),
    Rule("annotations", Reason.NOT_CONSTRUCTIBLE, parameters.have_unbuildable_types),
    Rule("library objects", Reason.NOT_CONSTRUCTIBLE, parameters.are_library_objects),
    Rule("function answers", Reason.NOT_ENCODABLE, logic.answers_with_functions),
    Rule("called parameters", Reason.NOT_CONSTRUCTIBLE, parameters.are_called),
    Rule("attributes", Reason.NOT_CONSTRUCTIBLE, parameters.have_unknown_attributes),
    Rule("classes and methods", Reason.NOT_CONSTRUCTIBLE, parameters.stand_for_objects),
    Rule("references", Reason.TOO_SPECIAL, description.refers_elsewhere, opinion=True),
    Rule("the project's name", Reason.TOO_SPECIAL, description.names_the_project, opinion=True),
    Rule("unknown names", Reason.TOO_SPECIAL, description.uses_unknown_names, opinion=True),
    Rule("unfinished", Reason.TOO_SPECIAL, description.is_provisional, opinion=True),
)

ON_DESCRIPTIONS = (Reason.UNDESCRIBED, Reason.TOO_SPECIAL)
"""What is wrong with the author's description, in place of which a maintainer may write another."""


@dataclass(frozen=True)
class RuleJudge:
    """Asks every rule in turn; the first objection decides."""

    config: JudgeConfig
    name: str = "rules-2"

    def judge(self, candidate: Candidate) -> Judgement | Refusal:
        """A difficulty with its measures, or the first rule that objects."""
        facts = language(candidate.function.language).facts.read(candidate.program, candidate.function.name)
        for rule in RULES:
            if candidate.curated is not None and rule.reason in ON_DESCRIPTIONS:
                continue
            evidence = rule.check(facts, candidate, self.config)
            if evidence:
                return Refusal(rule.reason, f"{rule.name}: {evidence}")
        difficulty, reasons = assess(facts, candidate)
        if candidate.curated is not None and candidate.curated.difficulty:
            return Judgement(MAINTAINER, candidate.curated.difficulty, ("said by a maintainer", *reasons))
        return Judgement(self.name, difficulty, reasons)
