"""The subject: a program parsed once, its entry point and its members, and the full names that its imports give."""

from __future__ import annotations

import ast
import importlib
import keyword
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from pipeline.transforms.altering.members import Member, members_of


@dataclass(frozen=True)
class Subject:
    """The function that a suite is for: its program and what is read from it once. Its trees are never changed.

    A program with members is a bundle: all of its functions count where a suite is measured. `claims` are branches and
    statements of members that somebody says no call takes, each with a colon and the reason.
    """

    program: str
    entry_point: str
    tree: ast.Module
    function: ast.FunctionDef
    claims: tuple[str, ...] = ()

    @classmethod
    def of(cls, program: str, entry_point: str, claims: Sequence[str] = ()) -> Subject:
        """The subject of a program; raises `SyntaxError` and, where it defines no such function, `LookupError`."""
        tree = ast.parse(program)
        return cls(program, entry_point, tree, find_function(tree, entry_point), tuple(claims))

    @cached_property
    def names(self) -> dict[str, str]:
        """Local names of modules and their members, with their full names."""
        return imported_names(self.tree)

    @cached_property
    def docstring(self) -> str:
        """The docstring of the function, "" where it has none."""
        return ast.get_docstring(self.function) or ""

    @cached_property
    def members(self) -> tuple[Member, ...]:
        """The other functions of the program, in the order of its text."""
        return members_of(self.tree, self.function)

    @cached_property
    def functions(self) -> tuple[ast.FunctionDef, ...]:
        """The function and its members, in the order of the text."""
        return _in_order(self.function, self.members)

    @property
    def is_bundle(self) -> bool:
        """Whether there is more in the program than imports and the function."""
        rest = [node for node in self.tree.body if node is not self.function]
        return any(not isinstance(node, (ast.Import, ast.ImportFrom)) for node in rest)

    def member_at(self, line: int) -> str:
        """The name of the member in which a line stands, "" outside of all members."""
        return next((one.name for one in self.members if line in lines_of(one.node)), "")

    def copied(self) -> Copy:
        """The program as a tree of one's own, to be rewritten; parsing is faster than copying trees."""
        tree = ast.parse(self.program)
        function = find_function(tree, self.entry_point)
        return Copy(tree, function, tuple(one.node for one in members_of(tree, function)))


@dataclass(frozen=True)
class Copy:
    """A program as a tree that may be changed, with its function and the functions that are its members."""

    tree: ast.Module
    function: ast.FunctionDef
    members: tuple[ast.FunctionDef, ...]


def _in_order(function: ast.FunctionDef, members: tuple[Member, ...]) -> tuple[ast.FunctionDef, ...]:
    return tuple(sorted([function, *(one.node for one in members)], key=lambda node: node.lineno))


def lines_of(node: ast.FunctionDef) -> range:
    """The lines in which a function stands, its decorators left out."""
    return range(node.lineno, (node.end_lineno or node.lineno) + 1)


def imported_names(tree: ast.AST) -> dict[str, str]:
    """Local names of modules and their members, with their full names; imports inside functions count too."""
    names: dict[str, str] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            for alias in node.names:
                names[alias.asname or alias.name.split(".")[0]] = (
                    alias.name if alias.asname else alias.name.split(".")[0]
                )
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            for alias in node.names:
                names[alias.asname or alias.name] = f"{node.module}.{alias.name}"
    return names


def dotted(node: ast.AST) -> str:
    """`a.b.c` for a chain of attributes on a name, else the empty string."""
    parts: list[str] = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    return ".".join([node.id, *reversed(parts)]) if isinstance(node, ast.Name) else ""


def full_name(node: ast.AST, names: dict[str, str]) -> str:
    """The full name of what an expression refers to, as far as the imports tell."""
    text = dotted(node)
    head, dot, rest = text.partition(".")
    return names.get(head, head) + dot + rest if text else ""


def passable(key: object) -> bool:
    """Whether a key can be written as the name of a keyword argument."""
    return isinstance(key, str) and key.isidentifier() and not keyword.iskeyword(key)


def find_function(tree: ast.Module, name: str) -> ast.FunctionDef:
    """The module-level definition of that name; raises `LookupError` where there is none."""
    for node in reversed(tree.body):
        if isinstance(node, ast.FunctionDef) and node.name == name:
            return node
    raise LookupError(f"There is no function {name} in the program.")


MOST_MEMBERS = 24
"""How many functions of a module are named."""
_WELL_KNOWN = frozenset("math operator statistics numpy scipy pandas".split())


def functions_of(name: str) -> list[str]:
    """Names of functions of a module of a well-known library, or of one that is loaded; spread over all it has."""
    root = name.partition(".")[0]
    if root not in _WELL_KNOWN and root not in sys.modules:
        return []
    try:
        module = importlib.import_module(name)
    except ImportError:
        return []
    exported = getattr(module, "__all__", None) or sorted(vars(module))
    found = [one for one in exported if not one.startswith("_") and _is_function(getattr(module, one, None))]
    return found[:: -(-len(found) // MOST_MEMBERS)] if found else []


def _is_function(value: object) -> bool:
    return callable(value) and not isinstance(value, type)
