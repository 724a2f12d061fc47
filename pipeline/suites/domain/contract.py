"""Contracts: what callers keep to, as Python over the parameters, checked for each input and printed with the test.

A condition may use the parameters by their names, built-in functions, and modules that compute, by their full names. An
input for which a condition is false, or raises, is outside: no case is made of it and no answer is scored on it.
"""

from __future__ import annotations

import ast
import builtins
import inspect
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from pipeline.languages.python.effects import findings
from pipeline.suites.subject import Subject

NAME = "within_contract"
"""The name of the function that says whether arguments keep to it."""
COMPUTING = frozenset(
    "array base64 binascii bisect calendar cmath codecs collections copy csv datetime decimal difflib enum "
    "fractions functools hashlib heapq hmac html ipaddress itertools json keyword math numbers operator "
    "re statistics string struct textwrap types typing unicodedata urllib uuid zlib zoneinfo".split())
"""Modules of the standard library that compute and do nothing else."""
USABLE = COMPUTING | {"numpy", "pandas"}
MOST = 20
"""How many conditions a contract has at most; more of them are a specification in disguise."""
_FORBIDDEN = (ast.Await, ast.Yield, ast.YieldFrom, ast.NamedExpr)


def faults(conditions: Sequence[str], program: str, entry_point: str) -> Iterator[str]:
    """What is wrong with conditions, each as a sentence for whoever wrote them."""
    if len(conditions) > MOST:
        yield f"The contract has {len(conditions)} conditions, more than {MOST}."
    known = set(parameter_names(Subject.of(program, entry_point).function))
    for text in conditions:
        try:
            tree = ast.parse(text, mode="eval")
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            yield f"The condition {text!r} of the contract is no Python expression."
            continue
        own = {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
        own |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
        used = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
        strange = sorted(used - own - known - USABLE - set(dir(builtins)))
        if strange:
            yield f"The condition {text!r} of the contract uses {', '.join(strange)}, which is no parameter."
        elif not used & known:
            yield f"The condition {text!r} of the contract speaks of no parameter."
        yield from (f"The condition {text!r} of the contract may not do this: {what}." for what in _impure(tree))


def _impure(tree: ast.Expression) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, _FORBIDDEN):
            yield "it binds or waits"
        elif isinstance(node, ast.Attribute) and node.attr.startswith("_"):
            yield f"it uses the attribute {node.attr}"
    names = sorted({node.id for node in ast.walk(tree) if isinstance(node, ast.Name)} & USABLE)
    made = ast.parse("\n".join([*(f"import {name}" for name in names), "def condition():", "    return 0"]))
    function = made.body[-1]
    assert isinstance(function, ast.FunctionDef)
    function.body = [ast.Return(tree.body)]
    made = ast.parse(ast.unparse(ast.fix_missing_locations(made)))
    function = made.body[-1]
    assert isinstance(function, ast.FunctionDef)
    yield from (finding.what for finding in findings(made, function))


def source(conditions: Sequence[str], function: ast.FunctionDef) -> str:
    """A function of the parameters that says whether they keep to the contract, as Python."""
    names = ", ".join(parameter_names(function))
    kept = "\n        and ".join(f"({text})" for text in conditions)
    return f'def {NAME}({names}):\n    """Whether arguments are as callers pass them."""\n' \
        f"    return bool(\n        {kept}\n    )\n"


def program_of(conditions: Sequence[str], function: ast.FunctionDef) -> str:
    """The same as a program, with the modules that it needs."""
    text = source(conditions, function)
    modules = _used(text) & USABLE - set(parameter_names(function))
    return "".join(f"import {name}\n" for name in sorted(modules)) + text


def checked(subject: Subject, function: Callable[..., Any], conditions: Sequence[str]) -> Callable[..., bool] | None:
    """What says of positional and named arguments whether they keep to the contract, None without one.

    Only for use inside the sandbox.
    """
    if not conditions:
        return None
    space: dict[str, Any] = {}
    exec(compile(program_of(conditions, subject.function), "contract.py", "exec", dont_inherit=True), space)
    kept, signature = space[NAME], inspect.signature(function)

    def within(args: Sequence[Any], kwargs: Mapping[str, Any]) -> bool:
        try:
            given = signature.bind(*args, **kwargs)
            given.apply_defaults()
            return bool(kept(**given.arguments))
        except Exception:
            # A condition that can't be decided is not kept.
            return False

    return within


def parameter_names(function: ast.FunctionDef) -> list[str]:
    """The names of all parameters, in the order in which they are bound."""
    args = function.args
    every = [*args.posonlyargs, *args.args, *([args.vararg] if args.vararg else []), *args.kwonlyargs]
    return [one.arg for one in (*every, *([args.kwarg] if args.kwarg else []))]


def _used(text: str) -> set[str]:
    return {node.id for node in ast.walk(ast.parse(text)) if isinstance(node, ast.Name)}
