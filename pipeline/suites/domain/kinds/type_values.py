"""Functions and types as arguments: pure ones of a palette; classes for `isinstance`, exceptions, annotations."""

from __future__ import annotations

import builtins
import datetime
import functools
import operator
import types
import typing
from collections import OrderedDict
from decimal import Decimal
from random import Random
from typing import Any

from harness.values import FUNCTIONS, TYPES
from harness.values.expressions import Names, expression
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.spec import Function

CLASSES = tuple("int str float bool bytes list dict tuple set frozenset NoneType complex object".split())
"""The usual classes, by their names."""
EXCEPTIONS = tuple(
    name for name, kind in TYPES.items() if isinstance(kind, type) and issubclass(kind, Exception)
)
NUMBERS = tuple("float64 float32 float16 float32 int64 int32 int16 int8 uint8 uint16 complex128 bool".split())
"""Types of NumPy's numbers."""
_LEAVES = ("int", "int", "str", "str", "float", "bool", "bytes", "NoneType", "list", "dict", "object")
_GENERIC: dict[str, tuple[Any, ...]] = {
    "list": (list, typing.List),  # noqa: UP006
    "set": (set, typing.Set),  # noqa: UP006
    "dict": (dict, typing.Dict),  # noqa: UP006
    "tuple": (tuple, typing.Tuple),  # noqa: UP006
}
_FURTHER = (datetime.date, datetime.datetime, Decimal, OrderedDict)
EXAMPLES = 12


def drawn(sampler: Drawing, kind: str) -> Any:
    """A class, an exception class, a type of NumPy's numbers, or, for `type`, anything that an annotation may be."""
    if kind == "number":
        import numpy

        return getattr(numpy, sampler.rng.choice(NUMBERS))
    return _of_kind(sampler.rng, sampler.pool, kind)


def strategy(pool: Pool, rng: Random, kind: str) -> str:
    """The Hypothesis source of types of the kind."""
    if kind == "number":
        return f"st.sampled_from([{', '.join(f'numpy.{name}' for name in dict.fromkeys(NUMBERS))}])"
    made = dict.fromkeys(expression(_of_kind(rng, pool, kind)) for _ in range(4 * EXAMPLES))
    shown = [text for text in made if set(Names().missing([text])) <= {"import typing"}]
    return f"st.sampled_from([{', '.join(shown[:EXAMPLES])}])"


def _of_kind(rng: Random, pool: Pool, kind: str) -> Any:
    if kind == "type":
        return _annotation(rng, pool, 0)
    if kind == "class" and rng.random() < 0.08:
        return rng.choice(_FURTHER)
    usual = EXCEPTIONS if kind == "exception" or rng.random() < 0.08 else CLASSES
    named = [name for name in pool.classes if name in usual]
    return TYPES[rng.choice(named if named and rng.random() < 0.5 else usual)]


def _annotation(rng: Random, pool: Pool, depth: int) -> Any:
    named = [name for name in pool.classes if name in TYPES]
    if rng.random() < (0.3, 0.75, 1.0)[depth]:
        return TYPES[rng.choice(named if named and rng.random() < 0.4 else _LEAVES)]
    inner = _annotation(rng, pool, depth + 1)
    roll = rng.random()
    if roll < 0.35:
        return _union(rng, pool, inner, depth)
    if roll < 0.45:
        return typing.Literal[tuple(sorted({rng.choice(pool.texts or WORDS), rng.choice(WORDS)}))]
    if roll < 0.52:
        return typing.Annotated[inner, rng.choice((rng.choice(pool.texts or WORDS), rng.randint(0, 9)))]
    if roll < 0.57:
        return typing.Any
    head = rng.choice([name for name in named if name in _GENERIC] if rng.random() < 0.3 and any(
        name in _GENERIC for name in named) else list(_GENERIC))
    owner = rng.choice(_GENERIC[head])
    if head == "dict":
        return owner[rng.choice((str, str, int)), inner]
    if head == "tuple":
        return owner[inner, rng.choice((..., _annotation(rng, pool, depth + 1)))]
    return owner[inner]


def _union(rng: Random, pool: Pool, inner: Any, depth: int) -> Any:
    """A union in one order: `typing` keeps the first of those that are equal, whatever their order."""
    other = type(None) if rng.random() < 0.5 else _annotation(rng, pool, depth + 1)
    parts = [one for part in (inner, other) for one in (typing.get_args(part) if _is_union(part) else (part,))]
    parts = sorted(dict.fromkeys(parts), key=lambda one: (one is type(None), str(one)))
    if rng.random() < 0.5 and all(isinstance(one, type) and one is not typing.Any for one in parts):
        return functools.reduce(operator.or_, parts)
    return typing.Union[tuple(parts)]  # noqa: UP007


def _is_union(kind: Any) -> bool:
    return typing.get_origin(kind) in (typing.Union, types.UnionType)


def is_class(name: str) -> bool:
    """Whether a name is that of a class that can be an argument."""
    return name in TYPES and hasattr(builtins, name)


_KINDS: dict[str, tuple[int, str, str]] = {
    **dict.fromkeys(
        ("str.upper", "str.lower", "str.title", "str.strip", "str.swapcase", "str.capitalize"), (1, "str", "str")
    ),
    **dict.fromkeys(("str.isdigit", "str.isupper", "str.isidentifier"), (1, "str", "bool")),
    "str.split": (1, "str", "list"), "len": (1, "sized", "int"), "abs": (1, "number", "number"),
    "operator.neg": (1, "number", "number"), "str": (1, "", "str"), "repr": (1, "", "str"), "bool": (1, "", "bool"),
    "operator.not_": (1, "", "bool"), "int": (1, "number", "int"), "float": (1, "number", "float"),
    "sum": (1, "items", "number"), "sorted": (1, "items", "list"), "list": (1, "items", "list"),
    "tuple": (1, "items", "tuple"), "max": (1, "items", ""), "min": (1, "items", ""),
    **dict.fromkeys(("operator.add", "operator.sub", "operator.mul"), (2, "number", "number")),
    **dict.fromkeys(("operator.lt", "operator.gt", "operator.eq", "operator.ge"), (2, "", "bool")),
    "operator.concat": (2, "str", "str"),
}
_FAMILIES = {
    "number": {"number", "int", "float"}, "int": {"number", "int", "bool"}, "float": {"number", "float"},
    "str": {"str", "sized"}, "list": {"items", "sized", "list"}, "tuple": {"items", "sized", "tuple"},
    "Sequence": {"items", "sized", "list"}, "Iterable": {"items", "list"}, "dict": {"sized"}, "bool": {"bool"},
}
"""For the name of a type in an annotation, the kinds above that go with it."""


def palette(spec: Function) -> list[str]:
    """The names of the functions that fit: by the number of arguments, and by their types as far as they are known."""
    fitting = [
        name for name, (arity, takes, gives) in _KINDS.items()
        if arity == (spec.arity or arity) and _fits(spec.takes, takes) and _fits(spec.gives, gives)
    ]
    return fitting or [name for name, (arity, _, _) in _KINDS.items() if arity == (spec.arity or 1)]


def _fits(wanted: str, has: str) -> bool:
    return not wanted or not has or wanted not in _FAMILIES or has in _FAMILIES[wanted]


if _KINDS.keys() - FUNCTIONS.keys():
    raise ImportError(f"the codec does not carry {sorted(_KINDS.keys() - FUNCTIONS.keys())}")
