"""The stage that keeps the functions which need nothing, or only allowed libraries, and makes them programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.records import FIRST_FAMILY, Dependence, Track
from pipeline.classify.libraries import Libraries, list_of, load
from pipeline.classify.module import cached_module
from pipeline.classify.rules import SC, Classification, classify
from pipeline.config import ClassifyConfig
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function, Reason, Rejection, reject_function
from pipeline.stage import Context


@dataclass(frozen=True)
class ClassifyStage:
    """Decides SC, WSC or neither from the scope graph of each function's file (paper, appendix B)."""

    config: ClassifyConfig = field(default_factory=ClassifyConfig)
    name: str = "classify"
    takes: type = Function
    gives: type = Candidate
    shard_size: int = 500
    fan_out: bool = False

    def run(self, records: Sequence[Function], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield each function as a candidate, or what stands against it."""
        for function in records:
            libraries = load(context.data / list_of(self.config.libraries, function.language))
            yield self.decide(function, libraries)

    def decide(self, function: Function, libraries: Libraries) -> Candidate | Rejection:
        """Decide about one function."""
        where = function.provenance
        module = cached_module(function.module, function.language)
        unit = module.unit(function.qualified, where.line_start)
        if unit is None:
            return self._reject(function, Reason.UNSURE, "The function is not found again in its file.")
        own = language(function.language).layout.own_packages(where.project, where.path)
        found = classify(module, unit, libraries, own)
        if found.reason is not None:
            return self._reject(function, found.reason, found.evidence)
        return self._candidate(function, found)

    def _candidate(self, function: Function, found: Classification) -> Candidate | Rejection:
        track = Track.named(FIRST_FAMILY, Dependence(found.label.lower()), function.language)
        try:
            program = language(function.language).programs.program(found.imports, function.source)
        except Unreadable as error:
            return self._reject(function, Reason.UNPARSABLE, str(error), track)
        libraries = () if found.label == SC else found.libraries
        return Candidate(function, track, libraries, found.imports, program)

    def _reject(self, function: Function, reason: Reason, evidence: str, track: str = "") -> Rejection:
        return reject_function(self.name, function, reason, evidence, track)
