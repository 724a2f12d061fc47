"""Steps: how many statements a program executes in a call, counted in a copy of it that runs beside the others."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from harness.languages import Batch, Call, Machine, Run
from harness.languages.registry import language
from harness.records import FIRST_LANGUAGE
from pipeline.suites.selection.mutation_score import LIMITS, modules_of

PATIENCE = 5.0
"""CPU seconds of a call that is counted: several times what a call may take without."""
TOGETHER = 5
"""So many programs share a process, which costs half as much: what one leaves in a library meets the next one, as it
meets the next call."""

_TICK = "_code2bench_tick"
_COUNTING = f"""
from itertools import count as _code2bench_count
_code2bench_code = compile(PROGRAM, __file__, "exec", dont_inherit=True)

def NAME(*args, **kwargs):
    tick = _code2bench_count().__next__
    tick()
    scope = {{"__name__": __name__, "{_TICK}": tick}}
    exec(_code2bench_code, scope)
    before = tick()
    answer = scope["NAME"](*args, **kwargs)
    if hasattr(answer, "__next__"):
        for _ in answer:
            pass
    return tick() - before - 1
"""
"""Each call is the first one of a program that has just been loaded: what earlier calls have kept changes nothing.

A tick is no call of a function in Python, so that recursion goes as deep as before; it gives a number that is true.
"""


def answered_and_counted(
    programs: Sequence[str], counted: Sequence[str], entry_point: str, calls: Sequence[Call], places: Sequence[int],
    machine: Machine,
) -> tuple[list[Run], list[tuple[int, ...]]]:
    """What programs give in all calls, and the steps of others in the calls at some places, all of them in one run.

    Steps are 0 where a call gives nothing.
    """
    counted = counted if places else ()
    patient = [calls[place]._replace(cpu_seconds=PATIENCE, known=b"") for place in places]
    every, some = list(range(len(calls))), list(range(len(calls), len(calls) + len(patient)))
    copies = [with_steps(program, entry_point) for program in counted]
    batch = Batch(
        [*programs, *copies], entry_point, [*calls, *patient], LIMITS, modules_of([*programs, *counted]),
        [every] * len(programs) + [some] * len(copies), [*_groups(len(programs)), *_groups(len(copies))])
    runs = language(FIRST_LANGUAGE).running.run_variants(batch, machine)
    return runs[: len(programs)], [_steps(run, len(some)) for run in runs[len(programs) :]]


def _groups(count: int) -> Iterator[int]:
    """The sizes of the groups in which so many programs run."""
    return (min(TOGETHER, count - start) for start in range(0, count, TOGETHER))


def _steps(run: Run, count: int) -> tuple[int, ...]:
    given = [one.answer.value if one.answer and one.answer.kind == "returned" else 0 for one in run.outcomes]
    return tuple(one if isinstance(one, int) else 0 for one in [*given, *[0] * count][:count])


def with_steps(program: str, entry_point: str) -> str:
    """A program whose entry point gives how many statements the program's own executes.

    A statement counts each time that it is come to, in whatever function; a call of a lambda and a pass of a
    comprehension count as one, and declarations and docstrings don't.
    """
    tree = ast.parse(program)
    for node in list(ast.walk(tree)):
        if isinstance(node, ast.Lambda):
            node.body = ast.BoolOp(ast.And(), [_tick(), node.body])
        elif isinstance(node, ast.comprehension):
            node.ifs.insert(0, _tick())
        elif not isinstance(node, ast.Module):
            _count(node)
    text = ast.unparse(ast.fix_missing_locations(tree))
    return _COUNTING.replace("NAME", entry_point).replace("PROGRAM", repr(text))


def _count(node: ast.AST) -> None:
    """A tick before each statement that stands in a node."""
    for field in ("body", "orelse", "finalbody"):
        block = getattr(node, field, None)
        if isinstance(block, list):
            start = int(field == "body" and _has_docstring(node))
            setattr(node, field, [*block[:start], *(new for one in block[start:] for new in _ticked(one))])


def _has_docstring(node: ast.AST) -> bool:
    return isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) \
        and ast.get_docstring(node, clean=False) is not None


def _ticked(one: ast.stmt) -> list[ast.stmt]:
    return [one] if isinstance(one, (ast.Global, ast.Nonlocal)) else [ast.Expr(_tick()), one]


def _tick() -> ast.Call:
    return ast.Call(ast.Name(_TICK, ast.Load()), [], [])
