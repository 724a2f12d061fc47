"""Types of many values are said in a few words."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from pipeline.instruct.writers.author import MAX_LENGTH, types_in_words


@pytest.mark.parametrize("values, words", [
    ([], ""),
    ([1, 2, None, 3], "int or None"),
    ([1, "a", None, 2.0, b"x"], ""),
    ([np.float64(1), 1.0, np.int64(2)], "float or int64"),
    ([[], [[]], [[{"a": 1}]]], "list of list of dict"),
    ([("a", None, "c"), ("a", "b", None)], "tuple (str, str or None, str or None)"),
    ([(1, 2), (1,)], "tuple"),
    ([[("a", 1)], [("b", "c"), ("d", 2)]], "list of tuple (str, int or str)"),
    ([({}, "a"), ({"a": 1}, "b"), ({"a": {}}, "c")], "tuple (dict from str to (dict or int), str)"),
    ([[1, "a", None]], "list"),
    ([{1: "a", "b": "c"}], "dict"),
    ([{"a": [1, None]}, None], "dict from str to list of (int or None) or None"),
    ([{1, 2}, {3.5}], "set of (int or float)"),
])  # fmt: skip
def test_types_in_words(values: list[Any], words: str) -> None:
    assert types_in_words(values) == words


def test_what_is_long_is_said_with_less() -> None:
    long = [tuple({"a": 1.0} for _ in range(4)), [{"b": (1, "c")}], {"d": [{"e"}]}]
    assert len(types_in_words(long)) <= MAX_LENGTH
