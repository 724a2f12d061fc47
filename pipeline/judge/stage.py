"""The judge as a stage: what is refused leaves, the rest carries its judgement."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from pipeline.config import JudgeConfig
from pipeline.judge import Judge, Refusal
from pipeline.judge.rules import RuleJudge
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

    def run(self, records: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield each candidate with its judgement, or its refusal."""
        del context
        judge: Judge = RuleJudge(self.config)
        for record in records:
            opinion = judge.judge(record)
            if isinstance(opinion, Refusal):
                yield reject_function(self.name, record.function, opinion.reason, opinion.evidence, record.track)
            else:
                yield replace(record, judgement=opinion)
