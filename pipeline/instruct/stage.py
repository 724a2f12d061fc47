"""Instructing as a stage: a text for every suite, if the text is enough and gives nothing away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.languages import Machine
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import InstructConfig
from pipeline.instruct import Draft, Writer
from pipeline.instruct.doctests import true_facts
from pipeline.instruct.gate import objection
from pipeline.instruct.leaks import longest_overlap
from pipeline.instruct.rules import RuleWriter
from pipeline.instruct.steps import StepWriter
from pipeline.instruct.told import View
from pipeline.languages.python_facts import Facts
from pipeline.records import Instruction, Reason, Rejection, Suite, reject_function
from pipeline.stage import Context


@dataclass(frozen=True)
class InstructStage:
    """Keeps the suites whose function somebody can implement who sees nothing but the instruction (Appendix G)."""

    config: InstructConfig = field(default_factory=InstructConfig)
    name: str = "instruct"
    takes: type = Suite
    gives: type = Instruction
    shard_size: int = 50
    fan_out: bool = False

    def run(self, records: Sequence[Suite], context: Context) -> Iterator[Instruction | Rejection]:
        """Yield each suite with its instruction, or what is wrong with it."""
        machine = None
        for suite in records:
            if machine is None and ">>>" in suite.candidate.program:
                machine = Machine(choose(), find_runtime(context.runtime))
            yield self._instruct(suite, machine)

    def _instruct(self, suite: Suite, machine: Machine | None) -> Instruction | Rejection:
        """The author's text with single sentences or, where those are not enough, with all steps."""
        facts = true_facts(suite, machine)
        writers: tuple[Writer, ...] = RuleWriter(self.config), StepWriter(self.config)
        refused = []
        for writer in writers:
            draft = writer.write(suite, facts)
            refusal = self._refusal(suite, facts, draft)
            if refusal is None:
                return Instruction(suite, draft.signature, draft.text, writer.name)
            refused.append((draft, refusal))
        return next((refusal for draft, refusal in reversed(refused) if draft.outline), refused[0][1])

    def _refusal(self, suite: Suite, facts: Facts, draft: Draft) -> Rejection | None:
        overlap = longest_overlap(facts, "\n".join((draft.author, *draft.behaviour, *draft.notes, *draft.outline)))
        if len(overlap.split(" ")) > self.config.max_overlap_tokens:
            return self._reject(suite, Reason.LEAKS_BODY, f"The text and the body share: {overlap}"[:300])
        evidence = objection(View(facts, suite, draft, self.config))
        return self._reject(suite, Reason.UNDERSPECIFIED, evidence) if evidence else None

    def _reject(self, suite: Suite, reason: Reason, evidence: str) -> Rejection:
        return reject_function(self.name, suite.candidate.function, reason, evidence, suite.candidate.track)
