"""What all versions of a repository's files define, kept on disk: a version that was read once is never read again."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import reduce
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.parquet as pq

from harness.records import digest
from pipeline import store
from pipeline.languages.reading import Definition, Reader
from pipeline.progress import Progress
from pipeline.records import Reason
from pipeline.sources import Damaged, persisting
from pipeline.sources.novelty import Known
from pipeline.sources.versions import Part, Versions, hash_of

_Keys = npt.NDArray[np.int64]

_PART_BYTES = 32_000_000
"""How much text is read before what was found is kept."""
_PART_FILES = 5000
_MOST_PIECES = 2_000_000
"""How many pieces are remembered while files are read; 100 bytes each."""


@dataclass(frozen=True)
class Defined:
    """A function under one text; `key` hashes the other fields."""

    key: int
    fingerprint: str
    qualified: str
    source: str
    tokens: bytes
    shape: str


@dataclass(frozen=True)
class _Piece:
    """A part of a file that was read: the hash of its text, what it defines, by key."""

    hash: int
    keys: tuple[int, ...]
    sound: bool


@dataclass(frozen=True)
class _File:
    """A version of a file: its blob, and what it defines, by key."""

    blob: str
    keys: tuple[int, ...]


class HistoryIndex:
    """The index of one repository below a folder; `reader` reads its files.

    It grows by parts of some megabytes, each of three files, of which the last to be written says that the part is
    whole. Their names come from what is in them, so several processes may add to the same index. An index that turns
    out damaged is removed, with `Damaged`.
    """

    def __init__(self, folder: Path, reader: Reader) -> None:
        self._folder = folder / reader.version
        self._reader = reader

    def left(self, sizes: Mapping[str, int], most: int) -> list[list[str]]:
        """Those of the blobs that are not known, in batches of at most so many bytes, or of one."""
        known = persisting(self._known)
        return list(_batches((blob for blob in sizes if blob not in known), sizes, most))

    def learn(self, sizes: Mapping[str, int], read: Callable[[str], bytes], what: str) -> None:
        """Read those of the blobs, given with their sizes, that are not known; `what` is for the progress bar."""
        todo, growing = persisting(lambda: self._left(sizes))
        if not growing:
            return
        with Progress(what, sum(sizes[blob] for blob in todo), "B") as progress:
            for blobs in _batches(todo, sizes, _PART_BYTES):
                files = [_File(blob, growing.keys_in(read(blob))) for blob in blobs]
                self._write(files, *growing.take())
                progress.advance(sum(sizes[blob] for blob in blobs))

    def learn_passing(self, files: Iterable[tuple[str, bytes]]) -> None:
        """Read those of the files, each under its blob, that are not known; they go by once."""
        known, growing = persisting(lambda: (self._known(), self._growing()))
        batch: list[_File] = []
        room = _PART_BYTES
        for blob, data in files:
            if blob in known:
                continue
            known.add(blob)
            if batch and (room < len(data) or len(batch) == _PART_FILES):
                self._write(batch, *growing.take())
                batch, room = [], _PART_BYTES
            batch.append(_File(blob, growing.keys_in(data)))
            room -= len(data)
        if batch:
            self._write(batch, *growing.take())

    def _known(self) -> set[str]:
        return {blob for found, _, _ in self.files() for blob in found}

    def _left(self, blobs: Iterable[str]) -> tuple[list[str], _Growing | None]:
        """Those of the blobs that are not known, and what to read them with, if there are any."""
        known = self._known()
        todo = [blob for blob in blobs if blob not in known]
        return todo, self._growing() if todo else None

    def _write(self, files: list[_File], defined: list[Defined], pieces: list[_Piece]) -> None:
        name = digest(*(file.blob for file in files))[:24]
        store.write(self._folder / f"{name}.defined.parquet", Defined, defined)
        store.write(self._folder / f"{name}.pieces.parquet", _Piece, pieces)
        store.write(self._folder / f"{name}.files.parquet", _File, files)

    def _growing(self) -> _Growing:
        keys = {key for table in self._tables("defined", "key") for key in table["key"].to_pylist()}
        pieces = _Pieces()
        for table in self._tables("pieces"):
            if len(pieces) < _MOST_PIECES:
                pieces.update((one["hash"], Part(tuple(one["keys"]), one["sound"])) for one in table.to_pylist())
        return _Growing(self._reader, keys, pieces)

    def files(self) -> Iterator[tuple[list[str], _Keys, _Keys]]:
        """Part by part the blobs, where the keys of each end, and the keys of all."""
        for table in self._tables("files"):
            keys = table["keys"].combine_chunks()
            ends = np.cumsum(pc.list_value_length(keys).to_numpy(zero_copy_only=False), dtype=np.int64)
            yield table["blob"].to_pylist(), ends, keys.flatten().to_numpy()

    def defined(self) -> Iterator[Defined]:
        """All functions, each text once, or twice where two processes met it at the same time."""
        for table in self._tables("defined"):
            for batch in table.to_batches(store.ROW_GROUP):
                yield from (Defined(**row) for row in batch.to_pylist())

    def having(self, **wanted: Collection[str] | Collection[int]) -> Iterator[Defined]:
        """The functions that have one of the values that are given for a column: `fingerprint`, `shape` or `key`."""
        for table in self._tables("defined"):
            each = [pc.is_in(table[column], pa.array(sorted(of), table[column].type)) for column, of in wanted.items()]
            yield from (Defined(**row) for row in table.filter(reduce(pc.or_, each)).to_pylist())

    def called(self, names: Collection[str]) -> Iterator[Defined]:
        """The functions that have one of these names, without what they stand in."""
        wanted = pa.array(sorted(names), pa.string())
        for table in self._tables("defined"):
            own = pc.replace_substring_regex(table["qualified"], r"^.*\.", "")
            yield from (Defined(**row) for row in table.filter(pc.is_in(own, wanted)).to_pylist())

    def beside(self, name: str) -> Path:
        """Where something that follows from the index as it is now, and has this name, is kept."""
        parts = sorted(path.name for path in self._folder.glob("*.files.parquet"))
        return self._folder / f"{digest(*parts)[:24]}.{name}"

    def _tables(self, kind: str, *columns: str) -> Iterator[pa.Table]:
        for path in sorted(self._folder.glob("*.files.parquet")):
            try:
                yield pq.read_table(path.with_name(path.name.replace("files", kind)), columns=list(columns) or None)
            except (pa.ArrowException, OSError) as error:
                shutil.rmtree(self._folder, ignore_errors=True)
                why = f"the index of its history can't be read: {type(error).__name__}"
                raise Damaged(Reason.CORRUPT_SOURCE, why) from error


class View:
    """What some of an index's files define: blobs with paths, whose order tells which of several functions was first.

    `state` is what they are called together, or each of them for itself.
    """

    def __init__(self, index: HistoryIndex, files: Sequence[tuple[str, str]], state: str | Sequence[str]) -> None:
        self._index = index
        self._files = files
        self._state = state
        places = {blob: number for number, (blob, _) in reversed(list(enumerate(files)))}
        self._keys: list[_Keys] = [np.empty(0, np.int64)] * len(files)
        for blobs, ends, keys in index.files():
            for blob, start, end in zip(blobs, [0, *ends[:-1]], ends, strict=True):
                if blob in places:
                    self._keys[places[blob]] = keys[start:end]
        self._ends = np.cumsum([len(keys) for keys in self._keys])
        every = np.concatenate([*self._keys, np.empty(0, np.int64)])
        self._distinct, self._first = np.unique(every, return_index=True)

    def __iter__(self) -> Iterator[Known]:
        return (known for one in self._index.defined() if (known := self._known(one)))

    def same(self, fingerprints: Collection[str]) -> dict[str, Known]:
        """For those of the fingerprints that are there, the first function that has it."""
        return self._first_of("fingerprint", fingerprints)

    def renamed(self, shapes: Collection[str]) -> dict[str, Known]:
        """For those of the shapes that are there, the first function that has it."""
        return self._first_of("shape", shapes)

    def _first_of(self, what: str, wanted: Collection[str]) -> dict[str, Known]:
        found: dict[str, Known] = {}
        for known in self.having(**{what: wanted}):
            value = getattr(known, what)
            if value not in found or known.order < found[value].order:
                found[value] = known
        return found

    def like(self, names: Collection[str], fingerprints: Collection[str]) -> Iterator[Known]:
        """The functions that have one of the names or one of the fingerprints; some come twice."""
        yield from (known for one in self._index.called(names) if (known := self._known(one)))
        yield from self.having(fingerprint=fingerprints)

    def having(self, **wanted: Collection[str] | Collection[int]) -> Iterator[Known]:
        """The functions that have one of the values that are given for `fingerprint`, `shape` or `key`."""
        return (known for one in self._index.having(**wanted) if (known := self._known(one)))

    def file_of(self, known: Known) -> int:
        """The number of the first file that has a function of this view."""
        return self._file_at(known.order)

    def _known(self, one: Defined) -> Known | None:
        at = int(np.searchsorted(self._distinct, one.key))
        if at == len(self._distinct) or self._distinct[at] != one.key:
            return None
        order = int(self._first[at])
        at = self._file_at(order)
        state = self._state if isinstance(self._state, str) else self._state[at]
        path = self._files[at][1]
        return Known(one.qualified, state, path, one.source, one.fingerprint, one.tokens, order, one.shape)

    def _file_at(self, order: int) -> int:
        return int(np.searchsorted(self._ends, order, "right"))


class _Pieces(dict[int, Part[int]]):
    """The parts that were read; `new` are those since it was cleared."""

    def __init__(self) -> None:
        super().__init__()
        self.new: list[int] = []

    def __setitem__(self, key: int, part: Part[int]) -> None:
        super().__setitem__(key, part)
        self.new.append(key)


class _Growing:
    """What is found while files are read, until it is written."""

    def __init__(self, reader: Reader, keys: set[int], pieces: _Pieces) -> None:
        self._keys = keys
        self._pieces = pieces
        self._versions = Versions(reader, self._note, pieces)
        self._defined: list[Defined] = []

    def keys_in(self, data: bytes) -> tuple[int, ...]:
        """What a file defines, by key."""
        return tuple(dict.fromkeys(self._versions.defined_in(data)))

    def _note(self, one: Definition) -> int:
        key = hash_of(one.fingerprint, one.qualified, one.source)
        if key not in self._keys:
            self._keys.add(key)
            self._defined.append(Defined(key, one.fingerprint, one.qualified, one.source, one.tokens, one.shape))
        return key

    def take(self) -> tuple[list[Defined], list[_Piece]]:
        """What was found since it was asked last."""
        pieces = [_Piece(key, self._pieces[key].defined, self._pieces[key].sound) for key in self._pieces.new]
        defined, self._defined = self._defined, []
        self._pieces.new.clear()
        if len(self._pieces) > _MOST_PIECES:
            self._pieces.clear()
        return defined, pieces


def _batches(blobs: Iterable[str], sizes: Mapping[str, int], most: int) -> Iterator[list[str]]:
    batch: list[str] = []
    room = most
    for blob in blobs:
        if batch and (room < sizes[blob] or len(batch) == _PART_FILES):
            yield batch
            batch, room = [], most
        batch.append(blob)
        room -= sizes[blob]
    if batch:
        yield batch
