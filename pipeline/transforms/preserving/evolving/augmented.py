"""S10: `x += e` becomes `x = x + e`."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.transforms.preserving.evolving.growing import (
    Growing,
    Look,
    Site,
    Spot,
    origin_of,
    spot_of,
    spots,
)

IMMUTABLE = frozenset({"int", "bigint", "float", "nan", "bool", "str", "bytes", "tuple", "NoneType", "complex"})
"""Kinds that were seen and whose values never change."""


class TransformAugAssignment:
    """An augmented assignment is written out, where the variable held nothing that changes, in all cases."""

    code, name = "S10", "TransformAugAssignment"

    def sites(self, program: Growing) -> list[Site]:
        """Augmented assignments of variables that certainly, or in all cases, hold what never changes."""
        return [site for site, _ in self._found(program)]

    def apply(self, program: Growing, site: Site) -> None:
        """Write the assignment out, with all others of the function: nobody has two ways to write the same."""
        function = spot_of(self._found(program, site.origin), site).function
        for other, spot in list(self._found(program)):
            if spot.function is function:
                node = spot.node
                target = ast.Name(node.target.id, ast.Load())
                made = ast.Assign([node.target], ast.BinOp(target, node.op, node.value), lineno=0)
                made.origin = other.origin  # type: ignore[attr-defined]
                spot.put(made)

    def _found(self, program: Growing, origin: int | None = None) -> Iterator[tuple[Site, Spot]]:
        look = Look()
        for spot in spots(program, origin):
            node = spot.node
            if not isinstance(node, ast.AugAssign) or not isinstance(node.target, ast.Name):
                continue
            number = origin_of(node)
            seen = program.facts.kinds.get(number or 0, frozenset())
            seen = frozenset(kind.split(":")[0] for kind in seen)
            if number is not None and ((seen and seen <= IMMUTABLE) or look.kinds(spot).of(
                    ast.Name(node.target.id, ast.Load()))):
                yield Site(number), spot
