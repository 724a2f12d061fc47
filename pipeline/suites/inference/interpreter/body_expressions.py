"""Reading expressions: what is done to each value, and to what comes out of it, becomes clues."""

from __future__ import annotations

import ast
from abc import ABC, abstractmethod
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from pipeline.suites.inference.clues import Clue
from pipeline.suites.inference.evidence import library_signatures
from pipeline.suites.inference.interpreter import body_arrays, body_frames, body_texts, body_types
from pipeline.suites.inference.interpreter.body_calls import visit_call
from pipeline.suites.inference.interpreter.body_methods import alike
from pipeline.suites.inference.interpreter.body_operators import as_whole, compare, constant, constants, operate
from pipeline.suites.subject import full_name

_TESTS_OF_CELLS = frozenset(f"numpy.{name}" for name in library_signatures.functions("truth", "truth of two"))
_FORMATTED = {**dict.fromkeys("dxXbo", "int"), **dict.fromkeys("feg%", "number")}
"""What is formatted in a style."""


class Expressions(ABC):
    """Reads expressions, in a scope that says what each local name stands for."""

    def __init__(self, name: str, names: dict[str, str]) -> None:
        self.name = name
        self.names = names
        self.types: dict[str, ast.expr] = {}
        self.dates: list[str] = []
        self.scope: dict[str, Clue] = {}
        self.parameters: dict[str, Clue] = {}
        self.functions: dict[str, list[Clue]] = {}
        self.keywords: dict[str, dict[str, Clue]] = {}
        self.looked_for: set[tuple[str, str]] = set()
        self.literals: dict[str, list[str]] = {}
        self.masks: set[str] = set()
        self.cuts: dict[str, ast.expr] = {}
        self.counters: dict[str, int] = {}

    @abstractmethod
    def statements(self, body: list[ast.stmt]) -> None:
        """Read a block."""

    @abstractmethod
    def bind(self, target: ast.expr, clue: Clue, value: ast.expr | None = None) -> None:
        """Let a target stand for a value."""

    @abstractmethod
    def looped(self, target: ast.expr, values: ast.expr) -> None:
        """Note what a name stands for in a loop."""

    @abstractmethod
    def declare(self, arguments: ast.arguments) -> dict[str, Clue]:
        """Fresh clues for the parameters of a function."""

    @abstractmethod
    def branch(self) -> AbstractContextManager[dict[str, Clue]]:
        """A block that may not run."""

    def _generic(self, node: ast.AST) -> None:
        for child in ast.iter_child_nodes(node):
            if isinstance(child, ast.expr):
                self.read(child)
            elif isinstance(child, ast.stmt):
                self.statements([child])
            elif isinstance(child, (ast.match_case, ast.withitem, ast.ExceptHandler)):
                self._generic(child)

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression's value, after noting all that the expression tells."""
        if node is None:
            return Clue()
        visit: Callable[[Any], Clue] | None = getattr(self, f"_see_{type(node).__name__}", None)
        if visit is not None:
            return visit(node)
        self._generic(node)
        return Clue()

    def _see_Name(self, node: ast.Name) -> Clue:
        return self.scope.get(node.id) or Clue()

    def _see_NamedExpr(self, node: ast.NamedExpr) -> Clue:
        clue = self.read(node.value)
        self.bind(node.target, clue)
        return clue

    def _see_Constant(self, node: ast.Constant) -> Clue:
        clue = Clue()
        if node.value is None:
            clue.none = True
        elif not isinstance(node.value, type(Ellipsis)):
            clue.vote(type(node.value).__name__, weight=1)
        return clue

    def _see_JoinedStr(self, node: ast.JoinedStr) -> Clue:
        for part in node.values:
            if isinstance(part, ast.FormattedValue):
                inner = self.read(part.value)
                formatted = (
                    part.format_spec.values[0]
                    if isinstance(part.format_spec, ast.JoinedStr) and part.format_spec.values
                    else None
                )
                if isinstance(formatted, ast.Constant) and isinstance(formatted.value, str):
                    kind = _FORMATTED.get(formatted.value[-1:])
                    if kind:
                        inner.vote(kind, f"it is formatted as {formatted.value}")
        clue = Clue()
        clue.vote("str", weight=1)
        return clue

    def _display(self, kind: str, node: ast.List | ast.Tuple | ast.Set) -> Clue:
        clue = Clue()
        clue.vote(kind, weight=1)
        clue.local = "" if kind == "tuple" else "list"
        for element in node.elts:
            if isinstance(element, ast.Starred):
                self.iterate(element.value).same.append(clue.items())
            else:
                clue.items().peers.append(self.read(element))
        return clue

    def _see_List(self, node: ast.List) -> Clue:
        return self._display("list", node)

    def _see_Tuple(self, node: ast.Tuple) -> Clue:
        return self._display("tuple", node)

    def _see_Set(self, node: ast.Set) -> Clue:
        return self._display("set", node)

    def _see_Dict(self, node: ast.Dict) -> Clue:
        clue = Clue(local="dict")
        clue.vote("dict", weight=1)
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                self.read(value).vote("dict", "it is merged into a dict")
                continue
            clue.keys().peers.append(self.read(key))
            clue.values().peers.append(self.read(value))
        return clue

    def _see_Subscript(self, node: ast.Subscript) -> Clue:
        clue = self.read(node.value)
        index = node.slice
        last = self.counters.get(index.id) if isinstance(index, ast.Name) else None
        if clue.about is not None and clue.about.what == "shape":
            return body_arrays.length(clue.about, index if last is None else ast.Constant(last))
        if (
            isinstance(index, ast.UnaryOp)
            and isinstance(index.op, ast.USub)
            and isinstance(index.operand, ast.Constant)
        ):
            clue.vote("sequence", "it is indexed from its end", 2)
            place: Any = index.operand.value
            return clue.from_end(place) if type(place) is int and 1 <= place <= 2 else clue.items()
        if isinstance(index, ast.Constant):
            return self._constant_index(clue, index.value, isinstance(node.ctx, ast.Load))
        if isinstance(index, ast.Slice):
            clue.vote("sequence", "it is sliced", 2)
            clue.vote("sliced", weight=1)
            self._bounds(index)
            return clue
        if isinstance(index, ast.Tuple):
            return self._along_axes(node, clue, index)
        asked = (ast.unparse(node.value), ast.unparse(index)) in self.looked_for
        key = self.read(index)
        for name in constants(index) if isinstance(index, ast.List) else []:
            clue.field(name, True)
        if isinstance(index, ast.List) or self._is_mask(index):
            clue.vote("array", "several of its items are chosen", 2)
            return clue
        clue.vote("container", "it is subscripted", 1)
        if key.votes.get("array", 0) > 1 and not key.votes.keys() & {"str", "dict"}:
            clue.vote("array", "an array chooses its items", 2)
        if key is clue.item:
            clue.vote("dict", "what it gives is its subscript", 4)
        if asked:
            clue.vote("dict", "what is looked for in it is its subscript", 2)
        key.vote("hashable", weight=1)
        key.vote("subscript", weight=1)
        as_whole(key)
        if clue.local == "dict":
            key.vote("key", weight=1)
        key.peers.append(clue.keys())
        clue.keys().peers.append(key)
        return clue.elements()

    def _along_axes(self, node: ast.Subscript, clue: Clue, index: ast.Tuple) -> Clue:
        """What places along several axes give, after noting how many there are and how long they have to be."""
        labels = isinstance(node.value, ast.Attribute) and node.value.attr in ("loc", "at")
        for element in index.elts:
            if isinstance(element, ast.Slice):
                self._bounds(element)
                continue
            place = self.read(element)
            if isinstance(element, ast.Name) and not (place.parameter or labels):
                place.vote("int", "it is a place along an axis", 1)
                as_whole(place)
        if not index.elts:
            return clue
        clue.vote("array", "it has several axes", 2)
        # `x[i, ]` is a row of several.
        clue.axes = max(clue.axes, body_arrays.axes_of(index) + (len(index.elts) == 1))
        named = constant(index.elts[-1])
        if isinstance(named, str):
            return clue.field(named, True)
        return clue.items()

    def _bounds(self, node: ast.Slice) -> None:
        """Note that what bounds a slice is whole, and what it is reckoned from."""
        for part in (node.lower, node.upper, node.step):
            bound = self.read(part)
            bound.vote("int", "it is a bound of a slice")
            as_whole(bound)

    def _constant_index(self, clue: Clue, value: Any, loaded: bool) -> Clue:
        if isinstance(value, int) and not isinstance(value, bool):
            clue.vote("sequence", f"its item {value} is read", 2)
            return clue.items() if value > 3 else clue.position(value)
        clue.vote("dict", f"its key {value!r} is read", 4)
        return clue.field(value, loaded)

    def _see_Attribute(self, node: ast.Attribute) -> Clue:
        if full_name(node, self.names).split(".")[0] in self.names.values() and not isinstance(node.value, ast.Call):
            return Clue()
        clue = self.read(node.value)
        if isinstance(node.value, ast.Name) and node.value.id not in self.scope:
            return Clue()
        kind = "frame" if node.attr == "index" else library_signatures.READ_KINDS.get(node.attr, "object")
        known = body_arrays.member(clue, node.attr)
        if clue.about is not None and known is not None:
            return known
        clue.vote(kind, f"its member {node.attr} is read")
        alike(clue, kind, node.attr)
        result = known or body_frames.member(clue, node.attr, kind) or Clue()
        if kind in ("date", "datetime", "timedelta"):
            result.vote("int", weight=1)
        return result

    def _see_UnaryOp(self, node: ast.UnaryOp) -> Clue:
        clue = self.read(node.operand)
        if isinstance(node.op, (ast.USub, ast.UAdd)):
            clue.vote("number", "it is negated")
        elif isinstance(node.op, ast.Invert):
            clue.vote("int", "its bits are inverted")
        else:
            return Clue()
        return clue

    def _see_BoolOp(self, node: ast.BoolOp) -> Clue:
        joined = Clue()
        before = dict(self.scope)
        for operand in node.values:
            narrowed = self.condition(operand)
            clue = self.read(operand)
            joined.peers.append(clue)
            self.scope.update(narrowed[isinstance(node.op, ast.And)])
            if isinstance(operand, ast.Name) or isinstance(node.op, ast.Or) or operand is node.values[-1]:
                clue.same.append(joined)
        self.scope.update(before)
        return joined

    def _see_IfExp(self, node: ast.IfExp) -> Clue:
        narrowed = self.condition(node.test)
        joined = Clue()
        before = dict(self.scope)
        for outcome, part in ((True, node.body), (False, node.orelse)):
            self.scope.update(narrowed[outcome])
            self.read(part).same.append(joined)
            self.scope.update(before)
        return joined

    def _see_BinOp(self, node: ast.BinOp) -> Clue:
        body_frames.asked(self, (node.left, node.right))
        left, right = self.read(node.left), self.read(node.right)
        result = operate(node.op, left, right, node.left, node.right)
        if result is not left and result is not right:
            named = [clue for clue, side in ((left, node.left), (right, node.right)) if isinstance(side, ast.Name)]
            result.like = named[0] if named else None
        return result

    def _see_Compare(self, node: ast.Compare) -> Clue:
        operands = [node.left, *node.comparators]
        body_types.compared_types(self, operands)
        body_texts.compared_letters(self, operands)
        body_frames.asked(self, operands)
        clues = [self.read(operand) for operand in operands]
        body_types.compared_with_classes(operands, clues, self.scope)
        for i, op in enumerate(node.ops):
            if isinstance(op, (ast.In, ast.NotIn)):
                self.looked_for.add((ast.unparse(operands[i + 1]), ast.unparse(operands[i])))
                left = operands[i]
                looped = self.literals.get(left.id, []) if isinstance(left, ast.Name) else []
                for text in looped if not clues[i + 1].votes.get("str") else []:
                    clues[i + 1].items().constant(text)
            compare(op, (clues[i], operands[i]), (clues[i + 1], operands[i + 1]))
            body_texts.compared_part(self, operands[i], operands[i + 1])
            body_arrays.compared((clues[i], operands[i]), (clues[i + 1], operands[i + 1]), self.names)
        result = Clue()
        result.vote("bool", weight=1)
        return result

    def condition(self, test: ast.expr) -> body_types.Narrowed:
        """Read a test; for each outcome, what names stand for where it narrows them."""
        return body_types.condition(self, test)

    def kinds(self, node: ast.expr) -> list[str]:
        """The kinds that the second argument of `isinstance` names."""
        if isinstance(node, (ast.Tuple, ast.List)):
            found = [self.kinds(element) for element in node.elts]
            return list(dict.fromkeys(kind for kinds in found for kind in kinds))
        if isinstance(node, ast.BinOp):
            return [*self.kinds(node.left), *self.kinds(node.right)]
        if isinstance(node, ast.Call) and full_name(node.func, self.names) == "type":
            return ["none"]
        name = full_name(node, self.names).rsplit(".", 1)[-1]
        return [library_signatures.ISINSTANCE_KINDS.get(name, "object")]

    def iterate(self, node: ast.expr) -> Clue:
        """The clue of what iterating over an expression gives."""
        clue = self.read(node)
        if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
            for element in node.elts:
                if not isinstance(element, ast.Starred):
                    self.read(element).same.append(clue.items())
        if not clue.votes.get("dict"):
            clue.vote("iterable", "it is iterated over", 2)
        if clue.votes.get("range"):
            return clue.values()
        return clue.items()

    def _comprehension(self, kind: str, generators: list[ast.comprehension], parts: list[ast.expr]) -> Clue:
        outer = dict(self.scope)
        for generator in generators:
            self.bind(generator.target, self.iterate(generator.iter), generator.iter)
            self.looped(generator.target, generator.iter)
            for test in generator.ifs:
                self.scope.update(self.condition(test)[True])
        result = Clue(local="dict" if kind == "dict" else "list")
        result.vote(kind, weight=1)
        clues = [self.read(part) for part in parts]
        clues[0].same.append(result.items())
        for value in clues[1:]:
            value.same.append(result.values())
        self.scope = outer
        return result

    def _see_ListComp(self, node: ast.ListComp) -> Clue:
        return self._comprehension("list", node.generators, [node.elt])

    def _see_SetComp(self, node: ast.SetComp) -> Clue:
        return self._comprehension("set", node.generators, [node.elt])

    def _see_GeneratorExp(self, node: ast.GeneratorExp) -> Clue:
        return self._comprehension("list", node.generators, [node.elt])

    def _see_DictComp(self, node: ast.DictComp) -> Clue:
        return self._comprehension("dict", node.generators, [node.key, node.value])

    def _see_Lambda(self, node: ast.Lambda) -> Clue:
        outer = dict(self.scope)
        parameters = list(self.declare(node.args).values())
        self.read(node.body)
        self.scope = outer
        clue = Clue()
        clue.vote("callable", weight=1)
        clue.position(0).peers += parameters[:1]
        return clue

    def _see_Call(self, node: ast.Call) -> Clue:
        return visit_call(self, node)

    def _is_mask(self, node: ast.expr) -> bool:
        """Whether an index chooses rows: a comparison, a test of each cell, such joined or inverted, or an order."""
        match node:
            case ast.Name(name):
                return name in self.masks
            case ast.BinOp(left, ast.BitAnd() | ast.BitOr(), right):
                return self._is_mask(left) or self._is_mask(right)
            case ast.UnaryOp(ast.Invert()):
                return True
            case ast.Call(ast.Attribute(attr="argsort")):
                return True
            case ast.Call(func):
                return full_name(func, self.names) in _TESTS_OF_CELLS
        return isinstance(node, ast.Compare)
