"""The stage that keeps the functions which can be taken out of their projects, and makes them programs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from harness.records import FIRST_FAMILY, LAYERED_FAMILY, Dependence, Member, Track
from pipeline.classify.bundles import Bundle, Part, Refused, Surroundings, bundle, fingerprint
from pipeline.classify.libraries import Libraries, list_of, load
from pipeline.classify.module import cached_module
from pipeline.classify.rules import SC, Classification, classify
from pipeline.config import ClassifyConfig, MineConfig
from pipeline.languages import Language
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.languages.scoping import Unit
from pipeline.records import Candidate, Function, Reason, Rejection, reject_function
from pipeline.sources import Unusable
from pipeline.sources.project_files import ProjectFiles, Projects
from pipeline.stage import DECIDES, Context


@dataclass(frozen=True)
class ClassifyStage:
    """Decides SC, WSC or neither from the scope graph of each function's file (paper, appendix B).

    With `bundles`, a function that needs more of its project takes that along (appendix K.1): from its own file, and
    where there is a `lock` of the build's sources, from the project's other files.
    """

    config: ClassifyConfig = field(default_factory=ClassifyConfig)
    mine: MineConfig = field(default_factory=MineConfig, metadata=DECIDES)
    bundles: bool = field(default=False, metadata=DECIDES)
    lock: Path | None = None
    name: str = "classify"
    takes: type = Function
    gives: type = Candidate
    shard_size: int = 500
    fan_out: bool = False

    def run(self, records: Sequence[Function], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield each function as a candidate, or what stands against it."""
        projects = None if self.lock is None else Projects(self.lock, self.mine, context)
        for function in records:
            libraries = load(context.data / list_of(self.config.libraries, function.language))
            yield self.decide(function, libraries, projects)

    def decide(
        self, function: Function, libraries: Libraries, projects: Projects | None = None
    ) -> Candidate | Rejection:
        """Decide about one function."""
        where, spoken = function.provenance, language(function.language)
        module = cached_module(function.module, function.language)
        unit = module.unit(function.qualified, where.line_start)
        if unit is None:
            return self._reject(function, Reason.UNSURE, "The function is not found again in its file.")
        own = spoken.layout.own_packages(where.project, where.path)
        found = classify(module, unit, libraries, own)
        try:
            if found.reason is Reason.PROJECT_DEPENDENT and self.bundles and spoken.members is not None:
                made = self._bundle(function, unit, found, libraries, projects)
                return self._candidate(function, made, made.before(spoken.members))
            if found.reason is not None:
                return self._reject(function, found.reason, found.evidence)
            return self._candidate(function, found)
        except Refused as refusal:
            return self._reject(function, refusal.reason, refusal.evidence)

    def _bundle(
        self, function: Function, unit: Unit, found: Classification, libraries: Libraries, projects: Projects | None
    ) -> Bundle:
        """What the function needs, from its own file alone where that is enough."""
        where, spoken = function.provenance, language(function.language)
        alone = ProjectFiles({where.path: function.module})
        allowed = self.mine.allowed_decorators
        try:
            return bundle(
                where.path, unit, found, Surroundings(alone, where.project, spoken, libraries, self.config, allowed))
        except Refused as refusal:
            if refusal.reason is not Reason.PROJECT_MODULE or projects is None:
                raise
        try:
            files = projects.files(where.project, spoken)
        except Unusable as error:
            raise Refused(error.reason, error.evidence) from error
        return bundle(
            where.path, unit, found, Surroundings(files, where.project, spoken, libraries, self.config, allowed))

    def _candidate(self, function: Function, found: Classification | Bundle, before: str = "") -> Candidate | Rejection:
        libraries = found.libraries
        depends = Dependence.WSC if libraries else Dependence.SC
        layered = isinstance(found, Bundle) and found.layers > 0
        track = Track.named(
            LAYERED_FAMILY if layered else FIRST_FAMILY, None if layered else depends, function.language)
        spoken = language(function.language)
        try:
            program = spoken.programs.program(() if before else found.imports, function.source, before)
        except Unreadable as error:
            return self._reject(function, Reason.UNPARSABLE, str(error), track)
        if isinstance(found, Classification):
            return Candidate(function, track, () if found.label == SC else libraries, found.imports, program)
        members = tuple(_member(part, function, spoken) for part in found.parts)
        return Candidate(
            function, track, libraries, found.imports, program, before=before, members=members, layers=found.layers)

    def _reject(self, function: Function, reason: Reason, evidence: str, track: str = "") -> Rejection:
        return reject_function(self.name, function, reason, evidence[:1000], track)


def _member(part: Part, function: Function, spoken: Language) -> Member:
    """A member as the row tells of it."""
    lines = part.text.rstrip().count("\n")
    said = part.licence or function.provenance.licence
    return Member(
        part.name, part.kind, part.path, part.block.line, part.block.line + lines, fingerprint(part, spoken), said)
