"""Seeded values of third-party libraries: NumPy arrays, pandas series and frames; imported when first asked for."""

from __future__ import annotations

import datetime
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

from pipeline.suites.formats import WORDS
from pipeline.suites.types import Array, Boolean, Column, Either, Frame, Moment, Real, Spec, Text, Whole, buildable

if TYPE_CHECKING:
    from pipeline.suites.samplers import Sampler


def value(sampler: Sampler, spec: Spec) -> Any:
    """An array, a series or a frame; those of one input share their lengths, mostly."""
    match spec:
        case Array():
            return _array(sampler, spec)
        case Column():
            return _column(sampler, spec)
        case Frame():
            return _frame(sampler, spec)
    raise ValueError(f"No value can be made of {spec!r}.")


def _length(sampler: Sampler) -> int:
    return sampler.axes[0] if sampler.rng.random() < 0.9 else sampler.rng.randint(0, 6)


def settle(sampler: Sampler, values: Iterable[Any]) -> None:
    """Let what is drawn from now on agree in lengths and axes with the first array, series or frame among values."""
    for known in values:
        shape = getattr(known, "shape", ())
        if type(known).__name__ in _KNOWN and shape:
            sampler.axes = (shape[0], shape[1] if len(shape) > 1 else sampler.axes[1])
            sampler.common["axes"] = len(shape)
            return


def changed(sampler: Sampler, spec: Spec, old: Any) -> Any:
    """A variant of an array, a series or a frame, mostly of the same shape; None where a fresh one is as good."""
    if sampler.rng.random() < 0.3 or not getattr(old, "size", 0):
        return None
    if type(old).__name__ == "ndarray":
        options = spec.options if isinstance(spec, Either) else (spec,)
        known = next((option for option in options if isinstance(option, Array)), Array())
        return _changed_array(sampler, known, old)
    return old.iloc[_places(sampler, len(old))]


_KNOWN = ("ndarray", "Series", "DataFrame")


def _changed_array(sampler: Sampler, spec: Array, old: Any) -> Any:
    """One number changed, or all alike, in order, doubled, anew or of another type."""
    rng, made = sampler.rng, old.copy()
    letter = old.dtype.kind
    dtype = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}.get(letter)
    act = rng.randrange(7)
    if act == 0 and old.ndim:
        return made[_places(sampler, len(made))] if rng.random() < 0.5 else made[::-1].copy()
    if act == 1:
        made.flat[:] = made.flat[0]
    elif act == 2 and old.ndim and letter in "fiubc":
        made.sort()
    elif act == 3 and letter in "fiubc" and (spec.dtypes or spec.wide):
        kind = rng.choice([name for name in spec.dtypes if name in _PLAIN or "float" in name] or ["float32", "int64"])
        return made.astype(kind) if letter in "iub" or kind.startswith(("float", "complex")) else made
    elif dtype is not None:
        places = [rng.randrange(made.size)] if act < 6 else range(made.size)
        numbers = _numbers(sampler, dtype, "uint8" if letter == "u" else dtype, len(places))
        for place, number in zip(places, numbers, strict=True):
            made.flat[place] = number
    return made


def _places(sampler: Sampler, count: int) -> list[int]:
    """Rows in another order: some left out, some twice, all of them one and the same, or turned round."""
    rng, places = sampler.rng, list(range(count))
    if not places:
        return places
    act = rng.randrange(4)
    if act == 0:
        return sorted(rng.sample(places, rng.randint(0, count)))
    if act == 1:
        return [rng.choice(places) for _ in places]
    return [rng.choice(places)] * count if act == 2 else places[::-1]


# arrays


def _array(sampler: Sampler, spec: Array) -> Any:
    import numpy

    rng = sampler.rng
    kind = _named_type(sampler, spec)
    dtype = _PLAIN.get(kind, "float") if kind else _dtype(sampler, spec)
    sizes = _sizes(sampler, spec)
    count = 1
    for size in sizes:
        count *= size
    if not kind:
        kind = _DTYPES[dtype]
        if spec.wide and rng.random() < 0.12:
            kind = {"float64": "float32", "int64": rng.choice(("int32", "uint8"))}.get(kind, kind)
    return numpy.array(_numbers(sampler, dtype, kind, count), dtype=kind).reshape(sizes)


def _named_type(sampler: Sampler, spec: Array) -> str:
    """One of the types that the body tells from others, for about half of the arrays of such a function."""
    if not spec.dtypes or sampler.rng.random() < 0.45:
        return ""
    name = sampler.rng.choice((*spec.dtypes, *spec.dtypes, *_OTHERS))
    return "S4" if name == "bytes" else name


def _numbers(sampler: Sampler, dtype: str, kind: str, count: int) -> list[Any]:
    if kind[0] in "dt" and "64" in kind:
        return [sampler.rng.randint(0, 10**9) for _ in range(count)]
    if kind == "S4":
        return [sampler.rng.choice(WORDS)[:4].encode("ascii", "replace") for _ in range(count)]
    if kind == "object":
        return [_number(sampler, sampler.rng.choice(("str", "int"))) for _ in range(count)]
    numbers = [_number(sampler, dtype) for _ in range(count)]
    return [abs(number) % 256 for number in numbers] if kind.startswith("uint") else numbers


def _dtype(sampler: Sampler, spec: Array) -> str:
    """Numbers, mostly of the kind that is asked for; truth values and complex ones where the body looks at the type."""
    if spec.dtype != "float":
        return spec.dtype
    odd = 1.0 if spec.wide else 0.0 if sampler.tidy else 0.15
    return sampler.rng.choices(("float", "int", "bool", "complex"), (12, 4, 1.5 * odd, 0.5 * odd))[0]


def _axes(sampler: Sampler, spec: Array) -> int:
    """The number of axes: as declared, else one that the body asks for, else that which arrays of one input share."""
    rng = sampler.rng
    firm = 0.97 if sampler.tidy else 0.85
    axes = rng.choice((1, 1, 1, 1, 2, 2) if not spec.wide else (1, 1, 1, 2, 2, 3))
    if not sampler.tidy and rng.random() < 0.08:
        axes = rng.choice((0, 3))
    declared = len(spec.shape) or spec.dims
    if declared:
        return declared if rng.random() < firm else axes
    if spec.ranks and rng.random() < 0.75:
        axes = rng.choice(spec.ranks)
        axes = min(4, max(0, axes + rng.choice((-1, 1)))) if rng.random() < 0.2 else axes
    shared = int(sampler.common.setdefault("axes", axes))
    return shared if rng.random() < firm else axes


def _sizes(sampler: Sampler, spec: Array) -> list[int]:
    """The lengths of the axes: as declared, else those that arrays of one input share."""
    rng = sampler.rng
    firm = 0.97 if sampler.tidy else 0.85
    axes = _axes(sampler, spec)
    sizes = [_length(sampler), *sampler.axes[1:], rng.choice((1, 2, 3, 4)), 2, 2][:axes]
    if axes >= 2 and (not spec.shape or spec.square) and _square(sampler, spec):
        sizes[-1] = sizes[-2] = sizes[0]
    small = [number for number in sampler.pool.whole if 1 <= number <= 8]
    for place in range(axes):
        if small and rng.random() < (0.05 if spec.square or spec.sides else 0.2):
            sizes[place] = rng.choice(small)
    if spec.sides and rng.random() < 0.75:
        _cut(sampler, spec, sizes)
    if axes == len(spec.shape) and rng.random() < firm:
        sizes = [_declared(sampler, wanted, size) for wanted, size in zip(spec.shape, sizes, strict=True)]
    return sizes


def _square(sampler: Sampler, spec: Array) -> bool:
    """Whether the two last axes are equal: for all arrays of an input or for none, mostly."""
    rng = sampler.rng
    if spec.square:
        return rng.random() < 0.85
    alike = bool(sampler.common.setdefault("square", rng.random() < 0.4))
    return alike if rng.random() < 0.85 else not alike


def _cut(sampler: Sampler, spec: Array, sizes: list[int]) -> None:
    """Give axes the lengths that the body compares theirs with, one for each axis."""
    wanted: dict[int, list[int]] = {}
    for axis, length in spec.sides:
        wanted.setdefault(axis, []).append(length)
    for axis, lengths in wanted.items():
        if -len(sizes) <= axis < len(sizes):
            sizes[axis] = sampler.rng.choice(lengths)


def _declared(sampler: Sampler, wanted: int | str, size: int) -> int:
    """A declared length: a number, or a name that stands for one length in all arrays of an input."""
    if isinstance(wanted, str):
        return int(sampler.common.setdefault(f"length {wanted}", size))
    return wanted or size


_DTYPES = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "str": "str"}
_PLAIN = {
    "bool": "bool",
    "str": "str",
    "object": "str",
    **dict.fromkeys(("complex64", "complex128"), "complex"),
    **dict.fromkeys("int8 int16 int32 int64 uint8 uint16 uint32 uint64".split(), "int"),
}
"""The kind of number that a type holds, floats where it is not here."""
_OTHERS = ("float64", "int64", "bool", "complex128", "str")


def _number(sampler: Sampler, dtype: str) -> Any:
    rng = sampler.rng
    if dtype == "bool":
        return rng.random() < 0.5
    if dtype == "int":
        return rng.choice(sampler.pool.whole) if sampler.pool.whole and rng.random() < 0.2 else rng.randint(-3, 12)
    if dtype == "complex":
        return complex(rng.randint(-3, 3), rng.randint(-3, 3))
    if dtype == "str":
        return rng.choice(WORDS)
    roll = rng.random()
    if roll < 0.2 and sampler.pool.real:
        return rng.choice(sampler.pool.real)
    if roll < 0.24 and sampler.pool.special:
        return float("nan") if roll < 0.22 else rng.choice((float("inf"), float("-inf")))
    return float(rng.randint(-5, 10)) if roll < 0.6 else round(rng.uniform(-3, 3), 2)


# series and frames


def _column(sampler: Sampler, spec: Column, count: int | None = None, index: Any = None) -> Any:
    """A series: of what its cells hold, of a type that the body tells from others, or now and then of another."""
    import pandas

    count = _length(sampler) if count is None else count
    item, kind = _cells(sampler, spec)
    cells = [sampler.value(item, 2) for _ in range(count)]
    if cells and (sampler.rng.random() < 0.5 if spec.missing else not sampler.tidy and sampler.rng.random() < 0.03):
        share = sampler.rng.choice((0.2, 0.5, 1.0))
        cells = [None if sampler.rng.random() < share else cell for cell in cells]
        kind = kind if kind in ("category", "object", "float64", "float32") else "float64" if _counts(item) else ""
    if kind in ("", "datetime64[s]", "timedelta64[s]"):
        kind = "float64" if isinstance(item, Real) else "object" if not cells and isinstance(item, Text) else ""
    index = _index(sampler, spec.index, count) if index is None else index
    return pandas.Series(cells, dtype=kind or None, index=index)


def _counts(item: Spec) -> bool:
    return isinstance(item, (Whole, Real, Boolean))


def _cells(sampler: Sampler, spec: Column) -> tuple[Spec, str]:
    """What the cells hold, and the type of the series where it has to be named."""
    rng = sampler.rng
    if spec.dtypes and rng.random() < 0.75:
        kind = rng.choice((*spec.dtypes, "float64", "str"))
        return _CELLS.get(kind, spec.item if kind == "category" else Real()), kind if kind in _SAFE else ""
    options = spec.item.options if isinstance(spec.item, Either) else (spec.item,)
    item = rng.choice([option for option in options if buildable(option)] or [Real()])
    if spec == Column() and not sampler.tidy and rng.random() < 0.2:
        item = rng.choice((Whole(), Text(), Boolean()))
    return item, ""


_CELLS: dict[str, Spec] = {
    "object": Text(),
    "str": Text(),
    "bool": Boolean(),
    "datetime64[s]": Moment("datetime"),
    "timedelta64[s]": Moment("timedelta"),
    **dict.fromkeys("int8 int16 int32 int64".split(), Whole(-100, 100)),
    **dict.fromkeys("uint8 uint16 uint32 uint64".split(), Whole(0, 100)),
}
_SAFE = frozenset("object bool category float64 float32 int8 int16 int32 int64 uint8 uint16 uint32 uint64".split())


def _index(sampler: Sampler, kind: str, count: int) -> Any:
    """The labels of the rows, None for numbers in order; one index for all of an input."""
    import pandas

    if not kind or sampler.rng.random() < 0.3:
        return None
    if kind == "moments":
        start = datetime.datetime(2024, 1, 1) + datetime.timedelta(days=sampler.rng.randint(0, 60))
        step = sampler.rng.choice((datetime.timedelta(days=1), datetime.timedelta(hours=1), datetime.timedelta(days=7)))
        return pandas.DatetimeIndex([start + place * step for place in range(count)])
    return [f"{WORDS[place % len(WORDS)].lower()}{place // len(WORDS) or ''}" for place in range(count)]


def _frame(sampler: Sampler, spec: Frame) -> Any:
    import pandas

    rng = sampler.rng
    columns = spec.columns
    names = list(columns) or [word.lower() for word in rng.sample(WORDS[:12], sampler.axes[1])]
    count = _length(sampler)
    cells = dict(zip(columns, spec.cells, strict=False))
    index = _index(sampler, spec.index, count)
    data: dict[Any, Any] = {}
    for name in names:
        if columns and rng.random() < (0.03 if sampler.tidy else 0.1) / max(1, len(columns) / 3):
            continue
        known = cells.get(name)
        if known is not None:
            data[name] = _column(sampler, known, count, index)
            continue
        textual = rng.random() < (0.25 if not columns else 0.12)
        data[name] = [
            rng.choice(WORDS) if textual else _number(sampler, rng.choice(("float", "int"))) for _ in range(count)
        ]
        if spec.missing and rng.random() < 0.4:
            data[name] = [None if rng.random() < 0.4 else cell for cell in data[name]]
    if not columns and rng.random() < 0.04:
        data = {}
    return pandas.DataFrame(data, index=index) if data or index is None else pandas.DataFrame(data)
