"""S6: an expression, or a run of statements, becomes a function of its own."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pipeline.transforms.bound_names import bound, reads, walk
from pipeline.transforms.preserving.evolving.building import defined
from pipeline.transforms.preserving.evolving.growing import (
    CUT,
    Growing,
    Site,
    Spot,
    captured,
    gone,
    holds,
    is_generator,
    leaves_loop,
    locals_of,
    origin_of,
    spots,
    sure_of,
)
from pipeline.transforms.preserving.places import slots

_LONGEST, _MOST = 5, 6
"""Statements of a run, and parameters of a function that is made."""
_NEVER = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Starred, ast.Global, ast.Nonlocal)
DEEPEST = 300
"""Of a function that called itself deeper in its cases nothing is cut out, since each call takes a further frame."""
_EXPRESSION, _RUN = "expression", "run"


@dataclass(frozen=True)
class _Cut:
    """What becomes a function: the statements, or the expression; its parameters, and what it gives back."""

    spot: Spot
    nodes: tuple[ast.stmt, ...]
    value: ast.expr | None
    takes: tuple[str, ...]
    gives: tuple[str, ...] = ()


class CreateFunction:
    """A part of a function becomes a function beside it.

    What it reads of the function's variables are its parameters, all of which certainly hold a value; what it binds and
    is read elsewhere it gives back, and has certainly bound. No return, jump or `yield` crosses the cut. Of what
    was cut out nothing is cut out again.
    """

    code, name = "S6", "CreateFunction"

    def sites(self, program: Growing) -> list[Site]:
        """Conditions and values that compute something, and runs of statements."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Cut the part out."""
        cut = next((cut for one, cut in self._found(program, site.origin) if one == site), None)
        if cut is None:
            raise gone()
        name = program.fresh(_name_for(program, cut))
        given = [ast.arg(one) for one in cut.takes]
        arguments = ast.arguments([], given, None, [], [], None, [])
        call = ast.Call(ast.Name(name, ast.Load()), [ast.Name(one, ast.Load()) for one in cut.takes], [])
        if cut.value is not None:
            body: list[ast.stmt] = [ast.Return(cut.value)]
            for slot in slots(cut.spot.node):
                if slot.node is cut.value:
                    slot.put(call)
        else:
            body = [*cut.nodes, *([ast.Return(_together(cut.gives, ast.Load()))] if cut.gives else [])]
            added: ast.stmt = ast.Expr(call)
            if cut.gives:
                added = ast.Assign([_together(cut.gives, ast.Store())], call, lineno=0)
            place = cut.spot.block.index(cut.nodes[0])
            cut.spot.block[place : place + len(cut.nodes)] = [added]
        made = ast.FunctionDef(name, arguments, body, [], lineno=0)
        made.origin = CUT + site.origin  # type: ignore[attr-defined]
        defined(cut.spot.tree, [made], cut.spot.function)

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, _Cut]]:
        known: dict[int, _Function] = {}
        for spot in spots(program, origin):
            number = origin_of(spot.node)
            if number is None or not spot.is_own or (origin_of(spot.function) or 0) >= CUT:
                continue
            of = known.get(id(spot.function))
            if of is None:
                of = known[id(spot.function)] = _Function(spot, program.facts.depth.get(spot.function.name, 1))
            if of.fits:
                for place, cut in of.expressions(spot):
                    yield Site(number, f"{_EXPRESSION} {place}"), cut
                for length, cut in of.runs(spot):
                    yield Site(number, f"{_RUN} {length}"), cut


class _Function:
    """A function that parts are cut out of."""

    def __init__(self, spot: Spot, depth: int) -> None:
        self.function, self.tree = spot.function, spot.tree
        function = self.function
        self.fits = not is_generator(function) and not holds(function, ast.Nonlocal, ast.Global, ast.ClassDef) \
            and depth < DEEPEST
        self.own, self.inner, self.sure = locals_of(function), captured(function), sure_of(function)
        self.imports = {
            (one.asname or one.name).split(".")[0] for one in walk(function) if isinstance(one, ast.alias)}
        self.counts: dict[str, int] = {}
        for node in walk(function):
            if isinstance(node, ast.Name):
                self.counts[node.id] = self.counts.get(node.id, 0) + 1

    def takes(self, names: frozenset[str], spot: Spot, *nodes: ast.AST) -> tuple[str, ...] | None:
        """The parameters for what is read, in the order of the text; None where that can't be."""
        needed = names & self.own
        if not needed <= self.sure.get(id(spot.node), frozenset()) or needed & self.inner or needed & self.imports:
            return None
        order = [node.id for one in nodes for node in _in_order(one) if isinstance(node, ast.Name)]
        found = tuple(one for one in dict.fromkeys([*order, *sorted(needed)]) if one in needed)
        return found if 0 < len(found) <= _MOST else None

    def expressions(self, spot: Spot) -> Iterator[tuple[int, _Cut]]:
        """Whole conditions, values and operands of a statement that do some work."""
        node = spot.node
        for field in ("test", "value", "iter", "exc"):
            value = None if isinstance(node, ast.Expr) else getattr(node, field, None)
            if not isinstance(value, ast.expr) or (field == "test" and isinstance(node, ast.While) and node.orelse):
                continue
            for place, part in enumerate([value, *(value.values if isinstance(value, ast.BoolOp) else [])]):
                if origin_of(part) is not None and _works(part) and not holds(part, *_NEVER, ast.Lambda):
                    if isinstance(node, ast.While) and not self._sure_in_loop(node, part):
                        continue
                    if takes := self.takes(reads(part), spot, part):
                        yield place, _Cut(spot, (), part, takes)

    def _sure_in_loop(self, loop: ast.While, part: ast.expr) -> bool:
        """Whether nothing that a loop's condition reads is taken away in the loop."""
        gone_names = {node.id for node in walk(loop) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Del)}
        return not reads(part) & gone_names

    def runs(self, spot: Spot) -> Iterator[tuple[int, _Cut]]:
        """Runs of statements from this one on."""
        if spot.guarded:
            return
        start = next(number for number, one in enumerate(spot.block) if one is spot.node)
        for length in range(1, _LONGEST + 1):
            nodes = spot.block[start : start + length]
            if len(nodes) < length or origin_of(nodes[-1]) is None or not self._is_closed(nodes[-1]):
                return
            small = sum(isinstance(part, ast.stmt) for one in nodes for part in walk(one)) < 2
            if small or (len(spot.block) == length and not spot.around):
                continue
            if (cut := self._cut(spot, nodes)) is not None:
                yield length, cut

    def _is_closed(self, node: ast.stmt) -> bool:
        inner = (*_NEVER, ast.Return, ast.Delete, ast.FunctionDef, ast.ClassDef, ast.Lambda, ast.Import, ast.ImportFrom)
        return not holds(node, *(kind for kind in inner if kind is not ast.Starred)) and not leaves_loop([node])

    def _cut(self, spot: Spot, nodes: Sequence[ast.stmt]) -> _Cut | None:
        stored = frozenset[str]().union(*map(bound, nodes))
        around = self._around(nodes)
        gives = frozenset(name for name in stored if name in around)
        if not gives and not _changes(nodes):
            return None
        if stored & self.inner or any(isinstance(part, ast.ExceptHandler) and part.name for one in nodes
                                      for part in walk(one)):
            return None
        if len(gives) > 3 or gives - _sure_behind(nodes, self.sure.get(id(spot.node), frozenset())):
            return None
        takes = self.takes(_read_first(nodes) | (gives & _maybe_kept(nodes)), spot, *nodes)
        return None if takes is None else _Cut(spot, tuple(nodes), None, takes, tuple(sorted(gives)))

    def _around(self, nodes: Sequence[ast.stmt]) -> set[str]:
        """The variables that the rest of the function reads, changes or deletes."""
        inside: dict[str, int] = {}
        for one in nodes:
            for node in walk(one):
                if isinstance(node, ast.Name):
                    inside[node.id] = inside.get(node.id, 0) + 1
        return {name for name, count in self.counts.items() if count > inside.get(name, 0)}


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _read_first(nodes: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that a run may read before it has bound them itself."""
    function = _as_function(nodes)
    found = sure_of(function)
    early: set[str] = set()
    for node in walk(function):
        if isinstance(node, ast.stmt) and node is not function:
            heads = [value for field, value in ast.iter_fields(node) if field not in _BLOCKS]
            flat = [part for value in heads for part in (value if isinstance(value, list) else [value])]
            names = {one for part in flat if isinstance(part, ast.AST) for one in reads(part)}
            early |= names - found.get(id(node), frozenset())
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name) \
                    and node.target.id not in found.get(id(node), frozenset()):
                early.add(node.target.id)
    return frozenset(early)


def _maybe_kept(nodes: Sequence[ast.stmt]) -> frozenset[str]:
    """The names that a run binds only on some ways, so that what they held before may be what they hold behind it."""
    function = _as_function(nodes)
    sure = _sure_behind(nodes, frozenset())
    return frozenset[str]().union(*map(bound, function.body)) - sure


def _sure_behind(nodes: Sequence[ast.stmt], before: frozenset[str]) -> frozenset[str]:
    """What certainly holds a value behind a run, if that holds one before."""
    last = ast.Pass()
    function = _as_function([*nodes, last], before)
    return sure_of(function).get(id(last), frozenset())


def _as_function(nodes: Sequence[ast.stmt], parameters: frozenset[str] = frozenset()) -> ast.FunctionDef:
    given = [ast.arg(one) for one in sorted(parameters)]
    return ast.FunctionDef("run", ast.arguments([], given, None, [], [], None, []), list(nodes), [], lineno=0)


def _works(node: ast.expr) -> bool:
    """Whether an expression computes something that deserves a function."""
    size = sum(isinstance(part, (ast.Call, ast.BinOp, ast.Compare, ast.BoolOp, ast.Subscript, ast.IfExp, ast.ListComp))
               for part in walk(node))
    return size >= 2 and not isinstance(node, (ast.Constant, ast.Name))


def _changes(nodes: Sequence[ast.stmt]) -> bool:
    """Whether a run may do something besides binding names."""
    return any(isinstance(part, (ast.Call, ast.Raise, ast.Assert)) or (
        isinstance(part, (ast.Attribute, ast.Subscript)) and not isinstance(part.ctx, ast.Load))
        for one in nodes for part in walk(one))


def _in_order(node: ast.AST) -> Iterator[ast.AST]:
    yield node
    for child in ast.iter_child_nodes(node):
        yield from _in_order(child)


def _together(names: Sequence[str], context: ast.expr_context) -> ast.expr:
    items: list[ast.expr] = [ast.Name(one, context) for one in names]
    return items[0] if len(items) == 1 else ast.Tuple(items, context)


_WORD = re.compile(r"[a-z][a-z0-9]*")


def _name_for(program: Growing, cut: _Cut) -> str:
    """A name that says what the function is about, by what it gives and takes."""
    draw = program.random.choice
    if cut.value is not None:
        about = _subject(cut)
        if _is_condition(cut):
            return draw(["is_matching", "should_handle", "is_relevant", "meets_condition", "is_valid"]) + about
        verb = draw(["compute", "get", "build", "derive", "make"])
        node = cut.spot.node
        target = node.targets[0] if isinstance(node, ast.Assign) else None
        parts = target.elts if isinstance(target, ast.Tuple) else [target]
        whole = cut.value is getattr(node, "value", None)
        named = "_and_".join(one.id for one in parts[:2] if isinstance(one, ast.Name)) if whole else ""
        if isinstance(node, ast.Return) and not named:
            named = cut.spot.function.name.strip("_").split("_")[-1]
        return f"{verb}_{named.strip('_').lower()}" if named.strip("_") else f"{verb}_value{about}"
    if cut.gives:
        return draw(["update", "compute", "collect", "prepare"]) + "_" + "_and_".join(
            one.strip("_").lower() for one in cut.gives[:2])
    return draw(["process", "handle", "apply"]) + (_subject(cut) or "_step")


def _is_condition(cut: _Cut) -> bool:
    return cut.value is not None and (
        cut.value is getattr(cut.spot.node, "test", None) or isinstance(cut.value, (ast.Compare, ast.BoolOp)))


def _subject(cut: _Cut) -> str:
    words = _WORD.findall(cut.takes[0].lower()) if cut.takes else []
    return f"_{'_'.join(words[:2])}" if words and len("".join(words)) > 2 else ""
