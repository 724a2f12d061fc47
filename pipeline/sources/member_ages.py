"""The stage that says which helpers of a function are new, by the rules that hold for the function itself."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from harness.records import Member
from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.members import Kind
from pipeline.languages.reading import Definition
from pipeline.languages.registry import language
from pipeline.records import Candidate, Instruction, LockedSource, Reason, Rejection, reject_function
from pipeline.sources import Reading, Unusable, persisting
from pipeline.sources.adapters import past_of
from pipeline.sources.dating import why_version
from pipeline.sources.novelty import likenesses, shape_of
from pipeline.sources.project_files import Projects
from pipeline.stage import Context

_Ages = Mapping[str, str]
"""By the fingerprint of a function, why it is old, "" where it is new."""


@dataclass(frozen=True)
class MemberAgesStage:
    """Instruction -> Instruction: members that are functions are new or old; what is not given has to be new.

    `lock` names the projects, whose pasts are read as mining has read them.
    """

    config: MineConfig = field(default_factory=MineConfig)
    lock: Path | None = None
    name: str = "members"
    takes: type = Instruction
    gives: type = Instruction
    shard_size: int = 16
    fan_out: bool = False

    def run(self, records: Sequence[Instruction], context: Context) -> Iterator[Instruction | Rejection]:
        """Yield the records in their order; the past of each project is read once."""
        candidates = [record.suite.candidate for record in records]
        for record, found in zip(records, self.looked_at(candidates, context), strict=True):
            if isinstance(found, Rejection):
                yield found
            else:
                yield replace(record, suite=replace(record.suite, candidate=found))

    def looked_at(self, candidates: Sequence[Candidate], context: Context) -> Iterator[Candidate | Rejection]:
        """Yield candidates whose members know whether they are new, rejections of those that call older ones."""
        projects: dict[tuple[str, str], dict[str, Definition]] = defaultdict(dict)
        for one in candidates:
            projects[one.function.provenance.project, one.function.language] |= _helpers(one)
        ages: dict[str, _Ages] = {
            project: self._ages(project, language(name), list(found.values()), context) if found else {}
            for (project, name), found in projects.items()
        }
        for one in candidates:
            yield self._told(one, ages[one.function.provenance.project])

    def _told(self, candidate: Candidate, ages: _Ages) -> Candidate | Rejection:
        members = tuple(_aged(one, ages) for one in candidate.members)
        old = [one for one in members if one.kind != Kind.CONSTANT and not one.new]
        if old and candidate.given is None:
            evidence = f"{old[0].names}: {ages.get(old[0].fingerprint, 'its past was not looked at')}"
            return reject_function(self.name, candidate.function, Reason.OLD_HELPER, evidence, candidate.track)
        return replace(candidate, members=members)

    def _ages(self, project: str, spoken: Language, helpers: Sequence[Definition], context: Context) -> _Ages:
        try:
            if self.lock is None:
                raise Unusable(Reason.PROJECT_GONE, "there is no lock")
            locked = Projects(self.lock, self.config, context).locked(project)
            return persisting(partial(_ages, locked, spoken, helpers, self.config, context))
        except Unusable as error:
            return {one.fingerprint: f"its past can't be read: {error.evidence}" for one in helpers}


def _helpers(candidate: Candidate) -> dict[str, Definition]:
    """The functions among a candidate's members, by their fingerprints."""
    spoken = language(candidate.function.language)
    wanted = {one.fingerprint for one in candidate.members if one.kind == Kind.FUNCTION}
    # Those that call the function in turn speak of it by the name that it had when they were read.
    name, program = candidate.function.name, candidate.program
    if candidate.original:
        program = spoken.programs.renamed(program, name, candidate.original)
    found = spoken.reading.definitions(program) if wanted else ()
    return {one.fingerprint: one for one in found if one.kind == "function" and one.fingerprint in wanted}


def _ages(
    locked: LockedSource, spoken: Language, helpers: Sequence[Definition], config: MineConfig, context: Context
) -> _Ages:
    """Why each function is old, as mining would say."""
    reading = Reading(locked, config, context, spoken.layout.suffixes)
    past, shingles = past_of(reading, spoken.reading), spoken.reading.shingles
    shapes = {one.fingerprint: shape_of(one, shingles(one.tokens)) for one in helpers}
    same = past.same(shapes.keys())
    renamed = past.renamed(set(shapes.values()) - {""})
    ages = {}
    for one, likeness in zip(helpers, likenesses(helpers, past, shingles), strict=True):
        there = same.get(one.fingerprint) or renamed.get(shapes[one.fingerprint])
        _, version = why_version(likeness, config) or (None, "")
        ages[one.fingerprint] = f"it stood as {there}" if there else version
    return ages


def _aged(member: Member, ages: _Ages) -> Member:
    return replace(member, new=not ages[member.fingerprint]) if member.fingerprint in ages else member
