"""S5: a statement that may raise stands in a `try`, whose handler notes the exception and raises it again."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.bound_names import walk
from pipeline.transforms.preserving.evolving.building import built, logger_of, shadowed
from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Site,
    Spot,
    holds,
    origin_of,
    spot_of,
    spots,
)

_CALLS = {
    "int": "ValueError", "float": "ValueError", "loads": "ValueError", "fromisoformat": "ValueError",
    "strptime": "ValueError", "fromhex": "ValueError", "decode": "UnicodeDecodeError", "encode": "UnicodeEncodeError",
}
"""What functions and methods that convert raise where they are given what they can't take, by their names."""
_MOST = 2
"""Kinds of exceptions that a handler names."""
_LAZY = (ast.Yield, ast.YieldFrom, ast.Await, ast.Lambda, ast.GeneratorExp)


class AddTryExcept:
    """The exceptions that a statement may raise by what it does are logged and raised again.

    Nothing is swallowed, and no message is made of what is logged unless somebody asks for it.
    """

    code, name = "S5", "AddTryExcept"

    def sites(self, program: Growing) -> list[Site]:
        """Simple statements that look a key up, convert, or divide."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Put the statement into a `try`."""
        spot = spot_of(self._found(program, site.origin), site)
        kinds = _kinds(spot)
        logger = logger_of(program, spot.tree)
        error = program.fresh_of("error", "exc", "problem", "err")
        caught = kinds[0] if len(kinds) == 1 else f"({', '.join(kinds)})"
        told = program.random.choice(["{} failed: %s", "error in {}: %s", "could not finish {}: %s"])
        text = f"try:\n    BODY\nexcept {caught} as {error}:\n" \
            f"    {logger}.debug({told.format(spot.function.name.strip('_'))!r}, {error})\n    raise"
        spot.put(*built(text, BODY=[spot.node]))

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        for spot in spots(program, origin):
            if not isinstance(spot.node, (ast.Assign, ast.AnnAssign, ast.AugAssign, ast.Return, ast.Expr)):
                continue
            number = origin_of(spot.node)
            if number is not None and spot.is_own and not spot.guarded and not holds(spot.node, *_LAZY) \
                    and _kinds(spot):
                yield Site(number), spot


def _kinds(spot: Spot) -> list[str]:
    """The exceptions that a statement may raise, as far as its form tells; at most two."""
    found = dict.fromkeys(kind for node in walk(spot.node) for kind in _raised_by(node))
    hidden = shadowed(spot.tree) if found else set[str]()
    return [kind for kind in found if kind not in hidden][:_MOST]


def _raised_by(node: ast.AST) -> Iterator[str]:
    if isinstance(node, ast.Call):
        called = getattr(node.func, "attr", getattr(node.func, "id", ""))
        if called in _CALLS:
            yield _CALLS[called]
    elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Div, ast.FloorDiv)):
        if not isinstance(node.right, ast.Constant):
            yield "ZeroDivisionError"
    elif isinstance(node, ast.Subscript) and isinstance(node.ctx, ast.Load) and isinstance(node.slice, ast.Constant) \
            and isinstance(node.slice.value, str):
        yield "KeyError"
