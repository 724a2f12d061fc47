"""The operator that takes annotations away."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from pipeline.records import Reason
from pipeline.transforms.bound_names import parameter_names, walk, walk_own
from pipeline.transforms.preserving.draft import Draft, Inapplicable, loaded_names
from pipeline.transforms.preserving.places import Block, blocks, statements
from pipeline.transforms.preserving.reflection import check_names

_READERS = frozenset({
    "__annotations__", "get_type_hints", "get_annotations", "signature", "getfullargspec", "singledispatch", "register",
    "validate_arguments", "validate_call", "jit", "njit",
})  # fmt: skip
_BLIND = frozenset({"lru_cache", "cache", "wraps", "contextmanager"})
"""Decorators that don't care for annotations."""
_TYPES = frozenset("int str float bool bytes list dict set tuple frozenset object type".split())
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)


class Untyped:
    """Parameters, results and local variables lose their annotations, so that nothing tells what they are.

    Classes keep theirs, which make fields of data classes.
    """

    name = "Untyped"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many annotations can go; raises `Inapplicable` where something may read them."""
        found = len(list(_annotations(draft.function)))
        if found:
            check_names(draft)
            _check_readers(draft)
        return found

    def apply(self, draft: Draft) -> None:
        """Take them away."""
        for take in draft.chosen(list(_annotations(draft.function))):
            take()


def _check_readers(draft: Draft) -> None:
    for node in walk(draft.tree):
        word = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if word in _READERS:
            raise Inapplicable(Reason.INTROSPECTIVE, f"It reads {word}, which may ask for annotations.")
    for node in walk(draft.function):
        if isinstance(node, _FUNCTIONS):
            for decorator in node.decorator_list:
                called = decorator.func if isinstance(decorator, ast.Call) else decorator
                word = called.attr if isinstance(called, ast.Attribute) else getattr(called, "id", "")
                if word not in _BLIND:
                    raise Inapplicable(Reason.INTROSPECTIVE, f"Its decorator {word} may ask for annotations.")


def _annotations(function: ast.FunctionDef) -> Iterator[Callable[[], None]]:
    """What takes each of the annotations away, in the order of the text."""
    inner = [node for node in statements(function) if isinstance(node, _FUNCTIONS)]
    for scope in (function, *inner):
        if scope is function or _is_still(scope):
            yield from _of_signature(scope)
        yield from _of_variables(scope)


def _of_signature(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Callable[[], None]]:
    arguments = function.args
    every = [*arguments.posonlyargs, *arguments.args, arguments.vararg, *arguments.kwonlyargs, arguments.kwarg]
    for one in every:
        if one is not None and one.annotation is not None:
            yield _clearing(one, "annotation")
    if function.returns is not None:
        yield _clearing(function, "returns")


def _clearing(node: ast.AST, field: str) -> Callable[[], None]:
    return lambda: setattr(node, field, None)


def _is_still(function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
    """Whether an inner function's annotations, which are evaluated, are certain to do nothing but give a type."""
    arguments = [one for one in walk(function.args) if isinstance(one, ast.arg)]
    every = [*(one.annotation for one in arguments), function.returns]
    return all(isinstance(one, (ast.Name, ast.Constant)) and loaded_names(one) <= _TYPES for one in every if one)


def _of_variables(scope: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[Callable[[], None]]:
    """Those of a scope's own variables; what only declares a name goes where another statement binds it."""
    own = [node for statement in scope.body for node in walk_own(statement)]
    declared = {id(node.target) for node in own if isinstance(node, ast.AnnAssign) and node.value is None}
    stored = [node for node in own if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)]
    bound = {*parameter_names(scope), *(node.id for node in stored if id(node) not in declared)}
    for block in blocks(scope):
        for node in block:
            if isinstance(node, ast.AnnAssign) and any(node is one for one in own) \
                    and (node.value or getattr(node.target, "id", "") in bound):
                yield _writing(block, node)


def _writing(block: Block, node: ast.AnnAssign) -> Callable[[], None]:
    """What writes an annotated assignment without its annotation; a mere declaration goes."""

    def write() -> None:
        place = next(place for place, one in enumerate(block) if one is node)
        if node.value is not None:
            block[place] = ast.Assign([node.target], node.value, lineno=0)
        elif len(block) > 1:
            del block[place]
        else:
            block[place] = ast.Pass()

    return write
