"""What a stage is: records go in, each comes out kept or rejected; shards make it parallel and resumable."""

from __future__ import annotations

import hashlib
import json
import platform
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field, fields
from functools import cache
from importlib import import_module
from itertools import islice
from pathlib import Path, PurePath
from typing import Any, Protocol, TypeGuard

from harness.errors import UserError
from harness.locations import Location, near, remove_folder
from harness.records import canonical_json, digest
from pipeline import reuse, store
from pipeline.config import models_named, what_of
from pipeline.executors import Executor
from pipeline.llm import Exchange
from pipeline.llm.desk import Office
from pipeline.progress import Progress
from pipeline.records import Rejection

DECIDES = {"decides": True}
"""The mark of a stage's field, besides its configuration, that decides what comes out."""


@dataclass(frozen=True)
class Context:
    """What a stage may know besides its records and its own configuration.

    `seed` drives all choices; `cache` is the folder for downloads, shared by builds; `runtime` is the locked list of
    the runtime's libraries; `data` is the folder of the project's lists (allowed libraries, exclusions, ...);
    `after` and `until` bound the window, ISO dates, UTC. `github` is the address of GitHub's API: its host alone is
    given the token. `office` is where language models are asked.
    """

    seed: int
    cache: Path
    runtime: Path
    data: Path
    after: str
    until: str
    offline: bool = False
    github: str = ""
    office: Office = field(default_factory=Office)

    def seed_for(self, *parts: str) -> int:
        """A seed that depends on the build's seed and the parts alone (63 bits)."""
        return seed_of(self.seed, *parts)


def seed_of(seed: int, *parts: str) -> int:
    """A seed that depends on another one and the parts alone (63 bits)."""
    text = "\x1f".join((str(seed), *parts))
    return int.from_bytes(hashlib.sha256(text.encode("utf-8", "surrogatepass")).digest()[:8], "big") >> 1


class Stage(Protocol):
    """A step of the flow. Implementations are frozen dataclasses that can be pickled."""

    @property
    def name(self) -> str:
        """The stage's name in the funnel."""
        ...

    @property
    def takes(self) -> type:
        """The type of its records."""
        ...

    @property
    def gives(self) -> type:
        """The type of what it keeps."""
        ...

    @property
    def shard_size(self) -> int:
        """How many records one call of `run` gets; 0 means all of them, for stages that compare records."""
        ...

    @property
    def fan_out(self) -> bool:
        """Whether one record in may give many out (then sources are accounted for, not functions)."""
        ...

    @property
    def config(self) -> Any:
        """Its part of the release's configuration."""
        ...

    def run(self, records: Sequence[Any], context: Context) -> Iterator[Any]:
        """Yield for each record what became of it: a record of type `gives`, or a `Rejection`.

        What else is made of it has an id of its own, and is in turn given once, or rejected.
        Besides, what was asked of language models: `Exchange`s.
        """
        ...


class LostRecord(Exception):
    """A stage gave nothing for a record, or two things: a defect of the stage."""


@dataclass(frozen=True)
class Shard:
    """A piece of a stage's work: some records, where what becomes of them is kept, and the key it is kept under."""

    index: int
    records: tuple[Any, ...]
    folder: Location
    key: str

    @property
    def stem(self) -> str:
        """How its files begin."""
        return f"{self.index:06d}"

    @property
    def kept(self) -> Location:
        """The file of kept records; that it exists says that the shard is done."""
        return self.folder / f"{self.stem}.kept.parquet"

    @property
    def rejected(self) -> Location:
        """The file of rejections, written before `kept`."""
        return self.folder / f"{self.stem}.rejected.parquet"

    @property
    def asked(self) -> Location:
        """The file of what language models were asked, written before `kept`, where any were."""
        return self.folder / f"{self.stem}.asked.parquet"


def _account(stage: Stage, records: Sequence[Any], kept: Sequence[Any], rejected: Sequence[Rejection]) -> None:
    if stage.fan_out:
        seen = {f.provenance.project for f in kept} | {r.project for r in rejected}
        lost = [r.id for r in records if r.source.name not in seen]
    else:
        counts = Counter(r.id for r in kept) + Counter(r.record_id for r in rejected)
        asked = Counter(r.id for r in records)
        lost = sorted(key for key in counts.keys() | asked if counts[key] != asked.get(key, 1))
    if lost:
        raise LostRecord(f"stage {stage.name} lost or doubled {', '.join(lost[:5])}")


def run_shard(job: tuple[Stage, Context, Shard]) -> int:
    """Run a stage on one shard and keep what comes out; gives the number of records that were read."""
    stage, context, shard = job
    _check_machine(context, shard)
    kept: list[Any] = []
    rejected: list[Rejection] = []
    asked: list[Exchange] = []
    for result in stage.run(shard.records, context):
        pile: list[Any] = asked if isinstance(result, Exchange) else kept
        (rejected if isinstance(result, Rejection) else pile).append(result)
    _account(stage, shard.records, kept, rejected)
    if _reuses(shard.folder, stage):
        reuse.mark(shard.folder, shard.stem, shard.records)
    if asked:
        store.write(shard.asked, Exchange, asked)
    store.write(shard.rejected, Rejection, rejected)
    store.write(shard.kept, stage.gives, kept)
    return len(shard.records)


def _check_machine(context: Context, shard: Shard) -> None:
    """Whether the machine that this runs on, maybe not the one of the build, sees the build's files."""
    missing: list[Location] = [path for path in (context.data, context.runtime) if not path.exists()]
    if _marker(shard.folder).get("key") != shard.key:
        missing.append(shard.folder)
    if missing:
        raise UserError(
            f"The machine {platform.node()} does not see {missing[0]} as this build has it: put the build's folder and "
            "the data folder on a file system that all machines share, under the same paths."
        )


def _reuses(folder: Location, stage: Stage) -> TypeGuard[Path]:
    """Whether what was made earlier of the same records is looked for, as stages that `reuses` is true of want."""
    return bool(getattr(stage, "reuses", False)) and isinstance(folder, Path)


def _shards(work: Work) -> Iterator[Shard]:
    size = work.stage.shard_size
    chunks = reuse.cut(work.records, size) if _reuses(work.folder, work.stage) else _even(work.records, size)
    for index, chunk in enumerate(chunks):
        yield Shard(index, chunk, work.folder.absolute(), work.key)


def _even(records: Iterable[Any], size: int) -> Iterator[tuple[Any, ...]]:
    rest = iter(records)
    while chunk := tuple(islice(rest, size or None)):
        yield chunk


@cache
def _code_digest(module: str) -> str:
    """A hash over the code that decides what a stage does: its folder, languages, families, the codec, the records."""
    own = Path(str(import_module(module).__file__))
    pipeline = Path(__file__).parent
    harness = pipeline.parent / "harness"
    files = {own, pipeline / "records.py", harness / "records.py", *(pipeline / "transforms").glob("*.py")}
    if own.parent != pipeline:
        files |= set(own.parent.rglob("*.py"))
    shared = [pipeline / name for name in ("languages", "transforms/altering", "families")]
    shared += [harness / name for name in ("languages", "values")]
    files |= {file for folder in shared for file in folder.rglob("*.py")}
    return digest(*(f"{f.name}\n{f.read_text('utf-8')}" for f in sorted(files)))


def _deciding(stage: Any) -> list[Any]:
    """What else of a stage decides what comes out."""
    return [getattr(stage, one.name) for one in fields(stage) if one.metadata.get("decides")]


def _named_files(stage: Stage, context: Context) -> list[str]:
    """The contents of the data files that the stage's configuration names, and of those for single languages."""
    values = [v for _, v in sorted(asdict(stage.config).items()) if isinstance(v, str)]
    files = [context.data / v for v in values if v.endswith((".toml", ".jsonl"))]
    of_languages = [one for file in files for one in sorted(file.parent.glob(f"{file.stem}-*{file.suffix}"))]
    folders = [context.data / v for v in values if v and not PurePath(v).suffix]
    texts = [file for folder in folders for file in sorted(folder.glob("*.md"))]
    return [file.read_text("utf-8") for file in (*files, *of_languages, *texts) if file.is_file()]


def _named_models(stage: Stage, context: Context) -> list[str]:
    """The models that the stage's configuration names, with the prompts and the code that speak to them."""
    names = models_named(stage.config)
    if not names:
        return []
    folder = Path(__file__).parent / "llm"
    files = sorted(path for path in folder.rglob("*") if path.suffix in (".py", ".md"))
    models = [json.dumps(what_of(context.office.model(name)), sort_keys=True) for name in names]
    code = digest(*(f"{file.name}\n{file.read_text('utf-8')}" for file in files))
    return [*models, json.dumps(what_of(context.office.limits), sort_keys=True), code]


def key_of(stage: Stage, context: Context, before: str) -> str:
    """What a stage's output depends on, as a hash; `before` is the key of the stage before it."""
    config = json.dumps([what_of(stage.config), _deciding(stage)], sort_keys=True, default=str)
    where = json.dumps([context.seed, context.after, context.until, context.runtime.read_text("utf-8")])
    code = _code_digest(type(stage).__module__)
    named = [*_named_files(stage, context), *_named_models(stage, context)]
    return digest(stage.name, before, config, where, code, *named)


@dataclass(frozen=True)
class Output:
    """A finished stage: `folder` holds its shards, `key` what they depend on."""

    stage: Stage
    folder: Location
    key: str

    def records(self) -> Iterator[Any]:
        """The kept records, in order."""
        with near(self.folder, "*.kept.parquet") as here:
            for path in sorted(here.glob("*.kept.parquet")):
                yield from store.read(path, self.stage.gives)

    def count(self) -> int:
        """The number of kept records."""
        with near(self.folder, "*.kept.parquet") as here:
            return sum(store.count(path) for path in here.glob("*.kept.parquet"))

    def exchanges(self) -> Iterator[Exchange]:
        """What language models were asked at this stage, in order."""
        with near(self.folder, "*.asked.parquet") as here:
            for path in sorted(here.glob("*.asked.parquet")):
                yield from store.read(path, Exchange)

    def rejections(self) -> Iterator[Rejection]:
        """What left at this stage, in order."""
        with near(self.folder, "*.rejected.parquet") as here:
            for path in sorted(here.glob("*.rejected.parquet")):
                yield from store.read(path, Rejection)


def _marker(folder: Location) -> dict[str, Any]:
    """What a stage's folder was begun with: its key, and that of the stage by itself."""
    marker = folder / "stage.json"
    return dict(json.loads(marker.read_text("utf-8"))) if marker.is_file() else {}


def _prepare(work: Work, own: str) -> None:
    """Keep what an earlier run with the same key has done; of another key's, what the same stage has made at most."""
    folder, found = work.folder, _marker(work.folder)
    if found.get("key") == work.key:
        return
    if _reuses(folder, work.stage) and found.get("own") == own:
        reuse.put_aside(folder)
    else:
        remove_folder(folder)
    _note(work, own, done=False)


def _note(work: Work, own: str, done: bool) -> None:
    marker = canonical_json({"key": work.key, "own": own, "done": done})
    store.write_bytes(work.folder / "stage.json", marker.encode())


def is_done(folder: Location, key: str) -> bool:
    """Whether the stage's output is there, whole, and made from the same things."""
    found = _marker(folder)
    return found.get("key") == key and found.get("done") is True


@dataclass(frozen=True)
class Work:
    """One stage about to run: on which records (`count` of them), under which key, into which folder."""

    stage: Stage
    records: Iterable[Any]
    count: int
    key: str
    folder: Location


def run_stage(work: Work, context: Context, executor: Executor) -> Output:
    """Run a stage to its end, or what an earlier run has left of it."""
    output = Output(work.stage, work.folder, work.key)
    if is_done(work.folder, work.key):
        return output
    own = key_of(work.stage, context, "")
    _prepare(work, own)
    shards: list[str] = []
    with Progress(work.stage.name, work.count) as progress:
        jobs = _remaining(work, context, progress, shards)
        for read in executor.map(run_shard, jobs):
            progress.advance(read)
    _check_whole(work, shards)
    if _reuses(work.folder, work.stage):
        remove_folder(work.folder / reuse.FOLDER)
    _note(work, own, done=True)
    return output


def _check_whole(work: Work, shards: Sequence[str]) -> None:
    """Whether what other machines have written is seen here: a stage that lacks a shard must not count as done."""
    found, wanted = sum(1 for _ in work.folder.glob("*.kept.parquet")), len(shards) or 1
    if found != wanted:
        raise UserError(
            f"{work.folder} shows {found} of {wanted} shards: put it on a file system that all machines of the build "
            "share and run the same command again."
        )


def _remaining(
    work: Work, context: Context, progress: Progress, shards: list[str]
) -> Iterator[tuple[Stage, Context, Shard]]:
    """What is to be done of all `shards`, which are named on the way."""
    done = {path.name for path in work.folder.glob("*.kept.parquet")}
    for shard in _shards(work):
        shards.append(shard.stem)
        if shard.kept.name in done or (
            _reuses(work.folder, work.stage) and reuse.reused(work.folder, shard.stem, shard.records)
        ):
            progress.skip(len(shard.records))
        else:
            yield work.stage, context, shard
    if not shards:
        store.write(work.folder / "000000.rejected.parquet", Rejection, [])
        store.write(work.folder / "000000.kept.parquet", work.stage.gives, [])
