"""The judge as a stage: what is refused leaves, the rest carries its judgement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.config import JudgeConfig
from pipeline.judge import Judge, Refusal
from pipeline.judge.models import ModelJudges
from pipeline.judge.rules import RuleJudge
from pipeline.llm import Exchange
from pipeline.llm.desk import side_by_side
from pipeline.records import Candidate, Rejection, reject_function
from pipeline.stage import Context


@dataclass(frozen=True)
class JudgeStage:
    """Keeps the candidates that are worth asking, with a difficulty (paper, Appendix D)."""

    config: JudgeConfig = field(default_factory=JudgeConfig)
    name: str = "judge"
    takes: type = Candidate
    gives: type = Candidate
    shard_size: int = 200
    fan_out: bool = False

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection | Exchange]:
        """Yield each candidate with its judgement, or its refusal; besides, what models were asked."""
        if not self.config.models:
            yield from (self._judged(record, RuleJudge(self.config)) for record in records)
            return

        def asked(record: Candidate) -> list[Candidate | Rejection | Exchange]:
            desk = context.office.desk(self.name, record.id)
            return [self._judged(record, ModelJudges(self.config, desk)), *desk.exchanges]

        for results in side_by_side(asked, records, "  asking"):
            yield from results

    def _judged(self, record: Candidate, judge: Judge) -> Candidate | Rejection:
        opinion = judge.judge(record)
        if isinstance(opinion, Refusal):
            return reject_function(self.name, record.function, opinion.reason, opinion.evidence, record.track)
        return replace(record, judgement=opinion)
