"""The rules of comparison, one line each: what agrees, what does not, and in which words."""

from __future__ import annotations

import collections
import datetime
import math
import pathlib
import re
import uuid
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
import scipy.sparse as sp
from hypothesis import given

from harness.records import Answer, Comparison
from harness.values import encode
from harness.values.comparison import agree
from tests.harness.test_values import VALUES

NAN, INF = math.nan, math.inf
UTC = datetime.UTC


def returned(value: Any, mutated: Any = None) -> Answer:
    return Answer("returned", encode(value, 100), mutated=None if mutated is None else encode(mutated))


def difference(expected: Any, actual: Any, **rule: Any) -> str:
    return agree(returned(expected), returned(actual), Comparison(**rule))


def readable(value: object) -> str:
    """An id that is the same in every process: neither addresses nor the order of sets."""
    text = repr(value)[:30]
    return type(value).__name__ if "{" in text or "0x" in text else text


@pytest.mark.parametrize(("one", "other"), [
    (1, 1.0), (0, -0.0), (1.0, 1 + 1e-12), (NAN, NAN), (INF, INF), (1e300, 1e300 * (1 + 1e-12)), (0.0, 1e-13), (2**80, float(2**80)),
    (1 + 1j, 1 + 1j + 1e-13), (complex(NAN, 1), complex(NAN, 1)), ([1.0, [2]], [1, [2.0]]),
    ({1, 2}, {2, 1}), ({0.1 + 0.2, 2.0}, {0.3, 2.0}), ({(0.3, "a"), (0.1, "b")}, {(0.1, "b"), (0.1 + 0.2, "a")}),
    ({"a": 1, 2: 3}, {2: 3, "a": 1}), ({0.3: "x"}, {0.1 + 0.2: "x"}), ({"a": 1}, collections.Counter("a")),
    ({1: [2]}, collections.defaultdict(list, {1: [2]})), ({"a": 1, "b": 2}, collections.OrderedDict(b=2, a=1)),
    (np.float64(1.5), 1.5), (np.int32(3), 3), (np.bool_(True), True), (np.str_("a"), "a"), (np.float32(0.5), np.float64(0.5)),
    (np.array(2.0), 2.0), (np.array(3), np.int64(3)), (pathlib.PurePosixPath('a'), pathlib.PosixPath('a')),
    (np.arange(3), np.arange(3, dtype="i4")), (np.array([0.3, NAN]), np.array([0.1 + 0.2, NAN])), (np.array([1, "a"], dtype=object), np.array([1, "a"], dtype=object)),
    (sp.csr_array([[0, 1.5], [2, 0]]), sp.csr_array([[0, 1.5 + 1e-13], [2, 0]])), (np.float32, np.float32),
    (sp.coo_array(([2.0, 1.0], ([0, 0], [1, 1])), (1, 2)), sp.coo_array(([3.0, 0.0], ([0, 0], [1, 0])), (1, 2))),
    (np.array([0.1], "f4"), np.array([0.1000001], "f4")), (np.array(["NaT", "2020"], "M8[D]"), np.array(["NaT", "2020"], "M8[s]")),
    (pd.DataFrame({"a": [1, 2]}), pd.DataFrame({"a": [1, 2]}, index=[0, 1])), (pd.Series(["a", None]), pd.Series(["a", None])),
    (pd.Series([1.0, NAN]), pd.Series([1.0 + 1e-13, NAN])), (pd.Timestamp("2020"), pd.Timestamp("2020").as_unit("ns")),
    (re.I, 2), (re.I | re.S, re.S | re.I), ([re.I], [re.RegexFlag(2)]), (re.compile("a", re.U), re.compile("a")), (slice(1, 2), slice(1, 2)),
    (Decimal("1.0"), Decimal("1.00")), (Decimal("NaN"), Decimal("NaN")),
    (datetime.datetime(2020, 1, 1, tzinfo=UTC), datetime.datetime(2020, 1, 1, tzinfo=datetime.timezone(datetime.timedelta(0), "Z"))),
], ids=readable)
def test_these_agree_both_ways(one: Any, other: Any) -> None:
    assert difference(one, other) == difference(other, one) == ""


@pytest.mark.parametrize(("one", "other"), [
    (re.I, re.S), (re.I, True), (re.I, 3), (re.compile("a"), re.compile("b")), (re.compile("a"), re.compile("a", re.I)), (re.compile("a"), "a"),
    (re.compile("a"), re.compile(b"a")), (slice(1), slice(2)), (slice(1), slice(0, 1)), (slice(1), slice(1.0)), (slice(1), range(1)),
    (uuid.UUID(int=1), str(uuid.UUID(int=1))), (uuid.UUID(int=1), uuid.UUID(int=2)),
    (True, 1), (False, 0), (False, None), (True, 1.0), (None, 0), ("1", 1), (b"a", "a"), (b"a", bytearray(b"a")), ([1], (1,)), ([], ()), ({1}, frozenset({1})),
    ({}, set()), ([1], collections.deque([1])), (range(2), [0, 1]), (1.0, 1.000001), (INF, -INF), (NAN, 0.0), (2**80, 2**80 + 1), (0.0, 1e-9),
    ([1, 2], [2, 1]), ([1, 2], [1, 2, 2]), ({1, 2}, {1, 3}), ({1, 2}, {1, 2, 3}), ({True}, {1}), ({1: 2}, {1: 3}), ({1: 2}, {2: 2}), ({"1": 2}, {1: 2}), ({1: 2}, {1: 2, 3: 4}),
    (collections.OrderedDict(a=1, b=2), collections.OrderedDict(b=2, a=1)), (np.arange(3), [0, 1, 2]), (np.arange(3), np.arange(3.0)),
    (sp.csr_array([[1.0]]), sp.csr_array([[1.5]])), (sp.csr_array([[1.0]]), sp.csc_array([[1.0]])), (sp.csr_array([[1]]), sp.csr_array([[1.0]])),
    (sp.csr_array((1, 2)), sp.csr_array((2, 1))), (sp.csr_array([[0, 1.0]]), sp.csr_array([[1.0, 0]])), (sp.csc_array([[1, 0], [2, 3]]), sp.csc_array([[1, 2], [0, 3]])),
    (sp.csr_array([[1.0]]), np.array([[1.0]])), (np.float32, np.float64), (np.zeros((2, 2)), np.zeros(4)), (np.array([True]), np.array([1])), (np.array([1.0]), np.array([1.1])), (np.array(["a"]), np.array(["b"])),
    (pd.Series([1, 2]), pd.Series([1, 2], index=[1, 2])), (pd.Series([1]), pd.Series([1], name="x")), (pd.Series([1]), pd.Series([1.0])), (pd.Series([1]), [1]),
    (pd.DataFrame({"a": [1]}), pd.DataFrame({"b": [1]})), (pd.DataFrame({"a": [1], "b": [2]}), pd.DataFrame({"b": [2], "a": [1]})),
    (pd.DataFrame({"a": [1]}), pd.DataFrame({"a": [2]})), (pd.NaT, None), (pd.Timestamp("2020"), pd.Timestamp("2020", tz="UTC")),
    (datetime.datetime(2020, 1, 1), datetime.datetime(2020, 1, 1, tzinfo=UTC)), (datetime.date(2020, 1, 1), datetime.datetime(2020, 1, 1)),
    (Decimal("1"), 1), (Decimal("1.0"), Decimal("1.1")), (map(str, [1]), ["1"]),
], ids=readable)
def test_these_differ_both_ways(one: Any, other: Any) -> None:
    assert difference(one, other)
    if not hasattr(one, "__next__"):
        assert difference(other, one)


@pytest.mark.parametrize(("expected", "near"), [
    (1, 1 + 9e-10), (100, 100 * (1 + 1e-12)), ([7], [7.0000000001]), ({3}, {3.0000000001}), ({"a": 5}, {"a": 5 - 1e-10}), ((0,), (1e-13,)), (2**60, float(2**60) + 4096),
    (np.int64(4), 4.000000001), (np.float64(0.1), np.float16(0.1)), (0.1, np.float32(0.1)), (np.array([0.1, 0.2]), np.array([0.1, 0.2], "f4")),
    (np.array([100.0]), (np.array([100.0]) * 1.009).astype("f2")), (np.array([0.5]), np.array([0.5], "f2")), (np.array([1j]), np.array([1j], "c8")),
    (sp.csr_array([[0.1]]), sp.csr_array(np.array([[0.1]], "f4"))), (pd.Series([0.1]), pd.Series([0.1], dtype="f4")), (np.array([0.5], "f4"), np.array([0.5], "f2")),
], ids=readable)
def test_tolerance_is_what_the_expected_value_has(expected: Any, near: Any) -> None:
    assert difference(expected, near)


@pytest.mark.parametrize(("expected", "actual"), [
    (1.0, 1), (1 + 1e-12, 1), (np.float32(0.1), 0.1), (np.float16(0.1), 0.1), (np.array([0.1], "f4"), np.array([0.1])), (sp.csr_array(np.array([[0.1]], "f4")), sp.csr_array([[0.1]])),
    (np.array([0.1], "c8"), np.array([0.1], "c16")), (np.complex64(0.1 + 1j), 0.1 + 1j), (np.complex64(0.3), np.complex64(0.3 * (1 + 3e-7))),
], ids=readable)
def test_more_precision_than_expected_is_welcome(expected: Any, actual: Any) -> None:
    assert difference(expected, actual) == ""


@given(VALUES)
def test_every_value_agrees_with_itself(value: Any) -> None:
    assert difference(value, value) == ""


def test_iterators_agree_by_what_they_give() -> None:
    assert difference(map(str, [1, 2]), (str(n) for n in (1, 2))) == ""
    assert difference(iter([1, 2]), iter([2, 1]))


def test_tolerances_are_the_tasks_own() -> None:
    assert difference(100.0, 101.0)
    assert difference(100.0, 101.0, relative=0.02) == ""
    assert difference(0.0, 0.01, absolute=0.02) == ""


def test_order_may_be_left_open_at_the_top_only() -> None:
    assert difference([1, 2.0, 2], [2, 1, 2.0 + 1e-13], unordered=True) == ""
    assert difference([1, 1, 2], [1, 2, 2], unordered=True)
    assert difference([[1, 2]], [[2, 1]], unordered=True)
    assert difference((1, 2), (2, 1), unordered=True)


def test_exceptions_agree_by_type_and_by_text_where_that_is_promised() -> None:
    one, other = Answer("raised", exception="ValueError", message="a"), Answer("raised", exception="ValueError", message="b")
    assert agree(one, other, Comparison()) == ""
    assert agree(one, other, Comparison(messages=True)) == "expected ValueError with the text 'a', got 'b'"
    assert agree(one, Answer("raised", exception="KeyError"), Comparison()) == "expected ValueError raised, got KeyError raised"
    assert agree(one, returned(None), Comparison()) == "expected ValueError raised, got None"
    assert agree(returned(1), one, Comparison()) == "expected 1, got ValueError raised"


def test_changed_arguments_count_where_the_rule_says_so() -> None:
    rule = Comparison(mutation=True)
    assert agree(returned(1, [[2]]), returned(1, [[2.0]]), rule) == ""
    assert agree(returned(1, [[2]]), returned(1), rule) == "did not change its arguments"
    assert agree(returned(1), returned(1, [[2]]), rule) == "changed its arguments, which must stay as they are"
    assert agree(returned(1, [[2]]), returned(1, [[3]]), rule) == "arguments after the call: at [0][0]: expected 2, got 3"
    assert agree(returned(1), returned(1, [[2]]), Comparison()) == ""


@pytest.mark.parametrize(("expected", "actual", "words"), [
    ([1, [2, 3]], [1, [2, 4]], "at [1][1]: expected 3, got 4"), ({"a": {"b": 1}}, {"a": {"b": 2}}, "at ['a']['b']: expected 1, got 2"),
    ([1], (1,), "expected [1], got (1,) (list against tuple)"), (True, 1, "expected True, got 1 (bool against int)"),
    ([1, 2], [1], "expected 2 items, got 1: expected [1, 2], got [1]"), ({1, 2}, {1, 3}, "2 is missing, 3 is too much"),
    (np.array([[1.0, 2.0]]), np.array([[1.0, 3.0]]), "at [0, 1]: expected np.float64(2.0), got np.float64(3.0)"),
])
def test_a_difference_is_said_in_words(expected: Any, actual: Any, words: str) -> None:
    assert difference(expected, actual) == words


@pytest.mark.parametrize("forged", [
    {"$": "set", "v": {"a": 1}}, {"$": "tuple"}, {"$": 1}, {"$": "float", "v": []}, {"$": "dict", "v": [[1]]}, {"$": "numpy"},
    {"$": "ndarray", "dtype": "<f8", "shape": [1 << 40], "v": ""}, {"$": "ndarray", "dtype": 5, "shape": [2], "v": ""},
    {"$": "RangeIndex", "name": None, "v": [0, 1 << 60, 1]}, {"$": "complex", "v": [1]}, {"$": "Series"}, {"$": "int", "v": "x" * 10_000},
    {"$": "sparse"}, {"$": "sparse", "type": "csr_array", "shape": [1, 1], "places": [[0], [1]], "v": 1},
], ids=range(14))
def test_a_forged_value_differs_from_everything(forged: Any) -> None:
    for value in (1, 1.5, [1], (1, 2), {1}, {"a": 1}, np.zeros(2), pd.Series([1]), pd.RangeIndex(3), pd.Index([1]), 1j, Decimal(1), sp.csr_array([[1]])):
        assert agree(returned(value), Answer("returned", forged), Comparison())


def test_large_sets_that_nearly_agree_are_compared_quickly() -> None:
    numbers = {n / 7 for n in range(2000)}
    assert difference(numbers, {n * (1 + 1e-14) for n in numbers}) == ""


def test_a_regular_expression_of_an_answer_is_never_compiled() -> None:
    forged = {"$": "Index", "name": None, "v": [{"$": "Pattern", "flags": 32, "v": f"{n}"} for n in range(3)]}
    assert agree(returned(pd.RangeIndex(3)), Answer("returned", forged), Comparison()).endswith("no encoded value")
    assert difference("a", re.compile("b")) == "expected 'a', got re.compile('b') (str against Pattern)"
