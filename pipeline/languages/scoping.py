"""What a language says about names: its rules of resolution as data, and how its reader reports what it finds."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import Enum
from typing import Protocol

ROOT = 0
"""The index of the outermost scope, which is there from the start."""


class Declared(Enum):
    """Where a scope says that a name lives, when it is not in itself: Python's `global` and `nonlocal`."""

    ROOT = "root"
    ENCLOSING = "enclosing"


class Resume(Enum):
    """Where the search goes on from an ordered scope when the name is defined there, but only later."""

    OUTWARDS = "outwards"
    ROOT = "root"


@dataclass(frozen=True)
class ScopeRules:
    """How a language looks names up: from the scope of a reference outwards, changed by what stands here.

    `closed`: kinds of scopes whose names only references directly in them see (Python's classes). `transparent`: kinds
    that a reference leaves without counting as nested. `ordered`: kinds in which a definition counts from its place
    on only. `lifted`: kinds of definitions that leave scopes of some kinds (the walrus leaves comprehensions).
    `implicit`: names that every scope of a kind defines by itself; `granted`: those that only scopes inside it see.
    `opaque`: builtins through which names are reached that stand nowhere in the text. `of_class`: those that need the
    class around a function.
    """

    root: str
    builtins: frozenset[str] = frozenset()
    closed: frozenset[str] = frozenset()
    transparent: frozenset[str] = frozenset()
    ordered: Mapping[str, Resume] = field(default_factory=dict)
    lifted: Mapping[str, frozenset[str]] = field(default_factory=dict)
    opaque: frozenset[str] = frozenset()
    of_class: frozenset[str] = frozenset()
    implicit: Mapping[str, frozenset[str]] = field(default_factory=dict)
    granted: Mapping[str, frozenset[str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Import:
    """What an import statement binds a name to.

    `target` is the dotted name that the bound name stands for, `module` the module that is imported, `statement` the
    same import alone on a line. Names of the own package begin with dots.
    """

    target: str
    module: str
    statement: str


class Role(Enum):
    """What a reference is for: its value, or an annotation."""

    VALUE = "value"
    ANNOTATION = "annotation"


class Condition(Enum):
    """Under which circumstances a definition at the top of a file takes place, the weakest first."""

    ALWAYS = 0
    TRIED = 1  # in a `try` that takes a failing import into account
    FALLBACK = 2  # in its handler
    BRANCH = 3  # in one of several branches, or a loop
    TYPING = 4  # for type checkers only
    NEVER = 5  # in a branch for another version of the language

    def within(self, outer: Condition) -> Condition:
        """The condition of something under this one which is itself under an outer one."""
        return self if self.value >= outer.value else outer


@dataclass(slots=True)
class Use:
    """A reference as it is reported: `path` are the attributes taken from it, `arguments` how many it is called with.

    `arguments` is None where the dotted name is not called; `position` is an offset in the text.
    """

    name: str
    position: int
    path: tuple[str, ...] = ()
    role: Role = Role.VALUE
    arguments: int | None = None


@dataclass(slots=True)
class Binder:
    """A definition as it is reported: the kind is the language's word; `alias` is the reference that it renames."""

    name: str
    kind: str
    position: int
    condition: Condition = Condition.ALWAYS
    imported: Import | None = None
    alias: int | None = None


class ScopeSink(Protocol):
    """Who takes what a reader finds in a file; scopes, definitions and references are named by their indices."""

    def scope(self, kind: str, parent: int) -> int:
        """A scope inside another one; scopes inside it must be reported before its next sibling."""
        ...

    def define(self, scope: int, binder: Binder) -> int:
        """A definition in a scope, or wherever the rules or a declaration put it."""
        ...

    def refer(self, scope: int, use: Use) -> int:
        """A reference in a scope."""
        ...

    def declare(self, scope: int, name: str, where: Declared) -> None:
        """That a name of this scope lives elsewhere."""
        ...

    def wildcard(self, scope: int, module: str) -> None:
        """That all names of a module, whichever they are, are defined in a scope."""
        ...

    def counts(self) -> tuple[int, int, int]:
        """How many scopes, references and definitions have been reported."""
        ...


@dataclass(slots=True)
class Unit:
    """A function in a file: `definition` is its own, `scopes` and `references` are ranges of what lies inside it.

    The references are those of its header (defaults, annotations) and body; decorators are not among them. `line` is
    that of the first decorator, `scope` the scope of its parameters and body.
    """

    name: str
    qualified: str
    kind: str
    line: int
    definition: int
    scope: int = ROOT
    scopes: range = range(0)
    references: range = range(0)


@dataclass(slots=True)
class Block:
    """A statement at the top of a file: where its text lies (offsets), and the ranges of what stands in it.

    `line` is its first one, decorators included. `definitions` holds all that it defines at the top of the file;
    `scopes` and `references` are empty until it is opened (`Reading.open`).
    """

    text: range
    line: int
    definitions: range
    scopes: range = range(0)
    references: range = range(0)


@dataclass(frozen=True)
class Reading:
    """What a reader says of a whole file besides what it reported: its functions, and statements that all need.

    `blocks` are its outermost statements, for languages whose functions can be taken with what stands beside them.
    `closed` are those of them, by the names that they define, of which nothing but the names was read as yet: most
    functions of a file are never asked for.
    """

    units: Sequence[Unit]
    preamble: tuple[str, ...]
    blocks: Sequence[Block] = ()
    closed: dict[str, list[Callable[[], None]]] = field(default_factory=dict)

    def open(self, name: str) -> None:
        """Read what defines a name at the top of the file, if that was put off."""
        for read in self.closed.pop(name, ()):
            read()

    def open_all(self) -> None:
        """Read all that was put off."""
        for name in list(self.closed):
            self.open(name)


class Naming(Protocol):
    """What a language says of names: how they are looked up, and what a file defines and uses."""

    @property
    def rules(self) -> ScopeRules:
        """How names are looked up."""
        ...

    def read(self, data: bytes, sink: ScopeSink) -> Reading:
        """Report to a sink everything that a file (UTF-8) defines and uses; some of it when it is opened."""
        ...
