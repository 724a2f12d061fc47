"""The walk over two encoded values that are compared: rules for what JSON, numbers and containers are."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, TypeAlias

from harness import values
from harness.records import Comparison, Json
from harness.values import TAG, canonical
from harness.values.encoded_text import encoded_text

_SHOWN = 80
_MAPPINGS = ("dict", "Counter", "defaultdict", "OrderedDict")
_SEQUENCES = ("list", "tuple", "iterator", "deque")
_NUMBERS = ("int", "float")
_NARROW = {"f2": 4e-3, "f4": 1e-5, "c8": 1e-5}
"""The tolerance where numbers of these types are expected."""
_MATCHES = 100_000
"""How often elements without an order are compared before two values count as different."""
_SCALAR_KINDS = "biufcUS"
"""The kinds of arrays without axes that stand for a value of Python's."""


class Different(Exception):
    """Where and how two values differ."""


def show(data: Json) -> str:
    """A short text for an encoded value, or for what pretends to be one."""
    return encoded_text(data, _SHOWN).encode("ascii", "backslashreplace").decode()


def tag_of(data: Json) -> str:
    """The type of an encoded value; the kinds that JSON has of its own are called as in Python."""
    if type(data) is dict:
        tag = data.get(TAG, "dict")
        return tag if type(tag) is str else "forged"
    return type(data).__name__


Special: TypeAlias = "Callable[[Comparer, Any, Any, str], None]"


class Comparer:
    """Compares encoded values under one rule; raises `Different` at the first difference.

    Types that have rules of their own are compared by `special`, under their tags.
    """

    def __init__(self, rule: Comparison, special: Mapping[str, Special]) -> None:
        self.rule, self.special = rule, special
        self.matches = 0

    def compare(self, expected: Json, actual: Json, path: str, unordered: bool = False) -> None:
        """Compare two encoded values at a path (as Python would write it)."""
        relative = precision_of(expected)
        expected, actual = _plain(expected), _plain(actual)
        kinds = tag_of(expected), tag_of(actual)
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
        special = self.special.get(kind)
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
        left, right = items_of(expected), items_of(actual)
        if len(left) != len(right):
            raise Different(f"{at(path)}expected {len(left)} items, got {len(right)}: {versus(expected, actual)}")
        if unordered:
            self.multisets(left, right, path)
            return
        for index, (one, other) in enumerate(zip(left, right, strict=True)):
            self.compare(one, other, f"{path}[{index}]")

    def multisets(self, expected: Sequence[Json], actual: Sequence[Json], path: str) -> None:
        """Compare without order: equal texts first, then each of the rest with the first that agrees."""
        if len(expected) != len(actual):
            raise Different(f"{at(path)}expected {len(expected)} elements, got {len(actual)}")
        missing, extra = (sorted(rest, key=_rank) for rest in _unmatched(expected, actual))
        for one in missing:
            found = next((i for i, other in enumerate(extra) if self.same(one, other)), None)
            if found is None or self.matches > _MATCHES:
                raise Different(f"{at(path)}{show(one)} is missing, {show(extra[0])} is too much")
            extra.pop(found)

    def same(self, expected: Json, actual: Json) -> bool:
        """Whether two encoded values agree; none do any more when very many were compared already."""
        self.matches += 1
        if self.matches > _MATCHES:
            return False
        try:
            self.compare(expected, actual, "")
        except Different:
            return False
        return True

    def mappings(self, expected: Json, actual: Json, path: str) -> None:
        """Compare by keys; in order only when both have one by their type."""
        left, right = _pairs(expected), _pairs(actual)
        if len(left) != len(right):
            raise Different(f"{at(path)}expected {len(left)} keys, got {len(right)}: {versus(expected, actual)}")
        if tag_of(expected) == tag_of(actual) == "OrderedDict":
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
        for one, other in zip(items_of(expected), items_of(actual), strict=True):
            if not self.close(_number(one), _number(other), relative):
                self.fail(expected, actual, path)

    def fail(self, expected: Json, actual: Json, path: str) -> None:
        """Say that two values differ."""
        raise Different(f"{at(path)}{versus(expected, actual)}")

    def fields(self, expected: Json, actual: Json, path: str, names: Iterable[str]) -> None:
        """Compare some parts of two tagged objects."""
        for name in names:
            self.compare(expected[name], actual[name], f"{path}.{name}")


def at(path: str) -> str:
    """Where something differs, in front of how."""
    return f"at {path}: " if path else ""


def versus(expected: Json, actual: Json) -> str:
    """Two values that differ, in words."""
    left, right, one, other = show(expected), show(actual), tag_of(expected), tag_of(actual)
    kinds = f" ({one} against {other})" if left == right or one != other else ""
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
    number = _number(data) if tag_of(data) == "float" else 0.0
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


def precision_of(data: Json) -> float:
    """The tolerance that the type of an expected number has, 0 where it is as precise as Python's."""
    return _NARROW.get(data["dtype"][1:], 0.0) if type(data) is dict and "dtype" in data else 0.0


def _number(data: Json) -> float:
    if type(data) is dict:
        text: str = data["v"]
        return float(text) if data[TAG] == "float" else int(text, 0)
    number: float = data
    return number


def items_of(data: Json) -> list[Json]:
    """The items of a list or of what is encoded like one."""
    items = data if type(data) is list else data["v"]
    if type(items) is not list:
        raise TypeError("items must be a list")
    return items


def _pairs(data: Json) -> list[list[Json]]:
    if TAG not in data:
        return [[key, value] for key, value in data.items()]
    return [[key, value] for key, value in data["v"]]
