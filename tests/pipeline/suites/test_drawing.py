"""Inputs that written strategies give: the same each time, or none."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.languages import Machine
from pipeline.suites.llm.strategy_inputs import COMPARED, Source, draw, draw_each


def source(body: str, count: int = 2 * COMPARED) -> Source:
    lines = ["def arguments():", "    from hypothesis import strategies as st", *(f"    {line}" for line in body.splitlines())]
    return Source("\n".join(lines), "arguments", ("x",), 7, count)


def test_as_many_are_drawn_as_are_wanted(machine: Machine) -> None:
    drawn = draw(source("return st.fixed_dictionaries({'x': st.integers()})"), machine)
    assert not drawn.fault and COMPARED < len(drawn.inputs) <= 2 * COMPARED


@pytest.mark.parametrize("body", [
    "import os\nreturn st.builds(lambda x: {'x': [x, os.urandom(8).hex()]}, st.integers())",
    "import time\nreturn st.builds(lambda x: {'x': [x, time.monotonic_ns()]}, st.integers())",
    "import os\nfew = int.from_bytes(os.urandom(2))\nreturn st.fixed_dictionaries({'x': st.integers(0, few)})",
], ids=["chance", "clock", "a bound"])  # fmt: skip
def test_what_depends_on_more_than_hypothesis_is_refused(machine: Machine, body: str) -> None:
    assert draw(source(body), machine).fault.startswith("The strategies give other inputs each time")


def test_a_mistake_is_told_with_its_line(machine: Machine) -> None:
    fault = draw(source("return st.builds(lambda x: {'x': 1 // x}, st.just(0))"), machine).fault
    assert fault.startswith("The strategies raise ZeroDivisionError") and "1 // x" in fault


def values(body: str, machine: Machine, count: int = 400) -> list[object]:
    drawn = draw(replace(source(body, count), enough=count), machine)
    assert not drawn.fault
    return [one["x"] for one in drawn.inputs]


def test_inputs_are_drawn_at_random_alone(machine: Machine) -> None:
    """Hypothesis' own way writes parts of an input in its other parts: 341 of these 400 lists hold a number twice by it."""
    wide = values("return st.fixed_dictionaries({'x': st.lists(st.integers(1, 2000), min_size=8, max_size=8)})", machine)
    repeating = sum(len(set(one)) < 8 for one in wide)  # type: ignore[arg-type, misc]
    assert len(wide) == 400 and repeating < 40, f"{repeating} of 400 lists hold a number twice"


def test_few_possible_inputs_are_drawn_without_an_end(machine: Machine) -> None:
    assert sorted(values("return st.fixed_dictionaries({'x': st.integers(0, 4)})", machine, 5000)) == [0, 1, 2, 3, 4]


def test_strategies_are_drawn_side_by_side_as_they_are_alone(machine: Machine) -> None:
    """What ends its process, or differs the second time, is told as alone and costs the others nothing."""
    numbers = source("return st.fixed_dictionaries({'x': st.integers()})")
    texts = source("return st.fixed_dictionaries({'x': st.text()})")
    deadly = source("import os\nos.write(3, b'[]')\nos.abort()")
    chance = source("import os\nreturn st.builds(lambda x: {'x': [x, os.urandom(8).hex()]}, st.integers())")
    first, lost, refused, last = draw_each([numbers, deadly, chance, texts], machine)
    assert [first, last] == [draw(one, machine) for one in (numbers, texts)] and first.inputs and last.inputs
    assert "end the process" in lost.fault and "other inputs each time" in refused.fault
    assert draw_each([], machine) == []
