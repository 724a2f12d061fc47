"""Seeded values of third-party libraries: NumPy arrays, pandas series and frames; imported when first asked for."""

from __future__ import annotations

import math
import re
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.kinds import exact, tables
from pipeline.suites.domain.kinds.cells import numbers
from pipeline.suites.domain.kinds.numbers import TINY
from pipeline.suites.domain.spec import Array, Boolean, Column, Frame, Moment, Real, Spec, Text, Whole, options_of
from pipeline.suites.rules import changes

DENSE = ""
"""Stands among the forms of an array for one that is not sparse."""
SPARSE = ("csr_array", "csc_matrix", "coo_array", "csr_matrix")
MATRICES = frozenset(f"{form}_{kind}" for form in ("csr", "csc", "coo") for kind in ("array", "matrix"))


def as_sparse(dense: Any, form: str) -> Any:
    """An array with two axes as a sparse matrix; others, and those of types that are not numbers, as they are."""
    import scipy.sparse

    if form == DENSE or dense.ndim != 2 or dense.dtype.kind not in "biufc":
        return dense
    return getattr(scipy.sparse, form)(dense)


def value(sampler: Drawing, spec: Spec) -> Any:
    """An array, a series or a frame; those of one input share their lengths, mostly."""
    match spec:
        case Array():
            return _array(sampler, spec)
        case Column():
            return tables.column(sampler, spec)
        case Frame():
            return tables.frame(sampler, spec)
    raise ValueError(f"No value can be made of {spec!r}.")


def is_scalar(value: Any) -> bool:
    """Whether a value is one of NumPy's numbers, some of which are Python's as well."""
    return type(value).__module__ == "numpy" and type(value).__name__ not in KNOWN


def changed(sampler: Drawing, spec: Spec, old: Any) -> Any:
    """A variant of an array, a series or a frame, mostly of the same shape; None where a fresh one is as good."""
    if sampler.rng.random() < 0.3 or not getattr(old, "size", 0):
        return None
    form = type(old).__name__ if type(old).__name__ in MATRICES else DENSE
    if form or type(old).__name__ == "ndarray":
        options = options_of(spec)
        known = next((option for option in options if isinstance(option, Array)), Array())
        return as_sparse(_changed_array(sampler, known, old.toarray() if form else old), form)
    return old.iloc[_rows(sampler, len(old))]


MOST_CELLS = 20_000
"""How many cells an array has at most: what has more would be too long to be carried."""
OWN = "own_"
"""What the names of lengths begin with that agree with no other."""
LISTED = 0.25
"""How often a list is drawn where an array is made of it."""
KNOWN: dict[str, type[Spec]] = {
    "ndarray": Array,
    "Series": Column,
    "DataFrame": Frame,
    **dict.fromkeys(sorted(MATRICES), Array),
}
"""The specification of each type of value, by the name of the type."""


def specification(known: Any, side: int = 0) -> Spec:
    """What an array, a matrix, a series or a frame is one of; axes of the length `side` share it with others."""
    name = type(known).__name__
    if name == "Series":
        return _column(known)
    if name == "DataFrame":
        cells = tuple(_column(known.iloc[:, place]) for place in range(known.shape[1]))
        return Frame(tuple(known.columns), cells)
    shape = tuple("side" if length == side else length for length in known.shape) if side else ()
    forms = (name,) if name in MATRICES else ()
    dtype = "str" if known.dtype.kind == "U" else _LETTERS.get(known.dtype.kind, "float")
    return Array(dtype, known.ndim, shape, forms=forms)


def _column(known: Any) -> Column:
    kinds: dict[str, Spec] = {"i": Whole(), "b": Boolean(), "M": Moment(), "m": Moment("timedelta"), "f": Real()}
    return Column(kinds.get(known.dtype.kind, Text()))


def _changed_array(sampler: Drawing, spec: Array, old: Any) -> Any:
    """One number changed, or all alike, in order, doubled, anew or of another type."""
    rng, made = sampler.rng, old.copy()
    letter = old.dtype.kind
    dtype = _LETTERS.get(letter)
    tolerances = [one for one in sampler.pool.real if 0 < abs(one) < TINY]
    if tolerances and letter in "fc" and rng.random() < 0.2:
        return made * rng.choice(tolerances) * rng.choice((1.0, 0.1, 10.0))
    act = rng.randrange(7)
    if act == 0 and old.ndim:
        return made[_rows(sampler, len(made))] if rng.random() < 0.5 else made[::-1].copy()
    if act == 1:
        made.flat[:] = made.flat[0]
    elif act == 2 and old.ndim and letter in "fiubc":
        made.sort()
    elif act == 3 and letter in "fiubc" and (spec.dtypes or spec.wide):
        kind = rng.choice([name for name in spec.dtypes if name in _PLAIN or "float" in name] or ["float32", "int64"])
        return made.astype(kind) if letter in "iub" or kind.startswith(("float", "complex")) else made
    elif dtype is not None:
        chosen = [rng.randrange(made.size)] if act < 6 else range(made.size)
        kind = {"u": "uint8", "i": old.dtype.name}.get(letter, dtype)
        cells = numbers(sampler, dtype, kind, len(chosen))
        for place, cell in zip(chosen, cells, strict=True):
            made.flat[place] = cell
    return made


def _rows(sampler: Drawing, count: int) -> list[int]:
    """Rows in another order: some left out, some twice, all of them one and the same, or turned round."""
    rng, rows = sampler.rng, list(range(count))
    if not rows:
        return rows
    act = rng.randrange(4)
    if act == 0:
        return sorted(rng.sample(rows, rng.randint(0, count)))
    if act == 1:
        return [rng.choice(rows) for _ in rows]
    return [rng.choice(rows)] * count if act == 2 else rows[::-1]


# arrays


def _array(sampler: Drawing, spec: Array) -> Any:
    import numpy

    rng = sampler.rng
    kind = _named_type(sampler, spec)
    dtype = _PLAIN.get(kind, "float") if kind else _dtype(sampler, spec)
    sizes = _sizes(sampler, spec)
    while (count := math.prod(sizes)) > MOST_CELLS:
        longest = sizes.index(max(sizes))
        sizes[longest] //= 2
    if not kind:
        kind = _DTYPES[dtype]
        if spec.wide and rng.random() < 0.12:
            kind = {"float64": "float32", "int64": rng.choice(("int32", "uint8"))}.get(kind, kind)
    cells = numbers(sampler, dtype, kind, count)
    made = numpy.array(cells, dtype="object" if kind == "moments" else kind).reshape(sizes)
    if made.ndim == 0 and not spec.forms and rng.random() < 0.5:
        return made[()]
    if spec.listed and rng.random() < LISTED:
        return made.tolist()
    return _thinned(sampler, spec, made) if spec.forms else made


@changes("drawing: thin arrays", 2)
def _thinned(sampler: Drawing, spec: Array, made: Any) -> Any:
    """The array in one of its forms, with zeros in many places, or all of them."""
    dense = DENSE in spec.forms and sampler.common.setdefault("dense", sampler.rng.random() < 0.4)
    dense = dense if DENSE not in spec.forms or sampler.rng.random() < 0.9 else not dense
    form = DENSE if dense else sampler.rng.choice(spec.forms)
    share = sampler.rng.choice((0.0, 0.3, 0.6, 0.6, 1.0))
    if made.dtype.kind in "biufc":
        for place in range(made.size):
            if sampler.rng.random() < share:
                made.flat[place] = 0
    return as_sparse(made, form)


def _named_type(sampler: Drawing, spec: Array) -> str:
    """One of the types that the body tells from others, for about half of the arrays of such a function."""
    if not spec.dtypes or sampler.rng.random() < 0.45:
        return ""
    name = sampler.rng.choice((*spec.dtypes, *spec.dtypes, *_OTHERS))
    return "S4" if name == "bytes" else name


def _dtype(sampler: Drawing, spec: Array) -> str:
    """Numbers, mostly of the kind that is asked for; truth values and complex ones where the body looks at the type."""
    if spec.dtype != "float" or spec.firm:
        return spec.dtype
    odd = 1.0 if spec.wide else 0.0 if sampler.profile.tidy else 0.15
    return sampler.rng.choices(("float", "int", "bool", "complex"), (12, 4, 1.5 * odd, 0.5 * odd))[0]


def _firmness(sampler: Drawing) -> float:
    """How often an array has the shape that it should have."""
    return 1.0 if sampler.profile.ordinary else 0.97 if sampler.profile.tidy else 0.85


def _axes(sampler: Drawing, spec: Array) -> int:
    """The number of axes: as declared, else one that the body asks for, else that which arrays of one input share."""
    rng = sampler.rng
    firm = _firmness(sampler)
    axes = rng.choice((1, 1, 1, 1, 2, 2) if not spec.wide else (1, 1, 1, 2, 2, 3))
    if not sampler.profile.tidy and rng.random() < 0.08:
        axes = rng.choice((0, 3, 3, 4))
    declared = len(spec.shape) or spec.dims
    if declared:
        return declared if rng.random() < firm else axes
    if spec.ranks and rng.random() < 0.75:
        axes = rng.choice(spec.ranks)
        axes = min(6, max(0, axes + rng.choice((-1, 1)))) if rng.random() < 0.2 else axes
    shared = int(sampler.common.setdefault("axes", axes))
    return shared if rng.random() < firm else axes


def _sizes(sampler: Drawing, spec: Array) -> list[int]:
    """The lengths of the axes: as declared, else those that arrays of one input share."""
    rng = sampler.rng
    firm = _firmness(sampler)
    axes = _axes(sampler, spec)
    sizes = [exact.length(sampler), *sampler.axes[1:], rng.choice((1, 2, 3, 4)), 2, 2, 1][:axes]
    if axes >= 2 and not spec.shape and _square(sampler):
        sizes[-1] = sizes[-2] = sizes[0]
    small = [number for number in sampler.pool.whole if 1 <= number <= 8]
    for place in range(axes):
        if small and rng.random() < 0.2:
            sizes[place] = rng.choice(small)
    if axes == len(spec.shape) and rng.random() < firm:
        sizes = [_declared(sampler, wanted, size) for wanted, size in zip(spec.shape, sizes, strict=True)]
    return sizes


def _square(sampler: Drawing) -> bool:
    """Whether the two last axes are equal: for all arrays of an input or for none, mostly."""
    alike = bool(sampler.common.setdefault("square", sampler.rng.random() < 0.4))
    return alike if sampler.rng.random() < 0.85 else not alike


def _declared(sampler: Drawing, wanted: int | str, size: int) -> int:
    """A declared length: a number, or a name that stands for one length in all arrays of an input."""
    if isinstance(wanted, str) and (found := re.fullmatch(r"(\w+)([+-]\d+)", wanted)):
        return max(0, _declared(sampler, found.group(1), size) + int(found.group(2)))
    if isinstance(wanted, str):
        size = sampler.rng.randint(1, 7) if wanted.startswith(OWN) else size
        return int(sampler.common.setdefault(f"length {wanted}", size))
    return wanted or size


_DTYPES = {"float": "float64", "int": "int64", "bool": "bool", "complex": "complex128", "str": "str"}
_LETTERS = {"f": "float", "i": "int", "u": "int", "b": "bool", "c": "complex"}
"""The sort of number that the letter of a type stands for."""
_PLAIN = {
    "bool": "bool",
    "str": "str",
    "object": "str",
    **dict.fromkeys(("complex64", "complex128"), "complex"),
    **dict.fromkeys("int8 int16 int32 int64 uint8 uint16 uint32 uint64 >i4".split(), "int"),
}
"""The kind of number that a type holds, floats where it is not here."""
_OTHERS = ("float64", "int64", "bool", "complex128", "str")
