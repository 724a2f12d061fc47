"""The store: what is written comes back, the same bytes each time, whole or not at all."""

import errno
import os
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from pipeline import store
from pipeline.records import Function
from tests.pipeline.making import candidate


@dataclass(frozen=True)
class Inner:
    name: str
    numbers: tuple[int, ...]


@dataclass(frozen=True)
class Outer:
    id: str
    ratio: float
    flag: bool
    inner: Inner
    many: tuple[Inner, ...]
    payload: dict[str, Any]
    maybe: Inner | None = None


TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
INNER = st.builds(Inner, TEXT, st.lists(st.integers(-(2**63), 2**63 - 1), max_size=3).map(tuple))
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=3), inner, max_size=3),
    max_leaves=5,
)
OUTER = st.builds(
    Outer, TEXT, st.floats(allow_nan=False), st.booleans(), INNER, st.lists(INNER, max_size=3).map(tuple),
    st.dictionaries(TEXT, JSON, max_size=3), st.none() | INNER,
)


@given(OUTER)
def test_a_row_gives_its_record_back(record: Outer) -> None:
    assert store.from_row(Outer, store.to_row(record)) == record


def records(count: int) -> list[Outer]:
    return [Outer(str(i), i / 3, i % 2 == 0, Inner("a", (i,)), (), {"z": [i], "a": None}) for i in range(count)]


def test_a_file_gives_its_records_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "x.parquet"
    assert store.write(path, Outer, records(2500)) == 2500
    assert list(store.read(path, Outer)) == records(2500)
    assert store.count(path) == 2500


def test_the_same_records_give_the_same_bytes(tmp_path: Path) -> None:
    store.write(tmp_path / "a", Outer, records(10))
    store.write(tmp_path / "b", Outer, records(10))
    assert (tmp_path / "a").read_bytes() == (tmp_path / "b").read_bytes()


def test_an_empty_file_keeps_its_schema(tmp_path: Path) -> None:
    store.write(tmp_path / "x.parquet", Outer, [])
    assert list(store.read(tmp_path / "x.parquet", Outer)) == []
    rows = store.query("describe select * from read_parquet(?)", str(tmp_path / "x.parquet"))
    assert {r["column_name"] for r in rows} >= {"id", "inner", "many"}


@pytest.mark.skipif(os.geteuid() != 0, reason="a file system of a given size needs root to be mounted")
def test_a_full_disk_is_told_and_leaves_the_old_file(tmp_path: Path) -> None:
    import subprocess

    disk = tmp_path / "disk"
    disk.mkdir()
    mounted = subprocess.run(["mount", "-t", "tmpfs", "-o", "size=64k", "tmpfs", str(disk)], capture_output=True)
    if mounted.returncode:
        pytest.skip("mounting is not allowed here")
    try:
        store.write_bytes(disk / "x", b"old")
        with pytest.raises(UserError, match="is full: free some space"):
            store.write_bytes(disk / "x", b"n" * 200_000)
        assert (disk / "x").read_bytes() == b"old"
        assert [p.name for p in disk.iterdir()] == ["x"]
    finally:
        subprocess.run(["umount", str(disk)], check=True)


def test_another_failure_of_the_disk_stays_itself(tmp_path: Path) -> None:
    (tmp_path / "x").mkdir()
    (tmp_path / "x" / "y").touch()
    with pytest.raises(OSError) as caught:
        store.write_bytes(tmp_path / "x", b"data")
    assert caught.value.errno in (errno.EISDIR, errno.ENOTEMPTY)
    assert [p.name for p in tmp_path.iterdir()] == ["x"]


def test_equal_long_texts_are_one_object_when_they_are_read(tmp_path: Path) -> None:
    texts = ["x" * 5000, "y" * 5000, "x" * 5000]
    functions = [replace(candidate("def f(a):\n    return a\n").function, module=text) for text in texts]
    store.write(tmp_path / "functions.parquet", Function, functions)
    first, other, same = (one.module for one in store.read(tmp_path / "functions.parquet", Function))
    assert [first, other, same] == texts and first is same
