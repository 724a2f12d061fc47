"""A program while it grows: its modules as trees whose nodes know where they come from, and what was seen of it."""

from __future__ import annotations

import ast
import pickle
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from random import Random
from typing import Any, Protocol

from pipeline.records import Reason
from pipeline.transforms.altering.sites import find
from pipeline.transforms.bound_names import bound, parameter_names, walk
from pipeline.transforms.preserving.certain import certain
from pipeline.transforms.preserving.draft import Draft, Inapplicable, identifiers, shown
from pipeline.transforms.preserving.kinds import KindsOf
from pipeline.transforms.preserving.reflection import check_names, check_told

CUT = 1 << 20
"""Functions that were cut out have the origin of what they were made of, and this added."""
SLIGHT = "slight"
"""How the way of a place begins where hardly anybody would apply the operator."""
_PLACES = frozenset({"lineno", "end_lineno", "col_offset", "end_col_offset"})
_LOOPS = (ast.For, ast.AsyncFor, ast.While)
_SCOPES = (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda, ast.ClassDef)


@dataclass(frozen=True)
class Facts:
    """What was seen of the first program while all cases of its suite ran.

    `kinds` are, by origin, those of an expression's values; `passes` the most that one call of a loop made; `depth` how
    deep functions called themselves, and `calls` how often one case called them, by their names; `raised` the names of
    the exceptions that calls ended with.
    """

    kinds: Mapping[int, frozenset[str]] = field(default_factory=dict)
    passes: Mapping[int, int] = field(default_factory=dict)
    depth: Mapping[str, int] = field(default_factory=dict)
    calls: Mapping[str, int] = field(default_factory=dict)
    raised: tuple[str, ...] = ()


@dataclass(frozen=True)
class Site:
    """A place where an operator can be applied: the origin of the node, and what is chosen of several ways."""

    origin: int
    way: str = ""


@dataclass
class Growing(Draft):
    """A draft of several modules; `modules` are those besides the main one, `facts` what is known of the origin.

    `used` is how often each operator has been applied, `guards` are the kinds of the guards that were added.
    """

    modules: dict[str, ast.Module] = field(default_factory=dict)
    facts: Facts = field(default_factory=Facts)
    used: dict[str, int] = field(default_factory=dict)
    guards: list[str] = field(default_factory=list)

    @classmethod
    def first(cls, program: str, entry_point: str, facts: Facts | None = None) -> Growing:
        """A program as it is shown, its nodes numbered; raises `Inapplicable` where it looks at itself."""
        text = shown(program)
        told = cls(ast.parse(text), entry_point, Random(0), text, facts=facts or Facts())
        if find(told.tree, entry_point) is None:
            raise Inapplicable(Reason.UNSUPPORTED_SYNTAX, f"The program defines no function {entry_point}.")
        check_told(told, "__doc__" in program)
        check_names(told, functions=True)
        for number, node in enumerate(ast.walk(told.tree)):
            for place in _PLACES.intersection(node.__dict__):
                delattr(node, place)
            if isinstance(node, ast.stmt):
                node.lineno = node.col_offset = 0  # others look there for comments on types, and for an order
            if isinstance(node, (ast.stmt, ast.expr, ast.ExceptHandler, ast.arg, ast.comprehension)):
                node.origin = number  # type: ignore[union-attr]
        return told

    def copied(self) -> Growing:
        """The same program once more, of which nothing is shared."""
        tree, modules = pickle.loads(pickle.dumps((self.tree, self.modules), pickle.HIGHEST_PROTOCOL))
        return Growing(
            tree, self.entry_point, Random(0), self.source, modules=modules, facts=self.facts,
            used=dict(self.used), guards=list(self.guards))

    def begin(self, seed: str) -> None:
        """Draw by a seed from now on, and forget what was known of the program before it grew."""
        self.random = Random(seed)
        self.forget()

    @property
    def trees(self) -> tuple[ast.Module, ...]:
        """The main module and all others."""
        return self.tree, *self.modules.values()

    @property
    def texts(self) -> tuple[str, ...]:
        """The modules as they stand, the main one first."""
        return tuple(ast.unparse(tree) + "\n" for tree in self.trees)

    @cached_property
    def taken(self) -> set[str]:
        """All names of all modules."""
        return super().taken.union(*(identifiers(tree) for tree in self.modules.values()), self.modules)

    def fresh_of(self, *stems: str) -> str:
        """A fresh name of several that fit, which is drawn; the first free one without a number where there is one."""
        drawn = self.random.sample(stems, len(stems))
        return self.fresh(next((stem for stem in drawn if stem not in self.taken), drawn[0]))


    def free_of(self, *stems: str) -> str:
        """One of several names that nothing has, which is drawn; raises `Inapplicable` where there is none."""
        free = [stem for stem in stems if stem not in self.taken]
        if not free:
            raise Inapplicable(Reason.NOT_APPLICABLE, f"All of {', '.join(stems)} are taken.")
        return self.fresh(self.random.choice(free))


class Evolver(Protocol):
    """An operator: `code` is what the paper's list of them calls it, or ours."""

    code: str
    name: str

    def sites(self, program: Growing) -> list[Site]:
        """Where it can be applied, in the order of the text."""

    def apply(self, program: Growing, site: Site) -> None:
        """Change the program in place; raises `Inapplicable` where that is no place any more."""


def gone() -> Inapplicable:
    """That a site is none any more."""
    return Inapplicable(Reason.NOT_APPLICABLE, "The place is not there any more.")


def origin_of(node: ast.AST) -> int | None:
    """The number of a node of the first program, None for what was added."""
    return getattr(node, "origin", None)


def is_needed(node: ast.AST) -> bool:
    """Whether an operator says that a statement can't go: without it the program would wait, or run, for ever."""
    return bool(getattr(node, "needed", False))


@dataclass(frozen=True)
class Spot:
    """A statement with what is around it, from its function inwards: the function is one of its module's top level."""

    tree: ast.Module
    function: ast.FunctionDef
    block: list[ast.stmt]
    node: Any
    around: tuple[ast.AST, ...]

    @property
    def in_loop(self) -> bool:
        """Whether it may run several times in a call of its function."""
        return any(isinstance(one, _LOOPS) for one in self.around)

    @property
    def guarded(self) -> bool:
        """Whether something looks at how it ends: a `try` or a `with`."""
        return any(isinstance(one, (ast.Try, ast.With, ast.AsyncWith)) for one in self.around)

    @property
    def is_own(self) -> bool:
        """Whether it stands in the function itself, and in no function or class within."""
        return not any(isinstance(one, _SCOPES) for one in self.around)

    def put(self, *new: ast.stmt) -> None:
        """Let other statements stand there."""
        place = next(number for number, one in enumerate(self.block) if one is self.node)
        self.block[place : place + 1] = new


def functions(program: Growing) -> Iterator[tuple[ast.Module, ast.FunctionDef]]:
    """The functions at the top level of all modules that come from the first program, or were cut out of it."""
    for tree in program.trees:
        for node in tree.body:
            if isinstance(node, ast.FunctionDef) and origin_of(node) is not None:
                yield tree, node


def spots(program: Growing, origin: int | None = None) -> Iterator[Spot]:
    """The statements of the first program in the order of the text, those in classes left out; or that of an origin."""
    for tree, function in functions(program):
        for spot in _spots(tree, function, function, ()):
            if origin is None or origin_of(spot.node) == origin:
                yield spot


def _spots(tree: ast.Module, function: ast.FunctionDef, node: ast.AST, around: tuple[ast.AST, ...]) -> Iterator[Spot]:
    if isinstance(node, ast.ClassDef):
        return
    inside = around if node is function else (*around, node)
    for field_name in node._fields:
        value = getattr(node, field_name, None)
        if not isinstance(value, list) or not value:
            continue
        for part in list(value):
            if isinstance(part, ast.stmt) and origin_of(part) is not None:
                yield Spot(tree, function, value, part, inside)
            if isinstance(part, (ast.stmt, ast.ExceptHandler, ast.match_case)):
                yield from _spots(tree, function, part, inside)


def spot_of(found: Iterable[tuple[Site, Spot]], site: Site) -> Spot:
    """The spot of a site among those where an operator can be applied now; raises `Inapplicable`."""
    for one, spot in found:
        if one == site:
            return spot
    raise gone()


def locals_of(function: ast.FunctionDef) -> frozenset[str]:
    """The variables of a function, parameters included."""
    shared = {name for node in walk(function) if isinstance(node, (ast.Global, ast.Nonlocal)) for name in node.names}
    return frozenset(parameter_names(function)).union(*map(bound, function.body)) - shared


def captured(function: ast.FunctionDef) -> frozenset[str]:
    """The names that functions, lambdas and classes within a function speak of."""
    inner = (node for node in walk(function) if isinstance(node, _SCOPES) and node is not function)
    return frozenset(name for node in inner for name in identifiers(node))


def sure_of(function: ast.FunctionDef) -> dict[int, frozenset[str]]:
    """For each statement, by its `id`, the variables that certainly hold a value before it."""
    return certain(function)


class Look:
    """What is known of functions while nothing of them changes; each is looked at once."""

    def __init__(self) -> None:
        self._kinds: dict[int, KindsOf] = {}
        self._sure: dict[int, dict[int, frozenset[str]]] = {}
        self._locals: dict[int, frozenset[str]] = {}
        self._captured: dict[int, frozenset[str]] = {}
        self._made: dict[int, frozenset[str]] = {}

    def made(self, spot: Spot) -> frozenset[str]:
        """The variables of a statement's function that hold nothing but lists, dictionaries and the like."""
        key = id(spot.function)
        if key not in self._made:
            self._made[key] = _made_names(spot.function)
        return self._made[key]

    def kinds(self, spot: Spot) -> KindsOf:
        """What is known for certain of the kinds of the names of a statement's function."""
        key = id(spot.function)
        if key not in self._kinds:
            self._kinds[key] = KindsOf(spot.function, spot.tree)
        return self._kinds[key]

    def sure(self, spot: Spot) -> frozenset[str]:
        """The variables that certainly hold a value before a statement."""
        key = id(spot.function)
        if key not in self._sure:
            self._sure[key] = sure_of(spot.function)
        return self._sure[key].get(id(spot.node), frozenset())

    def is_reached(self, spot: Spot) -> bool:
        """Whether a statement may be reached, as far as its function's form tells."""
        self.sure(spot)
        return id(spot.node) in self._sure[id(spot.function)]

    def locals(self, spot: Spot) -> frozenset[str]:
        """The variables of a statement's function."""
        key = id(spot.function)
        if key not in self._locals:
            self._locals[key] = locals_of(spot.function)
        return self._locals[key]

    def captured(self, spot: Spot) -> frozenset[str]:
        """The names that functions within a statement's function speak of."""
        key = id(spot.function)
        if key not in self._captured:
            self._captured[key] = captured(spot.function)
        return self._captured[key]


_MADE = (
    ast.List, ast.Dict, ast.Set, ast.Tuple, ast.ListComp, ast.DictComp, ast.SetComp, ast.GeneratorExp, ast.JoinedStr,
    ast.Lambda,
)
_CHANGES = (ast.Global, ast.Nonlocal, ast.ClassDef)


def _made_names(function: ast.FunctionDef) -> frozenset[str]:
    """The names of a function to which nothing is assigned but what a display, a comprehension or a text makes."""
    if holds(function, *_CHANGES):
        return frozenset()
    plain = {id(node.targets[0]) for node in walk(function)
             if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.value, _MADE)}
    plain |= {id(node.target) for node in walk(function)
              if isinstance(node, ast.AnnAssign) and isinstance(node.value, _MADE)}
    stored: dict[str, bool] = dict.fromkeys(parameter_names(function), False)
    for node in walk(function):
        if isinstance(node, ast.Name) and not isinstance(node.ctx, ast.Load):
            stored[node.id] = stored.get(node.id, True) and id(node) in plain
        elif isinstance(node, ast.arg):
            stored[node.arg] = False
    others = {name for name in identifiers(function) if name not in stored}
    return frozenset(name for name, good in stored.items() if good) - others - captured(function)


def holds(node: ast.AST, *kinds: type[ast.AST]) -> bool:
    """Whether a node of some kinds is in a tree, its root included."""
    return any(isinstance(part, kinds) for part in walk(node))


def is_generator(function: ast.FunctionDef) -> bool:
    """Whether a call gives a generator."""
    return any(isinstance(node, (ast.Yield, ast.YieldFrom, ast.Await)) for part in function.body for node in _own(part))


def _own(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    if not isinstance(node, _SCOPES):
        for child in ast.iter_child_nodes(node):
            yield from _own(child)


def leaves_loop(block: Sequence[ast.stmt]) -> bool:
    """Whether `break` or `continue` in a block is about the loop around it."""
    return any(_leaves(node) for node in block)


def _leaves(node: ast.AST) -> bool:
    if isinstance(node, (ast.Break, ast.Continue)):
        return True
    if isinstance(node, _SCOPES):
        return False
    inside = node.orelse if isinstance(node, _LOOPS) else list(ast.iter_child_nodes(node))
    return any(map(_leaves, inside))


def ends(block: Sequence[ast.stmt]) -> bool:
    """Whether nothing comes behind a block, as far as its form tells."""
    if not block:
        return False
    last = block[-1]
    if isinstance(last, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        return True
    if isinstance(last, ast.If):
        return ends(last.body) and ends(last.orelse)
    if isinstance(last, ast.While):
        return isinstance(last.test, ast.Constant) and bool(last.test.value) and not leaves_loop(last.body)
    if isinstance(last, ast.Try):
        whole = ends([*last.body, *last.orelse]) and all(ends(one.body) for one in last.handlers)
        return whole or ends(last.finalbody)
    return isinstance(last, (ast.With, ast.AsyncWith)) and ends(last.body)


def form(node: ast.AST) -> tuple[object, ...]:
    """What a tree looks like, but for its names and constants."""
    return type(node), *(form(child) for child in ast.iter_child_nodes(node))
