"""Predicates: helpers whose answers are only asked whether they are true, so that None is as good as False."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from pipeline.transforms.altering.members import Member

_INNER = (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Yield, ast.YieldFrom)


def predicates(tree: ast.Module, members: Sequence[Member]) -> frozenset[str]:
    """The names of the helpers that are only called where the answer is asked whether it is true.

    One may give what another answers, or itself.
    """
    found = {one.name: one.node for one in members if not one.owner and _is_plain(one.node)}
    while True:
        asked = {id(part) for node in ast.walk(tree) for test in _tests(node) for part in _within(test)}
        given = (node.value for one in found.values() for node in ast.walk(one) if isinstance(node, ast.Return))
        asked.update(id(part) for value in given if value is not None for part in _within(value))
        calls = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call) and id(node) in asked}
        named = (node for node in ast.walk(tree) if isinstance(node, ast.Name))
        others = {node.id for node in named if id(node) not in calls} & found.keys()
        if not others:
            return frozenset(found)
        for name in others:
            del found[name]


def _is_plain(function: ast.FunctionDef) -> bool:
    """Whether all that a function returns is its answer: nothing in it has returns of its own, nothing is around it."""
    inside = (part for statement in function.body for part in ast.walk(statement))
    return not function.decorator_list and not any(isinstance(part, _INNER) for part in inside)


def _tests(node: ast.AST) -> Iterator[ast.expr]:
    """What a node asks whether it is true."""
    match node:
        case ast.If(test) | ast.While(test) | ast.IfExp(test) | ast.Assert(test):
            yield test
        case ast.UnaryOp(ast.Not(), operand):
            yield operand
        case ast.comprehension(_, _, tests):
            yield from tests
        case ast.Call(ast.Name("bool"), [argument]):
            yield argument
        case ast.Call(ast.Name("any" | "all"), [ast.GeneratorExp(each) | ast.ListComp(each)]):
            yield each


def _within(test: ast.expr) -> Iterator[ast.expr]:
    """What is asked with a test: itself, and the parts of which it gives one."""
    yield test
    match test:
        case ast.BoolOp(_, values):
            for value in values:
                yield from _within(value)
        case ast.IfExp(_, first, second):
            yield from _within(first)
            yield from _within(second)
