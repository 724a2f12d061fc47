"""What the libraries of a runtime define, kept on disk: they are read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from hashlib import sha256
from pathlib import Path

from filelock import FileLock

from harness.languages import Runtime
from harness.records import digest
from pipeline.executors.local import LocalExecutor
from pipeline.languages import Language
from pipeline.languages.registry import language
from pipeline.progress import Progress
from pipeline.sources.folders import excluded_as
from pipeline.sources.history_index import HistoryIndex, View
from pipeline.sources.novelty import Known
from pipeline.sources.shingle_index import ShingleIndex

_PART = 6_000_000
"""Bytes of files that a process reads before it takes the next ones."""


class RuntimeIndex:
    """What the libraries of a runtime define but for their tests; `cache` is where it is kept."""

    def __init__(self, runtime: Runtime, spoken: Language, cache: Path) -> None:
        places: dict[str, tuple[str, Path, str]] = {}
        libraries = runtime.libraries()
        for library in libraries:
            for path, file in library.files:
                if not excluded_as(path, spoken.layout).startswith("tests"):
                    places.setdefault(sha256(file.read_bytes()).hexdigest(), (path, file, library.title))
        folder = cache / "libraries" / digest(runtime.lock_sha256, runtime.version)[:16]
        index = HistoryIndex(folder, spoken.reading)
        folder.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(folder.with_suffix(".lock")):  # whoever comes second has it read
            _learn(index, _Part(folder, spoken.name, {blob: file for blob, (_, file, _) in places.items()}))
            self._shingles = ShingleIndex(index, spoken.reading.shingles)
        files = [(blob, path) for blob, (path, _, _) in places.items()]
        self._view = View(index, files, [title for _, _, title in places.values()])
        self.projects = {library.title: library.project for library in libraries}
        """The projects by what the libraries are called; "" for those that no project has."""

    def alike(
        self, fingerprints: Collection[str], shapes: Collection[str], marks: Iterable[tuple[Sequence[int], int]]
    ) -> Iterator[Known]:
        """Those with one of the fingerprints or shapes, or with at least so many of some shingles as stand beside."""
        sharing = {key for shingles, least in marks for key in self._shingles.sharing(shingles, least)}
        return self._view.having(fingerprint=fingerprints, shape=shapes, key=sharing)


@dataclass(frozen=True)
class _Part:
    """Files for one process to read, by blob; `folder` is where the index lies."""

    folder: Path
    language: str
    files: dict[str, Path]

    @cached_property
    def sizes(self) -> dict[str, int]:
        """The bytes of each file."""
        return {blob: file.stat().st_size for blob, file in self.files.items()}


def _learn(index: HistoryIndex, whole: _Part) -> None:
    """Read those of the files that the index does not know, on all cores."""
    batches = index.left(whole.sizes, _PART)
    parts = [replace(whole, files={blob: whole.files[blob] for blob in blobs}) for blobs in batches]
    if not parts:
        return
    with Progress("libraries of the runtime", sum(sum(part.sizes.values()) for part in parts), "B") as progress:
        for done in LocalExecutor().map(_learn_part, parts):
            progress.advance(done)


def _learn_part(part: _Part) -> int:
    """Read files in a process of their own; gives their bytes."""
    index = HistoryIndex(part.folder, language(part.language).reading)
    index.learn_passing((blob, file.read_bytes()) for blob, file in part.files.items())
    return sum(part.sizes.values())
