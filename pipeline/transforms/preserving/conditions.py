"""Operators that put conditions and comparisons the other way round."""

from __future__ import annotations

import ast

from pipeline.transforms.bound_names import parameter_names, walk
from pipeline.transforms.preserving.draft import Draft
from pipeline.transforms.preserving.kinds import NUMBERS, PLAIN, KindsOf
from pipeline.transforms.preserving.places import Slot, within

_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.Gt, ast.Gt: ast.Lt, ast.LtE: ast.GtE, ast.GtE: ast.LtE, ast.Eq: ast.Eq, ast.NotEq: ast.NotEq,
}
_OPPOSITE: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Is: ast.IsNot, ast.IsNot: ast.Is, ast.In: ast.NotIn, ast.NotIn: ast.In,
}
"""Signs whose opposite is exact for all values; orders and equality may be anything for types of one's own."""


class OperandSwap:
    """The comparison `a < b` of names and constants becomes `b > a`.

    Both must be numbers, or both texts, for certain: constants, parameters with such an annotation, and names that
    never get anything else. Only `==` and `!=` with a constant are turned whatever the other one is, since a constant
    leaves the answer to that in both orders.
    """

    name = "OperandSwap"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many comparisons are the same in both orders, and read no name that may hold no value but one."""
        return len(_turnable(draft))

    def apply(self, draft: Draft) -> None:
        """Turn the comparisons."""
        for one in draft.chosen(_turnable(draft)):
            one.left, one.comparators[0] = one.comparators[0], one.left
            one.ops[0] = _TURNED[type(one.ops[0])]()


def _turnable(draft: Draft) -> list[ast.Compare]:
    nodes = (slot.node for slot in within(draft.function))
    found = [node for node in nodes if isinstance(node, ast.Compare) and len(node.ops) == 1]
    if not found:
        return []
    kinds = KindsOf(draft.function, draft.tree)
    sure = set(parameter_names(draft.function)) - _deleted(draft.function)
    return [node for node in found if _is_turnable(node, kinds, sure)]


def _is_turnable(node: ast.Compare, kinds: KindsOf, sure: set[str]) -> bool:
    left, right, sign = node.left, node.comparators[0], node.ops[0]
    if type(sign) not in _TURNED or not (_is_plain(left) and _is_plain(right)):
        return False
    # Of two names that hold no value, the first is complained about.
    if not any(isinstance(one, ast.Constant) or getattr(one, "id", "") in sure for one in (left, right)):
        return False
    if isinstance(sign, (ast.Eq, ast.NotEq)) and any(_is_constant(one) for one in (left, right)):
        return True
    one, other = kinds.of(left), kinds.of(right)
    if not one or not other:
        return False
    if isinstance(sign, (ast.Eq, ast.NotEq)):
        return True
    return (one <= NUMBERS and other <= NUMBERS) or (one == other and len(one) == 1)


def _is_plain(node: ast.expr) -> bool:
    return isinstance(node, (ast.Name, ast.Constant))


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and (node.value is None or type(node.value).__name__ in PLAIN)


def _deleted(function: ast.FunctionDef) -> set[str]:
    """The names that are taken away somewhere."""
    nodes = list(walk(function))
    caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    return caught | {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)}


class IfReverse:
    """The statement `if C: A else: B` becomes `if not C: B else: A`, where the else is no `elif`."""

    name = "IfReverse"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many `if` have such an else."""
        return len(_forked(draft.function))

    def apply(self, draft: Draft) -> None:
        """Negate the tests, and swap the branches."""
        for node in draft.chosen(_forked(draft.function)):
            node.test = negated(node.test)
            node.body, node.orelse = node.orelse, node.body


def _forked(function: ast.FunctionDef) -> list[ast.If]:
    found = [node for node in walk(function) if isinstance(node, ast.If) and node.orelse]
    return [node for node in found if not (len(node.orelse) == 1 and isinstance(node.orelse[0], ast.If))]


def negated(test: ast.expr) -> ast.expr:
    """A test that is true when the other is not, evaluated in the same steps."""
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        return test.operand
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _OPPOSITE:
        return ast.Compare(test.left, [_OPPOSITE[type(test.ops[0])]()], test.comparators)
    return ast.UnaryOp(ast.Not(), test)


class DeMorgan:
    """`not (a and b)` becomes `not a or not b`, and `a and b` becomes `not (not a or not b)` where it is a test.

    The same goes for `or`. Where the value itself counts, only `not (a and b)` is taken, which is a truth value anyway.
    """

    name = "DeMorgan"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many such expressions there are."""
        return len(_junctions(draft.function))

    def apply(self, draft: Draft) -> None:
        """Rewrite the expressions, the inner ones first."""
        for slot in reversed(draft.chosen(_junctions(draft.function))):
            slot.put(_dual(slot))


def _junctions(function: ast.FunctionDef) -> list[Slot]:
    found = []
    for slot in within(function):
        under_not = isinstance(slot.owner, ast.UnaryOp) and isinstance(slot.owner.op, ast.Not)
        if (isinstance(slot.node, ast.BoolOp) and slot.truth and not under_not) or _denied(slot.node):
            found.append(slot)
    return found


def _denied(node: ast.expr) -> ast.BoolOp | None:
    """What `not` is said of, where that is made by `and` or `or`."""
    denied = node.operand if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not) else None
    return denied if isinstance(denied, ast.BoolOp) else None


def _dual(slot: Slot) -> ast.expr:
    denied = _denied(slot.node)
    junction = denied or slot.node
    assert isinstance(junction, ast.BoolOp)
    sign = ast.Or() if isinstance(junction.op, ast.And) else ast.And()
    if denied and not slot.truth:
        return ast.BoolOp(sign, [ast.UnaryOp(ast.Not(), part) for part in junction.values])
    dual = ast.BoolOp(sign, [negated(part) for part in junction.values])
    return dual if denied else ast.UnaryOp(ast.Not(), dual)
