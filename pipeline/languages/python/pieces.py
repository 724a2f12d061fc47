"""Cutting a file into parts that can be read one by one, so that two versions of it share the reading of most parts."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

_HEADS = r"(?:(@)|def[ \t]|class[ \t]|async[ \t])"
_OUTER = re.compile(f"^{_HEADS}", re.M)
_CLASS = re.compile(r"^class[ \t]+(\w+)", re.M)
_END = re.compile(r"^[^\s#)]", re.M)
_INDENT = re.compile(r"^([ \t]+)[^\s#]", re.M)
_SHORT = 1500
"""Characters of a class below which it is not worth while to cut it."""


def pieces(text: str) -> Sequence[str]:
    """The parts of a file, each a function or a class with what follows up to the next, or those of a single class.

    A part of a class is a method with that class's name around it. Where no part has a syntax error, the functions in
    them are those of the text: a string or a bracket that reaches over the end of a part makes an error there.
    """
    starts = _starts(_OUTER, text)
    return _of_class(text) if len(starts) == 1 and starts[0] == 0 else _cut(text, starts)


def _of_class(text: str) -> Sequence[str]:
    """The parts of a class; the whole where it is none, or has not several functions at the depth of its block."""
    head = _CLASS.search(text)
    if not head or len(text) < _SHORT:
        return [text]
    end = _END.search(text, head.end())
    indents = set(_INDENT.findall(text, head.end(), end.start() if end else len(text)))
    least = min(indents, key=len, default="")
    if not least or any(not indent.startswith(least) for indent in indents):
        return [text]
    starts = _starts(_within(least), text, head.end(), end.start() if end else len(text))
    if len(starts) < 2:
        return [text]
    first, *rest = _cut(text, starts)
    return [f"{first}{least}pass\n", *(f"class {head[1]}:\n{one}" for one in rest)]


@lru_cache(maxsize=32)
def _within(indent: str) -> re.Pattern[str]:
    return re.compile(f"^{indent}{_HEADS}", re.M)


def _starts(heads: re.Pattern[str], text: str, after: int = 0, before: int | None = None) -> list[int]:
    """Where functions and classes start, the decorators included."""
    starts, decorated = [], False
    for match in heads.finditer(text, after, len(text) if before is None else before):
        if not decorated:
            starts.append(match.start())
        decorated = bool(match[1])
    return starts


def _cut(text: str, starts: list[int]) -> list[str]:
    return [text[start:end] for start, end in pairwise([0, *starts, len(text)]) if end > start]
