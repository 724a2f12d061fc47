"""The operators of mutation: each is a name and a change that one node of a syntax tree undergoes in place.

A change replaces the node's fields, or its class with them; it never touches the fields' old values, so that whoever
keeps the old fields can put them back.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterator

Change = Callable[[ast.AST], None]

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
_SIBLINGS = {
    "lower": "upper", "upper": "lower", "startswith": "endswith", "endswith": "startswith", "lstrip": "strip",
    "rstrip": "strip", "strip": "rstrip", "find": "rfind", "rfind": "find", "split": "rsplit", "rsplit": "split",
    "partition": "rpartition", "rpartition": "partition", "index": "rindex", "rindex": "index", "min": "max",
    "max": "min", "any": "all", "all": "any", "floor": "ceil", "ceil": "floor", "removeprefix": "removesuffix",
    "removesuffix": "removeprefix", "append": "extend", "keys": "values", "values": "keys", "match": "fullmatch",
    "fullmatch": "match", "search": "match", "isdigit": "isalpha", "isalnum": "isalpha", "isalpha": "isalnum",
}
_LOOKUPS = frozenset(["get", "pop", "setdefault", "getattr", "next"])
_OTHER_ERRORS = {
    "ValueError": "TypeError", "TypeError": "ValueError", "KeyError": "IndexError", "IndexError": "KeyError",
}


def changes_of(node: ast.AST) -> Iterator[tuple[str, Change]]:
    """The operators that fit a node, by name."""
    for operators in _BY_KIND:
        yield from operators(node)


def _conditions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.If, ast.While, ast.IfExp)):
        yield "negate the condition", _set("test", lambda n: ast.UnaryOp(ast.Not(), n.test))
    if isinstance(node, ast.If):
        yield "drop the branch", _set("test", lambda _: ast.Constant(False))
        yield "always take the branch", _set("test", lambda _: ast.Constant(True))
    if isinstance(node, ast.While):
        yield "skip the loop", _set("test", lambda _: ast.Constant(False))
    if isinstance(node, ast.For):
        yield "skip the loop", _set("iter", lambda _: ast.Tuple([], ast.Load()))
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield "drop the not", _become(lambda n: n.operand)


def _logic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Compare):
        for place, kind in enumerate(node.ops):
            if type(kind) in _BOUNDARY:
                yield "change the comparison", _compare(place, _BOUNDARY[type(kind)])
            if type(kind) in _TURNED:
                yield "turn the comparison round", _compare(place, _TURNED[type(kind)])
    if isinstance(node, ast.BoolOp):
        yield "swap and with or", _set("op", lambda n: ast.Or() if isinstance(n.op, ast.And) else ast.And())
        for place in range(len(node.values)):
            yield "drop an operand", _without_operand(place)
    if isinstance(node, ast.comprehension):
        for place in range(len(node.ifs)):
            yield "drop the filter", _set("ifs", _without(place))
            yield "negate the filter", _set("ifs", _negated(place))


def _arithmetic(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.BinOp, ast.AugAssign)):
        for kind in _ARITHMETIC.get(type(node.op), ()):
            yield "change the arithmetic", _operator(kind)
    if isinstance(node, ast.BinOp) and not isinstance(node.op, ast.Mod):
        yield "drop the right operand", _become(lambda n: n.left)
        yield "drop the left operand", _become(lambda n: n.right)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        yield "drop the minus", _become(lambda n: n.operand)


def _operator(kind: type[ast.operator]) -> Change:
    return _set("op", lambda _: kind())


def _constants(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Constant):
        return
    if isinstance(node.value, bool):
        yield "negate the constant", _set("value", lambda n: not n.value)
    elif isinstance(node.value, (int, float)):
        yield "add one to the constant", _set("value", lambda n: n.value + 1)
        yield "take one from the constant", _set("value", lambda n: n.value - 1)
    elif isinstance(node.value, str):
        yield "change the text", _set("value", lambda n: f"{n.value}x" if n.value else "x")
        if node.value:
            yield "empty the text", _set("value", lambda _: "")
    elif isinstance(node.value, bytes):
        yield "change the text", _set("value", lambda n: n.value + b"x")


def _calls(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Call):
        return
    if isinstance(node.func, ast.Attribute) and len(node.args) <= 1:
        yield "drop the method call", _become(lambda n: n.func.value)
    elif isinstance(node.func, ast.Name) and len(node.args) == 1 and not node.keywords:
        yield "drop the call", _become(lambda n: n.args[0])
    if not any(isinstance(argument, ast.Starred) for argument in node.args):
        yield from _arguments(node)
    for place, keyword in enumerate(node.keywords):
        if keyword.arg is not None:
            yield "drop the keyword", _set("keywords", _without(place))


def _arguments(node: ast.Call) -> Iterator[tuple[str, Change]]:
    name = _name(node.func)
    if len(node.args) >= 2:
        yield "swap the arguments", _set("args", lambda n: [n.args[1], n.args[0], *n.args[2:]])
    if name in _LOOKUPS and len(node.args) >= 2:
        yield "drop the default", _set("args", lambda n: n.args[:-1])
    if name == "range" and isinstance(node.func, ast.Name) and node.args:
        end = 0 if len(node.args) == 1 else 1
        yield "lengthen the range", _shift("args", end, ast.Add())
        yield "shorten the range", _shift("args", end, ast.Sub())
    if name in _SIBLINGS:
        yield "call the sibling", _set("func", _renamed)


def _name(node: ast.expr) -> str:
    return node.attr if isinstance(node, ast.Attribute) else node.id if isinstance(node, ast.Name) else ""


def _renamed(node: ast.Call) -> ast.expr:
    if isinstance(node.func, ast.Attribute):
        return ast.Attribute(node.func.value, _SIBLINGS[node.func.attr], ast.Load())
    return ast.Name(_SIBLINGS[_name(node.func)], ast.Load())


def _slices(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if not isinstance(node, ast.Slice):
        return
    for name in ("lower", "upper"):
        if getattr(node, name) is not None:
            yield f"drop the {name} bound", _set(name, lambda _: None)
            yield f"raise the {name} bound", _moved(name, ast.Add())
            yield f"reduce the {name} bound", _moved(name, ast.Sub())
    if node.step is not None:
        yield "drop the step", _set("step", lambda _: None)


def _moved(name: str, kind: ast.operator) -> Change:
    return _set(name, lambda n: ast.BinOp(getattr(n, name), kind, ast.Constant(1)))


def _shift(name: str, place: int, kind: ast.operator) -> Change:
    def shifted(node: ast.AST) -> list[ast.expr]:
        items: list[ast.expr] = list(getattr(node, name))
        items[place] = ast.BinOp(items[place], kind, ast.Constant(1))
        return items

    return _set(name, shifted)


def _statements(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, (ast.Assign, ast.AugAssign, ast.AnnAssign, ast.Expr)) and not _is_text(node):
        yield "delete the statement", _delete
    if isinstance(node, (ast.Continue, ast.Break)):
        yield "delete the jump", _delete
    if isinstance(node, ast.Continue):
        yield "swap break and continue", _turn(ast.Break)
    if isinstance(node, ast.Break):
        yield "swap break and continue", _turn(ast.Continue)
    if isinstance(node, ast.Return) and node.value is not None:
        yield "return None", _set("value", lambda _: None)


def _exceptions(node: ast.AST) -> Iterator[tuple[str, Change]]:
    if isinstance(node, ast.Raise):
        yield "delete the raise", _delete
        if _raised(node):
            yield "change the exception", _set("exc", _other_error)
    if isinstance(node, ast.ExceptHandler) and node.type is not None:
        yield "drop the handler", _set("type", lambda _: ast.Tuple([], ast.Load()))


def _raised(node: ast.Raise) -> str:
    name = node.exc.func if isinstance(node.exc, ast.Call) else node.exc
    return name.id if isinstance(name, ast.Name) and name.id[:1].isupper() else ""


def _other_error(node: ast.Raise) -> ast.expr:
    other = ast.Name(_OTHER_ERRORS.get(_raised(node), "RuntimeError"), ast.Load())
    return ast.Call(other, node.exc.args, []) if isinstance(node.exc, ast.Call) else other


_BY_KIND = (_conditions, _logic, _arithmetic, _constants, _calls, _slices, _statements, _exceptions)


def _set(name: str, value: Callable[..., object]) -> Change:
    return lambda node: setattr(node, name, value(node))


def _compare(place: int, kind: type[ast.cmpop]) -> Change:
    return _set("ops", lambda n: [kind() if i == place else op for i, op in enumerate(n.ops)])


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
                _become(lambda _: kept[0])(node)

    return change


def _become(pick: Callable[..., ast.AST]) -> Change:
    """Let a node be one of its parts; both are expressions, so the class can be taken over with the fields."""

    def change(node: ast.AST) -> None:
        part = copy.copy(pick(node))
        node.__class__ = part.__class__
        node.__dict__ = part.__dict__

    return change


def _turn(kind: type[ast.AST]) -> Change:
    return lambda node: setattr(node, "__class__", kind)


def _delete(node: ast.AST) -> None:
    node.__dict__ = {k: v for k, v in node.__dict__.items() if "lineno" in k or "col_offset" in k}
    node.__class__ = ast.Pass


def _is_text(node: ast.AST) -> bool:
    return isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
