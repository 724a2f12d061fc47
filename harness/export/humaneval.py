"""The form of HumanEval: JSON lines with `prompt`, `canonical_solution`, `test` and `entry_point`, in plain Python."""

from __future__ import annotations

import ast
import json
import math
import re
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from harness.prompts import prompt
from harness.records import Answer, Case, Json, Task
from harness.values import decode

NAME = "tasks.jsonl"
_INDENT = " " * 4
_FUTURE = re.compile(r"^from __future__ import .+$", re.M)
_SCALARS = (type(None), bool, int, str, bytes, float)
_SAME = '''
import copy
import math


def _same(a, b):
    if isinstance(a, bool) or isinstance(b, bool) or a is None:
        return isinstance(a, bool) == isinstance(b, bool) and a == b
    if isinstance(a, float) and isinstance(b, (int, float)) or isinstance(a, int) and isinstance(b, float):
        return math.isclose(a, b, rel_tol={relative!r}, abs_tol={absolute!r})
    if isinstance(a, (list, tuple)):
        kind = list if isinstance(a, list) else tuple
        return isinstance(b, kind) and len(a) == len(b) and all(map(_same, a, b))
    if isinstance(a, dict):
        return isinstance(b, dict) and a.keys() == b.keys() and all(_same(a[key], b[key]) for key in a)
    return isinstance(b, type(a)) and a == b


def check(candidate):
    for number, (args, kwargs, kind, expected, after) in enumerate(CASES):
        given, named = copy.deepcopy(args), copy.deepcopy(kwargs)
        try:
            result = candidate(*given, **named)
        except Exception as error:
            names = [one.__name__ for one in type(error).__mro__]
            assert kind == "raised" and expected in names, (number, args, error)
        else:
            {order}assert kind == "returned" and _same(expected, result), (number, args, expected, result)
        {mutation}
'''
_SORTED = """if isinstance(result, list):
                expected, result = sorted(expected, key=repr), sorted(result, key=repr)
            """


def write(tasks: Sequence[Task], folder: Path) -> Sequence[Task]:
    """A line for each task whose values Python's literals can say; the others are given back."""
    fit = [task for task in tasks if all(map(_is_plain, task.cases))]
    (folder / NAME).write_text("".join(f"{json.dumps(_line(task))}\n" for task in fit), "utf-8")
    return [task for task in tasks if task not in fit]


def _line(task: Task) -> dict[str, str]:
    return {
        "task_id": task.task_id, "prompt": _first(prompt(task).completion), "entry_point": task.entry_point,
        "canonical_solution": _body(task), "test": _test(task),
    }


def _first(asked: str) -> str:
    """The prompt with its imports from `__future__`, wherever they stand in it, before all else."""
    futures = sorted(set(_FUTURE.findall(asked)))
    return "".join(f"{line}\n" for line in futures) + _FUTURE.sub("", asked)


def _body(task: Task) -> str:
    """The body of the reference below its documentation, as it continues the prompt, which indents by four blanks."""
    [*_, function] = [one for one in ast.parse(task.reference).body if isinstance(one, ast.FunctionDef)]
    first = function.body[0]
    documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
    body = function.body[1:] if documented and len(function.body) > 1 else function.body
    lines = task.reference.splitlines(keepends=True)
    indent = lines[_start(body[0]) - 1][: body[0].col_offset]
    if indent != _INDENT:
        return "".join(f"{_INDENT}{line}\n" for one in body for line in ast.unparse(one).splitlines())
    return "".join(lines[min(_start(one) for one in body) - 1 : function.end_lineno])


def _start(statement: ast.stmt) -> int:
    decorators: list[ast.expr] = getattr(statement, "decorator_list", [])
    return min([statement.lineno, *(one.lineno for one in decorators)])


def _test(task: Task) -> str:
    rule = task.comparison
    cases = ",\n    ".join(repr(_case(case, rule.mutation)) for case in task.cases)
    mutation = "assert _same(after, [*given, *named.values()]), (number, args, after, given)"
    code = _SAME.format(
        relative=rule.relative, absolute=rule.absolute, order=_SORTED if rule.unordered else "",
        mutation=mutation if rule.mutation else "",
    )
    return f"{code.rstrip()}\n\n\nCASES = [\n    {cases},\n]\n"


def _case(case: Case, watched: bool) -> tuple[Any, ...]:
    """Arguments, what the reference did, what it gave or raised, and the arguments then where they are watched."""
    args, kwargs = [decode(one) for one in case.args], {name: decode(one) for name, one in case.kwargs.items()}
    expected = case.expected
    gave = expected.exception if expected.kind == "raised" else decode(expected.value)
    unchanged = [*args, *kwargs.values()]
    after = unchanged if expected.mutated is None else decode(expected.mutated)
    return args, kwargs, expected.kind, gave, after if watched else None


def _is_plain(case: Case) -> bool:
    return all(map(_literal, [*case.args, *case.kwargs.values(), *_of_answer(case.expected)]))


def _of_answer(answer: Answer) -> list[Json]:
    return [answer.value, *(answer.mutated or [])]


def _literal(data: Json) -> bool:
    try:
        return _says(decode(data))
    except (ValueError, TypeError, ImportError):
        return False


def _says(value: Any) -> bool:
    """Whether the `repr` of a value is a literal that gives it again."""
    if isinstance(value, float):
        return type(value) is float and math.isfinite(value)
    if type(value) in (list, tuple, set):
        return (bool(value) or type(value) is not set) and all(map(_says, value))
    if type(value) is dict:
        return all(_says(key) and _says(one) for key, one in value.items())
    return type(value) in _SCALARS
