"""Further inputs of a task, from the strategies that were written for it: what its cases are a part of."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from harness.languages import Call, Machine
from harness.records import Json, Task
from harness.values import encode
from pipeline.suites.domain.contract import NAME, program_of
from pipeline.suites.domain.parameter import Asked
from pipeline.suites.llm.strategy_inputs import Source, draw
from pipeline.suites.selection.readings import SECONDS, answered
from pipeline.suites.subject import Subject

COUNT = 1_000
"""How many inputs are drawn; those that repeat or break the contract are not counted among the calls."""


def further_calls(task: Task, seed: int, machine: Machine, count: int = COUNT) -> list[Call]:
    """Calls that keep to the contract, drawn anew; none where nobody has written strategies for the task."""
    name = Asked.name(1)
    written = [one for one in ast.parse(task.strategies).body if isinstance(one, ast.FunctionDef) and one.name == name]
    function = Subject.of(task.program, task.entry_point).function
    if not written or function.args.vararg or function.args.kwarg:
        return []
    named = [one.arg for one in function.args.kwonlyargs]
    placed = [one.arg for one in (*function.args.posonlyargs, *function.args.args)]
    # A suite was made with them, which is refused where they differ from time to time.
    drawn = draw(Source(ast.unparse(written[0]), name, (*placed, *named), seed, count), machine, proved=True)
    return keeping(task, [_call(one, placed, named) for one in drawn.inputs], machine)


def keeping(task: Task, calls: list[Call], machine: Machine) -> list[Call]:
    """Those of the calls that keep to the task's contract, all where it has none."""
    if not calls or not task.contract:
        return calls
    function = Subject.of(task.program, task.entry_point).function
    [kept] = answered([program_of(task.contract, function)], NAME, calls, machine)
    answers = [one.answer for one in kept.outcomes]
    return [
        call for call, answer in zip(calls, answers, strict=False)
        if answer is not None and answer.kind == "returned" and answer.value == encode(True)
    ]


def _call(drawn: Mapping[str, Json], placed: list[str], named: list[str]) -> Call:
    return Call(tuple(drawn[name] for name in placed), {name: drawn[name] for name in named}, SECONDS)
