"""A copy of a function that tells of its tests: comparisons, predicates, look-ups, searches, calls, unpacking."""

from __future__ import annotations

import ast
from collections.abc import Callable, Mapping
from typing import Any

from pipeline.suites.instrument.branch_coverage import FILE

OWN = "reference"
"""The name of a copy's module, which what it defines has."""


def loaded(tree: ast.Module, entry_point: str, kind: str, tools: Mapping[str, Callable[..., Any]]) -> Any:
    """The entry point of a rewritten program that calls the tools by their names, None where it does not load.

    `kind` tells its file from those of other copies.
    """
    namespace: dict[str, Any] = {"__name__": OWN, **tools}
    try:
        exec(compile(ast.fix_missing_locations(tree), f"{FILE}.{kind}", "exec", dont_inherit=True), namespace)
    except Exception:
        return None
    return namespace[entry_point]


OPERATORS: dict[type[ast.cmpop], str] = {
    ast.Eq: "eq", ast.NotEq: "ne", ast.Lt: "lt", ast.LtE: "le", ast.Gt: "gt", ast.GtE: "ge", ast.In: "in",
    ast.NotIn: "not in",
}
_NAMES = OPERATORS | {ast.Is: "is", ast.IsNot: "is not"}
PREDICATES = frozenset(["startswith", "endswith"])
SEPARATING = frozenset("split rsplit partition rpartition find index".split())
LOOK_UPS = frozenset(["get", "pop", "setdefault"])
SEARCHES = frozenset("match search fullmatch findall finditer split sub subn".split())
_WATCHED = PREDICATES | LOOK_UPS | SEARCHES | SEPARATING
TOOLS = COMPARED, CHAINED, ASKED, LOOKED_UP, CALLED, METHOD, TRUTH, UNPACKED = tuple(
    f"_code2bench_{what}"
    for what in ("compared", "chained", "asked", "looked_up", "called", "method", "truth", "unpacked")
)
"""The names by which the copy calls its recorder."""


def probed(function: ast.FunctionDef, *members: ast.FunctionDef) -> dict[int, int]:
    """Let functions tell of their tests; gives the line of each place where one is made, by its number.

    Of members the bodies are rewritten alone: what decorates them runs before there is anything to tell.
    """
    rewriter = _Rewriter()
    rewriter.generic_visit(function)
    for member in members:
        rewriter.visit(member)
    return rewriter.lines


class _Rewriter(ast.NodeTransformer):
    def __init__(self) -> None:
        self.lines: dict[int, int] = {}

    def _site(self, node: ast.expr | ast.stmt) -> ast.expr:
        """A number for one more place in which something is tested."""
        site = len(self.lines) + 1
        self.lines[site] = node.lineno
        return ast.Constant(site)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        self.generic_visit(node)
        kind = OPERATORS.get(type(node.ops[0]))
        if len(node.ops) > 1:
            return self._chained(node)
        if kind is None:
            return node
        return _call(COMPARED, node, self._site(node), ast.Constant(kind), node.left, node.comparators[0])

    def _chained(self, node: ast.Compare) -> ast.AST:
        names = [_NAMES.get(type(op), "") for op in node.ops]
        if not all(names):
            return node
        sites = [self._site(node) for _ in names]
        return _call(CHAINED, node, sites[0], ast.Constant(",".join(names)), node.left, *node.comparators)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        self.generic_visit(node)
        if not isinstance(node.ctx, ast.Load) or isinstance(node.slice, (ast.Slice, ast.Tuple)):
            return node
        return _call(LOOKED_UP, node, self._site(node), node.value, node.slice)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        # Annotations are no tests.
        node.body = [self.visit(statement) for statement in node.body]
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        node.value = None if node.value is None else self.visit(node.value)
        return node

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        self.generic_visit(node)
        match node.targets:
            case [ast.Tuple(parts) | ast.List(parts)] if not any(isinstance(part, ast.Starred) for part in parts):
                if not isinstance(node.value, (ast.Tuple, ast.List)):
                    node.value = _call(UNPACKED, node.value, self._site(node), ast.Constant(len(parts)), node.value)
        return node

    def visit_If(self, node: ast.If | ast.While | ast.IfExp) -> ast.AST:
        called = isinstance(node.test, ast.Call)
        self.generic_visit(node)
        if called:
            node.test = _call(TRUTH, node.test, self._site(node.test), node.test)
        return node

    visit_While = visit_IfExp = visit_If

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        called = isinstance(node.op, ast.Not) and isinstance(node.operand, ast.Call)
        self.generic_visit(node)
        if called:
            node.operand = _call(TRUTH, node.operand, self._site(node.operand), node.operand)
        return node

    def visit_BoolOp(self, node: ast.BoolOp) -> ast.AST:
        called = [isinstance(value, ast.Call) for value in node.values]
        self.generic_visit(node)
        node.values = [_call(TRUTH, value, self._site(value), value) if one else value
                       for one, value in zip(called, node.values, strict=True)]  # fmt: skip
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        self.generic_visit(node)
        starred = any(isinstance(argument, ast.Starred) for argument in node.args)
        if node.keywords or starred:
            return node
        match node.func:
            case ast.Attribute(subject, name) if name in _WATCHED:
                return _call(ASKED, node, self._site(node), ast.Constant(name), subject, *node.args)
            case ast.Attribute(subject, name) if not node.args:
                return _call(METHOD, node, ast.Constant(name), subject)
        if len(node.args) == 1:
            return _call(CALLED, node, self._site(node), node.func, node.args[0])
        return node


def _call(tool: str, node: ast.expr, *arguments: ast.expr) -> ast.Call:
    """A call of a tool in the place of a node."""
    return ast.copy_location(ast.Call(ast.Name(tool, ast.Load()), list(arguments), []), node)
