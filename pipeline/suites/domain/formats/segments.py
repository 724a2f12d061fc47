"""Texts with a structure: brackets and quotes, and parts at fixed places, such as marks at the head of a file."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache
from random import Random

from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.rules import changes, finds

Segment = tuple[int, int, str | bytes]
"""Where a part begins and ends, and one constant that it is compared with."""
FURTHEST = 128
"""Places beyond which nothing is laid."""
OFTEN, SURE, SHORT = 0.6, 0.85, 0.2
"""How many bytes have their parts laid (texts half as often), how many of their parts, how many end early."""


@changes("texts: fixed places")
def laid(value: str, segments: Sequence[Segment], rng: Random) -> str:
    """The text, long enough, with one of its constants in each part, mostly."""
    found = [(start, stop, one) for start, stop, one in segments if isinstance(one, str)]
    last = max((stop for _, stop, _ in found), default=0) + rng.choice((0, 0, 0, 2, 5))
    value += "".join(rng.choice("01ab") for _ in range(last - len(value)))
    places = sorted({(start, stop) for start, stop, _ in found})
    if len(places) > 1 and rng.random() < SHORT:
        places = places[: rng.randrange(1, len(places))]
        value = value[: places[-1][1]]
    for place in places:
        if rng.random() < SURE:
            constant = rng.choice([one for start, stop, one in found if (start, stop) == place])
            value = value[: place[0]] + constant + value[place[1] :]
    return value


@changes("texts: fixed places")
def laid_in_bytes(data: bytes, segments: Sequence[Segment], rng: Random) -> bytes:
    """The same for bytes."""
    found = [(start, stop, one.decode("latin-1")) for start, stop, one in segments if isinstance(one, bytes)]
    return laid(data[:FURTHEST].decode("latin-1"), found, rng).encode("latin-1")


_BRACKETS = {"(": ")", "[": "]", "{": "}", "<": ">"}


@cache
@finds("drawing: brackets", tuple)
def opened(alphabet: tuple[str, ...]) -> tuple[str, ...]:
    """The pairs of brackets both halves of which the body asks for, and its quotes."""
    signs = set("".join(one for one in alphabet if len(one) <= 8))
    pairs = tuple(one + other for one, other in _BRACKETS.items() if one in signs and other in signs)
    return (*pairs, *(sign * 2 for sign in "\"'`" if sign in signs)) if pairs else ()


def bracketed(rng: Random, brackets: tuple[str, ...], alphabet: list[str], depth: int = 0) -> str:
    """Pieces between separators, some of them in brackets or quotes, and rarely with one bracket missing."""
    signs = [one for one in alphabet if len(one) == 1 and one in ",;|:&+"] or [",", " "]
    sign = rng.choice(signs) if depth else signs[0] if rng.random() < 0.8 else rng.choice(signs)
    pieces = []
    for _ in range(rng.choice((1, 2, 2, 3, 3, 4) if not depth else (0, 1, 2, 2))):
        piece = rng.choice(WORDS) if rng.random() < 0.8 else str(rng.randint(0, 99))
        if rng.random() < (0.5 if depth < 2 else 0.1):
            pair = rng.choice(brackets)
            inner = bracketed(rng, brackets, alphabet, depth + 1)
            if pair[0] == pair[1]:
                inner = inner.replace(pair[0], "")
            piece = rng.choice(("", piece, f"{piece}=")) + pair[0] + inner + (pair[1] if rng.random() < 0.95 else "")
        pieces.append(piece)
    return (sign + rng.choice(("", "", " "))).join(pieces)
