"""What is known of a function without running it: names that hold a value, whole numbers, texts, Python's own names."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import Any

Form = tuple[Any, ...]
"""A normal form: the kind of the node, then the forms of its parts."""

_OPPOSITE = {
    "==": "!=", "in": "not in", "is": "is not", "longer": "shorter", "!=": "==", "not in": "in", "is not": "is",
    "shorter": "longer",
}
REFLECTION = frozenset(["locals", "vars", "dir", "eval", "exec", "globals", "_getframe", "currentframe"])
_WHOLE = frozenset(["len", "ord", "int"])
_TEXT = frozenset(["str", "repr", "chr", "ascii", "hex", "oct", "bin"])


def negated(test: Form) -> Form:
    """The form of a test that is true when another is not.

    Orders have no opposite: neither `x < nan` nor `x >= nan` is true, and sets are ordered in part only.
    """
    if test[0] in _OPPOSITE:
        return _OPPOSITE[test[0]], *test[1:]
    if test[0] == "not":
        inner: Form = test[1]
        return inner
    if test[0] in ("and", "or"):
        return ("or" if test[0] == "and" else "and"), *map(negated, test[1:])
    return "not", test


@dataclass(frozen=True)
class Facts:
    """Names of a function: its `own` hide Python's; `unread` are stored only; `unsafe` are taken away somewhere."""

    own: frozenset[str]
    unread: frozenset[str]
    unsafe: frozenset[str]

    @classmethod
    def of(cls, function: ast.FunctionDef) -> Facts:
        """Read the whole function, with all that is defined in it."""
        nodes = list(ast.walk(function))
        names = [node for node in nodes if isinstance(node, ast.Name)]
        stored = {node.id for node in names if isinstance(node.ctx, ast.Store)}
        read = {node.id for node in names if not isinstance(node.ctx, ast.Store)}
        changed = [node.target for node in nodes if isinstance(node, ast.AugAssign)]
        read |= {target.id for target in changed if isinstance(target, ast.Name)}
        shared = {name for node in nodes if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
        caught = {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
        deleted = {node.id for node in names if isinstance(node.ctx, ast.Del)}
        attributes = {node.attr for node in nodes if isinstance(node, ast.Attribute)}
        hidden = (read | attributes) & REFLECTION
        own = stored | {node.arg for node in nodes if isinstance(node, ast.arg)} | shared | caught
        for node in nodes:
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
                own.add(node.name)
            elif isinstance(node, ast.alias):
                own.add((node.asname or node.name).split(".")[0])
            elif isinstance(node, (ast.MatchAs, ast.MatchStar)) and node.name:
                own.add(node.name)
        unread = frozenset() if hidden else frozenset(stored - read - shared - caught)
        return cls(frozenset(own), unread, frozenset(deleted | caught | shared))

    def calls(self, node: ast.Call, *names: str) -> bool:
        """Whether a call is one of Python's own functions of these names, with one plain argument."""
        return self.is_own_function(node.func, *names) and len(node.args) == 1 and not (
            node.keywords or isinstance(node.args[0], ast.Starred)
        )

    def is_own_function(self, node: ast.expr, *names: str) -> bool:
        """Whether an expression names one of these functions of Python's own."""
        return isinstance(node, ast.Name) and node.id in names and node.id not in self.own

    def is_local(self, node: ast.expr) -> bool:
        """Whether an expression is made of the function's own names, so that it is no class and no module."""
        while isinstance(node, ast.Attribute):
            node = node.value
        return not isinstance(node, ast.Name) or node.id in self.own

    def number(self, node: ast.expr) -> int | None:
        """The whole number that is written there, sums and differences of such included."""
        if isinstance(node, ast.Constant):
            return node.value if type(node.value) is int else None
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            number = self.number(node.operand)
            return None if number is None else -number
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            left, right = self.number(node.left), self.number(node.right)
            if left is not None and right is not None:
                return left + right if isinstance(node.op, ast.Add) else left - right
        return None

    def is_whole(self, node: ast.expr) -> bool:
        """Whether a value is an `int` (no `bool`) for certain, if it is any."""
        if isinstance(node, ast.Call):
            return self.calls(node, *_WHOLE)
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub, ast.Mult, ast.FloorDiv, ast.Mod)):
            return self.is_whole(node.left) and self.is_whole(node.right)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
            return self.is_whole(node.operand)
        return isinstance(node, ast.Constant) and type(node.value) is int

    def is_text(self, node: ast.expr) -> bool:
        """Whether a value is a `str` for certain, if it is any."""
        if isinstance(node, ast.Call):
            joined = isinstance(node.func, ast.Attribute) and node.func.attr == "join" and self.is_text(node.func.value)
            return joined or self.calls(node, *_TEXT)
        return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, str))

    def is_idle(self, node: ast.stmt, bound: frozenset[str]) -> bool:
        """Whether a statement changes nothing and can't fail; `bound` are the names that hold a value before it."""
        if isinstance(node, ast.Expr):
            return self._is_still(node.value, bound)
        target = node.targets[0] if isinstance(node, ast.Assign) and len(node.targets) == 1 else None
        if isinstance(node, ast.Assign) and isinstance(target, ast.Name) and self._is_still(node.value, bound):
            same = isinstance(node.value, ast.Name) and node.value.id == target.id
            return same or target.id in self.unread
        return isinstance(node, ast.Pass)

    def _is_still(self, node: ast.expr, bound: frozenset[str]) -> bool:
        """Whether to evaluate an expression changes nothing and can't fail."""
        if isinstance(node, ast.Name):
            return node.id in bound
        if isinstance(node, (ast.Tuple, ast.List)):
            return all(self._is_still(part, bound) for part in node.elts)
        return isinstance(node, ast.Constant)

    def binds(self, node: ast.stmt) -> frozenset[str]:
        """The names that hold a value for certain after a statement, as long as its block goes on."""
        targets = node.targets if isinstance(node, ast.Assign) else []
        return frozenset(target.id for target in targets if isinstance(target, ast.Name)) - self.unsafe

    def inside(self, node: ast.AST, bound: frozenset[str]) -> frozenset[str]:
        """The names that hold a value for certain where the main block of a statement begins."""
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            given = node.args
            arguments = [*given.posonlyargs, *given.args, *given.kwonlyargs, given.vararg, given.kwarg]
            return frozenset(one.arg for one in arguments if one is not None) - self.unsafe
        if isinstance(node, (ast.For, ast.AsyncFor)):
            parts = node.target.elts if isinstance(node.target, (ast.Tuple, ast.List)) else [node.target]
            return bound | (frozenset(part.id for part in parts if isinstance(part, ast.Name)) - self.unsafe)
        return bound
