"""The stages in order: read this first. A release's configuration goes in, a release folder comes out."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from dataclasses import asdict, dataclass
from difflib import get_close_matches
from pathlib import Path
from typing import Any

from pyarrow import ArrowInvalid

from harness.errors import UserError, guess
from harness.locations import Location, near, remove_folder
from harness.records import canonical_json, digest
from harness.releases.cutoffs import cutoff_of, read_models
from harness.releases.dataset import MANIFEST, Release, cache_folder, load_release
from harness.runtime import ensure_runtime
from pipeline import executors, progress, store
from pipeline.classify.stage import ClassifyStage
from pipeline.config import ReleaseConfig, models_named
from pipeline.config_file import load_config, lock_path
from pipeline.curated.answers import load_answers
from pipeline.curated.files import load_curated
from pipeline.curated.stage import CurateStage
from pipeline.evolve import derived as evolve
from pipeline.families.registry import bundled, taken
from pipeline.instruct.stage import InstructStage
from pipeline.judge.stage import JudgeStage
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.packaging.exclusions import load_exclusions
from pipeline.packaging.flags import check_flags
from pipeline.packaging.stage import PackageStage
from pipeline.records import LockedSource, Reason, Source
from pipeline.release.asked import ANSWERS, write_account
from pipeline.release.build import Ingredients, write_release
from pipeline.release.inputs import CONFIGURATION, likeness, unpacked
from pipeline.sample import SampleStage
from pipeline.screen.stage import ScreenStage
from pipeline.sources.call_sites import CallsStage
from pipeline.sources.choosing import choose
from pipeline.sources.dedupe import DedupeStage
from pipeline.sources.elsewhere import ElsewhereStage
from pipeline.sources.lists import read_sources
from pipeline.sources.lock import LockStage, read_lock, refused, write_lock
from pipeline.sources.member_ages import MemberAgesStage
from pipeline.sources.mine import MineStage
from pipeline.sources.namesakes import NamesakesStage
from pipeline.stage import Context, Output, Stage, Work, key_of, run_stage
from pipeline.suites.stage import SuiteStage
from pipeline.vary.derived import checked, derive
from pipeline.vary.prompts import checked_strategies, derive_prompts


def stages(config: ReleaseConfig) -> tuple[Stage, ...]:
    """The way of a function, from a list of projects to a task (paper, Table 14).

    What looks at all functions side by side comes behind what tells by a function alone that it is no task. Rules judge
    all that the sample is drawn from; language models, which cost more, only what was drawn.
    """
    drawing: tuple[Stage, Stage] = JudgeStage(config.judge), SampleStage(config.sample)
    return (
        LockStage(config.mine, lock_path(config).absolute()),
        MineStage(config.mine, config.window.strict, bundled(config.families.take)),
        ClassifyStage(config.classify, config.mine, bundled(config.families.take), lock_path(config).absolute()),
        ScreenStage(config.screen),
        ElsewhereStage(config.mine, lock_path(config).absolute()),
        DedupeStage(config.dedupe),
        CurateStage(config.curate),
        *(reversed(drawing) if config.judge.models else drawing),
        CallsStage(lock_path(config).absolute(), config.mine),
        SuiteStage(config.suite),
        NamesakesStage(config.mine, lock_path(config).absolute()),
        InstructStage(config.instruct, tuple(one.name for one in taken(config.families.take))),
        *((MemberAgesStage(config.mine, lock_path(config).absolute()),) if bundled(config.families.take) else ()),
        PackageStage(config.package),
    )


@dataclass(frozen=True)
class Build:
    """A build under way or done: its configuration, the folder that it works in, and its stages' outputs so far."""

    config: ReleaseConfig
    folder: Location
    outputs: tuple[Output, ...]

    @property
    def release(self) -> Location:
        """Where the finished release lies."""
        return self.folder / "release"

    @property
    def variants(self) -> Path | None:
        """Where the variants of its tasks are made, beside the stages; nowhere at an address."""
        return self.folder / "variants" if isinstance(self.folder, Path) else None

    @property
    def evolved(self) -> Path | None:
        """Where its programs are evolved, beside the stages; nowhere at an address."""
        return self.folder / "evolved" if isinstance(self.folder, Path) else None


@dataclass(frozen=True)
class Options:
    """How a build is run, none of which changes what comes out of it; `answers` are recorded ones of models."""

    workers: int = 0
    offline: bool = False
    folder: Location | None = None
    until_stage: str = ""
    answers: Path | None = None


def build(path: Path, options: Options) -> Build:
    """Build the release that a `release.toml` describes, from where an earlier run was stopped.

    One that lies in the folder of a release repeats that, from what the folder and the cache hold alone.
    """
    first = _first(path)
    config = load_config(path) if first is None else unpacked(first)
    checked(config.vary)
    checked_strategies(config.vary)
    if config.evolve.versions:
        evolve.checked(config.evolve)
    names = _up_to(options.until_stage, [stage.name for stage in stages(config)])
    folder: Location = options.folder or Path("build") / config.name
    if first is not None and isinstance(folder, Path) and (folder / "release").resolve() == first.folder:
        raise UserError(f"{first.folder} would be written over by its repetition: give another folder by --folder.")
    context = context_of(config, options)
    _say_doubts(config, context)
    _check_inputs(config, context, folder, names)
    if first is not None and ANSWERS in first.manifest["files"]:
        _take_over(path.with_name(ANSWERS), context)
    if options.answers is not None:
        _take_over(options.answers, context)
    if not options.offline:
        ensure_runtime(context.runtime)
        context.office.check(name for stage in stages(config) for name in models_named(stage.config))
    try:
        with executors.choose(config.executor, options.workers) as executor:
            outputs = tuple(_run(config, folder, context, options.until_stage, executor))
    finally:
        if config.models:
            write_account(folder, context.office.ledger)
    result = Build(config, folder, outputs)
    if not options.until_stage:
        write_release(Ingredients(config, outputs, result.release, context))
        if config.vary.chains and result.variants is not None:
            derive(str(result.release), config.vary, result.variants, options.workers)
        if config.vary.strategies and result.variants is not None:
            derive_prompts(
                str(result.release), config.vary, result.variants.with_name("prompts"), options.workers,
                context.office)
        if config.evolve.versions and result.evolved is not None:
            evolve.derive(
                str(result.release), config.evolve, result.evolved, options.workers, office=context.office)
        if first is not None:
            progress.say(likeness(first, result.release))
    return result


def _say_doubts(config: ReleaseConfig, context: Context) -> None:
    """Tell which cutoffs the window begins after that nobody has verified."""
    if config.window.after:
        return
    path = context.data / "models.toml"
    known = read_models(path)
    doubtful = [f"{name} ({known[name].said})" for name in config.window.models if not known[name].verified]
    if doubtful:
        progress.say(
            f"Note: the window begins after what these models know: {'; '.join(doubtful)}. Read the source before a "
            f"release rests on it, and put the day under looked_up in {path}.")


def _first(path: Path) -> Release | None:
    """The release that a configuration lies in, if it does."""
    own = path.name == CONFIGURATION and path.with_name(MANIFEST).is_file()
    return load_release(path.parent.absolute()) if own else None


def _up_to(wanted: str, known: Sequence[str]) -> Sequence[str]:
    """The names of the stages up to this one, of all where none is wanted; raises `UserError` for one that is none."""
    if wanted and wanted not in known:
        near = guess(wanted, known)
        raise UserError(f"There is no stage {wanted!r}{near}; --until-stage takes one of {', '.join(known)}.")
    return known[: known.index(wanted) + 1] if wanted else known


def _check_inputs(config: ReleaseConfig, context: Context, folder: Location, names: Collection[str]) -> None:
    """Refuse at once what one of the stages of these names would refuse when its turn comes."""
    if lock_path(config).is_file():
        read_lock(lock_path(config))
    if config.sources.lists:
        _sources(config, context, folder)
    if CurateStage.name in names and config.curate.files:
        load_curated(context.data / config.curate.files)
    if InstructStage.name in names:
        load_answers(context.data / config.instruct.answers)
    if PackageStage.name in names:
        load_exclusions(context.data / config.package.exclusions)
        check_flags(config.package.leave_out)
    executors.choose(config.executor, 0)


def _take_over(path: Path, context: Context) -> None:
    """Keep the answers that a release has recorded, so that its build needs no server."""
    if not path.is_file():
        raise UserError(f"There is no file {path}: give the answers.parquet of the release that is to be repeated.")
    try:
        count = context.office.cache.take_over(store.read(path, Exchange))
    except (ArrowInvalid, KeyError, TypeError) as error:
        raise UserError(f"{path} holds no recorded answers ({error}): give a release's answers.parquet.") from None
    progress.say(f"{count} recorded answers are in the cache.")


def context_of(config: ReleaseConfig, options: Options) -> Context:
    """What the stages may know; the data folder is the one above the configuration's."""
    data = config.path.resolve().parent.parent
    after = config.window.after or cutoff_of(config.window.models, data / "models.toml")
    if after >= config.window.until:
        raise UserError(f"The window is impossible: the models' cutoff is {after}, but until is {config.window.until}.")
    runtime = data / config.runtime
    if not runtime.is_file():
        raise UserError(f"There is no runtime lock {runtime}: set runtime to a file of the data folder.")
    return Context(
        config.seed, cache_folder().absolute(), runtime, data, after, config.window.until, options.offline,
        config.github.address, _office(config, options),
    )


def _office(config: ReleaseConfig, options: Options) -> Office:
    """Where the build asks language models; all of its runs share one account."""
    folder = cache_folder().absolute() / "llm"
    account = folder / "accounts" / f"{config.name}-{digest(str(config.path.resolve()))[:12]}.json"
    models = tuple(sorted(config.models.items()))
    return Office(config.llm, models, folder / "answers", account, options.offline)


def _run(
    config: ReleaseConfig, folder: Location, context: Context, until_stage: str, executor: executors.Executor
) -> Iterator[Output]:
    records: Sequence[Any] = _sources(config, context, folder)
    key = digest(*(canonical_json(asdict(s)) for s in records), _text(lock_path(config)))
    count = len(records)
    source: Any = records
    names = [f"{number:02d}-{stage.name}" for number, stage in enumerate(stages(config), 1)]
    for name, stage in zip(names, stages(config), strict=True):
        stage_folder = folder / "stages" / name
        key = key_of(stage, context, key)
        output = run_stage(Work(stage, source, count, key, stage_folder), context, executor)
        if name == names[0]:
            key = _write_lock(output, lock_path(config), context)
            _tell_silent(output, lock_path(config))
        yield output
        if stage.name == until_stage:
            return
        source, count = output.records(), output.count()
    _clear_strays(folder, names)


def _sources(config: ReleaseConfig, context: Context, folder: Location) -> list[Source]:
    """The sources in an order that no list decides, since a release has them from its lock alone."""
    base = config.path.resolve().parent
    found = [s for name in config.sources.lists for s in read_sources(base / name)]
    if not config.sources.lists:
        found = _of_lock(config, context, folder / "choose")
    if config.sources.only:
        known = {s.name for s in found}
        unknown = sorted(set(config.sources.only) - known)
        if unknown:
            where = "a source list" if config.sources.lists else "the repositories that were chosen"
            near = get_close_matches(unknown[0], sorted(known), 1)
            cure = f"did you mean {near[0]!r}?" if near else "correct it, or add it there."
            raise UserError(f"{config.path.name}: sources.only names {unknown[0]!r}, which is not in {where}: {cure}")
        found = [s for s in found if s.name in set(config.sources.only)]
    return sorted(found[: config.sources.limit or None], key=lambda source: source.id)


def _of_lock(config: ReleaseConfig, context: Context, folder: Location) -> list[Source]:
    """The sources of the lock; where there is none, repositories are chosen now."""
    lock = lock_path(config)
    if lock.is_file():
        found = [d.source if isinstance(d, LockedSource) else refused(d) for d in read_lock(lock)]
    else:
        choose(config, context, folder / "repositories.toml", folder)
        with near(folder) as here:
            found = read_sources(here / "repositories.toml")
    return sorted(found, key=lambda source: source.id)


def _text(path: Location) -> str:
    return path.read_text("utf-8") if path.is_file() else ""


def _write_lock(output: Output, path: Path, context: Context) -> str:
    """Keep the decisions beside the configuration; what follows depends on them alone, not on how they were made."""
    before = _text(path)
    part = output.folder / "sources.lock"
    write_lock(part, output.records(), output.rejections(), (context.after, context.until))
    after = _text(part)
    if after != before:
        store.write_bytes(path, after.encode())
    return digest(after)


def _tell_silent(output: Output, lock: Path) -> None:
    silent = [r.project for r in output.rejections() if r.reason == Reason.NO_ANSWER.name.lower()]
    if silent:
        cure = f"remove them from {lock} and build again to ask once more"
        progress.say(f"{len(silent)} sources did not answer, the first is {silent[0]}: {cure}.")


def _clear_strays(folder: Location, names: Collection[str]) -> None:
    for stray in (folder / "stages").glob("*"):
        if stray.name not in names:
            remove_folder(stray)
