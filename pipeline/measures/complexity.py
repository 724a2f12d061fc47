"""The seven measures of complexity, C1 to C7 (GeneBench, Table 1), over all modules of a program."""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass

from pipeline.transforms.bound_names import COMPREHENSIONS, walk

_FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_COMPOUND = (ast.BoolOp, ast.Compare, ast.BinOp, ast.UnaryOp)
THREADS = frozenset({"Thread", "ThreadPoolExecutor"})
DECORATORS = 2
"""What a decorator counts in C4, as the paper's artefact has it; the paper says "number"."""


@dataclass(frozen=True)
class Complexity:
    """C1 cyclomatic complexity, C2 compound predicates, C3 nesting, C4 structures, C5 calls of libraries, C6 calls
    into the program's other modules, C7 calls of functions of the same module."""

    c1: int = 0
    c2: int = 0
    c3: int = 0
    c4: int = 0
    c5: int = 0
    c6: int = 0
    c7: int = 0

    @property
    def values(self) -> tuple[int, ...]:
        """All seven in their order."""
        return self.c1, self.c2, self.c3, self.c4, self.c5, self.c6, self.c7


def complexity(main: ast.Module, modules: Mapping[str, ast.Module] | None = None) -> Complexity:
    """That of a program: its main module, and further modules of its own by their names."""
    further = modules or {}
    parts = [_module(tree, further.keys()) for tree in (main, *further.values())]
    return Complexity(*(sum(column) for column in zip(*parts, strict=True)))


def _module(tree: ast.Module, own: Collection[str]) -> tuple[int, ...]:
    nodes = list(walk(tree))
    names = _Names(nodes, own)
    functions = [node for node in nodes if isinstance(node, _FUNCTIONS)]
    return (
        sum(1 + sum(map(_decisions, _of_function(one))) for one in functions),
        sum(_predicates(node) for node in nodes),
        _nesting(tree.body, 0),
        sum(map(_structures, nodes)) + sum(names.is_recursive(one) for one in functions),
        *names.calls(),
    )


def _of_function(node: ast.AST) -> Iterator[ast.AST]:
    """What is in a function, without functions in it."""
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, _FUNCTIONS):
            yield child
            yield from _of_function(child)


def _decisions(node: ast.AST) -> int:
    """How many ways more than one a statement opens, as in the control-flow graph of `pipeline.languages`."""
    if isinstance(node, (ast.If, *_LOOPS, ast.ExceptHandler)):
        return 1
    if isinstance(node, ast.Try):
        return int(bool(node.handlers))
    if isinstance(node, ast.Match):
        last = node.cases[-1]
        open_end = isinstance(last.pattern, ast.MatchAs) and last.pattern.pattern is None and last.guard is None
        return len(node.cases) - open_end
    return 0


def _predicates(node: ast.AST) -> int:
    tests: Sequence[ast.expr] = ()
    if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
        tests = [node.test]
    elif isinstance(node, ast.comprehension):
        tests = node.ifs
    return sum(any(isinstance(part, _COMPOUND) for part in walk(test)) for test in tests)


def _nesting(block: Sequence[ast.stmt], depth: int) -> int:
    """The sum over conditions and loops of how many of them stand around each; `elif` is no further level."""
    total = 0
    for node in block:
        nests = isinstance(node, (ast.If, *_LOOPS))
        total += depth if nests else 0
        for field, value in ast.iter_fields(node):
            if not isinstance(value, list):
                continue
            if field == "orelse" and isinstance(node, ast.If) and len(value) == 1 and isinstance(value[0], ast.If):
                total += _nesting(value, depth) - depth
            elif value and isinstance(value[0], ast.stmt):
                total += _nesting(value, depth + nests)
            else:
                inner = [part.body for part in value if isinstance(part, (ast.ExceptHandler, ast.match_case))]
                total += sum(_nesting(body, depth) for body in inner)
    return total


def _structures(node: ast.AST) -> int:
    if isinstance(node, (*COMPREHENSIONS, ast.Lambda)):
        return 1
    if isinstance(node, ast.List):
        return int(isinstance(node.ctx, ast.Load))
    if isinstance(node, ast.Call):
        return int(isinstance(node.func, (ast.Name, ast.Attribute)) and _last(node.func) in THREADS)
    if isinstance(node, (*_FUNCTIONS, ast.ClassDef)):
        return DECORATORS * len(node.decorator_list)
    return 0


def _last(node: ast.Name | ast.Attribute) -> str:
    return node.id if isinstance(node, ast.Name) else node.attr


class _Names:
    """What a module's names are: imported from elsewhere, from another module of the program, or functions of it."""

    def __init__(self, nodes: Sequence[ast.AST], own: Collection[str]) -> None:
        self.functions = {node.name for node in nodes if isinstance(node, _FUNCTIONS)}
        self.further: set[str] = set()
        self.libraries: set[str] = set()
        calls = [node.func for node in nodes if isinstance(node, ast.Call)]
        self.roots = [_root(called) for called in calls]
        self.direct = [called.id for called in calls if isinstance(called, ast.Name)]
        for node in nodes:
            if isinstance(node, ast.Import):
                for alias in node.names:
                    self._add(alias.name, alias.asname or alias.name.split(".")[0], own)
            elif isinstance(node, ast.ImportFrom):
                for alias in node.names:
                    self._add(node.module or "", alias.asname or alias.name, own)

    def _add(self, module: str, name: str, own: Collection[str]) -> None:
        (self.further if module in own else self.libraries).add(name)

    def calls(self) -> tuple[int, int, int]:
        """C5, C6 and C7."""
        return (
            sum(root in self.libraries for root in self.roots), sum(root in self.further for root in self.roots),
            sum(name in self.functions for name in self.direct),
        )

    def is_recursive(self, function: ast.FunctionDef | ast.AsyncFunctionDef) -> bool:
        """Whether a function calls itself by its name."""
        return function.name in self.direct and any(
            isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == function.name
            for node in walk(function))


def _root(node: ast.expr) -> str:
    while isinstance(node, ast.Attribute):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""
