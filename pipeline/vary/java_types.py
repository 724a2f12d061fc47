"""Java types that hold all values which a parameter takes, or which a function gives: from the values themselves."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from harness.records import Json
from harness.values import TAG

_LONG = 2**63


class NotCarried(ValueError):
    """A value that Java has no exact counterpart of; the message says which kind it is."""


@dataclass(frozen=True)
class JavaType:
    """A type by its name, with those of what it holds; `nullable` where some value is null.

    `""` is the name where nothing but null was seen, or nothing at all.
    """

    name: str
    holds: tuple[JavaType, ...] = ()
    nullable: bool = False

    def __str__(self) -> str:
        """As it is written where a value may stand by itself."""
        return self.name if self.name in _BOXED and not self.nullable else self.boxed

    @property
    def boxed(self) -> str:
        """As it is written inside of another one."""
        name = _BOXED.get(self.name, self.name) or "Object"
        return f"{name}<{', '.join(one.boxed for one in self.holds)}>" if self.holds else name


_BOXED = {"boolean": "Boolean", "long": "Long", "double": "Double"}
_NOTHING, _NULL, _ANY = JavaType(""), JavaType("", nullable=True), JavaType("Object")


def type_of(values: Iterable[Json]) -> JavaType:
    """The narrowest type for some encoded values; raises `NotCarried`."""
    found = _NOTHING
    for value in values:
        found = _joined(found, _of(value))
    return found


def _of(value: Json) -> JavaType:
    if value is None:
        return _NULL
    if isinstance(value, bool):
        return JavaType("boolean")
    if isinstance(value, int):
        return JavaType("long")
    if isinstance(value, float):
        return JavaType("double")
    if isinstance(value, str):
        return JavaType("String")
    if isinstance(value, list):
        return JavaType("List", (type_of(value),))
    tag = value.get(TAG)
    if tag is None:
        return JavaType("Map", (JavaType("String"), type_of(value.values())))
    return _of_tagged(str(tag), value.get("v"))


def _of_tagged(tag: str, value: Json) -> JavaType:
    if tag == "int":
        return JavaType("long" if -_LONG <= int(value) < _LONG else "BigInteger")
    if tag == "float":
        return JavaType("double")
    if tag == "str":
        return JavaType("String")
    if tag == "tuple":
        return JavaType("List", (type_of(value),))
    if tag == "dict":
        return JavaType("Map", (type_of(key for key, _ in value), type_of(one for _, one in value)))
    raise NotCarried(f"values of the kind {tag}")


def _joined(one: JavaType, other: JavaType) -> JavaType:
    """The narrowest type of both."""
    nullable = one.nullable or other.nullable
    if not one.name or not other.name:
        named = one if one.name else other
        return JavaType(named.name, named.holds, nullable)
    if {one.name, other.name} == {"long", "BigInteger"}:
        return JavaType("BigInteger", (), nullable)
    if one.name != other.name:
        return JavaType(_ANY.name, (), nullable)
    return JavaType(one.name, tuple(map(_joined, one.holds, other.holds)), nullable)
