"""Which of Python's plain kinds the values of names and expressions have for certain, whatever way is taken."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import product

from pipeline.transforms.bound_names import parameter_names, walk
from pipeline.transforms.preserving.draft import stored_names

Kinds = frozenset[str]
"""Names of types; the empty one is what no value has reached so far."""
NUMBERS: Kinds = frozenset({"bool", "int", "float"})
PLAIN: Kinds = NUMBERS | {"str", "bytes"}
"""Kinds whose values never change, so that nobody can tell one of them from another that is equal."""

_TEXT: Kinds = frozenset({"str"})
_ANNOTATED: Mapping[str, Kinds] = {
    "int": frozenset({"bool", "int"}), "float": NUMBERS, "bool": frozenset({"bool"}), "str": _TEXT,
    "bytes": frozenset({"bytes"}),
}  # fmt: skip
_CALLS: Mapping[str, str] = {
    "len": "int", "ord": "int", "int": "int", "str": "str", "repr": "str", "chr": "str", "float": "float",
    "bool": "bool", "isinstance": "bool", "callable": "bool", "any": "bool", "all": "bool",
}  # fmt: skip
_METHODS: Mapping[str, str] = dict.fromkeys(
    "strip lstrip rstrip lower upper title replace join capitalize zfill rjust ljust center format".split(), "str",
) | dict.fromkeys(["count", "find", "index"], "int") | dict.fromkeys(["startswith", "endswith", "isdigit"], "bool")
_ARITHMETIC = (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)
_BITS = (ast.BitAnd, ast.BitOr, ast.BitXor, ast.LShift, ast.RShift)
_SIGNS = {ast.Not: NUMBERS, ast.Invert: _ANNOTATED["int"], ast.USub: NUMBERS, ast.UAdd: NUMBERS}


class KindsOf:
    """What is known of a function's names.

    A name has a kind where everything that is ever bound to it has one, inner functions included. Parameters are
    believed what their annotation says, if it is a plain type and the default is none of another kind.
    """

    def __init__(self, function: ast.FunctionDef, tree: ast.AST) -> None:
        self._taken = stored_names(tree) | {node.arg for node in walk(tree) if isinstance(node, ast.arg)}
        bindings = dict(_bindings(function, self._taken))
        self._names: dict[str, Kinds | None] = dict.fromkeys(_open_names(function, bindings))
        values = [(name, value) for group in bindings.values() for name, value in group]
        given = _given(function)
        for name, _ in values:
            self._names.setdefault(name, frozenset())
        for name in parameter_names(function):
            known = given.get(name)
            self._names[name] = None if known is None else self._joined(name, known)
        self._settle(values)

    def _settle(self, values: list[tuple[str, ast.expr]]) -> None:
        """Follow what is bound to which name until nothing is new; a name's kinds only become more."""
        changing = True
        while changing:
            changing = False
            for name, value in values:
                kinds = self.of(value)
                joined = None if kinds is None else self._joined(name, kinds)
                if joined != self._names[name]:
                    self._names[name] = joined
                    changing = True

    def _joined(self, name: str, kinds: Kinds) -> Kinds | None:
        before = self._names.get(name, frozenset())
        return None if before is None else before | kinds

    def of(self, node: ast.expr) -> Kinds | None:
        """The kinds that an expression can have where it gives a value at all, None where they are not known."""
        if isinstance(node, ast.Constant):
            kind = type(node.value).__name__
            return frozenset({kind}) if kind in PLAIN else None
        if isinstance(node, ast.Name):
            return self._names.get(node.id)
        if isinstance(node, ast.JoinedStr):
            return _TEXT
        if isinstance(node, ast.BinOp):
            return self._combined(node.left, node.op, node.right)
        if isinstance(node, ast.UnaryOp):
            return self._signed(node)
        if isinstance(node, ast.IfExp):
            return self._either(node.body, node.orelse)
        if isinstance(node, ast.BoolOp):
            return self._either(*node.values)
        if isinstance(node, ast.Compare):
            return self._compared(node)
        if isinstance(node, ast.NamedExpr):
            return self.of(node.value)
        return self._called(node)

    def _either(self, *nodes: ast.expr) -> Kinds | None:
        found: Kinds = frozenset()
        for node in nodes:
            kinds = self.of(node)
            if kinds is None:
                return None
            found |= kinds
        return found

    def _combined(self, left: ast.expr, sign: ast.operator, right: ast.expr) -> Kinds | None:
        first, second = self.of(left), self.of(right)
        if isinstance(sign, ast.Mod) and first == _TEXT:
            return first
        if first is None or second is None:
            return None
        found: set[str] = set()
        for one, other in product(first, second):
            kind = _combination(one, sign, other)
            if kind is None:
                return None
            found.add(kind)
        return frozenset(found)

    def _signed(self, node: ast.UnaryOp) -> Kinds | None:
        kinds = self.of(node.operand)
        if isinstance(node.op, ast.Not):
            return frozenset({"bool"})
        if kinds is None or not kinds <= _SIGNS[type(node.op)]:
            return None
        return frozenset({"int" if kind == "bool" else kind for kind in kinds})

    def _compared(self, node: ast.Compare) -> Kinds | None:
        if all(isinstance(sign, (ast.Is, ast.IsNot, ast.In, ast.NotIn)) for sign in node.ops):
            return frozenset({"bool"})
        plain = all(self.of(part) is not None for part in (node.left, *node.comparators))
        return frozenset({"bool"}) if plain else None

    def _called(self, node: ast.expr) -> Kinds | None:
        if isinstance(node, ast.Subscript):
            return _TEXT if self.of(node.value) == _TEXT else None
        if not isinstance(node, ast.Call):
            return None
        called = node.func
        if isinstance(called, ast.Name) and called.id in _CALLS and not self._taken & {called.id, "*"}:
            return frozenset({_CALLS[called.id]})
        if isinstance(called, ast.Attribute) and called.attr in _METHODS and self.of(called.value) == _TEXT:
            return frozenset({_METHODS[called.attr]})
        return None


def _combination(left: str, sign: ast.operator, right: str) -> str | None:
    """The kind of what an operator makes of two kinds, None where it fails or nothing is known."""
    whole = {left, right} <= {"bool", "int"}
    if isinstance(sign, _BITS):
        return ("bool" if left == right == "bool" and not isinstance(sign, (ast.LShift, ast.RShift)) else "int") \
            if whole else None
    if {left, right} <= NUMBERS:
        if isinstance(sign, _ARITHMETIC):
            return "int" if whole else "float"
        return "float" if isinstance(sign, ast.Div) else None
    if isinstance(sign, ast.Add) and left == right:
        return left
    texts, counts = {"str", "bytes"}, {"bool", "int"}
    if isinstance(sign, ast.Mult) and ((left in texts and right in counts) or (left in counts and right in texts)):
        return left if left in texts else right
    return None


def _given(function: ast.FunctionDef) -> dict[str, Kinds]:
    """The kinds of parameters whose annotation is a plain type, with a default of that type or none."""
    arguments = function.args
    places = [*arguments.posonlyargs, *arguments.args]
    defaults = dict(zip(reversed([one.arg for one in places]), reversed(arguments.defaults), strict=False))
    by_name = zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)
    defaults |= {one.arg: value for one, value in by_name if value}
    found = {}
    for one in (*places, *arguments.kwonlyargs):
        kinds = _ANNOTATED.get(one.annotation.id) if isinstance(one.annotation, ast.Name) else None
        default = defaults.get(one.arg)
        if isinstance(default, ast.UnaryOp):
            default = default.operand
        plain = default is None or (isinstance(default, ast.Constant) and type(default.value).__name__ in (kinds or ()))
        if kinds and plain:
            found[one.arg] = kinds
    return found


def _bindings(function: ast.FunctionDef, taken: set[str]) -> Iterator[tuple[int, list[tuple[str, ast.expr]]]]:
    """Names with the values that they get, by the node that stores them, where it is plain which value that is."""
    for node in walk(function):
        if isinstance(node, ast.Assign):
            for target in node.targets:
                yield from _paired(target, node.value)
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            left = ast.Name(node.target.id, ast.Load())
            yield id(node.target), [(node.target.id, ast.BinOp(left, node.op, node.value))]
        elif isinstance(node, ast.AnnAssign) and isinstance(node.target, ast.Name):
            yield id(node.target), [(node.target.id, node.value)] if node.value else []
        elif isinstance(node, ast.NamedExpr):
            yield id(node.target), [(node.target.id, node.value)]
        elif isinstance(node, ast.For) and isinstance(node.target, ast.Name):
            yield from _walked(node.target, node.iter, taken)


def _paired(target: ast.expr, value: ast.expr) -> Iterator[tuple[int, list[tuple[str, ast.expr]]]]:
    if isinstance(target, ast.Name):
        yield id(target), [(target.id, value)]
    elif isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts) \
            and not any(isinstance(part, ast.Starred) for part in (*target.elts, *value.elts)):
        for one, other in zip(target.elts, value.elts, strict=True):
            yield from _paired(one, other)


def _walked(
    target: ast.Name, over: ast.expr, taken: set[str]
) -> Iterator[tuple[int, list[tuple[str, ast.expr]]]]:
    """A loop's variable, which is a whole number where Python's own `range` is gone through, or a text's letters."""
    called = over.func if isinstance(over, ast.Call) else None
    if isinstance(called, ast.Name) and called.id == "range" and not taken & {"range", "*"}:
        yield id(target), [(target.id, ast.Constant(0))]
    elif isinstance(over, ast.Constant) and isinstance(over.value, str):
        yield id(target), [(target.id, over)]


def _open_names(function: ast.FunctionDef, bindings: Mapping[int, object]) -> Iterator[str]:
    """The names that get a value in some other way, or in a scope of their own, or that are taken away."""
    own = {id(one) for one in walk(function.args) if isinstance(one, ast.arg)}
    for node in walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load) and id(node) not in bindings:
            yield node.id
        elif isinstance(node, ast.arg) and id(node) not in own:
            yield node.arg
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield str(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)) and node is not function:
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
