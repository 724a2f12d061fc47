"""The stage that reads code: every function definition of a source comes out as new, or with why it does not count."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from harness.records import Provenance, task_id
from harness.releases.ages import earliest_day
from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.reading import Definition
from pipeline.languages.registry import language
from pipeline.records import Function, LockedSource, Reason, Rejection, reject_source
from pipeline.sources import Origin, Reading, SourceFile, Unusable, licence, persisting
from pipeline.sources.adapters import Adapter, adapter
from pipeline.sources.dating import Past, why_version
from pipeline.sources.folders import excluded_as, generated_by
from pipeline.sources.novelty import Known, Likeness, likenesses, shape_of
from pipeline.sources.personal import personal_in
from pipeline.stage import DECIDES, Context

_Why = tuple[Reason, str]


@dataclass(frozen=True)
class MineStage:
    """LockedSource -> Function: the module-level functions and static methods that are new since the cutoff.

    Where it is `strict`, what is not shown to be younger than the window's start leaves. With `methods`, those of them
    that need nothing of their class are functions, too.
    """

    config: MineConfig = field(default_factory=MineConfig)
    strict: bool = field(default=False, metadata=DECIDES)
    methods: bool = field(default=False, metadata=DECIDES)
    name: str = "mine"
    takes: type = LockedSource
    gives: type = Function
    shard_size: int = 1
    fan_out: bool = True

    def run(self, records: Sequence[LockedSource], context: Context) -> Iterator[Function | Rejection]:
        """Yield every definition of each source's upper end: the function, or its rejection."""
        for locked in records:
            try:
                spoken = language(locked.source.language)
                reading = Reading(locked, self.config, context, spoken.layout.suffixes)
                yield from persisting(partial(_mine, reading, spoken, self))
            except Unusable as error:
                yield reject_source("mine", locked.source, error.reason, error.evidence)


def _mine(reading: Reading, spoken: Language, stage: MineStage) -> list[Function | Rejection]:
    locked, config = reading.locked, reading.config
    place = adapter(locked.source.kind)
    place.fetch(reading)
    _check_licence(place.licence_files(reading), locked)
    files = [_File.read(file, config, spoken) for file in place.upper_files(reading)]
    if not any(file.definitions for file in files):
        raise Unusable(Reason.NO_FUNCTIONS, f"{len(files)} files of {locked.upper.version} were read")
    return list(_Mining(reading, place, spoken, files, stage).results())


def _check_licence(texts: dict[str, str], locked: LockedSource) -> None:
    """Refuse a source of whose licence texts one binds more than the licence that it was locked with."""
    said, files = licence.of_files(texts, locked.licence)
    if said and not licence.is_permissive(said):
        raise Unusable(Reason.LICENCE, f"{locked.licence_source} says {locked.licence}, but {files} say {said}")


@dataclass(frozen=True)
class _File:
    """A file of the upper end: its definitions, or why all of it is left out."""

    path: str
    text: str = ""
    definitions: tuple[Definition, ...] = ()
    why: _Why | None = None

    @staticmethod
    def read(file: SourceFile, config: MineConfig, spoken: Language) -> _File:
        if max(file.size, len(file.data)) > config.max_file_bytes:
            size = max(file.size, len(file.data))
            return _File(file.path, why=(Reason.TOO_LARGE, f"{size} bytes, the limit is {config.max_file_bytes}"))
        if kind := excluded_as(file.path, spoken.layout):
            return _File(file.path, why=(Reason.EXCLUDED_FOLDER, kind))
        try:
            text = spoken.reading.decode(file.data)
            if why := _why_file(text):
                return _File(file.path, why=why)
            return _File(file.path, text, tuple(spoken.reading.definitions(text)))
        except UnicodeDecodeError as error:
            return _File(file.path, why=(Reason.UNDECODABLE, str(error)[:200]))
        except RecursionError:
            return _File(file.path, why=(Reason.UNPARSABLE, "it is nested too deeply to be read"))


def _why_file(text: str) -> _Why | None:
    """Why a file is left out by what it says of itself."""
    if comment := generated_by(text):
        return Reason.GENERATED, comment
    said = licence.of_header(text)
    if said and not licence.is_permissive(said):
        return Reason.FILE_LICENCE, said
    return None


@dataclass
class _Mining:
    """The reading of one source."""

    reading: Reading
    place: Adapter
    spoken: Language
    files: list[_File]
    stage: MineStage
    seen: dict[str, str] = field(default_factory=dict)

    def results(self) -> Iterator[Function | Rejection]:
        """What became of each definition, in the order of paths and lines."""
        past = self.place.past(self.reading, self.spoken.reading)
        asked = self._fingerprints()
        same = past.same(asked)
        if self.stage.methods:
            self.files = [self._with_methods(file, same) for file in self.files]
            same = {**same, **past.same(self._fingerprints() - asked)}
        renamed = self._renamed(past, same)
        whys = [[self._why(one, same, renamed) for one in file.definitions] for file in self.files]
        new = [one for file, why in zip(self.files, whys, strict=True)
               for one, reason in zip(file.definitions, why, strict=True) if reason is None]
        likeness = iter(likenesses(new, past, self.spoken.reading.shingles))
        origins = iter(past.origins(new))
        for file, why in zip(self.files, whys, strict=True):
            if file.why:
                yield self._rejected(file, None, *file.why)
            for definition, reason in zip(file.definitions, why, strict=True):
                if reason is not None:
                    yield self._rejected(file, definition, *reason)
                else:
                    yield self._new(file, definition, next(likeness), next(origins))

    def _fingerprints(self) -> set[str]:
        """Those of all definitions."""
        return {one.fingerprint for file in self.files for one in file.definitions}

    def _with_methods(self, file: _File, same: Mapping[str, Known]) -> _File:
        """The file with new methods that need nothing of their class as functions."""
        def function(one: Definition) -> Definition:
            fresh = one.kind == "method" and one.intact and one.fingerprint not in same
            return (self.spoken.reading.alone(one) if fresh else None) or one

        return replace(file, definitions=tuple(map(function, file.definitions)))

    def _renamed(self, past: Past, same: Mapping[str, Known]) -> Mapping[str, Known]:
        """What was there with other names of its variables, by shape, of the functions that are long enough."""
        shingles = self.spoken.reading.shingles
        shapes = {
            shape_of(one, shingles(one.tokens)) for file in self.files for one in file.definitions
            if one.fingerprint not in same
        }  # fmt: skip
        return past.renamed(shapes - {""})

    def _new(self, file: _File, definition: Definition, likeness: Likeness, origin: Origin) -> Function | Rejection:
        made = self._function(file, definition, likeness, origin)
        why = why_version(likeness, self.reading.config) or self._why_age(made) or self._why_text(file, definition)
        return self._rejected(file, definition, *why) if why else made

    def _why_age(self, made: Function) -> _Why | None:
        """Why a function leaves a strict window: it may have been public on a day from before."""
        day = earliest_day(made.provenance)
        if not self.stage.strict or day >= self.reading.context.after:
            return None
        return Reason.NOT_SHOWN, f"by what lacks it, it may be of {day}"

    def _why(
        self, definition: Definition, same: Mapping[str, Known], renamed: Mapping[str, Known]
    ) -> _Why | None:
        """Why a definition leaves by itself: first what is old, so that the other reasons count new code only."""
        if known := same.get(definition.fingerprint):
            return Reason.PRIOR_TO_CUTOFF, f"the same as {known}"
        if known := renamed.get(definition.shape):
            return Reason.PRIOR_TO_CUTOFF, f"the same but for the names of its variables as {known}"
        if definition.kind == "method":
            return Reason.METHOD, definition.qualified
        if definition.kind == "nested":
            return Reason.NESTED, definition.qualified
        if definition.is_async:
            return Reason.ASYNC, definition.qualified
        if definition.is_generator:
            return Reason.GENERATOR, definition.qualified
        allowed = self.reading.config.allowed_decorators
        if others := [name for name in definition.decorators if name not in allowed]:
            return Reason.DECORATED, ", ".join(f"@{name}" for name in others)
        if not definition.intact:
            return Reason.UNPARSABLE, f"there is a syntax error in lines {definition.line_start}-{definition.line_end}"
        return None

    def _why_text(self, file: _File, definition: Definition) -> _Why | None:
        if kind := personal_in(definition.source):
            return Reason.SECRET, kind
        if first := self.seen.get(definition.fingerprint):
            return Reason.DUPLICATE, f"the same as {first}"
        self.seen[definition.fingerprint] = f"{definition.qualified} in {file.path}"
        return None

    def _rejected(self, file: _File, definition: Definition | None, reason: Reason, evidence: str) -> Rejection:
        source = self.reading.locked.source
        key, name, line, unit = f"{source.id}:{file.path}", "", 0, "file"
        if definition:
            key, name, line, unit = self._id(definition), definition.qualified, definition.line_start, "function"
        return Rejection(
            "mine", unit, key, source.name, file.path, name, line, reason.name.lower(), evidence, "", source.domain
        )

    def _id(self, definition: Definition) -> str:
        return task_id(self.spoken.name, definition.name, definition.fingerprint)

    def _function(self, file: _File, definition: Definition, likeness: Likeness, origin: Origin) -> Function:
        return Function(
            id=self._id(definition),
            language=self.spoken.name,
            name=definition.name,
            qualified=definition.qualified,
            source=definition.source,
            module=file.text,
            fingerprint=definition.fingerprint,
            provenance=self._provenance(file, definition, likeness, origin),
        )

    def _provenance(self, file: _File, definition: Definition, likeness: Likeness, origin: Origin) -> Provenance:
        locked = self.reading.locked
        header = licence.of_header(file.text)
        return Provenance(
            source=locked.source.kind,
            project=locked.source.name,
            domain=locked.source.domain,
            url=locked.url,
            path=file.path,
            line_start=definition.line_start,
            line_end=definition.line_end,
            revision=origin.revision,
            revision_date=origin.date,
            author_date=origin.author_date,
            archive=locked.upper.file_name,
            archive_sha256=locked.upper.sha256,
            first_seen=origin.first_seen,
            baseline=locked.compared_with,
            similarity=likeness.similarity,
            nearest=str(likeness.nearest) if likeness.nearest else "",
            licence=header or locked.licence,
            licence_source=f"the header of {file.path}" if header else locked.licence_source,
            not_before=origin.not_before,
            state=locked.upper.version,
        )
