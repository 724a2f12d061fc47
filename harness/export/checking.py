"""What exported tests run by: one call with fresh arguments, compared by the task's rule as the harness compares.

It comes along with exported tests, together with the codec and the rules. Nothing is isolated here: run answers that
you don't trust in a container, or by the harness.
"""

from __future__ import annotations
import __future__

import builtins
import functools
import json
import operator
import re
import sys
from functools import cache
from pathlib import Path
from types import ModuleType
from typing import Any

from harness.records import Answer, Comparison, Json
from harness.values import NotEncodable, canonical, decode, encode
from harness.values.comparison import agree

ITERATOR_ITEMS = 100_000


@cache
def task(path: Path) -> dict[str, Any]:
    """The task in a file of JSON."""
    return dict(json.loads(path.read_text("utf-8")))


@cache
def function(path: Path, answer: Path) -> Any:
    """The entry point of the answer in a file, with what is given around it."""
    given = task(path)
    module = ModuleType(f"answer_{given['task_id'].replace('-', '_')}")
    sys.modules[module.__name__] = module
    program = f"{given['before']}{_without_futures(answer.read_text('utf-8'))}\n{given['after']}"
    flags = _futures(given["before"]) | _futures(answer.read_text("utf-8"))
    exec(compile(program, str(answer), "exec", flags, dont_inherit=True), vars(module))
    return getattr(module, given["entry_point"])


_FUTURE = re.compile(r"^from __future__ import ([\w, ]+)$", re.MULTILINE)


def _futures(text: str) -> int:
    """The compiler's flags for what a text imports from `__future__`, which may stand first in a file alone."""
    names = (name.strip() for found in _FUTURE.findall(text) for name in found.split(","))
    return functools.reduce(operator.or_, (getattr(__future__, name).compiler_flag for name in names), 0)


def _without_futures(text: str) -> str:
    """The text with `pass` in place of these imports."""
    return _FUTURE.sub("pass", text)


def check(path: Path, answer: Path, number: int) -> None:
    """Run one case; raises `AssertionError` with the difference where the answer is not that of the reference."""
    given = task(path)
    case = given["cases"][number]
    actual, bases = _answered(function(path, answer), case["args"], case["kwargs"])
    difference = agree(Answer(**case["expected"]), actual, Comparison(**given["comparison"]), bases)
    assert not difference, f"case {number} of {given['entry_point']}: {difference}"


def _answered(called: Any, args: list[Json], kwargs: dict[str, Json]) -> tuple[Answer, tuple[str, ...]]:
    """What a call gives, and what else its exception is."""
    given, named = [decode(one) for one in args], {name: decode(one) for name, one in kwargs.items()}
    bases: tuple[str, ...] = ()
    try:
        result, kind = called(*given, **named), "returned"
    except Exception as error:
        result, kind = error, "raised"
        bases = tuple(_name(one) for one in type(error).__mro__ if one not in (Exception, BaseException, object))
    try:
        after = encode([*given, *named.values()], bases=True)
        before = encode([decode(one) for one in (*args, *kwargs.values())])
        mutated = None if canonical(after) == canonical(before) else after
        value = None if kind == "raised" else encode(result, ITERATOR_ITEMS, True)
    except NotEncodable as error:
        raise AssertionError(f"the answer can't be compared: {error}") from None
    raised = (bases[0] if bases else type(result).__name__, str(result)) if kind == "raised" else ("", "")
    return Answer(kind, value, *raised, mutated=mutated), bases


def _name(kind: type) -> str:
    """The name of a type of exceptions; one that only calls itself like a built-in one is told apart from it."""
    return kind.__name__ if getattr(builtins, kind.__name__, kind) is kind else f"answer.{kind.__name__}"

