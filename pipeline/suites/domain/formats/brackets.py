"""Texts with brackets and quotes, for bodies that go over a text sign by sign."""

from __future__ import annotations

from functools import cache
from random import Random

from pipeline.suites.domain.formats.words import WORDS
from pipeline.suites.rules import finds

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
