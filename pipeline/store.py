"""Records to Parquet and back: typed by their dataclass, written atomically, the same bytes each time."""

from __future__ import annotations

import errno
import json
import os
import platform
import threading
import types
import typing
from collections.abc import Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UserError
from harness.locations import Location, Remote
from harness.records import canonical_json

T = TypeVar("T")

ROW_GROUP = 1024
LONG = 1000
"""Characters of a text that is worth sharing."""
_SCALARS = {str: pa.string(), int: pa.int64(), float: pa.float64(), bool: pa.bool_(), bytes: pa.binary()}


@cache
def _cached_hints(record_type: Any) -> dict[str, Any]:
    return typing.get_type_hints(record_type)


def _hints(record_type: Any) -> dict[str, Any]:
    return _cached_hints(record_type)


def _is_json(annotation: Any) -> bool:
    return annotation is Any or typing.get_origin(annotation) is dict


def _optional(annotation: Any) -> Any | None:
    """The X of `X | None`, or None for any other annotation."""
    if isinstance(annotation, types.UnionType) or typing.get_origin(annotation) is typing.Union:
        rest = [a for a in typing.get_args(annotation) if a is not type(None)]
        return rest[0] if len(rest) == 1 else None
    return None


def _arrow_type(annotation: Any) -> pa.DataType:
    inner = _optional(annotation)
    if inner is not None:
        return _arrow_type(inner)
    if _is_json(annotation):
        return pa.string()
    if typing.get_origin(annotation) is tuple:
        return pa.list_(_arrow_type(typing.get_args(annotation)[0]))
    if is_dataclass(annotation):
        return pa.struct([(f.name, _arrow_type(_hints(annotation)[f.name])) for f in fields(annotation)])
    return _SCALARS[annotation]


@cache
def schema(record_type: Any) -> pa.Schema:
    """The Arrow schema of a dataclass; JSON-valued fields are strings of canonical JSON."""
    return pa.schema([(f.name, _arrow_type(_hints(record_type)[f.name])) for f in fields(record_type)])


def _plain(value: Any, annotation: Any) -> Any:
    inner = _optional(annotation)
    if inner is not None:
        return None if value is None else _plain(value, inner)
    if _is_json(annotation):
        return canonical_json(value)
    if typing.get_origin(annotation) is tuple:
        item = typing.get_args(annotation)[0]
        return [_plain(v, item) for v in value]
    if is_dataclass(annotation):
        return to_row(value)
    return value


def to_row(record: Any) -> dict[str, Any]:
    """A record as the plain row that its schema describes."""
    hints = _hints(type(record))
    return {f.name: _plain(getattr(record, f.name), hints[f.name]) for f in fields(record)}


def _typed(value: Any, annotation: Any) -> Any:
    inner = _optional(annotation)
    if inner is not None:
        return None if value is None else _typed(value, inner)
    if _is_json(annotation):
        return json.loads(value)
    if typing.get_origin(annotation) is tuple:
        item = typing.get_args(annotation)[0]
        return tuple(_typed(v, item) for v in value)
    if is_dataclass(annotation):
        return from_row(typing.cast(type, annotation), value)
    return value


def from_row(record_type: type[T], row: dict[str, Any]) -> T:
    """The record that `to_row` made the row from."""
    hints = _hints(record_type)
    return record_type(**{name: _typed(row[name], hints[name]) for name in row})


def write_bytes(path: Location, data: bytes) -> None:
    """Put a file in place in one step: whoever looks sees the old one or the new one, never a part."""
    if isinstance(path, Remote):
        path.write_bytes(data)
        return
    path.parent.mkdir(parents=True, exist_ok=True)
    part = path.with_name(f".{path.name}.{platform.node()}.{os.getpid()}.{threading.get_ident()}.part")
    try:
        with open(part, "wb") as out:
            out.write(data)
            out.flush()
            os.fsync(out.fileno())
        os.replace(part, path)
    except OSError as error:
        part.unlink(missing_ok=True)
        if error.errno in (errno.ENOSPC, errno.EDQUOT):
            raise UserError(
                f"The disk of {path.parent} is full: free some space and run the same command again, nothing is lost."
            ) from error
        raise


def write(path: Location, record_type: type, records: Iterable[Any]) -> int:
    """Write records as Parquet, atomically; gives their number."""
    rows = [to_row(r) for r in records]
    table = pa.Table.from_pylist(rows, schema=schema(record_type))
    sink = pa.BufferOutputStream()
    pq.write_table(
        table, sink, row_group_size=ROW_GROUP, compression="zstd", compression_level=3, version="2.6",
        store_schema=False,
    )
    write_bytes(path, sink.getvalue().to_pybytes())
    return len(rows)


def read(path: Path, record_type: type[T]) -> Iterator[T]:
    """The records of one file, in order, a row group at a time; equal long texts in them are one object."""
    known: dict[str, str] = {}
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=ROW_GROUP):
            for row in batch.to_pylist():
                yield from_row(record_type, _shared(row, known))


def _shared(value: Any, known: dict[str, str]) -> Any:
    """The same value without copies of long texts: each function brings the text of its whole file."""
    if isinstance(value, str):
        return known.setdefault(value, value) if len(value) > LONG else value
    if isinstance(value, dict):
        return {name: _shared(one, known) for name, one in value.items()}
    return [_shared(one, known) for one in value] if isinstance(value, list) else value


def count(path: Path) -> int:
    """The number of records of one file, without reading them."""
    return int(pq.read_metadata(path).num_rows)


def query(sql: str, *parameters: Any) -> list[dict[str, Any]]:
    """The rows of a DuckDB query over stored files; the files' names are parameters or part of the text."""
    with duckdb.connect() as connection:
        cursor = connection.execute(sql, parameters)
        names = [column[0] for column in cursor.description or []]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
