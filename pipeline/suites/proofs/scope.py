"""Where in a function a parameter still has the value that it was called with."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from functools import cached_property

from pipeline.suites.proofs.facts import bindings

_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


class Scope:
    """A function with its parameters and what is bound in it."""

    def __init__(self, function: ast.FunctionDef) -> None:
        self.function = function
        given = function.args
        self.positional = [one.arg for one in (*given.posonlyargs, *given.args)]
        self.only_by_place = {one.arg for one in given.posonlyargs}
        self.named = [*self.positional, *(one.arg for one in given.kwonlyargs)]

    @cached_property
    def _parents(self) -> dict[int, ast.AST]:
        return {id(part): node for node in ast.walk(self.function) for part in ast.iter_child_nodes(node)}

    @cached_property
    def _bound(self) -> dict[str, list[tuple[int, int]]]:
        found: dict[str, list[tuple[int, int]]] = {}
        for part in (*self.function.body, *_lambdas(self.function.args)):
            for name, line, column in bindings(part):
                found.setdefault(name, []).append((line, column))
        return found

    def binds(self, name: str) -> bool:
        """Whether a name is one of the function's own."""
        return name in self._bound or name in self._parameters

    @cached_property
    def _parameters(self) -> frozenset[str]:
        return frozenset(one.arg for one in ast.walk(self.function.args) if isinstance(one, ast.arg))

    def untouched(self, name: str, node: ast.AST) -> bool:
        """Whether a parameter has its first value wherever a part of the function is run.

        Whatever binds the name anew comes later, by the order of the text and outside of all loops around the part.
        """
        bound = self._bound.get(name)
        if not bound:
            return True
        around = list(self._around(node))
        if any(isinstance(one, _SCOPES) for one in around):
            return False
        last = next((one for one in reversed(around) if isinstance(one, _LOOPS)), node)
        end = getattr(last, "end_lineno", 0), getattr(last, "end_col_offset", 0)
        return all(place >= end for place in bound)

    def assigned_once(self, name: str) -> ast.expr | None:
        """What a variable of the function is assigned, where nothing else in it is ever bound to its name."""
        if len(self._bound.get(name, ())) != 1 or name in self._parameters:
            return None
        for node in ast.walk(self.function):
            match node:
                case ast.Assign([ast.Name(target)], value) | ast.AnnAssign(ast.Name(target), _, ast.expr() as value):
                    if target == name:
                        return None if any(isinstance(one, _SCOPES) for one in self._around(node)) else value
        return None

    def _around(self, node: ast.AST) -> Iterator[ast.AST]:
        """What a part stands in, the inner first, the function itself left out."""
        inner = self._parents.get(id(node))
        while inner is not None and inner is not self.function:
            yield inner
            inner = self._parents.get(id(inner))


def _lambdas(arguments: ast.arguments) -> list[ast.expr]:
    """The defaults of parameters, in which names may be bound."""
    return [one for one in (*arguments.defaults, *arguments.kw_defaults) if one is not None]
