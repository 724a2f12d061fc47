"""A release that asks the questions of another one in other words, too: the same tasks, and rows that vary them."""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.locations import near
from harness.records import CANARY, FIRST_LANGUAGE, PromptVariant, Provenance, Task
from harness.releases.dataset import DERIVED, Release
from harness.releases.veil import veil, veil_key
from harness.rewordings import INITIAL, PROMPTS, as_variant
from pipeline import store
from pipeline.config import VaryConfig
from pipeline.llm import Exchange
from pipeline.llm.desk import Office, side_by_side
from pipeline.release.asked import ANSWERS, recorded
from pipeline.release.asking import how_asked
from pipeline.release.templates import render
from pipeline.rewording.asked import checked, reword
from pipeline.rewording.drafts import Writer
from pipeline.rewording.model import ModelWriter
from pipeline.rewording.words import version
from pipeline.stage import DECIDES, Context
from pipeline.vary.derived import begun, finished, manifest_of, origin_of, ours, run_over
from pipeline.vary.meanings import LABELS, in_other_words, kept, read_labels, write_labels


@dataclass(frozen=True)
class Reworded:
    """A release whose questions are asked in other words: where it lies, and its rows."""

    folder: Path
    rows: tuple[PromptVariant, ...]


@dataclass(frozen=True)
class StrategyRow:
    """What a strategy came to, over all tasks: those with a variant, those with as many as are asked for, refusals."""

    strategy: str
    variants: int
    tasks: int
    full: int
    reasons: dict[str, int]
    information: str
    meaning: str


@dataclass(frozen=True)
class Put:
    """A task's question in all its words."""

    id: str
    rows: tuple[PromptVariant, ...]
    provenance: Provenance


@dataclass(frozen=True)
class RewordStage:
    """Puts the questions of tasks otherwise."""

    config: VaryConfig = field(default_factory=VaryConfig)
    rules: str = field(default_factory=version, metadata=DECIDES)
    name: str = "reword"
    takes: type = Task
    gives: type = Put
    shard_size: int = 4
    fan_out: bool = False

    def run(self, records: Sequence[Task], context: Context) -> Iterator[Put | Exchange]:
        """Yield each task with its rows; besides, what a model was asked."""
        if not self.config.model:
            yield from (self._put(task) for task in records)
            return

        def asked(task: Task) -> list[Put | Exchange]:
            desk = context.office.desk(self.name, task.id)
            return [self._put(task, ModelWriter(self.config.model, desk)), *desk.exchanges]

        for found in side_by_side(asked, records, "  asking"):
            yield from found

    def _put(self, task: Task, writer: Writer | None = None) -> Put:
        return Put(task.id, tuple(rows_of(task, self.config, writer)), task.provenance)


def derive_prompts(
    where: str, config: VaryConfig, folder: Path | None, workers: int = 0, office: Office | None = None,
    labels: Sequence[Path] = (),
) -> Reworded:
    """Put the questions of a release otherwise, from where an earlier run was stopped; raises `UserError`.

    The `office` is where the model is asked that the settings name, if they do. What people say of the questions in
    files of `labels` becomes part of the release.
    """
    config = checked_strategies(config)
    asked = how_asked(config.model, office)
    release = origin_of(where)
    tasks = [task for task in release.tasks if task.language == FIRST_LANGUAGE]
    if not tasks:
        raise UserError(f"{release.name} has no task in {FIRST_LANGUAGE}: other questions are not put otherwise.")
    name = f"{release.name}-{config.seed}-prompts"
    folder = ours(folder or Path("build") / name)
    with near(release.folder) as here:
        output = run_over(RewordStage(config), tasks, release, config.seed, folder, workers, here, office)
        rows = tuple(row for one in output.records() for row in one.rows)
        if all(row.strategy == INITIAL or row.reason for row in rows):
            raise UserError(f"No question of {release.name} can be put otherwise by these strategies: name others.")
        told = read_labels(labels, in_other_words(rows))
        further = _Further(asked, recorded([output]), told)
        _written(release, name, config, rows, folder / "release", here, further)
    return Reworded(folder / "release", rows)


def checked_strategies(config: VaryConfig) -> VaryConfig:
    """The settings with the strategies by their names, where `all` stands for the usual ones; raises `UserError`."""
    return checked(replace(config, strategies=() if "all" in config.strategies else config.strategies))


def rows_of(task: Task, config: VaryConfig, writer: Writer | None = None) -> Iterator[PromptVariant]:
    """The question as it is and in other words, scored by the same cases; ids are those of the variants."""
    rows = reword(task, config, writer)
    scored = next((row.scored for row in rows if not row.reason), tuple(range(len(task.cases))))
    first = PromptVariant(
        "", task.task_id, task.task_digest, task.track, INITIAL, 1, config.seed, renames={}, scored=scored)
    yield replace(first, variant_id=as_variant(task, first).id)
    yield from rows


@dataclass(frozen=True)
class _Further:
    """What a release of questions holds besides its rows: how a model was `asked`, and has answered, so that everybody
    can make it again; labels by people.
    """

    asked: Mapping[str, Any]
    exchanges: Sequence[Exchange]
    labels: Mapping[str, str]


def _written(
    release: Release, name: str, config: VaryConfig, rows: Sequence[PromptVariant], folder: Path, here: Path,
    further: _Further,
) -> None:
    """The release in its folder, whole or not at all; its tasks are the origin's files."""
    part = begun(release, folder, here)
    for entry in release.manifest["tracks"].values():
        (part / entry["file"]).parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(here / entry["file"], part / entry["file"])
    taken = {key: release.manifest[key] for key in ("tracks", "veil") if key in release.manifest}
    key = veil_key(release.manifest)
    write_prompts(rows, part, key)
    if further.exchanges:
        store.write(part / ANSWERS, Exchange, further.exchanges)
    if further.labels:
        write_labels(further.labels, part / LABELS)
    card = render(
        "prompts.md", own=name, parent=release.name, title=release.manifest.get("title", release.name),
        sha256=release.manifest_sha256, config=config, strategies=by_strategy(rows, config.variants),
        tracks=sorted(release.manifest["tracks"]), canary=CANARY, tasks=len({row.task_id for row in rows}),
        kept=kept(further.labels, in_other_words(rows)))
    store.write_bytes(part / "README.md", card.encode())
    manifest = manifest_of(release, name, config)
    manifest[DERIVED] |= {"asked": dict(further.asked)} if further.asked else {}
    finished(part, manifest | taken, folder)


def write_prompts(rows: Iterable[PromptVariant], folder: Path, key: str) -> None:
    """Write the rows of a release, with a key so that their references are no plain text."""
    store.write(folder / PROMPTS, PromptVariant, [_veiled(row, key) for row in rows])


def _veiled(row: PromptVariant, key: str) -> PromptVariant:
    if not (key and row.reference):
        return row
    return replace(row, reference=veil(row.reference, key, f"{row.variant_id}/reference"))


def by_strategy(rows: Iterable[PromptVariant], variants: int) -> list[StrategyRow]:
    """A row for each strategy, in the order in which they come."""
    found: dict[str, list[PromptVariant]] = {}
    for row in rows:
        found.setdefault(row.strategy, []).append(row)
    return [_strategy_row(name, found[name], variants) for name in found if name != INITIAL]


def _strategy_row(name: str, rows: Sequence[PromptVariant], variants: int) -> StrategyRow:
    made = [row for row in rows if not row.reason]
    reasons: dict[str, int] = {}
    for row in rows:
        if row.reason:
            reasons[row.reason] = reasons.get(row.reason, 0) + 1
    tasks = [row.task_id for row in made]
    full = sum(tasks.count(task) >= variants for task in set(tasks))
    told = [sorted({getattr(row, field) for row in made}) for field in ("information", "meaning")]
    return StrategyRow(
        name, len(made), len(set(tasks)), full, dict(sorted(reasons.items())), *map("/".join, told))
