"""Seeded series and frames: what their cells hold, what their rows and columns are called."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.notations import ZONES
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.kinds.cells import number
from pipeline.suites.domain.kinds.scientific import length, moments
from pipeline.suites.domain.name_pairs import paired_names
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


def column(sampler: Drawing, spec: Column, count: int | None = None, index: Any = None) -> Any:
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
    index = _index(sampler, spec, count) if index is None else index
    made = pandas.Series(cells, dtype=kind or None, index=index)
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
    if "groups" in spec.traits and cells and rng.random() < 0.85:
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


def _index(sampler: Drawing, spec: Column | Frame, count: int) -> Any:
    """The labels of the rows, None for numbers in order; one index for all of an input."""
    import pandas

    kind = spec.index
    if not kind or sampler.rng.random() < 0.3:
        told = {"named", "repeated", "shuffled"} & set(spec.traits) and sampler.rng.random() < 0.6
        return _told(sampler, spec, pandas.RangeIndex(count)) if told else None
    if kind == "levels":
        return _levels(sampler, count, list(spec.names))
    labels = [f"{WORDS[place % len(WORDS)].lower()}{place // len(WORDS) or ''}" for place in range(count)]
    made = moments(sampler, count) if kind == "moments" else pandas.Index(labels)
    return _told(sampler, spec, made)


def _told(sampler: Drawing, spec: Column | Frame, labels: Any) -> Any:
    """The labels with a name, some of them twice, or in another order, where the body asks for that."""
    rng, rows = sampler.rng, list(range(len(labels)))
    if "repeated" in spec.traits and rows and rng.random() < 0.3:
        rows = sorted(rng.choice(rows) for _ in rows)
    if "shuffled" in spec.traits and rng.random() < 0.5:
        rows = rng.sample(rows, len(rows)) if rng.random() < 0.6 else rows[::-1]
    made = labels if rows == list(range(len(labels))) else labels[rows]
    return made.rename(rng.choice(("key", "time", "name"))) if "named" in spec.traits and rng.random() < 0.5 else made


def _levels(sampler: Drawing, count: int, known: list[str]) -> Any:
    """Labels of two levels, which together tell all rows apart; now and then of one level only, or of three."""
    import pandas

    rng, rows = sampler.rng, range(count)
    firsts = [WORDS[place // 2 % len(WORDS)].lower() for place in rows]
    crossed = rng.choice((2, 3)) if rng.random() < 0.4 else 0
    seconds = [place % crossed for place in rows] if crossed else list(rows)
    if crossed:
        firsts = [WORDS[place // crossed % len(WORDS)].lower() for place in rows]
    labels: list[list[Any]] = [firsts, seconds, [f"x{place}" for place in rows]]
    few = 1 if not sampler.profile.tidy and rng.random() < 0.06 else 2
    count = max(len(known), few if rng.random() < 0.9 else 3)
    names = [*known, *("a", "b", "c")[len(known) :]] if known or rng.random() < 0.7 else [None, None, None]
    return pandas.MultiIndex.from_arrays(labels[:count], names=names[:count])


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
    index = _index(sampler, spec, count)
    data: dict[Any, Any] = {}
    for name in names:
        if columns and rng.random() < (0.03 if sampler.profile.tidy else 0.1) / max(1, len(columns) / 3):
            continue
        known = cells.get(name)
        if known is not None:
            data[name] = column(sampler, known, count, index)
            continue
        if spec.cell is not None and rng.random() < 0.7:
            known = spec.cell
            if known.dtypes:
                kind = sampler.common.setdefault(f"type of {name}", rng.choice(known.dtypes))
                known = replace(known, dtypes=(kind,))
            data[name] = column(sampler, known, count, index)
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
    if index is None:
        # Each column may have drawn labels of its own; those of a table are the same for all.
        data = {name: getattr(cells, "array", cells) for name, cells in data.items()}
    made = pandas.DataFrame(data, index=index) if data or index is None else pandas.DataFrame(data)
    if "columns repeated" in spec.traits and len(made.columns) > 1 and rng.random() < 0.4:
        made.columns = [*made.columns[:-1], made.columns[0]]
    if "columns named" in spec.traits and rng.random() < 0.4:
        made.columns.name = "key"
    if spec.levels and len(made.columns) and rng.random() < (0.5 if spec.levels < 3 else 0.9):
        made.columns = pandas.MultiIndex.from_arrays([made.columns, *_below(sampler, spec, len(made.columns))])
    return made


def _names(sampler: Drawing, spec: Frame) -> list[str]:
    """What columns are called that the body does not name: alike in all tables of an input, mostly."""
    names = [word.lower() for word in sampler.rng.sample(WORDS[:12], min(12, sampler.axes[1]))]
    if spec.label is not None:
        names = [sampler.value(spec.label, 2) if sampler.rng.random() < 0.6 else name for name in (*names, "name")]
    shared: list[str] = sampler.common.setdefault("columns", names)
    return list(shared) if sampler.rng.random() < 0.7 else names


def _below(sampler: Drawing, spec: Frame, count: int) -> list[list[Any]]:
    """The labels of columns on the levels below the first: their places, numbers, or texts of the body."""
    made: list[list[Any]] = []
    for _ in range(spec.levels - 1):
        roll, texts = sampler.rng.random(), sampler.pool.texts
        if roll < 0.35 or (not texts and roll < 0.6):
            made.append([f"x{place}" for place in range(count)])
        elif roll < 0.6:
            made.append([sampler.rng.choice(texts) for _ in range(count)])
        else:
            made.append([sampler.rng.choice((0.5, 0.8, 0.9, 1)) for _ in range(count)])
    return made
