"""The strategies of a task are a module that runs: right candidates pass its test, wrong ones fail it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

import pytest

from harness.languages import Machine
from pipeline.suites.domain.parameter import Asked
from pipeline.suites.drafts import Draft, SuiteDraft
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.instrument.reference import Reference
from pipeline.suites.property_run import COSTLY, MOST, Run, run
from pipeline.suites.property_test import TEST, PropertyTest, Unbound, printed
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import COVERABLE, property_tests, request, small_suites

NUMBERS = [0, 1, 2, 3, 8, 15, 16, 17, 21, 22]


def _written(text: str, folder: Path) -> str:
    one = request(text)
    parameters = infer(Subject.of(one.program, one.entry_point))
    raised = ("ValueError", "KeyError", "TypeError")
    made = printed(one.entry_point, parameters, pool_of(Subject.of(one.program, one.entry_point)), 1).text(raised)
    (folder / "reference.py").write_text(one.program)
    (folder / "candidate.py").write_text(one.program)
    (folder / "test_candidate.py").write_text(made)
    return made


@pytest.mark.parametrize("text", COVERABLE, ids=lambda text: request(text).entry_point)
def test_the_source_is_python_and_ends_in_a_test(text: str, tmp_path: Path) -> None:
    made = _written(text, tmp_path)
    tree = ast.parse(made)
    assert [node.name for node in tree.body if isinstance(node, ast.FunctionDef)][-1].startswith("test_")


@pytest.mark.slow  # printed tests of eleven functions are run
def test_references_pass_their_own_property_tests_and_a_wrong_candidate_fails(tmp_path: Path) -> None:
    folders = [tmp_path / str(number) for number in (*NUMBERS, 12)]
    for folder in folders:
        folder.mkdir()
        _written(COVERABLE[int(folder.name)], folder)
    wrong = folders[-1] / "candidate.py"
    wrong.write_text(wrong.read_text().replace("return not stack", "return True"))
    assert property_tests(tmp_path, *folders) == [0] * len(NUMBERS) + [1]


def test_the_same_function_gives_the_same_source(tmp_path: Path) -> None:
    assert _written(COVERABLE[0], tmp_path) == _written(COVERABLE[0], tmp_path)


OPEN = {
    "a module of functions": ("def f(x: int, op):\n    return op(x, 1)\n", "import operator"),
    "moments": ("def f(x: str):\n    return datetime.strptime(x, '%d.%m.%Y')\n", "import datetime"),
    "collections": ("def f(x: 'OrderedDict[str, int]'):\n    return len(x)\n", "from collections import OrderedDict"),
    "exact numbers": ("from decimal import Decimal\ndef f(x: Decimal = Decimal('1')):\n    return x\n", "import copy"),
    "an example": ("def f(x: str):\n    '''Say.\n\n    >>> f(Path('a'))\n    '''\n    return x\n", "import copy"),
    "arrays": ("import numpy as np\ndef f(x: np.ndarray):\n    return x\n", "from hypothesis.extra import numpy as hnp"),
}


@pytest.mark.parametrize("name", OPEN)
def test_a_printed_module_imports_all_that_it_uses(name: str) -> None:
    text, wanted = OPEN[name]
    made = _printed(Subject.of(text, "f")).text(())
    assert wanted in made
    stubs = "import sys, types\nfor name in ('candidate', 'reference'):\n    sys.modules[name] = types.SimpleNamespace(f=len)\n"
    exec(compile(stubs + made, "module", "exec"), {"__name__": "module"})


def test_a_name_that_nothing_binds_is_refused() -> None:
    subject = Subject.of("def f(x: int):\n    return x\n", "f")
    asked = Asked(("def asked_1():\n    return nowhere.anything(x)",), ("x",))
    with pytest.raises(Unbound, match="nothing binds nowhere, x in the property test of f"):
        _printed(subject, asked=asked)


def _printed(subject: Subject, **further: Any) -> PropertyTest:
    return printed(subject.entry_point, infer(subject), pool_of(subject), 1, **further)


RARE = {
    "a checksum": """
        def checksum(x: str, *, n: int = 3):
            if sum(map(ord, x)) % 997 == 13 and n < len(x):
                return x[::-1] * 2
            return x.upper() + str(n)
    """,
    "two in one": """
        def two(a: list[int], b: int):
            if b in a and sum(a) == 3 * b > 60:
                return [b]
            return [one + b for one in a]
    """,
}


@pytest.fixture(scope="module")
def rare(machine: Machine) -> dict[str, Draft]:
    return small_suites(RARE, machine)


@pytest.mark.slow  # a suite of each
@pytest.mark.parametrize("name", RARE)
def test_calls_that_alone_take_a_branch_are_part_of_the_module(name: str, rare: dict[str, Draft]) -> None:
    made = rare[name]
    assert isinstance(made, SuiteDraft) and made.undrawn == (), made
    ran, bare = (_ran(text, RARE[name]) for text in (made.strategies, made.strategies.replace(", st.sampled_from(SHAPED)", "")))
    assert (ran.fault, ran.missing) == ("", set())
    assert "SHAPED = [" in made.strategies and (ran.examples < bare.examples or bare.missing)


def _ran(text: str, program: str, most: int = MOST) -> Run:
    subject = _subject(program)
    return run(text, subject.entry_point, Reference(subject), most)


def _subject(program: str) -> Subject:
    one = request(program)
    return Subject.of(one.program, one.entry_point)


def test_what_a_module_draws_is_the_same_each_time() -> None:
    program = RARE["a checksum"]
    made = _printed(_subject(program)).text(())
    one, other = _ran(made, program, 60), _ran(made, program, 60)
    assert one.calls == other.calls and one.missing == other.missing and 0 < len(one.calls) <= one.examples <= 60


FAULTY = {
    "does not load": "import nothing_of_the_kind",
    "can't draw": "from hypothesis import given, strategies as st\n@given(st.integers(5, 1))\ndef {test}(x): ...",
    "fails": "from hypothesis import given, strategies as st\n@given(st.integers().map(lambda x: x.y))\ndef {test}(x): ...",
}


@pytest.mark.parametrize("name", FAULTY)
def test_a_module_that_can_t_be_run_says_why(name: str) -> None:
    made = _ran(FAULTY[name].replace("{test}", TEST), RARE["a checksum"])
    assert made.fault and made.missing


def test_a_run_that_meets_calls_without_end_stops() -> None:
    program = "def f(x: int):\n    while x != 0.5:\n        x += 1\n    return x\n"
    made = _ran(_printed(_subject(program)).text(()), program)
    assert made.examples == made.costly == COSTLY and made.missing


def test_a_run_does_not_depend_on_calls_before_it() -> None:
    program = "def f(n: int):\n    if n > 3:\n        return ['ab'] * 6_000\n    return ''\n"
    subject = _subject(program)
    text, reference = _printed(subject).text(()), Reference(subject)
    one, other = (run(text, "f", reference) for _ in range(2))
    assert one.missing == other.missing == set() and one.calls == other.calls
