"""Other names for what evolution has brought into a program.

Only names that stand nowhere in the first program are changed, and only those that are names of variables, functions
and classes wherever they stand: to change them all alike changes nothing else.
"""

from __future__ import annotations

import ast
import builtins
import re
from collections.abc import Collection, Iterator, Mapping, Sequence

from pipeline.transforms.bound_names import walk

Modules = Sequence[tuple[str, str]]
"""The modules of a program by their names, as texts."""
WORD = re.compile(r"[^\W\d]\w*")
_PLAIN = {ast.Name: "id", ast.arg: "arg", ast.FunctionDef: "name", ast.ClassDef: "name", ast.ExceptHandler: "name"}
"""Where a name is the program's own, by the field of the node that holds it."""


def brought(first: Modules, made: Modules) -> set[str]:
    """The names of a program's own that stand nowhere in the first one, and that mean nothing else anywhere."""
    before = {word for _, text in first for word in WORD.findall(text)}
    own, others = set[str](), set[str]()
    for _, text in made:
        for node in walk(ast.parse(text)):
            for name, plain in _names(node, [name for name, _ in made]):
                (own if plain else others).add(name)
    return own - others - before - set(dir(builtins))


def _names(node: ast.AST, modules: Collection[str]) -> Iterator[tuple[str, bool]]:
    """The names that a node holds itself, and whether each can be changed there."""
    field = _PLAIN.get(type(node))
    if field is not None:
        yield getattr(node, field) or "", True
    elif isinstance(node, (ast.Global, ast.Nonlocal)):
        yield from ((name, True) for name in node.names)
    elif isinstance(node, ast.ImportFrom):
        inside = node.module in modules and not node.level
        yield from ((name, inside) for alias in node.names for name in (alias.name, alias.asname) if name)
    elif isinstance(node, ast.Import):
        yield from ((word, False) for alias in node.names for word in WORD.findall(f"{alias.name} {alias.asname}"))
    elif isinstance(node, ast.Constant) and isinstance(node.value, str):
        yield from ((word, False) for word in WORD.findall(node.value))
    elif not isinstance(node, ast.alias):  # whose names are those of the import
        for _, value in ast.iter_fields(node):
            yield from ((name, False) for name in (value if isinstance(value, list) else [value])
                        if isinstance(name, str))


def rename(trees: Sequence[ast.Module], modules: Collection[str], names: Mapping[str, str]) -> None:
    """Change names wherever they stand, all of which must be among those `brought`."""
    for tree in trees:
        for node in walk(tree):
            field = _PLAIN.get(type(node))
            if field is not None:
                setattr(node, field, names.get(getattr(node, field), getattr(node, field)))
            elif isinstance(node, (ast.Global, ast.Nonlocal)):
                node.names = [names.get(name, name) for name in node.names]
            elif isinstance(node, ast.ImportFrom) and node.module in modules and not node.level:
                for alias in node.names:
                    alias.name = names.get(alias.name, alias.name)
                    alias.asname = names.get(alias.asname, alias.asname) if alias.asname else None
