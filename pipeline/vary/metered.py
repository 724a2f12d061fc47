"""Programs that count their passes, and give nothing once they have had too many: no clock decides what they give."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from harness.languages import Call, CallOutcome, Machine
from harness.values import encode
from pipeline.suites.instrument.fuel import AT_LOADING, MOST, counted
from pipeline.suites.selection.readings import answered

TIMES, LEAST = 2, 100
"""A changed program may have so many times the passes of its origin, and so many in any case."""
PATIENCE = 5.0
"""CPU seconds of a call: with its passes counted, only what never ends within one pass takes so long."""

_ASKED, _GIVEN = "_code2bench_passes", "_code2bench_answer"
_COUNTING = f"""
class _code2bench_spent(BaseException):
    pass

class _code2bench_meter:
    left = {AT_LOADING}

def _code2bench_tick():
    _code2bench_meter.left -= 1
    if _code2bench_meter.left < 0:
        raise _code2bench_spent
    return True

def {_GIVEN}(_code2bench_most, /, *args, **kwargs):
    _code2bench_meter.left = _code2bench_most
    answer = NAME(*args, **kwargs)
    if _code2bench_meter.left < 0:
        raise _code2bench_spent
    return answer

def {_ASKED}(*args, **kwargs):
    {_GIVEN}(*args, **kwargs)
    return args[0] - _code2bench_meter.left
"""
"""What `counted` lets a tree call, and how the entry point is called with the passes that it may have."""


def passes_of(program: str, entry_point: str, calls: Sequence[Call], machine: Machine) -> list[int]:
    """The passes that a program has in each call; in one that gives nothing it has as many as there may be."""
    [outcomes] = _run([program], entry_point, _ASKED, calls, [MOST] * len(calls), machine)
    found = [one.answer.value if one.answer and one.answer.kind == "returned" else MOST for one in outcomes]
    return [one if isinstance(one, int) else MOST for one in found]


def within(
    programs: Sequence[str], entry_point: str, calls: Sequence[Call], passes: Sequence[int], machine: Machine
) -> list[Sequence[CallOutcome]]:
    """What changed programs give, where their origin has so many passes in each call."""
    most = [max(LEAST, TIMES * count) for count in passes]
    return _run(programs, entry_point, _GIVEN, calls, most, machine)


def _run(
    programs: Sequence[str], entry_point: str, asked: str, calls: Sequence[Call], most: Sequence[int], machine: Machine
) -> list[Sequence[CallOutcome]]:
    given = [
        Call((encode(count), *call.args), call.kwargs, PATIENCE) for call, count in zip(calls, most, strict=True)
    ]
    metered = [_metered(program, entry_point) for program in programs]
    return [run.outcomes for run in answered(metered, asked, given, machine)] if metered else []


def _metered(program: str, entry_point: str) -> str:
    """The program with its passes counted, behind what has to come first."""
    tree = ast.parse(program)
    counted(tree)
    future = [one for one in tree.body if isinstance(one, ast.ImportFrom) and one.module == "__future__"]
    tree.body = [one for one in tree.body if one not in future]
    first = "\n".join(map(ast.unparse, future))
    return f"{first}\n{_COUNTING.replace('NAME', entry_point)}\n{ast.unparse(tree)}\n"
