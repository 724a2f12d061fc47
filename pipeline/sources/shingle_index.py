"""Which functions have a shingle, kept on disk beside an index that hardly grows: to be asked, not read through."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from io import BytesIO
from pathlib import Path

import numpy as np
import numpy.typing as npt

from pipeline import store
from pipeline.records import Reason
from pipeline.sources import Damaged
from pipeline.sources.history_index import HistoryIndex

_Pairs = npt.NDArray[np.uint64]


class ShingleIndex:
    """The functions of an index as it is now by their shingles; `shingles` is the language's."""

    def __init__(self, index: HistoryIndex, shingles: Callable[[bytes], Sequence[int]]) -> None:
        path = index.beside("shingles.npy")
        self._shingles, self._keys = _kept(path) if path.is_file() else _made(path, index, shingles)

    def sharing(self, shingles: Sequence[int], least: int) -> set[int]:
        """The keys of the functions that have at least so many of these; one that is given twice counts twice."""
        wanted = np.array(shingles, np.uint64)
        ranges = zip(*(np.searchsorted(self._shingles, wanted, side) for side in ("left", "right")), strict=True)
        owners = np.concatenate([np.empty(0, np.uint64), *(self._keys[start:end] for start, end in ranges)])
        keys, counts = np.unique(owners, return_counts=True)
        return set(keys[counts >= least].astype(np.int64).tolist())


def _kept(path: Path) -> _Pairs:
    try:
        pairs: _Pairs = np.load(path, mmap_mode="r")
    except (ValueError, EOFError) as error:
        path.unlink(missing_ok=True)
        why = f"the index of its shingles can't be read: {type(error).__name__}"
        raise Damaged(Reason.CORRUPT_SOURCE, why) from error
    return pairs


def _made(path: Path, index: HistoryIndex, shingles: Callable[[bytes], Sequence[int]]) -> _Pairs:
    """Two rows: the shingles in ascending order, and below each the key of a function that has it, once for each."""
    own = [(np.unique(np.array(shingles(one.tokens), np.uint64)), one.key) for one in index.defined()]
    values = np.concatenate([np.empty(0, np.uint64), *(found for found, _ in own)])
    keys = np.repeat(np.array([key for _, key in own], np.int64), [len(found) for found, _ in own])
    order = np.argsort(values, kind="stable")
    pairs: _Pairs = np.stack([values[order], keys[order].astype(np.uint64)])
    out = BytesIO()
    np.save(out, pairs)
    store.write_bytes(path, out.getvalue())
    return pairs
