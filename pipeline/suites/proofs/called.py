"""Which members a program can come to from its entry point, as far as its text tells."""

from __future__ import annotations

import ast
import io
from collections.abc import Iterator
from datetime import date

from pipeline.suites.proofs.facts import Facts
from pipeline.suites.subject import Subject, imported_names
from pipeline.transforms.altering.members import Member

_ASKED: tuple[type, ...] = (dict, list, set, str, bytes, int, float, io.TextIOWrapper, io.BytesIO, date)
_PROTOCOLS = frozenset(name for kind in _ASKED for name in dir(kind)).union(
    "send throw close get put run emit fileno acquire release join default".split())
"""Names of methods that libraries may ask any value for."""
_KNOWN_BASES = frozenset(
    "object NamedTuple TypedDict Enum IntEnum StrEnum Flag IntFlag Protocol Generic Exception BaseException ValueError"
    " TypeError KeyError IndexError LookupError RuntimeError ArithmeticError AttributeError NotImplementedError"
    " AssertionError OverflowError ZeroDivisionError UnicodeError OSError StopIteration Warning UserWarning".split()
)
"""Bases from outside of the program that call none of a class's methods but special ones."""
_PLAIN_DECORATORS = frozenset(
    "property staticmethod classmethod functools.cached_property functools.lru_cache functools.cache".split())
_BY_NAME = frozenset("getattr hasattr attrgetter methodcaller operator.attrgetter operator.methodcaller".split())


def uncalled(subject: Subject, facts: Facts) -> list[Member]:
    """The members that no call of the entry point can come to: nothing on the way there names them."""
    if facts.reflective or not subject.members:
        return []
    closure = _Closure(subject)
    closure.follow()
    return [member for member in subject.members if member.name not in closure.found]


class _Closure:
    def __init__(self, subject: Subject) -> None:
        self._subject = subject
        self._names = imported_names(subject.tree)
        self._classes = {one.name: one for one in subject.tree.body if isinstance(one, ast.ClassDef)}
        self.found: set[str] = set()
        self._spelled: set[str] = set()
        self._by_name = False

    def follow(self) -> None:
        """Go from the entry point, and from all that runs when the program is loaded, to what is named there."""
        inside = {id(member.node) for member in self._subject.members}
        loaded = [node for statement in self._subject.tree.body for node in _outside(statement, inside)]
        for node in (*loaded, *ast.walk(self._subject.function)):
            self._note(node)
        before = -1
        while before < len(self.found):
            before = len(self.found)
            for member in self._subject.members:
                if member.name not in self.found and self._is_called(member):
                    self.found.add(member.name)
                    for node in ast.walk(member.node):
                        self._note(node)

    def _note(self, node: ast.AST) -> None:
        name = node.id if isinstance(node, ast.Name) else node.attr if isinstance(node, ast.Attribute) else ""
        if name:
            self._spelled.add(name)
            self._by_name = self._by_name or name in _BY_NAME or self._names.get(name, "") in _BY_NAME
        elif isinstance(node, (ast.MatchClass, ast.keyword)):
            self._spelled.update(getattr(node, "kwd_attrs", ()))
        elif isinstance(node, ast.Constant) and isinstance(node.value, str) and node.value.isidentifier():
            self._spelled.add(node.value)

    def _is_called(self, member: Member) -> bool:
        name = member.node.name
        if name in self._spelled:
            return True
        if not member.owner or self._by_name:
            return bool(member.owner)
        special = name.startswith("_") and name.endswith("_")
        return special or name in _PROTOCOLS or not self._is_plain(member)

    def _is_plain(self, member: Member) -> bool:
        """Whether a method is called by its name alone: neither its decorators nor the bases of its class call it."""
        if "." in member.owner:
            return False
        owner = self._classes[member.owner]
        bases = [self._base(base) for base in owner.bases]
        known = all(base in _KNOWN_BASES or base in self._classes for base in bases) and not owner.keywords
        return known and all(self._full(one) in _PLAIN_DECORATORS for one in member.node.decorator_list)

    def _base(self, node: ast.expr) -> str:
        return self._full(node.value if isinstance(node, ast.Subscript) else node).rpartition(".")[2]

    def _full(self, node: ast.expr) -> str:
        text = ast.unparse(node.func if isinstance(node, ast.Call) else node)
        head, dot, rest = text.partition(".")
        return self._names.get(head, head) + dot + rest


def _outside(node: ast.AST, members: set[int]) -> Iterator[ast.AST]:
    """The parts of a statement that run when it does: of a member its decorators and defaults."""
    if id(node) in members and isinstance(node, ast.FunctionDef):
        for outside in (*node.decorator_list, *node.args.defaults, *node.args.kw_defaults):
            if outside is not None:
                yield from ast.walk(outside)
        return
    yield node
    for part in ast.iter_child_nodes(node):
        yield from _outside(part, members)
