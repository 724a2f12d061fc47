"""Expressions and statements that use or bind names in the scope where they stand."""

from __future__ import annotations

from tree_sitter import Node

from pipeline.languages.python.scoping.conditions import branches, takes_import_errors
from pipeline.languages.python.scoping.imports import from_import, future_names, plain_imports
from pipeline.languages.python.scoping.reader import (
    ANNOTATION,
    ATTRIBUTE,
    CHAIN,
    DELETE,
    EXCEPT,
    FOR,
    IDENTIFIER,
    KINDS,
    PATTERN,
    TARGET,
    VALUE,
    WITH,
    Reader,
)
from pipeline.languages.python.syntax import child_at, identifier, kind, kinds, named_child_at, parse, string_parts
from pipeline.languages.scoping import Binder, Condition, Declared

INTERPOLATION, EXCEPT_CLAUSE, FINALLY = kind("interpolation"), kind("except_clause"), kind("finally_clause")
AS_PATTERN, PARENTHESES = kinds("as_pattern"), kinds("tuple_pattern", "parenthesized_expression")


def name(reader: Reader, node: Node, scope: int, role: int, condition: Condition) -> None:
    """A name: a definition or a reference, as its place says."""
    if role >= PATTERN:
        reader.bind(node, scope, KINDS[role], condition)
    else:
        reader.refer(node, scope, role)


def attribute(reader: Reader, node: Node, scope: int, role: int, _condition: Condition) -> None:
    """`a.b.c` uses `a`, also where it is assigned to."""
    reader.chain(node, scope, role)


def call(reader: Reader, node: Node, scope: int, _role: int, _condition: Condition) -> None:
    """A call; how many arguments it has is reported with the name that is called."""
    function, arguments = child_at(node, 0), node.child_by_field_name("arguments")
    reader.push(arguments, scope)
    if function is not None and function.kind_id in CHAIN:
        reader.chain(function, scope, VALUE, arguments.named_child_count if arguments is not None else 0)
    else:
        reader.push(function, scope)


def keyword(reader: Reader, node: Node, scope: int, role: int, _condition: Condition) -> None:
    """`name=value` in a call uses the value only."""
    reader.push(node.child_by_field_name("value"), scope, role)


def subscript(reader: Reader, node: Node, scope: int, role: int, _condition: Condition) -> None:
    """`a[b]` uses both, also where it is assigned to; in `Literal[...]`, and behind the first part of
    `Annotated[...]`, nothing is a type.
    """
    children = node.named_children
    if role != ANNOTATION:
        reader.push_all(children, scope)
        return
    word = (children[0].text or b"").rpartition(b".")[2] if children else b""
    if word == b"Literal":
        children = children[:1]
    elif word == b"Annotated":
        reader.push_all(children[2:], scope)
        children = children[:2]
    reader.push_all(children, scope, ANNOTATION)


def generic_type(reader: Reader, node: Node, scope: int, role: int, condition: Condition) -> None:
    """`a[b]` where the grammar knows that it is a type: the parts stand in a node of their own."""
    children = node.named_children
    word = (children[0].text or b"").rpartition(b".")[2] if children else b""
    if word == b"Literal":
        children = children[:1]
    elif word == b"Annotated":
        reader.push_all((part for child in children[1:] for part in child.named_children[1:]), scope)
        children = [children[0], *(part for child in children[1:] for part in child.named_children[:1])]
    reader.push_all(children, scope, role, condition)


def string(reader: Reader, node: Node, scope: int, role: int, _condition: Condition) -> None:
    """The expressions in an f-string, or the names in a quoted annotation."""
    if role == ANNOTATION:
        _forward(reader, node, scope)
    else:
        reader.push_all((child for child in node.named_children if child.kind_id == INTERPOLATION), scope)


def _forward(reader: Reader, node: Node, scope: int) -> None:
    """The names in a quoted annotation; free text, which is no expression, has none."""
    prefix, value = string_parts(node.text or b"")
    if b"f" in prefix or b"b" in prefix:
        return
    root = parse(value.strip()).root_node
    expression = named_child_at(root, 0)
    if not root.has_error and root.named_child_count == 1 and expression is not None:
        reader.aside(expression, scope, ANNOTATION, reader.position(node))


def assignment(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`a = b.c` makes `a` another name of `b.c`."""
    left, right = node.child_by_field_name("left"), node.child_by_field_name("right")
    annotation = node.child_by_field_name("type")
    named = left is not None and left.kind_id == IDENTIFIER
    if left is not None and named and right is not None and _is_dotted(right):
        reader.bind(left, scope, KINDS[TARGET], condition, reader.chain(right, scope, VALUE))
        reader.push(annotation, scope, ANNOTATION)
        return
    if right is not None or named:
        reader.push(left, scope, TARGET, condition)
    elif left is not None and left.kind_id not in PARENTHESES:  # `(a): int` neither binds nor uses `a`
        reader.push(left, scope)
    reader.push(annotation, scope, ANNOTATION)
    reader.push(right, scope, VALUE, condition)


def _is_dotted(node: Node | None) -> bool:
    """Whether an expression is a name, or attributes of a name."""
    while node is not None and node.kind_id == ATTRIBUTE:
        node = child_at(node, 0)
    return node is not None and node.kind_id == IDENTIFIER


def augmented(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`a += b` uses `a` and binds it."""
    left = node.child_by_field_name("left")
    if left is not None and left.kind_id == IDENTIFIER:
        reader.push(left, scope, TARGET, condition)
    reader.push(node.child_by_field_name("right"), scope)
    reader.push(left, scope)


def walrus(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`(a := b)`; where the name goes is a matter of the rules."""
    left = node.child_by_field_name("name")
    if left is not None:
        reader.bind(left, scope, "walrus", condition)
    reader.push(node.child_by_field_name("value"), scope)


def loop(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`for` and `while`: what their bodies bind may not be bound."""
    inner = Condition.BRANCH.within(condition)
    reader.push(node.child_by_field_name("alternative"), scope, VALUE, inner)
    reader.push(node.child_by_field_name("body"), scope, VALUE, inner)
    reader.push(node.child_by_field_name("left"), scope, FOR, condition)
    for field in ("right", "condition"):
        reader.push_all(node.children_by_field_name(field), scope, VALUE, condition)


def as_pattern(reader: Reader, node: Node, scope: int, role: int, condition: Condition) -> None:
    """`expression as target` in a `with` or an `except`, and `pattern as name`."""
    first, targets = named_child_at(node, 0), node.named_children[1:]
    if role != PATTERN:
        reader.push_all(targets, scope, EXCEPT if role == EXCEPT else WITH, condition)
        reader.push(first, scope, VALUE, condition)
    else:
        reader.push_all(node.named_children, scope, PATTERN, condition)


def handler(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`except A as e` binds `e`."""
    for child in reversed(node.named_children):
        reader.push(child, scope, EXCEPT if child.kind_id in AS_PATTERN else VALUE, condition)


def deletion(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`del a` makes `a` a name of the scope, as an assignment does."""
    reader.push_all(node.named_children, scope, DELETE, condition)


def global_names(reader: Reader, node: Node, scope: int, _role: int, _condition: Condition) -> None:
    """`global a` is a reference to the module's `a`, even if nothing else is."""
    _declare(reader, node, scope, Declared.ROOT)


def nonlocal_names(reader: Reader, node: Node, scope: int, _role: int, _condition: Condition) -> None:
    """`nonlocal a` is a reference to the enclosing function's `a`."""
    _declare(reader, node, scope, Declared.ENCLOSING)


def _declare(reader: Reader, node: Node, scope: int, where: Declared) -> None:
    for child in node.named_children:
        if child.kind_id == IDENTIFIER:
            reader.sink.declare(scope, identifier(child.text or b""), where)
            reader.refer(child, scope, VALUE)


def import_modules(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`import a.b, c as d`."""
    for bound, imported in plain_imports(node):
        reader.sink.define(scope, Binder(bound, "import", reader.position(node), condition, imported))


def import_members(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`from a import b as c`, or `*`."""
    module, names = from_import(node)
    if not names:
        reader.sink.wildcard(scope, module)
    for bound, imported in names:
        reader.sink.define(scope, Binder(bound, "import", reader.position(node), condition, imported))


def import_future(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`from __future__ import annotations` is needed by everything in the file."""
    for bound, imported in future_names(node):
        reader.sink.define(scope, Binder(bound, "import", reader.position(node), condition, imported))
        if imported.target == "__future__.annotations":
            reader.preamble.append(imported.statement)


def branch(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`if`, whose test may say under which circumstances its branches are taken."""
    test = node.child_by_field_name("condition")
    taken, other = branches((test.text or b"").decode("utf-8", "replace") if test is not None else "")
    reader.push_all(node.children_by_field_name("alternative"), scope, VALUE, other.within(condition))
    reader.push(node.child_by_field_name("consequence"), scope, VALUE, taken.within(condition))
    reader.push(test, scope, VALUE, condition)


def attempt(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`try`, with or without a handler for failing imports."""
    children = node.named_children
    guarded = any(takes_import_errors(child) for child in children if child.kind_id == EXCEPT_CLAUSE)
    for child in reversed(children):
        if child.kind_id == EXCEPT_CLAUSE:
            inner = Condition.FALLBACK if guarded else Condition.BRANCH
        elif guarded and child.kind_id != FINALLY:
            inner = Condition.TRIED
        else:
            inner = Condition.ALWAYS
        reader.push(child, scope, VALUE, inner.within(condition))


def match(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`match`: what its cases bind may not be bound."""
    inner = Condition.BRANCH.within(condition)
    reader.push(node.child_by_field_name("body"), scope, VALUE, inner)
    reader.push_all(node.children_by_field_name("subject"), scope, VALUE, condition)


def case_pattern(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """A pattern: the names in it are captured."""
    reader.push_all(node.named_children, scope, PATTERN, condition)


def dotted_name(reader: Reader, node: Node, scope: int, role: int, condition: Condition) -> None:
    """In a pattern, a name alone is captured, and a dotted one is a value."""
    first, rest = named_child_at(node, 0), node.named_children[1:]
    if first is None:
        return
    if role == PATTERN and not rest:
        reader.bind(first, scope, KINDS[PATTERN], condition)
    else:
        reader.refer(first, scope, VALUE, tuple(identifier(part.text or b"") for part in rest))


def class_pattern(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`case A(b, c=d)` uses `A`."""
    first = named_child_at(node, 0)
    reader.push_all(node.named_children[1:], scope, PATTERN, condition)
    if first is not None:
        dotted_name(reader, first, scope, VALUE, condition)


def keyword_pattern(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """`c=d` in a class pattern captures `d`."""
    reader.push_all(node.named_children[1:], scope, PATTERN, condition)


def as_value(reader: Reader, node: Node, scope: int, _role: int, condition: Condition) -> None:
    """A guard, or anything else that is evaluated wherever it stands."""
    reader.push_all(node.named_children, scope, VALUE, condition)


def nothing(_reader: Reader, _node: Node, _scope: int, _role: int, _condition: Condition) -> None:
    """Nothing in it is a name."""
