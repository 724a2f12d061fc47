"""S11: a `for` becomes a function that calls itself for each item."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from pipeline.transforms.bound_names import bound, walk
from pipeline.transforms.preserving.draft import loaded_names, stored_names
from pipeline.transforms.preserving.evolving.building import built, shadowed
from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Site,
    Spot,
    captured,
    holds,
    is_generator,
    locals_of,
    origin_of,
    spot_of,
    spots,
    sure_of,
)

MOST_PASSES = 200
"""A loop that made more passes in some case stays: each pass takes a frame."""
_TEXT = """
{rest} = iter(ITER)
{end} = object()

def {step}({item}):
    if {item} is {end}:
        return
    BODY
    {step}(next({rest}, {end}))
{step}(next({rest}, {end}))
"""


class TransformLoopToRecursion:
    """The passes of a `for` over anything are calls of an inner function, which asks one iterator for the next item.

    What the body binds and the rest of the function reads is `nonlocal`; the rest of what it binds is the inner
    function's own, since each pass binds it before reading it. No jump leads out of the body, but `continue`.
    """

    code, name = "S11", "TransformLoopToRecursion"

    def sites(self, program: Growing) -> list[Site]:
        """Loops over few items."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Write the function in place of the loop."""
        spot = spot_of(self._found(program, site.origin), site)
        loop: ast.For = spot.node
        shared = _shared(spot)
        assert shared is not None
        target = loop.target
        simple = isinstance(target, ast.Name) and target.id not in shared
        item = target.id if simple and isinstance(target, ast.Name) else program.fresh_of("item", "current", "entry")
        names = {
            "rest": program.fresh_of("remaining", "rest", "upcoming"),
            "end": program.fresh_of("end", "finished", "stop"), "item": item,
            "step": program.fresh_of("visit", "handle_next", "process_next", "step", "advance"),
        }
        first: list[ast.stmt] = [] if simple else [ast.Assign([target], ast.Name(item, ast.Load()), lineno=0)]
        going_on = built(f"{names['step']}(next({names['rest']}, {names['end']}))\nreturn")
        body = [*first, *_without_continue(loop.body, going_on)]
        made = built(_TEXT.format(**names), ITER=loop.iter, BODY=body)
        if shared:
            function = next(one for one in made if isinstance(one, ast.FunctionDef))
            function.body.insert(0, ast.Nonlocal(sorted(shared), lineno=0, col_offset=0))
        spot.put(*made)

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        hidden = [tree for tree in program.trees if shadowed(tree) & {"iter", "next", "object"}]
        for spot in spots(program, origin):
            number, node = origin_of(spot.node), spot.node
            if number is None or not isinstance(node, ast.For) or spot.tree in hidden or not spot.is_own:
                continue
            if origin_of(node.iter) is None or spot.in_loop:
                continue
            if program.facts.passes.get(number, MOST_PASSES + 1) <= MOST_PASSES and _fits(program, spot):
                yield Site(number), spot


def _fits(program: Growing, spot: Spot) -> bool:
    node, function = spot.node, spot.function
    if node.orelse or is_generator(function) or program.facts.depth.get(function.name, 1) > 1:
        return False
    never = (ast.Return, ast.Yield, ast.YieldFrom, ast.Await, ast.NamedExpr, ast.Delete, ast.FunctionDef, ast.ClassDef,
             ast.Lambda, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal, ast.ListComp, ast.SetComp, ast.DictComp,
             ast.GeneratorExp)
    if any(holds(part, *(kind for kind in never if kind not in _COMPREHENSIONS)) for part in node.body):
        return False
    if _breaks(node.body) or _continues_inside(node.body) or holds(function, ast.Global, ast.Nonlocal):
        return False
    if not isinstance(node.target, (ast.Name, ast.Tuple)) or any(
            not isinstance(one, (ast.Name, ast.Tuple)) for one in walk(node.target) if isinstance(one, ast.expr)):
        return False
    return _shared(spot) is not None


_COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)


def _shared(spot: Spot) -> frozenset[str] | None:
    """The variables that the body binds and the rest of the function speaks of; None where one may have no value."""
    loop, function = spot.node, spot.function
    stored = stored_names(loop) & locals_of(function)
    outside = _names_outside(function, loop)
    shared = frozenset(stored & outside)
    sure = sure_of(function)
    before = sure.get(id(loop), frozenset())
    if stored & captured(function) or not shared <= before:
        return None
    # What is the inner function's own must be bound on each pass before it is read.
    own = frozenset(stored - shared)
    inner = ast.FunctionDef("body", ast.arguments([], [], None, [], [], None, []), list(loop.body), [], lineno=0)
    inner.args.args = [ast.arg(name) for name in sorted(before | bound(loop.target))]
    bound_first = sure_of(inner)
    for node in walk(inner):
        if isinstance(node, ast.stmt) and node is not inner:
            heads = {one for field, value in ast.iter_fields(node) if field not in _BLOCKS
                     for part in (value if isinstance(value, list) else [value]) if isinstance(part, ast.AST)
                     for one in loaded_names(part)}
            if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
                heads.add(node.target.id)
            if heads & own - bound(loop.target) - _of_comprehensions(node) - bound_first.get(id(node), frozenset()):
                return None
    handlers = {one.name for one in walk(loop) if isinstance(one, ast.ExceptHandler) and one.name}
    return None if handlers & shared else shared


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def _of_comprehensions(node: ast.stmt) -> frozenset[str]:
    return frozenset(name for part in walk(node) if isinstance(part, ast.comprehension) for name in bound(part.target))


def _names_outside(function: ast.FunctionDef, loop: ast.For) -> set[str]:
    """The names that a function speaks of outside of a loop: its parameters, and what is read or bound there."""
    inside = {id(part) for one in (loop.target, *loop.body) for part in walk(one)}
    names = {part.id for part in walk(function) if isinstance(part, ast.Name) and id(part) not in inside}
    return names | {part.arg for part in walk(function) if isinstance(part, ast.arg)} | {
        part.name for part in walk(function) if isinstance(part, ast.ExceptHandler) and part.name
        and id(part) not in inside}


def _breaks(block: Sequence[ast.stmt]) -> bool:
    return any(isinstance(part, ast.Break) for node in block for part in _of_loop(node))


def _continues_inside(block: Sequence[ast.stmt]) -> bool:
    """Whether a `continue` of a loop stands where something looks at how it is left."""
    return any(
        isinstance(part, ast.Continue) for node in block for outer in _of_loop(node)
        if isinstance(outer, (ast.Try, ast.With)) for part in _of_loop(outer))


def _of_loop(node: ast.AST) -> Iterator[ast.AST]:
    """A statement and what is below it, but the bodies of loops and functions within."""
    yield node
    if isinstance(node, (ast.FunctionDef, ast.Lambda, ast.ClassDef)):
        return
    for part in node.orelse if isinstance(node, (ast.For, ast.While)) else ast.iter_child_nodes(node):
        yield from _of_loop(part)


def _without_continue(block: Sequence[ast.stmt], going_on: Sequence[ast.stmt]) -> list[ast.stmt]:
    """A block in which going on with the loop is the call for the next item, and the end of this one."""
    made: list[ast.stmt] = []
    for node in block:
        if isinstance(node, ast.Continue):
            made += copy.deepcopy(going_on)
            continue
        if not isinstance(node, (ast.For, ast.While)):
            for field in ("body", "orelse"):
                inner = getattr(node, field, None)
                if isinstance(inner, list):
                    setattr(node, field, _without_continue(inner, going_on))
        elif node.orelse:
            node.orelse = _without_continue(node.orelse, going_on)
        made.append(node)
    return made
