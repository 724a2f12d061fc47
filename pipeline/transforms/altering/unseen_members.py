"""Members that no answer shows: what only makes the text of an exception, which is compared by its type."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence

from pipeline.transforms.altering.members import Member


def unseen_members(tree: ast.Module, members: Sequence[Member]) -> frozenset[str]:
    """The names of the members that are only called to raise something with what they give, and of methods of
    exceptions; none where the program may read exceptions that it has caught.
    """
    if any(isinstance(node, ast.ExceptHandler) and node.name for node in ast.walk(tree)):
        return frozenset()
    helpers = {member.name for member in members if not member.owner}
    inside = {id(part): member.name for member in members for part in ast.walk(member.node)}
    raising = {id(part) for node in ast.walk(tree) if isinstance(node, ast.Raise) for part in ast.walk(node)}
    named = [node for node in ast.walk(tree) if isinstance(node, ast.Name) and node.id in helpers]
    found = frozenset(node.id for node in named).union(_of_exceptions(tree, members))
    while True:
        seen = {node.id for node in named if id(node) not in raising and inside.get(id(node)) not in found}
        if not found & seen:
            return found
        found -= seen


def _of_exceptions(tree: ast.Module, members: Sequence[Member]) -> Iterator[str]:
    kinds = {name: kind for name, kind in vars(builtins).items() if isinstance(kind, type)}
    exceptions = {name for name, kind in kinds.items() if issubclass(kind, Exception)}
    for statement in tree.body:
        if isinstance(statement, ast.ClassDef) and any(ast.unparse(base) in exceptions for base in statement.bases):
            exceptions.add(statement.name)
    yield from (member.name for member in members if member.owner in exceptions)
