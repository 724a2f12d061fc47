"""What the names in an expression may stand for: parameters, variables that are assigned once, constants."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from itertools import product
from math import prod

from pipeline.suites.proofs.facts import Facts
from pipeline.suites.proofs.scope import Scope
from pipeline.suites.proofs.values import Evaluation, Possible, Value

MOST_VALUES, MOST_WAYS, MOST_STEPS = 12, 256, 3
"""Values beyond which there may be anything, combinations of them, and variables that are followed one to another."""

Row = dict[str, Possible]
"""What the parameters may be at one call; those that it does not tell of may be anything."""


class Names:
    """The names of a function, called as a row says."""

    def __init__(self, scope: Scope, row: Row, facts: Facts) -> None:
        self._scope, self._row, self._facts = scope, row, facts
        self._constants = {name: value for name, value in facts.constants.items() if not scope.binds(name)}

    def of(self, node: ast.expr, steps: int = 0) -> Possible:
        """What an expression may be."""
        found: set[Value] = set()
        for names in self.ways(node, steps):
            values = Evaluation(names, self._facts.bound).of(node)
            if values is None or len(found | values) > MOST_VALUES:
                return None
            found |= values
        return frozenset(found)

    def ways(self, node: ast.expr, steps: int = 0) -> Iterator[dict[str, Value]]:
        """The values that the names of an expression have together; those that may be anything are left out."""
        spelled = sorted({part.id for part in ast.walk(node) if isinstance(part, ast.Name)})
        found = {name: self._named(name, node, steps) for name in spelled}
        known = {name: sorted(values, key=str) for name, values in found.items() if values is not None}
        if prod(map(len, known.values())) > MOST_WAYS:
            known = {}
        for values in product(*known.values()):
            yield self._constants | dict(zip(known, values, strict=True))

    def _named(self, name: str, node: ast.expr, steps: int) -> Possible:
        if name in self._scope.named:
            return self._row.get(name) if self._scope.untouched(name, node) else None
        value = self._scope.assigned_once(name) if steps < MOST_STEPS else None
        return None if value is None else self.of(value, steps + 1)
