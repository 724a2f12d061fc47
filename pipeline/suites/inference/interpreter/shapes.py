"""Which axes of the arrays of a function are equally long, and which arrays hold places along them, from the body."""

from __future__ import annotations

import ast
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace

from pipeline.suites.inference.interpreter.axes import Axes
from pipeline.suites.inference.interpreter.lengths import (
    FILLED,
    MASKS,
    MATRIX,
    ORDERED,
    REDUCED,
    SAME,
    TOGETHER,
    TRUTH,
    Entry,
    Lengths,
    Place,
    Shaped,
    Shapes,
    Size,
    Value,
    adds_axis,
    given,
    number,
)
from pipeline.suites.subject import full_name


def shapes_of(function: ast.FunctionDef, names: Mapping[str, str], known: Mapping[str, Sequence[int | str]],
              sparse: Collection[str] = ()) -> Shapes:
    """What the body of a function says of the parameters whose axes are `known` by their lengths.

    A length is a number, a name, or "" where nothing is known of it; no axes at all stand for any number of them.
    What is multiplied with one of the `sparse` ones goes through a matrix product.
    """
    reader = _Reader(dict(names), {name: given(name, lengths) for name, lengths in known.items()}, sparse)
    reader.block(function.body)
    return reader.found


class _Reader(Axes):
    """Follows arrays and lengths through the statements in the order of the text."""

    def __init__(self, names: dict[str, str], scope: Mapping[str, Value], sparse: Collection[str] = ()) -> None:
        super().__init__(sparse)
        self.names = names
        self.scope: dict[str, Value] = dict(scope)

    def block(self, body: Sequence[ast.stmt]) -> None:
        for statement in body:
            self.visit(statement)

    # statements

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.read(node.value)
        for target in node.targets:
            self._bind(target, value, node.value)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        self._together([self.read(node.target), self.read(node.value)])

    def visit_Expr(self, node: ast.Expr) -> None:
        self.read(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        self.read(node.value)

    def visit_If(self, node: ast.If) -> None:
        self.read(node.test)
        before = dict(self.scope)
        self.block(node.body)
        after, self.scope = self.scope, dict(before)
        self.block(node.orelse)
        for name, value in after.items():
            if self.scope.get(name) is before.get(name):
                self.scope[name] = value

    def visit_While(self, node: ast.While) -> None:
        self.read(node.test)
        self.block([*node.body, *node.orelse])

    def visit_For(self, node: ast.For) -> None:
        self._loop(node.target, node.iter)
        self.block([*node.body, *node.orelse])

    def generic_visit(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.read(child)
            else:
                self.visit(child)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        """What is inside speaks of other parameters."""

    def _bind(self, target: ast.expr, value: Value, node: ast.expr | None = None) -> None:
        if isinstance(target, ast.Name):
            self.scope[target.id] = value
        elif isinstance(target, (ast.Tuple, ast.List)):
            parts: list[Value] = [None] * len(target.elts)
            if isinstance(node, (ast.Tuple, ast.List)) and len(node.elts) == len(target.elts):
                parts = [self.read(one) for one in node.elts]
            elif isinstance(value, Lengths):
                parts = [Size(dim) for dim in self._axes(value.of, len(target.elts))]
            for one, part in zip(target.elts, parts, strict=True):
                self._bind(one, part)
        elif isinstance(target, ast.Subscript):
            self._together([self.read(target), value])

    def _loop(self, target: ast.expr, iterated: ast.expr) -> None:
        call = iterated if isinstance(iterated, ast.Call) else None
        name = full_name(call.func, self.names) if call is not None else ""
        parts = target.elts if isinstance(target, ast.Tuple) else []
        if call is not None and name == "zip":
            held = [self.read(one) for one in call.args]
            self._same_first(held)
            for one, value in zip(parts, held, strict=False):
                self._bind(one, self._row(value))
        elif call is not None and name == "enumerate" and len(parts) == 2 and call.args:
            value = self.read(call.args[0])
            first = self._axis(value, 0)
            self._bind(parts[0], Place(first) if first else None)
            self._bind(parts[1], self._row(value))
        elif call is not None and name in ("range", "numpy.arange") and call.args:
            limit = [self.read(one) for one in call.args][-1 if len(call.args) < 3 else 1]
            self._bind(target, Place(limit.dim) if isinstance(limit, Size) else None)
        else:
            self._bind(target, self._row(self.read(iterated)))

    # expressions

    def read(self, node: ast.expr | None) -> Value:
        """The array, length or place that an expression gives, None where nothing is known."""
        if node is None:
            return None
        see: Callable[[ast.expr], Value] | None = getattr(self, f"_see_{type(node).__name__}", None)
        if see is not None:
            return see(node)
        self.generic_visit(node)
        return None

    def _see_Name(self, node: ast.Name) -> Value:
        return self.scope.get(node.id)

    def _see_Attribute(self, node: ast.Attribute) -> Value:
        value = self.read(node.value)
        if not isinstance(value, Shaped):
            return None
        if node.attr == "shape":
            return Lengths(value)
        if node.attr == "size" and self._rank(value) < 2 and self._axis(value, 0):
            return Size(self._axis(value, 0))
        if node.attr == "T":
            self.found.ranks.update({value.source: 2} if value.dims is None and value.source else {})
            return Shaped(value.dims[::-1] if value.dims is not None else None)
        return Shaped(value.dims) if node.attr in ("real", "imag", "values") else None

    def _see_UnaryOp(self, node: ast.UnaryOp) -> Value:
        value = self.read(node.operand)
        if isinstance(node.op, ast.Invert) and isinstance(value, Shaped):
            return Shaped(value.dims, value.whole, True, value.source)
        return Shaped(value.dims, source=value.source) if isinstance(value, Shaped) else None

    def _see_BinOp(self, node: ast.BinOp) -> Value:
        left, right = self.read(node.left), self.read(node.right)
        if isinstance(node.op, ast.MatMult):
            return self._product(left, right)
        if isinstance(node.op, ast.Mult) and self._sparse(left) and isinstance(right, Shaped):
            return self._product(left, self._as_vector(right))
        made = self._together([left, right])
        masks = any(isinstance(one, Shaped) and one.mask for one in (left, right))
        logical = isinstance(node.op, (ast.BitAnd, ast.BitOr, ast.BitXor)) and masks
        return replace(made, mask=True) if logical and isinstance(made, Shaped) else made

    def _see_Compare(self, node: ast.Compare) -> Value:
        held = [self.read(one) for one in (node.left, *node.comparators)]
        if isinstance(held[0], Size) and isinstance(held[1], Size):
            self.found.unify(held[0].dim, held[1].dim)
        if isinstance(held[0], Lengths) and isinstance(held[1], Lengths):
            one, other = held[0].of, held[1].of
            self.found.match(one.source, other.source)
            count = self._rank(one) or self._rank(other) or 2
            for left, right in zip(self._axes(one, count), self._axes(other, count), strict=True):
                self.found.unify(left, right)
        made = None if isinstance(node.ops[0], (ast.Is, ast.IsNot, ast.In, ast.NotIn)) else self._together(held)
        return replace(made, mask=True) if isinstance(made, Shaped) else None

    def _see_IfExp(self, node: ast.IfExp) -> Value:
        self.read(node.test)
        body, other = self.read(node.body), self.read(node.orelse)
        return body or other

    def _see_ListComp(self, node: ast.ListComp) -> Value:
        outer = dict(self.scope)
        for generator in node.generators:
            self._loop(generator.target, generator.iter)
            for test in generator.ifs:
                self.read(test)
        self.read(node.elt)
        self.scope = outer
        return None

    def _see_Subscript(self, node: ast.Subscript) -> Value:
        value = self.read(node.value)
        if isinstance(value, Lengths):
            place = number(node.slice)
            dim = self._axis(value.of, place) if place is not None else ""
            return Size(dim) if dim else None
        if not isinstance(value, Shaped):
            self.read(node.slice)
            return None
        return self._indexed(value, node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice])

    def _indexed(self, value: Shaped, indices: Sequence[ast.expr]) -> Value:
        place, made, known = 0, list[str](), True
        if len(indices) == 1 and value.whole and self._rank(value) < 2 and isinstance(indices[0], ast.Name):
            at = self.read(indices[0])
            if isinstance(at, Place):
                self.found.unify(at.dim, self._axis(value, 0))
                return Entry(value.whole)
        for index in indices:
            if adds_axis(index):
                made.append("=1")
                continue
            if isinstance(index, ast.Constant) and index.value is Ellipsis:
                known = False
                continue
            dim = self._axis(value, place) if known else ""
            place += 1
            if isinstance(index, ast.Slice):
                whole = index.lower is None and index.upper is None and index.step is None
                made.append(dim if whole and dim else self.new())
                continue
            at = self.read(_moved(index))
            if isinstance(at, Place) and dim:
                self.found.unify(at.dim, dim)
            if isinstance(at, Shaped):
                place, chosen = self._chosen(value, at, dim, place)
                made += chosen
        if value.dims is None or not known:
            return None
        return Shaped((*made, *value.dims[place:]))

    def _chosen(self, value: Shaped, at: Shaped, dim: str, place: int) -> tuple[int, list[str]]:
        """The axes that an array as an index leaves, with the next axis that is not indexed."""
        if value.whole:
            self.found.arrays.add(value.whole)
        if at.mask or at.whole in self.found.masks or "mask" in at.whole.lower():
            if at.whole:
                self.found.masks.add(at.whole)
            first = self._axis(value, place - 1)
            if at.dims is None and value.dims is None:
                self.found.match(at.source, value.source)
            elif at.dims is None and at.source and first:
                self.found.rows.setdefault(at.source, first)
            count = max(1, self._rank(at))
            for axis in range(count):
                mine, other = self._axis(value, place - 1 + axis), self._axis(at, axis)
                if mine and other:
                    self.found.unify(mine, other)
            return place - 1 + count, [self.new()]
        if at.whole and dim:
            self.found.into.setdefault(at.whole, dim)
        return place, list(at.dims) if at.dims is not None else [self._axis(at, 0) or self.new()]

    # calls

    def _see_Call(self, node: ast.Call) -> Value:
        name = full_name(node.func, self.names)
        held = [self.read(one) for one in node.args]
        for keyword in node.keywords:
            value = self.read(keyword.value)
            if keyword.arg == "weights" and isinstance(value, Shaped) and held:
                self.found.weights.update([value.whole] if value.whole else [])
                self._together([held[0], value])
        if name == "len" and held:
            dim = self._axis(held[0], 0)
            return Size(dim) if dim else None
        if name == "zip":
            self._same_first(held)
        if name == "int" and held and isinstance(held[0], (Entry, Place)):
            return held[0]
        last = name.rsplit(".", 1)[-1]
        if isinstance(node.func, ast.Attribute) and not name.startswith(("numpy.", "scipy.")):
            owner = self.read(node.func.value)
            last = node.func.attr
            return self._applied(last, [owner, *held], node) if isinstance(owner, Shaped) else None
        return self._applied(last, held, node) if name.startswith(("numpy.", "scipy.")) else None

    def _applied(self, last: str, held: list[Value], node: ast.Call) -> Value:
        first = held[0] if held else None
        if last in SAME and isinstance(first, Shaped):
            mask = last in MASKS
            whole = first.whole if last in ("asarray", "array", "asanyarray") else ""
            return Shaped(first.dims, whole, mask or first.mask, first.source)
        if last in TOGETHER:
            made = self._together(held)
            return Shaped(made.dims, mask=last in TRUTH, source=made.source) if isinstance(made, Shaped) else None
        if last in ("dot", "matmul", "inner", "vdot") and len(held) == 2:
            return self._product(held[0], held[1])
        if last in ORDERED and len(held) > ORDERED[last]:
            self._in_order(last, held)
            return None
        if last in MATRIX or last in ("solve", "lstsq"):
            return self._of_matrix(last, held)
        if last in ("argmax", "argmin") and len(node.args) + len(node.keywords) < 2 and self._rank(first) < 2:
            dim = self._axis(first, 0)
            return Place(dim) if dim else None
        if last in REDUCED and isinstance(first, Shaped):
            return self._reduced(first, node)
        if last in FILLED or last == "arange":
            return self._filled(node)
        if last == "transpose" and isinstance(first, Shaped) and len(held) == 1:
            return Shaped(first.dims[::-1] if first.dims is not None else None)
        if last in ("column_stack", "vstack", "bincount", "polyfit"):
            self._joined(last, held, node)
        return None

    def _in_order(self, last: str, held: list[Value]) -> None:
        bins = held[ORDERED[last]]
        if isinstance(bins, Shaped) and bins.whole:
            self.found.ordered.add(bins.whole)
        if last == "interp" and len(held) > 2:
            self._same_first(held[1:3])
        elif ORDERED[last] == 0 and last != "searchsorted":
            self._same_first([self._as_vector(one) for one in held[:2] if isinstance(one, Shaped)])

    def _of_matrix(self, last: str, held: list[Value]) -> Value:
        first = held[0] if held else None
        if isinstance(first, Shaped) and self._rank(first) >= 2 and last != "lstsq":
            self.found.unify(self._axis(first, -1), self._axis(first, -2))
        if last in ("solve", "lstsq") and len(held) > 1:
            self._same_first(held[:2])
            return None
        return first if last in ("inv", "cholesky", "matrix_power", "expm", "logm", "sqrtm") else None

    def _reduced(self, value: Shaped, node: ast.Call) -> Value:
        axis = next((one.value for one in node.keywords if one.arg == "axis"), None)
        kept = any(one.arg == "keepdims" for one in node.keywords)
        place = number(axis) if axis is not None else None
        if value.dims is None or place is None or not -len(value.dims) <= place < len(value.dims):
            return None
        dims = list(value.dims)
        dims[place : place + 1 or None] = ["=1"] if kept else []
        return Shaped(tuple(dims))

    def _filled(self, node: ast.Call) -> Value:
        if not node.args or len(node.args) > 2:
            return None
        sizes = node.args[0].elts if isinstance(node.args[0], ast.Tuple) else [node.args[0]]
        dims = []
        for one in sizes:
            value, known = self.read(one), number(one)
            if isinstance(value, Lengths):
                return Shaped(value.of.dims)
            dims.append(value.dim if isinstance(value, Size) else f"={known}" if known else self.new())
        return Shaped(tuple(dims))

    def _joined(self, last: str, held: list[Value], node: ast.Call) -> None:
        parts = held
        if node.args and isinstance(node.args[0], (ast.Tuple, ast.List)):
            parts = [self.read(one) for one in node.args[0].elts]
        if last == "vstack":
            lasts = [one for value in parts if self._rank(value) and (one := self._axis(value, -1))]
            for other in lasts[1:]:
                self.found.unify(lasts[0], other)
        elif last in ("column_stack", "bincount", "polyfit"):
            self._same_first(parts)


def _moved(index: ast.expr) -> ast.expr:
    """What an index is but for a constant that is added to it or taken from it."""
    match index:
        case ast.BinOp(ast.Name() as base, ast.Add() | ast.Sub(), ast.Constant(int())):
            return base
    return index
