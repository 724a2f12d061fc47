"""A program while it is rewritten, and the reasons for which an operator leaves it as it is."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Protocol, TypeVar, runtime_checkable

from pipeline.records import Reason
from pipeline.transforms.altering.sites import find
from pipeline.transforms.bound_names import walk

_Place = TypeVar("_Place")
_BUILT_IN = frozenset(dir(builtins))
_NAMING: Mapping[type[ast.AST], str] = {
    ast.Name: "id", ast.arg: "arg", ast.keyword: "arg", ast.FunctionDef: "name", ast.AsyncFunctionDef: "name",
    ast.ClassDef: "name", ast.ExceptHandler: "name", ast.MatchAs: "name", ast.MatchStar: "name",
    ast.MatchMapping: "rest",
}  # fmt: skip
"""Nodes that hold a name, and where."""
_HAVE_NAMES = frozenset({*_NAMING, ast.alias, ast.Global, ast.Nonlocal})
_STORING = ast.ExceptHandler, ast.MatchAs, ast.MatchStar, ast.MatchMapping, ast.FunctionDef, ast.alias


class Inapplicable(Exception):
    """An operator that can't be applied to a program: one of the reasons, and a sentence."""

    def __init__(self, reason: Reason, why: str) -> None:
        super().__init__(why)
        self.reason = reason


@dataclass
class Draft:
    """A program as a tree that operators change in place, `random` for what they draw.

    `source` is the text that was read. `most` is how many places an operator may change, 0 for all, and `changed` how
    many it has. `renames` maps the entry point's parameters to the names that an operator gave them. `beyond` says that
    something but the entry point has changed.
    """

    tree: ast.Module
    entry_point: str
    random: Random
    source: str = ""
    most: int = 0
    changed: int = 0
    renames: dict[str, str] = field(default_factory=dict)
    beyond: bool = False

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

    @property
    def text_around(self) -> str:
        """The same, where nothing but the entry point has changed since the program was read, which was in this layout.

        What stands around it is not written anew, which takes long.
        """
        function, lines = self.function, self.source.split("\n")
        first = min([function.lineno, *(one.lineno for one in function.decorator_list)])
        return "\n".join([*lines[: first - 1], ast.unparse(function), *lines[function.end_lineno :]])

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

    def forget(self) -> None:
        """Look at the tree anew from now on: it is no more what was read."""
        for name, one in vars(Draft).items():
            if isinstance(one, cached_property):
                self.__dict__.pop(name, None)

    @cached_property
    def nodes(self) -> tuple[ast.AST, ...]:
        """The nodes of the tree as it was read, whatever an operator has changed since."""
        return tuple(walk(self.tree))

    @cached_property
    def named(self) -> Sequence[str]:
        """Every name in the tree as it was read, as often as it stands there."""
        return [name for node in self.nodes if type(node) in _HAVE_NAMES for name in _names_in(node)]

    @cached_property
    def given(self) -> frozenset[str]:
        """The names to which anything in the tree as it was read gives a meaning."""
        return frozenset(name for node in self.nodes if not _only_reads(node) for name in _names_in(node))

    @cached_property
    def taken(self) -> set[str]:
        """All names that the program speaks of, Python's own and those that are fresh included."""
        return {*_BUILT_IN, *self.named}


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
        yield from _names_in(node)


def _only_reads(node: ast.AST) -> bool:
    """Whether the names that a node holds are not bound by it."""
    return isinstance(node, ast.keyword) or (isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load))


def _names_in(node: ast.AST) -> Sequence[str]:
    """The names that a node holds itself."""
    field = _NAMING.get(type(node))
    if field is not None:
        return (getattr(node, field) or "",)
    if isinstance(node, ast.alias):
        return ((node.asname or node.name).split(".")[0],)
    return node.names if isinstance(node, (ast.Global, ast.Nonlocal)) else ()


def loaded_names(node: ast.AST) -> set[str]:
    """The names that are read somewhere in a tree."""
    return {part.id for part in walk(node) if isinstance(part, ast.Name) and isinstance(part.ctx, ast.Load)}


def stored_names(node: ast.AST) -> set[str]:
    """The names that are bound or deleted somewhere in a tree."""
    return {
        name for part in walk(node) for name in _names_in(part)
        if isinstance(part, _STORING) or (isinstance(part, ast.Name) and not isinstance(part.ctx, ast.Load))
    } - {""}
