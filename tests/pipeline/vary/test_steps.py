"""Steps are the statements that a program executes in a call, whatever it has done before."""

from __future__ import annotations

from dataclasses import replace

import pytest

from harness.languages import Call, Machine
from harness.records import Program
from harness.values import encode
from pipeline.vary.equivalence import compared, known
from pipeline.vary.steps import answered_and_counted


def steps(program: str, machine: Machine, *arguments: object) -> tuple[int, ...]:
    calls = [Call((encode(one),), {}) for one in arguments]
    [counted] = answered_and_counted([], [program], "f", calls, range(len(calls)), machine)[1]
    return counted


@pytest.mark.parametrize(("body", "argument", "count"), [
    ("    return n\n", 3, 1),
    ('    """Text."""\n    return n\n', 3, 1),
    ("    for i in range(n):\n        pass\n    return n\n", 3, 5),
    ("    while n:\n        n -= 1\n    else:\n        n = 5\n    return n\n", 3, 6),
    ("    if n > 2:\n        return 1\n    elif n > 1:\n        return 2\n    return 3\n", 2, 3),
    ("    return [x for x in range(n) if x]\n", 3, 4),
    ("    return [x for y in range(n) for x in range(y)]\n", 3, 1 + 3 + 3),
    ("    return sorted(range(n), key=lambda x: -x)\n", 3, 4),
    ("    return n and f(n - 1)\n", 3, 4),
    ("    total = 0\n    def add():\n        nonlocal total\n        total += n\n    add()\n    return total\n", 3, 5),
    ("    for i in range(n):\n        yield i\n", 3, 4),
    ("    try:\n        raise KeyError\n    except KeyError:\n        return 1\n    finally:\n        n = 2\n", 3, 4),
    ("    match n:\n        case 3:\n            return 1\n        case _:\n            return 2\n", 3, 2),
    ("    class A:\n        x = n\n        def g(self):\n            return self.x\n    return A().g()\n", 3, 5),
])  # fmt: skip
def test_each_statement_counts_as_often_as_it_is_come_to(body: str, argument: int, count: int, machine: Machine) -> None:
    assert steps(f"from __future__ import annotations\ndef f(n):\n{body}", machine, argument) == (count,)


def test_each_call_is_that_of_a_fresh_program(machine: Machine) -> None:
    cached = "from functools import lru_cache\n@lru_cache\ndef f(n):\n    m = n + 1\n    return m\n"
    grown = "seen = []\ndef f(n):\n    seen.append(n)\n    for _ in seen:\n        pass\n    return len(seen)\n"
    assert steps(cached, machine, 1, 1) == (2, 2) and steps(grown, machine, 1, 1) == (4, 4)


def test_recursion_goes_as_deep_as_before_and_what_fails_has_no_steps(machine: Machine) -> None:
    deep = "def f(n):\n    return n and f(n - 1)\n"
    assert steps(deep, machine, 900) == (901,) and steps("def f(n):\n    return 1 // n\n", machine, 0, 1) == (0, 1)


def test_programs_are_counted_beside_variants_in_the_names_of_each(machine: Machine) -> None:
    program = "def f(n, *, step=1):\n    for _ in range(0, n, step):\n        pass\n    return n\n"
    calls = [Call((encode(n),), {"step": encode(2)}) for n in (1, 4, 6)]
    origin = replace(known(program, "f", calls, machine), counted=[0, 2])
    other = Program("", "", "", "", "Altered", (), 0, 0, program=program.replace("step)", "1)"), entry_point="f", renames={})
    renamed = Program("", "", "", "", "VarNormI", (), 0, 0, program=program.replace("step", "by"), entry_point="f", renames={"step": "by"})
    found = compared([], origin, machine, [other, renamed])
    assert [one.steps for one in found] == [(3, 8), (3, 5)]
