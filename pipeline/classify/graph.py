"""The scope graph (Néron et al.; paper, appendix B): scopes, definitions, references, and the edges between them.

It knows no language. A reader reports scopes, definitions and references (`pipeline.languages.scoping.ScopeSink`),
and the language's rules decide, as data, which definitions a reference is bound to.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import Enum

from pipeline.languages.scoping import ROOT, Binder, Condition, Declared, Import, Resume, Role, ScopeRules, Use


@dataclass(slots=True)
class Scope:
    """A region of the text in which names are defined; `definitions` are its definition edges, by name."""

    index: int
    kind: str
    parent: int | None
    definitions: dict[str, list[int]] = field(default_factory=dict)
    declared: dict[str, Declared] = field(default_factory=dict)
    wildcards: list[tuple[int, str]] = field(default_factory=list)


@dataclass(slots=True)
class Definition:
    """A place where a name gets a meaning; `order` is that of the report, which follows evaluation."""

    index: int
    scope: int
    name: str
    kind: str
    position: int
    order: int
    condition: Condition
    imported: Import | None
    alias: int | None


@dataclass(slots=True)
class Reference:
    """A place where a name is used; see `pipeline.languages.scoping.Use`."""

    index: int
    scope: int
    name: str
    path: tuple[str, ...]
    role: Role
    position: int
    order: int
    arguments: int | None


class Status(Enum):
    """What became of a reference."""

    BOUND = "bound"
    IMPLICIT = "implicit"  # the language defines it in that scope
    BUILTIN = "builtin"
    UNSURE = "unsure"  # a wildcard may define it
    UNRESOLVED = "unresolved"


@dataclass(frozen=True, slots=True)
class Binding:
    """The binding edges of a reference; `modules` are the wildcards that may define it."""

    status: Status
    definitions: tuple[int, ...] = ()
    modules: tuple[str, ...] = ()


@dataclass(frozen=True)
class Edge:
    """An edge of the graph.

    `hierarchy` leads from a scope to one inside it, `definition` and `reference` from a scope to what stands in it, and
    `binding` from a reference to a definition.
    """

    kind: str
    start: int
    end: int


_BUILTIN = Binding(Status.BUILTIN)
_IMPLICIT = Binding(Status.IMPLICIT)
_UNRESOLVED = Binding(Status.UNRESOLVED)


class ScopeGraph:
    """The graph of one file, and how references in it are resolved."""

    def __init__(self, rules: ScopeRules, text: bytes = b"") -> None:
        self.rules = rules
        self.scopes: list[Scope] = [Scope(ROOT, rules.root, None)]
        self.definitions: list[Definition] = []
        self.references: list[Reference] = []
        self._order = 0
        self._text = text
        self._breaks: list[int] | None = None

    def scope(self, kind: str, parent: int) -> int:
        """Add a scope inside another one."""
        index = len(self.scopes)
        self.scopes.append(Scope(index, kind, parent))
        return index

    def define(self, scope: int, binder: Binder) -> int:
        """Add a definition, lifted and redirected as the rules and declarations say."""
        owner = self.scopes[scope]
        leaves = self.rules.lifted.get(binder.kind)
        while leaves is not None and owner.kind in leaves and owner.parent is not None:
            owner = self.scopes[owner.parent]
        if owner.declared and owner.declared.get(binder.name) is Declared.ROOT:
            owner = self.scopes[ROOT]
        index = len(self.definitions)
        self._order += 1
        self.definitions.append(Definition(
            index, owner.index, binder.name, binder.kind, binder.position, self._order, binder.condition,
            binder.imported, binder.alias,
        ))
        owner.definitions.setdefault(binder.name, []).append(index)
        return index

    def refer(self, scope: int, use: Use) -> int:
        """Add a reference."""
        index = len(self.references)
        self._order += 1
        self.references.append(
            Reference(index, scope, use.name, use.path, use.role, use.position, self._order, use.arguments)
        )
        return index

    def declare(self, scope: int, name: str, where: Declared) -> None:
        """Say that a name of this scope lives elsewhere."""
        self.scopes[scope].declared[name] = where

    def wildcard(self, scope: int, module: str) -> None:
        """Say that a scope takes over all names of a module."""
        self._order += 1
        self.scopes[scope].wildcards.append((self._order, module))

    def counts(self) -> tuple[int, int, int]:
        """The number of scopes, references and definitions so far."""
        return len(self.scopes), len(self.references), len(self.definitions)

    def text(self, where: range) -> str:
        """A part of the text, by its offsets."""
        return self._text[where.start : where.stop].decode("utf-8", "replace")

    def positions(self, name: str) -> Iterator[int]:
        """The offsets in the text at which a name stands, for whatever it stands there."""
        return (match.start() for match in re.finditer(re.escape(name.encode("utf-8")), self._text))

    def line(self, position: int) -> int:
        """The 1-based line of an offset in the text."""
        if self._breaks is None:
            self._breaks = [match.start() for match in re.finditer(rb"\n", self._text)]
        return bisect_right(self._breaks, position - 1) + 1

    def resolve(self, reference: Reference) -> Binding:
        """The definitions that a reference is bound to, found by walking outwards from its scope."""
        name, rules = reference.name, self.rules
        scope: Scope | None = self.scopes[reference.scope]
        direct = True
        while scope is not None:
            where = scope.declared.get(name) if scope.declared else None
            if where is Declared.ROOT and scope.index != ROOT:
                scope, direct = self.scopes[ROOT], True
                continue
            if where is None and (direct or scope.kind not in rules.closed):
                found = self._here(scope, reference)
                if found is not None:
                    return found
                if scope.kind in rules.ordered and name in scope.definitions:
                    scope = self._after(scope)
                    direct = False
                    continue
            elif where is None and name in rules.granted.get(scope.kind, ()):
                return _IMPLICIT
            direct = direct and scope.kind in rules.transparent
            scope = self.scopes[scope.parent] if scope.parent is not None else None
        return _BUILTIN if name in rules.builtins else _UNRESOLVED

    def _here(self, scope: Scope, reference: Reference) -> Binding | None:
        """What a scope itself says of a name, None for nothing."""
        found = scope.definitions.get(reference.name)
        if found is not None and scope.kind in self.rules.ordered:
            found = [i for i in found if self.definitions[i].order < reference.order]
        if found:
            last = self.definitions[found[-1]].order
            later = tuple(module for order, module in scope.wildcards if order > last)
            return Binding(Status.UNSURE, tuple(found), later) if later else Binding(Status.BOUND, tuple(found))
        if reference.name in self.rules.implicit.get(scope.kind, ()):
            return _IMPLICIT
        if scope.wildcards:
            return Binding(Status.UNSURE, (), tuple(module for _, module in scope.wildcards))
        return None

    def _after(self, scope: Scope) -> Scope | None:
        """Where the search goes on when an ordered scope defines the name, but later."""
        if self.rules.ordered[scope.kind] is Resume.ROOT:
            return self.scopes[ROOT]
        return self.scopes[scope.parent] if scope.parent is not None else None

    def edges(self) -> Iterator[Edge]:
        """All edges of the graph."""
        for scope in self.scopes:
            if scope.parent is not None:
                yield Edge("hierarchy", scope.parent, scope.index)
        for definition in self.definitions:
            yield Edge("definition", definition.scope, definition.index)
        for reference in self.references:
            yield Edge("reference", reference.scope, reference.index)
            for bound in self.resolve(reference).definitions:
                yield Edge("binding", reference.index, bound)
