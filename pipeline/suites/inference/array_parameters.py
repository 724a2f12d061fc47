"""Parameters that are arrays, with the lengths that they share, the places that they hold, and the order they need."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace

from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Either,
    Items,
    Nothing,
    Real,
    Spec,
    Text,
    Whole,
    either,
    options_of,
)
from pipeline.suites.inference.interpreter.lengths import Shapes, axis_of
from pipeline.suites.inference.interpreter.shapes import shapes_of
from pipeline.suites.rules import changes

_FURTHEST = 5
"""The last place that a number which chooses along an axis names as a rule."""


@changes("arrays: shapes")
def with_shapes(parameters: Sequence[Parameter], function: ast.FunctionDef, names: dict[str, str]) -> list[Parameter]:
    """The parameters with what the body says of the shapes of all arrays together."""
    known = {one.name: lengths for one in parameters if (lengths := _lengths(one)) is not None}
    if not any(_array(one.spec) for one in parameters) or not known:
        return list(parameters)
    sparse = [one.name for one in parameters if (array := _array(one.spec)) is not None and array.forms]
    found = shapes_of(function, names, known, sparse)
    uses = Counter(found.root(dim) for name, lengths in known.items() for dim in _dims(name, lengths))
    for name in (name for name, lengths in known.items() if not lengths):
        uses.update(found.root(axis_of(name, place)) for place in range(found.ranks.get(name, 1)))
    uses.update(found.root(dim) for dim in (*found.into.values(), *found.rows.values()))
    groups = Counter(found.group(name) for name in known)
    found.alike = {name: group for name in known if groups[group := found.group(name)] > 1}
    return [_shaped(one, found, uses) if one.name in known else one for one in parameters]


def _array(spec: Spec) -> Array | None:
    return next((option for option in options_of(spec) if isinstance(option, Array)), None)


def _lengths(parameter: Parameter) -> tuple[int | str, ...] | None:
    """The lengths of the axes as far as they are known; None where the parameter is no array."""
    if parameter.kind not in ("positional", "keyword"):
        return None
    spec = _array(parameter.spec)
    if spec is not None:
        return spec.shape or ("",) * spec.dims
    return () if _open(parameter) else None


def _open(parameter: Parameter) -> bool:
    """Whether nothing is known of a parameter, or that it is a number, so that it may be an array as well."""
    allowed = (Anything, Whole, Real, Nothing, Text, Items)
    return not parameter.declared and all(isinstance(one, allowed) for one in options_of(parameter.spec))


def _dims(name: str, lengths: Sequence[int | str]) -> list[str]:
    return [one if isinstance(one, str) and one else f"={one}" if one else axis_of(name, place)
            for place, one in enumerate(lengths)]


def _shaped(parameter: Parameter, found: Shapes, uses: Counter[str]) -> Parameter:
    old, name = _array(parameter.spec), parameter.name
    if old is None:
        return _as_index(parameter, found, uses)
    spec = old
    shape = tuple(_length(found.root(dim), uses) for dim in _dims(name, spec.shape or ("",) * spec.dims))
    rank = found.ranks.get(name, 1 if name in {*found.ordered, *found.rows} else 0)
    if rank and Real() not in options_of(parameter.spec) and not (spec.dims or spec.ranks or spec.shape):
        dims = [found.rows.get(name, axis_of(name, 0)), *(axis_of(name, place) for place in range(1, rank))]
        shape = tuple(_length(found.root(dim), uses) for dim in dims)
        spec = replace(spec, dims=rank)
    made = replace(spec, shape=shape if any(shape) else spec.shape, ordered=spec.ordered or name in found.ordered)
    if name in found.alike and not (made.dims or made.shape or made.ranks):
        made = replace(made, like=found.alike[name])
    if name in found.masks and spec.dtype in ("float", "bool"):
        made = replace(made, dtype="bool")
    elif name in found.into and spec.dtype in ("float", "int"):
        made = replace(made, dtype="int", into=found.root(found.into[name]))
    if name in found.arrays and isinstance(parameter.spec, Either):
        # What arrays choose from is no list.
        kept = [option for option in parameter.spec.options if not isinstance(option, Items)]
        parameter = replace(parameter, spec=either(kept, list(parameter.spec.rare)))
    return parameter if made == old else _with(parameter, old, made)


def _length(dim: str, uses: Counter[str]) -> int | str:
    """A number, or the name of a length that others share; 0 where it is free."""
    if dim.startswith("="):
        return int(dim[1:])
    return dim if uses[dim] > 1 or not set(dim) & {".", "?"} else 0


def _as_index(parameter: Parameter, found: Shapes, uses: Counter[str]) -> Parameter:
    """Something that stands where an index does: a place, or an array of places, of truth values or of labels."""
    name = parameter.name
    rank = found.ranks.get(name, 1)
    dims = [found.rows.get(name, axis_of(name, 0)), *(axis_of(name, place) for place in range(1, rank))]
    shape = tuple(_length(found.root(dim), uses) for dim in dims)
    one = Array("int", rank, shape if any(shape) else ())
    if name in found.alike and name not in (*found.ranks, *found.rows):
        one = Array("int", like=found.alike[name])
    if name in found.into:
        made = replace(one, into=found.root(found.into[name]))
    elif name in found.arrays or name in found.ranks or name in found.weights:
        made = replace(one, dtype="float")
    else:
        return parameter
    indexes = name in found.masks or name in found.into or name in found.rows
    why = (*parameter.evidence, "it chooses along an axis" if indexes else "its axes go with those of arrays")
    rest: list[Spec] = [option for option in options_of(parameter.spec) if isinstance(option, Nothing)]
    if name in found.into:
        rest.append(Whole(0, _FURTHEST, soft=True))
    return replace(parameter, spec=either([made, *rest]), relation=None, evidence=why)


def _with(parameter: Parameter, old: Array, new: Array) -> Parameter:
    spec = parameter.spec
    if isinstance(spec, Either):
        options = tuple(new if option is old else option for option in spec.options)
        made: Spec = replace(spec, options=options)
    else:
        made = new
    shared = [one for one in new.shape if isinstance(one, str)]
    said = (["its lengths go with those of others"] if shared and new.shape != old.shape else []) + (
        ["it holds places along an axis"] if new.into else []) + (["it is in order"] if new.ordered else [])
    return replace(parameter, spec=made, evidence=(*parameter.evidence, *said))
