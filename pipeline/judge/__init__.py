"""Judging candidates: is it worth asking, and how hard is it; one judge per module in this folder."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from pipeline.records import Candidate, Judgement, Reason


@dataclass(frozen=True)
class Refusal:
    """A judge's no, with the evidence as a sentence."""

    reason: Reason
    evidence: str


class Judge(Protocol):
    """Somebody who gives an opinion on a measured candidate, always the same one on the same candidate."""

    @property
    def name(self) -> str:
        """What `Judgement.judge` and the published row's `judged_by` say."""
        ...

    def judge(self, candidate: Candidate) -> Judgement | Refusal:
        """An opinion; the candidate has been measured."""
        ...
