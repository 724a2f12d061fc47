"""Instructing as a stage: a text for every suite, if the text is enough and gives nothing away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.languages import Machine
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import InstructConfig
from pipeline.families.registry import chosen
from pipeline.instruct import Draft, Writer
from pipeline.instruct.asked import ModelWriter
from pipeline.instruct.doctests import true_facts
from pipeline.instruct.gate import SHOWN, objection
from pipeline.instruct.leaks import longest_overlap
from pipeline.instruct.rules import RuleWriter
from pipeline.instruct.steps import StepWriter
from pipeline.instruct.sufficiency import Examiner
from pipeline.instruct.told import View
from pipeline.instruct.variants import Rewriter
from pipeline.languages.python.facts import Facts
from pipeline.llm import Exchange
from pipeline.llm.desk import Desk, side_by_side
from pipeline.records import Instruction, Reason, Rejection, Suite, reject_function
from pipeline.stage import DECIDES, Context


@dataclass(frozen=True)
class InstructStage:
    """Keeps the suites whose function somebody can implement who sees nothing but the instruction (Appendix G)."""

    config: InstructConfig = field(default_factory=InstructConfig)
    families: tuple[str, ...] = field(default=(), metadata=DECIDES)
    name: str = "instruct"
    takes: type = Suite
    gives: type = Instruction
    shard_size: int = 50
    fan_out: bool = False

    def run(self, records: Sequence[Suite], context: Context) -> Iterator[Instruction | Rejection | Exchange]:
        """Yield each suite with its instruction, or what is wrong with it; besides, what models were asked."""
        records, left = chosen(records, self.families)
        yield from left
        machine = None
        if self.config.solvers or any(">>>" in suite.candidate.program for suite in records):
            machine = Machine(choose(), find_runtime(context.runtime))
        if not self.config.model:
            yield from (self._by_rules(suite, true_facts(suite, machine)) for suite in records)
            return

        def asked(known: tuple[Suite, Facts]) -> list[Instruction | Rejection | Exchange]:
            suite, facts = known
            desk = context.office.desk(self.name, suite.id)
            return [self._by_model(suite, facts, machine, desk), *desk.exchanges]

        known = [(suite, true_facts(suite, machine)) for suite in records]
        for results in side_by_side(asked, known, "  asking"):
            yield from results

    def _by_rules(self, suite: Suite, facts: Facts) -> Instruction | Rejection:
        """The author's text with single sentences or, where those are not enough, with all steps."""
        judgement = suite.candidate.judgement
        if judgement is not None and judgement.undescribed:
            return self._reject(suite, Reason.UNDERSPECIFIED, judgement.undescribed)
        writers: tuple[Writer, ...] = RuleWriter(self.config), StepWriter(self.config)
        refused = []
        for writer in writers:
            draft = writer.write(suite, facts)
            refusal = self._refusal(suite, facts, draft)
            if refusal is None:
                return Instruction(suite, draft.signature, draft.text, writer.name)
            refused.append((draft, refusal))
        return next((refusal for draft, refusal in reversed(refused) if draft.outline), refused[0][1])

    def _by_model(
        self, suite: Suite, facts: Facts, machine: Machine | None, desk: Desk
    ) -> Instruction | Rejection:
        """What the model writes; the rules' text where that does not pass the checks."""
        plain = RuleWriter(self.config).write(suite, facts)
        hopeless = objection(View(facts, suite, plain, self.config), SHOWN)
        if hopeless:
            # No text helps where the cases can't be shown, so nobody is asked.
            return self._reject(suite, Reason.UNDERSPECIFIED, hopeless)
        writer = ModelWriter(self.config, desk)
        draft = writer.write(suite, facts)
        found = self._by_rules(suite, facts) if draft is None else Instruction(
            suite, draft.signature, draft.text, writer.name)
        return found if isinstance(found, Rejection) else self._tested(found, facts, machine, desk)

    def _tested(
        self, instruction: Instruction, facts: Facts, machine: Machine | None, desk: Desk
    ) -> Instruction | Rejection:
        """The instruction with what solvers make of it, and with its other wordings."""
        if self.config.solvers and machine is not None:
            found = Examiner(self.config, desk, machine).examined(instruction, facts)
            if isinstance(found, str):
                return self._reject(instruction.suite, Reason.UNDERSPECIFIED, found)
            instruction = found
        variants = tuple(Rewriter(self.config, desk, instruction, facts).variants())
        return replace(instruction, variants=variants)

    def _refusal(self, suite: Suite, facts: Facts, draft: Draft) -> Rejection | None:
        overlap = longest_overlap(facts, "\n".join((draft.author, *draft.behaviour, *draft.notes, *draft.outline)))
        if len(overlap.split(" ")) > self.config.max_overlap_tokens:
            return self._reject(suite, Reason.LEAKS_BODY, f"The text and the body share: {overlap}"[:300])
        evidence = objection(View(facts, suite, draft, self.config))
        return self._reject(suite, Reason.UNDERSPECIFIED, evidence) if evidence else None

    def _reject(self, suite: Suite, reason: Reason, evidence: str) -> Rejection:
        return reject_function(self.name, suite.candidate.function, reason, evidence, suite.candidate.track)
