"""What archives define, kept on disk: one that was read once, under the same limits, is never read again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import pyarrow as pa

from harness.records import digest
from pipeline import store
from pipeline.languages.reading import Reader
from pipeline.records import Archive
from pipeline.sources import Reading, SourceFile
from pipeline.sources.history_index import HistoryIndex, View


@dataclass(frozen=True)
class Held:
    """A file of an archive: the hash of its text, and its path."""

    blob: str
    path: str


_Read = Callable[[Archive], Iterable[SourceFile]]


class ArchiveIndex:
    """The index of one project's archives below a folder: what their files define, and which files each has."""

    def __init__(self, folder: Path, reader: Reader, reading: Reading) -> None:
        self._index = HistoryIndex(folder, reader)
        self._folder = folder / reader.version
        config = reading.config
        limits = config.max_archive_bytes, config.max_unpacked_bytes, config.max_files, config.max_file_bytes
        self._read_as = *map(str, limits), *sorted(reading.suffixes)

    def view(self, archives: Sequence[Archive], read: _Read) -> View:
        """What some archives define, the first of them first; `read` gives the files of one that is not known."""
        unknown = [archive for archive in archives if self._listed(archive) is None]
        if unknown:
            listings: dict[str, list[Held]] = {}
            self._index.learn_passing(_noted(unknown, read, listings))
            for archive in unknown:
                store.write(self._listing(archive), Held, listings[archive.sha256])
        held = [(archive, one) for archive in archives for one in self._listed(archive) or ()]
        states = [archive.file_name for archive, _ in held]
        return View(self._index, [(one.blob, one.path) for _, one in held], states)

    def _listed(self, archive: Archive) -> list[Held] | None:
        path = self._listing(archive)
        try:
            return list(store.read(path, Held)) if path.is_file() else None
        except (pa.ArrowException, OSError):
            return None

    def _listing(self, archive: Archive) -> Path:
        return self._folder / f"{digest(archive.sha256, *self._read_as)[:24]}.listing.parquet"


def _noted(
    archives: Sequence[Archive], read: _Read, listings: dict[str, list[Held]]
) -> Iterator[tuple[str, bytes]]:
    """The files of archives with their hashes, which are noted as they go by."""
    for archive in archives:
        noted = listings.setdefault(archive.sha256, [])
        for file in read(archive):
            blob = sha256(file.data).hexdigest()
            noted.append(Held(blob, file.path))
            yield blob, file.data
