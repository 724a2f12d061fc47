"""Inputs that differ from a case in a small thing that a reader may overlook, as far as the contract allows them.

Letters in the other case, another blank, a sign beyond ASCII, an element or a line twice, a number one further.
"""

from __future__ import annotations

import ast
from collections.abc import Sequence
from random import Random
from typing import Any

from harness.languages import Call, Machine
from harness.records import Task
from harness.values import NotDecodable, NotEncodable, canonical, decode, encode
from pipeline.release.further import keeping
from pipeline.suites.selection.readings import SECONDS

COUNT = 3_000
"""How many changed inputs are tried; most of them break the contract where there is one."""
LONGEST = 6_000
"""Characters of a changed input."""
LONGEST_WORD = 20
_BLANKS = (" ", "  ", "\t", "\n", "\r\n", "\x0b", "\u00a0")
_SIGNS = (*_BLANKS, "\u00e9", "\u03a9", "\u0663", "\u00b2")


def near_misses(task: Task, seed: int, machine: Machine, count: int = COUNT) -> list[Call]:
    """Calls near the cases of a task that keep to its contract; none where it has no contract, as any would be."""
    if not task.contract:
        return []
    rng, words, calls = Random(seed), _words(task.program), dict[str, Call]()
    cases = [case for case in task.cases if case.args or case.kwargs]
    for _ in range(count if cases else 0):
        case = rng.choice(cases)
        try:
            args, kwargs = [decode(one) for one in case.args], {name: decode(one) for name, one in case.kwargs.items()}
            place = rng.choice([*range(len(args)), *kwargs])
            holder: Any = args if isinstance(place, int) else kwargs
            holder[place] = _changed(rng, holder[place], words)
            made = Call(tuple(map(encode, args)), {name: encode(one) for name, one in kwargs.items()}, SECONDS)
        except (NotDecodable, NotEncodable, TypeError, RecursionError):
            continue
        key = canonical([list(made.args), made.kwargs])
        if len(key) <= LONGEST:
            calls.setdefault(key, made)
    return keeping(task, list(calls.values()), machine)


def _words(program: str) -> list[str]:
    """The short texts of a program: what it looks for."""
    parts = [node.value for node in ast.walk(ast.parse(program)) if isinstance(node, ast.Constant)]
    return sorted({part for part in parts if isinstance(part, str) and 0 < len(part) <= LONGEST_WORD})


def _changed(rng: Random, value: Any, words: Sequence[str]) -> Any:
    """The value with one small change somewhere in it; itself where there is nothing to change."""
    match value:
        case bool():
            return not value
        case int():
            return rng.choice((value + 1, value - 1, -value, 2 * value, 0))
        case float():
            return rng.choice((value + 1, value - 1, -value, 2 * value, 0.0, float(round(value, 1))))
        case str():
            return _text(rng, value, words)
        case bytes():
            return _text(rng, value.decode("latin-1"), words).encode("latin-1", "replace")
        case list() | tuple() if value:
            return type(value)(_items(rng, list(value), words))
        case dict() if value:
            return _pairs(rng, value, words)
    return value


def _text(rng: Random, text: str, words: Sequence[str]) -> str:
    start = rng.randrange(len(text) + 1)
    stop = min(len(text), start + rng.choice((1, 1, 2, 4, 8)))
    before, part, behind = text[:start], text[start:stop], text[stop:]
    lines = text.split("\n")
    lines.insert(rng.randrange(len(lines) + 1), rng.choice(lines))
    ways = [
        before + part.swapcase() + behind, text.swapcase(), text.upper(), text.lower(), before + behind,
        before + part + part + behind, before + rng.choice(_SIGNS) + part + behind, rng.choice(_BLANKS) + text,
        text + rng.choice(_BLANKS), "\n".join(lines),
    ]
    if words:
        ways.append(before + rng.choice(words) + part + behind)
    if blanks := [place for place, sign in enumerate(text) if sign.isspace()]:
        place = rng.choice(blanks)
        ways.append(text[:place] + rng.choice(_BLANKS) + text[place + 1 :])
    return rng.choice(ways)


def _items(rng: Random, items: list[Any], words: Sequence[str]) -> list[Any]:
    place, other = rng.randrange(len(items)), rng.randrange(len(items))
    match rng.randrange(6):
        case 0:
            items.insert(other, items[place])
        case 1:
            del items[place]
        case 2:
            items[place], items[other] = items[other], items[place]
        case _:
            items[place] = _changed(rng, items[place], words)
    return items


def _pairs(rng: Random, pairs: dict[Any, Any], words: Sequence[str]) -> dict[Any, Any]:
    key, other = rng.choice(list(pairs)), rng.choice(list(pairs))
    match rng.randrange(6):
        case 0:
            return {one: value for one, value in pairs.items() if one != key}
        case 1:
            return pairs | {key: pairs[other]}
        case 2:
            renamed = _changed(rng, key, words)
            return {renamed if one == key else one: value for one, value in pairs.items()}
    return pairs | {key: _changed(rng, pairs[key], words)}
