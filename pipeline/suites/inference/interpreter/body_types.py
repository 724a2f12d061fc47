"""Reading tests of types: what a value is known to be where `isinstance` or `type(x) is ...` has said so."""

from __future__ import annotations

import ast
from typing import Protocol

from pipeline.suites.domain.kinds.type_values import is_class
from pipeline.suites.inference.clues import Clue
from pipeline.suites.rules import notes
from pipeline.suites.subject import full_name

Narrowed = dict[bool, dict[str, Clue]]


class Testing(Protocol):
    """What a reader of statements offers to the reading of tests."""

    names: dict[str, str]
    types: dict[str, ast.expr]

    def read(self, node: ast.expr | None) -> Clue:
        """The clue of an expression."""
        ...

    def kinds(self, node: ast.expr) -> list[str]:
        """The kinds that a class or a tuple of classes stands for."""
        ...


def condition(reader: Testing, test: ast.expr) -> Narrowed:
    """Read a test; for each outcome, what names stand for where it narrows them."""
    narrowed: Narrowed = {True: {}, False: {}}
    if isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not):
        inner = condition(reader, test.operand)
        return {True: inner[False], False: inner[True]}
    if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And):
        reader.read(test)
        for operand in test.values:
            narrowed[True].update(condition(reader, operand)[True] if _asked(reader, operand) else {})
        return narrowed
    clue = reader.read(test)
    asked = _asked(reader, test)
    if asked is not None:
        subject, kinds, holds = asked
        if len(kinds) == 1 and isinstance(subject, ast.Name):
            known = reader.read(subject)
            narrowed[holds][subject.id] = known.variant(kinds[0])
            # What follows a test speaks of the value where the test failed.
            narrowed[not holds][subject.id] = known
    elif isinstance(test, ast.Name):
        clue.tested.append("truth")
    return narrowed


@notes("types: compared")
def compared_types(reader: Testing, operands: list[ast.expr]) -> None:
    """`type(x) is int` says as much as `isinstance`, and `type(x) is type(y)` that both are alike."""
    subject = _typed(reader, operands[0])
    if subject is None:
        return
    clue = reader.read(subject)
    for operand in operands[1:]:
        other = _typed(reader, operand)
        if other is not None and not isinstance(other, ast.Constant):
            alike = reader.read(other)
            clue.same.append(alike)
            alike.same.append(clue)
            continue
        for kind in reader.kinds(operand):
            if kind != "object":
                clue.tested.append(kind)
                clue.variant(kind)


@notes("types: compared with classes")
def compared_with_classes(operands: list[ast.expr], clues: list[Clue], scope: dict[str, Clue]) -> None:
    """What is compared with a class, or looked for among classes, is one."""
    named = [_names_classes(operand, scope) for operand in operands]
    for place, (operand, clue) in enumerate(zip(operands, clues, strict=True)):
        if isinstance(operand, ast.Name) and clue.about is None and any(
                named[other] for other in (place - 1, place + 1) if 0 <= other < len(named)):
            clue.vote("class value", "it is compared with a class", 2)


def _names_classes(node: ast.expr, scope: dict[str, Clue]) -> bool:
    if isinstance(node, (ast.Tuple, ast.List, ast.Set)):
        return bool(node.elts) and all(_names_classes(one, scope) for one in node.elts)
    if isinstance(node, ast.Call):
        return ast.unparse(node) == "type(None)"
    return isinstance(node, ast.Name) and node.id not in scope and is_class(node.id)


def _asked(reader: Testing, test: ast.expr) -> tuple[ast.expr, list[str], bool] | None:
    """The value whose type a test asks for, the types, and the outcome for which it is of one of them."""
    match test:
        case ast.Call(ast.Name("isinstance"), [subject, classes]):
            return subject, reader.kinds(classes), True
        case ast.Call(ast.Name("issubclass"), [left, classes]) if (asked := _typed(reader, left)) is not None:
            return asked, reader.kinds(classes), True
        case ast.Compare(left, [ast.Is() | ast.Eq() | ast.IsNot() | ast.NotEq() as op], [right]):
            asked = _typed(reader, left)
            if asked is not None and _typed(reader, right) is None:
                kinds = [kind for kind in reader.kinds(right) if kind != "object"]
                return asked, kinds, isinstance(op, (ast.Is, ast.Eq))
    return None


def of_class(reader: Testing, node: ast.Call) -> ast.expr | None:
    """The value whose type `isinstance(x, ...)` or `issubclass(type(x), ...)` asks for."""
    if isinstance(node.func, ast.Name) and len(node.args) == 2:
        if node.func.id == "isinstance":
            return node.args[0]
        if node.func.id == "issubclass":
            return _typed(reader, node.args[0])
    return None


def _typed(reader: Testing, node: ast.expr) -> ast.expr | None:
    """The value of which an expression, or what a name was assigned, is the type."""
    if isinstance(node, ast.Name):
        return reader.types.get(node.id)
    if isinstance(node, ast.Call) and full_name(node.func, reader.names) == "type" and len(node.args) == 1:
        return node.args[0]
    if isinstance(node, ast.Attribute) and node.attr == "__class__":
        return node.value
    return None
