"""All kinds of values that may be tried where inference has led nowhere, and variants of what turned out right."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from functools import partial

from pipeline.suites.domain.kinds.arrays import OWN
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Column,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Frame,
    Function,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
)

SIDE = 6
"""The length of all axes, lists and columns that are tried, so that they agree."""
_LINE = ("side",)
_PLAIN: tuple[Spec, ...] = (
    Whole(), Real(), Text(), Boolean(), Nothing(), Binary(), Exact("complex"), Exact("Decimal"), Exact("Path"),
    Items(Whole(0, SIDE - 1), exact=SIDE), Items(Real(), exact=SIDE), Items(Text(), exact=SIDE),
    Items(Boolean(), exact=SIDE),
    Items(Items(Real(), exact=SIDE), exact=SIDE), Items(Items(Whole(), exact=2)), Items(Items(Text(), exact=2)),
    Items(Fixed((Real(), Real())), exact=SIDE), Items(Fixed((Text(), Whole()))),
    Items(Dictionary(Text(), Anything())), Items(Dictionary(Text(), Text())),
    Fixed((Whole(), Whole())), Fixed((Real(), Real(), Real())), Fixed((Text(), Text())), Items(Text(), "set"),
    Dictionary(Text(), Real()), Dictionary(Text(), Text()), Dictionary(Text(), Items(Text())),
    Dictionary(Text(), Items(Real(), exact=SIDE)), Dictionary(Text(), Dictionary(Text(), Anything())),
    Dictionary(Whole(), Text()), Function(1), Function(2), Moment("datetime"), Moment("date"), Moment("timedelta"),
)  # fmt: skip
_ARRAYS: tuple[Spec, ...] = (
    Array(shape=_LINE), Array(shape=_LINE * 2), Array(shape=("side", 1)), Array(shape=("side", 2)),
    Array(shape=("side", 3)), Array(shape=_LINE * 3), Array("int", shape=_LINE),
    Array("int", shape=_LINE * 2), Array("bool", shape=_LINE), Array("str", shape=_LINE), Array("complex", shape=_LINE),
    Array(shape=_LINE * 2, forms=("csr_matrix",)), Exact("float64"), Exact("int64"),
    Items(Array(shape=_LINE), exact=SIDE), Items(Array(shape=_LINE * 2), exact=2),
    Dictionary(Text(), Array(shape=_LINE)),
)  # fmt: skip
_TABLES: tuple[Spec, ...] = (
    Column(), Column(Text()), Frame(), Items(Column(), exact=2), Dictionary(Text(), Column()),
    Dictionary(Text(), Frame()),
)  # fmt: skip


def kinds(libraries: Iterable[str]) -> list[Spec]:
    """The kinds of values that a function may take whose module imports these libraries."""
    known = set(libraries)
    arrays = _ARRAYS if known & {"numpy", "scipy", "pandas"} else ()
    return [*_PLAIN, *arrays, *(_TABLES if "pandas" in known else ())]


def changes(parameter: Parameter) -> list[Callable[[Spec], Spec]]:
    """What may be changed of an array that was found by trying: other numbers in it, one axis set free."""
    steps = [partial(_holding, dtype=dtype) for dtype in ("int", "float")]
    freed = [partial(_freed, axis=axis, own=f"{OWN}{parameter.name}_{axis}") for axis in range(3)]
    return [partial(_changed, change=step) for step in (*steps, *freed)]


def _holding(array: Array, dtype: str) -> Array:
    return replace(array, dtype=dtype)


def _changed(spec: Spec, change: Callable[[Array], Array]) -> Spec:
    """The specification with a change of its array, which is the first option where there are several."""
    if isinstance(spec, Either):
        return replace(spec, options=(_changed(spec.options[0], change), *spec.options[1:]))
    return change(spec) if isinstance(spec, Array) and "side" in spec.shape else spec


def _freed(array: Array, axis: int, own: str) -> Array:
    if array.shape[axis : axis + 1] != ("side",):
        return array
    return replace(array, shape=(*array.shape[:axis], own, *array.shape[axis + 1 :]))
