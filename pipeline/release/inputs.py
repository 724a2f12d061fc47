"""What decided a release besides code and cache, as files of it: a data folder made from them repeats its build."""

from __future__ import annotations

import shutil
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path, PurePosixPath

from harness.errors import UserError
from harness.locations import Location, near
from harness.records import MAINTAINER
from harness.releases.cutoffs import models_file
from harness.releases.dataset import MANIFEST, Release, cache_folder, read_manifest
from harness.releases.veil import MARK, unveil, veil, veil_key
from pipeline import store
from pipeline.classify.libraries import list_of
from pipeline.config import ClassifyConfig, CurateConfig, DedupeConfig, InstructConfig, PackageConfig, ReleaseConfig
from pipeline.config_file import load_config
from pipeline.curated.answers import as_lines, current, load_answers, published
from pipeline.curated.files import load_curated, parsed
from pipeline.families.registry import family
from pipeline.packaging.exclusions import as_text, load_exclusions
from pipeline.progress import say
from pipeline.records import DEFAULT_LANGUAGE, Reason
from pipeline.sources.lock import write_lock
from pipeline.stage import Context, Output

CONFIGURATION = "release.toml"
LOCK = "sources.lock"
RUNTIME_LOCK, ANSWERS_LOCK = "runtime.lock", "answers.lock"
"""The files of a release with the libraries that it was built with, and with those that its answers need, if less."""
LIBRARIES = ClassifyConfig.libraries
MODELS = "models.toml"
"""The models' cutoffs that a release's card goes by."""
INPUTS = "inputs.parquet"
"""What maintainers gave besides: a file of a release that has the other files of the data folder."""
_CURATED, _ANSWERS = CurateConfig.files, InstructConfig.answers
_EXCLUSIONS, _KNOWN = PackageConfig.exclusions, DedupeConfig.known


@dataclass(frozen=True)
class DataFile:
    """A file of the data folder by its usual name there, and of its text what concerns a release."""

    file: str
    text: str


def models_of(context: Context) -> Path:
    """The list of models that a build goes by: the data folder's, or the one that comes with the package."""
    listed = context.data / MODELS
    return listed if listed.is_file() else models_file()


def write_inputs(folder: Path, config: ReleaseConfig, context: Context, outputs: Sequence[Output]) -> None:
    """Write into a release's folder what decided its finished stages: no more than that, and all of it."""
    stages = {output.stage.name: output for output in outputs}
    locked = list(stages["lock"].records())
    shutil.copyfile(config.path, folder / CONFIGURATION)
    shutil.copyfile(context.runtime, folder / RUNTIME_LOCK)
    shutil.copyfile(models_of(context), folder / MODELS)
    for language in {DEFAULT_LANGUAGE, *(one.source.language for one in locked)}:
        listed = context.data / list_of(config.classify.libraries, language)
        shutil.copyfile(listed, folder / list_of(LIBRARIES, language))
    write_lock(folder / LOCK, locked, stages["lock"].rejections(), (context.after, context.until))
    excluded = {one.record_id for one in stages["package"].rejections() if one.reason == Reason.EXCLUDED.name.lower()}
    keep(folder, [
        *(_curated(context.data / config.curate.files, stages["curate"]) if config.curate.files else ()),
        *_answers(context.data / config.instruct.answers, stages, excluded),
        *_exclusions(context.data / config.package.exclusions, excluded),
        *_known(context.data / config.dedupe.known),
    ])


def _curated(folder: Path, curate: Output) -> Iterator[DataFile]:
    """The maintainers' files of functions that came so far; those that are stale decide nothing."""
    taken = {one.id for one in curate.records() if one.curated} | {one.record_id for one in curate.rejections()}
    for one in load_curated(folder).values():
        if one.id in taken and one.path is not None:
            yield DataFile(f"{_CURATED}/{one.path.name}", one.path.read_text("utf-8"))


def _answers(path: Path, stages: Mapping[str, Output], excluded: Collection[str]) -> Iterator[DataFile]:
    """The blind answers to what became no task; those to tasks are published by themselves."""
    known = load_answers(path)
    later = [stages[name] for name in ("members", "package") if name in stages]
    wanted = {one.record_id for stage in later for one in stage.rejections()}.intersection(known).difference(excluded)
    asked = [one for one in stages["instruct"].records() if one.id in wanted] if wanted else []
    found = [answer for one in asked for answer in current(family(one.suite.family).task(one), known)]
    if found:
        yield DataFile(_ANSWERS, as_lines(found))


def _exclusions(path: Path, excluded: Collection[str]) -> Iterator[DataFile]:
    if excluded:
        known = load_exclusions(path)
        yield DataFile(_EXCLUSIONS, as_text(known[task] for task in sorted(excluded)))


def _known(path: Path) -> Iterator[DataFile]:
    if path.is_file():
        yield DataFile(_KNOWN, path.read_text("utf-8"))


def keep(folder: Path, files: Sequence[DataFile], key: str = "") -> None:
    """Write files of the data folder into a release's, if there are any; with a key they are no plain text."""
    if files:
        hidden = [replace(one, text=veil(one.text, key, one.file)) if key else one for one in files]
        store.write(folder / INPUTS, DataFile, hidden)


def kept(folder: Path, key: str = "") -> list[DataFile]:
    """The files of a data folder that a release's folder holds; raises `UserError` where the key is another one."""
    path = folder / INPUTS
    found = store.read(path, DataFile) if path.is_file() else ()
    return [
        replace(one, text=unveil(one.text, key, one.file)) if one.text.startswith(MARK) else one for one in found]


def wrong_answers(release: Release) -> dict[str, tuple[str, ...]]:
    """The wrong answers that maintainers have recorded, by task, as far as a release holds their files."""
    with near(release.folder) as here:
        files = kept(here, veil_key(release.manifest))
    texts = [one for one in files if one.file.startswith(f"{_CURATED}/") and one.file != _ANSWERS]
    read = (parsed(one.text, Path(one.file)) for one in texts)
    return {one.id: one.curated.wrong for one in read if one.curated.wrong}


def unpacked(release: Release) -> ReleaseConfig:
    """The configuration of a release, in a data folder of the cache with all that it names, under the usual names.

    Its sources are those of its lock. Raises `UserError` where the release holds files of other names.
    """
    if INPUTS not in release.manifest["files"] and any(task.instructed_by == MAINTAINER for task in release.tasks):
        say(f"Note: {release.folder} does not hold what maintainers wrote for it, so it can't be repeated.")
    place = cache_folder().absolute() / "inputs" / release.manifest_sha256[:16]
    config = place / "releases" / CONFIGURATION
    places = {
        CONFIGURATION: config, LOCK: config.with_suffix(".lock"), RUNTIME_LOCK: place / ReleaseConfig.runtime,
        **{name: place / name for name in release.manifest["files"] if _is_list(name)},
    }
    with near(release.folder) as here:
        for name, path in places.items():
            store.write_bytes(path, (here / name).read_bytes())
        for one in _data_files(here, veil_key(release.manifest)):
            store.write_bytes(place / one.file, one.text.encode())
    return _by_usual_names(load_config(config))


def _data_files(folder: Path, key: str) -> Iterator[DataFile]:
    texts = {one.file: one.text for one in kept(folder, key)}
    answers = as_lines(published(folder, key)) + texts.pop(_ANSWERS, "")
    for name, text in {**texts, **({_ANSWERS: answers} if answers else {})}.items():
        path = PurePosixPath(name)
        if name not in (_ANSWERS, _EXCLUSIONS, _KNOWN) and (str(path.parent), path.suffix) != (_CURATED, ".md"):
            raise UserError(f"{folder / INPUTS} has {name!r}, which no release holds: get the release again.")
        yield DataFile(name, text)


def _is_list(name: str) -> bool:
    return name == MODELS or ("/" not in name and name.startswith(Path(LIBRARIES).stem) and name.endswith(".toml"))


def _by_usual_names(config: ReleaseConfig) -> ReleaseConfig:
    return replace(
        config,
        runtime=ReleaseConfig.runtime,
        sources=replace(config.sources, lists=()),
        dedupe=replace(config.dedupe, known=_KNOWN),
        classify=replace(config.classify, libraries=LIBRARIES),
        curate=replace(config.curate, files=_CURATED),
        instruct=replace(config.instruct, answers=_ANSWERS),
        package=replace(config.package, exclusions=_EXCLUSIONS),
    )


def likeness(first: Release, again: Location) -> str:
    """How a repeated release compares with the first, in a sentence."""
    manifest, sha256 = read_manifest(again)
    if sha256 == first.manifest_sha256:
        return f"It is the same as {first.folder}, byte for byte."
    before, after = first.manifest["files"], manifest["files"]
    differing = [name for name in sorted({*before, *after}) if before.get(name) != after.get(name)]
    same = manifest["tracks"] == first.manifest["tracks"]
    return (
        f"Its tasks are {'those' if same else 'not those'} of {first.folder}, and not the same bytes are "
        f"{', '.join([*differing, MANIFEST])}."
    )
