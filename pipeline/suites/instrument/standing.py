"""What a program keeps between calls: values at module level, those that its classes hold, and defaults of members."""

from __future__ import annotations

import inspect
import re
import types
from collections.abc import Iterator, Mapping, Sequence, Set
from typing import Any

from harness.values import NotEncodable, canonical, encode
from pipeline.suites.subject import Subject

MOST_PARTS = 200_000
"""Parts of all values together beyond which the rest is not looked at."""
_SCALARS = (type(None), bool, int, float, complex, str, bytes, type(...))
_PASSED_OVER = (types.ModuleType, types.FunctionType, types.BuiltinFunctionType, types.MethodType, type, re.Pattern)


class Standing:
    """The values of a loaded program by their names, as texts that differ where the values do."""

    def __init__(self, subject: Subject, function: Any) -> None:
        self._subject = subject
        self._namespace: dict[str, Any] = inspect.unwrap(function).__globals__
        self._parts = 0
        self._texts = dict(self._told())

    def changed(self) -> tuple[str, ...]:
        """The names of what is another value by now, in the order of the text."""
        self._parts = 0
        now = dict(self._told())
        return tuple(name for name, text in self._texts.items() if now.get(name) != text)

    def _told(self) -> Iterator[tuple[str, str]]:
        for name, value in list(self._namespace.items()):
            if name.startswith(("__", "_code2bench_")) or name in self._subject.names:
                continue
            if isinstance(value, type):
                yield from self._of_class(name, value)
            elif not callable(value):
                yield name, self._text(value, frozenset())
        for member in self._subject.members:
            defaults = self._defaults(member.name)
            if defaults is not None:
                yield f"a default of {member.name}", self._text(defaults, frozenset())

    def _of_class(self, name: str, value: type) -> Iterator[tuple[str, str]]:
        if value.__module__ != self._namespace.get("__name__"):
            return
        for field, held in list(vars(value).items()):
            if not (field.startswith("_") and field.endswith("_")) and isinstance(held, (*_SCALARS, *_CONTAINERS)):
                yield f"{name}.{field}", self._text(held, frozenset())

    def _defaults(self, name: str) -> Any:
        found: Any = self._namespace.get(name.partition(".")[0])
        for part in name.split(".")[1:]:
            found = vars(found).get(part) if found is not None else None
        function = inspect.unwrap(getattr(found, "__func__", found)) if callable(found) else None
        return getattr(function, "__defaults__", None), getattr(function, "__kwdefaults__", None)

    def _text(self, value: Any, around: frozenset[int]) -> str:
        """A value as text; what can't be told has the name of its type alone."""
        self._parts += 1
        kind = type(value).__name__
        if isinstance(value, _SCALARS):
            return repr(value)
        if id(value) in around or self._parts > MOST_PARTS or isinstance(value, _PASSED_OVER):
            return kind
        inside = around | {id(value)}
        if isinstance(value, Mapping):
            entries = [f"{self._text(key, inside)}: {self._text(held, inside)}" for key, held in value.items()]
            return f"{kind}{{{', '.join(entries)}}}"
        if isinstance(value, _CONTAINERS):
            texts = [self._text(held, inside) for held in value]
            return f"{kind}[{', '.join(sorted(texts) if isinstance(value, Set) else texts)}]"
        fields = getattr(value, "__dict__", None)
        if isinstance(fields, dict):
            return f"{kind}({self._text(fields, inside)})"
        return _encoded(value) or kind


_CONTAINERS = (Mapping, Sequence, Set, bytearray)


def _encoded(value: Any) -> str:
    """A value as the codec has it, "" where it has none; iterators are not used up."""
    if isinstance(value, Iterator):
        return ""
    try:
        return canonical(encode(value))
    except (NotEncodable, RecursionError):
        return ""
