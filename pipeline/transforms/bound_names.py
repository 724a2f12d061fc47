"""Which names a piece of Python reads, binds or changes in place, seen from the function around it."""

from __future__ import annotations

import ast
from collections import deque
from collections.abc import Iterable, Iterator

Scope = ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


_PLAIN = frozenset({"identifier", "int", "string", "constant", "expr_context", "type_ignore"})
"""What fields hold, by the grammar, that is no part of a tree, or says nothing but load or store."""


def _parts(kind: type[ast.AST]) -> tuple[tuple[str, bool], ...]:
    """The fields of a kind of nodes that hold nodes, each with whether it is a list; its documentation has them."""
    _, found, told = (kind.__doc__ or "").partition(f"{kind.__name__}(")
    if not found:
        return ()
    fields = (one.split() for one in told.rstrip(")").split(","))
    return tuple((name, of.endswith("*")) for of, name in fields if of.rstrip("*?") not in _PLAIN)


FIELDS = {kind: _parts(kind) for kind in vars(ast).values() if isinstance(kind, type) and issubclass(kind, ast.AST)}
"""Kinds of nodes, with the fields of each that hold nodes but load and store, and whether they hold a list."""


def walk(node: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a tree in the order of `ast.walk`, which takes far longer, but what only says load or store."""
    waiting: deque[ast.AST | None] = deque([node])
    while waiting:
        first = waiting.popleft()
        if first is None:  # the key of `{**all}`, or a parameter without a default
            continue
        for field, several in FIELDS[type(first)]:
            value = getattr(first, field, None)
            if several:
                waiting.extend(value or ())
            else:
                waiting.append(value)
        yield first


def reads(node: ast.AST) -> frozenset[str]:
    """The names that are read, without those that belong to a lambda, a comprehension or an inner function."""
    if isinstance(node, ast.Name):
        return frozenset((node.id,)) if isinstance(node.ctx, ast.Load) else frozenset()
    inner = _union(reads(child) for child in ast.iter_child_nodes(node))
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
        return inner - _own_names(node)
    if isinstance(node, COMPREHENSIONS):
        return inner - _union(bound(generator.target) for generator in node.generators)
    return inner


def bound(node: ast.AST) -> frozenset[str]:
    """The names that get a value, inner functions' own names left out; `x[0] = 1` binds nothing."""
    found = set()
    for child in walk_own(node):
        if isinstance(child, ast.Name) and isinstance(child.ctx, (ast.Store, ast.Del)):
            found.add(child.id)
        elif isinstance(child, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            found.add(child.name)
        elif isinstance(child, ast.alias):
            found.add((child.asname or child.name).split(".")[0])
        elif isinstance(child, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and child.name:
            found.add(child.name)
        elif isinstance(child, ast.MatchMapping) and child.rest:
            found.add(child.rest)
    return frozenset(found)


def changed(node: ast.AST) -> frozenset[str]:
    """The names whose objects may be changed in place: `x[0] = 1`, `x.append(1)`, `f(x)`."""
    found = set()
    for child in ast.walk(node):
        if isinstance(child, (ast.Attribute, ast.Subscript)) and isinstance(child.ctx, (ast.Store, ast.Del)):
            found.add(root(child))
        elif isinstance(child, ast.Call):
            if isinstance(child.func, ast.Attribute):
                found.add(root(child.func))
            found.update(root(argument) for argument in child.args)
            found.update(root(keyword.value) for keyword in child.keywords)
    return frozenset(found - {""})


def root(node: ast.AST) -> str:
    """The name at the bottom of `name.a[0].b`, through calls such as `name.setdefault(k, []).append`; else ""."""
    while True:
        if isinstance(node, (ast.Attribute, ast.Subscript, ast.Starred)):
            node = node.value
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            node = node.func.value
        else:
            return node.id if isinstance(node, ast.Name) else ""


def walk_own(node: ast.AST) -> Iterator[ast.AST]:
    """A node and what is below it, without the bodies of inner functions, classes and comprehensions' targets."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.Lambda)):
        return
    for child in ast.iter_child_nodes(node):
        if not isinstance(child, ast.comprehension):
            yield from walk_own(child)
        else:
            yield from walk_own(child.iter)
            for condition in child.ifs:
                yield from walk_own(condition)


def parameter_names(scope: Scope) -> tuple[str, ...]:
    """The parameters in the order of the signature, `*args` and `**kwargs` included."""
    arguments = scope.args
    names = [argument.arg for argument in (*arguments.posonlyargs, *arguments.args)]
    if arguments.vararg:
        names.append(arguments.vararg.arg)
    names.extend(argument.arg for argument in arguments.kwonlyargs)
    if arguments.kwarg:
        names.append(arguments.kwarg.arg)
    return tuple(names)


def _own_names(scope: Scope) -> frozenset[str]:
    if isinstance(scope, ast.Lambda):
        return frozenset(parameter_names(scope))
    shared = {
        name for child in ast.walk(scope) if isinstance(child, (ast.Nonlocal, ast.Global)) for name in child.names
    }
    return (frozenset(parameter_names(scope)) | _union(bound(child) for child in scope.body)) - shared


def _union(sets: Iterable[frozenset[str]]) -> frozenset[str]:
    return frozenset().union(*sets)
