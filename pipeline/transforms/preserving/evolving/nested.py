"""S1, S2 and S3: loops and conditions stand in further ones that change nothing."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import COMPREHENSIONS
from pipeline.transforms.preserving.conditions import negated
from pipeline.transforms.preserving.evolving.building import built, defined, expression
from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Look,
    Site,
    Spot,
    ends,
    form,
    leaves_loop,
    origin_of,
    spot_of,
    spots,
)

CONSTANT = "constant"
"""The kind of guards that compare nothing but constants, or values of a table that nobody changes."""
_SPLIT, _KNOWN, _TURNED = "split", "known", "turned"


class AddNestedFor:
    """A `for` goes through what it went through inside of a `for` over one part that is all of it."""

    code, name = "S1", "AddNestedFor"

    def sites(self, program: Growing) -> list[Site]:
        """Loops whose `else` has nothing to do with a loop around."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the loop into another one."""
        spot = spot_of(self._found(program, site.origin), site)
        loop: ast.For = spot.node
        part = program.fresh_of("batch", "group", "chunk", "part", "block", "segment")
        whole = loop.iter
        loop.iter = ast.Name(part, ast.Load())
        over = program.random.choice(["[WHOLE]", "(WHOLE,)"])
        spot.put(*built(f"for {part} in {over}:\n    LOOP", WHOLE=whole, LOOP=[loop]))

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        for spot in spots(program, origin):
            node = spot.node
            if isinstance(node, ast.For) and not leaves_loop(node.orelse) and not _is_alone(spot) \
                    and not isinstance(node.iter, ast.NamedExpr):
                yield Site(_number(node)), spot


class AddNestedWhile:
    """A `while` stands in another one that runs once: its flag is cleared before the inner one begins."""

    code, name = "S3", "AddNestedWhile"

    def sites(self, program: Growing) -> list[Site]:
        """Loops whose `else` has nothing to do with a loop around, and behind which something comes."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the loop into another one."""
        spot = spot_of(self._found(program, site.origin), site)
        flag = program.fresh_of("pending", "unfinished", "active", "running", "remaining_work")
        text = f"{flag} = True\nwhile {flag}:\n    {flag} = False\n    LOOP"
        first, loop = built(text, LOOP=[spot.node])
        loop.body[0].needed = True
        spot.put(first, loop)

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        for spot in spots(program, origin):
            node = spot.node
            if isinstance(node, ast.While) and not leaves_loop(node.orelse) and not ends([node]) \
                    and not _is_alone(spot):
                yield Site(_number(node)), spot


class AddNestedIf:
    """An `if` stands whole in another one whose condition always holds, or as the second half of its own.

    The guard is the first operand of the condition, where nothing is done else; a variable that is not None; or a limit
    in a table of the module. Or what comes behind an `if` that leaves the function, or goes on with a loop, stands in
    it, under the opposite condition.
    """

    code, name = "S2", "AddNestedIf"

    def sites(self, program: Growing) -> list[Site]:
        """Conditions behind which something comes, each with the guards that there are for it.

        Guards that compare constants are there only where there is no other one in the whole program.
        """
        every = [site for site, _ in self._found(program)]
        return [site for site in every if site.way != CONSTANT] or every

    def apply(self, program: Growing, site: Site) -> None:
        """Put the condition under the guard."""
        spot = spot_of(self._found(program, site.origin), site)
        node: ast.If = spot.node
        if site.way == _TURNED:
            start = spot.block.index(node) + 1
            leaving = node.body
            turned = _turned(program, node.test)
            assert turned is not None
            node.test, node.body = turned, spot.block[start:]
            spot.block[start:] = leaving if isinstance(leaving[0], ast.Return) else []
            program.guards.append(_TURNED)
            return
        if site.way == _SPLIT:
            assert isinstance(node.test, ast.BoolOp)
            guard, *rest = node.test.values
            node.test = rest[0] if len(rest) == 1 else ast.BoolOp(ast.And(), rest)
        elif site.way.startswith(_KNOWN):
            guard = expression(f"{site.way.split()[1]} is not None")
        else:
            guard = self._limit(program, spot)
        program.guards.append(site.way.split()[0])
        spot.put(ast.If(guard, [node], []))

    def _limit(self, program: Growing, spot: Spot) -> ast.expr:
        """A comparison with an entry of a table, which is made."""
        table = program.fresh_of("LIMITS", "OPTIONS", "SETTINGS", "DEFAULTS", "CONFIG")
        key = program.random.choice(["max_depth", "max_steps", "level", "verbosity", "retries", "min_version"])
        defined(spot.tree, built(f"{table} = {{'{key}': {program.random.randint(1, 9)}}}"))
        return expression(f"{table}[{key!r}] > 0")

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        look = Look()
        for spot in spots(program, origin):
            node = spot.node
            if not isinstance(node, ast.If) or ends([node]) or _is_chained(spot) or _is_guarded(spot):
                continue
            test = node.test
            if _can_turn(spot) and _turned(program, test) is not None:
                yield Site(_number(node), _TURNED), spot
            if isinstance(test, ast.BoolOp) and isinstance(test.op, ast.And) and not node.orelse \
                    and form(test.values[0]) != form(test.values[1]):
                yield Site(_number(node), _SPLIT), spot
                continue
            known = _known(program, spot, look)
            yield from ((Site(_number(node), f"{_KNOWN} {name}"), spot) for name in known)
            if not known:
                yield Site(_number(node), CONSTANT), spot


_SCALARS = frozenset({"int", "str", "bytes", "bool"})
_ORDERS: dict[type[ast.cmpop], type[ast.cmpop]] = {
    ast.Lt: ast.GtE, ast.GtE: ast.Lt, ast.Gt: ast.LtE, ast.LtE: ast.Gt, ast.Eq: ast.NotEq, ast.NotEq: ast.Eq,
}


def _turned(program: Growing, test: ast.expr) -> ast.expr | None:
    """The opposite of a condition as somebody would write it; None where that would be `not` of a comparison."""
    if isinstance(test, ast.Compare) and len(test.ops) == 1 and type(test.ops[0]) in _ORDERS:
        kinds = _seen(program, test.left) | _seen(program, test.comparators[0])
        order = _ORDERS[type(test.ops[0])]
        return ast.Compare(test.left, [order()], test.comparators) if kinds <= _SCALARS else None
    turned = negated(test)
    awkward = isinstance(turned, ast.UnaryOp) and isinstance(turned.operand, (ast.Compare, ast.BoolOp))
    return None if awkward else turned


def _seen(program: Growing, node: ast.expr) -> frozenset[str]:
    """The kinds of an expression's values in the cases; a constant's own."""
    if isinstance(node, ast.Constant):
        return frozenset({type(node.value).__name__})
    return program.facts.kinds.get(origin_of(node) or 0, frozenset({"object"}))


def _can_turn(spot: Spot) -> bool:
    """Whether a condition does nothing but leave the function or go on with the loop, with something to do behind it.

    Where no condition and no loop is behind it, the program would be no deeper.
    """
    node, around = spot.node, spot.around[-1] if spot.around else None
    rest = spot.block[next(number for number, one in enumerate(spot.block) if one is node) + 1 :]
    if node.orelse or len(node.body) != 1 or not any(isinstance(one, (ast.If, ast.For, ast.While)) for one in rest):
        return False
    if isinstance(node.body[0], ast.Continue):
        return isinstance(around, (ast.For, ast.While)) and spot.block is around.body
    return isinstance(node.body[0], ast.Return) and around is None and spot.block is spot.function.body and ends(rest)


def _known(program: Growing, spot: Spot, look: Look) -> list[str]:
    """The variables that a condition reads and that hold something: certainly, or in each case of the suite."""
    if not spot.is_own:
        return []
    kinds = look.kinds(spot)
    names = [node for node in ast.walk(spot.node.test) if isinstance(node, ast.Name)]
    made, seen = look.made(spot), program.facts.kinds
    held = {node.id for node in _always(spot.node.test)
            if isinstance(node, ast.Name) and "NoneType" not in seen.get(origin_of(node) or 0, {"NoneType"})}
    first = [name for name in dict.fromkeys(node.id for node in names)
             if name in held or name in made or kinds.of(ast.Name(name, ast.Load()))]
    sure = look.sure(spot) if first else frozenset[str]()
    return [name for name in first if name in sure]


def _always(node: ast.AST) -> Iterator[ast.AST]:
    """An expression with what is evaluated of it whenever it is."""
    yield node
    if isinstance(node, ast.BoolOp):
        parts: list[ast.AST] = [node.values[0]]
    elif isinstance(node, ast.Compare):
        parts = [node.left, node.comparators[0]]
    elif isinstance(node, ast.IfExp):
        parts = [node.test]
    else:
        parts = [] if isinstance(node, (*COMPREHENSIONS, ast.Lambda)) else list(ast.iter_child_nodes(node))
    for part in parts:
        yield from _always(part)


def _is_chained(spot: Spot) -> bool:
    """Whether it is the `elif` of another condition."""
    around = spot.around[-1] if spot.around else None
    return isinstance(around, ast.If) and spot.block is around.orelse and len(spot.block) == 1


def _is_guarded(spot: Spot) -> bool:
    """Whether a condition stands under one that was added for it."""
    around = spot.around[-1] if spot.around else None
    return isinstance(around, ast.If) and origin_of(around) is None


def _is_alone(spot: Spot) -> bool:
    """Whether a loop already is all that a loop that was added holds."""
    around = spot.around[-1] if spot.around else None
    return isinstance(around, (ast.For, ast.While)) and origin_of(around) is None and len(spot.block) <= 2


def _number(node: ast.AST) -> int:
    number = origin_of(node)
    assert number is not None
    return number
