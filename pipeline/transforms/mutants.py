"""Small wrong variants of a function, each with a name: what a sharp suite has to tell from the reference."""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_COMPARISONS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
_ARITHMETIC: dict[type[ast.operator], type[ast.operator]] = {
    ast.Add: ast.Sub, ast.Sub: ast.Add, ast.Mult: ast.FloorDiv, ast.Div: ast.Mult, ast.FloorDiv: ast.Mult,
    ast.Mod: ast.Add, ast.BitAnd: ast.BitOr, ast.BitOr: ast.BitAnd, ast.LShift: ast.RShift, ast.RShift: ast.LShift,
}


@dataclass(frozen=True)
class Mutant:
    """A changed program: the operator's name, the line of the original that it changed, and the text."""

    operator: str
    line: int
    program: str


def mutants(program: str, entry_point: str) -> list[Mutant]:
    """All first-order mutants of a function, in the order of its text; each parses and differs from the program."""
    tree = ast.parse(program)
    original = ast.unparse(tree)
    seen = {original}
    found = []
    for operator, line, changed in _changes(tree, entry_point):
        text = ast.unparse(ast.fix_missing_locations(changed))
        if text not in seen:
            seen.add(text)
            found.append(Mutant(operator, line, text + "\n"))
    return found


def _changes(tree: ast.Module, entry_point: str) -> Iterator[tuple[str, int, ast.Module]]:
    """Copies of the tree with one node changed, each with the operator's name and the line."""
    count = len(list(_nodes(tree, entry_point)))
    for place in range(count):
        node = list(_nodes(tree, entry_point))[place]
        for name, change in _operators(node):
            changed = copy.deepcopy(tree)
            change(list(_nodes(changed, entry_point))[place])
            yield name, getattr(node, "lineno", 0), changed


def _nodes(tree: ast.Module, entry_point: str) -> Iterator[ast.AST]:
    """The nodes of the function's body, without annotations and docstring."""
    functions = [n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == entry_point]
    for function in functions[-1:]:
        body = function.body
        first = body[0]
        documented = isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant)
        for statement in body[1:] if documented else body:
            yield from ast.walk(statement)


Change = Callable[[ast.AST], None]


def _operators(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The operators that fit a node; each changes a node of the same shape in place."""
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "negate the condition", _set("test", lambda n: ast.UnaryOp(ast.Not(), n.test))
    if isinstance(node, ast.Compare) and type(node.ops[0]) in _COMPARISONS:
        yield "change the comparison", _set("ops", lambda n: [_COMPARISONS[type(n.ops[0])](), *n.ops[1:]])
    if isinstance(node, (ast.BinOp, ast.AugAssign)) and type(node.op) in _ARITHMETIC:
        yield "change the arithmetic", _set("op", lambda n: _ARITHMETIC[type(n.op)]())
    if isinstance(node, ast.BoolOp):
        yield "swap and with or", _set("op", lambda n: ast.Or() if isinstance(n.op, ast.And) else ast.And())
        for place in range(len(node.values)):
            yield "drop an operand", _set("values", _without(place))
    if isinstance(node, ast.Constant):
        yield from _constants(node)
    if isinstance(node, ast.comprehension) and node.ifs:
        yield "drop the filter", _set("ifs", lambda _: [])
    if isinstance(node, ast.Call):
        yield from _calls(node)
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.Expr)) and not _is_text(node):
        yield "delete the statement", _delete
    if isinstance(node, (ast.Continue, ast.Break)):
        yield "delete the jump", _delete


def _set(name: str, value: Callable[..., object]) -> Change:
    return lambda node: setattr(node, name, value(node))


def _without(place: int) -> Callable[[ast.BoolOp], list[ast.expr]]:
    def rest(node: ast.BoolOp) -> list[ast.expr]:
        kept = [value for i, value in enumerate(node.values) if i != place]
        return kept if len(kept) > 1 else [kept[0], kept[0]]

    return rest


def _constants(node: ast.Constant) -> Iterator[tuple[str, Change]]:
    if isinstance(node.value, bool):
        yield "negate the constant", _set("value", lambda n: not n.value)
    elif isinstance(node.value, (int, float)):
        yield "add one to the constant", _set("value", lambda n: n.value + 1)
        yield "take one from the constant", _set("value", lambda n: n.value - 1)
    elif isinstance(node.value, str):
        yield "change the text", _set("value", lambda n: f"{n.value}x" if n.value else "x")


def _calls(node: ast.Call) -> Iterator[tuple[str, Change]]:
    if isinstance(node.func, ast.Attribute) and len(node.args) <= 1:
        yield "drop the method call", _become(lambda n: n.func.value)
    elif isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        yield "drop the call", _become(lambda n: n.args[0])
    if len(node.args) == 2 and not any(isinstance(a, ast.Starred) for a in node.args):
        yield "swap the arguments", _set("args", lambda n: n.args[::-1])


def _become(pick: Callable[..., ast.AST]) -> Change:
    """Let a node be one of its parts; both are expressions, so the class can be taken over with the fields."""

    def change(node: ast.AST) -> None:
        part = copy.deepcopy(pick(node))
        node.__class__ = part.__class__
        node.__dict__ = part.__dict__

    return change


def _delete(node: ast.AST) -> None:
    node.__dict__ = {k: v for k, v in node.__dict__.items() if k in ("lineno", "col_offset")}
    node.__class__ = ast.Pass


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
