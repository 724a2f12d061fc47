"""When two answers are the same; both stay encoded, so nothing that an answer contains is ever built or run here.

The rules, and why:
- Types must agree: True is not 1, a list is not a tuple, a set is not a frozenset. But an int and a float of the same
  value agree, because a signature that says `float` permits both, a NumPy scalar and an array without axes agree with
  Python's number of their kind, a path with a pure path; flags of regular expressions are ints.
- Tolerance is for floats: where an int is expected, the value must be equal. The expected value decides how much there
  is, the task's or the precision of a narrow NumPy type; an array of narrower numbers than expected differs.
- NaN agrees with NaN.
- Sets and dicts have no order; a dict, a Counter, a defaultdict and an OrderedDict with the same content agree, since
  all of them are dicts to a caller, but two OrderedDicts have an order.
- Decimals, fractions and moments agree by value: 1.0 and 1.00; 12:00+00:00 with UTC written in two ways.
- Iterators agree with iterators by what they give, whichever kind they are.
- Arrays agree by kind of dtype, shape and values; Series, frames and indexes by their labels, names and values.
- Sparse matrices agree by type, shape, kind of dtype and values, in whichever order these are stored.
- Exceptions agree by the name of their type, and by their text where the task says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from decimal import Decimal, InvalidOperation
from typing import Any

import numpy as np

from harness import values
from harness.records import Answer, Comparison, Json
from harness.telling import printable
from harness.values import TAG, canonical
from harness.values.encoded_text import encoded_text

_SHOWN, _LONGEST = 80, 500
_MAPPINGS = ("dict", "Counter", "defaultdict", "OrderedDict")
_SEQUENCES = ("list", "tuple", "iterator", "deque")
_NUMBERS = ("int", "float")
_NARROW = {"f2": 4e-3, "f4": 1e-5, "c8": 1e-5}
"""The tolerance where numbers of these types are expected."""
_MATCHES = 100_000
"""How often elements without an order are compared before two values count as different."""
_SCALAR_KINDS = "biufcUS"
"""The kinds of arrays without axes that stand for a value of Python's."""
_TICKS = {"s": 10**9, "ms": 10**6, "us": 10**3, "ns": 1}


class _Different(Exception):
    """Where and how two values differ."""


def agree(expected: Answer, actual: Answer, rule: Comparison) -> str:
    """"" when the answers agree by the rule, else the first difference in words, which are few and printable."""
    return printable(_agree(expected, actual, rule)[:_LONGEST])


def _agree(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.kind != actual.kind:
        return f"expected {_say(expected)}, got {_say(actual)}"
    if _same(expected, actual):
        return ""
    if expected.kind == "raised":
        difference = _exceptions(expected, actual, rule)
    else:
        difference = _difference(expected.value, actual.value, rule, rule.unordered)
    if difference or not rule.mutation:
        return difference
    return _arguments(expected, actual, rule)


def _same(expected: Answer, actual: Answer) -> bool:
    """Whether two answers that were returned are encoded alike, which most are, and then agree by every rule."""
    if expected.kind != "returned" or (expected.mutated is None) != (actual.mutated is None):
        return False
    given = [(expected.value, actual.value), (expected.mutated, actual.mutated)]
    try:
        return all(canonical(one) == canonical(other) for one, other in given)
    except (ValueError, RecursionError):
        # It was forged: no value is encoded like that.
        return False


def _say(answer: Answer) -> str:
    if answer.kind == "raised":
        return f"{answer.exception} raised"
    return show(answer.value)


def _exceptions(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.exception != actual.exception:
        return f"expected {expected.exception} raised, got {actual.exception} raised"
    if rule.messages and expected.message != actual.message:
        return f"expected {expected.exception} with the text {expected.message!r:.80}, got {actual.message!r:.80}"
    return ""


def _arguments(expected: Answer, actual: Answer, rule: Comparison) -> str:
    if expected.mutated is None and actual.mutated is None:
        return ""
    if expected.mutated is None:
        return "changed its arguments, which must stay as they are"
    if actual.mutated is None:
        return "did not change its arguments"
    difference = _difference(expected.mutated, actual.mutated, rule, False)
    return difference and f"arguments after the call: {difference}"


def _difference(expected: Json, actual: Json, rule: Comparison, unordered: bool) -> str:
    try:
        _Comparer(rule).compare(expected, actual, "", unordered)
    except _Different as difference:
        return str(difference)
    except Exception:
        # Only a forged line has another shape than `encode` gives it.
        return f"expected {show(expected)}, got something that is no encoded value"
    return ""


def show(data: Json) -> str:
    """A short text for an encoded value, or for what pretends to be one."""
    return encoded_text(data, _SHOWN).encode("ascii", "backslashreplace").decode()


def _tag(data: Json) -> str:
    """The type of an encoded value; the kinds that JSON has of its own are called as in Python."""
    if type(data) is dict:
        tag = data.get(TAG, "dict")
        return tag if type(tag) is str else "forged"
    return type(data).__name__


class _Comparer:
    """Compares encoded values under one rule; raises `_Different` at the first difference."""

    def __init__(self, rule: Comparison):
        self.rule = rule
        self.matches = 0

    def compare(self, expected: Json, actual: Json, path: str, unordered: bool = False) -> None:
        """Compare two encoded values at a path (as Python would write it)."""
        relative = _precision(expected)
        expected, actual = _plain(expected), _plain(actual)
        kinds = _tag(expected), _tag(actual)
        if kinds[0] in _NUMBERS and kinds[1] in _NUMBERS:
            if not self.close(_number(expected), _number(actual), relative):
                self.fail(expected, actual, path)
            return
        if kinds[0] in _MAPPINGS and kinds[1] in _MAPPINGS:
            self.mappings(expected, actual, path)
            return
        if kinds[0] != kinds[1] and set(kinds) != {"Index", "RangeIndex"}:
            self.fail(expected, actual, path)
        if kinds[0] in _SEQUENCES:
            self.sequences(expected, actual, path, unordered and kinds[0] in ("list", "iterator"))
        else:
            self.others(kinds[0], expected, actual, path, relative)

    def others(self, kind: str, expected: Json, actual: Json, path: str, relative: float) -> None:
        """Compare two values of one type that are neither real numbers, sequences nor mappings."""
        if kind == "complex":
            self.complex_numbers(expected, actual, path, relative)
            return
        special = _SPECIAL.get(kind)
        if special is not None:
            special(self, expected, actual, path)
        elif canonical(expected) != canonical(actual):
            self.fail(expected, actual, path)

    def close(self, expected: float, actual: float, relative: float = 0.0) -> bool:
        """Whether two numbers agree: exactly where an int is expected, else within the tolerance."""
        if type(expected) is int:
            return expected == actual
        try:
            left, right = float(expected), float(actual)
        except OverflowError:
            return False
        if math.isnan(left) or math.isnan(right):
            return math.isnan(left) and math.isnan(right)
        relative = max(relative, self.rule.relative)
        return left == right or math.isclose(left, right, rel_tol=relative, abs_tol=self.rule.absolute)

    def sequences(self, expected: Json, actual: Json, path: str, unordered: bool) -> None:
        """Compare item by item, or as multisets."""
        left, right = _items(expected), _items(actual)
        if len(left) != len(right):
            raise _Different(f"{_at(path)}expected {len(left)} items, got {len(right)}: {_versus(expected, actual)}")
        if unordered:
            self.multisets(left, right, path)
            return
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            self.compare(one, other, f"{path}[{index}]")

    def multisets(self, expected: Sequence[Json], actual: Sequence[Json], path: str) -> None:
        """Compare without order: equal texts first, then each of the rest with the first that agrees."""
        if len(expected) != len(actual):
            raise _Different(f"{_at(path)}expected {len(expected)} elements, got {len(actual)}")
        missing, extra = (sorted(rest, key=_rank) for rest in _unmatched(expected, actual))
        for one in missing:
            found = next((i for i, other in enumerate(extra) if self.same(one, other)), None)
            if found is None or self.matches > _MATCHES:
                raise _Different(f"{_at(path)}{show(one)} is missing, {show(extra[0])} is too much")
            extra.pop(found)

    def same(self, expected: Json, actual: Json) -> bool:
        """Whether two encoded values agree; none do any more when very many were compared already."""
        self.matches += 1
        if self.matches > _MATCHES:
            return False
        try:
            self.compare(expected, actual, "")
        except _Different:
            return False
        return True

    def mappings(self, expected: Json, actual: Json, path: str) -> None:
        """Compare by keys; in order only when both have one by their type."""
        left, right = _pairs(expected), _pairs(actual)
        if len(left) != len(right):
            raise _Different(f"{_at(path)}expected {len(left)} keys, got {len(right)}: {_versus(expected, actual)}")
        if _tag(expected) == _tag(actual) == "OrderedDict":
            for (key, _), (other, _) in zip(left, right, strict=True):
                self.compare(key, other, f"{path}.keys()")
        by_key = {canonical(key): value for key, value in right}
        inexact = []
        for key, value in left:
            text = canonical(key)
            if text in by_key:
                self.compare(value, by_key.pop(text), f"{path}[{show(key)}]")
            else:
                inexact.append([key, value])
        if inexact:
            rest = [[key, value] for key, value in right if canonical(key) in by_key]
            self.multisets(inexact, rest, path)

    def complex_numbers(self, expected: Json, actual: Json, path: str, relative: float) -> None:
        """Compare the parts of two complex numbers."""
        for one, other in zip(_items(expected), _items(actual), strict=True):
            if not self.close(_number(one), _number(other), relative):
                self.fail(expected, actual, path)

    def fail(self, expected: Json, actual: Json, path: str) -> None:
        """Say that two values differ."""
        raise _Different(f"{_at(path)}{_versus(expected, actual)}")

    def fields(self, expected: Json, actual: Json, path: str, names: Iterable[str]) -> None:
        """Compare some parts of two tagged objects."""
        for name in names:
            self.compare(expected[name], actual[name], f"{path}.{name}")


def _at(path: str) -> str:
    return f"at {path}: " if path else ""


def _versus(expected: Json, actual: Json) -> str:
    left, right = show(expected), show(actual)
    kinds = f" ({_tag(expected)} against {_tag(actual)})" if left == right or _tag(expected) != _tag(actual) else ""
    return f"expected {left}, got {right}{kinds}"


def _unmatched(expected: Iterable[Json], actual: Iterable[Json]) -> tuple[list[Json], list[Json]]:
    """What is left of two lists when equal texts are struck out in pairs."""
    available: dict[str, list[Json]] = {}
    for other in actual:
        available.setdefault(canonical(other), []).append(other)
    missing = []
    for one in expected:
        same = available.get(canonical(one))
        if same:
            same.pop()
        else:
            missing.append(one)
    return missing, [other for rest in available.values() for other in rest]


def _rank(data: Json) -> tuple[float, str]:
    """An order in which numbers that nearly agree are neighbours."""
    number = _number(data) if _tag(data) == "float" else 0.0
    return (0.0 if math.isnan(number) else number), canonical(data)


def _plain(data: Json) -> Json:
    """A value of NumPy of a kind that Python has, too, as Python's, flags as the int that they are, a path as pure."""
    if type(data) is not dict:
        return data
    tag = data.get(TAG)
    if tag == "RegexFlag" or (tag == "numpy" and data["dtype"][1] not in "mM"):
        return data["v"]
    if tag == "ndarray" and data["shape"] == [] and data["dtype"][1] in _SCALAR_KINDS:
        return values.encode(values.decode(data).item())
    return {**data, TAG: f"Pure{tag}"} if tag in ("PosixPath", "WindowsPath") else data


def _precision(data: Json) -> float:
    """The tolerance that the type of an expected number has, 0 where it is as precise as Python's."""
    return _NARROW.get(data["dtype"][1:], 0.0) if type(data) is dict and "dtype" in data else 0.0


def _number(data: Json) -> float:
    if type(data) is dict:
        text: str = data["v"]
        return float(text) if data[TAG] == "float" else int(text, 0)
    number: float = data
    return number


def _items(data: Json) -> list[Json]:
    items = data if type(data) is list else data["v"]
    if type(items) is not list:
        raise TypeError("items must be a list")
    return items


def _pairs(data: Json) -> list[list[Json]]:
    if TAG not in data:
        return [[key, value] for key, value in data.items()]
    return [[key, value] for key, value in data["v"]]


def _sets(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.multisets(_items(expected), _items(actual), path)


def _decimal(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["v"] == actual["v"]:
        return
    try:
        same = Decimal(expected["v"]) == Decimal(actual["v"])
    except InvalidOperation:
        same = False
    if not same:
        comparer.fail(expected, actual, path)


def _moment(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["v"] != actual["v"] or (expected.get("zone") is None) != (actual.get("zone") is None):
        comparer.fail(expected, actual, path)


def _timestamp(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    if _ticks(expected) != _ticks(actual) or (expected["zone"] is None) != (actual["zone"] is None):
        comparer.fail(expected, actual, path)


def _timedelta(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
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


def _array(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    kinds = [_kind(data["dtype"]) for data in (expected, actual)]
    if kinds[0] != kinds[1] or expected["shape"] != actual["shape"]:
        what = [f"{data['dtype']}{data['shape']}" for data in (expected, actual)]
        raise _Different(f"{_at(path)}expected an array of {what[0]}, got {what[1]}: {_versus(expected, actual)}")
    if kinds[0] == "O":
        comparer.sequences(_items(expected), _items(actual), path, False)
        return
    left, right = _numbers(expected), _numbers(actual)
    if kinds[0] in "fc":
        _refuse_narrower(expected["dtype"], actual["dtype"], path)
        relative = max(comparer.rule.relative, _precision(expected))
        same = np.isclose(right, left, rtol=relative, atol=comparer.rule.absolute, equal_nan=True)
    else:
        missing = np.isnat(left) & np.isnat(right) if kinds[0] in "mM" else np.zeros(left.shape, bool)
        same = (left == right) | missing
    if not same.all():
        index = tuple(int(i) for i in np.argwhere(~same)[0])
        where = f"{path}{list(index)}" if index else path
        raise _Different(f"{_at(where)}expected {left[index]!r:.80}, got {right[index]!r:.80}")


def _refuse_narrower(expected: str, actual: str, path: str) -> None:
    if int(actual[2:]) < int(expected[2:]):
        raise _Different(f"{_at(path)}expected numbers of {expected[1:]}, got narrower ones of {actual[1:]}")


def _sparse(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    if expected["type"] != actual["type"] or expected["shape"] != actual["shape"]:
        what = [f"{data['type']} of shape {tuple(data['shape'])}" for data in (expected, actual)]
        raise _Different(f"{_at(path)}expected a {what[0]}, got a {what[1]}")
    kinds = [_kind(data["v"]["dtype"]) for data in (expected, actual)]
    if kinds[0] != kinds[1]:
        comparer.fail(expected["v"], actual["v"], f"{path}.data")
    if kinds[0] in "fc":
        _refuse_narrower(expected["v"]["dtype"], actual["v"]["dtype"], f"{path}.data")
    left, right = _stored(expected), _stored(actual)
    for place in sorted({*left, *right}):
        one, other = left.get(place, 0), right.get(place, 0)
        relative = _precision(expected["v"])
        parts = ((one.real, other.real), (one.imag, other.imag)) if kinds[0] == "c" else ((one, other),)
        if not all(comparer.close(*part, relative) for part in parts):
            raise _Different(f"{_at(f'{path}[{place[0]}, {place[1]}]')}expected {one!r:.80}, got {other!r:.80}")


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


def _series(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("name", "index", "v"))


def _frame(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("columns", "index", "v"))


def _index(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("name", "v"))


def _interval(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    comparer.fields(expected, actual, path, ("closed", "v"))


def _masked_array(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    """The masks, and the numbers that they show; how what is hidden is filled in is nobody's concern."""
    left, right = (_numbers(data["v"]) for data in (expected, actual))
    masks = [np.zeros(array.shape, bool) if data["mask"] is None else _numbers(data["mask"])
             for data, array in ((expected, left), (actual, right))]
    if left.shape != right.shape or not np.array_equal(masks[0], masks[1]) or masks[1].shape != right.shape:
        comparer.fail(expected, actual, path)
    shown = [values.encode(array[~mask]) for array, mask in zip((left, right), masks, strict=True)]
    comparer.compare(shown[0], shown[1], path)


def _range_or_index(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
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


def _by_value(comparer: _Comparer, expected: Json, actual: Json, path: str) -> None:
    """pandas arrays with types of their own: the same tag and settings, then the values."""
    left, right = ({k: v for k, v in data.items() if k not in _STORAGE} for data in (expected, actual))
    if canonical(left) != canonical(right):
        comparer.fail(expected, actual, path)
    comparer.compare(expected["v"], actual["v"], path)


_STORAGE = ("v", "storage", "missing", "unit")

_Special = Callable[[_Comparer, Any, Any, str], None]

_SPECIAL: dict[str, _Special] = {
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
