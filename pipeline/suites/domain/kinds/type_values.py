"""Types as arguments: classes that `isinstance` takes, exceptions, and annotations with types in brackets."""

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

from harness.values import TYPES
from harness.values.expressions import Names, expression
from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.domain.pool import Pool

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
