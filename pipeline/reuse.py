"""Shards that a stage made under another key, of the same records: they are moved, not made again.

Someone who mends one maintainer's text of a large release would else wait for all of its suites. It holds for stages
whose results for a record depend on that record and on the stage itself, not on those beside it.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from harness.records import digest
from pipeline import store

FOLDER = "earlier"
_PARTS = "asked.parquet", "rejected.parquet", "kept.parquet"
"""What there may be of a shard, in the order in which it is written: the last one says that it is done."""


def _digest_of(records: Iterable[Any]) -> str:
    """What tells a shard from others: all that its records hold."""
    return digest(*map(repr, records))


def cut(records: Iterable[Any], size: int) -> Iterator[tuple[Any, ...]]:
    """Records in shards of about so many, where one more or less changes hardly any shard but its own."""
    shard: list[Any] = []
    for record in records:
        shard.append(record)
        if len(shard) == 2 * size or int(digest(record.id)[:8], 16) % size == 0:
            yield tuple(shard)
            shard = []
    if shard:
        yield tuple(shard)


def mark(folder: Path, stem: str, records: Sequence[Any]) -> None:
    """Note of what records the shard is that is written next."""
    _mark(folder, stem, _digest_of(records))


def put_aside(folder: Path) -> None:
    """Keep the shards of a stage's folder as earlier ones, and clear it; when killed, the next call goes on."""
    aside = folder / FOLDER
    aside.mkdir(exist_ok=True)
    for note in sorted(folder.glob("*.of")):
        _move(folder, note.stem, aside, note.read_text("utf-8"))
        note.unlink()
    for rest in folder.glob("*.parquet"):
        rest.unlink()


def reused(folder: Path, stem: str, records: Sequence[Any]) -> bool:
    """Whether the shard was made earlier; then it is here now."""
    aside, name = folder / FOLDER, _digest_of(records)
    if not (aside / f"{name}.{_PARTS[-1]}").is_file():
        return False
    _mark(folder, stem, name)
    _move(aside, name, folder, stem)
    return True


def _mark(folder: Path, stem: str, name: str) -> None:
    store.write_bytes(folder / f"{stem}.of", name.encode())


def _move(source: Path, name: str, target: Path, new: str) -> None:
    for part in _PARTS:
        if (source / f"{name}.{part}").is_file():
            os.replace(source / f"{name}.{part}", target / f"{new}.{part}")
