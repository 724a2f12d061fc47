"""Most cases are as callers pass them: within what documentation, names and use suggest."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from harness.languages import Machine
from harness.values import decode
from pipeline.suites.drafts import Draft
from tests.pipeline.suites.programs import small_suites

KINDS = {
    "counts and a share": '''
    def draws(hits: int, total: int, confidence: float) -> float:
        """How many draws give a hit with this confidence."""
        if hits >= total:
            return 1.0
        return confidence * total / (hits + 1)
    ''',
    "columns that are read by their places": '''
    import numpy as np

    def areas(boxes: np.ndarray) -> np.ndarray:
        if boxes.size == 0:
            return np.zeros(0)
        return (boxes[:, 2] - boxes[:, 0]) * (boxes[:, 3] - boxes[:, 1])
    ''',
    "lists that are read at one place": '''
    def lowest(xs: list[float], ys: list[float], count: int) -> int:
        """Where the lowest point is.

        Args:
            xs: The first coordinates of the points.
            ys: The second coordinates of the points.
            count: Number of points.
        """
        best = 0
        for place in range(count):
            if ys[place] < ys[best] or (ys[place] == ys[best] and xs[place] < xs[best]):
                best = place
        return best
    ''',
    "separators outside of brackets": '''
    def parts(text: str) -> list[str]:
        found, depth, part = [], 0, ""
        for sign in text:
            if sign == "," and not depth:
                found.append(part)
                part = ""
                continue
            if sign == "(":
                depth += 1
            elif sign == ")":
                depth -= 1
            part += sign
        return [*found, part]
    ''',
    "an amount of any size": '''
    def clock(microseconds: int) -> str:
        seconds = microseconds // 1_000_000
        if seconds < 60:
            return f"{seconds}s"
        return f"{seconds // 60}m{seconds % 60}s"
    ''',
    "an amount that is counted down": '''
    def spent(microseconds: int) -> int:
        total = 0
        while microseconds > 0:
            total += microseconds % 7
            microseconds -= 3
        return total
    ''',
    "pairs of letters that are not ASCII": '''
    def cut(text: str, size: int) -> str:
        data = text.encode("utf-8")
        if len(data) <= size:
            return text
        return data[:size].decode("utf-8", "ignore")
    ''',
}


def _inside(hits: int, total: int, confidence: float) -> bool:
    return hits >= 0 and total >= 0 and 0 <= confidence <= 1


AS_CALLERS_PASS: dict[str, tuple[float, Callable[..., bool]]] = {
    "counts and a share": (0.6, _inside),
    "columns that are read by their places": (0.5, lambda boxes: boxes.ndim == 2 and boxes.shape[1] == 4),
    "lists that are read at one place": (0.5, lambda xs, ys, count: len(xs) == len(ys) == count),
    "separators outside of brackets": (0.25, lambda text: "," in text and "(" in text),
    "an amount of any size": (0.15, lambda amount: amount > 10**7),
    "an amount that is counted down": (0.5, lambda amount: 0 <= amount < 20_000),
    "pairs of letters that are not ASCII": (0.15, lambda text, _: not text.isascii()),
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return small_suites(KINDS, machine)


@pytest.mark.parametrize("kind", list(KINDS))
def test_as_callers_pass_them(kind: str, made: dict[str, Draft]) -> None:
    suite = made[kind]
    assert not suite.reason, suite.evidence
    share, usual = AS_CALLERS_PASS[kind]
    cases = [[decode(one) for one in case.args] for case in suite.cases]
    assert sum(usual(*case) for case in cases) >= share * len(cases), cases[:20]


def test_the_others_go_further(made: dict[str, Draft]) -> None:
    suite = made["counts and a share"]
    cases = [[decode(one) for one in case.args] for case in suite.cases]
    assert not all(_inside(*case) for case in cases)
    assert len(cases) / 2 <= suite.usual < len(cases)


@pytest.mark.parametrize("kind", list(KINDS))
def test_usual_cases_come_first(kind: str, made: dict[str, Draft]) -> None:
    flags = [case.usual for case in made[kind].cases]
    assert flags == sorted(flags, reverse=True) and sum(flags) == made[kind].usual
