"""Answers to a bundle that take no thought: one member called with the arguments as they come, or one constant."""

from __future__ import annotations

import ast
import signal
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

from harness.values import canonical, decode
from pipeline.suites.instrument.fatal_calls import Watch
from pipeline.suites.instrument.fuel import Passes, counted
from pipeline.suites.instrument.reference import STUCK, TooLong, carried, memories, timed
from pipeline.suites.search.attempts import Found, left_of
from pipeline.suites.subject import Subject, find_function

MOST = 24
"""How many such answers are tried."""
SECONDS, PATIENCE = 0.5, 3
"""CPU seconds of one call, and how many calls of an answer may take longer before it is left alone."""
_STUB = "_code2bench_stub"


@dataclass(frozen=True)
class _Stub:
    """An answer: what it does in words, and what it returns."""

    words: str
    value: ast.expr


def member_stubs(program: str, entry_point: str) -> tuple[str, ...]:
    """The texts of the answers to a bundle that call one member or give one constant; none for a lone function."""
    subject = Subject.of(program, entry_point)
    return tuple(ast.unparse(_definition(subject.function, stub, entry_point)) + "\n" for stub in _stubs(subject))


def _stubs(subject: Subject) -> list[_Stub]:
    calls = [_Stub(f"call {one.name} with the arguments", call) for one in subject.members if not one.owner
             for call in _call(subject.function, one.node)]  # fmt: skip
    names = dict.fromkeys(name for statement in subject.tree.body for name in _assigned(statement))
    constants = [_Stub(f"return {name}", ast.Name(name, ast.Load())) for name in names]
    return [*calls, *constants][:MOST]


def _call(function: ast.FunctionDef, member: ast.FunctionDef) -> Iterator[ast.expr]:
    """The call of a member with as many of the arguments, in their order, as it takes; none where those are too few."""
    given, taken = function.args, member.args
    mine = [one.arg for one in (*given.posonlyargs, *given.args)]
    theirs = [*taken.posonlyargs, *taken.args]
    count = len(mine) if taken.vararg is not None else min(len(mine), len(theirs))
    named = {one.arg for one in (*given.args, *given.kwonlyargs)} - set(mine[:count])
    asked = [one.arg for one, default in zip(taken.kwonlyargs, taken.kw_defaults, strict=True) if default is None]
    if count >= len(theirs) - len(taken.defaults) and named.issuperset(asked):
        arguments: list[ast.expr] = [ast.Name(name, ast.Load()) for name in mine[:count]]
        passed = [one.arg for one in taken.kwonlyargs if one.arg in named]
        keywords = [ast.keyword(name, ast.Name(name, ast.Load())) for name in passed]
        yield ast.Call(ast.Name(member.name, ast.Load()), arguments, keywords)


def _assigned(statement: ast.stmt) -> Iterator[str]:
    match statement:
        case ast.Assign([ast.Name(name)]) | ast.AnnAssign(ast.Name(name), _, ast.expr()):
            yield name


def _definition(function: ast.FunctionDef, stub: _Stub, name: str) -> ast.FunctionDef:
    """The function with nothing in it but the answer."""
    made = find_function(ast.parse(ast.unparse(function)), function.name)
    for part in ast.walk(made.args):
        if isinstance(part, ast.arg):
            part.annotation = None
    made.name, made.returns, made.decorator_list, made.body = name, None, [], [ast.Return(stub.value)]
    return ast.fix_missing_locations(made)


class MemberAnswers:
    """Runs such answers on what a search has found."""

    def __init__(self, subject: Subject, watch: Watch | None = None) -> None:
        self._watch = watch or Watch()
        self._known: dict[str, tuple[str, ...]] = {}
        self._slow: dict[str, int] = {}
        self._functions: dict[str, Any] = {}
        stubs = _stubs(subject) if subject.is_bundle else []
        if not stubs:
            return
        tree = subject.copied().tree
        tree.body += [_definition(subject.function, stub, f"{_STUB}_{place}") for place, stub in enumerate(stubs)]
        counted(tree)
        namespace: dict[str, Any] = {"__name__": "reference"}
        self._passes = Passes(namespace)
        exec(compile(tree, "stubs", "exec", dont_inherit=True), namespace)
        self._forgets = memories(subject, namespace)
        self._functions = {stub.words: namespace[f"{_STUB}_{place}"] for place, stub in enumerate(stubs)}

    def passing(self, cases: Iterable[Found]) -> dict[str, frozenset[str]]:
        """For each answer the keys of the cases that it passes; those that pass none are left out."""
        found: dict[str, set[str]] = {}
        for case in cases if self._functions else ():
            if case.key not in self._known:
                self._known[case.key] = tuple(self._right(case))
            for words in self._known[case.key]:
                found.setdefault(words, set()).add(case.key)
        return {words: frozenset(keys) for words, keys in sorted(found.items())}

    def _right(self, case: Found) -> Iterator[str]:
        """The answers that are right in a case that returns."""
        if case.observation.kind != "returned":
            return
        for words, function in self._functions.items():
            left = self._slow.get(words, 0) >= PATIENCE or self._watch.forbids(f"stub, {words}", case.encoded[0])
            if not left and self._given(words, function, case) == case.observation.effect:
                yield words

    @timed
    def _given(self, words: str, function: Any, case: Found) -> str:
        """What an answer gives and leaves, as `Observation.effect`; "" where the reference can't give the like."""
        args, kwargs = [decode(a) for a in case.encoded[0]], {k: decode(v) for k, v in case.encoded[1].items()}
        self._passes.begin()
        for forget in self._forgets:
            forget()
        signal.setitimer(signal.ITIMER_VIRTUAL, STUCK)
        signal.setitimer(signal.ITIMER_PROF, SECONDS, 0.05)
        try:
            try:
                answer = canonical(carried(function(*args, **kwargs)))
            finally:
                signal.setitimer(signal.ITIMER_PROF, 0)
                signal.setitimer(signal.ITIMER_VIRTUAL, 0)
            return answer + left_of(case.key, args, kwargs)
        except TooLong:
            self._slow[words] = self._slow.get(words, 0) + 1
        except BaseException:
            # An answer without thought may raise whatever there is.
            pass
        return ""
