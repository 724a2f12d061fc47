"""The columns of a release with their types and their meaning, for the card and for Croissant."""

from __future__ import annotations

import tomllib
from collections.abc import Iterator
from dataclasses import dataclass

import pyarrow as pa

from harness.releases.rows import SCHEMA
from pipeline.release.templates import text_of


@dataclass(frozen=True)
class Field:
    """A column, or a part of one: its dotted name, its type, whether it is a list, its meaning, its parts."""

    name: str
    kind: pa.DataType
    repeated: bool
    meaning: str
    parts: tuple[Field, ...] = ()

    @property
    def type(self) -> str:
        """The type for people."""
        kind = "struct" if self.parts else str(self.kind).replace("double", "float64")
        return f"list of {kind}" if self.repeated else kind


def fields(schema: pa.Schema = SCHEMA) -> list[Field]:
    """The columns of a track in their order."""
    meanings = read_meanings()
    return [_field(schema.field(name), "", meanings) for name in schema.names]


def read_meanings() -> dict[str, str]:
    """What is written by hand about each column, by its dotted name."""
    return tomllib.loads(text_of("fields.toml"))


def walk(found: list[Field] | tuple[Field, ...]) -> Iterator[Field]:
    """Columns, each followed by its parts."""
    for field in found:
        yield field
        yield from walk(field.parts)


def _field(column: pa.Field, above: str, meanings: dict[str, str]) -> Field:
    name = above + column.name
    repeated = pa.types.is_list(column.type)
    kind = column.type.value_type if repeated else column.type
    inner = [kind.field(number) for number in range(kind.num_fields)] if pa.types.is_struct(kind) else []
    return Field(name, kind, repeated, meanings[name], tuple(_field(part, f"{name}.", meanings) for part in inner))
