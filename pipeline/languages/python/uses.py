"""What a Python function uses from outside: dotted names, resolved through the imports that its program shows."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator

from pipeline.languages.effects import Use
from pipeline.transforms.bound_names import bound, parameter_names

BUILTINS = frozenset(name for name in dir(builtins) if not name.startswith("__") or name == "__import__")


def uses(tree: ast.Module, function: ast.AST) -> list[Use]:
    """All uses in a function, annotations left out, each attribute chain once and whole, in the order of the text."""
    names = _meanings(tree, function)
    nodes = list(_without_annotations(function))
    calls = {id(node.func): len(node.args) + len(node.keywords) for node in nodes if isinstance(node, ast.Call)}
    inside_chain = {id(node.value) for node in nodes if isinstance(node, ast.Attribute)}
    found = []
    for node in nodes:
        if isinstance(node, (ast.Name, ast.Attribute)) and id(node) not in inside_chain:
            name = dotted(node, names)
            if name:
                found.append(Use(name, node.lineno, calls.get(id(node))))
    return sorted(found, key=lambda use: (use.line, use.name, use.arguments is None))


def dotted(node: ast.AST, names: dict[str, str]) -> str:
    """The dotted name of an expression: "" for a local name, `?.name` for an attribute of an unknown object."""
    if isinstance(node, ast.Name):
        return names.get(node.id, "")
    if isinstance(node, ast.Attribute):
        base = dotted(node.value, names) if isinstance(node.value, (ast.Name, ast.Attribute)) else ""
        return f"{base}.{node.attr}" if base and not base.startswith("?") else f"?.{node.attr}"
    return ""


def _meanings(tree: ast.Module, function: ast.AST) -> dict[str, str]:
    """What each name stands for inside the function: what the program has shadows builtins, local names shadow all."""
    defined = [node for node in tree.body if isinstance(node, (ast.FunctionDef, ast.ClassDef)) and node is not function]
    own = {node.name for node in defined}
    names = {name: f"builtins.{name}" for name in BUILTINS - own}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                top = alias.name.split(".")[0]
                names[alias.asname or top] = alias.name if alias.asname else top
        elif isinstance(node, ast.ImportFrom):
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module or ''}.{alias.name}"
    for name in _local_names(function):
        names.pop(name, None)
    return names


def _local_names(function: ast.AST) -> frozenset[str]:
    """The names that the function or a function inside it binds, imports left out."""
    local: set[str] = set()
    imported: set[str] = set()
    for node in ast.walk(function):
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)):
            local.update(parameter_names(node))
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
            for statement in node.body:
                local |= bound(statement)
        elif isinstance(node, ast.comprehension):
            local |= bound(node.target)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            imported.update((alias.asname or alias.name).split(".")[0] for alias in node.names)
    return frozenset(local - imported)


def _without_annotations(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for name, value in ast.iter_fields(node):
        if name not in ("annotation", "returns"):
            for child in value if isinstance(value, list) else [value]:
                if isinstance(child, ast.AST):
                    yield from _without_annotations(child)
