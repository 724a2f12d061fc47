"""Where values come from: parameters followed through assignments, loops and comprehensions."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.suites.inference.evidence.library_signatures import SAME_TYPE_METHODS
from pipeline.suites.subject import full_name

_SAME_VALUE = frozenset(
    "list tuple sorted set frozenset str dict round math.floor math.ceil reversed iter bytes bytearray int float abs"
    " copy.copy copy.deepcopy collections.Counter collections.deque collections.OrderedDict numpy.asarray numpy.array"
    " typing.cast pathlib.Path decimal.Decimal fractions.Fraction".split()
)
_SAME_METHODS = SAME_TYPE_METHODS | frozenset("split splitlines rsplit encode decode tolist keys as_posix".split())
MOST_PASSES = 6
"""How many parameters that a loop goes over are followed."""


@dataclass(frozen=True)
class Origin:
    """Where a value comes from: a parameter, or its `item`, `key`, `value`, `length`, `columns` or `shape`."""

    name: str
    part: str = "whole"


class Origins(ast.NodeVisitor):
    """Follows parameters: what an expression is made of, as far as it is one parameter."""

    def __init__(self, function: ast.FunctionDef, names: dict[str, str]) -> None:
        arguments = function.args
        self.parameters = [a.arg for a in (*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs)]
        self.names = names
        self.origins = {name: Origin(name) for name in self.parameters}
        self.indexed: dict[str, str] = {}

    def block(self, body: list[ast.stmt]) -> None:
        """Read a block."""
        for statement in body:
            self.visit(statement)

    def origin(self, node: ast.expr | None) -> Origin | None:
        """What an expression is made of, as far as it is one parameter."""
        match node:
            case ast.Name(name):
                return self.origins.get(name)
            case ast.NamedExpr(_, value) | ast.Starred(value):
                return self.origin(value)
            case ast.BoolOp(_, values):
                return self.origin(values[0])
            case ast.IfExp(_, body, other):
                return self.origin(body) or self.origin(other)
            case ast.Subscript(ast.Attribute(value, "shape"), ast.Constant(0)) | ast.Attribute(value, "size"):
                return self._length(value)
            case ast.Attribute(value, "columns" | "shape" as part):
                origin = self.origin(value)
                return Origin(origin.name, part) if origin is not None and origin.part == "whole" else None
            case ast.Subscript(ast.Attribute(value, "shape"), _) | ast.Attribute(value, "ndim"):
                origin = self.origin(value)
                return Origin(origin.name, "shape") if origin is not None and origin.part == "whole" else None
            case ast.Subscript(value, ast.Slice()):
                return self.origin(value)
            case ast.Subscript(value, _):
                return self.item(self.origin(value))
            case ast.Call():
                return self._called(node)
            case ast.ListComp(element, [first, *_]) | ast.SetComp(element, [first, *_]):
                return self._collected(element, first)
            case ast.GeneratorExp(element, [first, *_]):
                return self._collected(element, first)
            case ast.JoinedStr(values):
                parts = [self.origin(part.value) for part in values if isinstance(part, ast.FormattedValue)]
                return next((part for part in reversed(parts) if part is not None), None)
            case ast.BinOp(left, ast.Sub() | ast.Add(), ast.Constant()):
                return self.origin(left)
            case ast.BinOp(ast.Constant(str()), ast.Add(), right):
                return self.origin(right)
        return None

    def _collected(self, element: ast.expr, first: ast.comprehension) -> Origin | None:
        """What a comprehension holds: things of what it goes over, or slices of something else."""
        if isinstance(element, (ast.Constant, ast.Compare)):
            return None
        return self.origin(first.iter) or (self.origin(element) if isinstance(element, ast.Subscript) else None)

    def _called(self, node: ast.Call) -> Origin | None:
        name = full_name(node.func, self.names)
        if name == "len" and node.args:
            return self._length(node.args[0])
        if name in _SAME_VALUE and node.args:
            return self.origin(node.args[-1] if name == "typing.cast" else node.args[0])
        if name in ("map", "filter") and len(node.args) == 2:
            return self.origin(node.args[1])
        if isinstance(node.func, ast.Attribute):
            origin = self.origin(node.func.value)
            if node.func.attr in _SAME_METHODS or node.func.attr in ("items", "values"):
                return origin
            if node.func.attr == "get":
                return self.item(origin)
        return None

    def _length(self, node: ast.expr) -> Origin | None:
        origin = self.origin(node)
        return Origin(origin.name, "length") if origin and origin.part == "whole" else None

    @staticmethod
    def item(origin: Origin | None) -> Origin | None:
        """The origin of what a value holds."""
        return Origin(origin.name, "item") if origin is not None and origin.part not in ("length", "shape") else None

    def visit_Assign(self, node: ast.Assign) -> None:
        """A name comes from what it is bound to."""
        self.visit(node.value)
        for target in node.targets:
            self._bind(target, node.value)
            if not isinstance(target, ast.Name):
                self.visit(target)

    def visit_AnnAssign(self, node: ast.AnnAssign) -> None:
        """A name comes from what it is bound to."""
        if node.value is not None:
            self.visit(node.value)
            self._bind(node.target, node.value)

    def _bind(self, target: ast.expr, value: ast.expr) -> None:
        if isinstance(target, ast.Name):
            origin = self.origin(value)
            if origin is not None:
                self.origins[target.id] = origin
            elif target.id not in self.parameters:
                self.origins.pop(target.id, None)
        elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            for one, other in zip(target.elts, value.elts, strict=True):
                self._bind(one, other)
        elif isinstance(target, ast.Tuple):
            origin = self.origin(value)
            self._place(target, self.item(origin) if origin is not None and origin.part != "length" else None)

    def _passes(self, target: ast.expr, iterated: ast.expr) -> Iterator[None]:
        """A loop, once; over parameters that stand side by side once for each."""
        self._loop(target, iterated)
        shown = iterated.elts if isinstance(iterated, (ast.Tuple, ast.List, ast.Set)) else []
        found = [origin for one in shown[:MOST_PASSES] if (origin := self.origin(one)) is not None]
        if not isinstance(target, ast.Name) or not found:
            yield
            return
        for origin in found:
            self.origins[target.id] = origin
            yield

    def _loop(self, target: ast.expr, iterated: ast.expr) -> None:
        self.visit(iterated)
        call = iterated if isinstance(iterated, ast.Call) else None
        name = full_name(call.func, self.names) if call is not None else ""
        parts = target.elts if isinstance(target, ast.Tuple) else []
        if call is not None and name in ("zip", "itertools.zip_longest", "itertools.product") and parts:
            for one, source in zip(parts, call.args, strict=False):
                self._place(one, self.item(self.origin(source)))
        elif call is not None and name == "enumerate" and len(parts) == 2 and call.args:
            origin = self.origin(call.args[0])
            self._place(parts[1], self.item(origin))
            if origin is not None and isinstance(parts[0], ast.Name):
                self.indexed[parts[0].id] = origin.name
        elif call is not None and name == "range" and isinstance(target, ast.Name):
            limit = self.origin(call.args[-1 if len(call.args) < 3 else 1]) if call.args else None
            if limit is not None and limit.part == "length":
                self.indexed[target.id] = limit.name
        elif call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "groupby" and parts:
            self._place(parts[-1], self.origin(call.func.value))
        elif call is not None and isinstance(call.func, ast.Attribute) and call.func.attr == "items":
            for part in parts:
                self._place(part, self.item(self.origin(call.func.value)))
        else:
            for one in parts or [target]:
                self._place(one, self.item(self.origin(iterated)))

    def _place(self, target: ast.expr, origin: Origin | None) -> None:
        if isinstance(target, ast.Name):
            if origin is not None:
                self.origins[target.id] = origin
        elif isinstance(target, ast.Tuple):
            for part in target.elts:
                self._place(part, origin)

    def _comprehension(self, generators: list[ast.comprehension], parts: list[ast.expr]) -> None:
        outer = dict(self.origins)
        for _ in self._passes(generators[0].target, generators[0].iter):
            for place, generator in enumerate(generators):
                if place:
                    self._loop(generator.target, generator.iter)
                for test in generator.ifs:
                    self.visit(test)
            for part in parts:
                self.visit(part)
        self.origins = outer

    def visit_ListComp(self, node: ast.ListComp) -> None:
        """What it goes over, inside of it."""
        self._comprehension(node.generators, [node.elt])

    def visit_SetComp(self, node: ast.SetComp) -> None:
        """What it goes over, inside of it."""
        self._comprehension(node.generators, [node.elt])

    def visit_GeneratorExp(self, node: ast.GeneratorExp) -> None:
        """What it goes over, inside of it."""
        self._comprehension(node.generators, [node.elt])

    def visit_DictComp(self, node: ast.DictComp) -> None:
        """What it goes over, inside of it."""
        self._comprehension(node.generators, [node.key, node.value])
