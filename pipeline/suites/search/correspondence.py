"""Input-to-state correspondence: where in an input a value that was seen at run time comes from, and what to put there.

An operand of a test is mostly a part of the input after some steps that have an inverse. Each step is tried on each
part; where it gives what was seen, its inverse of what is wanted takes the part's place. Running the function checks.
"""

from __future__ import annotations

import base64
import binascii
import itertools
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any
from urllib.parse import quote, unquote

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


MOST_PARTS = 40
"""How many parts of an input are looked at."""
DEEPEST = 5
"""How deep they lie."""
PLACES = 4
"""In how many places of a part the same value is replaced, one at a time."""
MAX_TEXT = 2000

Way = tuple[tuple[str, Any], ...]
"""The way to a part: under a key, a key itself, or at a place."""


@dataclass(frozen=True)
class Wish:
    """What was seen at a test, and what it should be instead."""

    seen: Any
    wanted: Any


@dataclass(frozen=True)
class Step:
    """What functions do to a text, with its inverse; either raises `ValueError` where it can't be done."""

    there: Callable[[str], str]
    back: Callable[[str], str]


def _hexed(text: str) -> str:
    return bytes.fromhex(text).decode("latin-1")


def _unbased(text: str) -> str:
    return base64.b64decode(text.encode() + b"=" * (-len(text) % 4), validate=True).decode("latin-1")


STEPS = (
    Step(str, str),
    Step(str.lower, str),
    Step(str.upper, str),
    Step(lambda text: text[::-1], lambda text: text[::-1]),
    Step(lambda text: text.replace("_", "-"), lambda text: text.replace("-", "_")),
    Step(_hexed, lambda text: text.encode("latin-1").hex()),
    Step(lambda text: text.encode().hex(), _hexed),
    Step(_unbased, lambda text: base64.b64encode(text.encode("latin-1")).decode()),
    Step(unquote, quote),
)


def parts(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """A value and what it holds, keys too, each with the way to it."""
    yield way, value
    if len(way) >= DEEPEST:
        return
    if isinstance(value, dict):
        for key, held in list(value.items()):
            if way:
                yield (*way, ("name", key)), key
            yield from parts(held, (*way, ("key", key)))
    elif isinstance(value, (list, tuple)):
        for place, held in enumerate(value):
            yield from parts(held, (*way, ("place", place)))


def with_part(value: Any, way: Way, new: Any) -> Any:
    """A copy of a value with another part at the end of the way; raises `TypeError` where such a part can't be."""
    if not way:
        return new
    (how, where), rest = way[0], way[1:]
    if how == "name":
        return type(value)({new if key == where else key: held for key, held in value.items()})
    if how == "key":
        return {**value, where: with_part(value[where], rest, new)}
    held = list(value)
    held[where] = with_part(held[where], rest, new)
    return held if isinstance(value, list) else type(value)(held)


def changes(value: dict[str, Any], wish: Wish) -> Iterator[dict[str, Any]]:
    """Inputs in which a part has become what would make what was seen what is wanted, the likely ones first."""
    for way, part in itertools.islice(parts(value), 1, MOST_PARTS):
        for new in itertools.islice(replacements(part, wish), 2 * PLACES):
            try:
                yield with_part(value, way, new)
            except TypeError:
                # What can't be hashed is no key.
                continue


def replacements(part: Any, wish: Wish) -> Iterator[Any]:
    """What may take the place of a part, none where what was seen does not seem to come from it."""
    seen, wanted = wish.seen, wish.wanted
    if isinstance(part, (bytes, bytearray)) and isinstance(seen, (str, bytes, bytearray)):
        for new in _texts(part.decode("latin-1"), _text(seen), _text(wanted)):
            yield type(part)(new.encode("latin-1", "replace"))
    elif isinstance(part, str) and len(part) <= MAX_TEXT and not _is_container(seen):
        yield from _texts(part, _text(seen), _text(wanted))
    elif type(part) in (int, float) and type(seen) in (int, float, str) and type(wanted) in (int, float, str):
        yield from _numbers(part, seen, wanted)
    elif _is_container(part) and type(part) is type(seen) and part == seen:
        yield wanted


def _is_container(value: Any) -> bool:
    return isinstance(value, (list, tuple, dict, set, frozenset))


def _text(value: Any) -> str:
    return value.decode("latin-1") if isinstance(value, (bytes, bytearray)) else str(value)


def _numbers(part: float, seen: Any, wanted: Any) -> Iterator[float]:
    if isinstance(seen, str) and isinstance(wanted, str):
        for new in _as_piece(str(part), seen, wanted):
            try:
                yield type(part)(new)
            except ValueError:
                continue
    elif part == seen and not isinstance(wanted, str):
        yield type(part)(wanted)


def _texts(part: str, seen: str, wanted: str) -> Iterator[str]:
    """Texts that take the place of one, whatever was done to it: steps with an inverse, pieces, what is around it."""
    known = set[str]()
    for new in itertools.chain(_by_steps(part, seen, wanted), _as_piece(part, seen, wanted)):
        if new != part and new not in known:
            known.add(new)
            yield new


def _by_steps(part: str, seen: str, wanted: str) -> Iterator[str]:
    for step in STEPS:
        try:
            after = step.there(part)
            if after == part and step is not STEPS[0]:
                continue
            for place in _found(after, seen):
                yield step.back(after[:place] + wanted + after[place + len(seen):])
        except (ValueError, binascii.Error, UnicodeError):
            continue


def _found(whole: str, piece: str) -> list[int]:
    """Where a piece is in a text: its first places and its last."""
    if not piece:
        return [0] if not whole else [0, len(whole)]
    found, place = list[int](), whole.find(piece)
    while place >= 0:
        found.append(place)
        place = whole.find(piece, place + 1)
    return found[: PLACES - 1] + found[PLACES - 1 :][-1:]


def _as_piece(part: str, seen: str, wanted: str) -> Iterator[str]:
    """Where the part is a piece of what was seen, or what was seen is left of it once some characters are gone."""
    if part and part in seen:
        before, _, after = seen.partition(part)
        if wanted.startswith(before) and wanted.endswith(after) and len(wanted) >= len(before) + len(after):
            yield wanted[len(before) : len(wanted) - len(after)]
    elif seen and (span := _spread(part, seen)) is not None:
        yield part[: span[0]] + wanted + part[span[1] :]


def _spread(whole: str, piece: str) -> tuple[int, int] | None:
    """From where to where the characters of a piece stand in a text, in their order."""
    rest, first = 0, -1
    for character in piece:
        place = whole.find(character, rest)
        if place < 0:
            return None
        first, rest = place if first < 0 else first, place + 1
    return first, rest


def entries(value: dict[str, Any], holder: Any, key: Any, made: Iterable[Any]) -> Iterator[dict[str, Any]]:
    """Inputs in which a container that was seen holds one thing more: a key with something, or an item."""
    for way, part in itertools.islice(parts(value), 1, MOST_PARTS):
        if type(part) is not type(holder) or not _is_container(part) or not (part == holder or not way[1:]):
            continue
        try:
            if isinstance(part, dict):
                for held in [*itertools.islice(part.values(), 2), *made]:
                    yield with_part(value, way, {**part, key: held})
            else:
                yield with_part(value, way, type(part)([*part, key]))
        except TypeError:
            continue
