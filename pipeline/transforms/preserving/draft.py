"""A program while it is rewritten, and the reasons for which an operator leaves it as it is."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from pipeline.records import Reason
from pipeline.transforms.altering.sites import find
from pipeline.transforms.bound_names import walk

_Place = TypeVar("_Place")


class Inapplicable(Exception):
    """An operator that can't be applied to a program: one of the reasons, and a sentence."""

    def __init__(self, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.reason = reason


@dataclass
class Draft:
    """A program as a tree that operators change in place, `random` for what they draw.

    `source` is the text that was read. `most` is how many places an operator may change, 0 for all, and `changed` how
    many it has. `renames` maps the entry point's parameters to the names that an operator gave them.
    """

    tree: ast.Module
    entry_point: str
    random: Random
    source: str = ""
    most: int = 0
    changed: int = 0
    renames: dict[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, program: str, entry_point: str, random: Random, most: int = 0) -> Draft:
        """Read a program; raises `Inapplicable` where it has no such function at its top level."""
        draft = cls(ast.parse(program), entry_point, random, program, most)
        if find(draft.tree, entry_point) is None:
            raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"The program defines no function {entry_point}.")
        return draft

    @property
    def function(self) -> ast.FunctionDef:
        """The entry point."""
        found = find(self.tree, self.entry_point)
        assert found is not None
        return found

    @property
    def text(self) -> str:
        """The program as it stands."""
        return ast.unparse(self.tree) + "\n"

    def chosen(self, places: Sequence[_Place]) -> list[_Place]:
        """Those of an operator's places that are changed, in their order: all, or as many as may be, which are drawn.

        By the same seed a smaller dose is part of a larger one.
        """
        self.changed = len(places) if not self.most else min(self.most, len(places))
        if not self.most:
            return list(places)
        order = self.random.sample(range(len(places)), len(places))
        return [places[place] for place in sorted(order[: self.most])]

    def fresh(self, stem: str) -> str:
        """A name that nothing in the program has: the stem, or the stem with the smallest free number."""
        number, name = 0, stem
        while name in self.taken:
            number += 1
            name = f"{stem}{number}"
        self.taken.add(name)
        return name

    @cached_property
    def taken(self) -> set[str]:
        """All names that the program speaks of, Python's own and those that are fresh included."""
        return set(dir(builtins)) | set(identifiers(self.tree))


class Operator(Protocol):
    """A change that keeps the meaning of a program."""

    name: str
    version: int

    def sites(self, draft: Draft) -> int:
        """How many places it would change; raises `Inapplicable` where none is safe."""

    def apply(self, draft: Draft) -> None:
        """Change the draft in place, at all places that it chooses."""


@runtime_checkable
class Layout(Protocol):
    """A change of a program's text alone: it is the same tree. In a chain it comes behind all that change the tree."""

    name: str
    version: int

    def sites(self, draft: Draft) -> int:
        """How many places it would change."""

    def write(self, draft: Draft) -> str:
        """The changed text of the draft's source."""


def shown(program: str) -> str:
    """A program as variants and their origin are shown: without comments and documentation, in one layout."""
    tree = ast.parse(program)
    for node in walk(tree):
        if isinstance(node, (ast.Module, ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            body = node.body
            if body and isinstance(body[0], ast.Expr) and isinstance(body[0].value, ast.Constant) \
                    and isinstance(body[0].value.value, str):
                rest = body[1:]
                node.body = rest if rest or isinstance(node, ast.Module) else [ast.Pass()]
    return ast.unparse(tree) + "\n"


def identifiers(tree: ast.AST) -> Iterator[str]:
    """Every name in a tree, however it is meant, but attributes."""
    for node in walk(tree):
        if isinstance(node, ast.Name):
            yield node.id
        elif isinstance(node, (ast.arg, ast.keyword)):
            yield node.arg or ""
        elif isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        elif isinstance(node, ast.alias):
            yield (node.asname or node.name).split(".")[0]
        elif isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name:
            yield str(node.name)
        elif isinstance(node, ast.MatchMapping) and node.rest:
            yield node.rest
        elif isinstance(node, (ast.Global, ast.Nonlocal)):
            yield from node.names


def loaded_names(node: ast.AST) -> set[str]:
    """The names that are read somewhere in a tree."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def stored_names(node: ast.AST) -> set[str]:
    """The names that are bound or deleted somewhere in a tree."""
    stored = {part.id for part in walk(node) if isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load)}
    others = {
        name for part in walk(node)
        if isinstance(part, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.FunctionDef)) and (name := part.name)
    }
    rests = {part.rest for part in walk(node) if isinstance(part, ast.MatchMapping) and part.rest}
    imported = {(a.asname or a.name).split(".")[0] for a in walk(node) if isinstance(a, ast.alias)}
    return stored | others | rests | imported
