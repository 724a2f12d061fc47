"""Normal forms of functions: two functions with one form answer alike, so that a mutant with a known form is none.

Each rule holds for all values that a task may have: None, numbers, text, bytes, containers of these, and what the
standard library makes of them (dates, decimals). NaN and the order of evaluation are thought of. What may be untrue
of arrays is why functions that name a library of arrays have no form. A name of Python's own is taken for that unless
the function binds it. Where a rule needs the type of a value, it is one that the expression itself shows.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence

from pipeline.transforms.altering.call_forms import call_form
from pipeline.transforms.altering.facts import Facts, Form, negated

_ARRAYS = re.compile(
    r"\b(np|numpy|pd|pandas|scipy|torch|tf|tensorflow|jax|jnp|xr|xarray|pl|polars|ndarray|Series|DataFrame)\b"
)
_LEAVING = frozenset(["Return", "Raise", "Continue", "Break"])
_NEGATIVE = frozenset(["not", "!=", "not in", "is not", "shorter"])
_COMPARED: dict[type[ast.cmpop], str] = {
    ast.Eq: "==", ast.NotEq: "!=", ast.Lt: "<", ast.LtE: "<=", ast.Gt: ">", ast.GtE: ">=", ast.In: "in",
    ast.NotIn: "not in", ast.Is: "is", ast.IsNot: "is not",
}
_TURNED = {">": "<", ">=": "<=", "==": "==", "!=": "!=", "<": ">", "<=": ">="}
_DECISIONS = frozenset(["in", "not in", "is", "is not", "longer", "shorter"])
"""Tests whose value is True or False whatever is tested."""


class Forms:
    """The normal form of a function and those of its mutants.

    What a mutant leaves as it was is not read again: only the changed nodes and those around them are. The answers of
    a `predicate` are only asked whether they are true.
    """

    def __init__(self, function: ast.FunctionDef, predicate: bool = False) -> None:
        self._function, self._predicate = function, predicate
        self._facts = Facts.of(function)
        self._nodes = list(ast.walk(function))
        self._around = {id(part): node for node in self._nodes for part in ast.iter_child_nodes(node)}
        self._known: dict[tuple[int, bool], Form] = {}
        self._changed: set[int] = set()
        self._fresh = True
        self._arrays = bool(_ARRAYS.search(ast.unparse(function)))

    def of(self, *changed: ast.AST) -> Form | None:
        """The function's form as it stands, with these nodes changed since the first time; None where it has none."""
        if self._arrays:
            return None
        self._changed = set()
        for node in changed:
            inner: ast.AST | None = node
            while inner is not None:
                self._changed.add(id(inner))
                inner = self._around.get(id(inner))
        form = self._statement(self._function, frozenset())
        self._fresh = False
        return form

    def value(self, node: ast.AST | None) -> Form:
        """The form of an expression for its value."""
        return self._remembered(node, False)

    def truth(self, node: ast.AST) -> Form:
        """The form of an expression that is only asked whether it is true."""
        return self._remembered(node, True)

    @property
    def facts(self) -> Facts:
        """What holds in the whole function."""
        return self._facts

    def _remembered(self, node: ast.AST | None, truth: bool) -> Form:
        if node is None:
            return ("None",)
        key = id(node), truth
        if key in self._known and id(node) not in self._changed:
            return self._known[key]
        form = self._truth(node) if truth else self._value(node)
        if self._fresh and id(node) in self._around:
            self._known[key] = form
        return form

    def _value(self, node: ast.AST) -> Form:
        if isinstance(node, ast.Constant):
            return "Constant", type(node.value).__name__, repr(node.value)
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            form = self._comparison(node)
            return ("bool", form) if form[0] in _DECISIONS else form
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return "bool", negated(self.truth(node.operand))
        if isinstance(node, ast.IfExp):
            return self._either(self.truth(node.test), self.value(node.body), self.value(node.orelse))
        if isinstance(node, (ast.BinOp, ast.UnaryOp)):
            return self._arithmetic(node)
        if isinstance(node, ast.Call):
            return call_form(node, self) or self._plain(node)
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice):
            return "Slice", self.value(node.value), *self._bounds(node.value, node.slice)
        if isinstance(node, ast.FormattedValue) and node.format_spec is None:
            return self._formatted(node)
        return self._plain(node)

    def _truth(self, node: ast.AST) -> Form:
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            return negated(self.truth(node.operand))
        if isinstance(node, ast.BoolOp):
            return ("and" if isinstance(node.op, ast.And) else "or"), *map(self.truth, node.values)
        if isinstance(node, ast.IfExp):
            return self._either(self.truth(node.test), self.truth(node.body), self.truth(node.orelse))
        if isinstance(node, ast.Constant):
            return "Constant", "bool", repr(bool(node.value))
        if isinstance(node, ast.Call) and self._facts.calls(node, "len"):
            return "longer", self.value(node.args[0]), 1
        form = self.value(node)
        if form[0] == "stripped":  # something is left on whichever side it is stripped
            return form[0], "lr", *form[2:]
        return form[1] if form[0] == "bool" else form

    def _either(self, test: Form, first: Form, second: Form) -> Form:
        return ("IfExp", negated(test), second, first) if test[0] in _NEGATIVE else ("IfExp", test, first, second)

    def _plain(self, node: ast.AST) -> Form:
        """The form that says all that the tree says."""
        return type(node).__name__, *(
            self._field(value, name == "ifs")
            for name, value in ast.iter_fields(node)
            if name not in ("ctx", "type_comment", "kind")
        )

    def _field(self, value: object, truth: bool = False) -> object:
        if isinstance(value, list):
            return tuple(self._field(part, truth) for part in value)
        if isinstance(value, ast.AST):
            return self.truth(value) if truth else self.value(value)
        return value

    def _comparison(self, node: ast.Compare) -> Form:
        left, right, sign = node.left, node.comparators[0], _COMPARED[type(node.ops[0])]
        length = self._length(left, sign, right) or self._length(right, _TURNED.get(sign, ""), left)
        if length is not None:
            return length
        sides = self.value(left), self.value(right)
        constant = isinstance(left, ast.Constant) or isinstance(right, ast.Constant)
        if constant or (isinstance(left, ast.Name) and isinstance(right, ast.Name)):
            if sign in (">", ">="):
                return _TURNED[sign], sides[1], sides[0]
            if sign in ("==", "!="):
                return sign, *sorted(sides, key=repr)
        return sign, *sides

    def _length(self, side: ast.expr, sign: str, other: ast.expr) -> Form | None:
        """A length that is compared with a number: whether something is at least so long, or shorter."""
        number = self._facts.number(other)
        if number is None or not isinstance(side, ast.Call) or not self._facts.calls(side, "len"):
            return None
        what = self.value(side.args[0])
        if sign in ("==", "!="):
            if number > 0:
                return None
            none = ("shorter", what, 1 if number == 0 else 0)
            return none if sign == "==" else negated(none)
        least = {">": number + 1, ">=": number, "<": number, "<=": number + 1}.get(sign)
        return None if least is None else ("longer" if sign[0] == ">" else "shorter", what, max(0, least))

    def _arithmetic(self, node: ast.BinOp | ast.UnaryOp) -> Form:
        """Whole numbers that are known to be some, with nothing added and nothing multiplied."""
        number = self._facts.number(node)
        if number is not None:
            return "Constant", "int", repr(number)
        if isinstance(node, ast.UnaryOp):
            inner = node.operand
            twice = isinstance(node.op, ast.USub) and isinstance(inner, ast.UnaryOp) and isinstance(inner.op, ast.USub)
            if twice and isinstance(inner, ast.UnaryOp) and self._facts.is_whole(inner.operand):
                return self.value(inner.operand)
            return self._plain(node)
        if self._facts.is_whole(node):
            nothing = {ast.Add: (0, 0), ast.Sub: (None, 0), ast.Mult: (1, 1), ast.FloorDiv: (None, 1)}
            left, right = nothing.get(type(node.op), (None, None))
            if right is not None and self._facts.number(node.right) == right:
                return self.value(node.left)
            if left is not None and self._facts.number(node.left) == left:
                return self.value(node.right)
        return self._plain(node)

    def _bounds(self, whole: ast.expr, bounds: ast.Slice) -> Iterable[Form]:
        """The bounds of a slice; those that say what is so without them are as if they were not there."""
        lower, upper, step = bounds.lower, bounds.upper, bounds.step
        forwards = step is None or self._facts.number(step) == 1
        if lower is not None and forwards and self._facts.number(lower) == 0:
            lower = None
        if isinstance(upper, ast.Call) and forwards and self._facts.calls(upper, "len"):
            same = isinstance(whole, ast.Name) and isinstance(upper.args[0], ast.Name) and whole.id == upper.args[0].id
            upper = None if same else upper
        for bound in (lower, upper, None if forwards else step):
            missing = bound is None or (isinstance(bound, ast.Constant) and bound.value is None)
            yield ("None",) if missing else self.value(bound)

    def _formatted(self, node: ast.FormattedValue) -> Form:
        """A value in a text without a format is put there as `str` gives it."""
        value = node.value
        if node.conversion in (-1, ord("s")):
            if isinstance(value, ast.Call) and self._facts.calls(value, "str"):
                value = value.args[0]
            return "FormattedValue", self.value(value)
        return self._plain(node)

    def _statement(self, node: ast.stmt, bound: frozenset[str]) -> Form:
        """The forms of what a statement does, none where it does nothing."""
        key = id(node), True
        if key in self._known and id(node) not in self._changed:
            return self._known[key]
        form = tuple(self._steps(node, bound))
        if self._fresh and id(node) in self._around:
            self._known[key] = form
        return form

    def _steps(self, node: ast.stmt, bound: frozenset[str]) -> Iterable[Form]:
        if isinstance(node, ast.If):
            return self._branches(
                self.truth(node.test), self._body(node.body, bound), self._body(node.orelse, bound)
            )
        if self._facts.is_idle(node, bound):
            return ()
        if isinstance(node, ast.AnnAssign) and node.value is not None and isinstance(node.target, ast.Name):
            return [("Assign", (self.value(node.target),), self.value(node.value))]
        if isinstance(node, ast.Return) and self._predicate:
            return [("Return", self.truth(node.value or ast.Constant(None)))]
        if isinstance(node, ast.Return) and isinstance(node.value, ast.Constant) and node.value.value is None:
            return [("Return", None)]
        if isinstance(node, ast.ClassDef):
            return [("ClassDef", ast.dump(node))]
        return [(type(node).__name__, *self._parts(node, bound))]

    def _branches(self, test: Form, first: Form, second: Form) -> list[Form]:
        """Branches with the test that is no negation; what is left is said after a branch that leaves, without else."""
        if test[0] in _NEGATIVE:
            test, first, second = negated(test), second, first
        if first and first[-1][0] in _LEAVING:
            return [("If", test, first), *second]
        if second and second[-1][0] in _LEAVING:
            return [("If", negated(test), second), *first]
        return [("If", test, first, second)]

    def _parts(self, node: ast.AST, bound: frozenset[str]) -> Iterable[object]:
        for name, value in ast.iter_fields(node):
            if name == "type_comment":
                continue
            if isinstance(value, list) and value and isinstance(value[0], ast.stmt):
                yield self._body(value, self._facts.inside(node, bound) if name == "body" else bound)
            elif isinstance(value, list) and value and isinstance(value[0], (ast.excepthandler, ast.match_case)):
                yield tuple((type(part).__name__, *self._parts(part, bound)) for part in value)
            else:
                test = name == "test" or (name == "guard" and value is not None)
                yield self._field(value, truth=test)

    def _body(self, statements: Sequence[ast.stmt], bound: frozenset[str]) -> Form:
        forms: list[object] = []
        for statement in statements:
            forms += self._statement(statement, bound)
            bound |= self._facts.binds(statement)
        return tuple(forms)
