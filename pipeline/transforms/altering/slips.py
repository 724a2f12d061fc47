"""Operators of mutation that are slips of a hand: lost parentheses, a lost element, a loop that stops at once.

Where a list has many parts, a few spread over it are dropped in turn, so that long tables don't crowd out the logic.
"""

from __future__ import annotations

import ast
import builtins
import copy
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from pipeline.transforms.altering.changes import Change, become, put, turn

MOST_PARTS = 4
_ONE_SIDED = (ast.Sub, ast.Div, ast.FloorDiv, ast.Mod, ast.Pow, ast.LShift, ast.RShift)
_ASSOCIATIVE = frozenset([
    (ast.Add, ast.Add), (ast.Add, ast.Sub), (ast.Mult, ast.Mult), (ast.Mult, ast.Div), (ast.BitOr, ast.BitOr),
    (ast.BitAnd, ast.BitAnd), (ast.BitXor, ast.BitXor),
])
"""Operators outside and inside of parentheses that change nothing, or only the last digit of a float."""
_GROUPED = (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp, ast.IfExp)
_PART = "_code2bench_part"
_ENDLESS = frozenset(["count", "cycle", "repeat", "iter"])
_YES_OR_NO = frozenset([
    "all", "any", "callable", "endswith", "hasattr", "isalnum", "isalpha", "isdecimal", "isdigit", "isdisjoint",
    "isidentifier", "isinstance", "islower", "isnumeric", "isspace", "issubclass", "issubset", "issuperset", "istitle",
    "isupper", "startswith",
])


def slips_of(node: ast.AST, function: str) -> Iterator[tuple[str, Change]]:
    """The operators of this module that fit a node of the function of that name, each with its change."""
    if isinstance(node, ast.Call):
        yield from _calls(node, function)
    elif isinstance(node, ast.AugAssign):
        yield from _assignments(node)
    elif isinstance(node, ast.expr):
        yield from _operations(node)
        yield from _literals(node)
    elif isinstance(node, ast.comprehension):
        if not node.is_async and not _may_be_endless(node.iter):
            yield "only the first element", put("iter", _first)
    elif isinstance(node, ast.ExceptHandler) and isinstance(node.type, ast.Tuple):
        for rest in _narrower(node.type.elts):
            yield "drop one exception", put("type", _fixed(ast.Tuple(rest, ast.Load())))
    elif isinstance(node, ast.Return) and node.value is not None and _is_decision(node.value):
        yield "negate the return", put("value", lambda n: ast.UnaryOp(ast.Not(), n.value))


def _calls(node: ast.Call, function: str) -> Iterator[tuple[str, Change]]:
    if not isinstance(node.func, ast.Name) or not node.args or isinstance(node.args[0], ast.Starred):
        return
    if node.func.id == function:
        yield "stop the recursion", become(lambda n: n.args[0])
    if node.func.id in ("isinstance", "issubclass") and len(node.args) == 2:
        kinds = node.args[1]
        united = isinstance(kinds, ast.BinOp)
        for rest in _narrower(_united(kinds) if united else getattr(kinds, "elts", [])):
            narrow = _union(rest) if united else ast.Tuple(rest, ast.Load())
            yield "narrow the type test", put("args", _fixed([node.args[0], narrow]))


def _assignments(node: ast.AugAssign) -> Iterator[tuple[str, Change]]:
    if _is_number(node.value) and isinstance(node.op, (ast.Add, ast.Sub)):
        counts_up = isinstance(node.op, ast.Add)
        yield "set instead of counting", _assign(lambda n: n.value if counts_up else ast.Constant(0))
    elif isinstance(node.op, (ast.Add, ast.BitOr)):
        yield "assign instead of adding", _assign(lambda n: n.value)


def _assign(value: Callable[..., ast.expr]) -> Change:
    return turn(ast.Assign, lambda n: {"targets": [n.target], "value": value(n), "type_comment": None})


def _operations(node: ast.expr) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.BinOp) and isinstance(node.op, _ONE_SIDED) and not _is_text(node.left):
        yield "swap the operands", turn(ast.BinOp, lambda n: {"left": n.right, "op": n.op, "right": n.left})
    for name, place, part in _operands(node):
        if isinstance(part, _GROUPED) and not _is_associative(node, part):
            read = _without_parentheses(node, name, place)
            if read is not None:
                yield "change the order of operations", become(_fixed(read))


def _operands(node: ast.expr) -> Iterator[tuple[str, int, ast.expr]]:
    """What an operator stands between: the name of the field, the place in it, and the expression."""
    if not isinstance(node, (ast.BinOp, ast.BoolOp, ast.Compare, ast.UnaryOp)):
        return
    for name, value in ast.iter_fields(node):
        for place, part in enumerate(value if isinstance(value, list) else [value]):
            if isinstance(part, ast.expr):
                yield name, place, part


def _without_parentheses(node: ast.expr, name: str, place: int) -> ast.expr | None:
    """The node as its text is read without the parentheses around one operand, None where none are lost."""
    marked = copy.copy(node)
    value = getattr(node, name)
    mark = ast.Name(_PART, ast.Load())
    part = value[place] if isinstance(value, list) else value
    setattr(marked, name, [*value[:place], mark, *value[place + 1 :]] if isinstance(value, list) else mark)
    try:
        read = ast.parse(ast.unparse(marked).replace(_PART, ast.unparse(part)), mode="eval").body
    except SyntaxError:
        return None
    return None if ast.dump(read) == ast.dump(node) else read


def _is_associative(node: ast.expr, part: ast.expr) -> bool:
    if not isinstance(node, ast.BinOp) or not isinstance(part, ast.BinOp):
        return False
    return (type(node.op), type(part.op)) in _ASSOCIATIVE


def _literals(node: ast.expr) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)) and isinstance(getattr(node, "ctx", ast.Load()), ast.Load):
        if len(node.elts) >= 2 and all(_is_constant(part) for part in node.elts):
            for place in _spread(len(node.elts)):
                yield "drop one element", put("elts", _fixed(_without(node.elts, place)))
    elif isinstance(node, ast.Dict):
        for place in _spread(len(node.keys)):
            if node.keys[place] is not None:
                rest = {"keys": _without(node.keys, place), "values": _without(node.values, place)}
                yield "drop one key", turn(ast.Dict, _fixed(rest))


def _first(node: ast.comprehension) -> ast.expr:
    """The first element of what is looped over; ranges are cut as they are, since they may be too long for a list."""
    whole = node.iter
    if not (isinstance(whole, ast.Call) and isinstance(whole.func, ast.Name) and whole.func.id == "range"):
        whole = ast.List([ast.Starred(whole, ast.Load())], ast.Load())
    return ast.Subscript(whole, ast.Slice(None, ast.Constant(1)), ast.Load())


def _may_be_endless(node: ast.expr) -> bool:
    called = [part.func for part in ast.walk(node) if isinstance(part, ast.Call)]
    return any(getattr(func, "attr", getattr(func, "id", "")) in _ENDLESS for func in called)


def _narrower(kinds: Sequence[ast.expr]) -> Iterator[list[ast.expr]]:
    """The classes without one of them, each in turn but for those that another one includes anyway."""
    for place in _spread(len(kinds)) if len(kinds) > 1 else ():
        rest = _without(kinds, place)
        if not any(_is_part_of(kinds[place], other) for other in rest):
            yield rest


def _is_part_of(kind: ast.expr, other: ast.expr) -> bool:
    classes = [getattr(builtins, one.id, None) if isinstance(one, ast.Name) else None for one in (kind, other)]
    return all(isinstance(one, type) for one in classes) and issubclass(*classes)  # type: ignore[arg-type]


def _united(kinds: ast.expr) -> list[ast.expr]:
    """The classes of `A | B | C`."""
    if isinstance(kinds, ast.BinOp) and isinstance(kinds.op, ast.BitOr):
        return [*_united(kinds.left), *_united(kinds.right)]
    return [kinds]


def _union(kinds: Sequence[ast.expr]) -> ast.expr:
    whole = kinds[0]
    for kind in kinds[1:]:
        whole = ast.BinOp(whole, ast.BitOr(), kind)
    return whole


def _is_decision(node: ast.expr) -> bool:
    """Whether an answer is a decision that no operator of comparison or negation turns round by itself."""
    if isinstance(node, ast.Call):
        return getattr(node.func, "attr", getattr(node.func, "id", "")) in _YES_OR_NO
    return isinstance(node, ast.BoolOp) or (isinstance(node, ast.Compare) and len(node.ops) > 1)


def _is_text(node: ast.expr) -> bool:
    return isinstance(node, ast.JoinedStr) or (isinstance(node, ast.Constant) and isinstance(node.value, (str, bytes)))


def _is_number(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) and type(node.value) in (int, float)


def _is_constant(node: ast.expr) -> bool:
    return isinstance(node, ast.Constant) or (isinstance(node, ast.UnaryOp) and isinstance(node.operand, ast.Constant))


def _spread(count: int) -> list[int]:
    """At most `MOST_PARTS` places, the first and the last among them."""
    if count <= MOST_PARTS:
        return list(range(count))
    return [step * (count - 1) // (MOST_PARTS - 1) for step in range(MOST_PARTS)]


def _without(parts: Sequence[Any], place: int) -> list[Any]:
    return [part for i, part in enumerate(parts) if i != place]


def _fixed(value: Any) -> Callable[..., Any]:
    return lambda _: value
