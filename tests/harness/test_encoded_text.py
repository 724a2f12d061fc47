"""Encoded values as text: like Python's own where that is short, never built, never longer than asked for."""

from __future__ import annotations

import collections
import datetime
import math
from decimal import Decimal
from typing import Any

import numpy as np
import pandas as pd
import pytest
from hypothesis import given

from harness.values import encode
from harness.values.encoded_text import encoded_text
from tests.harness.test_values import VALUES


@pytest.mark.parametrize("value", [
    None, True, 5, -2.5, "it's", [], [1, ["a"]], (), (1,), (1, 2), {"a": 1}, {1: (2,)}, b"\x00ab", {3}, set(), 10**40, "\ud800", range(1, 9, 2), math.inf,
], ids=repr)
def test_plain_values_look_as_in_python(value: Any) -> None:
    assert encoded_text(encode(value), 200) == repr(value)


@pytest.mark.parametrize(("value", "text"), [
    (frozenset({1}), "frozenset({1})"), (collections.OrderedDict(a=1), "OrderedDict({'a': 1})"), (collections.deque([1]), "deque([1])"), (np.float32(0.5), "np.float32(0.5)"),
    (Decimal("1.50"), "Decimal('1.50')"), (datetime.date(2020, 1, 2), "date('2020-01-02')"), (int, "int"), (len, "len"), (np.int64(3), "np.int64(3)"),
    (pd.RangeIndex(20_000_000), "RangeIndex(name=None, [0, 20000000, 1])"), (1j, "complex([0.0, 1.0])"),
], ids=repr)
def test_other_values_look_like_calls(value: Any, text: str) -> None:
    assert encoded_text(encode(value), 200) == text


@given(VALUES)
def test_any_value_has_a_text_of_at_most_so_many_characters(value: Any) -> None:
    data = encode(value, 100)
    for most in (10, 80):
        assert len(encoded_text(data, most)) <= most


@pytest.mark.parametrize("forged", [
    {"$": "set", "v": 5}, {"$": "dict", "v": [[1]]}, {"$": "bytes", "v": "%%"}, {"$": "str", "v": "zz"}, {"$": "numpy", "dtype": 7}, {"$": []}, {"$": "x" * 1000, "v": {"y" * 1000: 1}}, [[[[]]]] * 10**5,
], ids=range(8))
def test_what_only_pretends_to_be_a_value_has_one_too(forged: Any) -> None:
    assert len(encoded_text(forged, 80)) <= 80


def test_a_deep_value_ends() -> None:
    deep: Any = []
    for _ in range(10_000):
        deep = [deep]
    assert encoded_text(deep, 1000).count("[") < 100
