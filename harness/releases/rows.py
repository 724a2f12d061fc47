"""A task as a published row and back, and rows as Parquet: here columns become records, or are refused by name."""

from __future__ import annotations

import dataclasses
import json
import os
import types
import typing
from collections.abc import Iterable, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UserError
from harness.records import (
    FRAMED_VERSION,
    PLAIN_VERSION,
    SCHEMA_VERSION,
    SHOWN,
    VERSIONS,
    Answer,
    Case,
    Comparison,
    Frame,
    Json,
    Task,
    canonical_json,
    digest,
)
from harness.releases.veil import SHOTS, veiled
from harness.shots import shots_of

ROWS_PER_GROUP = 100
_TEXTS = pa.list_(pa.field("element", pa.string()))

SCHEMA = pa.schema([
    *((name, pa.string()) for name in (
        "task_id", "task_digest", "track", "language", "family", "entry_point", "signature",
    )),
    ("imports", _TEXTS),
    ("libraries", _TEXTS),
    *((name, pa.string()) for name in ("instruction", "difficulty", "domain", "reference")),
    ("lite", pa.list_(pa.field("element", pa.int32()))),
    ("strategies", pa.string()),
    ("comparison", pa.struct([
        ("relative", pa.float64()), ("absolute", pa.float64()),
        ("unordered", pa.bool_()), ("messages", pa.bool_()), ("mutation", pa.bool_()),
    ])),
    ("measures", pa.struct([(name, pa.int32()) for name in ("lines", "complexity", "depth", "branches")])),
    ("strength", pa.struct([
        ("branch_coverage", pa.float64()), ("mutation_score", pa.float64()), ("survivors", _TEXTS),
        ("higher_order_score", pa.float64()),
    ])),
    ("raising", pa.float64()),
    ("usual", pa.float64()),
    ("judged_by", pa.string()),
    ("instructed_by", pa.string()),
    ("provenance", pa.struct([
        *((name, pa.string()) for name in ("source", "project", "domain", "url", "path")),
        ("line_start", pa.int32()), ("line_end", pa.int32()),
        *((name, pa.string()) for name in (
            "revision", "revision_date", "author_date", "archive", "archive_sha256", "first_seen",
        )),
        ("baseline", _TEXTS),
        ("similarity", pa.float64()),
        *((name, pa.string()) for name in ("nearest", "licence", "licence_source", *SHOWN)),
    ])),
    ("schema_version", pa.int32()),
    ("canary", pa.string()),
    ("sufficiency", pa.struct([
        ("solvers", _TEXTS), ("attempts", pa.int32()), ("solved", pa.int32()), ("mended", pa.bool_()),
    ])),
    ("variants", pa.list_(pa.field("element", pa.struct([
        ("kind", pa.string()), ("level", pa.int32()), ("number", pa.int32()),
        *((name, pa.string()) for name in ("language", "text", "author")),
    ])))),
    ("cases", pa.string()),
])
"""The columns of a track, in the order in which they are published; `cases` is canonical JSON."""
GIVEN = pa.field("given", pa.struct([("before", pa.string()), ("after", pa.string())]))
"""A column of a track in which answers stand in a frame; other tracks have none."""
MEMBERS = pa.field("members", pa.list_(pa.field("element", pa.struct([
    ("names", pa.string()), ("kind", pa.string()), ("path", pa.string()), ("line_start", pa.int32()),
    ("line_end", pa.int32()), ("fingerprint", pa.string()), ("licence", pa.string()), ("new", pa.bool_()),
]))))
VARIATION = pa.field("variation", pa.struct([
    ("chain", pa.string()), ("draw", pa.int32()), ("seed", pa.int64()), ("origin_digest", pa.string()),
    ("case", pa.int32()), ("prior", pa.float64()), ("reasoned", pa.bool_()), ("steps", pa.int64()),
]))
_UNCOUNTED = pa.field("variation", pa.struct([part for part in VARIATION.type if part.name != "steps"]))
"""That column of a track in whose rows no steps are counted."""
OPTIONAL = {
    "given": GIVEN, "undrawn": pa.field("undrawn", _TEXTS), "layers": pa.field("layers", pa.int32()),
    "members": MEMBERS, "excused": pa.field("excused", _TEXTS), "entry_score": pa.field("entry_score", pa.float64()),
    "origin": pa.field("origin", pa.string()), "contract": pa.field("contract", _TEXTS),
    "original": pa.field("original", pa.string()), "variation": VARIATION,
    SHOTS: pa.field(SHOTS, pa.string()),
}
"""The last columns, each only in a track that has something for it; a row without it has the digest of its others."""

_PROVENANCE = SCHEMA.get_field_index("provenance")
_OLDER = SCHEMA.set(_PROVENANCE, pa.field("provenance", pa.struct(
    [part for part in SCHEMA.field(_PROVENANCE).type if part.name not in SHOWN])))
"""The columns of a track all of whose rows are of versions before 6."""

_ORDER = (*(field.name for field in dataclasses.fields(Task) if field.name != "cases"), "cases")
"""The order of the parts of a row in its digest."""
_FRAME = dataclasses.fields(Frame)


class RowError(UserError):
    """A row that is no task; the message names the field."""


def task_to_row(task: Task) -> dict[str, Any]:
    """The row of a task: plain values only, with the cases as one canonical JSON text."""
    row = {field.name: getattr(task, field.name) for field in dataclasses.fields(task) if field.name != "cases"}
    plain = {name: _plain(value) for name, value in row.items() if name not in OPTIONAL or value is not None}
    plain = _without_no_steps(plain)
    if task.schema_version != SCHEMA_VERSION:
        plain["provenance"] = _without_shown(plain["provenance"])
    plain["cases"] = cases_to_text(task.cases)
    return plain


def _without_no_steps(row: dict[str, Any]) -> dict[str, Any]:
    """The row with steps where some are counted: those of others have none, and so the digest of older ones."""
    variation = row.get("variation")
    if not isinstance(variation, dict) or variation.get("steps", 0) not in (0, None):
        return row
    return {**row, "variation": {name: value for name, value in variation.items() if name != "steps"}}


def _without_shown(provenance: Any) -> Any:
    """Provenance as rows of older versions have it; what is no mapping is left to whoever reads it."""
    if not isinstance(provenance, dict):
        return provenance
    return {name: value for name, value in provenance.items() if name not in SHOWN}


def row_to_task(row: dict[str, Any]) -> Task:
    """The task of a row, the inverse of `task_to_row`; raises `RowError` naming the field that it rejects."""
    version = row.get("schema_version")
    if version not in VERSIONS:
        raise RowError(
            f"field schema_version is {version!r}, but this harness reads {VERSIONS[0]} to {VERSIONS[-1]}; "
            "install the version of code2bench that the release names"
        )
    if version == (PLAIN_VERSION if row.get("given") is not None else FRAMED_VERSION):
        raise RowError(f"field given should be there in version {FRAMED_VERSION}, and not in version {PLAIN_VERSION}")
    row = _without_no_steps(_of_its_version(row))
    text = row.get("cases")
    if not isinstance(text, str):
        raise RowError(f"field cases should be a text, not {_say(text)}")
    others = {name: value for name, value in row.items() if name != "cases"}
    task: Task = _read(Task, {**others, "cases": []}, "")
    cases = text_to_cases(text)
    if any(not 0 <= number < len(cases) for number in task.lite or ()):
        raise RowError(f"field lite names a case outside 0..{len(cases) - 1}")
    try:
        shots_of(task)
    except ValueError as error:
        raise RowError(f"field {SHOTS} is no JSON of examples ({error})") from None
    return dataclasses.replace(task, cases=cases)


def _of_its_version(row: dict[str, Any]) -> dict[str, Any]:
    """The row, where it tells of its provenance what its version tells, else `RowError`."""
    provenance = row.get("provenance")
    told = {name for name in SHOWN if isinstance(provenance, dict) and provenance.get(name) is not None}
    if row["schema_version"] == SCHEMA_VERSION:
        for name in SHOWN:
            if isinstance(provenance, dict) and name not in told:
                raise RowError(f"field provenance.{name} is missing")
        return row
    if told:
        raise RowError(f"field provenance.{min(told)} should be there in version {SCHEMA_VERSION}, and in none before")
    return row if provenance is None else {**row, "provenance": _without_shown(provenance)}


def cases_to_text(cases: Iterable[Case]) -> str:
    """Canonical JSON of the cases; one text for the same cases."""
    return canonical_json([
        {"args": list(case.args), "kwargs": case.kwargs, "expected": _answer(case.expected)}
        for case in cases
    ])


def text_to_cases(text: str) -> tuple[Case, ...]:
    """The inverse of `cases_to_text`; raises `RowError`."""
    try:
        cases = json.loads(text)
    except (ValueError, RecursionError) as error:
        raise RowError(f"field cases is no JSON ({error})") from None
    if not isinstance(cases, list) or not cases:
        raise RowError("field cases should be a list with at least one case")
    return tuple(_case(case, f"cases[{number}]") for number, case in enumerate(cases))


def task_digest(
    instruction: str, cases: Sequence[Case], comparison: Comparison, given: Frame | None = None,
) -> str:
    """What tells two versions of one task apart: a hash over what is asked and given, the cases, and the rule."""
    further = [] if given is None else [canonical_json(_plain(given))]
    return digest(instruction, cases_to_text(cases), canonical_json(_plain(comparison)), *further)


def row_digest(tasks: Iterable[Task]) -> str:
    """A hash over the rows of a track in the published order, whatever the file format."""
    return digest(*(canonical_json(task_to_row(task)) for task in published_order(tasks)))


class Seal:
    """The digests of a track's rows as they are published, which say whether these are still what they were.

    They are those of `row_digest` and `task_digest`, made of the texts in the rows without reading these: a row whose
    JSON is not canonical has others than its task. `broken` is the id of the first task whose own digest is wrong.
    """

    def __init__(self) -> None:
        self.broken = ""
        self._rows: list[tuple[str, str, str]] = []

    def add(self, row: dict[str, Any]) -> None:
        """Take in a row that `row_to_task` has taken."""
        given, row = row.get("given"), _without_no_steps(row)
        if row["schema_version"] != SCHEMA_VERSION:
            row = {**row, "provenance": _without_shown(row["provenance"])}
        text = _sealed({name: row[name] for name in _ORDER if name not in OPTIONAL or row.get(name) is not None})
        self._rows.append((row["task_id"], row["family"], text))
        further = [] if given is None else [_sealed({field.name: given[field.name] for field in _FRAME})]
        if not self.broken and row["task_digest"] != digest(row["instruction"], row["cases"], _rule_of(row), *further):
            self.broken = row["task_id"]

    def row_digest(self) -> str:
        """The digest over all rows, in the published order."""
        return digest(*(text for _, _, text in sorted(self._rows, key=lambda row: row[:2])))


def _rule_of(row: dict[str, Any]) -> str:
    return _sealed({field.name: row["comparison"][field.name] for field in dataclasses.fields(Comparison)})


def _sealed(value: Json) -> str:
    """The canonical text, "" for what holds a number that is none, of which no digest was ever made."""
    try:
        return canonical_json(value)
    except ValueError:
        return ""


def published_order(tasks: Iterable[Task]) -> list[Task]:
    """The order of the rows in a file: by id, which is a hash, so the first rows are as good as a random sample."""
    return sorted(tasks, key=lambda task: (task.task_id, task.family))


def schema_of(tasks: Sequence[Task]) -> pa.Schema:
    """The columns of a track with these tasks."""
    further = [column for name, column in OPTIONAL.items() if any(getattr(one, name) is not None for one in tasks)]
    if not any(one.variation is not None and one.variation.steps for one in tasks):
        further = [_UNCOUNTED if column is VARIATION else column for column in further]
    usual = SCHEMA if any(one.schema_version == SCHEMA_VERSION for one in tasks) else _OLDER
    return pa.schema([*usual, *further])


def write_track(tasks: Iterable[Task], path: Path, key: str = "") -> None:
    """Write the rows of one track, atomically; the same tasks give the same bytes, whatever order they come in.

    With a `key`, their answers are veiled.
    """
    ordered = published_order(tasks)
    rows, schema = [task_to_row(task) for task in ordered], schema_of(ordered)
    rows = [veiled(row, key) for row in rows] if key else rows
    path.parent.mkdir(parents=True, exist_ok=True)
    partial = path.with_name(path.name + ".partial")
    with pq.ParquetWriter(
        partial, schema, version="2.6", compression="zstd", compression_level=9, use_dictionary=False,
        data_page_version="1.0", store_schema=False, write_statistics=False,
    ) as writer:
        for start in range(0, len(rows), ROWS_PER_GROUP):
            batch = pa.Table.from_pylist(rows[start : start + ROWS_PER_GROUP], schema=schema)
            writer.write_table(batch, row_group_size=ROWS_PER_GROUP)
    os.replace(partial, path)


def _plain(value: Any) -> Any:
    if dataclasses.is_dataclass(value):
        return {field.name: _plain(getattr(value, field.name)) for field in dataclasses.fields(value)}
    if isinstance(value, tuple):
        return [_plain(item) for item in value]
    return value


def _answer(answer: Answer) -> dict[str, Json]:
    out: dict[str, Json] = {"kind": answer.kind}
    if answer.kind == "raised":
        out |= {"exception": answer.exception, "message": answer.message}
    else:
        out["value"] = answer.value
    return out if answer.mutated is None else {**out, "mutated": answer.mutated}


_ANSWER_KEYS = {"returned": {"kind", "value"}, "raised": {"kind", "exception", "message"}}


def _case(case: Json, where: str) -> Case:
    if not isinstance(case, dict) or set(case) != {"args", "kwargs", "expected"}:
        raise RowError(f"field {where} should hold args, kwargs and expected, and nothing else")
    args, kwargs, expected = case["args"], case["kwargs"], case["expected"]
    if not isinstance(args, list):
        raise RowError(f"field {where}.args should be a list, not {_say(args)}")
    if not isinstance(kwargs, dict):
        raise RowError(f"field {where}.kwargs should be an object, not {_say(kwargs)}")
    kind = expected.get("kind") if isinstance(expected, dict) else None
    if not isinstance(kind, str) or set(expected) - {"mutated"} != _ANSWER_KEYS.get(kind):
        raise RowError(f"field {where}.expected is neither a returned value nor a raised exception")
    return Case(tuple(args), kwargs, _read(Answer, expected, f"{where}.expected"))


@cache
def _parts(kind: type) -> tuple[dict[str, Any], tuple[str, ...]]:
    """The types of a record's fields, and the names of those that it can't be without."""
    needed = tuple(field.name for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING)
    return typing.get_type_hints(kind), needed


def _read(kind: Any, value: Any, where: str) -> Any:
    """The value as the annotated type; `where` is the dotted path of the field, for the refusal."""
    if dataclasses.is_dataclass(kind):
        return _read_record(typing.cast(type, kind), value, where)
    if kind is Any:
        return value
    if isinstance(kind, types.UnionType):
        return None if value is None else _read(typing.get_args(kind)[0], value, where)
    if typing.get_origin(kind) is tuple:
        if not isinstance(value, (list, tuple)):
            raise RowError(f"field {where} should be a list, not {_say(value)}")
        return tuple(_read(typing.get_args(kind)[0], item, f"{where}[{n}]") for n, item in enumerate(value))
    if kind is float and type(value) is int:
        return float(value)
    if type(value) is not kind:
        raise RowError(f"field {where} should be {kind.__name__}, not {_say(value)}")
    return value


def _read_record(kind: type, value: Any, where: str) -> Any:
    if not isinstance(value, dict):
        raise RowError(f"field {where or 'row'} should have named parts, not {_say(value)}")
    hints, needed = _parts(kind)
    dotted = f"{where}." if where else ""
    for name in value:
        if name not in hints:
            raise RowError(f"field {dotted}{name} is unknown")
    for name in needed:
        if name not in value:
            raise RowError(f"field {dotted}{name} is missing")
    return kind(**{name: _read(hints[name], part, dotted + name) for name, part in value.items()})


def _say(value: Any) -> str:
    text = repr(value)
    return f"{type(value).__name__} {text if len(text) <= 40 else text[:37] + '...'}"
