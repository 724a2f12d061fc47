"""Reading operators: what arithmetic, comparisons and membership tell of their operands."""

from __future__ import annotations

import ast
from typing import Any

from pipeline.suites.inference.clues import Clue


def operate(op: ast.operator, left: Clue, right: Clue, first: ast.expr, second: ast.expr) -> Clue:
    """The clue of the result of a binary operator, after noting what it tells of the operands."""
    sign = type(op).__name__
    result = Clue()
    known = [constant(first), constant(second)]
    if sign == "Mod" and isinstance(known[0], str):
        result.vote("str", weight=1)
        return result
    if sign == "Div" and (left.votes.get("Path") or right.votes.get("Path")):
        result.vote("Path", weight=1)
        for clue in (left, right):
            if not clue.votes.get("Path"):
                clue.vote("str", "it is joined to a path")
                clue.formats.append("path")
        return result
    if sign in ("Sub", "Div", "Pow", "Mult", "FloorDiv", "Mod"):
        if sign == "Mult" and any(isinstance(one, ast.List) for one in (first, second)):
            (right if isinstance(first, ast.List) else left).vote("count", "a list is repeated by it")
            result.vote("list", weight=1)
            return result
        _arithmetic(sign, left, right, known)
        if sign == "Mod" and not isinstance(known[1], (int, float)):
            left.formats.append("printf")
    elif sign == "Add":
        for clue, other in ((left, known[1]), (right, known[0])):
            if isinstance(other, (int, float)):
                clue.vote("number", f"{other!r} is added to it", 1)
    elif sign in ("LShift", "RShift", "BitOr", "BitAnd", "BitXor"):
        for clue, other in ((left, right), (right, left)):
            if other.votes.get("set") and sign != "LShift" and sign != "RShift":
                clue.vote("set", f"it is an operand of {sign} with a set", 2)
            else:
                clue.vote("int", f"it is an operand of {sign}", 1)
    elif sign == "MatMult":
        for clue in (left, right, result):
            clue.vote("array", "it is an operand of a matrix product")
    left.peers.append(right)
    right.peers.append(left)
    result.peers += [left, right]
    if sign in ("Add", "Sub", "Mult", "FloorDiv"):
        result.vote("sum", weight=1)
    if sign == "Add":
        # What is added to a sum is like its parts.
        left.peers.append(result)
        right.peers.append(result)
    if sign == "Div":
        result.vote("float", weight=1)
    return result


def _arithmetic(sign: str, left: Clue, right: Clue, known: list[Any]) -> None:
    if sign == "Mult" and any(isinstance(value, (str, list)) for value in known):
        (left if isinstance(known[1], str) else right).vote("count", "a text is repeated by it")
        return
    if sign == "Pow":
        right.high = min(right.high or 12, 12)
    for clue in (left, right):
        whole = sign in ("FloorDiv", "Mod") and any(isinstance(value, int) for value in known)
        clue.vote("int" if whole else "number", f"it is an operand of {sign}", 1 if sign in ("Sub", "Mult") else 2)
    for clue, other in ((left, known[1]), (right, known[0])):
        if isinstance(other, (int, float)) and sign in ("Mod", "FloorDiv"):
            clue.constant(other)


def compare(op: ast.cmpop, left: tuple[Clue, ast.expr], right: tuple[Clue, ast.expr]) -> None:
    """Note what one comparison tells of both sides; each comes with its expression."""
    if isinstance(op, (ast.In, ast.NotIn)):
        _membership(left, right)
        return
    for (clue, _), (other, expression) in ((left, right), (right, left)):
        values = constants(expression)
        for value in values:
            compare_constant(clue, value)
        if not values:
            clue.peers.append(other)


def compare_constant(clue: Clue, value: Any) -> None:
    """Note that a value is compared with a constant."""
    clue.constant(value)
    if clue.length_of is not None and isinstance(value, int):
        clue.length_of.count(value)
    elif isinstance(value, (str, bytes, float)):
        clue.vote(type(value).__name__, f"it is compared with {value!r}", 2)
    elif isinstance(value, int) and not isinstance(value, bool):
        clue.vote("number", f"it is compared with {value!r}", 2)
    elif isinstance(value, bool):
        clue.vote("bool", f"it is compared with {value!r}", 2)


def _membership(left: tuple[Clue, ast.expr], right: tuple[Clue, ast.expr]) -> None:
    (clue, expression), (container, holder) = left, right
    for value in constants(holder):
        if isinstance(value, str) and isinstance(holder, ast.Constant):
            clue.vote("char" if len(value) > 1 else "str", f"it is looked for in {value!r}", 2)
            for character in value[:12]:
                clue.constant(character)
        else:
            compare_constant(clue, value)
    value = constant(expression)
    shown = isinstance(holder, (ast.Tuple, ast.List, ast.Set))
    if isinstance(expression, ast.Constant) and expression.value is None and not shown:
        container.vote("container", "None is looked for in it", 1)
        container.items().none = True
        return
    if value is None and shown:
        clue.peers += container.items().peers
    if isinstance(expression, ast.Constant) and shown:
        for element in container.items().peers:
            compare_constant(element, value)
    if value is None:
        container.vote("container", "something is looked for in it", 1)
        clue.vote("hashable", weight=1)
        clue.peers.append(container.keys())
        container.keys().peers.append(clue)
        container.items().peers.append(clue)
        return
    container.vote("container", f"{value!r} is looked for in it", 1)
    container.items().constant(value)
    if isinstance(value, str):
        container.separators.append(value)
        if container.fields:
            container.field(value, False)
    container.keys().constant(value)


_NAMED = {
    "inf": float("inf"),
    "nan": float("nan"),
    "pi": 3.141592653589793,
    "Inf": float("inf"),
    "sep": "/",
    "pathsep": ":",
    "linesep": "\n",
}


def constant(node: ast.expr) -> Any:
    """The constant that an expression is, None where it is none."""
    if (
        isinstance(node, ast.Attribute)
        and isinstance(node.value, ast.Name)
        and node.value.id in ("math", "np", "numpy", "os")
    ):
        return _NAMED.get(node.attr)
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        value = constant(node.operand)
        return -value if isinstance(value, (int, float)) else None
    if isinstance(node, ast.BinOp):
        return _reckoned(node.op, constant(node.left), constant(node.right))
    return node.value if isinstance(node, ast.Constant) else None


def _reckoned(op: ast.operator, one: Any, other: Any) -> Any:
    """What an operator makes of two numbers that the text gives, such as `2 * np.pi`; None where it makes none."""
    numbers = all(type(value) in (int, float) and abs(value) < 1e9 for value in (one, other))
    match op:
        case ast.Add() if numbers:
            return one + other
        case ast.Sub() if numbers:
            return one - other
        case ast.Mult() if numbers:
            return one * other
        case ast.Div() if numbers and other:
            return one / other
    return None


def constants(node: ast.expr) -> list[Any]:
    """The constants that an expression is, or that it holds as a literal container."""
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return [value for element in node.elts for value in constants(element)]
    if isinstance(node, ast.Dict):
        return [value for key in node.keys if key is not None for value in constants(key)]
    if isinstance(node, ast.Constant):
        return [node.value]
    value = constant(node)
    return [] if value is None else [value]


def as_whole(clue: Clue, depth: int = 3) -> None:
    """Note of what a place is reckoned from that it is whole, too."""
    for part in clue.peers[:2] if clue.votes.get("sum") and depth else []:
        part.vote("subscript", weight=1)
        as_whole(part, depth - 1)
