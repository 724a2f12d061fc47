"""What of a project's module is measured as one program: a class, or a function with the helpers that it calls."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from pipeline.measures.complexity import Complexity, complexity
from pipeline.measures.readability import Readability, readability
from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.draft import shown

CLASS, FUNCTION = "class", "function"
KINDS = CLASS, FUNCTION
_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_PROJECT = "project"
"""What imports of a project from itself come from, whatever module of it that is."""
_OWNERS = frozenset({"self", "cls"})


@dataclass(frozen=True)
class Unit:
    """A class or a function of a module with what it needs of that, and its measures."""

    kind: str
    name: str
    complexity: Complexity
    readability: Readability


def units(text: str, own: Collection[str]) -> Iterator[Unit]:
    """The classes and functions of a module, in the order of the text, each measured as a task's program would be.

    To each belong the imports that it speaks of, to a function those of the module's that it calls, too. `own` are the
    names under which the project imports itself. Raises `SyntaxError`, `ValueError` or `RecursionError` for a text that
    can't be read.
    """
    tree = _Marked(own).visit(ast.parse(shown(text)))
    module = _Module(tree)
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            yield _measured(CLASS, node.name, module.program([node]), _calls_of_own(node))
        elif isinstance(node, _FUNCTIONS):
            yield _measured(FUNCTION, node.name, module.program(module.with_helpers(node)))


def _measured(kind: str, name: str, program: ast.Module, of_class: int | None = None) -> Unit:
    found = complexity(program, {_PROJECT: ast.Module([], [])})
    if of_class is not None:
        found = replace(found, c7=of_class)
    text = ast.unparse(program) + "\n"
    return Unit(kind, name, found, readability([text], [program]))


def _calls_of_own(node: ast.ClassDef) -> int:
    """How many calls in a class are of methods of its own, by way of `self` or `cls`."""
    methods = {one.name for one in node.body if isinstance(one, _FUNCTIONS)}
    called = [one.func for one in walk(node) if isinstance(one, ast.Call)]
    return sum(
        isinstance(one, ast.Attribute) and one.attr in methods and isinstance(one.value, ast.Name)
        and one.value.id in _OWNERS for one in called)


class _Module:
    """A module's functions and imports by the names that they have there."""

    def __init__(self, tree: ast.Module) -> None:
        self.functions: Mapping[str, ast.stmt] = {node.name: node for node in tree.body if isinstance(node, _FUNCTIONS)}
        self.order = {id(node): place for place, node in enumerate(tree.body)}
        self.imports = dict(_imports(tree.body))

    def with_helpers(self, function: ast.stmt) -> list[ast.stmt]:
        """A function and those that it calls, directly or by way of others, in the order of the text."""
        found, waiting = {id(function): function}, [function]
        while waiting:
            for name in _called(waiting.pop()):
                helper = self.functions.get(name)
                if helper is not None and id(helper) not in found:
                    found[id(helper)] = helper
                    waiting.append(helper)
        return sorted(found.values(), key=lambda node: self.order[id(node)])

    def program(self, statements: Sequence[ast.stmt]) -> ast.Module:
        """Statements behind the imports that they speak of."""
        names = {node.id for one in statements for node in walk(one) if isinstance(node, ast.Name)}
        used = [one for name, one in self.imports.items() if name in names]
        return ast.Module([*used, *statements], [])


def _called(node: ast.stmt) -> set[str]:
    return {one.func.id for one in walk(node) if isinstance(one, ast.Call) and isinstance(one.func, ast.Name)}


def _imports(block: Sequence[ast.stmt]) -> Iterator[tuple[str, ast.stmt]]:
    """The imports of a block, and of the blocks of conditions and attempts in it, by the names that they give."""
    for node in block:
        if isinstance(node, ast.Import):
            for alias in node.names:
                yield alias.asname or alias.name.split(".")[0], ast.Import([alias], lineno=0)
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                yield alias.asname or alias.name, ast.ImportFrom(node.module, [alias], node.level, lineno=0)
        elif isinstance(node, (ast.If, ast.Try)):
            handlers = [one for handler in getattr(node, "handlers", ()) for one in handler.body]
            yield from _imports([*node.body, *handlers, *node.orelse])


class _Marked(ast.NodeTransformer):
    """Lets all imports of a project from itself come from one module, so that they are told from libraries."""

    def __init__(self, own: Collection[str]) -> None:
        self.own = own

    def visit_Import(self, node: ast.Import) -> ast.Import:
        for alias in node.names:
            root = alias.name.split(".")[0]
            if root in self.own:
                alias.name, alias.asname = _PROJECT, alias.asname or root
        return node

    def visit_ImportFrom(self, node: ast.ImportFrom) -> ast.ImportFrom:
        if node.level or (node.module or "").split(".")[0] in self.own:
            node.module, node.level = _PROJECT, 0
        return node
