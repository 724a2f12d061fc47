"""The index of shingles finds what reading through everything finds, and a damaged one is made anew."""

from __future__ import annotations

from pathlib import Path

import pytest

from pipeline.languages.python.reading import READER
from pipeline.sources import Damaged, persisting
from pipeline.sources.history_index import HistoryIndex
from pipeline.sources.shingle_index import ShingleIndex

FILES = {
    "a": b"def widest(rows):\n    return max((len(row) for row in rows), default=0)\n\ndef first(rows):\n    return rows[0]\n",
    "b": b"def narrowest(rows):\n    return min((len(row) for row in rows), default=0)\n",
}


@pytest.fixture
def index(tmp_path: Path) -> HistoryIndex:
    made = HistoryIndex(tmp_path, READER)
    made.learn({name: len(data) for name, data in FILES.items()}, FILES.__getitem__, "files")
    return made


def wanted(index: HistoryIndex, shingles: list[int], least: int) -> set[int]:
    """What reading through everything finds."""
    return {one.key for one in index.defined()
            if sum(shingle in READER.shingles(one.tokens) for shingle in shingles) >= least}


@pytest.mark.parametrize("least", [1, 2, 5, 40])
def test_it_finds_what_reading_through_everything_finds(index: HistoryIndex, least: int) -> None:
    made = ShingleIndex(index, READER.shingles)
    for one in index.defined():
        own = list(READER.shingles(one.tokens))
        for shingles in (own, [*own, *own[:2]], []):
            assert made.sharing(shingles, least) == wanted(index, shingles, least)


def test_one_that_is_kept_is_read_again_and_follows_what_is_learnt(index: HistoryIndex) -> None:
    own = list(READER.shingles(next(index.defined()).tokens))
    before = ShingleIndex(index, READER.shingles).sharing(own, 1)
    assert ShingleIndex(index, lambda tokens: pytest.fail("it is made again")).sharing(own, 1) == before
    index.learn({"c": 99}, lambda blob: FILES["a"].replace(b"widest", b"broadest"), "files")
    assert len(ShingleIndex(index, READER.shingles).sharing(own, len(own))) == 2


def test_a_damaged_one_is_made_anew(index: HistoryIndex) -> None:
    own = list(READER.shingles(next(index.defined()).tokens))
    before = ShingleIndex(index, READER.shingles).sharing(own, 1)
    index.beside("shingles.npy").write_bytes(b"\x93NUMPY")
    with pytest.raises(Damaged, match="shingles can't be read"):
        ShingleIndex(index, READER.shingles)
    index.beside("shingles.npy").write_bytes(b"")
    assert persisting(lambda: ShingleIndex(index, READER.shingles)).sharing(own, 1) == before
