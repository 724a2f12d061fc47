"""Which names certainly hold a value where a statement begins."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from pipeline.transforms.bound_names import bound, parameter_names, walk
from pipeline.transforms.preserving.draft import stored_names

Names = frozenset[str]
_LEAVES = (ast.Return, ast.Raise, ast.Break, ast.Continue)
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_DEFINES = (*_FUNCTIONS, ast.ClassDef, ast.Import, ast.ImportFrom)


def certain(function: ast.FunctionDef) -> dict[int, Names]:
    """For each statement, by its `id`, the variables that hold a value before it whatever way led there.

    A statement that is never reached is not among them. Inner functions are walked too: of what is around them they
    only count on parameters that they hide nowhere. Names that are taken away somewhere, and those that scopes share,
    are never certain.
    """
    walk = _Walk(_unsure(function))
    walk.scope(function, frozenset())
    return walk.found


def _unsure(function: ast.FunctionDef) -> Names:
    found = set[str]()
    for node in walk(function):
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del):
            found.add(node.id)
        elif isinstance(node, ast.ExceptHandler) and node.name:
            found.add(node.name)
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            found.update(node.names)
    return frozenset(found)


def _hidden(function: ast.AST) -> set[str]:
    """The names that a function gives a meaning of its own somewhere."""
    inner = (node for node in walk(function) if isinstance(node, (ast.arg, ast.ClassDef)))
    return stored_names(function).union(node.arg if isinstance(node, ast.arg) else node.name for node in inner)


class _Walk:
    def __init__(self, unsure: Names) -> None:
        self.unsure = unsure
        self.found: dict[int, Names] = {}

    def scope(self, function: ast.FunctionDef | ast.AsyncFunctionDef, around: Names) -> None:
        own = frozenset(parameter_names(function)) - self.unsure
        self.parameters = (around - _hidden(function) if around else around) | own
        self.block(function.body, self.parameters)

    def block(self, block: Sequence[ast.stmt], before: Names) -> Names | None:
        """What is certain behind a block, None where nothing comes behind it."""
        for node in block:
            self.found[id(node)] = before
            after = None if isinstance(node, _LEAVES) else self.behind(node, before)
            if after is None:
                return None
            before = after
        return before

    def behind(self, node: ast.stmt, before: Names) -> Names | None:
        """What is certain behind a statement; what is within is walked."""
        if isinstance(node, ast.If):
            ways = [self.block(node.body, before), self.block(node.orelse, before)]
            going = [way for way in ways if way is not None]
            return frozenset.intersection(*going) if going else None
        if isinstance(node, (ast.For, ast.AsyncFor)):
            self.block(node.body, before | self.sure(node.target))
            self.block(node.orelse, before)
        elif isinstance(node, ast.Try) and not node.orelse and not node.finalbody:
            after = self.block(node.body, before)
            ways = [self.block(one.body, before) for one in node.handlers]
            return after if all(way is None for way in ways) else before
        elif isinstance(node, (ast.With, ast.AsyncWith)):
            self.block(node.body, before | self.sure(*(one.optional_vars for one in node.items)))
        elif isinstance(node, _FUNCTIONS):
            outer = self.parameters
            self.scope(node, outer)
            self.parameters = outer
        else:
            self.parts(node, before)
        if isinstance(node, ast.Assign):
            return before | self.sure(*node.targets)
        return before | self.sure(node) if isinstance(node, _DEFINES) else before

    def parts(self, node: ast.stmt, before: Names) -> None:
        """Walk the blocks of any other statement, each as if nothing of it were done yet."""
        for _, value in ast.iter_fields(node):
            for part in value if isinstance(value, list) else []:
                if isinstance(part, (ast.ExceptHandler, ast.match_case)):
                    self.block(part.body, before)
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                self.block(value, before)

    def sure(self, *nodes: ast.AST | None) -> Names:
        return frozenset(name for node in nodes if node is not None for name in bound(node)) - self.unsure
