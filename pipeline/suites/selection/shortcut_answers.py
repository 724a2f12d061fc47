"""Answers that take no thought: constants and arguments handed on. Many cases of a suite have to fail each of them."""

from __future__ import annotations

import ast
import warnings
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeVar

from harness.values import NotEncodable, canonical, decode, encode
from pipeline.suites.subject import Subject

T = TypeVar("T")
COMMONEST = "return the commonest answer"
MAX_SHARE = 0.6
"""The largest share of the cases that a stub may pass."""
MAX_STUB_SHARE = 0.5
"""The same of one that returns None, as the judge runs it."""
_PLAIN = (ast.Constant, ast.Name, ast.List, ast.Dict, ast.Tuple, ast.UnaryOp, ast.unaryop, ast.expr_context)
_VALUES: tuple[Any, ...] = (None, "", [], {}, 0, True, False)
_CONSTANTS = tuple((f"return {value!r}", canonical(encode(value))) for value in _VALUES)


@dataclass(frozen=True)
class Answered:
    """An input, named by `key`, with the reference's answer in canonical form; None where that is an exception."""

    args: Sequence[Any]
    kwargs: Mapping[str, Any]
    answer: str | None
    key: str = ""


def passing(cases: Sequence[Answered], known: dict[str, tuple[str, ...]] | None = None) -> dict[str, frozenset[int]]:
    """For each stub the places of the cases that it passes; stubs that pass none are left out.

    `known` keeps what is found of each case under its key, for the next time.
    """
    with warnings.catch_warnings():
        # What libraries think of sorting their values, or of measuring them, is nobody's concern here.
        warnings.simplefilter("ignore")
        return _passing(cases, {} if known is None else known)


def _passing(cases: Sequence[Answered], known: dict[str, tuple[str, ...]]) -> dict[str, frozenset[int]]:
    found: dict[str, set[int]] = {}
    returned = Counter(case.answer for case in cases if case.answer is not None)
    common = max(returned, key=lambda answer: (returned[answer], answer), default="")
    for place, case in enumerate(cases):
        if case.answer is None:
            continue
        if case.answer == common:
            found.setdefault(COMMONEST, set()).add(place)
        if not case.key or case.key not in known:
            constant = [name for name, answer in _CONSTANTS if answer == case.answer]
            known[case.key] = (*constant, *_handed_on(case, case.answer))
        for name in known[case.key]:
            found.setdefault(name, set()).add(place)
    return {name: frozenset(places) for name, places in sorted(found.items())}


def worst(passed: Mapping[str, frozenset[T]]) -> tuple[str, frozenset[T]]:
    """The stub that passes the most cases, the plainest of several."""
    if not passed:
        return "", frozenset()
    return max(passed.items(), key=lambda entry: (len(entry[1]), -len(entry[0]), entry[0]))


def _handed_on(case: Answered, answer: str) -> Iterator[str]:
    """The stubs on the arguments that give the answer."""
    given = [*((str(place + 1), value) for place, value in enumerate(case.args)), *case.kwargs.items()]
    for name, value in given:
        if canonical(value) == answer:
            yield f"return argument {name}"
        for text, function in _by_first_sign(answer):
            if _applied(function, value) == answer:
                yield f"return {text} of argument {name}"
    merged = [value for _, value in given if type(value) is dict]
    if len(merged) > 1 and _applied(_merged, merged[0], merged[1]) == answer:
        yield "return both dicts in one"


def _by_first_sign(answer: str) -> list[tuple[str, Callable[..., Any]]]:
    """The functions that can give an answer of this type at all."""
    if answer.startswith("["):
        return [("list()", list), ("sorted()", sorted)]
    if answer.startswith('"'):
        return [("str()", str)]
    return [("len()", len)] if answer[:1].isdigit() else []


def _merged(one: Any, other: Any) -> Any:
    return {**one, **other}


def _applied(function: Callable[..., Any], *values: Any) -> str:
    """What a function makes of encoded values, in canonical form, or nothing."""
    try:
        return canonical(encode(function(*(decode(value) for value in values)), 1000))
    except (NotEncodable, TypeError, ValueError, ArithmeticError, RecursionError, AttributeError, LookupError):
        return ""


def guarded(subject: Subject) -> int:
    """The line that ends the first guard of a function, or 0 where it has none.

    A guard is an `if` whose body does nothing but raise, or return a name or a constant.
    """
    for statement in subject.function.body:
        if isinstance(statement, ast.If):
            return statement.body[0].lineno if _gives_up(statement.body[0]) else 0
    return 0


def _gives_up(statement: ast.stmt) -> bool:
    if not isinstance(statement, ast.Return):
        return isinstance(statement, ast.Raise)
    return statement.value is None or all(isinstance(part, _PLAIN) for part in ast.walk(statement.value))
