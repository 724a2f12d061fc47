"""Inverses by looking: what an argument should be, so that what functions give for it lets a test hold.

Texts that all functions in question answer alike are one to a test; of all characters and some common texts one of each
sort is tried.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterable, Iterator
from typing import Any

EXAMPLES = (
    "7", "2.5", "a", "1f", "true", "null", "[1]", '{"a": 1}', "2024-02-29", "12:30:05", "2024-02-29T12:30:05", "1/3",
    "127.0.0.1", "MQ==", "6161", "a=1", "A", "Ab", "",
)
"""Texts that common conversions and predicates take, or don't."""
ASCII, ALL = range(0x80), (*range(0xD800), *range(0xE000, 0x1F700))
MOST_FUNCTIONS, MOST_SORTS = 4, 300
"""How many functions tell sorts of texts apart, and how many sorts there are of one function at most."""


class Inverses:
    """Arguments of calls; which sorts of texts there are for some functions is found out once."""

    def __init__(self) -> None:
        self._sorts: dict[tuple[Any, ...], list[str]] = {}

    def of(self, functions: Iterable[Any], takes: Callable[[str], bool], known: Iterable[str]) -> Iterator[str]:
        """Texts that a test takes: known ones and examples, one of each sort by what the functions say of them."""
        asked = tuple(itertools.islice(dict.fromkeys(functions), MOST_FUNCTIONS))
        if asked not in self._sorts:
            compiled = all(type(one).__name__.startswith(("builtin", "method_desc")) for one in asked)
            texts = itertools.chain(EXAMPLES, known, map(chr, ALL if compiled else ASCII))
            self._sorts[asked] = _one_of_each(asked, texts)
        return filter(takes, self._sorts[asked])


def _one_of_each(functions: tuple[Any, ...], texts: Iterable[str]) -> list[str]:
    """The first text of each sort; a function that tells nearly all texts apart says nothing."""
    found: dict[tuple[Any, ...], str] = {}
    for text in texts:
        found.setdefault(tuple(answered(one, text) for one in functions), text)
        if len(found) > MOST_SORTS:
            break
    return list(found.values())


def answered(function: Any, text: str) -> Any:
    """What a function gives for a text, None where it fails or gives what can't be compared."""
    try:
        answer = function(text)
    except Exception:
        return None
    return answer if isinstance(answer, (str, int, float, bytes)) else type(answer)
