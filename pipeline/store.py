"""Records to Parquet and back: typed by their dataclass, written atomically, the same bytes each time."""

from __future__ import annotations

import errno
import json
import os
import platform
import sys
import threading
import types
import typing
from collections.abc import Callable, Iterable, Iterator
from dataclasses import fields, is_dataclass
from functools import cache, partial
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


def _hints(record_type: Any) -> dict[str, Any]:
    return typing.get_type_hints(record_type)


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


_Change = Callable[[Any], Any]


@cache
def _to_plain(annotation: Any) -> _Change | None:
    """What makes a plain value of one that is annotated so; None where it is one."""
    if (inner := _optional(annotation)) is not None:
        return _unless_none(_to_plain(inner))
    if _is_json(annotation):
        return canonical_json
    if typing.get_origin(annotation) is tuple:
        return _each(_to_plain(typing.get_args(annotation)[0]), list)
    return to_row if is_dataclass(annotation) else None


@cache
def _to_typed(annotation: Any) -> _Change | None:
    """The inverse of what `_to_plain` gives."""
    if (inner := _optional(annotation)) is not None:
        return _unless_none(_to_typed(inner))
    if _is_json(annotation):
        return _decoded
    if annotation is str:
        return _shared
    if typing.get_origin(annotation) is tuple:
        return _each(_to_typed(typing.get_args(annotation)[0]), tuple)
    return partial(from_row, typing.cast(type, annotation)) if is_dataclass(annotation) else None


def _unless_none(change: _Change | None) -> _Change | None:
    return change and (lambda value: None if value is None else change(value))


def _each(change: _Change | None, kind: type) -> _Change:
    return (lambda values: kind(map(change, values))) if change else kind


def _changes(record_type: Any, changed: Callable[[Any], _Change | None]) -> dict[str, _Change | None]:
    """How the fields of a dataclass change, by their names."""
    return _cached_changes(record_type, changed)


@cache
def _cached_changes(record_type: Any, changed: Callable[[Any], _Change | None]) -> dict[str, _Change | None]:
    hints = _hints(record_type)
    return {field.name: changed(hints[field.name]) for field in fields(record_type)}


def to_row(record: Any) -> dict[str, Any]:
    """A record as the plain row that its schema describes."""
    values = ((name, getattr(record, name), change) for name, change in _changes(type(record), _to_plain).items())
    return {name: change(value) if change else value for name, value, change in values}


def from_row(record_type: type[T], row: dict[str, Any]) -> T:
    """The record that `to_row` made the row from."""
    changes = _changes(record_type, _to_typed)
    return record_type(**{name: change(one) if (change := changes[name]) else one for name, one in row.items()})


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
    with pq.ParquetFile(path) as file:
        for batch in file.iter_batches(batch_size=ROW_GROUP):
            for row in batch.to_pylist():
                yield from_row(record_type, row)


def _shared(text: str) -> str:
    """The one copy of a long text: each function brings that of its whole file."""
    return sys.intern(text) if len(text) > LONG else text


_decode = json.JSONDecoder().raw_decode


def _decoded(text: str) -> Any:
    """The value of JSON as `_to_plain` writes it, without spaces around it."""
    return _decode(text)[0]


def count(path: Path) -> int:
    """The number of records of one file, without reading them."""
    return int(pq.read_metadata(path).num_rows)


def query(sql: str, *parameters: Any) -> list[dict[str, Any]]:
    """The rows of a DuckDB query over stored files; the files' names are parameters or part of the text."""
    with _database(os.getpid()).cursor() as cursor:
        cursor.execute(sql, parameters)
        names = [column[0] for column in cursor.description or []]
        return [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]


@cache
def _database(process: int) -> duckdb.DuckDBPyConnection:
    """The engine of a process, which takes longer to start than most queries do."""
    del process
    return duckdb.connect()
