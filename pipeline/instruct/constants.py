"""Constants of a body (literals, keys, patterns, formats) that can influence the answer, and what each is for."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.languages.python.facts import Facts

_FREE_NUMBERS = (0, 1, -1)
_FREE_TEXTS = frozenset({"", "utf-8", "utf8", "UTF-8", "strict"})
_REGEX = frozenset({"match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer", "compile"})
_COMPARES = frozenset("startswith endswith split rsplit partition rpartition replace find rfind index count strip "
                      "lstrip rstrip removeprefix removesuffix".split())


@dataclass(frozen=True)
class Constant:
    """A constant of the body, and what it is for.

    `role` is `value`, `arithmetic`, `piece` (of a text), `compared`, `key`, `pattern` or `format`.
    """

    value: object
    role: str
    node: ast.Constant


def literals(facts: Facts) -> frozenset[str]:
    """All constants of the body as they are written, those that don't matter included."""
    return frozenset(repr(node.value) for node in facts.nodes if isinstance(node, ast.Constant))


def constants(facts: Facts) -> Iterator[Constant]:
    """The constants of the body that matter: not those of error messages, small indices and harmless values."""
    texts = [node.value for node in facts.nodes if isinstance(node, ast.Constant) and isinstance(node.value, str)]
    prefixes = {len(text) for text in texts}
    messages = _message_names(facts)
    told_in_raise = {
        child for node in facts.nodes if isinstance(node, ast.Assign) and _targets(node) & messages
        for child in ast.walk(node)}
    for statement in facts.body:
        for constant in _constants(statement, "value"):
            if not (constant.role == "key" and constant.value in prefixes) and constant.node not in told_in_raise:
                yield constant


def _targets(node: ast.Assign) -> set[str]:
    return {ast.unparse(target) for target in node.targets}


def _message_names(facts: Facts) -> set[str]:
    """Names that are read by `raise` alone."""
    raises = {id(child) for node in facts.nodes if isinstance(node, ast.Raise) for child in ast.walk(node)}
    names = [node for node in facts.nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)]
    return {node.id for node in names if id(node) in raises} - {node.id for node in names if id(node) not in raises}


def _constants(node: ast.AST, role: str) -> Iterator[Constant]:
    if isinstance(node, (ast.Raise, ast.Assert)):
        return
    if isinstance(node, ast.Constant):
        if _matters(node.value, role):
            yield Constant(node.value, role, node)
        return
    for child, inner in _children(node, role):
        yield from _constants(child, inner)


def _children(node: ast.AST, role: str) -> Iterator[tuple[ast.AST, str]]:
    """The parts of a node with what a constant in them would be for."""
    if isinstance(node, ast.Call) and ast.unparse(node.func).rsplit(".", 1)[-1] == "cast" and len(node.args) == 2:
        yield node.args[1], role
    elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        regex = node.func.attr in _REGEX and ast.unparse(node.func.value) == "re"
        yield node.func.value, "piece" if node.func.attr == "join" else "value"
        text = "compared" if node.func.attr in _COMPARES else "value"
        first = "pattern" if regex else "key" if node.func.attr in ("get", "pop", "setdefault") else text
        for position, argument in enumerate(node.args):
            yield argument, first if position == 0 else text
        yield from ((keyword.value, "value") for keyword in node.keywords)
    elif isinstance(node, ast.Subscript):
        yield node.value, "value"
        yield node.slice, "key"
    elif isinstance(node, ast.Slice):
        yield from ((part, "key") for part in (node.lower, node.upper, node.step) if part is not None)
    elif isinstance(node, ast.Dict):
        yield from ((key, "key") for key in node.keys if key is not None)
        yield from ((value, "value") for value in node.values)
    elif isinstance(node, (ast.BinOp, ast.AugAssign)):
        yield from ((part, "arithmetic") for part in ast.iter_child_nodes(node))
    elif isinstance(node, (ast.For, ast.comprehension)) and isinstance(node.iter, ast.Constant):
        yield node.iter, "compared"
        yield from ((part, "value") for part in ast.iter_child_nodes(node) if part is not node.iter)
    elif isinstance(node, (ast.Compare, ast.MatchValue)):
        yield from ((part, "compared") for part in ast.iter_child_nodes(node))
    elif isinstance(node, ast.JoinedStr):
        yield from ((value, "format" if role == "format" else "piece") for value in node.values)
    elif isinstance(node, ast.FormattedValue):
        yield node.value, "value"
        if node.format_spec is not None:
            yield node.format_spec, "format"
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub) and isinstance(node.operand, ast.Constant):
        yield node.operand, role
    else:
        for name, value in ast.iter_fields(node):
            if name in ("annotation", "returns"):
                continue
            parts = value if isinstance(value, list) else [value]
            yield from ((part, role if role in ("key", "pattern", "format", "compared") else "value") for part in parts
                        if isinstance(part, ast.AST))


def _matters(value: object, role: str) -> bool:
    if isinstance(value, (bool, type(None), type(Ellipsis))):
        return False
    if isinstance(value, (int, float)):
        return value not in _FREE_NUMBERS and not (role == "key" and value == 2)
    return not isinstance(value, str) or value not in _FREE_TEXTS
