"""Rows that ask for a program in Java (Dynamic Benchmarking, section 2): types from values, and what is carried."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from harness.bundle import shown as shown_modules
from harness.errors import UserError
from harness.records import Case, Json, Program, Task, Translation, digest
from harness.values import encode
from pipeline.records import Reason
from pipeline.transforms.preserving.draft import shown
from pipeline.vary.java_types import NotCarried, type_of

LANGUAGE = "java"
ENOUGH = 0.95
"""The share of a suite that has to be carried: what can't be is no part of what is asked."""
_SYSTEM = (
    "You translate programs from Python to Java 21. What you write gives the same value for the same arguments. Answer "
    "with one ```java code block: a class Solution with the method of the given signature, and with what it needs, the "
    "imports included. No explanation, nothing else."
)
_USER = (
    "This is a program:\n\n```python\n{program}```\n\n{tests}Write it in Java, as this method of class Solution:\n\n"
    "```java\n{signature}\n```\n\nTuples and lists are both lists, dictionaries keep the order of their keys."
)
_TESTS = "These calls give these values:\n\n{tests}\n\n"


@dataclass(frozen=True)
class _Parameter:
    name: str
    default: Json = None
    has_default: bool = False


@dataclass(frozen=True)
class Carried:
    """What of a task Java can be given: the types, and the numbers of the cases."""

    parameters: tuple[tuple[str, str], ...]
    gives: str
    cases: tuple[int, ...]


def carried(task: Task) -> Carried:
    """The types of a task's parameters and value, by its cases; raises `NotCarried`, which says why there are none."""
    parameters = _parameters(task)
    whole = [(number, bound) for number, case in enumerate(task.cases) if (bound := _bound(case, parameters))]
    kept = [(number, bound) for number, bound in whole if _is_carried([*bound, task.cases[number].expected.value])]
    if len(kept) < ENOUGH * len(task.cases):
        raise NotCarried(f"{len(kept)} of {len(task.cases)} cases hold nothing else than Java has")
    columns = zip(*(bound for _, bound in kept), strict=True)
    types = tuple((one.name, str(type_of(column))) for one, column in zip(parameters, columns, strict=True))
    gives = type_of(task.cases[number].expected.value for number, _ in kept)
    return Carried(types, str(gives), tuple(number for number, _ in kept))


def translations(task: Task, programs: Sequence[Program], tests: str = "") -> Iterator[Translation]:
    """A row for each program, or one that says why there is none; `tests` are shown behind the program."""
    first = Translation("", "", task.task_id, task.task_digest, task.track, "", 0, LANGUAGE, total=len(task.cases))
    try:
        found = carried(task)
    except NotCarried as refusal:
        yield replace(
            first, item_id=_id(task, ""), reason=Reason.NOT_CARRIED.name.lower(), evidence=f"{refusal}.")
        return
    for one in programs:
        if one.program:
            row = replace(first, variant_id=one.variant_id, chain=one.chain, draw=one.draw)
            yield _row(row, task, one, found, tests)


def _row(row: Translation, task: Task, one: Program, found: Carried, tests: str) -> Translation:
    renames: Mapping[str, str] = one.renames or {}
    given = ", ".join(f"{kind} {_identifier(renames.get(name, name))}" for name, kind in found.parameters)
    signature = f"static {found.gives} {_identifier(one.entry_point)}({given})"
    given_tests = _TESTS.format(tests=tests) if tests else ""
    user = _USER.format(program=shown_modules(one.program), tests=given_tests, signature=signature)
    return replace(
        row, item_id=_id(task, one.variant_id), entry_point=one.entry_point, signature=signature, cases=found.cases,
        system=_SYSTEM, user=user)


def _id(task: Task, variant: str) -> str:
    return f"c2t-{digest(task.task_digest, LANGUAGE, variant)[:16]}"


def _identifier(name: str) -> str:
    """A name as Java takes it: its keywords get an underscore."""
    return f"{name}_" if name in _KEYWORDS else name


_KEYWORDS = frozenset({
    "abstract", "assert", "boolean", "break", "byte", "case", "catch", "char", "class", "const", "continue", "default",
    "do", "double", "else", "enum", "extends", "final", "finally", "float", "for", "goto", "if", "implements", "import",
    "instanceof", "int", "interface", "long", "native", "new", "package", "private", "protected", "public", "return",
    "short", "static", "strictfp", "super", "switch", "synchronized", "this", "throw", "throws", "transient", "try",
    "void", "volatile", "while", "true", "false", "null", "_",
})  # fmt: skip
"""The reserved words of Java 21 (its language specification, section 3.9)."""


def _parameters(task: Task) -> tuple[_Parameter, ...]:
    """The parameters in their order; raises `NotCarried` for those that take any number of arguments."""
    tree = ast.parse(shown(task.program))
    function = next(
        (node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == task.entry_point), None)
    if function is None:
        raise UserError(f"The program of {task.task_id} defines no function {task.entry_point}.")
    given = function.args
    if given.vararg or given.kwarg:
        raise NotCarried("It takes any number of arguments")
    named = [*given.posonlyargs, *given.args]
    defaults = [None] * (len(named) - len(given.defaults)) + list(given.defaults)
    pairs = [*zip(named, defaults, strict=True), *zip(given.kwonlyargs, given.kw_defaults, strict=True)]
    return tuple(_parameter(one.arg, default) for one, default in pairs)


def _parameter(name: str, default: ast.expr | None) -> _Parameter:
    if default is None:
        return _Parameter(name)
    try:
        return _Parameter(name, encode(ast.literal_eval(default)), has_default=True)
    except ValueError:
        return _Parameter(name)


def _bound(case: Case, parameters: Sequence[_Parameter]) -> list[Json] | None:
    """The arguments of a case by parameter, None for one that can't be called so, raises, or changes arguments."""
    if case.expected.kind != "returned" or case.expected.mutated is not None or len(case.args) > len(parameters):
        return None
    values = list(case.args)
    for one in parameters[len(case.args) :]:
        if one.name not in case.kwargs and not one.has_default:
            return None
        values.append(case.kwargs.get(one.name, one.default))
    return values


def _is_carried(values: Sequence[Json]) -> bool:
    try:
        type_of(values)
    except NotCarried:
        return False
    return True
