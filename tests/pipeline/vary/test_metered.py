"""Changed programs end by their passes, which are the same on every machine."""

from __future__ import annotations

from harness.languages import Call, Machine
from harness.values import encode
from pipeline.vary.metered import LEAST, passes_of, within
from tests.pipeline.suites.conftest import machine

__all__ = ["machine"]

COUNTING = "from __future__ import annotations\ndef f(n, *, step=1):\n    i = 0\n    while i < n:\n        i += step\n    return i\n"


def calls(*counts: int) -> list[Call]:
    return [Call((encode(count),), {}) for count in counts]


def test_passes_are_those_of_loops_and_functions(machine: Machine) -> None:
    assert passes_of(COUNTING, "f", calls(0, 1, 300), machine) == [1, 2, 301]
    recursive = "def f(n):\n    return [x for x in range(n)] and f(n - 1)\n"
    assert passes_of(recursive, "f", calls(2), machine) == [3 + 2 + 1]


def test_a_changed_program_has_twice_the_passes_of_its_origin(machine: Machine) -> None:
    endless = COUNTING.replace("i += step", "i -= step")
    longer = COUNTING.replace("while i < n", "while i < 2 * n - 1")
    caught = "def f(n):\n    try:\n        while True:\n            pass\n    except BaseException:\n        return n\n"
    passes = passes_of(COUNTING, "f", calls(0, 300), machine)
    found = within([endless, longer, longer.replace("2 * n", "3 * n"), caught], "f", calls(0, 300), passes, machine)
    told = [[one.answer.value if one.answer and one.answer.kind == "returned" else None for one in run] for run in found]
    assert told == [[0, None], [0, 599], [0, None], [None, None]]
    [[most, more]] = within([COUNTING], "f", calls(LEAST - 1, LEAST), [1, 1], machine)
    assert most.answer is not None and most.answer.kind == "returned" and (more.answer is None or more.answer.kind != "returned")


def test_arguments_by_keyword_and_what_a_program_changes_are_as_in_the_origin(machine: Machine) -> None:
    program = "def f(xs, *, step=1):\n    xs.append(step)\n    return len(xs)\n"
    [[one]] = within([program], "f", [Call((encode([1]),), {"step": encode(5)})], [1], machine)
    assert one.answer is not None and one.answer.value == 2 and one.answer.mutated is not None
