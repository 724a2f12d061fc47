"""Functions, classes, lambdas, comprehensions and type aliases: what makes scopes."""

from __future__ import annotations

from collections.abc import Iterator

from tree_sitter import Node

from pipeline.languages.python.scoping.reader import ANNOTATION, FOR, IDENTIFIER, VALUE, Reader
from pipeline.languages.python.scoping.rules import CLASS, COMPREHENSION, FUNCTION, MODULE, TYPES
from pipeline.languages.python.syntax import child_at, identifier, kind, kinds, named_child_at
from pipeline.languages.scoping import Condition, Unit

DECORATOR, FOR_CLAUSE, IF_CLAUSE = kind("decorator"), kind("for_in_clause"), kind("if_clause")
FUNCTION_NODE, TYPE_LIST = kind("function_definition"), kind("type_parameter")
COMMENT, ALIASED = kinds("comment", "line_continuation"), kinds("identifier", "generic_type")


def decorated(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """Decorators are evaluated where the definition stands, and are no part of it."""
    decorators = [child for child in node.named_children if child.kind_id == DECORATOR]
    definition = node.child_by_field_name("definition")
    if definition is not None:
        static = any((each.text or b"")[1:].strip() == b"staticmethod" for each in decorators)
        reader.decorated[definition.id] = (node.start_point.row + 1, static)
    reader.push(definition, scope, VALUE, condition)
    reader.push_all(decorators, scope)


def function(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """A function: defaults belong to the scope outside, annotations too unless it has type parameters."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    unit = _unit(reader, node, name, scope, condition)
    reader.begin(unit)
    outer = _type_scope(reader, node.child_by_field_name("type_parameters"), scope)
    inner = unit.scope = reader.scope(FUNCTION, outer, unit.qualified)
    reader.push(node.child_by_field_name("body"), inner)
    reader.push(node.child_by_field_name("return_type"), outer, ANNOTATION)
    _parameters(reader, node.child_by_field_name("parameters"), inner, scope, outer)


def _unit(reader: Reader, node: Node, name: Node, scope: int, condition: Condition) -> Unit:
    line, static = reader.decorated.pop(node.id, (0, False))
    text = identifier(name.text or b"")
    if reader.inside_function(scope):
        word = "nested"
    elif reader.kinds[scope] == MODULE:
        word = "function"
    else:
        word = "staticmethod" if static else "method"
    definition = reader.define(node, name, scope, "function", condition)
    return Unit(text, _qualified(reader, text, scope), word, line or node.start_point.row + 1, definition)


def _qualified(reader: Reader, name: str, scope: int) -> str:
    prefix = reader.prefixes[scope]
    return f"{prefix}.{name}" if prefix else name


def _parameters(reader: Reader, node: Node | None, inner: int, outer: int, types: int) -> None:
    if node is None:
        return
    children = node.named_children
    for child in reversed(children):
        reader.push(child.child_by_field_name("value"), outer)
        reader.push(child.child_by_field_name("type"), types, ANNOTATION)
    for child in children:
        for name in _parameter_names(child):
            reader.bind(name, inner, "parameter")


def _parameter_names(node: Node) -> Iterator[Node]:
    """The names that a parameter binds (several only in Python 2's tuples)."""
    if node.kind_id == IDENTIFIER:
        yield node
        return
    name = node.child_by_field_name("name")
    if name is not None:
        yield from _parameter_names(name)
        return
    annotation = node.child_by_field_name("type")
    for child in node.named_children:
        if child != annotation:
            yield from _parameter_names(child)


def _type_scope(reader: Reader, parameters: Node | None, scope: int) -> int:
    """The scope around a definition that holds its type parameters, where it has any."""
    if parameters is None:
        return scope
    inner = reader.scope(TYPES, scope)
    for child in parameters.named_children:
        name = _first_name(child)
        if name is not None:
            reader.bind(name, inner, "type parameter")
            reader.push_all(_after(child, name), inner, ANNOTATION)
    return inner


def _first_name(node: Node) -> Node | None:
    found: Node | None = node
    while found is not None and found.kind_id != IDENTIFIER:
        found = named_child_at(found, 0)
    return found


def _after(node: Node, name: Node) -> Iterator[Node]:
    """The bound or default of a type parameter: what stands behind its name."""
    for child in node.named_children:
        if child.start_byte >= name.end_byte:
            yield child
        elif child.end_byte > name.end_byte:
            yield from _after(child, name)


def anonymous(reader: Reader, node: Node, scope: int, _role: int, _condition: Condition) -> None:
    """A lambda is a function without a name."""
    inner = reader.scope(FUNCTION, scope)
    reader.push(node.child_by_field_name("body"), inner)
    _parameters(reader, node.child_by_field_name("parameters"), inner, scope, scope)


def class_body(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """A class: bases belong to the scope outside."""
    name = node.child_by_field_name("name")
    if name is None:
        return
    reader.decorated.pop(node.id, None)
    reader.define(node, name, scope, "class", condition)
    outer = _type_scope(reader, node.child_by_field_name("type_parameters"), scope)
    inner = reader.scope(CLASS, outer, _qualified(reader, identifier(name.text or b""), scope))
    reader.push(node.child_by_field_name("body"), inner)
    reader.push(node.child_by_field_name("superclasses"), outer)


def comprehension(reader: Reader, node: Node, scope: int, _role: int, _condition: Condition) -> None:
    """All of a comprehension is in a scope of its own but the first iterable."""
    inner = reader.scope(COMPREHENSION, scope)
    children = [child for child in node.named_children if child.kind_id not in COMMENT]
    reader.push_all((child for child in children if child.kind_id not in (FOR_CLAUSE, IF_CLAUSE)), inner)
    clauses = [child for child in children if child.kind_id in (FOR_CLAUSE, IF_CLAUSE)]
    for child in reversed(clauses):
        if child.kind_id == IF_CLAUSE:
            reader.push(child, inner)
            continue
        reader.push(child.child_by_field_name("left"), inner, FOR)
        reader.push_all(child.children_by_field_name("right"), scope if child == clauses[0] else inner)


def type_alias(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`type A[T] = ...` binds `A`, and `T` in a scope of its own; the grammar takes `type(a).b = c` for one too."""
    left = node.child_by_field_name("left")
    shape = named_child_at(left, 0) if left is not None else None
    name = _first_name(left) if left is not None else None
    if left is None or name is None or shape is None or shape.kind_id not in ALIASED:
        keyword = child_at(node, 0)
        if keyword is not None:
            reader.refer(keyword, scope, VALUE)
        reader.push_all(node.named_children, scope)
        return
    reader.bind(name, scope, "assignment", condition)
    inner = _type_scope(reader, next((n for n in _after(left, name) if n.kind_id == TYPE_LIST), None), scope)
    reader.push(node.child_by_field_name("right"), inner, ANNOTATION)
