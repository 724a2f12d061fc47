"""Rules of comparison for types that have their own: sets, moments, and what libraries define."""

from __future__ import annotations

from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from harness import values
from harness.records import Json
from harness.values import TAG, canonical
from harness.values.comparer import Comparer, Different, Special, at, items_of, precision_of, versus

_TICKS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


def _sets(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.multisets(items_of(expected), items_of(actual), path)


def _decimal(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["v"] == actual["v"]:
        return
    try:
        same = Decimal(expected["v"]) == Decimal(actual["v"])
    except InvalidOperation:
        same = False
    if not same:
        comparer.fail(expected, actual, path)


def _moment(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["v"] != actual["v"] or (expected.get("zone") is None) != (actual.get("zone") is None):
        comparer.fail(expected, actual, path)


def _timestamp(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    if _ticks(expected) != _ticks(actual) or (expected["zone"] is None) != (actual["zone"] is None):
        comparer.fail(expected, actual, path)


def _timedelta(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    if _ticks(expected) != _ticks(actual):
        comparer.fail(expected, actual, path)


def _ticks(data: Json) -> int:
    """The nanoseconds of a moment, or of a span."""
    return int(data["v"]) * _TICKS[data["unit"]]


def _numbers(data: Json) -> Any:
    """The array of an encoded one that holds no objects: no more is built than its text holds."""
    if data[TAG] != "ndarray" or _kind(data["dtype"]) == "O":
        raise TypeError("this is no array of numbers")
    return values.decode(data)


def _array(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    kinds = [_kind(data["dtype"]) for data in (expected, actual)]
    if kinds[0] != kinds[1] or expected["shape"] != actual["shape"]:
        what = [f"{data['dtype']}{data['shape']}" for data in (expected, actual)]
        raise Different(f"{at(path)}expected an array of {what[0]}, got {what[1]}: {versus(expected, actual)}")
    if kinds[0] == "O":
        comparer.sequences(items_of(expected), items_of(actual), path, False)
        return
    left, right = _numbers(expected), _numbers(actual)
    if kinds[0] in "fc":
        _refuse_narrower(expected["dtype"], actual["dtype"], path)
        relative = max(comparer.rule.relative, precision_of(expected))
        same = np.isclose(right, left, rtol=relative, atol=comparer.rule.absolute, equal_nan=True)
    else:
        missing = np.isnat(left) & np.isnat(right) if kinds[0] in "mM" else np.zeros(left.shape, bool)
        same = (left == right) | missing
    if not same.all():
        index = tuple(int(i) for i in np.argwhere(~same)[0])
        where = f"{path}{list(index)}" if index else path
        raise Different(f"{at(where)}expected {left[index]!r:.80}, got {right[index]!r:.80}")


def _refuse_narrower(expected: str, actual: str, path: str) -> None:
    if int(actual[2:]) < int(expected[2:]):
        raise Different(f"{at(path)}expected numbers of {expected[1:]}, got narrower ones of {actual[1:]}")


def _sparse(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["type"] != actual["type"] or expected["shape"] != actual["shape"]:
        what = [f"{data['type']} of shape {tuple(data['shape'])}" for data in (expected, actual)]
        raise Different(f"{at(path)}expected a {what[0]}, got a {what[1]}")
    kinds = [_kind(data["v"]["dtype"]) for data in (expected, actual)]
    if kinds[0] != kinds[1]:
        comparer.fail(expected["v"], actual["v"], f"{path}.data")
    if kinds[0] in "fc":
        _refuse_narrower(expected["v"]["dtype"], actual["v"]["dtype"], f"{path}.data")
    left, right = _stored(expected), _stored(actual)
    for place in sorted({*left, *right}):
        one, other = left.get(place, 0), right.get(place, 0)
        relative = precision_of(expected["v"])
        parts = ((one.real, other.real), (one.imag, other.imag)) if kinds[0] == "c" else ((one, other),)
        if not all(comparer.close(*part, relative) for part in parts):
            raise Different(f"{at(f'{path}[{place[0]}, {place[1]}]')}expected {one!r:.80}, got {other!r:.80}")


def _stored(data: Json) -> dict[tuple[int, int], Any]:
    """The numbers of a sparse matrix by row and column; those that stand at one place are added up."""
    _, (first, second), stored = values.sparse_parts(data)
    outer = first if data["type"].startswith("coo") else np.repeat(np.arange(len(first) - 1), np.diff(first))
    rows, columns = (second, outer) if data["type"].startswith("csc") else (outer, second)
    found: dict[tuple[int, int], Any] = {}
    for row, column, number in zip(rows.tolist(), columns.tolist(), stored.tolist(), strict=True):
        place = row, column
        found[place] = found[place] + number if place in found else number
    return found


def _kind(dtype: str) -> str:
    return "i" if dtype[1] == "u" else dtype[1]


def _series(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("name", "index", "v"))


def _frame(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("columns", "index", "v"))


def _index(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("name", "v"))


def _interval(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("closed", "v"))


def _masked_array(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    """The masks, and the numbers that they show; how what is hidden is filled in is nobody's concern."""
    left, right = (_numbers(data["v"]) for data in (expected, actual))
    masks = [np.zeros(array.shape, bool) if data["mask"] is None else _numbers(data["mask"])
             for data, array in ((expected, left), (actual, right))]
    if left.shape != right.shape or not np.array_equal(masks[0], masks[1]) or masks[1].shape != right.shape:
        comparer.fail(expected, actual, path)
    shown = [values.encode(array[~mask]) for array, mask in zip((left, right), masks, strict=True)]
    comparer.compare(shown[0], shown[1], path)


def _range_or_index(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    """A RangeIndex is an Index of ints that is stored in short."""
    if expected[TAG] == actual[TAG] == "Index":
        _index(comparer, expected, actual, path)
        return
    comparer.compare(expected["name"], actual["name"], f"{path}.name")
    left, right = (_span(data) for data in (expected, actual))
    if len(left) != len(right):
        comparer.fail(expected, actual, path)
    if not (left == right if isinstance(left, range) and isinstance(right, range) else np.array_equal(left, right)):
        comparer.fail(expected, actual, path)


def _span(data: Json) -> Any:
    """The numbers of a RangeIndex, not spread out, or those of an Index."""
    return range(*data["v"]) if data[TAG] == "RangeIndex" else _numbers(data["v"])


def _by_value(comparer: Comparer, expected: Json, actual: Json, path: str) -> None:
    """pandas arrays with types of their own: the same tag and settings, then the values."""
    left, right = ({k: v for k, v in data.items() if k not in _STORAGE} for data in (expected, actual))
    if canonical(left) != canonical(right):
        comparer.fail(expected, actual, path)
    comparer.compare(expected["v"], actual["v"], path)


_STORAGE = ("v", "storage", "missing", "unit")

SPECIAL: dict[str, Special] = {
    "set": _sets,
    "frozenset": _sets,
    "Decimal": _decimal,
    "datetime": _moment,
    "time": _moment,
    "Timestamp": _timestamp,
    "Timedelta": _timedelta,
    "ndarray": _array,
    "sparse": _sparse,
    "Series": _series,
    "DataFrame": _frame,
    "Interval": _interval,
    "intervals": _interval,
    "MaskedArray": _masked_array,
    **dict.fromkeys(
        ("DatetimeIndex", "TimedeltaIndex", "CategoricalIndex", "IntervalIndex", "PeriodIndex"), _index
    ),
    **dict.fromkeys(("Index", "RangeIndex"), _range_or_index),
    **dict.fromkeys(("moments", "texts", "masked", "Categorical"), _by_value),
}
"""The rules by the tags of the types."""
