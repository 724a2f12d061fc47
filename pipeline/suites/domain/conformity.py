"""Conformity: whether a value is of a specification, as far as its type and its bounds tell."""

from __future__ import annotations

import datetime
from collections.abc import Sequence
from typing import Any

from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Either,
    Exact,
    Fixed,
    Frame,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Whole,
)

_TYPES: dict[type[Spec], tuple[type, ...]] = {
    Text: (str,),
    Real: (float, int),
    Whole: (int,),
    Boolean: (bool,),
    Nothing: (type(None),),
    Binary: (bytes, bytearray),
    Fixed: (tuple, list),
}


CONTAINERS: dict[str, Any] = {"list": list, "tuple": tuple, "set": set, "frozenset": frozenset}


def fits(spec: Spec, value: Any) -> bool:
    """Whether a value is of the specification, as far as its type and its bounds tell."""
    match spec:
        case Either(options):
            return any(fits(option, value) for option in options)
        case Anything():
            return True
        case Choice(values):
            return any(type(value) is type(known) and value == known for known in values)
        case Whole(low, high) | Real(low, high):
            right = isinstance(value, _TYPES[type(spec)]) and not isinstance(value, bool)
            return right and (low is None or value >= low) and (high is None or value <= high)
        case Text():
            return isinstance(value, str) and (not spec.closed or value in spec.constants)
        case Items(item, kind, _, fewest):
            right = isinstance(value, CONTAINERS[kind]) and len(value) >= fewest
            return right and all(fits(item, one) for one in value)
        case Fixed(items, kind):
            right = isinstance(value, CONTAINERS[kind]) and len(value) == len(items)
            return right and all(fits(item, one) for item, one in zip(items, value, strict=True))
        case Dictionary():
            return isinstance(value, dict)
        case Moment(kind):
            return kind_of(value) == kind
        case TypeValue(kind):
            if kind == "number":
                return isinstance(value, type) and (value.__module__ == "numpy" or value in (int, float, bool))
            return isinstance(value, type) or (kind == "type" and type(value).__module__ in ("types", "typing"))
        case Exact(kind):
            # Classes of numbers, and that of indexes, have values of several types.
            families = type(value).__module__.startswith(("numpy", "pandas")) and kind in _bases(value)
            return kind_of(value) == kind or families
        case Array(forms=forms) if forms:
            return type(value).__name__ in {form or "ndarray" for form in forms}
        case Array() | Column() | Frame():
            return {Array: "ndarray", Column: "Series", Frame: "DataFrame"}[type(spec)] in _bases(value)
    return isinstance(value, _TYPES.get(type(spec), ()))


def kind_of(value: Any) -> str:
    """The name of a value's type as specifications call it."""
    name = type(value).__name__
    return {"PosixPath": "Path", "WindowsPath": "Path", "RangeIndex": "Index", "DatetimeIndex": "Index"}.get(name, name)


def _bases(value: Any) -> list[str]:
    return [base.__name__ for base in type(value).__mro__]


def orderable(values: Sequence[Any]) -> bool:
    """Whether values of one simple type can be sorted."""
    simple = (int, float, str, datetime.date, datetime.timedelta)
    zoned = {getattr(value, "tzinfo", None) is None for value in values}
    return len(zoned) < 2 and all(type(value) is type(values[0]) and isinstance(value, simple) for value in values)
