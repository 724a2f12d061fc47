"""Forms in which a program and its variant are one tree, each of them reached by steps that change nothing.

Where a form writes more than what the operator did, it does so in both programs alike. `fresh` are the names that only
the variant has.
"""

from __future__ import annotations

import ast
from collections import Counter

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.conditions import negated
from pipeline.transforms.preserving.draft import identifiers, loaded_names, stored_names
from pipeline.transforms.preserving.places import blocks

_WEIGHTY = (ast.Yield, ast.YieldFrom, ast.Await, ast.Global, ast.Nonlocal)
"""What changes the function around it even where it is never reached."""


class _Reversed(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.If:
        self.generic_visit(node)
        test = node.test
        denies = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        if isinstance(test, ast.Compare) and len(test.ops) == 1:
            denies = isinstance(test.ops[0], (ast.IsNot, ast.NotIn))
        return ast.If(negated(test), node.orelse, node.body) if node.orelse and denies else node


def branches(tree: ast.Module, _: set[str]) -> ast.AST:
    """No `if` with an else asks for what is not."""
    _Reversed().visit(tree)
    return tree


class _Conditional(ast.NodeTransformer):
    def visit_If(self, node: ast.If) -> ast.stmt:
        self.generic_visit(node)
        if len(node.body) != 1 or len(node.orelse) != 1:
            return node
        one, other = node.body[0], node.orelse[0]
        if isinstance(one, ast.Return) and isinstance(other, ast.Return) and one.value and other.value:
            return ast.Return(ast.IfExp(node.test, one.value, other.value))
        if isinstance(one, ast.Assign) and isinstance(other, ast.Assign) \
                and [*map(ast.dump, one.targets)] == [*map(ast.dump, other.targets)]:
            return ast.Assign(one.targets, ast.IfExp(node.test, one.value, other.value))
        return node


def conditional(tree: ast.Module, _: set[str]) -> ast.AST:
    """An `if` that does nothing but assign to one target, or return, in both branches is one statement."""
    _Conditional().visit(tree)
    return tree


def without_stores(tree: ast.Module, fresh: set[str]) -> ast.AST:
    """Fresh names that get a constant or an empty list, and that nothing reads, are gone."""
    unread = fresh - loaded_names(tree)
    for block in blocks(tree):
        block[:] = [one for one in block if not (_single(one) in unread and _is_empty(one))]
    return tree


def _single(node: ast.stmt) -> str:
    """The name that a plain assignment gives a value, "" for all else."""
    target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
    return target.id if isinstance(target, ast.Name) else ""


def _is_empty(node: ast.stmt) -> bool:
    value = node.value if isinstance(node, ast.Assign) else None
    if isinstance(value, ast.UnaryOp) and isinstance(value.op, ast.USub):
        return isinstance(value.operand, ast.Constant) and isinstance(value.operand.value, (int, float))
    return isinstance(value, ast.Constant) or (isinstance(value, (ast.List, ast.Tuple)) and not value.elts) or (
        isinstance(value, ast.Dict) and not value.keys)


def without_branches(tree: ast.Module, fresh: set[str]) -> ast.AST:
    """An `if` that is never true is gone where it binds fresh names only."""
    for block in blocks(tree):
        block[:] = [one for one in block if not _is_never(one, fresh)]
    return tree


def _is_never(node: ast.stmt, fresh: set[str]) -> bool:
    if not isinstance(node, ast.If) or node.orelse or truth_of(node.test) is not False:
        return False
    return bool(stored_names(node)) and stored_names(node) <= fresh \
        and not any(isinstance(part, _WEIGHTY) for part in walk(node))


def folded(tree: ast.Module, fresh: set[str]) -> ast.AST:
    """A fresh name that is read once, as the first thing in the statement behind it, is written out there."""
    count = Counter(identifiers(tree))
    for block in blocks(tree):
        place = 0
        while place + 1 < len(block):
            one, behind = block[place], block[place + 1]
            value = behind.value if isinstance(behind, (ast.Assign, ast.AnnAssign)) else None
            name = _single(one)
            if name in fresh and count[name] == 2 and isinstance(value, ast.BinOp) \
                    and isinstance(value.left, ast.Name) and value.left.id == name and isinstance(one, ast.Assign):
                value.left = one.value
                del block[place]
            else:
                place += 1
    return tree


def untyped(tree: ast.Module) -> ast.Module:
    """The tree without the annotations of signatures."""
    for node in walk(tree):
        if isinstance(node, ast.arg):
            node.annotation = None
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            node.returns = None
    return tree


def truth_of(node: ast.expr) -> object:
    """The truth of an operand that is made of truth values, whole numbers and their comparisons, None for others."""
    if isinstance(node, ast.Constant):
        return node.value if isinstance(node.value, bool) else None
    if isinstance(node, ast.BoolOp):
        values = [truth_of(part) for part in node.values]
        if not all(isinstance(value, bool) for value in values):
            return None
        return all(values) if isinstance(node.op, ast.And) else any(values)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        left, right = node.left, node.comparators[0]
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant) \
                and type(left.value) is type(right.value) is int:
            if isinstance(node.ops[0], ast.Gt):
                return left.value > right.value
            if isinstance(node.ops[0], ast.Lt):
                return left.value < right.value
    return None
