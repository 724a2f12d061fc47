"""What prose promises of a parameter: sorted, positive, between 0 and 1, one of a few, of some shape or typing."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from dataclasses import replace

from pipeline.suites.domain.spec import (
    Array,
    Choice,
    Either,
    Fixed,
    Items,
    Real,
    Spec,
    Text,
    Whole,
    either,
)
from pipeline.suites.inference.evidence.array_prose import NUMBERS, lengths_in_words
from pipeline.suites.rules import changes


def _words(*alternatives: str) -> re.Pattern[str]:
    return re.compile("|".join(alternatives), re.IGNORECASE | re.DOTALL)


_NUMBER = r"(-?\d+(?:\.\d+)?)"
_RANGES = (
    _words(rf"\b(?:between|from|range)\s+`*{_NUMBER}`*\s+(?:and|to)\s+`*{_NUMBER}\b"),
    _words(rf"\b(?:in|within|range|interval|values?)\b[^.;]{{0,20}}?[\[(]\s*{_NUMBER}\s*,\s*{_NUMBER}\s*[\])]"),
    _words(rf"{_NUMBER}\s*(?:<=|≤)\s*\w+\s*(?:<=|≤)\s*{_NUMBER}"),
    _words(rf"[(\[]\s*{_NUMBER}\s*(?:-|–|\.\.|to)\s*{_NUMBER}\s*[)\]]"),
)
_SORTED = _words(
    r"(?<!to be )(?<!will be )(?<!not )(?<!un)\b(?:sorted|ascending|increasing|chronological)\b(?! in place)"
)
_UNSORTED = _words(r"\b(?:descending|decreasing|reverse|whether|if true|sorted by key|unsorted|to sort)\b")
_FILLED = _words(r"\b(?:non-?empty|at least one|(?:must|can|should)(?: ?not|n't) be empty)\b")
_NATURAL = _words("non-?negative", "zero or (?:a )?positive", ">= ?0", "≥ ?0", r"\bunsigned", r"\bnot negative",
                  r"\bin\s+[\[(]\s*0\s*,\s*[a-z_]\w*\s*[\])]")
_POSITIVE = _words(r"(?<!non-)(?<!true )(?<!false )\bpositive\b(?! or negative)", r"> ?0\b", r">= ?1\b")
_SIGNED = _words(r"(?<!non-)(?<!non)\bnegative\b(?! values are)")
_AMOUNTS = _words(r"\bin (?:milli|micro)?(?:seconds?|minutes|hours|bytes|pixels)\b", r"\b(?:seconds|bytes)\b")
_SHARE = _words(r"\b(?:probability|probabilities|proportion|fraction of)\b")
_PERCENT = _words(r"\bpercent(?:age)?s?\b")
_POWER = _words(r"\bpowers? of (?:two|2)\b")
_CHOICES = _words(r"\b(?:one of|either|(?:options|choices|allowed values)(?: are)?|supported(?: values)?)\b:?(.*)")
_QUOTED = _words(r"'([^'\n]{1,30})'|\"([^\"\n]{1,30})\"")
_DIMENSIONS = _words(r"\b(?:([1-5])-?d\b|(one|two|three|four|five)-dimensional)")


def constrained(spec: Spec, words: str) -> Spec:
    """The specification within what the words about it promise; words that promise nothing leave it as it is."""
    for rule in (_chosen, _shaped, _bounded, _arranged):
        spec = rule(spec, words)
    return spec


def _through(spec: Spec, kinds: tuple[type[Spec], ...], change: Callable[[Spec], Spec], deep: bool = False) -> Spec:
    """The specification with those parts of it changed that are of the kinds, and if `deep` those of its items too."""
    if isinstance(spec, kinds):
        return change(spec)
    if isinstance(spec, Either):
        return either([_through(option, kinds, change, deep) for option in spec.options], list(spec.rare))
    if isinstance(spec, Items) and deep:
        return replace(spec, item=_through(spec.item, kinds, change, deep))
    if isinstance(spec, Fixed) and deep:
        return replace(spec, items=tuple(_through(item, kinds, change, deep) for item in spec.items))
    return spec


# ranges of numbers


@changes("words: bounds")
def _bounded(spec: Spec, words: str) -> Spec:
    if _POWER.search(words):
        powers = Either((Choice((1, 2, 4, 8, 16, 32, 64, 256, 1024)),), (Whole(0, 100),))
        return _through(spec, (Whole,), lambda _: powers)
    low, high = _range(words)
    if low is None and high is None:
        return spec

    def narrow(part: Spec) -> Spec:
        assert isinstance(part, (Whole, Real))
        # What only a name suggests gives way to words.
        bottom = part.low if part.low is not None and not (part.soft and low is not None) else low
        top = part.high if part.high is not None and not (part.soft and high is not None) else high
        if bottom is not None and top is not None and bottom > top:
            return part
        if isinstance(part, Whole):
            return replace(part, low=_whole(bottom), high=_whole(top), soft=True)
        exact = 0.01 if bottom == 1 and high is None else bottom
        return replace(part, low=_real(exact), high=_real(top), soft=True)

    return _through(spec, (Whole, Real), narrow, deep=True)


def _whole(value: float | None) -> int | None:
    return None if value is None else int(value)


def _real(value: float | None) -> float | None:
    return None if value is None else float(value)


def _range(words: str) -> tuple[float | None, float | None]:
    for pattern in _RANGES:
        found = pattern.search(words)
        if found and float(found.group(1)) < float(found.group(2)):
            return float(found.group(1)), float(found.group(2))
    if _SHARE.search(words):
        return 0.0, 1.0
    if _PERCENT.search(words):
        return 0.0, 100.0
    if _NATURAL.search(words) or _AMOUNTS.search(words):
        return 0.0, None
    return (1.0, None) if _POSITIVE.search(words) and not _SIGNED.search(words) else (None, None)


# containers


@changes("words: order")
def _arranged(spec: Spec, words: str) -> Spec:
    ordered = bool(_SORTED.search(words)) and not _UNSORTED.search(words)
    filled = bool(_FILLED.search(words))
    if not (ordered or filled):
        return spec

    def promise(part: Spec) -> Spec:
        assert isinstance(part, Items)
        fewest = max(part.fewest, 1 if filled else 0)
        return replace(part, ordered=part.ordered or ordered, fewest=fewest)

    return _through(spec, (Items,), promise)


# a few values, arrays


@changes("words: choices")
def _chosen(spec: Spec, words: str) -> Spec:
    found = _CHOICES.search(words)
    named = [one or other for one, other in _QUOTED.findall(found.group(1))] if found else []
    if len(named) < 2:
        return spec
    values = tuple(dict.fromkeys(named))

    def close(part: Spec) -> Spec:
        assert isinstance(part, Text)
        return replace(part, constants=values, closed=True)

    return _through(spec, (Text,), close)


@changes("words: shapes")
def _shaped(spec: Spec, words: str) -> Spec:
    dimensions = _DIMENSIONS.search(words)
    shape = lengths_in_words(words)
    count = len(shape)
    if dimensions and not count:
        count = int(dimensions.group(1) or NUMBERS[dimensions.group(2).lower()])
    if not 0 < count < 5:
        return spec

    def shape_it(part: Spec) -> Spec:
        assert isinstance(part, Array)
        return part if part.shape else replace(part, dims=count, shape=shape)

    return _through(spec, (Array,), shape_it)


def literal(text: str) -> object:
    """The value that a text spells as Python; raises `ValueError`."""
    try:
        return ast.literal_eval(text.strip())
    except (SyntaxError, TypeError, MemoryError, RecursionError) as error:
        raise ValueError(text) from error
