"""Instructing as a stage: a text for every suite, if the text is enough and gives nothing away."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from harness.languages import Machine
from harness.runtime import find_runtime
from harness.sandbox import choose
from pipeline.config import InstructConfig
from pipeline.curated.answers import load_answers, ratings_of, tried
from pipeline.families.registry import chosen, family
from pipeline.instruct.checks.gate import BY_MAINTAINERS, ON_EXAMPLES, RULES, Rule, objections
from pipeline.instruct.drafts import Draft, View, frame
from pipeline.instruct.examples.author_doctests import true_facts
from pipeline.instruct.source import with_docstring
from pipeline.instruct.sufficiency import Examiner
from pipeline.instruct.wordings.variants import Rewriter
from pipeline.instruct.writers.author import AuthorWriter
from pipeline.instruct.writers.maintainer import MaintainerWriter
from pipeline.instruct.writers.model import ModelWriter
from pipeline.languages.python.facts import Facts, read_facts
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
        known = load_answers(context.data / self.config.answers)
        answered = any(suite.id in known for suite in records)
        machine = None
        if self.config.solvers or answered or any(">>>" in suite.candidate.program for suite in records):
            machine = Machine(choose(), find_runtime(context.runtime))
        written = list(self._all_written(records, machine, context))
        if answered and machine is not None:
            tasks = [family(one.suite.family).task(one) for one in written if isinstance(one, Instruction)]
            found = tried(tasks, known, machine)
            rated = {task.task_id: ratings_of(task, known) for task in tasks}
            written = [
                replace(one, sufficiency=found[one.id], ratings=rated[one.id])
                if isinstance(one, Instruction) and one.id in found else one for one in written]
        yield from written

    def _all_written(
        self, records: Sequence[Suite], machine: Machine | None, context: Context
    ) -> Iterator[Instruction | Rejection | Exchange]:
        """Each suite with what was written for it, or what is wrong with that; besides, what models were asked."""
        if not self.config.model:
            yield from (self._by_author(suite, true_facts(suite, machine)) for suite in records)
            return

        def asked(known: tuple[Suite, Facts]) -> list[Instruction | Rejection | Exchange]:
            suite, facts = known
            desk = context.office.desk(self.name, suite.id)
            return [self._by_model(suite, facts, machine, desk), *desk.exchanges]

        known = [(suite, true_facts(suite, machine)) for suite in records]
        for results in side_by_side(asked, known, "  asking"):
            yield from results

    def _by_author(self, suite: Suite, facts: Facts) -> Instruction | Rejection:
        """A maintainer's text, else the author's with facts on the interface, if that is enough."""
        if suite.candidate.curated is not None:
            return self._by_maintainer(suite)
        judgement = suite.candidate.judgement
        if judgement is not None and judgement.undescribed:
            return self._reject(suite, Reason.UNDERSPECIFIED, judgement.undescribed)
        writer = AuthorWriter(self.config)
        draft = writer.write(suite, facts)
        return self._refusal(suite, facts, draft) or Instruction(suite, draft.signature, draft.text, writer.name)

    def _by_maintainer(self, suite: Suite) -> Instruction | Rejection:
        """The text of the function's curated file."""
        program, name = suite.candidate.program, suite.candidate.function.name
        writer = MaintainerWriter(self.config)
        draft = writer.write(suite, read_facts(program, name))
        if isinstance(draft, str):
            why = f"The example {draft!r} became no case: it is outside of the contract, ends in an error that the " \
                "function does not raise itself, or is too long to be shown."
            return self._reject(suite, Reason.UNFIT_CURATION, why[:600])
        facts = with_docstring(program, name, draft.prose)
        return self._refusal(suite, facts, draft, BY_MAINTAINERS) or Instruction(
            suite, draft.signature, draft.text, writer.name)

    def _by_model(
        self, suite: Suite, facts: Facts, machine: Machine | None, desk: Desk
    ) -> Instruction | Rejection:
        """What the model writes; the author's text where that does not pass the checks."""
        if suite.candidate.curated is not None:
            written = self._by_maintainer(suite)
            return written if isinstance(written, Rejection) else self._tested(written, facts, machine, desk)
        hopeless = self._refusal(suite, facts, frame(suite, facts, self.config), ON_EXAMPLES)
        if hopeless:
            # No text helps where the cases can't be shown, so nobody is asked.
            return hopeless
        writer = ModelWriter(self.config, desk)
        draft = writer.write(suite, facts)
        found = self._by_author(suite, facts) if draft is None else Instruction(
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

    def _refusal(
        self, suite: Suite, facts: Facts, draft: Draft, rules: Sequence[Rule] = RULES
    ) -> Rejection | None:
        """What the first rule that objects has against a draft."""
        found = next(objections(View(facts, suite, draft, self.config), rules), None)
        return None if found is None else self._reject(suite, found.rule.reason, str(found))

    def _reject(self, suite: Suite, reason: Reason, evidence: str) -> Rejection:
        return reject_function(self.name, suite.candidate.function, reason, evidence, suite.candidate.track)
