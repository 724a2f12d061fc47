"""Draw real functions that nobody has tuned on, of projects that no list of ours names.

The index is whatever git repositories lie in some folders, which nothing in this project names; names that a file of
`data` knows are left out. They are read in an order that depends on the seed and on their names alone. The
functions of each one's newest state go the way of all functions, but for novelty: nothing counts as older. What is
drawn stays in a cache outside of this project, so that two versions of the code sit the same exam.
"""

from __future__ import annotations

import io
import json
import re
import tarfile
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from hashlib import sha256
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import pipeline
from harness.errors import UserError
from harness.records import digest
from harness.releases.dataset import cache_folder
from pipeline import store
from pipeline.config import ScreenConfig
from pipeline.config_file import load_config
from pipeline.flow import Options, context_of, stages
from pipeline.progress import Progress
from pipeline.records import Archive, Candidate, LockedSource, Source
from pipeline.sources import Unusable
from pipeline.sources.call_sites import CallsStage
from pipeline.sources.history import History, opened
from pipeline.sources.licence import is_licence_file
from pipeline.sources.lock import write_lock
from pipeline.suites.drafts import SuiteRequest
from pipeline.suites.trial import seed_of

DATA = Path(pipeline.__file__).parents[1] / "data"
"""The lists of the tree whose code is run, which need not be the one that this file lies in."""

PROJECTS = 60
"""Of how many projects the functions are at least."""

MAX_BYTES = 1_000_000
"""How large a file may be."""

TRACKS = ("sc-python", "wsc-python")
_WAY = ("mine", "classify", "screen", "dedupe", "judge")
_NAMING = ("pyproject.toml", "setup.cfg", "setup.py")


@dataclass(frozen=True)
class Project:
    """A repository that may be drawn, by the name of its folder: `name`, or `owner+name`."""

    folder: str
    path: Path

    @property
    def name(self) -> str:
        """Its own name."""
        return self.folder.rpartition("+")[2]


@dataclass(frozen=True)
class Drawn:
    """A function of the exam, with all that its suite is made from; `id` and `project` are hashes."""

    id: str
    project: str
    track: str
    program: str
    entry_point: str
    libraries: tuple[str, ...]
    calls: tuple[str, ...]

    def request(self) -> SuiteRequest:
        """What the search is given."""
        return SuiteRequest(self.id, self.program, self.entry_point, seed_of(self.program), self.libraries, self.calls)


@dataclass
class Sample:
    """So many functions, half of each track, not many of one project."""

    count: int
    taken: list[Drawn] = field(default_factory=list)

    @property
    def full(self) -> bool:
        """Whether each track has its share."""
        return len(self.taken) >= self._half * len(TRACKS)

    @property
    def _half(self) -> int:
        return -(-self.count // len(TRACKS))

    def take(self, functions: Iterable[Drawn]) -> int:
        """Take what there is still room for of one project's functions; gives their number."""
        most = max(1, self.count // (len(TRACKS) * PROJECTS))
        known = {one.id for one in self.taken}
        room = {track: min(most, self._half - count) for track, count in counted(self.taken).items()}
        before = len(self.taken)
        for one in functions:
            if one.id not in known and room[one.track] > 0:
                room[one.track] -= 1
                self.taken.append(one)
        return len(self.taken) - before


def counted(functions: Iterable[Drawn]) -> dict[str, int]:
    """The number of functions of each track."""
    found = Counter(one.track for one in functions)
    return {track: found[track] for track in TRACKS}


@dataclass(frozen=True)
class Exam:
    """Which functions are meant: so many, drawn with a seed; `cache` is where those of all exams are kept."""

    seed: int
    count: int
    cache: Path = field(default_factory=lambda: cache_folder().absolute() / "exam")

    @property
    def folder(self) -> Path:
        """Where those of its seed are kept."""
        return self.cache / str(self.seed)

    @property
    def file(self) -> Path:
        """Its functions, once all of them are drawn."""
        return self.folder / f"{self.count}.jsonl"


def drawn(exam: Exam) -> list[Drawn]:
    """The functions of an exam that was drawn before."""
    if not exam.file.is_file():
        raise UserError(f"{exam.count} functions with the seed {exam.seed} are yet to be drawn: `draw` them first.")
    return list(_read(exam.file))


def draw(exam: Exam, folders: Sequence[Path]) -> list[Drawn]:
    """Draw the functions of an exam; stopped anywhere, the next call goes on with the same."""
    sample, known = Sample(exam.count), named(DATA)
    with Progress("draw", exam.count, "fn") as progress:
        for project in _in_order(exam.seed, folders, known):
            if sample.full:
                break
            # What a project has does not depend on the seed, so another exam need not read it again.
            path = exam.cache / "projects" / f"{digest(project.folder)}.jsonl"
            if not path.is_file():
                _write(path, _functions_of(project, known))
            progress.advance(sample.take(sorted(_read(path), key=lambda one: digest(str(exam.seed), one.id))))
    if not sample.full:
        found = ", ".join(f"{count} of {track}" for track, count in counted(sample.taken).items())
        raise UserError(f"The folders give only {found}: put further repositories there, or ask for fewer.")
    _write(exam.file, sample.taken)
    return sample.taken


def _write(path: Path, functions: Iterable[Drawn]) -> None:
    store.write_bytes(path, "".join(json.dumps(asdict(function)) + "\n" for function in functions).encode())


def _read(path: Path) -> Iterator[Drawn]:
    for line in path.read_text("utf-8").splitlines():
        row = json.loads(line)
        yield Drawn(**row | {"libraries": tuple(row["libraries"]), "calls": tuple(row["calls"])})


def _in_order(seed: int, folders: Sequence[Path], known: frozenset[str]) -> list[Project]:
    """The repositories in the seed's order, without those that go by a known name."""
    found = [project for folder in folders for project in _repositories(folder)]
    unknown = [project for project in found if known.isdisjoint(map(plain, project.folder.split("+")))]
    return sorted(unknown, key=lambda project: digest(str(seed), project.folder))


def _repositories(folder: Path) -> Iterator[Project]:
    """The repositories in a folder, with a work tree or without; each may lie in a folder `repo` of its own."""
    if not folder.is_dir():
        raise UserError(f"There is no folder {folder}: give one that has git repositories in it.")
    for path in (path for path in folder.iterdir() if path.is_dir()):
        places = [place for place in (path, path / "repo", path / ".git", path / "repo" / ".git")
                  if (place / "objects").is_dir()]  # fmt: skip
        yield from (Project(path.name.removesuffix(".git"), place) for place in places[:1])


def named(data: Path) -> frozenset[str]:
    """All words that a file of the data folder has in quotes or at the start of a line: more than names of projects."""
    texts = [path.read_text("utf-8") for path in sorted(data.rglob("*")) if path.suffix in (".toml", ".lock", ".txt")]
    words = (word for text in texts for word in re.findall(r'"([\w.-]+)"|^([\w.-]+)', text, re.M))
    return frozenset(plain(one or other) for one, other in words)


def plain(name: str) -> str:
    """A name as indexes compare it, without what says that it is Python's."""
    name = re.sub(r"[-_.]+", "-", name.lower())
    return re.sub(r"^python3?-|-python3?$", "", name)


def _functions_of(project: Project, known: frozenset[str]) -> list[Drawn]:
    """What the judge admits of a project; nothing of one that calls itself by a known name."""
    with TemporaryDirectory() as place:
        try:
            with opened(project.path) as history:
                files = dict(_files(history))
        except Unusable:
            return []
        if not known.isdisjoint(_own_names(files)):
            return []
        return [_hidden(candidate) for candidate in _admitted(project, files, Path(place))]


def _files(history: History) -> Iterator[tuple[str, bytes]]:
    """The files of the newest state that the stages may ask for, and those that name the project."""
    for path, blob, size in history.files(history.refs.head):
        if path.endswith(".py") or path in _NAMING or is_licence_file(path):
            yield path, history.read(blob) if size <= MAX_BYTES else b""


def _own_names(files: Mapping[str, bytes]) -> set[str]:
    """What a project calls itself, and some other words."""
    said = re.compile(rb"^\s*name\s*[:=]\s*[\"']?([\w.-]+)", re.M | re.I)
    return {plain(name.decode("ascii", "replace")) for path in _NAMING for name in said.findall(files.get(path, b""))}


def _admitted(project: Project, files: Mapping[str, bytes], cache: Path) -> list[Candidate]:
    """What the stages from mining to judging keep of a project that has nothing older to compare with.

    The screen is the usual one, whatever a release asks for, so that all exams are drawn from the same.
    """
    config = replace(load_config(DATA / "releases" / "demo.toml"), screen=ScreenConfig())
    context = replace(context_of(config, Options(offline=True)), cache=cache)
    source = Source("pypi", project.name, "Development Tools", project.name)
    locked = LockedSource(source, "", "", "", _release(files, cache), ())
    write_lock(cache / "sources.lock", [locked])
    records: list[Any] = [locked]
    for stage in stages(config):
        if stage.name in _WAY:
            records = [record for record in stage.run(records, context) if isinstance(record, stage.gives)]
    called = CallsStage(cache / "sources.lock").run(records, context)
    return [record for record in called if isinstance(record, Candidate)]


def _release(files: Mapping[str, bytes], cache: Path) -> Archive:
    """The files as a source release that the registry's client finds in its cache."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for path, data in sorted(files.items()):
            member = tarfile.TarInfo(f"project/{path}")
            member.size = len(data)
            tar.addfile(member, io.BytesIO(data))
    hashed = sha256(out.getvalue()).hexdigest()
    store.write_bytes(cache / "archives" / hashed[:2] / hashed, out.getvalue())
    return Archive("1", "project-1.tar", hashed, "", len(out.getvalue()))


def _hidden(candidate: Candidate) -> Drawn:
    function = candidate.function
    project = digest("exam", function.provenance.project)[:16]
    return Drawn(
        digest("exam", candidate.id)[:16], project, candidate.track, candidate.program, function.name,
        candidate.libraries, function.calls,
    )
