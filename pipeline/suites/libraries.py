"""Seeded values of third-party libraries: NumPy arrays, pandas series and frames; imported when first asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from pipeline.suites.formats import WORDS
from pipeline.suites.types import Array, Column, Frame, Real, Spec

if TYPE_CHECKING:
    from pipeline.suites.samplers import Sampler


def value(sampler: Sampler, spec: Spec) -> Any:
    """An array, a series or a frame; those of one input share their lengths, mostly."""
    match spec:
        case Array():
            return _array(sampler, spec)
        case Column(item):
            import pandas

            count = _length(sampler)
            return pandas.Series(
                [sampler.value(item, 2) for _ in range(count)], dtype="float64" if isinstance(item, Real) else None
            )
        case Frame(columns):
            return _frame(sampler, columns)
    raise ValueError(f"No value can be made of {spec!r}.")


def _length(sampler: Sampler) -> int:
    return sampler.axes[0] if sampler.rng.random() < 0.9 else sampler.rng.randint(0, 6)


def _array(sampler: Sampler, spec: Array) -> Any:
    import numpy

    rng = sampler.rng
    dtype = _dtype(sampler, spec)
    sizes = _sizes(sampler, spec)
    count = 1
    for size in sizes:
        count *= size
    kind = _DTYPES[dtype]
    if spec.wide and rng.random() < 0.12:
        kind = {"float64": "float32", "int64": rng.choice(("int32", "uint8"))}.get(kind, kind)
    numbers = [_number(sampler, dtype) for _ in range(count)]
    if kind == "uint8":
        numbers = [abs(number) % 256 for number in numbers]
    return numpy.array(numbers, dtype=kind).reshape(sizes)


def _dtype(sampler: Sampler, spec: Array) -> str:
    """Numbers, mostly of the kind that is asked for; truth values and complex ones where the body looks at the type."""
    if spec.dtype != "float":
        return spec.dtype
    odd = 1.0 if spec.wide else 0.0 if sampler.tidy else 0.15
    return sampler.rng.choices(("float", "int", "bool", "complex"), (12, 4, 1.5 * odd, 0.5 * odd))[0]


def _sizes(sampler: Sampler, spec: Array) -> list[int]:
    """The lengths of the axes: as declared, else those that arrays of one input share."""
    rng = sampler.rng
    firm = 0.97 if sampler.tidy else 0.85
    axes = rng.choice((1, 1, 1, 1, 2, 2) if not spec.wide else (1, 1, 1, 2, 2, 3))
    if not sampler.tidy and rng.random() < 0.08:
        axes = rng.choice((0, 3))
    declared = len(spec.shape) or spec.dims
    if declared and rng.random() < firm:
        axes = declared
    sizes = [_length(sampler), *sampler.axes[1:], rng.choice((1, 2, 3, 4)), 2, 2][:axes]
    if axes == 2 and not spec.shape and rng.random() < 0.35:
        sizes[1] = sizes[0]
    small = [number for number in sampler.pool.whole if 1 <= number <= 8]
    for place in range(axes):
        if small and rng.random() < 0.2:
            sizes[place] = rng.choice(small)
    if axes == len(spec.shape) and rng.random() < firm:
        sizes = [wanted or size for wanted, size in zip(spec.shape, sizes, strict=True)]
    return sizes


_DTYPES = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "str": "str"}


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


def _frame(sampler: Sampler, columns: tuple[Any, ...]) -> Any:
    import pandas

    rng = sampler.rng
    names = list(columns) or [word.lower() for word in rng.sample(WORDS[:12], sampler.axes[1])]
    count = _length(sampler)
    data: dict[Any, list[Any]] = {}
    for name in names:
        if columns and rng.random() < 0.1:
            continue
        textual = rng.random() < 0.25
        data[name] = [
            rng.choice(WORDS) if textual else _number(sampler, rng.choice(("float", "int"))) for _ in range(count)
        ]
    return pandas.DataFrame(data)
