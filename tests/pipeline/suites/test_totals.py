"""Numbers that sum to what the body tests: which parameters hold them, how they are drawn, and what that leads to."""

from __future__ import annotations

import ast
from collections.abc import Callable
from random import Random
from textwrap import dedent
from typing import Any

import numpy as np
import pandas as pd
import pytest

from harness.languages import Machine
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.totals import HELPER, Total, summing
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.inference.totals import promised, totals_of
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import searched, takes_all_branches

NAMES = {"np": "numpy", "math": "math"}
READ = {
    "if sum(x) != 1:\n    raise ValueError\nreturn y": {"x": Total(1.0)},
    "if abs(np.sum(x) - 1.0) > 1e-6:\n    raise ValueError\nreturn y": {"x": Total(1.0)},
    "if round(x.sum(), 2) != 1.0:\n    raise ValueError\nreturn y": {"x": Total(1.0)},
    "if not np.allclose(x.sum(axis=1), 1):\n    raise ValueError\nreturn y": {"x": Total(1.0, 1)},
    "if not math.isclose(sum(x.values()), 100, abs_tol=0.01):\n    raise ValueError\nreturn y": {"x": Total(100.0)},
    "p = np.asarray(x, dtype=float)\ntotal = p.sum()\nreturn y if total == 1 else x": {"x": Total(1.0)},
    "return sum(x) > y": {},
    "return x if round(y, 3) == 1 else sum(x)": {},
    "return sum(x) > 0": {},
}


@pytest.mark.parametrize("body", list(READ))
def test_sums_that_are_compared_with_a_number(body: str) -> None:
    function = ast.parse("def f(x, y):\n" + "".join(f"    {line}\n" for line in body.splitlines())).body[0]
    assert isinstance(function, ast.FunctionDef)
    assert totals_of(function, NAMES) == READ[body]


@pytest.mark.parametrize(("words", "expected"), [
    ("Weights that sum to 1.", Total(1.0)),
    ("probabilities, which must add up to one", Total(1.0)),
    ("shares summing to 100", Total(100.0)),
    ("the sum of all", None),
    ("they sum to 10", None),
])  # fmt: skip
def test_promises_of_sums(words: str, expected: Total | None) -> None:
    assert promised(words) == expected


SHOWN: dict[str, tuple[Any, Callable[[Any], Any]]] = {
    "list": ([1.5, 2, 3], sum),
    "tuple": ((1.5, 2.5), sum),
    "dictionary": ({"a": 1, "b": 2.5}, lambda made: sum(made.values())),
    "array": (np.array([3, 4, 5]), np.sum),
    "matrix": (np.ones((2, 3)), np.sum),
    "series": (pd.Series([1.0, 2.0], index=["x", "y"]), np.sum),
}


@pytest.mark.parametrize("kind", list(SHOWN))
def test_numbers_get_the_sum_and_nothing_else_changes(kind: str) -> None:
    value, added = SHOWN[kind]
    for seed in range(30):
        made = summing(Random(seed), value, Total(1.0))
        assert type(made) is type(value) and len(made) == len(value)
        assert added(made) == pytest.approx(1.0, abs=1e-4)


def test_rows_and_columns_sum_each_and_counts_stay_whole() -> None:
    rows = summing(Random(1), np.ones((3, 2)), Total(1.0, 1))
    columns = summing(Random(1), np.ones((3, 2)), Total(1.0, 0))
    assert rows.sum(axis=1) == pytest.approx(1.0) and columns.sum(axis=0) == pytest.approx(1.0)
    counts = summing(Random(1), [1, 2, 3], Total(10.0))
    assert sum(counts) == 10 and all(type(one) is int for one in counts)


@pytest.mark.parametrize("value", [[], ["a", 1.0], "text", {"a": "b"}, np.array(["a"]), None, 3.0], ids=repr)
def test_what_holds_no_numbers_stays(value: Any) -> None:
    assert summing(Random(1), value, Total(1.0)) is value


def test_drawn_values_have_the_sum_often_but_not_always() -> None:
    program = "def f(x: list[float]) -> bool:\n    return bool(x) and abs(sum(x) - 1) < 1e-9\n"
    sampler = Sampler(Random(1), pool_of(Subject.of(program, "f")))
    hits = [sum(sampler.inputs(infer(Subject.of(program, "f")))["x"]) == pytest.approx(1.0) for _ in range(300)]
    assert 0.25 < sum(hits) / len(hits) < 0.75


def test_the_printed_helper_gives_the_sum_too() -> None:
    space: dict[str, Any] = {}
    exec(HELPER, space)
    given = space["summing"](2.0)
    for kind, (value, added) in SHOWN.items():
        assert added(given(value)) == pytest.approx(2.0), kind
    assert given([]) == [] and given([0.0]) == [0.0]


PROGRAMS = {
    "shares that are capped": '''
        import numpy as np

        def capped(shares: np.ndarray, most: float) -> np.ndarray:
            """Shares that sum to one, with none above the cap; what is left over goes to the others alike."""
            if abs(shares.sum() - 1) > 1e-9:
                raise ValueError("shares have to sum to one")
            low = shares < most
            left = (shares[~low] - most).sum()
            if low.any() and (shares[low] == 0).all():
                return np.where(low, left / low.sum(), most)
            if not low.any():
                return shares
            return np.where(low, shares + left * shares / shares[low].sum(), most)
    ''',
}


def test_such_functions_get_suites(machine: Machine) -> None:
    made = searched({name: dedent(text) for name, text in PROGRAMS.items()}, machine)
    for name, found in made.items():
        assert takes_all_branches(found), (name, found.evidence)
