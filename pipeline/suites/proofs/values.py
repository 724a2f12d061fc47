"""What an expression can be where some names have known values: constants, or fresh values of a known type.

Each answer holds for all runs: where less is known than would be needed, it is that anything may come.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

MAX_TEXT = 200
"""Characters of a constant beyond which it is taken for unknown."""

_BOTH = frozenset((True, False))
_TYPES: dict[str, type] = {
    one.__name__: one
    for one in (str, int, float, bool, bytes, list, tuple, dict, set, frozenset, complex, bytearray, object)
}
_DISPLAYS: tuple[tuple[tuple[type[ast.expr], ...], type], ...] = (
    ((ast.List, ast.ListComp), list), ((ast.Set, ast.SetComp), set), ((ast.Dict, ast.DictComp), dict),
    ((ast.JoinedStr,), str), ((ast.Tuple,), tuple),
)
_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne, ast.In: lambda one, held: one in held, ast.NotIn: lambda one, held: one not in held,
}


@dataclass(frozen=True)
class Value:
    """A constant that can't be changed, told apart by type and text, or (`text` "") some value of a type."""

    kind: type
    text: str
    value: Any = field(default=None, compare=False)

    @property
    def known(self) -> bool:
        """Whether it is a constant."""
        return bool(self.text)


Possible = frozenset[Value] | None
"""All that may come; None is anything."""


def constant(value: Any) -> Value | None:
    """A constant as a value, None where it may be changed or is too long."""
    plain = value is None or value is Ellipsis or type(value) in (bool, int, float, str, bytes, complex)
    if not plain and not (type(value) is tuple and all(constant(one) is not None for one in value)):
        return None
    text = repr(value)
    return Value(type(value), text, value) if len(text) <= MAX_TEXT else None


class Evaluation:
    """Evaluates expressions; `hidden` are names that the program binds, so that they are none of Python's own."""

    def __init__(self, names: Mapping[str, Value], hidden: Collection[str]) -> None:
        self._names, self._hidden = names, hidden

    def truths(self, node: ast.expr) -> frozenset[bool]:
        """The truths that an expression may have; none where it never comes to have one."""
        match node:
            case ast.UnaryOp(ast.Not(), inner):
                return frozenset(not truth for truth in self.truths(inner))
            case ast.BoolOp(op, operands):
                return self._junction(operands, isinstance(op, ast.And))
        found = self.of(node)
        return _BOTH if found is None else frozenset(truth for value in found for truth in _truths(value))

    def _junction(self, operands: Sequence[ast.expr], conjunction: bool) -> frozenset[bool]:
        found: set[bool] = set()
        for operand in operands:
            truths = self.truths(operand)
            found |= truths - {conjunction}
            if conjunction not in truths:
                return frozenset(found)
        return frozenset(found | {conjunction})

    def of(self, node: ast.expr) -> Possible:
        """What an expression may be."""
        match node:
            case ast.Constant(value):
                made = constant(value)
                return None if made is None else frozenset([made])
            case ast.Name(name):
                return frozenset([self._names[name]]) if name in self._names else None
            case ast.UnaryOp(ast.USub(), ast.Constant(int() | float() as number)):
                return _set(-number)
            case ast.UnaryOp(ast.Not()):
                return _set(*self.truths(node))
            case ast.BoolOp() | ast.IfExp():
                return self._chosen(node)
            case ast.Compare(left, [op], [right]):
                return self._compared(left, op, right)
            case ast.Call(ast.Name(name), [*given], []) if name not in self._hidden:
                return self._called(name, given)
            case ast.Lambda():
                return frozenset([Value(type(lambda: None), "")])
        return self._displayed(node)

    def _displayed(self, node: ast.expr) -> Possible:
        if isinstance(node, ast.Tuple):
            parts = self._parts(node.elts)
            if parts is not None:
                return _set(parts)
        return next((frozenset([Value(kind, "")]) for forms, kind in _DISPLAYS if isinstance(node, forms)), None)

    def _parts(self, nodes: Sequence[ast.expr]) -> tuple[Any, ...] | None:
        """The constants that expressions are, None where one of them is not known."""
        found = [self.of(one) for one in nodes]
        singles = [next(iter(one)) for one in found if one is not None and len(one) == 1]
        known = len(singles) == len(nodes) and all(one.known for one in singles)
        return tuple(one.value for one in singles) if known else None

    def _chosen(self, node: ast.BoolOp | ast.IfExp) -> Possible:
        if isinstance(node, ast.IfExp):
            truths = self.truths(node.test)
            ways = [way for truth, way in ((True, node.body), (False, node.orelse)) if truth in truths]
        else:
            ways = list(node.values)
        found = [self.of(way) for way in ways]
        known = [one for one in found if one is not None]
        return frozenset[Value]().union(*known) if len(known) == len(found) else None

    def _compared(self, left: ast.expr, op: ast.cmpop, right: ast.expr) -> Possible:
        ones = self.of(left)
        if isinstance(op, (ast.Is, ast.IsNot)):
            return _set(*_identical(ones, right, isinstance(op, ast.Is)))
        held = self._parts(right.elts) if isinstance(right, (ast.List, ast.Set, ast.Tuple)) else None
        # What a display holds is fixed where it is only looked in.
        others = _set(held) if held is not None and isinstance(op, (ast.In, ast.NotIn)) else self.of(right)
        if ones is None or others is None:
            return _set(True, False) if isinstance(op, (ast.In, ast.NotIn)) else None
        return _set(*{truth for one in ones for other in others for truth in _outcomes(op, one, other)})

    def _called(self, name: str, given: Sequence[ast.expr]) -> Possible:
        match name, given:
            case "bool", [one]:
                return _set(*self.truths(one))
            case "isinstance", [one, kinds]:
                named, found = self._types(kinds), self.of(one)
                if not named or found is None:
                    return _set(True, False)
                return _set(*{issubclass(value.kind, named) for value in found})
        return None

    def _types(self, node: ast.expr) -> tuple[type, ...]:
        """The types that `isinstance` is asked for, none where one is not known."""
        parts = node.elts if isinstance(node, ast.Tuple) else [node]
        names = [part.id for part in parts if isinstance(part, ast.Name) and part.id not in self._hidden]
        known = tuple(_TYPES[name] for name in names if name in _TYPES)
        return known if len(known) == len(parts) else ()


def _set(*values: Any) -> Possible:
    made = [constant(value) for value in values]
    known = [one for one in made if one is not None]
    return frozenset(known) if len(known) == len(made) else None


def _truths(value: Value) -> frozenset[bool]:
    if value.known:
        return frozenset([bool(value.value)])
    return _BOTH if value.kind in _TYPES.values() else frozenset([True])


def _identical(ones: Possible, right: ast.expr, same: bool) -> frozenset[bool]:
    """The truths of `is` with None, True, False or an ellipsis; either one where something else is asked."""
    value = right.value if isinstance(right, ast.Constant) else 0
    if ones is None or not any(value is single for single in (None, True, False, ...)):
        return _BOTH
    return frozenset((one.known and one.value is value) == same for one in ones)


def _outcomes(op: ast.cmpop, one: Value, other: Value) -> frozenset[bool]:
    if one.known and other.known:
        try:
            return frozenset([bool(_ORDER[type(op)](one.value, other.value))])
        except TypeError:
            # It raises, so that no way is taken.
            return frozenset()
    if isinstance(op, (ast.Eq, ast.NotEq)) and one.kind is not other.kind:
        numbers = {one.kind, other.kind} <= {bool, int, float, complex}
        sets = {one.kind, other.kind} <= {set, frozenset} or {one.kind, other.kind} <= {bytes, bytearray}
        return _BOTH if numbers or sets else frozenset([isinstance(op, ast.NotEq)])
    return _BOTH
