"""Seeded series and frames: what their cells hold, what their rows and columns are called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import ZONES
from pipeline.suites.domain.formats.words import WORDS, paired_names
from pipeline.suites.domain.kinds.cells import number
from pipeline.suites.domain.kinds.exact import length
from pipeline.suites.domain.spec import (
    Boolean,
    Column,
    Either,
    Frame,
    Moment,
    Real,
    Spec,
    Text,
    Whole,
    buildable,
    options_of,
)


def column(sampler: Drawing, spec: Column, count: int | None = None) -> Any:
    """A series: of what its cells hold, of a type that the body tells from others, or now and then of another."""
    import pandas

    if spec.record is not None and sampler.rng.random() < _RECORDS:
        return row(sampler.value(spec.record, 1))
    count = length(sampler) if count is None else count
    item, kind = _cells(sampler, spec)
    mixed = not sampler.profile.tidy and sampler.rng.random() < 0.06
    item, kind = (_MIXED, "object") if mixed else (item, kind)
    cells = _arranged(sampler, spec, item, [sampler.value(item, 2) for _ in range(count)])
    tidy = sampler.profile.tidy
    if cells and (sampler.rng.random() < 0.5 if spec.missing else not tidy and sampler.rng.random() < 0.03):
        share = sampler.rng.choice((0.2, 0.5, 1.0))
        cells = [None if sampler.rng.random() < share else cell for cell in cells]
        kind = kind if kind in _MAY_LACK else "float64" if _counts(item) else ""
    if kind in ("", "datetime64[s]", "timedelta64[s]"):
        kind = "float64" if isinstance(item, Real) else "object" if not cells and isinstance(item, Text) else ""
    made = pandas.Series(cells, dtype=kind or None)
    if made.dtype.kind == "M" and getattr(made.dtype, "tz", None) is not None and sampler.rng.random() < 0.5:
        made = made.dt.tz_convert(sampler.common.setdefault("zone of tables", sampler.rng.choice(ZONES)))
    return made.cat.as_ordered() if kind == "category" and sampler.rng.random() < 0.3 else made


def row(values: dict[Any, Any]) -> Any:
    """A series of values of any kind, as a row of a table is, with their names as its labels."""
    import pandas

    return pandas.Series(list(values.values()), index=list(values), dtype="object")


_RECORDS = 0.85
"""How many series are such rows where the body reads them so."""


def _arranged(sampler: Drawing, spec: Column, item: Spec, cells: list[Any]) -> list[Any]:
    """The cells as drawn; few different ones where they name groups; numbers in order, or all alike, now and then."""
    rng = sampler.rng
    if spec.groups and cells and rng.random() < 0.85:
        few = cells[: rng.choice((1, 2, 2, 3))]
        made = [rng.choice(few) for _ in cells]
        return sorted(made, key=few.index) if rng.random() < 0.6 else made
    if _counts(item) and rng.random() < 0.3:
        order = rng.random()
        return sorted(cells, reverse=order < 0.25) if order < 0.75 else cells[:1] * len(cells)
    return cells


def _counts(item: Spec) -> bool:
    return isinstance(item, (Whole, Real, Boolean))


def _cells(sampler: Drawing, spec: Column) -> tuple[Spec, str]:
    """What the cells hold, and the type of the series where it has to be named."""
    rng = sampler.rng
    if spec.dtypes and rng.random() < 0.75:
        kind = rng.choice((*spec.dtypes, "float64", "str"))
        return _CELLS.get(kind, spec.item if kind == "category" else Real()), kind if kind in _SAFE else ""
    options = options_of(spec.item)
    item = rng.choice([option for option in options if buildable(option)] or [Real()])
    if not sampler.profile.tidy and rng.random() < (0.2 if spec == Column() else 0.06):
        item = rng.choice((Whole(), Text(), Boolean()))
    return item, ""


_MIXED = Either((Text(), Whole(-5, 20), Real()))
_CELLS: dict[str, Spec] = {
    "object": Text(),
    "str": Text(),
    "bool": Boolean(),
    "datetime64[s]": Moment("datetime"),
    "timedelta64[s]": Moment("timedelta"),
    **dict.fromkeys("int8 int16 int32 int64".split(), Whole(-100, 100)),
    **dict.fromkeys("uint8 uint16 uint32 uint64".split(), Whole(0, 100)),
    "Int64": Whole(-100, 100),
    "boolean": Boolean(),
}
ASKED = 0.4
"""How often a table has a column that was looked up in one before, and not found."""
NULLABLE = frozenset(("Int64", "Float64", "boolean"))
"""Types of series, not of arrays, whose cells may be missing."""
_SAFE = NULLABLE.union("object bool category float64 float32 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())

_MAY_LACK = NULLABLE | {"category", "object", "float64", "float32"}


def _rising(sampler: Drawing, data: dict[Any, Any]) -> None:
    """Let the cells of one column be below those of another where their names say so."""
    for low, high in paired_names([name for name in data if isinstance(name, str)]):
        columns = [list(data[name]) for name in (low, high)]
        if sampler.rng.random() < 0.85 and all(type(cell) in (int, float) for cell in (*columns[0], *columns[1])):
            pairs = [sorted(pair) for pair in zip(*columns, strict=True)]
            for place, name in enumerate((low, high)):
                cells = [pair[place] for pair in pairs]
                data[name] = cells if isinstance(data[name], list) else data[name].__class__(cells, data[name].index)


def frame(sampler: Drawing, spec: Frame) -> Any:
    """A table with the columns that the body names, few of which are left out, or with some of other names."""
    import pandas

    rng = sampler.rng
    columns = spec.columns
    names = [*columns, *(_names(sampler, spec) if not columns or (spec.label and rng.random() < 0.5) else ())]
    names += [key for key in sampler.pool.asked if rng.random() < ASKED]
    names = list(dict.fromkeys(names))
    count = length(sampler)
    cells = dict(zip(columns, spec.cells, strict=False))
    data: dict[Any, Any] = {}
    for name in names:
        if columns and rng.random() < (0.03 if sampler.profile.tidy else 0.1) / max(1, len(columns) / 3):
            continue
        known = cells.get(name)
        if known is not None:
            data[name] = column(sampler, known, count)
            continue
        if spec.cell is not None and rng.random() < 0.7:
            known = spec.cell
            if known.dtypes:
                kind = sampler.common.setdefault(f"type of {name}", rng.choice(known.dtypes))
                known = replace(known, dtypes=(kind,))
            data[name] = column(sampler, known, count)
            continue
        textual = rng.random() < (0.25 if not columns else 0.12)
        data[name] = [
            rng.choice(WORDS) if textual else number(sampler, rng.choice(("float", "int"))) for _ in range(count)
        ]
        if spec.missing and rng.random() < 0.4:
            data[name] = [None if rng.random() < 0.4 else cell for cell in data[name]]
    if not columns and rng.random() < 0.04:
        data = {}
    _rising(sampler, data)
    return pandas.DataFrame(data)


def _names(sampler: Drawing, spec: Frame) -> list[str]:
    """What columns are called that the body does not name: alike in all tables of an input, mostly."""
    names = [word.lower() for word in sampler.rng.sample(WORDS[:12], min(12, sampler.axes[1]))]
    if spec.label is not None:
        names = [sampler.value(spec.label, 2) if sampler.rng.random() < 0.6 else name for name in (*names, "name")]
    shared: list[str] = sampler.common.setdefault("columns", names)
    return list(shared) if sampler.rng.random() < 0.7 else names
