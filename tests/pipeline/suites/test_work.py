"""Work without end and calls that are slow: counted where that is possible, and never a matter of chance."""

from __future__ import annotations

import ast
import multiprocessing
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from textwrap import dedent
from typing import Any

import pytest

from harness.languages import Machine
from harness.values import decode
from pipeline.config import SuiteConfig
from pipeline.suites.domain.scale import SCALES
from pipeline.suites.drafts import Draft
from pipeline.suites.instrument.branch_coverage import FILE, Measure, Tracer
from pipeline.suites.instrument.fuel import Passes, TooMuchWork, counted
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import request, takes_all_branches

CONFIG = SuiteConfig(cases=100)
COUNTED = {
    "a loop": ("def f(n):\n    total = 0\n    for i in range(n):\n        total += i\n    return total\n", 11),
    "while": ("def f(n):\n    while n:\n        n -= 1\n", 11),
    "a comprehension with a filter": ("def f(n):\n    return [\n        i\n        for i in range(n)\n        if i > n\n    ]\n", 11),
    "a generator": ("def f(n):\n    return sum(\n        i\n        for i in range(n)\n    )\n", 11),
    "two loops": ("def f(n):\n    return {(i, j) for i in range(n) for j in range(n)}\n", 111),
    "recursion": ("def f(n):\n    '''Down.'''\n    return f(n - 1) if n else 0\n", 11),
}

ENDLESS = {
    "a factor of one": """
        def height(factor: int, largest: int) -> int:
            \"\"\"How many digits a number to a base has.\"\"\"
            digits, capacity = 1, factor
            while capacity <= largest:
                capacity *= factor
                digits += 1
            return digits
        """,
    "what points back": """
        def back(previous: list[int]) -> list[int]:
            \"\"\"The places on the way from the last one to the first.\"\"\"
            way, place = [], len(previous) - 1
            while place >= 0:
                way.append(place)
                place = previous[place] - 1
            return way[::-1]
        """,
}

SLOW = {
    "powers": """
        def scaled(value: int, places: int) -> int:
            \"\"\"The value with some zeros more, its sign kept.\"\"\"
            if places < 0:
                raise ValueError("places")
            return (value * 7 ** (20 * places * places)).bit_length()
        """,
    "orders": """
        import itertools

        def orders(items: list[int]) -> int:
            \"\"\"How many orders of the items begin with the least.\"\"\"
            if not items:
                return 0
            return sum(map(bool, itertools.permutations(items)))
        """,
}


@pytest.mark.parametrize("name", COUNTED)
def test_passes_are_counted(name: str) -> None:
    text, expected = COUNTED[name]
    tree, namespace = ast.parse(text), dict[str, Any]()
    counted(tree)
    passes = Passes(namespace)
    exec(compile(tree, "counted", "exec"), namespace)
    passes.begin(1000)
    namespace["f"](10)
    assert passes.used == expected
    assert not passes.spent
    passes.begin(expected - 1)
    with pytest.raises(TooMuchWork):
        namespace["f"](10)
    assert passes.spent


def test_a_program_that_catches_everything_has_spent_its_passes_all_the_same() -> None:
    text = "def f():\n    try:\n        while True:\n            pass\n    except BaseException:\n        return 1\n"
    tree, namespace = ast.parse(text), dict[str, Any]()
    counted(tree)
    passes = Passes(namespace)
    exec(compile(tree, "counted", "exec"), namespace)
    assert namespace["f"]() == 1
    assert passes.spent


@pytest.mark.parametrize("name", COUNTED)
def test_counting_takes_the_same_arcs(name: str) -> None:
    text, _ = COUNTED[name]
    measure, tracer, reached = Measure(Subject.of(text, "f")), Tracer(FILE), []
    for count in (False, True):
        tree, namespace = ast.parse(text), dict[str, Any]()
        if count:
            counted(tree)
            Passes(namespace)
        exec(compile(tree, FILE, "exec"), namespace)
        tracer.start()
        try:
            namespace["f"](3)
            namespace["f"](0)
        finally:
            tracer.stop()
        reached.append(measure.reached(tracer.arcs()))
    assert reached[0] == reached[1] == set(range(len(measure.goals)))


def _built(texts: dict[str, str], machine: Machine) -> dict[str, Draft]:
    made = build_suites([request(dedent(text)) for text in texts.values()], CONFIG, machine)
    return dict(zip(texts, made, strict=True))


@pytest.fixture(scope="module")
def built(machine: Machine) -> dict[str, Draft]:
    return _built(ENDLESS, machine)


@pytest.fixture(scope="module")
def slow(machine: Machine) -> dict[str, Draft]:
    return _built(SLOW, machine)


@pytest.mark.parametrize("name", ENDLESS)
def test_loops_without_end_cost_the_other_inputs_nothing(name: str, built: dict[str, Draft]) -> None:
    made = built[name]
    assert takes_all_branches(made), made.evidence
    assert len(made.cases) >= 0.6 * CONFIG.cases
    assert made.outcomes["endless"] > 0


def test_where_one_parameter_is_the_reason_the_other_stays_large(built: dict[str, Draft]) -> None:
    largest = [decode(case.args[1]) for case in built["a factor of one"].cases]
    assert max(largest) > 100


@pytest.mark.slow  # twenty seconds for two suites
@pytest.mark.parametrize("name", SLOW)
def test_slow_calls_make_inputs_smaller(name: str, slow: dict[str, Draft]) -> None:
    made = slow[name]
    assert takes_all_branches(made), made.evidence
    assert made.cases
    assert all(SCALES[1].holds([decode(value) for value in case.args]) for case in made.cases)


@pytest.mark.slow
def test_load_changes_nothing(slow: dict[str, Draft], machine: Machine) -> None:
    with _load():
        again = build_suites([request(dedent(SLOW["powers"]))], CONFIG, machine)[0]
    assert again.cases == slow["powers"].cases


@pytest.mark.slow
def test_what_is_slow_at_every_scale_leaves(machine: Machine) -> None:
    text = """
        def busy(n: int) -> int:
            \"\"\"A number, late.\"\"\"
            return n + 0 * sum(range(150_000_000))
        """
    made = build_suites([request(dedent(text))], SuiteConfig(), machine)[0]
    assert made.reason == "crashed"
    assert "takes long" in made.evidence


def test_nothing_is_run_outside_of_the_contract(machine: Machine) -> None:
    text = """
        import collections
        import itertools

        def parts(n: int, size: int) -> list[int]:
            \"\"\"The sizes of the parts of n, the last one smaller.\"\"\"
            collections.deque(itertools.takewhile(n.__gt__, itertools.count(0, size)), maxlen=0)
            if n < 0:
                raise ValueError("n")
            if n % 97 == 96:
                return [size] * (n // size)
            return [size] * (n // size) + [n % size] * (n % size > 0)
        """
    asked = replace(request(dedent(text)), contract=("size >= 1", "n <= 300"))
    made = build_suites([asked], CONFIG, machine)[0]
    assert takes_all_branches(made), made.evidence


@contextmanager
def _load() -> Iterator[None]:
    """Much else on one processor, which is all that there is for what is done meanwhile."""
    every = os.sched_getaffinity(0)
    os.sched_setaffinity(0, [max(every)])
    busy = [multiprocessing.Process(target=_spin, daemon=True) for _ in range(2)]
    try:
        for process in busy:
            process.start()
        yield
    finally:
        os.sched_setaffinity(0, every)
        for process in busy:
            process.kill()
            process.join()


def _spin() -> None:
    while True:
        sum(range(10_000))
