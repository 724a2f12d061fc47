"""Questions about what programs do: odd honest answers count, and nothing that computes, or forges, does."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import pytest

from harness.answers.extraction import extract
from harness.families.registry import family_of
from harness.languages import Machine
from harness.languages.python import literals
from harness.languages.registry import language
from harness.prompts import prompt, stop
from harness.records import Answer, Case, Comparison, Frame, Spectrum, Task, Verdict
from harness.releases.dataset import load_release
from harness.releases.rows import row_to_task, task_to_row
from harness.scoring.judging import judge_all
from harness.values import canonical, decode, encode
from harness.values.expressions import Names, NotShowable, expression
from tests.harness.make_release import make_tasks

[BASE, *_] = make_tasks("sc-python")
PROGRAM = '''
import datetime
import numpy as np

def f(n, step=1):
    if n < 0:
        return np.array([1.5, 2.5])
    return {"a": [n % 7, 2.5, None], "b": (step > 0, -3)}
'''.lstrip()


def about(family: str, args: tuple[object, ...], value: object) -> Task:
    """A task that asks about the program."""
    case = Case(tuple(map(encode, args)), {}, Answer("returned", encode(value)))
    made = replace(
        BASE, family=family, track=f"{family}-python", entry_point="f", cases=(case,), given=Frame(before=PROGRAM),
        imports=("import datetime", "import numpy as np"), comparison=Comparison(), instruction="", lite=None)
    words = language("python").predicting
    assert words is not None
    reference = words.call(made) if family == "input" else words.value(made)
    return replace(made, reference=reference)


VALUE = {"a": [3, 2.5, None], "b": (True, -3)}
OUTPUT, INPUT = about("output", (3,), VALUE), about("input", (3,), VALUE)
OUTCOME = replace(about("outcome", (3,), VALUE), given=None, instruction='def f(n, step=1):\n    """Do it."""')
TEXT = "{'a': [3, 2.5, None], 'b': (True, -3)}"
HONEST = [
    TEXT, f" {TEXT}\n", f"assert f(3) == {TEXT}", f"```python\nassert f(3) == {TEXT}\n```", f"```\n{TEXT}\n```",
    f"[ANSWER]\n{TEXT}\n[/ANSWER]", f"[ANSWER]assert f(3) == {TEXT}[/ANSWER]", f"[answer] {TEXT}",
    f"<think>f(3) is 1, no</think>\n{TEXT}", f"assert f(2) == 5\nassert f(3) == {TEXT}", f"The call gives `{TEXT}`.",
    f"The answer is: {TEXT}", f"Answer: **{TEXT}**", f"f(3) == {TEXT}", f"({TEXT})", f">>> f(3)\n{TEXT}",
    f"assert f(3) == {TEXT}, 'it holds'", f"assert f(3)=={TEXT}", f"\ufeff{TEXT}", f"{TEXT}\r\n",
    '{"a": [3, 2.5, None], "b": (True, -3)}', "{'a': [3, 2.5, None,], 'b': (True, -3,),}",
    "dict(a=[3, 2.5, None], b=(True, -3))", "{'b': (True, -3), 'a': [3, 2.5, None]}", "{'a': [+3, 2.50, None], 'b': (True, -3)}",
    "{'\\x61': [0x3, 25e-1, None], 'b': (True, -0b11)}", "{'a': list([3, 2.5, None]), 'b': tuple([True, -3])}",
    "```python\nassert f(3) == {\n    'a': [3, 2.5, None],  # three\n    'b': (True, -3),\n}\n```",
    "{\n  'a': [3, 2.5, None],\n  'b': (True, -3),\n}", f"Step 1: n is 3.\nStep 2: 3 % 7 is 3.\n\nassert f(3) == {TEXT}\n",
    f"    {TEXT}", f"{TEXT}  # the value", f"'It' == 'that'\n{TEXT}", f"```PYTHON\n{TEXT}\n```", f"Output:\n\n{TEXT}\n\n",
    f"assert f(3) is {TEXT}", f"assert (f(3) == {TEXT})", f"~~~\n~~~\n{TEXT}", f"- `f(3)` gives `{TEXT}`",
    f"I would say\n{TEXT}\nis right", "dict([('a', [3, 2.5, None]), ('b', (True, -3))])",
]  # fmt: skip
HOSTILE = [
    "", " ", "None", "f(3)", "assert f(3) == f(3)", "assert True", "answered", "...", "_", "f", "True or 1", "1 == 1", "not 0",
    "type('X', (), {'__eq__': lambda self, other: True})()", "(lambda: 3)()", "eval('f(3)')", "exec('1')",
    "__import__('os').getcwd()", "[n for n in [3]]", "{**{'a': 1}}", "[*[1]]", "f'{3}'", "(x := 3)", "globals()",
    "[0] * 10**9", "10**10**10", "1" * 5000, "[" * 10_000, "-" * 15_000 + "1", "(" * 3000 + ")" * 3000, "x" * 10_000_000,
    "\ud800", "().__class__", "[1][0]", "{'a': 1}['a']", "np.zeros(10**9)", "np.load('x')", "np.full(3, 1)", "open('/etc/passwd')",
    "print(1)", "sorted([3])", "int('3')", "object()", "NotImplemented", "__builtins__", "super()", "await f(3)", "exit()",
    "1\nimport os", "1; import os", "3 if 1 else 2", "iter(int, 1)", "{'a': [3, 2.5, None], 'b': (1, -3)}",
    "{'a': (3, 2.5, None), 'b': (True, -3)}", "{'a': [3, 2.5, None], 'b': [True, -3]}", "{'a': ['3', 2.5, None], 'b': (True, -3)}",
    "str.__call__('a')", "datetime.datetime.now()", "np.array([0] * 3)", "range(10**20)", "float('1e400')", "bytes(10**10)",
]  # fmt: skip
CALLS = [
    "f(3)", "f(10)", "f(3, 1)", "f(3, step=2)", "f(n=3)", "f(n=3, step=1)", "assert f(3) == 1", f"assert f(17) == {TEXT}",
    "3)", "10, step=1)", " f( 3 ) ", "```python\nf(3)\n```", "[ANSWER]f(3)[/ANSWER]", "`f(3)`", "Use `f(3)`.", "f(3)  # any",
    f"# assert f(...) == {TEXT}\nassert f(3) == {TEXT}", "f(\n    3,\n)", "f(0x3)", "<think>f(4)</think>f(3)", "f(+3)",
    f"f(4) gives 4, so\nassert f(3) == {TEXT}",
]  # fmt: skip
NO_CALLS = [
    "", "3", "f", "f(4)", "f(...)", "f(*[3])", "f(**{'n': 3})", "f((lambda: 3)())", "g(3)", "f(3) or 1", "f(f(3))", "f(n := 3)",
    "f(3); import os", "f.__call__(3)", "(lambda n: 3)(1)", "f(__import__('os'))", "f(2 + 1)", "f([3][0])", "f(int('3'))",
    "answered(3)", "f(-1)", "f('3')", "f()", "f(3)(4)", "f(1, 2, 3)", "f(n=3, m=1)", "f(eval('3'))", "f(x for x in [3])", "f(10**10**10)",
]  # fmt: skip


def verdicts(task: Task, replies: list[str], machine: Machine) -> list[Verdict]:
    return list(judge_all([(task, extract(reply, task)) for reply in replies], machine, 2, tasks=[task]))


def test_honest_answers_count_however_they_are_written(machine: Machine) -> None:
    for task, replies in ((OUTPUT, HONEST), (OUTCOME, HONEST), (INPUT, CALLS)):
        wrong = {reply: one.detail for reply, one in zip(replies, verdicts(task, replies, machine), strict=True) if not one.perfect}
        assert wrong == {}


def test_nothing_that_computes_or_forges_counts(machine: Machine) -> None:
    for task, replies in ((OUTPUT, HOSTILE), (INPUT, NO_CALLS)):
        forged = [reply[:80] for reply, one in zip(replies, verdicts(task, replies, machine), strict=True) if one.perfect]
        assert forged == []


def test_what_is_no_value_is_said_to_be_none(machine: Machine) -> None:
    said = [(one.outcome, one.detail) for one in verdicts(OUTPUT, ["f(3)", "np.load('x')", "{'a': 3}"], machine)]
    assert said[0] == (Spectrum.SYNTAX_ERR, "the answer is no value: f is called, which makes no value")
    assert said[1][0] is Spectrum.SYNTAX_ERR and said[2][0] is Spectrum.LOGIC_ERR
    [raised] = verdicts(INPUT, ["f('3')"], machine)
    assert raised.outcome is Spectrum.RUNTIME_ERR and "TypeError" in raised.detail


@pytest.mark.parametrize("reply", ["x" * 10_000_000, "[" * 100_000, "assert " * 100_000, "`1`" * 100_000, "==" * 50_000])
def test_a_reply_of_any_length_is_read_soon(reply: str) -> None:
    started = time.process_time()
    extract(reply, OUTPUT)
    extract(reply, INPUT)
    assert time.process_time() - started < 5


def test_values_of_libraries_go_by_the_names_that_the_program_has(machine: Machine) -> None:
    task = about("output", (-1,), __import__("numpy").array([1.5, 2.5]))
    assert task.reference == "np.array([1.5, 2.5])"
    replies = ["np.array([1.5, 2.5])", "array([1.5, 2.5])", "numpy.array([1.5, 2.5])", "np.array([1.5, 2.5], dtype='float64')"]
    assert [one.perfect for one in verdicts(task, replies, machine)] == [True] * 4
    assert [one.perfect for one in verdicts(task, ["[1.5, 2.5]", "np.array([1, 2])", "np.array"], machine)] == [False] * 3


def test_what_is_asked() -> None:
    asked = prompt(OUTPUT)
    assert PROGRAM.strip() in asked.user and "assert f(3) ==\n" in asked.user and TEXT not in asked.user
    assert asked.completion.endswith("\n\nassert f(3) ==") and stop(OUTPUT) == ("\n",)
    asked = prompt(INPUT)
    assert f"assert f(...) == {TEXT}" in asked.user and "f(3)" not in asked.user + asked.completion
    assert asked.completion.endswith("\nassert f(") and prompt(OUTCOME).user.count("Do it.") == 1
    assert PROGRAM.strip() not in prompt(OUTCOME).user
    assert all(family_of(task).stub(task) for task in (OUTPUT, INPUT, OUTCOME))
    assert row_to_task(task_to_row(OUTPUT)) == OUTPUT


@pytest.fixture(scope="module")
def demo() -> Sequence[Task]:
    return load_release("demo").tasks


def values_of(tasks: Iterable[Task]) -> Iterator[tuple[Task, object]]:
    """All encoded values of suites, each once for its task."""
    for task in tasks:
        every = [one for case in task.cases for one in (*case.args, *case.kwargs.values(), case.expected.value)]
        yield from ((task, one) for one in {canonical(one): one for one in every}.values())


def read_again(task: Task, value: object) -> str:
    """The canonical form of what a value that is shown is read as; its own where it can't be shown."""
    try:
        shown = expression(decode(value), Names.of(task.imports))
    except NotShowable:
        return canonical(value)
    made, space = literals.value(shown, task.imports), dict[str, object]()
    exec("\n".join(made.imports), space)
    return canonical(encode(eval(made.text, space)))


def test_what_is_shown_of_a_suite_is_read_as_what_it_is(demo: Sequence[Task]) -> None:
    every = list(values_of(demo[::24]))
    assert len(every) > 1000 and [value for task, value in every if read_again(task, value) != canonical(value)] == []


@pytest.mark.slow  # 80,000 values
def test_all_values_of_all_suites_of_the_demo_are_read_as_what_they_are(demo: Sequence[Task]) -> None:
    every = list(values_of(demo))
    assert len(every) > 50_000 and [value for task, value in every if read_again(task, value) != canonical(value)] == []
