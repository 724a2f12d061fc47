"""The stage that keeps the functions which need nothing, or only allowed libraries, and makes them programs."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from harness.records import Track
from pipeline.classify.libraries import Libraries, load
from pipeline.classify.module import cached_module
from pipeline.classify.rules import SC, Classification, classify, own_packages, program_of
from pipeline.config import ClassifyConfig
from pipeline.languages.python.reading import undecorated
from pipeline.languages.python.scoping.conditions import RUNTIME
from pipeline.records import Candidate, Function, Reason, Rejection, reject_function
from pipeline.stage import Context

_TRACKS = {"SC": str(Track.SC_PYTHON), "WSC": str(Track.WSC_PYTHON)}


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
        libraries = load(context.data / self.config.libraries)
        for function in records:
            yield self.decide(function, libraries)

    def decide(self, function: Function, libraries: Libraries) -> Candidate | Rejection:
        """Decide about one function."""
        where = function.provenance
        module = cached_module(function.module)
        unit = module.unit(function.qualified, where.line_start)
        if unit is None:
            return self._reject(function, Reason.UNSURE, "The function is not found again in its file.")
        found = classify(module, unit, libraries, own_packages(where.project, where.path))
        if found.reason is not None:
            return self._reject(function, found.reason, found.evidence)
        return self._candidate(function, found)

    def _candidate(self, function: Function, found: Classification) -> Candidate | Rejection:
        track = _TRACKS[found.label]
        program = program_of(found.imports, undecorated(function.source))
        try:
            ast.parse(program, feature_version=RUNTIME)
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            evidence = f"Python {RUNTIME[0]}.{RUNTIME[1]} refuses it: {error}"
            return self._reject(function, Reason.UNPARSABLE, evidence, track)
        libraries = () if found.label == SC else found.libraries
        return Candidate(function, track, libraries, found.imports, program)

    def _reject(self, function: Function, reason: Reason, evidence: str, track: str = "") -> Rejection:
        return reject_function(self.name, function, reason, evidence, track)
