"""How alike two versions of a program are: CodeBLEU without data flow, cosine and Jaccard of their tokens."""

from __future__ import annotations

import ast
import keyword
import math
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from harness import bundle
from pipeline.transforms.preserving.chains import tokens

SHINGLE = 4
KEYWORD_WEIGHT = 5
"""How much a keyword counts in the weighted match, as in CodeBLEU."""


@dataclass(frozen=True)
class Likeness:
    """Three measures, 0 to 1. `bleu` is CodeBLEU of three parts: n-grams, weighted words, and subtrees."""

    bleu: float
    cosine: float
    jaccard: float
    NAMES: ClassVar[tuple[str, ...]] = ("bleu", "cosine", "jaccard")


def likeness(one: str, other: str) -> Likeness:
    """That of two programs, as they are shown."""
    first, second = _words(one), _words(other)
    return Likeness(
        round((_bleu(first, second) + _weighted(first, second) + _subtrees(one, other)) / 3, 4),
        round(_cosine(first, second), 4), round(jaccard(one, other), 4))


def jaccard(one: str, other: str) -> float:
    """The share of words that two programs have in common."""
    first, second = set(_words(one)), set(_words(other))
    return len(first & second) / len(first | second) if first | second else 1.0


def _modules(program: str) -> list[str]:
    main, modules = bundle.unpacked(program)
    return [*modules.values(), main]


def _words(program: str) -> list[str]:
    return [word for text in _modules(program) for word in tokens(text)]


def _runs(words: Sequence[str], length: int) -> Counter[tuple[str, ...]]:
    return Counter(tuple(words[start : start + length]) for start in range(len(words) - length + 1))


def _bleu(one: Sequence[str], other: Sequence[str]) -> float:
    """BLEU-4 of the second against the first, with one added to what counts of runs longer than a word."""
    total = 0.0
    for length in range(1, SHINGLE + 1):
        old, new = _runs(one, length), _runs(other, length)
        more = int(length > 1)
        share = (sum((old & new).values()) + more) / max(1, sum(new.values()) + more)
        total += math.log(share) if share else -math.inf
    short = min(0.0, 1 - len(one) / max(1, len(other)))
    return math.exp(short + total / SHINGLE)


def _weighted(one: Sequence[str], other: Sequence[str]) -> float:
    old, new = Counter(one), Counter(other)
    weight = {word: KEYWORD_WEIGHT if keyword.iskeyword(word) else 1 for word in new}
    every = sum(weight[word] * count for word, count in new.items())
    return sum(weight[word] * min(count, old[word]) for word, count in new.items()) / max(1, every)


def _subtrees(one: str, other: str) -> float:
    old, new = _shapes(one), _shapes(other)
    return sum((old & new).values()) / max(1, sum(new.values()))


def _shapes(program: str) -> Counter[str]:
    """The forms of all statements and expressions that hold others, names and constants left out."""
    found: Counter[str] = Counter()

    def shape(node: ast.AST) -> str:
        inner = [shape(child) for child in ast.iter_child_nodes(node) if not isinstance(child, ast.expr_context)]
        text = f"{type(node).__name__}({','.join(inner)})" if inner else type(node).__name__
        if inner:
            found[text] += 1
        return text

    for text in _modules(program):
        for statement in ast.parse(text).body:
            shape(statement)
    return found


def _cosine(one: Sequence[str], other: Sequence[str]) -> float:
    old, new = Counter(one), Counter(other)
    length = math.sqrt(sum(count**2 for count in old.values()) * sum(count**2 for count in new.values()))
    return sum(count * new[word] for word, count in old.items()) / length if length else 1.0
