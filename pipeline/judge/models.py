"""Judging by language models: each says whether a function is worth asking and how hard it is; the majority decides.

The criteria are those of the paper (Tables 5 to 8), asked one by one, so that a no names what is missing. Rules on
what can be built and carried go first: no opinion can change these.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

from harness.records import Dependence, Difficulty
from pipeline.config import JudgeConfig
from pipeline.judge import Refusal
from pipeline.judge.difficulty import assess
from pipeline.judge.rules import RULES, RuleJudge
from pipeline.languages.facts import FunctionFacts
from pipeline.languages.registry import language
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render, version
from pipeline.llm.structured import Answer
from pipeline.records import Candidate, Judgement, Reason

SUITABILITY: dict[Dependence | None, str] = {Dependence.SC: "judge-sc", Dependence.WSC: "judge-wsc"}
DIFFICULTY: dict[Dependence | None, str] = {Dependence.SC: "difficulty-sc", Dependence.WSC: "difficulty-wsc"}
TOLD = 300
"""Characters of a judge's reason that are kept as evidence."""


class Suitability(Answer):
    """A judge's answer on whether a function is worth asking: each criterion, the conclusion, and why."""

    constructible_parameters: bool
    meaningful_complexity: bool
    no_side_effects: bool
    no_special_knowledge: bool
    inputs_can_be_generated: bool
    suitable: bool
    reason: str


class Level(Answer):
    """A judge's answer on how hard a function is, and why."""

    difficulty: Literal["Easy", "Medium", "Hard"]
    reason: str


_REASONS = {
    "constructible_parameters": Reason.NOT_CONSTRUCTIBLE,
    "inputs_can_be_generated": Reason.NOT_CONSTRUCTIBLE,
    "no_side_effects": Reason.IMPURE,
    "meaningful_complexity": Reason.TRIVIAL,
    "no_special_knowledge": Reason.TOO_SPECIAL,
}


@dataclass(frozen=True)
class ModelJudges:
    """All configured models as one judge; where none of them gives an answer that fits, the rules judge."""

    config: JudgeConfig
    desk: Desk

    @property
    def name(self) -> str:
        """The models, with the version of what they were asked."""
        asked = "".join(version(name)[:4] for name in (*SUITABILITY.values(), *DIFFICULTY.values()))
        models = ",".join(self.desk.office.model(name).model for name in self.config.models)
        return f"llm:{models}@{asked}"

    def judge(self, candidate: Candidate) -> Judgement | Refusal:
        """The majority's opinion; a tie is a no."""
        facts = language(candidate.function.language).facts.read(candidate.program, candidate.function.name)
        for rule in RULES:
            evidence = "" if rule.opinion else rule.check(facts, candidate, self.config)
            if evidence:
                return Refusal(rule.reason, f"{rule.name}: {evidence}")
        voices = self._suitability(candidate)
        if not voices:
            return RuleJudge(self.config).judge(candidate)
        suitable = sum(voice.suitable for voice in voices.values())
        if 2 * suitable <= len(voices):
            return _refusal(voices)
        difficulty, reasons = self._difficulty(candidate, facts)
        said = tuple(f"{name}: {'yes' if one.suitable else 'no'}, {one.reason[:TOLD]}" for name, one in voices.items())
        return Judgement(self.name, difficulty, (*said, *reasons), self._undescribed(facts, candidate))

    def _suitability(self, candidate: Candidate) -> dict[str, Suitability]:
        prompt = _prompt(SUITABILITY[candidate.dependence], candidate)
        said = {name: self.desk.ask(name, prompt, Suitability, contradiction) for name in self.config.models}
        return {name: one for name, one in said.items() if one is not None}

    def _difficulty(self, candidate: Candidate, facts: FunctionFacts) -> tuple[str, tuple[str, ...]]:
        """The middle opinion, of two the harder; the formula of the rules where no model has one."""
        prompt = _prompt(DIFFICULTY[candidate.dependence], candidate)
        said = {name: self.desk.ask(name, prompt, Level) for name in self.config.models}
        voices = {name: one for name, one in said.items() if one is not None}
        if not voices:
            difficulty, reasons = assess(facts, candidate)
            return difficulty, ("difficulty by rules", *reasons)
        return middle([one.difficulty for one in voices.values()]), tuple(
            f"{name}: {one.difficulty}, {one.reason[:TOLD]}" for name, one in voices.items())

    def _undescribed(self, facts: FunctionFacts, candidate: Candidate) -> str:
        """What rules have against the author's description, with which alone nobody could be asked."""
        wrong = (Reason.UNDESCRIBED, Reason.TOO_SPECIAL)
        objections = ((rule.name, rule.check(facts, candidate, self.config)) for rule in RULES if rule.reason in wrong)
        return next((f"{name}: {evidence}" for name, evidence in objections if evidence), "")


def contradiction(answer: Suitability) -> str:
    """What is wrong with an answer whose conclusion is not that of its criteria, or that has no reason."""
    criteria = [name for name in _REASONS if not getattr(answer, name)]
    if answer.suitable and criteria:
        return f"suitable is true, although {', '.join(criteria)} is false."
    if not answer.suitable and not criteria:
        return "suitable is false, although all criteria are true: say which one is not met."
    return "" if answer.reason.strip() else "reason is empty."


def middle(levels: Sequence[str]) -> str:
    """The median of some difficulties, of two in the middle the harder."""
    order = [str(level) for level in Difficulty]
    return sorted(levels, key=order.index)[len(levels) // 2]


def _refusal(voices: Mapping[str, Suitability]) -> Refusal:
    """The criterion that most judges found broken, with what they say."""
    broken = Counter(name for one in voices.values() for name in _REASONS if not getattr(one, name))
    worst = max(_REASONS, key=lambda name: broken[name])
    said = "; ".join(f"{name}: {one.reason[:TOLD]}" for name, one in voices.items() if not one.suitable)
    against = sum(not one.suitable for one in voices.values())
    return Refusal(_REASONS[worst], f"{against} of {len(voices)} judges: {worst} is not met; {said}")


def _prompt(name: str, candidate: Candidate) -> Prompt:
    code = language(candidate.function.language).programs.plain(candidate.program)
    return render(name, code=code, libraries=", ".join(candidate.libraries))
