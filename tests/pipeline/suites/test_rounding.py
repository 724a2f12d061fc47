"""What rounding decides is told from what the function decides."""

from __future__ import annotations

from textwrap import dedent
from typing import Any

import numpy as np
import pytest

from harness.languages import Machine
from harness.values import decode, encode
from pipeline.suites.instrument.rounding import Rounding
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import small_suites

PROGRAM = dedent('''
    import math
    import numpy as np

    def half(x):
        return x >= 0.5

    def whole(weights):
        return sum(weights) == 1.0

    def beyond(x, y):
        return x + y > 0.3

    def ratio(x, y):
        return (x - y) / (x + y)

    def inverse(a):
        return np.linalg.inv(a.T @ a)

    def powers(xx, degree):
        return xx**degree

    def farthest(points):
        return int(np.argmax((points * points).sum(axis=1)))

    def joined(words):
        return "%s-" % words + words * 2

    def mean(values):
        return np.mean(values)

    def angle(x, y):
        return math.atan2(y, x)

    def typed(values):
        return (values[0] * values[1]).astype("float32").item()

    def rounds(x):
        return int(x * 100)
''')

SETTLED = [
    ("half", [0.5]), ("whole", [[0.25, 0.75]]), ("whole", [[0.5, 0.2]]), ("beyond", [0.25, 0.25]), ("ratio", [3.5, 1.1]),
    ("inverse", [np.array([[1.0, 2.0], [3.0, 4.5]])]), ("powers", [np.array([10, 3]), 3]),
    ("powers", [np.array([10.5, 3.0]), 3]), ("farthest", [np.array([[1, 2], [2, 1]])]), ("joined", ["ab"]),
    ("mean", [np.array([0.1, 0.7])]), ("angle", [0.3, 0.4]), ("rounds", [0.123]),
    ("typed", [np.array([0.1, 0.7])]),
]  # fmt: skip
DECIDED = [
    ("whole", [[0.1] * 10]), ("beyond", [0.1, 0.2]), ("inverse", [np.array([[1.0, 2.0, 3.0], [3.0, 4.5, 6.0]])]),
    ("powers", [np.array([10, 3]), 30]), ("farthest", [np.array([[0.1, 0.7], [0.7, 0.1]])]), ("rounds", [0.29]),
]  # fmt: skip


def _decided(name: str, args: list[Any]) -> bool:
    return Rounding(Subject.of(PROGRAM, name), 1).unstable(([encode(one) for one in args], {}))


@pytest.mark.parametrize("name, args", SETTLED)
def test_settled(name: str, args: list[Any]) -> None:
    assert not _decided(name, args)


@pytest.mark.parametrize("name, args", DECIDED)
def test_decided_by_rounding(name: str, args: list[Any]) -> None:
    assert _decided(name, args)


def test_such_inputs_are_no_cases(machine: Machine) -> None:
    made = small_suites({"fit": '''
    import numpy as np

    def fit(points: np.ndarray) -> np.ndarray:
        """The inverse of the matrix of inner products of the columns of a matrix, shape (n, m)."""
        if points.size == 0:
            return np.zeros(0)
        return np.linalg.inv(points.T @ points)
    '''}, machine)["fit"]
    assert not made.reason, made.evidence
    assert made.unsettled > 0
    shapes = [decode(case.args[0]).shape for case in made.cases]
    assert all(columns <= rows for rows, columns in (shape for shape in shapes if len(shape) == 2 and min(shape)))
