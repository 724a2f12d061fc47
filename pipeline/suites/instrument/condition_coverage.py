"""Goals inside a line, which coverage.py does not see: operands, conditional expressions, filters, passes of loops.

The rewritten function reports the truth of each condition to a recorder, and how often each loop is passed through.
Conditions are evaluated where, when and as often as in the original, since a call that gives back its argument takes
the place of the expression.
"""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from typing import Any

from pipeline.suites.proofs.goal import Place, place_of
from pipeline.transforms.altering.members import in_words

_ORDER: dict[type[ast.cmpop], Callable[[Any, Any], Any]] = {
    ast.Lt: operator.lt, ast.LtE: operator.le, ast.Gt: operator.gt, ast.GtE: operator.ge, ast.Eq: operator.eq,
    ast.NotEq: operator.ne,
}


def decided(operands: Sequence[ast.expr], conjunction: bool) -> dict[int, bool]:
    """The places of operands that have one value whenever they are come to, with it.

    An operand is come to when all before it are true in a conjunction, false in a disjunction. Only comparisons of one
    name with numbers are looked at: numbers at, beside and between those of all of them stand for any number.
    """
    found: dict[int, bool] = {}
    for place, operand in enumerate(operands):
        bound = _bound(operand)
        before = [other for other in map(_bound, operands[:place]) if bound and other and other[0] == bound[0]]
        if bound is None or not before:
            continue
        numbers = [number for _, _, number in (*before, bound)]
        values = [math.nan, *(number + step for number in numbers for step in (-1, -1e-3, 0, 1e-3, 1))]
        come_to = (one for one in values if all(_holds(other, one) == conjunction for other in before))
        outcomes = {_holds(bound, one) for one in come_to}
        if len(outcomes) == 1:
            found[place] = outcomes.pop()
    return found


_Bound = tuple[str, type[ast.cmpop], float]


def _holds(bound: _Bound, value: float) -> bool:
    return bool(_ORDER[bound[1]](value, bound[2]))


def _bound(node: ast.expr) -> _Bound | None:
    """The name, the comparison and the number of an operand that compares the one with the other."""
    match node:
        case ast.Compare(ast.Name(name), [op], [right]) if type(op) in _ORDER:
            try:
                number = ast.literal_eval(right)
            except ValueError:
                return None
            return (name, type(op), number) if type(number) in (int, float) else None
    return None


_CONDITION = "_code2bench_condition"
_LOOP = "_code2bench_loop"
_TRUTHS = ("true", "false")
PASSES = ("passed through not at all", "passed through once", "passed through several times")
_TELLING = frozenset(["isinstance", "issubclass", "callable", "hasattr", "any", "all", "bool"])
MAX_TEXT = 60


@dataclass(frozen=True)
class Condition:
    """One outcome of a condition or a loop: where it stands, its text, and which outcome; `member` is its function."""

    line: int
    text: str
    outcome: str
    member: str = ""

    def __str__(self) -> str:
        return f"{in_words(self.line, self.member)}: `{self.text}` {self.outcome}"



class Conditions:
    """The recorder of functions that it rewrites; `goals` are all outcomes that could be.

    Those of assertions are among them where an AssertionError is a case (`asserted`). `settled` are the conditions of
    members that are proved to have one outcome only, or to be never come to; `members` have a name each.
    """

    def __init__(
        self, function: ast.FunctionDef, asserted: bool = False, members: Mapping[str, ast.FunctionDef] | None = None,
        settled: Collection[Place] = (),
    ) -> None:
        rewriter = _Rewriter(function, asserted)
        rewriter.generic_visit(function)
        for name, member in (members or {}).items():
            rewriter.begin(name, member, settled)
            rewriter.visit_body(member)
        self.goals: tuple[Condition, ...] = tuple(rewriter.goals)
        self.tools: dict[str, Callable[..., Any]] = {_CONDITION: self._condition, _LOOP: self._loop}
        self._hits: set[int] = set()
        self._loops: list[_Loop] = []

    def begin(self) -> None:
        """Forget what was reached: the next call comes."""
        self._hits.clear()
        self._loops.clear()

    def reached(self) -> frozenset[int]:
        """The places in `goals` that the calls since the beginning have reached."""
        return frozenset(self._hits.union(loop.place + min(loop.passes, 2) for loop in self._loops))

    def _condition(self, place: int, value: Any) -> Any:
        # An array has no truth; where the function asks for it, it gets the same exception.
        with suppress(Exception):
            self._hits.add(place if value else place + 1)
        return value

    def _loop(self, place: int, values: Iterable[Any]) -> Iterator[Any]:
        loop = _Loop(place, iter(values))
        if len(self._loops) < 1000:
            self._loops.append(loop)
        return loop


class _Loop:
    """Hands on what an iterator gives and counts it."""

    def __init__(self, place: int, values: Iterator[Any]) -> None:
        self.place = place
        self.passes = 0
        self._values = values

    def __iter__(self) -> _Loop:
        return self

    def __next__(self) -> Any:
        value = next(self._values)
        self.passes += 1
        return value


class _Rewriter(ast.NodeTransformer):
    """Puts a call of the recorder around each condition and each iterable of a loop."""

    def __init__(self, function: ast.FunctionDef, asserted: bool) -> None:
        self.goals: list[Condition] = []
        self._asserted = asserted
        self._tested = _tested(function)
        self._member = ""
        self._settled: Collection[Place] = ()

    def begin(self, name: str, member: ast.FunctionDef, settled: Collection[Place]) -> None:
        """What comes next belongs to a member."""
        self._member, self._settled, self._tested = name, settled, _tested(member)

    def visit_body(self, function: ast.FunctionDef) -> None:
        """Rewrite the statements of a function, and nothing that runs when it is defined."""
        function.body[:] = [self.visit(statement) for statement in function.body]

    def _recorded(self, node: ast.expr) -> ast.expr:
        """The condition with its recorder; texts come from the untouched node, so the children are visited after."""
        if place_of(node) in self._settled:
            settled: ast.expr = self.visit(node)
            return settled
        place = self._goals(node, ast.unparse(node), _TRUTHS)
        return _call(_CONDITION, place, self.visit(node))

    def _goals(self, node: ast.expr, text: str, outcomes: tuple[str, ...]) -> int:
        place = len(self.goals)
        text = text if len(text) <= MAX_TEXT else text[: MAX_TEXT - 3] + "..."
        self.goals += [Condition(node.lineno, text, outcome, self._member) for outcome in outcomes]
        return place

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        last = node.values[-1]
        tested = id(node) in self._tested or _is_truth(last)
        known = decided(node.values, isinstance(node.op, ast.And))
        node.values = [
            self._recorded(value)
            if not isinstance(value, ast.Constant) and (value is not last or tested) and place not in known
            else self.visit(value)
            for place, value in enumerate(node.values)
        ]
        return node

    def visit_IfExp(self, node: ast.IfExp) -> ast.AST:
        node.test = self._recorded(node.test)
        node.body, node.orelse = self.visit(node.body), self.visit(node.orelse)
        return node

    def visit_comprehension(self, node: ast.comprehension) -> ast.AST:
        node.iter = self.visit(node.iter)
        node.ifs = [self._recorded(test) for test in node.ifs]
        return node

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """What an assertion demands can't be otherwise in any case, unless its failure is a case."""
        return self.generic_visit(node) if self._asserted else node

    def visit_If(self, node: ast.If) -> ast.AST:
        if node.body[0].lineno == node.test.lineno:
            # All in one line, where coverage.py sees no branch.
            node.test = self._recorded(node.test)
        else:
            node.test = self.visit(node.test)
        for block in (node.body, node.orelse):
            block[:] = [self.visit(statement) for statement in block]
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        if not _is_fixed(node.iter) and place_of(node) not in self._settled:
            place = self._goals(node.iter, f"for {ast.unparse(node.target)} in {ast.unparse(node.iter)}", PASSES)
            node.iter = _call(_LOOP, place, self.visit(node.iter))
        for block in (node.body, node.orelse):
            block[:] = [self.visit(statement) for statement in block]
        return node


def _call(recorder: str, place: int, node: ast.expr) -> ast.expr:
    call = ast.Call(ast.Name(recorder, ast.Load()), [ast.Constant(place), node], [])
    return ast.copy_location(call, node)


def _tested(function: ast.FunctionDef) -> set[int]:
    """The boolean expressions of which only the truth counts, by identity."""
    found: set[int] = set()
    for node in ast.walk(function):
        tests: list[ast.expr | None] = []
        if isinstance(node, (ast.If, ast.While, ast.IfExp, ast.Assert)):
            tests = [node.test]
        elif isinstance(node, ast.comprehension):
            tests = list(node.ifs)
        elif isinstance(node, ast.match_case):
            tests = [node.guard]
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            tests = [node.operand]
        elif isinstance(node, ast.BoolOp) and id(node) in found:
            tests = list(node.values)
        found.update(id(test) for test in tests if isinstance(test, ast.BoolOp))
    return found


def _is_truth(node: ast.expr) -> bool:
    """Whether an expression is a truth by its form, so that both of its values matter wherever it stands."""
    if isinstance(node, ast.BoolOp):
        return all(_is_truth(value) for value in node.values)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name in _TELLING or name.startswith(("is", "startswith", "endswith"))
    return isinstance(node, ast.Compare) or (isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not))


def _is_fixed(node: ast.expr) -> bool:
    """Whether a loop has the same number of passes each time by its text."""
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in ("range", "enumerate"):
        return bool(node.args) and all(_is_fixed(argument) for argument in node.args)
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return not any(isinstance(element, ast.Starred) for element in node.elts)
    return isinstance(node, (ast.Constant, ast.Dict))
