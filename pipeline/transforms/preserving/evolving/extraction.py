"""S6: an expression, or a run of statements, becomes a function of its own."""

from __future__ import annotations

import ast
import builtins
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from pipeline.transforms.bound_names import bound, reads, walk
from pipeline.transforms.preserving.evolving.building import defined, expression
from pipeline.transforms.preserving.evolving.growing import (
    CUT,
    SLIGHT,
    Growing,
    Site,
    Spot,
    captured,
    form,
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

_LONGEST, _MOST, _GIVEN = 6, 5, 3
"""Statements of a run, and parameters and results of a function that is made."""
_LEAST, _LEAST_OPERATIONS = 3, 4
"""Statements of a run, with those inside of them, and operations of an expression that are worth a function; of a
condition of several parts one less is."""
_NEVER = (ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Starred, ast.Global, ast.Nonlocal)
DEEPEST = 300
"""Of a function that called itself deeper in its cases nothing is cut out, since each call takes a further frame."""
_SHORT, _TOLD = 3, 5
"""Letters of a parameter that says nothing, and of what a function gives from which on its name is one for it, too."""
_TELLING = frozenset({"int", "float", "str", "bool", "bytes", "list", "dict", "set"})
"""Kinds of values by which a parameter may be annotated."""
_LEFT = 3
"""Statements of a function that stay, so that it is not a call of what was cut out of it."""
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
        name = program.fresh_of(*_names_for(program, cut))
        types = _types(cut, program) if any(one.annotation for one in cut.spot.function.args.args) else {}
        given = [ast.arg(one, expression(types[one]) if types else None) for one in cut.takes]
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
        made = ast.FunctionDef(name, arguments, body, [], expression(types["return"]) if types else None, lineno=0)
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
                ways = [(f"{_EXPRESSION} {place}", cut) for place, cut in of.expressions(spot)]
                ways += [(f"{_RUN} {length}", cut) for length, cut in of.runs(spot)]
                for way, cut in ways:
                    yield Site(number, f"{SLIGHT} {way}" if of.is_slight(cut) else way), cut


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
        self.forms: Counter[tuple[object, ...]] = Counter()
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
                if origin_of(part) is not None and _operations(part) > 1 and not holds(part, *_NEVER, ast.Lambda):
                    if isinstance(node, ast.While) and not self._sure_in_loop(node, part):
                        continue
                    if takes := self.takes(reads(part), spot, part):
                        yield place, _Cut(spot, (), part, takes)

    def is_slight(self, cut: _Cut) -> bool:
        """Whether hardly anybody would make a function of it.

        It does little, or nearly all that the function does, or one half of a choice; it gives no value, several, or
        one that it was given; what it is has no name, and it is no reason to leave; or something else looks like it.
        """
        body = self.function.body
        if not _says(cut) or set(_given(cut)) & set(cut.takes):
            return True
        if cut.value is not None:
            least = _LEAST_OPERATIONS - isinstance(cut.value, ast.BoolOp)
            told = _given(cut) or _reason(cut)
            return _operations(cut.value) < least or not told or not self._is_alone(cut.value)
        small = sum(isinstance(part, ast.stmt) for one in cut.nodes for part in walk(one)) < _LEAST
        around = cut.spot.around[-1] if cut.spot.around else None
        half = isinstance(around, ast.If) and cut.spot.block is around.orelse
        return small or half or len(body) - len(cut.nodes) * (cut.spot.block is body) < _LEFT

    def _is_alone(self, part: ast.expr) -> bool:
        """Whether nothing else in the function looks like an expression: of two of a kind none is cut out alone."""
        if not self.forms:
            self.forms.update(form(node) for node in walk(self.function) if isinstance(node, ast.expr))
        return self.forms[form(part)] <= 1

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
        if len(gives) > _GIVEN or gives - _sure_behind(nodes, self.sure.get(id(spot.node), frozenset())):
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


def _given(cut: _Cut) -> tuple[str, ...]:
    """The names of what a function that is cut out gives, as far as there are any."""
    if cut.value is None:
        return cut.gives
    target = _target(cut.spot.node)
    return (target,) if target and cut.value is cut.spot.node.value else ()


def _target(node: ast.stmt) -> str:
    """The variable that a statement gives a value, "" where that is none alone."""
    targets = [node.target] if isinstance(node, ast.AnnAssign) else node.targets if isinstance(node, ast.Assign) else []
    return targets[0].id if targets and isinstance(targets[0], ast.Name) else ""


def _says(cut: _Cut) -> bool:
    """Whether the name of what a function gives says something, or it decides about one thing, or what to skip."""
    if _is_condition(cut):
        several = isinstance(cut.spot.node, ast.If) and isinstance(cut.spot.node.body[0], ast.Continue)
        return (several or len(cut.takes) == 1) and len(cut.takes[0]) > _SHORT
    given = _given(cut)
    return len(given) == 1 and len(given[0]) >= _TOLD and not any(sign.isdigit() for sign in given[0])


def _reason(cut: _Cut) -> list[str]:
    """How a condition may be called by what is done where it holds; nothing where that does not tell."""
    node, about = cut.spot.node, _subject(cut) or "value"
    if not isinstance(node, ast.If) or cut.value is not node.test:
        return []
    first = node.body[0]
    if isinstance(first, ast.Raise):
        return [f"is_invalid_{about}", f"is_unusable_{about}"]
    if isinstance(first, ast.Continue):
        return [f"should_skip_{about}", f"can_skip_{about}"]
    return ["is_finished", "should_stop", "is_done"] if isinstance(first, ast.Break) else []


def _operations(node: ast.expr) -> int:
    """How much an expression computes."""
    kinds = ast.Call, ast.BinOp, ast.Compare, ast.BoolOp, ast.Subscript, ast.IfExp, ast.ListComp
    return sum(isinstance(part, kinds) for part in walk(node))


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


def _types(cut: _Cut, program: Growing) -> dict[str, str]:
    """The types of what a function takes, and of what it gives (by the name `return`); nothing where one is not known.

    They are those that the function around it tells, or what was seen in all cases.
    """
    function, body = cut.spot.function, cut.spot.tree.body
    before = body[: next(place for place, one in enumerate(body) if one is function)]
    known = set(dir(builtins)).union(*(bound(one) for one in before))
    told = {one.arg: one.annotation for one in function.args.args if one.annotation}
    told |= {node.target.id: node.annotation for node in walk(function) if isinstance(node, ast.AnnAssign)
             and isinstance(node.target, ast.Name) and reads(node.annotation) <= known}  # a function evaluates none
    seen: dict[str, set[str]] = {}
    for node in walk(function):
        if isinstance(node, ast.Name):
            kinds = program.facts.kinds.get(origin_of(node) or 0, frozenset())
            seen.setdefault(node.id, set()).update(kind.split(":")[0] for kind in kinds)
    given = _given(cut)
    seen["return"] = {"bool"} if _is_condition(cut) else seen.get(given[0], set()) if len(given) == 1 else set()
    found = {}
    for name in (*cut.takes, "return"):
        asked = given[0] if name == "return" and len(given) == 1 and given[0] in told else name
        kind = next(iter(seen.get(asked, set()))) if len(seen.get(asked, set())) == 1 else ""
        if asked not in told and kind not in _TELLING:
            return {}
        found[name] = ast.unparse(told[asked]) if asked in told else kind
    return found


_VERBS = ["compute", "get", "find", "make"]


def _names_for(program: Growing, cut: _Cut) -> list[str]:
    """Names that say what the function is about, by what it gives and takes, and by what is done for it."""
    if cut.gives:
        about, verbs = "_and_".join(cut.gives[:2]), _VERBS
    elif cut.value is None:
        about, verbs = _subject(cut) or "step", ["process", "handle", "add"]
    elif _is_condition(cut):
        about = _subject(cut) or "value"
        return _reason(cut) or [f"check_{about}", f"{about}_matches", f"test_{about}"]
    else:
        about, verbs = _named(cut), _VERBS
    drawn = Random(program.entry_point).sample(verbs, len(verbs))
    name = f"{drawn[0]}_{about.strip('_').lower()}"  # nobody has two words for the same in one program
    return [name] if name not in program.taken else [f"{verb}_{about.strip('_').lower()}" for verb in drawn]


def _named(cut: _Cut) -> str:
    """What an expression's value is called where it is assigned or returned."""
    if isinstance(cut.spot.node, ast.Return):
        return cut.spot.function.name.strip("_").split("_")[-1]
    return _target(cut.spot.node) or _subject(cut) or "value"


def _is_condition(cut: _Cut) -> bool:
    return isinstance(cut.spot.node, (ast.If, ast.While, ast.Assert))


def _subject(cut: _Cut) -> str:
    words = _WORD.findall(cut.takes[0].lower()) if cut.takes else []
    return "_".join(words[:2]) if words and len("".join(words)) > 2 else ""
