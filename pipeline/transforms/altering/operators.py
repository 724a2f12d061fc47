"""The operators of mutation: each is a name and a change that one node of a syntax tree undergoes in place."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from pipeline.transforms.altering.changes import Change, become, delete, put, turn
from pipeline.transforms.altering.slips import slips_of

_BOUNDARY: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.LtE, ast.LtE: ast.Lt, ast.Gt: ast.GtE, ast.GtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
    ast.In: ast.NotIn, ast.NotIn: ast.In, ast.Is: ast.IsNot, ast.IsNot: ast.Is,
}
_TURNED: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.LtE: ast.Gt, ast.Gt: ast.LtE, ast.GtE: ast.Lt, ast.Eq: ast.GtE,
}
_ARITHMETIC: dict[type[ast.operator], tuple[type[ast.operator], ...]] = {
    ast.Add: (ast.Sub,), ast.Sub: (ast.Add,), ast.Mult: (ast.FloorDiv, ast.Add), ast.Div: (ast.Mult, ast.FloorDiv),
    ast.FloorDiv: (ast.Mult, ast.Div), ast.Mod: (ast.Add, ast.FloorDiv), ast.Pow: (ast.Mult,), ast.BitAnd: (ast.BitOr,),
    ast.BitOr: (ast.BitAnd,), ast.BitXor: (ast.BitOr,), ast.LShift: (ast.RShift,), ast.RShift: (ast.LShift,),
}
_SIBLINGS: dict[str, tuple[str, ...]] = {
    "lower": ("upper",), "upper": ("lower",), "islower": ("isupper",), "isupper": ("islower",),
    "title": ("capitalize",), "capitalize": ("title",), "startswith": ("endswith",), "endswith": ("startswith",),
    "strip": ("rstrip", "lstrip"), "lstrip": ("strip", "rstrip"), "rstrip": ("strip", "lstrip"),
    "ljust": ("rjust",), "rjust": ("ljust",), "zfill": ("rjust",), "find": ("rfind",), "rfind": ("find",),
    "index": ("rindex",), "rindex": ("index",), "split": ("rsplit",), "rsplit": ("split",),
    "partition": ("rpartition",), "rpartition": ("partition",), "removeprefix": ("removesuffix",),
    "removesuffix": ("removeprefix",), "min": ("max",), "max": ("min",), "any": ("all",), "all": ("any",),
    "floor": ("ceil",), "ceil": ("floor",), "sin": ("cos",), "cos": ("sin",),
    "extend": ("append",), "keys": ("values",), "values": ("keys",), "popleft": ("pop",), "appendleft": ("append",),
    "union": ("intersection",), "intersection": ("union",), "difference": ("symmetric_difference",),
    "issubset": ("issuperset",), "issuperset": ("issubset",), "match": ("fullmatch", "search"),
    "fullmatch": ("match",), "search": ("match",), "isdigit": ("isalpha",), "isalnum": ("isalpha",),
    "isalpha": ("isalnum",), "bisect_left": ("bisect_right",), "bisect_right": ("bisect_left",),
}
_SPLITS = frozenset(["split", "rsplit"])
"""Without a limit these two do the same, but for separators that overlap themselves."""
_UNORDERED = frozenset(["min", "max"])
"""Functions whose arguments have no order, but for ties and NaN."""
_LOOKUPS = frozenset(["get", "pop", "setdefault", "getattr", "next"])
_OTHER_ERRORS = {
    "ValueError": "TypeError", "TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError",
}


def changes_of(node: ast.AST, function: str = "") -> Iterator[tuple[str, Change]]:
    """The operators that fit a node of the function of that name, each with its change."""
    yield from slips_of(node, function)
    for operators in _BY_KIND:
        yield from operators(node)


def _conditions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "negate the condition", put("test", lambda n: ast.UnaryOp(ast.Not(), n.test))
    if isinstance(node, ast.If):
        yield "drop the branch", put("test", lambda _: ast.Constant(False))
        yield "always take the branch", put("test", lambda _: ast.Constant(True))
    if isinstance(node, ast.While):
        yield "skip the loop", put("test", lambda _: ast.Constant(False))
    if isinstance(node, ast.For):
        yield "skip the loop", put("iter", lambda _: ast.Tuple([], ast.Load()))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop the not", become(lambda n: n.operand)


def _logic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Compare):
        for place, kind in enumerate(node.ops):
            if type(kind) in _BOUNDARY:
                yield "change the comparison", _compare(place, _BOUNDARY[type(kind)])
            if type(kind) in _TURNED:
                yield "turn the comparison round", _compare(place, _TURNED[type(kind)])
    if isinstance(node, ast.BoolOp):
        yield "swap and with or", put("op", lambda n: ast.Or() if isinstance(n.op, ast.And) else ast.And())
        for place in range(len(node.values)):
            yield "drop an operand", _without_operand(place)
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            yield "drop the filter", put("ifs", _without(place))
            yield "negate the filter", put("ifs", _negated(place))


def _arithmetic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        for kind in _ARITHMETIC.get(type(node.op), ()):
            yield "change the arithmetic", _operator(kind)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod):
        yield "drop the right operand", become(lambda n: n.left)
        yield "drop the left operand", become(lambda n: n.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "drop the minus", become(lambda n: n.operand)


def _operator(kind: type[ast.operator]) -> Change:
    return put("op", lambda _: kind())


def _constants(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield "negate the constant", put("value", lambda n: not n.value)
    elif isinstance(node.value, (int, float)):
        yield "add one to the constant", put("value", lambda n: n.value + 1)
        yield "take one from the constant", put("value", lambda n: n.value - 1)
    elif isinstance(node.value, str):
        yield "change the text", put("value", lambda n: f"{n.value}x" if n.value else "x")
        if node.value:
            yield "empty the text", put("value", lambda _: "")
    elif isinstance(node.value, bytes):
        yield "change the text", put("value", lambda n: n.value + b"x")


def _calls(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and len(node.args) <= 1:
        yield "drop the method call", become(lambda n: n.func.value)
    elif isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        yield "drop the call", become(lambda n: n.args[0])
    if not any(isinstance(argument, ast.Starred) for argument in node.args):
        yield from _arguments(node)
    for place, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield "drop the keyword", put("keywords", _without(place))


def _arguments(node: ast.Call) -> Iterator[tuple[str, Change]]:
    name = _name(node.func)
    if len(node.args) >= 2 and name not in _UNORDERED:
        yield "swap the arguments", put("args", lambda n: [n.args[1], n.args[0], *n.args[2:]])
    if name in _LOOKUPS and len(node.args) >= 2:
        yield "drop the default", put("args", lambda n: n.args[:-1])
    if name == "range" and isinstance(node.func, ast.Name) and node.args:
        end = 0 if len(node.args) == 1 else 1
        yield "lengthen the range", _shift("args", end, ast.Add())
        yield "shorten the range", _shift("args", end, ast.Sub())
    for sibling in _SIBLINGS.get(name, ()):
        if name not in _SPLITS or len(node.args) + len(node.keywords) > 1:
            yield "call the sibling", _renamed(sibling)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _renamed(sibling: str) -> Change:
    def func(node: ast.Call) -> ast.expr:
        if isinstance(node.func, ast.Attribute):
            return ast.Attribute(node.func.value, sibling, ast.Load())
        return ast.Name(sibling, ast.Load())

    return put("func", func)


def _slices(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Slice):
        return
    for name in ("lower", "upper"):
        if getattr(node, name) is not None:
            yield f"drop the {name} bound", put(name, lambda _: None)
            yield f"raise the {name} bound", _moved(name, ast.Add())
            yield f"reduce the {name} bound", _moved(name, ast.Sub())
    if node.step is not None:
        yield "drop the step", put("step", lambda _: None)


def _moved(name: str, kind: ast.operator) -> Change:
    return put(name, lambda n: ast.BinOp(getattr(n, name), kind, ast.Constant(1)))


def _shift(name: str, place: int, kind: ast.operator) -> Change:
    def shifted(node: ast.AST) -> list[ast.expr]:
        items: list[ast.expr] = list(getattr(node, name))
        items[place] = ast.BinOp(items[place], kind, ast.Constant(1))
        return items

    return put(name, shifted)


def _statements(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and not _is_text(node):
        yield "delete the statement", delete
    if isinstance(node, (ast.Continue, ast.Break)):
        yield "delete the jump", delete
    if isinstance(node, ast.Continue):
        yield "swap break and continue", turn(ast.Break, lambda _: {})
    if isinstance(node, ast.Break):
        yield "swap break and continue", turn(ast.Continue, lambda _: {})
    if isinstance(node, ast.Return) and node.value is not None:
        yield "return None", put("value", lambda _: None)


def _exceptions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Raise):
        yield "delete the raise", delete
        if _raised(node):
            yield "change the exception", put("exc", _other_error)
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        yield "drop the handler", put("type", lambda _: ast.Tuple([], ast.Load()))


def _raised(node: ast.Raise) -> str:
    name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return name.id if isinstance(name, ast.Name) and name.id[:1].isupper() else ""


def _other_error(node: ast.Raise) -> ast.expr:
    other = ast.Name(_OTHER_ERRORS.get(_raised(node), "RuntimeError"), ast.Load())
    return ast.Call(other, node.exc.args, []) if isinstance(node.exc, ast.Call) else other


def _compare(place: int, kind: type[ast.cmpop]) -> Change:
    return put("ops", lambda n: [kind() if i == place else op for i, op in enumerate(n.ops)])


def _without(place: int) -> Callable[[ast.AST], list[ast.AST]]:
    def rest(node: ast.AST) -> list[ast.AST]:
        items = node.ifs if isinstance(node, ast.comprehension) else getattr(node, "keywords", [])
        return [item for i, item in enumerate(items) if i != place]

    return rest


def _negated(place: int) -> Callable[[ast.comprehension], list[ast.expr]]:
    return lambda node: [ast.UnaryOp(ast.Not(), t) if i == place else t for i, t in enumerate(node.ifs)]


def _without_operand(place: int) -> Change:
    def change(node: ast.AST) -> None:
        if isinstance(node, ast.BoolOp):
            kept = [value for i, value in enumerate(node.values) if i != place]
            if len(kept) > 1:
                node.values = kept
            else:
                become(lambda _: kept[0])(node)

    return change


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)


_BY_KIND = (_conditions, _logic, _arithmetic, _constants, _calls, _slices, _statements, _exceptions)
