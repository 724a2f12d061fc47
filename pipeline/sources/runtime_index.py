"""What the libraries of a runtime define, kept on disk: they are read once."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from hashlib import sha256
from pathlib import Path

from harness.languages import Runtime
from harness.records import digest
from pipeline.languages import Language
from pipeline.sources.folders import excluded_as
from pipeline.sources.history_index import HistoryIndex, View
from pipeline.sources.novelty import Known
from pipeline.sources.shingle_index import ShingleIndex


class RuntimeIndex:
    """What the libraries of a runtime define but for their tests; `cache` is where it is kept."""

    def __init__(self, runtime: Runtime, spoken: Language, cache: Path) -> None:
        places: dict[str, tuple[str, Path, str]] = {}
        libraries = runtime.libraries()
        for library in libraries:
            for path, file in library.files:
                if not excluded_as(path, spoken.layout).startswith("tests"):
                    places.setdefault(sha256(file.read_bytes()).hexdigest(), (path, file, library.title))
        index = HistoryIndex(cache / "libraries" / digest(runtime.lock_sha256, runtime.version)[:16], spoken.reading)
        sizes = {blob: file.stat().st_size for blob, (_, file, _) in places.items()}
        index.learn(sizes, lambda blob: places[blob][1].read_bytes(), "libraries of the runtime")
        files = [(blob, path) for blob, (path, _, _) in places.items()]
        self._view = View(index, files, [title for _, _, title in places.values()])
        self._shingles = ShingleIndex(index, spoken.reading.shingles)
        self.projects = {library.title: library.project for library in libraries}
        """The projects by what the libraries are called; "" for those that no project has."""

    def alike(
        self, fingerprints: Collection[str], shapes: Collection[str], marks: Iterable[tuple[Sequence[int], int]]
    ) -> Iterator[Known]:
        """Those with one of the fingerprints or shapes, or with at least so many of some shingles as stand beside."""
        sharing = {key for shingles, least in marks for key in self._shingles.sharing(shingles, least)}
        return self._view.having(fingerprint=fingerprints, shape=shapes, key=sharing)
