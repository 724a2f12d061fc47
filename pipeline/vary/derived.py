"""A release that asks about the programs of another one: made from it alone, the same bytes for the same seed."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, replace
from importlib.metadata import version
from pathlib import Path
from typing import Any

from harness.errors import UserError, guess
from harness.locations import near
from harness.records import (
    CANARY,
    FIRST_LANGUAGE,
    INPUT_FAMILY,
    OUTCOME_FAMILY,
    OUTPUT_FAMILY,
    SCHEMA_VERSION,
    TRANSLATION,
    Program,
    Task,
    Translation,
    digest,
)
from harness.releases.dataset import DERIVED, MANIFEST, Release, cache_folder, load_release
from harness.releases.veil import COLUMNS, SHOTS
from harness.runtime import Consent, announced, ensure_runtime
from pipeline import executors, store
from pipeline.config import EvolveConfig, VaryConfig
from pipeline.llm.desk import Office
from pipeline.release.build import hashes, write_tracks
from pipeline.release.templates import render
from pipeline.shipped import LIBRARIES, shipped
from pipeline.stage import Context, Output, Stage, Work, key_of, run_stage
from pipeline.transforms.preserving.chains import ADVERSARIAL, ALTERED, CHAINS, OPERATORS, chain_named, dose_of
from pipeline.vary.stage import Varied, VaryStage

FAMILIES = OUTPUT_FAMILY, INPUT_FAMILY, OUTCOME_FAMILY, TRANSLATION
PROGRAMS, TRANSLATIONS = "programs.parquet", "translation.parquet"
_TAKEN = ("LICENSE", "LICENSES.txt", "NOTICE.txt", "models.toml")
"""Files of the first release that hold for what is made from it."""


@dataclass(frozen=True)
class Made:
    """A derived release: where it lies, what is in it, and how many tasks have nothing that can be asked."""

    folder: Path
    programs: tuple[Program, ...]
    rows: dict[str, int]
    left_out: int
    translations: int = 0
    untranslated: int = 0


def checked(config: VaryConfig) -> VaryConfig:
    """The settings, if they can be met; raises `UserError`."""
    for chain in config.chains:
        chain_named(chain, ALTERED)
    for family in config.families:
        if family not in FAMILIES:
            near = guess(family, FAMILIES)
            raise UserError(f"There is no family {family!r}{near}: name one of {', '.join(FAMILIES)}.")
    if min(config.draws, config.cases) < 1:
        raise UserError("There must be at least one draw and one case: give --draws and --cases a number from 1.")
    dose_of(config.sites)
    return config


def derive(
    where: str, config: VaryConfig, folder: Path | None, workers: int = 0, consent: Consent = announced
) -> Made:
    """Make the variants of a release, from where an earlier run was stopped; raises `UserError`."""
    config = replace(checked(config), model="")
    release = origin_of(where)
    tasks = [task for task in release.tasks if task.origin is None and task.language == FIRST_LANGUAGE]
    if not tasks:
        raise UserError(f"{release.name} has no task in {FIRST_LANGUAGE}: programs of other languages are not varied.")
    dose = f"-sites{config.sites}" if config.sites else ""
    name = f"{release.name}-{config.seed}{dose}{'-reasoned' if config.reasoned else ''}"
    folder = ours(folder or Path("build") / name)
    with near(release.folder) as here:
        ensure_runtime(lock_in(here, release), consent=consent)
        output = run_over(VaryStage(config), tasks, release, config.seed, folder, workers, here)
        varied = list(output.records())
        if not any(one.items or one.translations for one in varied):
            raise UserError(f"Nothing can be asked about the programs of {release.name} by these chains: name others.")
        return _written(release, name, config, varied, len(list(output.rejections())), folder / "release", here)


def _written(
    release: Release, name: str, config: VaryConfig, varied: Sequence[Varied], left_out: int, folder: Path, here: Path
) -> Made:
    """The release in its folder, written whole or not at all."""
    part = begun(release, folder, here)
    rows = sorted((row for one in varied for row in one.programs), key=_order)
    store.write(part / PROGRAMS, Program, rows)
    translated, none = translations_in(part, [row for one in varied for row in one.translations])
    rest = items_in(part, [item for one in varied for item in one.items], release, name)
    counts = {track: entry["rows"] for track, entry in rest["tracks"].items()}
    made = Made(folder, tuple(rows), counts, left_out, translated, none)
    store.write_bytes(part / "README.md", _card(release, name, config, made).encode())
    finished(part, manifest_of(release, name, config) | rest, folder)
    return made


def translations_in(part: Path, rows: Sequence[Translation]) -> tuple[int, int]:
    """Write what is to be translated; gives how many programs, and how many tasks there are without one."""
    if rows:
        store.write(part / TRANSLATIONS, Translation, sorted(rows, key=lambda row: (row.task_id, row.item_id)))
    none = sum(bool(row.reason) for row in rows)
    return len(rows) - none, none


def items_in(part: Path, items: Sequence[Task], release: Release, name: str) -> dict[str, Any]:
    """Write what a release of that name asks, veiled where its origin is; gives what the manifest says of it."""
    key = digest("code2bench", "", name)[:32] if "veil" in release.manifest else ""
    said: dict[str, Any] = {"tracks": write_tracks(items, part, key)}
    told = [*COLUMNS, *([SHOTS] if any(one.shots for one in items) else [])]
    return said | ({"veil": {"key": key, "columns": told}} if key else {})


def origin_of(where: str) -> Release:
    """The release that another one is to be made of; raises `UserError` where it was made of one itself."""
    release = load_release(where)
    if DERIVED in release.manifest:
        parent, by = release.manifest[DERIVED]["release"], release.manifest[DERIVED].get("by", "vary")
        raise UserError(f"{release.name} was made of {parent} by `{by}`: {by} {parent} with another seed instead.")
    return release


def lock_in(here: Path, release: Release) -> Path:
    """The list of the runtime's libraries of a release that lies here."""
    return (here / release.locks[FIRST_LANGUAGE].name).absolute()


def run_over(
    stage: Stage, tasks: Sequence[Task], release: Release, seed: int, folder: Path, workers: int, here: Path,
    office: Office | None = None, lock: Path | None = None,
) -> Output:
    """What a stage makes of a release's tasks, from where an earlier run was stopped, in another runtime if need be."""
    context = Context(
        seed, cache_folder().absolute(), lock or lock_in(here, release), shipped(LIBRARIES).parent, "", "",
        office=office or Office())
    key = key_of(stage, context, digest(release.manifest_sha256))
    work = Work(stage, tasks, len(tasks), key, folder / "stages" / stage.name)
    with executors.choose("local", workers) as executor:
        return run_stage(work, context, executor)


def ours(folder: Path, option: str = "--folder") -> Path:
    """The folder that an option names, if it is empty, not there, or one that was made so; raises `UserError`."""
    known = any((folder / name).is_dir() for name in ("stages", "release"))
    if folder.exists() and any(folder.iterdir()) and not known:
        raise UserError(f"{folder} holds something else: give another folder by {option}.")
    return folder


def begun(release: Release, folder: Path, here: Path) -> Path:
    """A folder beside the one of the release that is made, with the files that hold for both."""
    part = folder.with_name("release.part")
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    for file in (*(lock.name for lock in release.locks.values()), *_TAKEN):
        if (here / file).is_file():
            shutil.copyfile(here / file, part / file)
    return part


def finished(part: Path, manifest: dict[str, Any], folder: Path) -> None:
    """Write the manifest, and put the folder in its place."""
    manifest["files"] = hashes(part)
    store.write_bytes(part / MANIFEST, (json.dumps(manifest, indent=1, sort_keys=True) + "\n").encode())
    shutil.rmtree(folder, ignore_errors=True)
    part.rename(folder)


def _order(row: Program) -> tuple[str, str, int]:
    return row.task_id, row.chain, row.draw


def manifest_of(release: Release, name: str, config: VaryConfig) -> dict[str, Any]:
    """What the manifest of a release of variants says of where it comes from."""
    settings = {key: value for key, value in settings_of(config).items() if value or key != "model"}
    operators = {one.name: one.version for one in OPERATORS.values()}
    return come_from(release, name, "variants of", config.seed, {"operators": operators, "settings": settings})


def come_from(release: Release, name: str, how: str, seed: int, by: dict[str, Any]) -> dict[str, Any]:
    """What the manifest of a derived release says of where it comes from, and `by` what it was made of it."""
    taken = ("window", "runtime", "runtimes")
    return {
        "name": name, "title": f"{release.manifest.get('title', release.name)}, {how} seed {seed}",
        "schema_version": SCHEMA_VERSION, "canary": CANARY, "seed": seed,
        **{key: release.manifest[key] for key in taken if key in release.manifest},
        "tools": {"code2bench": version("code2bench")},
        DERIVED: {"release": release.name, "manifest_sha256": release.manifest_sha256, **by},
    }


def settings_of(config: VaryConfig | EvolveConfig) -> dict[str, Any]:
    """Settings as a manifest tells them."""
    return {key: list(value) if isinstance(value, tuple) else value for key, value in asdict(config).items()}


@dataclass(frozen=True)
class ChainRow:
    """What a chain came to, over all tasks: variants that were published, refusals by reason, and how far they are.

    The last four are means over variants: BLEU (0 to 100), edit distance, shares of shingles and of variants that share
    a run of ten tokens with their origin.
    """

    chain: str
    made: int
    reasons: dict[str, int]
    bleu: float
    edit: float
    shingles: float
    ten_gram: float


def by_chain(rows: Iterable[Program]) -> list[ChainRow]:
    """A row for each chain, in the order of the chains."""
    found: dict[str, list[Program]] = {}
    for row in rows:
        found.setdefault(row.chain, []).append(row)
    return [_chain_row(chain, found[chain]) for chain in (*CHAINS, ALTERED) if chain in found]


def _chain_row(chain: str, rows: Sequence[Program]) -> ChainRow:
    made = [row for row in rows if row.program]
    reasons: dict[str, int] = {}
    for row in rows:
        if row.reason:
            reasons[row.reason] = reasons.get(row.reason, 0) + 1
    count = max(1, len(made))
    return ChainRow(
        chain, len(made), dict(sorted(reasons.items())), sum(row.bleu for row in made) / count,
        sum(row.edit for row in made) / count, sum(row.shingles for row in made) / count,
        sum(row.ten_gram for row in made) / count)


def _card(release: Release, name: str, config: VaryConfig, made: Made) -> str:
    return render(
        "variants.md", own=name, parent=release.name, title=release.manifest.get("title", release.name),
        sha256=release.manifest_sha256, config=config, chains=by_chain(made.programs), rows=made.rows,
        tracks=sorted(made.rows), adversarial=ADVERSARIAL, made=made, left_out=made.left_out, canary=CANARY,
        cases=sum(row.cases for row in made.programs if row.program),
        inputs=sum(row.inputs for row in made.programs if row.program))
