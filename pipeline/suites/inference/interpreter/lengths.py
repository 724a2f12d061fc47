"""The lengths of axes by name: what an expression has to do with them, and which of them are equal."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from dataclasses import dataclass, field

from pipeline.suites.inference.evidence.library_signatures import functions, in_order

# What calls of one and of two arrays don't show stands beside what they do.
SAME = functions("kept", "truth") | {"astype", "fillna", "full_like", "empty_like", "around", "invert"}
MASKS = functions("truth")
TOGETHER = functions("together") | {"where", "putmask", "copyto"}
TRUTH = functions("truth of two")
REDUCED = functions("reduced") | {"amin", "amax"}
MATRIX = functions("square")
FILLED = frozenset("zeros ones empty full".split())
ORDERED = in_order() | dict.fromkeys(("Akima1DInterpolator", "PchipInterpolator", "make_interp_spline", "splrep",
                                      "interp1d", "pchip_interpolate"), 0)  # fmt: skip
"""Functions with the place of an argument that has to be in order."""


@dataclass(frozen=True)
class Shaped:
    """An array: names of the lengths of its axes, None where their number is not known.

    `whole` is the parameter that it is, `source` the one whose axes it has, `mask` says that it holds truth values.
    """

    dims: tuple[str, ...] | None
    whole: str = ""
    mask: bool = False
    source: str = ""


@dataclass(frozen=True)
class Size:
    """A whole number that is the length of an axis."""

    dim: str


@dataclass(frozen=True)
class Place:
    """A place along an axis."""

    dim: str


@dataclass(frozen=True)
class Lengths:
    """The lengths of all axes of an array."""

    of: Shaped


@dataclass(frozen=True)
class Entry:
    """One number out of a parameter that is an array with one axis."""

    of: str


Value = Shaped | Size | Place | Lengths | Entry | None


@dataclass
class Shapes:
    """What a body says of the shapes of its parameters.

    `equal` leads from the name of a length to another that is the same; `into` are parameters that hold places along
    an axis, `masks` those that hold truth values, `ordered` those that have to be in order, `rows` those that have an
    entry for each place along an axis, `arrays` those that arrays choose from, `ranks` how many axes some have;
    `alike` leads from an array to another one of the same shape, however many axes that are,
    and `weights` are those that weigh others.
    """

    equal: dict[str, str] = field(default_factory=dict)
    into: dict[str, str] = field(default_factory=dict)
    masks: set[str] = field(default_factory=set)
    ordered: set[str] = field(default_factory=set)
    rows: dict[str, str] = field(default_factory=dict)
    arrays: set[str] = field(default_factory=set)
    ranks: dict[str, int] = field(default_factory=dict)
    alike: dict[str, str] = field(default_factory=dict)
    weights: set[str] = field(default_factory=set)

    def root(self, dim: str) -> str:
        """The name that stands for all lengths which equal this one."""
        while dim in self.equal:
            dim = self.equal[dim]
        return dim

    def group(self, name: str) -> str:
        """The array that stands for all that have the shape of one."""
        while name in self.alike:
            name = self.alike[name]
        return name

    def match(self, one: str, other: str) -> None:
        """Note that two arrays have the same shape."""
        left, right = self.group(one), self.group(other)
        if one and other and left != right:
            self.alike[left] = right

    def unify(self, one: str, other: str) -> None:
        """Note that two lengths are equal; a length of one agrees with any."""
        left, right = self.root(one), self.root(other)
        if left == right or "=1" in (left, right) or (left[0] == "=" == right[0]):
            return
        if left[0] == "=":
            left, right = right, left
        self.equal[left] = right


def axis_of(name: str, place: int) -> str:
    """The name of the length of an axis of a parameter."""
    return f"{name}.{place}"


def adds_axis(index: ast.expr) -> bool:
    """Whether a part of an index is no place along an axis but one more axis."""
    return (isinstance(index, ast.Constant) and index.value is None) or ast.unparse(index).endswith("newaxis")


def given(name: str, lengths: Sequence[int | str]) -> Shaped:
    """A parameter as an array with axes of these lengths; no axes at all stand for any number of them."""
    if not lengths:
        return Shaped(None, name, source=name)
    dims = (f"={one}" if isinstance(one, int) and one else str(one or axis_of(name, place))
            for place, one in enumerate(lengths))
    return Shaped(tuple(dims), name)


def number(node: ast.expr) -> int | None:
    """The whole number that an expression is, None where it is none."""
    if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.USub):
        inner = number(node.operand)
        return None if inner is None else -inner
    return node.value if isinstance(node, ast.Constant) and type(node.value) is int else None
