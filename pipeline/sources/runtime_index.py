"""What the libraries of a runtime define, kept on disk: they are read once."""

from __future__ import annotations

from hashlib import sha256
from pathlib import Path

from harness.languages import Runtime
from harness.records import digest
from pipeline.languages import Language
from pipeline.sources.folders import excluded_as
from pipeline.sources.history_index import HistoryIndex, View


def in_runtime(runtime: Runtime, spoken: Language, cache: Path) -> tuple[View, dict[str, str]]:
    """What the libraries of a runtime define but for their tests; and the projects by what the libraries are called."""
    places: dict[str, tuple[str, Path, str]] = {}
    for library in runtime.libraries():
        for path, file in library.files:
            if not excluded_as(path, spoken.layout).startswith("tests"):
                places.setdefault(sha256(file.read_bytes()).hexdigest(), (path, file, library.title))
    index = HistoryIndex(cache / "libraries" / digest(runtime.lock_sha256, runtime.version)[:16], spoken.reading)
    sizes = {blob: file.stat().st_size for blob, (_, file, _) in places.items()}
    index.learn(sizes, lambda blob: places[blob][1].read_bytes(), "libraries of the runtime")
    files = [(blob, path) for blob, (path, _, _) in places.items()]
    view = View(index, files, [title for _, _, title in places.values()])
    return view, {library.title: library.project for library in runtime.libraries()}
