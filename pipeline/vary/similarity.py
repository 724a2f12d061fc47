"""How far a variant is from its origin, by the tokens of both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

from pipeline.transforms.preserving.chains import tokens

SHINGLE, RUN = 5, 10
"""Tokens of a shingle, and of the run by which decontamination finds a text again (Dynamic Benchmarking, 2.1)."""


@dataclass(frozen=True)
class Similarity:
    """`bleu` is BLEU-4 (0 to 100), `edit` distance as a share of the longer one, `shingles` what is left of them."""

    bleu: float
    edit: float
    shingles: float
    ten_gram: bool


def similarity(origin: str, variant: str) -> Similarity:
    """That of two programs."""
    before, after = tokens(origin), tokens(variant)
    old, new = Counter(_runs(before, SHINGLE)), Counter(_runs(after, SHINGLE))
    left = sum((old & new).values()) / max(1, sum(old.values()))
    shared = bool(set(_runs(before, RUN)) & set(_runs(after, RUN)))
    bleu = _bleu().sentence_score(" ".join(_joined(after)), [" ".join(_joined(before))]).score
    return Similarity(round(bleu, 2), round(_distance(before, after), 4), round(left, 4), shared)


def _runs(words: Sequence[str], length: int) -> list[tuple[str, ...]]:
    return [tuple(words[start : start + length]) for start in range(len(words) - length + 1)]


def _joined(words: Sequence[str]) -> list[str]:
    """Tokens without the spaces that some hold, at which BLEU would cut them."""
    return ["".join(word.split()) or "_" for word in words]


@cache
def _bleu() -> Any:
    """BLEU over tokens as they are; its import takes a while."""
    from sacrebleu.metrics.bleu import BLEU

    return BLEU(tokenize="none", effective_order=True)


def _distance(old: Sequence[str], new: Sequence[str]) -> float:
    """Levenshtein's, in tokens, as a share of the longer text.

    A column of the table is two bit vectors, the steps up and down (Myers 1999, in the form of Hyyrö 2003).
    """
    if not (old and new):
        return float(len(old) != len(new))
    places: dict[str, int] = {}
    for place, word in enumerate(old):
        places[word] = places.get(word, 0) | 1 << place
    full, last = (1 << len(old)) - 1, 1 << (len(old) - 1)
    up, down, distance = full, 0, len(old)
    for word in new:
        equal = places.get(word, 0)
        across = ((equal & up) + up ^ up) | equal
        right, left = down | ~(across | up) & full, up & across
        distance += bool(right & last) - bool(left & last)
        right, left = right << 1 | 1, left << 1
        upright = equal | down
        up, down = (left | ~(upright | right)) & full, right & upright & full
    return distance / max(len(old), len(new))
