"""Classes, and types with types in brackets: carried as trees of names."""

from __future__ import annotations

import sys

from .codec import TAG, Codecs, NotDecodable

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any

    from .codec import Json

TYPES: dict[str, Any] = {
    kind.__name__: kind for kind in (
        bool, bytearray, bytes, complex, dict, float, frozenset, int, list, object, set, str, tuple, type, type(None),
        Exception, IndexError, KeyError, LookupError, OSError, RuntimeError, TypeError, ValueError,
    )
}
"""The classes that a value may be, by name; those that are among `FUNCTIONS` too are carried as these."""
LIBRARY_TYPES = (
    "datetime.date", "datetime.datetime", "datetime.timedelta", "decimal.Decimal", "fractions.Fraction",
    "collections.OrderedDict", "typing.Any",
)  # fmt: skip
GENERICS = (
    "dict", "frozenset", "list", "set", "tuple", "type", "typing.Dict", "typing.FrozenSet", "typing.Iterable",
    "typing.List", "typing.Mapping", "typing.Sequence", "typing.Set", "typing.Tuple", "typing.Type",
)  # fmt: skip
"""What takes types in brackets; `|`, `typing.Union`, `typing.Literal` and `typing.Annotated` do besides."""
MAX_TYPE_DEPTH, MAX_TYPE_PARTS = 4, 8
_TYPE_NAMES = {id(kind): name for name, kind in TYPES.items()}
_ALIAS, _UNION = type(list[int]), type(int | None)
_SCALARS = (str, int, bool, type(None))


def type_tree(value: Any, depth: int = 0) -> Json:
    """A class or a type with types in brackets as a name or a list that begins with one; None for all else."""
    if id(value) in _TYPE_NAMES:
        return _TYPE_NAMES[id(value)]
    if value is Ellipsis:
        return "..." if depth else None
    typing = sys.modules.get("typing")
    for name in LIBRARY_TYPES:
        module, _, own = name.rpartition(".")
        if getattr(sys.modules.get(module), own, type_tree) is value:
            return name
    kind = type(value)
    if depth >= MAX_TYPE_DEPTH or kind.__module__ not in ("types", "typing"):
        return None
    special = {f"_{name}GenericAlias": f"typing.{name}" for name in ("Union", "Literal")}
    if kind is _ALIAS:
        head = _TYPE_NAMES.get(id(value.__origin__), "")
    elif kind is _UNION:
        head = "|"
    elif kind is getattr(typing, "_AnnotatedAlias", None):
        inner = type_tree(value.__origin__, depth + 1)
        plain = all(type(one) in _SCALARS for one in value.__metadata__)
        return ["typing.Annotated", inner, *value.__metadata__] if inner is not None and plain else None
    elif kind is getattr(typing, kind.__name__, None):
        head = special.get(kind.__name__, f"typing.{getattr(value, '_name', '')}")
    else:
        return None
    if head == "typing.Literal":
        return [head, *value.__args__] if all(type(one) in _SCALARS for one in value.__args__) else None
    inside = getattr(value, "__args__", ())
    if head not in (*GENERICS, *special.values(), "|") or not 0 < len(inside) <= MAX_TYPE_PARTS:
        return None
    parts = [type_tree(one, depth + 1) for one in inside]
    return None if None in parts else [head, *parts]


def _to_type(data: Json, depth: int) -> Any:
    return _type_of(data["v"], 0)


def _type_of(tree: Json, depth: int) -> Any:
    if type(tree) is str:
        if tree == "..." and depth:
            return ...
        module, _, own = tree.rpartition(".")
        return getattr(__import__(module, fromlist=[own]), own) if tree in LIBRARY_TYPES else TYPES[tree]
    if type(tree) is not list or depth >= MAX_TYPE_DEPTH or not 1 < len(tree) <= MAX_TYPE_PARTS + 1:
        raise NotDecodable("a type is a name or a list of a few types")
    head, *rest = tree
    if head in ("typing.Literal", "typing.Annotated"):
        import typing

        scalars = rest if head == "typing.Literal" else rest[1:]
        if not all(type(one) in _SCALARS for one in scalars):
            raise NotDecodable(f"{head} holds texts and numbers")
        if head == "typing.Literal":
            return typing.Literal[tuple(rest)]
        return typing.Annotated[(_type_of(rest[0], depth + 1), *scalars)]
    parts = [_type_of(one, depth + 1) for one in rest]
    if head == "|":
        made = parts[0]
        for one in parts[1:]:
            made = made | one
        return made
    if head not in (*GENERICS, "typing.Union"):
        raise NotDecodable(f"unknown type {head!r}")
    name = head.removeprefix("typing.")
    owner = TYPES[name] if name == head else getattr(__import__("typing"), name)
    return owner[tuple(parts) if len(parts) > 1 else parts[0]]


def _class(value: Any) -> Json:
    tree = type_tree(value)
    return None if tree is None else {TAG: "type", "v": tree}


CODECS = Codecs(
    others=_class,
    decoders={"type": _to_type},
)
