"""A release that asks about evolved programs of another one: made from it alone, the same bytes for the same seed."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from statistics import mean, median
from typing import Any

from harness.errors import UserError, guess
from harness.evolved import FAMILIES
from harness.languages.registry import language
from harness.locations import near
from harness.records import CANARY, FIRST_LANGUAGE
from harness.releases.dataset import Release, runtimes_of
from harness.runtime import Consent, announced, ensure_runtime
from pipeline import store
from pipeline.config import EvolveConfig
from pipeline.evolve.making import ORIGINAL
from pipeline.evolve.rows import Bug, EvolvedProgram
from pipeline.evolve.search import Settings
from pipeline.evolve.shots import MOST, shown
from pipeline.evolve.stage import EvolvedTask, EvolveStage
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.measures.profile import profile
from pipeline.release.asked import ANSWERS, recorded
from pipeline.release.asking import how_asked
from pipeline.release.inputs import ANSWERS_LOCK, RUNTIME_LOCK
from pipeline.release.templates import render
from pipeline.transforms.preserving.evolving.registry import EVOLVERS, evolvers_named, limits
from pipeline.vary.derived import (
    begun,
    come_from,
    finished,
    items_in,
    lock_in,
    origin_of,
    ours,
    run_over,
    settings_of,
    translations_in,
)

EVOLVED, FRONT, BUGS = "evolved.parquet", "front.parquet", "bugs.parquet"
"""The versions of programs, the rest of the fronts, the faults."""
BY = "evolve"
"""What a manifest says of how a release was derived."""


@dataclass(frozen=True)
class Made:
    """An evolved release: where it lies, and what is in it; `left_out` are tasks without an evolved program.

    Of `translations` to another language none is judged yet; `untranslated` tasks have values that it has not.
    """

    folder: Path
    programs: tuple[EvolvedProgram, ...]
    bugs: tuple[Bug, ...]
    rows: dict[str, int]
    left_out: tuple[str, ...]
    translations: int = 0
    untranslated: int = 0


def checked(config: EvolveConfig) -> EvolveConfig:
    """The settings, if they can be met; raises `UserError`."""
    evolvers_named(config.operators)
    limits(config.limits)
    profile(config.profile)
    Settings(config.evaluations, config.population, config.strategy, config.longest).checked()
    for family in config.families:
        if family not in FAMILIES:
            near_ones = guess(family, FAMILIES)
            raise UserError(f"There is no family {family!r}{near_ones}: name some of {', '.join(FAMILIES)}.")
    if config.versions < 1 or config.cases < 1:
        raise UserError("There must be at least one version and one case: give --versions and --cases a number from 1.")
    if not 0 <= config.shots <= MOST:
        raise UserError(f"A prompt shows no example or one, not {config.shots}: give --shots 0 or 1.")
    if not 0 <= config.readability <= 1:
        raise UserError(f"{config.readability} is no share of readability: give --readability a number from 0 to 1.")
    return config


def derive(
    where: str, config: EvolveConfig, folder: Path | None, workers: int = 0, only: Sequence[str] = (),
    consent: Consent = announced, office: Office | None = None,
) -> Made:
    """Evolve the programs of a release, from where an earlier run was stopped; raises `UserError`.

    The `office` is where the model is asked that the settings name, if they do.
    """
    checked(config)
    asked = how_asked(config.model, office)
    release = origin_of(where)
    tasks = [task for task in release.tasks if task.origin is None and task.language == FIRST_LANGUAGE]
    tasks = [task for task in tasks if not only or {task.task_id, task.entry_point} & set(only)]
    if not tasks:
        raise UserError(f"{release.name} has no such task in {FIRST_LANGUAGE}: other programs don't evolve.")
    if not all(task.cases for task in tasks):
        raise UserError(f"{release.name} has tasks without a suite, so nothing shows that programs mean the same.")
    stage = EvolveStage(replace(config, shots=0), thresholds=profile(config.profile))
    name = f"{release.name}-evolved-{config.seed}{'-shots' if config.shots else ''}"
    folder = ours(folder or Path("build") / name, "--out")
    with near(release.folder) as here:
        # Operators bring libraries that answers to the release need not have.
        lock = here.absolute() / RUNTIME_LOCK if (here / RUNTIME_LOCK).is_file() else lock_in(here, release)
        ensure_runtime(lock, consent=consent)
        output = run_over(stage, tasks, release, config.seed, folder, workers, here, office, lock)
        evolved = list(output.records())
        if not evolved:
            raise UserError(f"No program of {release.name} could be evolved with these operators: name others.")
        left = tuple(sorted(one.record_id for one in output.rejections()))
        told = ({"only": list(only)} if only else {}) | ({"asked": asked} if asked else {})
        return _written(
            release, name, config, evolved, left, told, recorded([output]), folder / "release", here, lock)


def _written(
    release: Release, name: str, config: EvolveConfig, evolved: Sequence[EvolvedTask], left: tuple[str, ...],
    told: dict[str, Any], exchanges: Sequence[Exchange], folder: Path, here: Path, lock: Path,
) -> Made:
    """The release in its folder, whole or not at all."""
    part = begun(release, folder, here)
    evolved = sorted(evolved, key=lambda one: one.id)
    programs = tuple(row for one in evolved for row in one.programs)
    bugs = tuple(row for one in evolved for row in one.bugs)
    store.write(part / EVOLVED, EvolvedProgram, programs)
    store.write(part / FRONT, EvolvedProgram, [row for one in evolved for row in one.front])
    store.write(part / BUGS, Bug, bugs)
    if exchanges:
        store.write(part / ANSWERS, Exchange, exchanges)
    translated, none = translations_in(part, [row for one in evolved for row in one.translations])
    items = [item for one in evolved for item in one.items]
    if config.shots:
        items = list(shown(evolved, {task.task_id: task for task in release.tasks}, config))
    every = [row.program for one in evolved for row in (*one.programs, *one.front) if row.program]
    rest = {"runtime": _runtime(release, every, lock, part)} | items_in(part, items, release, name)
    counts = {track: entry["rows"] for track, entry in rest["tracks"].items()}
    made = Made(folder, programs, bugs, counts, left, translated, none)
    store.write_bytes(part / "README.md", _card(release, name, config, made).encode())
    operators = {code: one.name for code, one in EVOLVERS.items()}
    by = {"by": BY, "settings": settings_of(config), "operators": operators} | told
    finished(part, come_from(release, name, "evolved by", config.seed, by) | rest, folder)
    return made


def _runtime(release: Release, programs: Sequence[str], lock: Path, part: Path) -> dict[str, Any]:
    """What a manifest says of the runtime of the evolved programs, the list of which is written."""
    libraries = [library for task in release.tasks if task.language == FIRST_LANGUAGE for library in task.libraries]
    needed = language(FIRST_LANGUAGE).runtimes.needed(lock, libraries, programs).encode()
    store.write_bytes(part / ANSWERS_LOCK, needed)
    said = runtimes_of(release.manifest)[FIRST_LANGUAGE]
    return {**said, "lock": ANSWERS_LOCK, "sha256": hashlib.sha256(needed).hexdigest()}


def config_of(settings: dict[str, Any]) -> EvolveConfig:
    """The settings that a manifest tells."""
    typed: dict[str, Any] = {key: tuple(one) if isinstance(one, list) else one for key, one in settings.items()}
    return EvolveConfig(**typed)


@dataclass(frozen=True)
class VersionRow:
    """What a version came to: programs, means of RC, RR, pylint, operators and tokens, the median of dead shares."""

    version: str
    programs: int
    rc: float
    rc_uncapped: float
    rr: float
    pylint: float
    operators: float
    tokens: float
    dead: float | None
    constant_guards: float | None


def by_version(programs: Iterable[EvolvedProgram]) -> list[VersionRow]:
    """A row for each version, the original first."""
    found: dict[str, list[EvolvedProgram]] = {}
    for row in programs:
        if row.program:
            found.setdefault(row.version, []).append(row)
    order = sorted(found, key=lambda version: (version != ORIGINAL, version))
    return [_version_row(version, found[version]) for version in order]


def _version_row(version: str, rows: Sequence[EvolvedProgram]) -> VersionRow:
    dead = [row.dead_share for row in rows if row.dead_share is not None]
    guards = sum(row.guards for row in rows)
    return VersionRow(
        version, len(rows), mean(row.rc for row in rows), mean(row.rc_uncapped for row in rows),
        mean(row.rr for row in rows), mean(row.pylint or 0.0 for row in rows), mean(len(row.operators) for row in rows),
        mean(row.tokens for row in rows), median(dead) if dead else None,
        sum(row.constant_guards for row in rows) / guards if guards else None)


def bug_shares(bugs: Iterable[Bug]) -> dict[str, dict[int, tuple[int, int]]]:
    """For each version and order how many tasks have a fault, of how many."""
    found: dict[str, dict[int, tuple[int, int]]] = {}
    for bug in bugs:
        there, every = found.setdefault(bug.version, {}).get(bug.order, (0, 0))
        found[bug.version][bug.order] = (there + bool(bug.program), every + 1)
    return found


def _card(release: Release, name: str, config: EvolveConfig, made: Made) -> str:
    return render(
        "evolved.md", own=name, parent=release.name, title=release.manifest.get("title", release.name),
        sha256=release.manifest_sha256, config=config, versions=by_version(made.programs), rows=made.rows,
        tracks=sorted(made.rows), made=made, left_out=len(made.left_out), canary=CANARY, bugs=bug_shares(made.bugs),
        operators=EVOLVERS)
