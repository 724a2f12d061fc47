"""S12: a variable that holds a number, a text or the like lives in a dictionary, a list or an object."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import parameter_names, walk
from pipeline.transforms.preserving.evolving.building import expression
from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Look,
    Site,
    Spot,
    is_generator,
    origin_of,
    spot_of,
    spots,
)

_STEMS = ("state", "progress", "context", "status", "tracker")


class TransformPrimToCompound:
    """All reads and writes of a local variable go to an entry of a dictionary, or the one item of a list.

    Its first assignment stands at the beginning of the function's body, before everything else that speaks of it. No
    inner function sees it, no loop or handler binds it, and nothing deletes it.
    """

    code, name = "S12", "TransformPrimToCompound"

    def sites(self, program: Growing) -> list[Site]:
        """The first assignments of such variables."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Let the variable live elsewhere."""
        spot = spot_of(self._found(program, site.origin), site)
        first: ast.Assign = spot.node
        name = first.targets[0].id  # type: ignore[attr-defined]
        holder = program.fresh_of(f"{name.strip('_')}_holder", *_STEMS)
        listed = program.random.random() < 0.5
        key = "0" if listed else repr(name)
        made = expression("[VALUE]" if listed else f"{{{name!r}: VALUE}}", VALUE=first.value)
        first.targets[0], first.value = ast.Name(holder, ast.Store()), made
        _Moving(name, holder, key).visit(spot.function)

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        look = Look()
        for spot in spots(program, origin):
            number, node = origin_of(spot.node), spot.node
            if number is None or spot.around or not isinstance(node, ast.Assign) or len(node.targets) != 1:
                continue
            target = node.targets[0]
            if isinstance(target, ast.Name) and origin_of(target) is not None and _fits(spot, target.id, look):
                yield Site(number), spot


def _fits(spot: Spot, name: str, look: Look) -> bool:
    function = spot.function
    if name in parameter_names(function) or name in look.captured(spot) or name not in look.locals(spot):
        return False
    if is_generator(function) or not look.kinds(spot).of(ast.Name(name, ast.Load())):
        return False
    plain = {id(one) for node in walk(function) if isinstance(node, (ast.Assign, ast.AugAssign))
             for one in (node.targets if isinstance(node, ast.Assign) else [node.target])}
    places = [node for node in walk(function) if isinstance(node, ast.Name) and node.id == name]
    if any(not isinstance(one.ctx, ast.Load) and id(one) not in plain for one in places) or len(places) < 3:
        return False
    if any(isinstance(node, (ast.ExceptHandler, ast.MatchAs, ast.MatchStar)) and node.name == name
           for node in walk(function)) or _is_shared(function, name):
        return False
    before = function.body[: function.body.index(spot.node)]
    return not any(isinstance(one, ast.Name) and one.id == name for node in before for one in walk(node)) \
        and look.is_reached(spot)


def _is_shared(function: ast.FunctionDef, name: str) -> bool:
    """Whether a scope around, or a comprehension's own, has a variable of that name, too."""
    return any(
        (isinstance(node, (ast.Global, ast.Nonlocal)) and name in node.names)
        or (isinstance(node, ast.comprehension) and any(
            isinstance(one, ast.Name) and one.id == name for one in walk(node.target))) for node in walk(function))


class _Moving(ast.NodeTransformer):
    def __init__(self, name: str, holder: str, key: str) -> None:
        self.name, self.holder, self.key = name, holder, key

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id != self.name:
            return node
        made = ast.Subscript(ast.Name(self.holder, ast.Load()), expression(self.key), node.ctx)
        made.origin = origin_of(node)  # type: ignore[attr-defined]
        return made
