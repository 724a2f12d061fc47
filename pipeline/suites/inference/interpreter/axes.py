"""The axes of arrays: broadcasting, matrix products, and which lengths these need to be equal."""

from __future__ import annotations

import ast
from collections.abc import Collection, Sequence
from dataclasses import replace

from pipeline.suites.inference.interpreter.lengths import Shaped, Shapes, Value, axis_of


class Axes(ast.NodeVisitor):
    """Reckons with the axes of arrays, and notes which of their lengths are equal."""

    def __init__(self, sparse: Collection[str] = ()) -> None:
        self.sparse = frozenset(sparse)
        self.found = Shapes()
        self.fresh = 0

    def new(self) -> str:
        """The name of a length of which nothing is known."""
        self.fresh += 1
        return f"?{self.fresh}"

    def _same_first(self, held: Sequence[Value]) -> None:
        firsts = [first for value in held if (first := self._axis(value, 0))]
        for other in firsts[1:]:
            self.found.unify(firsts[0], other)

    def _axis(self, value: Value, place: int) -> str:
        """The name of the length of an axis, "" where it is not known."""
        if not isinstance(value, Shaped):
            return ""
        if value.dims is None:
            return axis_of(value.source, place) if value.source else ""
        return value.dims[place] if -len(value.dims) <= place < len(value.dims) else ""

    def _axes(self, value: Shaped, count: int) -> list[str]:
        return [self._axis(value, place) or self.new() for place in range(count)]

    def _together(self, held: Sequence[Value]) -> Value:
        """What broadcasting gives."""
        arrays = [one for one in held if isinstance(one, Shaped)]
        if not arrays or any(one.dims is None for one in arrays):
            sources = [one.source for one in arrays if one.dims is None and one.source]
            for other in sources[1:]:
                self.found.match(sources[0], other)
            open_ = len(arrays) == 1 or all(one.dims is None for one in arrays)
            return Shaped(arrays[0].dims, source=next(iter(sources), "")) if arrays and open_ else None
        made: list[str] = []
        for place in range(1, max(len(one.dims or ()) for one in arrays) + 1):
            dims = [one.dims[-place] for one in arrays if one.dims is not None and len(one.dims) >= place]
            wide = [dim for dim in dims if dim != "=1"] or ["=1"]
            for other in wide[1:]:
                self.found.unify(wide[0], other)
            made.append(wide[0])
        return Shaped(tuple(reversed(made)))

    def _product(self, left: Value, right: Value) -> Value:
        """What a matrix product gives."""
        inner = self._axis(left, -1), self._axis(right, 0 if self._rank(right) in (0, 1) else -2)
        if all(inner) and self._rank(left) and self._rank(right):
            self.found.unify(*inner)
        if not isinstance(left, Shaped) or not isinstance(right, Shaped) or left.dims is None or right.dims is None:
            return None
        rest = right.dims[:-2] + right.dims[-1:] if len(right.dims) > 1 else ()
        return Shaped((*left.dims[:-1], *rest))

    def _sparse(self, value: Value) -> bool:
        return isinstance(value, Shaped) and bool({value.whole, value.source} & self.sparse)

    def _as_vector(self, value: Shaped) -> Shaped:
        """What a matrix is multiplied with: a vector where its axes are not known."""
        if value.dims is not None or not value.source:
            return value
        self.found.ranks.setdefault(value.source, 1)
        return replace(value, dims=(axis_of(value.source, 0),))

    def _rank(self, value: Value) -> int:
        return len(value.dims) if isinstance(value, Shaped) and value.dims is not None else 0

    def _row(self, value: Value) -> Value:
        return Shaped(value.dims[1:]) if isinstance(value, Shaped) and value.dims else None
