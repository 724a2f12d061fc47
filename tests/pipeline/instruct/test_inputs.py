"""Inputs are of the types that annotations and docstrings declare."""

from __future__ import annotations

import datetime
import decimal
import ipaddress
import re
import uuid
import zoneinfo
from collections import Counter, OrderedDict, deque
from pathlib import Path, PureWindowsPath
from typing import Any

import numpy as np
import pandas as pd
import pytest

from pipeline.instruct.checks.inputs import documented_types
from tests.pipeline.instruct.making import Inputs, view_of
from tests.pipeline.instruct.test_gate import found, with_body

TYPED = {
    "UUID": uuid.UUID(int=5), "slice": slice(1), "range": range(3), "str | re.Pattern[str]": re.compile("a"), "slice | None": slice(2),
    "os.PathLike[str]": Path("a"), "ipaddress.IPv4Address | IPv6Address": ipaddress.IPv6Address("::1"), "IPv4Network": ipaddress.IPv4Network("10.0.0.0/8"),
    "tzinfo": datetime.UTC, "deque[int]": deque([1]), "PureWindowsPath": PureWindowsPath("a"), "Optional[ZoneInfo]": zoneinfo.ZoneInfo("UTC"),
}  # fmt: skip


@pytest.mark.parametrize("annotation", TYPED)
def test_values_with_a_type_of_their_own_are_what_the_annotation_says(annotation: str) -> None:
    text = with_body("return [text, limit]", signature=f"text: {annotation!r}, limit: int")
    assert "input types" not in found(text, [(TYPED[annotation], n) for n in range(9)])
    assert "input types" in found(text, [(2.5, n) for n in range(9)])


def test_a_float_of_numpy_is_a_float() -> None:
    text = with_body("return [text, limit]", signature="text: float, limit: int")
    assert "input types" not in found(text, [(np.float64(2.5), n) for n in range(9)])
    assert "input types" in found(text, [(b"2.5", n) for n in range(9)])


DECLARED = {
    "in prose, before": ("The string *text* is cut to limit.", "text, limit", True),
    "in prose, behind": ("Cut: text is a list of words, limit a number.", "text, limit", False),
    "as any value": ("Cut.\n\n    Args:\n        text (Any): it.\n        limit (int): so many.", "text, limit", True),
    "as what may be missing": ("Cut to a limit.", "text: 'str | None', limit: int", True),
    "as a list of texts": ("Cut to a limit.", "text: 'list[str]', limit: int", False),
}


@pytest.mark.parametrize(("doc", "signature", "fits"), DECLARED.values(), ids=DECLARED)
def test_a_text_is_of_the_type_that_is_declared(doc: str, signature: str, fits: bool) -> None:
    assert ("input types" in found(with_body("return text[:limit]", doc, signature), [("ab", 1), ("cd", 2)])) is not fits


def test_a_few_values_of_another_type_are_no_fault() -> None:
    program = with_body("return [text, limit]", signature="text: str, limit: int")
    few: Inputs = [*[(f"w{n}", n) for n in range(40)], (None, 1), (3, 1), (4, 1)]
    assert "input types" not in found(program, few)
    assert "input types" in found(program, [*few, (5, 1)])


def test_what_any_value_may_be_has_no_clear_type() -> None:
    inputs: Inputs = [("a", 1), (["a"], 1), (("a",), 1), ({"a": 1}, 1)]
    body = with_body("return [text, limit]", "Give any value `text` and a limit back, in a list of both.")
    assert "open types" in found(body, inputs)
    described = body.replace("both.", "both.\n\n    Args:\n        text: any object.\n        limit: a number.\n    ")
    assert "open types" not in found(described, inputs)


FITTING: dict[str, tuple[str, list[Any], list[Any]]] = {
    "texts": ("str", ["a"], [1, b"a"]),
    "whole numbers": ("int", [1, True], [1.5, "1"]),
    "numbers": ("float", [1, 1.5, np.float64(2)], ["1"]),
    "yes and no": ("bool", [True], [1]),
    "lists": ("list[int]", [[1]], [(1,), "a"]),
    "pairs": ("tuple[int, int]", [(1, 2), [1, 2]], ["ab"]),
    "mappings": ("Mapping[str, int]", [{}, OrderedDict(), Counter()], [[]]),
    "sets": ("set[str]", [set(), frozenset()], [[]]),
    "what can be gone through": ("Iterable[str]", [[], (), set(), "a", deque(), {}], [1]),
    "bytes": ("bytes", [b"a", bytearray()], ["a"]),
    "arrays": ("np.ndarray", [np.zeros(2), [1.0]], ["a"]),
    "tables": ("pd.DataFrame", [pd.DataFrame()], [pd.Series(dtype=float)]),
    "columns": ("pd.Series", [pd.Series(dtype=float)], [pd.DataFrame()]),
    "times": ("datetime.datetime", [datetime.datetime(2026, 1, 2)], ["2026"]),
    "days": ("datetime.date", [datetime.date(2026, 1, 2), datetime.datetime(2026, 1, 2)], [1]),
    "exact numbers": ("decimal.Decimal", [decimal.Decimal(1)], [1.0]),
    "one of two": ("str | int", ["a", 1], [1.5, []]),
}


@pytest.mark.parametrize(("annotation", "right", "wrong"), FITTING.values(), ids=FITTING)
def test_values_fit_an_annotation(annotation: str, right: list[Any], wrong: list[Any]) -> None:
    text = with_body("return [text, limit]", signature=f"text: {annotation!r}, limit: int")
    for value in right:
        assert "input types" not in found(text, [(value, n) for n in range(4)]), value
    for value in wrong:
        assert "input types" in found(text, [(value, n) for n in range(4)]), value


SAID = {
    "an annotation": ("text: 'list[str]'", "D.", {"list"}),
    "a described type": ("text", "D.\n\n    Args:\n        text (dict): it.\n    ", {"dict", "OrderedDict", "defaultdict", "Counter"}),
    "a type of NumPy's form": ("text", "D.\n\n    Parameters\n    ----------\n    text : bytes\n        it.\n    ", {"bytes", "bytearray"}),
    "an annotation before a description": ("text: str", "D.\n\n    Args:\n        text (dict): it.\n    ", {"str"}),
    "what elements are counts for nothing": ("text", "D.\n\n    Args:\n        text (list of str): it.\n    ", {"list"}),
    "what may be left out": ("text: 'Optional[bytes]'", "D.", {"bytes", "bytearray"}),
    "a word before the name": ("text", "The string *text* is cut.", {"str"}),
    "a word behind the name": ("text", "`text` must be a complex number.", {"complex", "int", "float", "bool", "float64"}),
    "anything": ("text: object", "The string text is cut.", set()),
    "nothing": ("text", "It is cut.", set()),
}


@pytest.mark.parametrize(("signature", "doc", "names"), SAID.values(), ids=SAID)
def test_the_types_that_are_declared(signature: str, doc: str, names: set[str]) -> None:
    view = view_of(with_body("return text", doc, signature), [("a",), ("b",)])
    assert documented_types(view, view.facts.parameters[0]) == names


def test_further_arguments_have_no_type() -> None:
    inputs: Inputs = [("a", 1, 2.5), ("b", "c", [])]
    assert not {"input types", "open types"} & found(with_body("return rest", signature="text: str, *rest: int"), inputs).keys()
