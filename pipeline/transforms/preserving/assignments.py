"""Operators that write assignments in other words, or in another order."""

from __future__ import annotations

import ast
import copy
from itertools import pairwise

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.certain import Names, certain
from pipeline.transforms.preserving.draft import Draft, loaded_names
from pipeline.transforms.preserving.kinds import PLAIN, KindsOf
from pipeline.transforms.preserving.places import Block, assign, blocks, name, replace, statements
from pipeline.transforms.preserving.reflection import check_names

_Valued = ast.Assign | ast.AnnAssign | ast.Return


class AugUnfold:
    """`x += e` becomes `x = x + e` where x is a number or a text, so that there is nothing to be changed in place.

    Everything that x ever gets must have such a kind, and e too: an array would be changed in place, and what types of
    one's own make of it nobody knows.
    """

    name = "AugUnfold"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many such assignments there are."""
        return len(_augmented(draft))

    def apply(self, draft: Draft) -> None:
        """Write them out."""

        def written(node: ast.AugAssign) -> Block:
            assert isinstance(node.target, ast.Name)
            return [assign(node.target.id, ast.BinOp(name(node.target.id), node.op, node.value))]

        replace(draft, draft.chosen(_augmented(draft)), written)


def _augmented(draft: Draft) -> list[ast.AugAssign]:
    found = [node for node in statements(draft.function) if isinstance(node, ast.AugAssign)]
    kinds = KindsOf(draft.function, draft.tree) if found else None
    return [node for node in found if kinds and isinstance(node.target, ast.Name)
            and (known := kinds.of(name(node.target.id))) and known <= PLAIN]


class AssignUnfold:
    """`x = a + b` becomes `t = a` and `x = t + b` for any operator: the same steps in the same order."""

    name = "AssignUnfold"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many assignments of such a value there are; raises `Inapplicable` where variables are looked at."""
        found = _combined(draft)
        if found:
            check_names(draft)
        return len(found)

    def apply(self, draft: Draft) -> None:
        """Take the left side of each of them to a name of its own."""

        def split(node: ast.Assign | ast.AnnAssign) -> Block:
            part = draft.fresh("part")
            assert isinstance(node.value, ast.BinOp)
            node.value.left, left = name(part), node.value.left
            return [assign(part, left), node]

        replace(draft, draft.chosen(_combined(draft)), split)


def _combined(draft: Draft) -> list[ast.stmt]:
    return [
        node for node in statements(draft.function)
        if isinstance(node, (ast.Assign, ast.AnnAssign)) and isinstance(node.value, ast.BinOp)
        and not isinstance(node.value.left, ast.Constant) and not _adds_to_itself(node, node.value)
    ]


def _adds_to_itself(node: ast.Assign | ast.AnnAssign, value: ast.BinOp) -> bool:
    """Whether a name is the left side, and gets the value: a text that grows this way is not copied each time."""
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    return isinstance(value.left, ast.Name) and value.left.id in {getattr(target, "id", "") for target in targets}


class Ternary2If:
    """`x = a if c else b` becomes an `if` statement with an assignment in each branch; the same goes for `return`."""

    name = "Ternary2If"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many assignments and returns have such a value."""
        return len(_conditional(draft))

    def apply(self, draft: Draft) -> None:
        """Write the statements."""
        replace(draft, draft.chosen(_conditional(draft)), _forked)


def _conditional(draft: Draft) -> list[ast.stmt]:
    found = [node for node in statements(draft.function) if isinstance(node, _Valued)]
    return [node for node in found if isinstance(node.value, ast.IfExp)]


def _forked(node: _Valued) -> Block:
    value = node.value
    assert isinstance(value, ast.IfExp)
    other = copy.deepcopy(node)
    node.value, other.value = value.body, value.orelse
    return [ast.If(value.test, [node], [other])]


class Swap:
    """Two neighbouring assignments change places where neither can fail, call, or read what the other binds.

    Their targets are names, their values names that certainly hold one, constants, and lists, tuples and dicts of such.
    """

    name = "Swap"
    version = 1

    def sites(self, draft: Draft) -> int:
        """How many such pairs there are, each statement in one at most."""
        return len(_pairs(draft))

    def apply(self, draft: Draft) -> None:
        """Swap them."""
        for block, place in draft.chosen(_pairs(draft)):
            block[place : place + 2] = block[place + 1], block[place]


def _pairs(draft: Draft) -> list[tuple[Block, int]]:
    function = draft.function
    shared = {one for node in walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for one in node.names}
    bound = certain(function)
    found: list[tuple[Block, int]] = []
    for block in blocks(function):
        last = -2
        for place, (first, second) in enumerate(pairwise(block)):
            if place > last + 1 and _independent(first, second, bound.get(id(first), frozenset()), shared):
                found.append((block, place))
                last = place
    return found


def _independent(first: ast.stmt, second: ast.stmt, bound: Names, shared: set[str]) -> bool:
    one, other = _target(first), _target(second)
    if not one or not other or one == other or shared & {one, other}:
        return False
    values = [node.value for node in (first, second) if isinstance(node, ast.Assign)]
    read = {part for value in values for part in loaded_names(value)}
    return all(_is_still(value, bound) for value in values) and not read & {one, other}


def _target(node: ast.stmt) -> str:
    """The one name that an assignment binds, "" for all other statements."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else ""


def _is_still(node: ast.expr | None, bound: Names) -> bool:
    """Whether to evaluate an expression changes nothing, and can't fail; `bound` are the names that hold a value."""
    if isinstance(node, ast.Name):
        return node.id in bound
    if isinstance(node, (ast.Tuple, ast.List)):
        return all(_is_still(part, bound) for part in node.elts)
    if isinstance(node, ast.Dict):
        constant = all(isinstance(key, ast.Constant) for key in node.keys)
        return constant and all(_is_still(one, bound) for one in node.values)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        return isinstance(node.operand, ast.Constant) and type(node.operand.value) in (int, float)
    return isinstance(node, ast.Constant)
