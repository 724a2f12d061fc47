"""Thresholds of complexity and readability that real projects set: the profile `mined` (GeneBench, section 3.2).

The classes and the functions of the projects in a lock are measured as programs of tasks are. Files are read from the
cache and parsed, and nothing of them runs.
"""

from __future__ import annotations

import math
import re
import tomllib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from functools import partial
from pathlib import Path
from statistics import fmean, median

from harness.analysis import Cell, Table
from harness.cache import cache_folder
from harness.errors import UserError
from harness.records import FIRST_LANGUAGE, canonical_json, digest
from pipeline import executors, store
from pipeline.config import MineConfig
from pipeline.config_file import load_config, lock_path
from pipeline.languages import Language
from pipeline.languages.registry import language
from pipeline.measures import units as measuring
from pipeline.measures.profile import C_NAMES, R_NAMES, Profile, checked
from pipeline.measures.units import FUNCTION, KINDS, units
from pipeline.progress import Progress
from pipeline.records import LockedSource, Rejection, reject_source
from pipeline.shipped import LIBRARIES, RUNTIME, configuration, shipped
from pipeline.sources import Reading, SourceFile, Unusable, persisting
from pipeline.sources.adapters import adapter
from pipeline.sources.folders import excluded_as, generated_by
from pipeline.sources.lock import read_lock
from pipeline.stage import DECIDES, Context, Work, key_of, run_stage

MINED = "mined"
"""The name of the profile."""
HIGH = 0.9
"""The share of units that the high point is not below."""
_OWN = re.compile(rf"^\[{MINED}\..*?(?=^\[|\Z)", re.MULTILINE | re.DOTALL)


def _version() -> str:
    """A text that changes with what is measured."""
    files = sorted(Path(measuring.__file__).parent.glob("*.py"))
    return digest(*(file.read_text("utf-8") for file in files))


@dataclass(frozen=True)
class Values:
    """The measures of a class or a function, C1 to C7 and R1 to R13."""

    kind: str
    name: str
    values: tuple[float, ...]


@dataclass(frozen=True)
class Measured:
    """What was measured of a source; `left_out` of its `files` were generated, or can't be read here."""

    id: str
    files: int
    left_out: int
    units: tuple[Values, ...]


@dataclass(frozen=True)
class ThresholdsStage:
    """LockedSource -> Measured."""

    config: MineConfig = field(default_factory=MineConfig)
    measures: str = field(default_factory=_version, metadata=DECIDES)
    name: str = "thresholds"
    takes: type = LockedSource
    gives: type = Measured
    shard_size: int = 1
    fan_out: bool = False

    def run(self, records: Sequence[LockedSource], context: Context) -> Iterator[Measured | Rejection]:
        """Yield what is measured of each source, or why it can't be read."""
        for locked in records:
            spoken = language(locked.source.language)
            reading = Reading(locked, self.config, context, spoken.layout.suffixes)
            try:
                yield persisting(partial(_measured, reading, spoken))
            except Unusable as error:
                yield reject_source(self.name, locked.source, error.reason, error.evidence)


def _measured(reading: Reading, spoken: Language) -> Measured:
    source = reading.locked.source
    found: list[Values] = []
    read = left_out = 0
    for file in adapter(source.kind).upper_files(reading):
        if file.data and not excluded_as(file.path, spoken.layout):
            values = _of_file(file, spoken, source.name)
            read, left_out = read + 1, left_out + (values is None)
            found += values or ()
    return Measured(source.id, read, left_out, tuple(found))


def _of_file(file: SourceFile, spoken: Language, project: str) -> list[Values] | None:
    """The measures of a file's units; None where it can't be read, or was generated."""
    try:
        text = spoken.reading.decode(file.data)
        if generated_by(text):
            return None
        own = spoken.layout.own_packages(project, file.path)
        return [Values(one.kind, f"{file.path}:{one.name}", (*one.complexity.values, *one.readability.values))
                for one in units(text, own)]
    except (SyntaxError, ValueError, RecursionError):
        return None


@dataclass(frozen=True)
class Thresholds:
    """The measures of the units of several projects; `missing` are those that can't be read, with the reason."""

    name: str
    projects: int
    files: int
    left_out: int
    missing: tuple[str, ...]
    values: Mapping[str, Sequence[Sequence[float]]]

    def count(self, kind: str) -> int:
        """How many units of a kind there are."""
        return len(self.values[kind])

    def column(self, kind: str, place: int) -> list[float]:
        """The values of one measure in all units of a kind."""
        return [row[place] for row in self.values[kind]]

    def table(self) -> Table:
        """For each measure its mean, median and 90% point, of classes and of functions with their helpers."""
        lines: list[tuple[Cell, ...]] = []
        for place, name in enumerate((*C_NAMES, *R_NAMES)):
            columns = [self.column(kind, place) for kind in KINDS]
            told = [(round(fmean(one), 2), round(median(one), 2), round(high(one), 2)) for one in columns]
            lines.append((name, *(value for values in told for value in values)))
        return Table(("measure", *(f"{kind}, {what}" for kind in KINDS for what in ("mean", "median", "90%"))),
                     tuple(lines))

    def profile(self) -> Profile:
        """The profile of functions with their helpers: the 90% points, those of readability rounded up.

        Most functions are small, and a threshold at their mean would be passed by any task. What hardly any function
        has counts from the first one.
        """
        points = [high(self.column(FUNCTION, place)) for place in range(len(C_NAMES) + len(R_NAMES))]
        complexity = [max(1, point) for point in points[: len(C_NAMES)]]
        readability = [max(1, math.ceil(point)) for point in points[len(C_NAMES) :]]
        return checked(
            MINED, dict(zip(C_NAMES, complexity, strict=True)), dict(zip(R_NAMES, readability, strict=True)))

    def as_toml(self) -> str:
        """The profile's tables, as they stand in `data/complexity.toml`."""
        made = self.profile()
        where = f"{self.projects} projects in {self.name}.lock"
        told = f"90% points over {self.count(FUNCTION)} functions, with their helpers, of {where}"
        parts = (("complexity", C_NAMES, made.complexity, told),
                 ("readability", R_NAMES, made.readability, "of the same, rounded up"))
        return "\n".join(
            f"[{MINED}.{part}]  # {of}\n" + "".join(f"{name} = {value:g}\n" for name, value in
                                                  zip(names, values, strict=True))
            for part, names, values, of in parts)

    def write(self, path: Path) -> None:
        """Put the profile into a file of profiles, in place of the one that it has; raises `UserError`."""
        try:
            before = path.read_text("utf-8") if path.exists() else ""
            tomllib.loads(before)
        except (OSError, ValueError) as error:
            raise UserError(f"{path} is no file of profiles ({error}): give another one by --out.") from None
        rest = _OWN.sub("", before).rstrip("\n")
        store.write_bytes(path, f"{rest}\n\n{self.as_toml()}".lstrip("\n").encode())


def high(values: Sequence[float]) -> float:
    """The least value that at least 90% of the values are not above."""
    return sorted(values)[max(0, math.ceil(HIGH * len(values)) - 1)]


def thresholds(path: Path, workers: int = 0) -> Thresholds:
    """Measure what the lock of a configuration names, from where an earlier run was stopped; raises `UserError`."""
    config = load_config(configuration(path))
    lock = lock_path(config)
    if not lock.is_file():
        raise UserError(f"There is no lock {lock}: build {config.name} up to the stage `lock` first.")
    sources = [one for one in read_lock(lock) if isinstance(one, LockedSource)]
    sources = [one for one in sources if one.source.language == FIRST_LANGUAGE]
    context = Context(
        config.seed, cache_folder().absolute(), shipped(RUNTIME), shipped(LIBRARIES).parent, "", "", offline=True)
    there, missing = _parted(sources, config.mine, context)
    if not there:
        raise UserError(f"Nothing that {lock} names in {FIRST_LANGUAGE} is in the cache: build {config.name} first.")
    stage = ThresholdsStage(config.mine)
    key = key_of(stage, context, digest(*(canonical_json(asdict(one)) for one in there)))
    work = Work(stage, there, len(there), key, Path("build") / f"{config.name}-thresholds" / "stages" / stage.name)
    with executors.choose("local", workers) as executor:
        output = run_stage(work, context, executor)
    found: list[Measured] = list(output.records())
    missing += [f"{one.project} ({one.evidence})" for one in output.rejections()]
    values = {kind: [one.values for each in found for one in each.units if one.kind == kind] for kind in KINDS}
    for kind, rows in values.items():
        if not rows:
            raise UserError(f"The code that {lock} names has no {kind}, so there is nothing to measure.")
    return Thresholds(
        config.name, len(found), sum(one.files for one in found), sum(one.left_out for one in found),
        tuple(missing), values)


def _parted(
    sources: Sequence[LockedSource], config: MineConfig, context: Context
) -> tuple[list[LockedSource], list[str]]:
    """The sources whose code is in the cache, and the others as `Thresholds` tells them."""
    there, missing = [], []
    with Progress("cache", len(sources)) as progress:
        for one in sources:
            try:
                next(adapter(one.source.kind).upper_files(Reading(one, config, context, ())), None)
                there.append(one)
            except UserError:
                missing.append(f"{one.source.name} (it is not in the cache)")
            except Unusable:
                there.append(one)  # who reads it says what is wrong with it
            progress.advance(1)
    return there, missing
