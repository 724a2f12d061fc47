"""Words, phrases and numbers as texts, and plain values."""

from __future__ import annotations

import re
from random import Random
from typing import Any

from pipeline.suites.rules import finds

WORDS = tuple(
    "hello world foo bar alpha beta data value name item test apple banana red blue user key node left right one two "
    "three first last quick brown fox the a of and Monday Paris Ada Python HTTP config total x y id main".split()
)


def words(rng: Random) -> str:
    """A word, a phrase or a sentence, or a few words in one of the usual notations of names."""
    style = rng.randrange(16)
    if style < 5:
        return rng.choice(WORDS)
    if style < 9:
        return _phrase(rng)
    chosen = rng.sample(WORDS, rng.choice((1, 2, 2, 3)))
    if style == 9:
        return "_".join(chosen).lower()
    if style == 10:
        return "-".join(chosen)
    if style == 11:
        return "".join(word.capitalize() for word in chosen)
    if style == 12:
        return chosen[0].lower() + "".join(word.capitalize() for word in chosen[1:])
    if style == 13:
        return chosen[0].lower() + rng.choice(("", "_", " ", "-")) + str(rng.randint(0, 99))
    text = " ".join(chosen)
    return text.upper() if style == 14 else rng.choice((text, text.title(), f"  {text}", f"{text}  "))


PHRASES = (
    "hello world", "Hello, World!", "The quick brown fox jumps over the lazy dog.", "to be or not to be", "New York",
    "red green blue", "one two three", "first name, last name", "It costs $5.00 (or 4 for $18)",
    "Error: file not found", "see chapter 2", "a b c", "item 1 of 10", "yes/no", "What is this?", "Don't panic",
    "user@example.com wrote:", "good morning, Ada", "the end.", "100% sure",
)  # fmt: skip


def _phrase(rng: Random) -> str:
    """A phrase, whole, or the first words of it, or two in a row."""
    made = rng.choice(PHRASES)
    roll = rng.random()
    if roll < 0.25:
        parts = made.split()
        return " ".join(parts[: rng.randint(1, len(parts))])
    if roll < 0.35:
        return f"{made} {rng.choice(PHRASES)}"
    return made.upper() if roll > 0.95 else made


def integer(rng: Random) -> str:
    """A whole number as a text."""
    return rng.choice(("", "", "", "-", "+")) + str(rng.randint(0, rng.choice((9, 99, 5000))))


def number(rng: Random) -> str:
    """A number as a text: whole, with a fraction, with an exponent."""
    return rng.choice((
        integer(rng), f"{rng.uniform(-100, 100):.2f}", f"{rng.uniform(0, 1):.3f}",
        f"{rng.randint(1, 9)}e{rng.randint(-5, 5)}", f"{rng.randint(1, 999)},{rng.randint(100, 999)}",
        f"{rng.randint(0, 99)}%", "0", "1.0",
    ))  # fmt: skip


def value(rng: Random, depth: int = 2) -> Any:
    """A value that JSON can hold."""
    kind = rng.randrange(8 if depth else 6)
    if kind == 6:
        return [value(rng, depth - 1) for _ in range(rng.randint(0, 3))]
    if kind == 7:
        return {rng.choice(WORDS): value(rng, depth - 1) for _ in range(rng.randint(0, 3))}
    return (rng.randint(-5, 100), rng.choice(WORDS), round(rng.uniform(-5, 5), 2), rng.random() < 0.5, None, "")[kind]


_LOW = ("start", "start", "earliest", "low", "lo", "min", "minimum", "begin", "lower", "since")


_HIGH = ("end", "stop", "latest", "high", "hi", "max", "maximum", "end", "upper", "until")


@finds("names: pairs", list)
def paired_names(names: list[str]) -> list[tuple[str, str]]:
    """Pairs of parameters whose names say that the first is the lower bound and the second the upper one."""
    pairs = []
    for low, high in zip(_LOW, _HIGH, strict=True):
        for name in names:
            parts = name.split("_")
            other = "_".join(high if part == low else part for part in parts)
            if low in parts and other in names:
                pairs.append((name, other))
    corners = [(name, name[:-1] + "2") for name in names if re.fullmatch(r"[a-z]_?1", name)]
    return pairs + [pair for pair in corners if pair[1] in names]
