"""Typos as people make them: letters left out, doubled or out of order, slips to the key beside; none is a word."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from math import ceil
from random import Random

from harness.records import Edit
from pipeline.rewording.drafts import RULES, Draft, Question
from pipeline.rewording.protected import Word
from pipeline.rewording.words import keyboard, real

SHORTEST = 4
"""Letters of a word of prose that may have a typo."""


def misspellings(word: str) -> list[str]:
    """A word with a letter left out, doubled, or with two of them in the other order; the first letter stays."""
    found = []
    for place in range(1, len(word)):
        found += [word[:place] + word[place + 1 :], word[:place] + word[place] + word[place:]]
        if place + 1 < len(word):
            found.append(word[:place] + word[place + 1] + word[place] + word[place + 2 :])
    return _unreal(word, found)


def slips(word: str) -> list[str]:
    """A word with a letter that lies beside the right one on the keyboard; the first letter stays."""
    found = []
    for place in range(1, len(word)):
        beside = keyboard().get(word[place].lower(), "")
        upper = word[place].isupper()
        found += [word[:place] + (one.upper() if upper else one) + word[place + 1 :] for one in beside]
    return _unreal(word, found)


def _unreal(word: str, found: list[str]) -> list[str]:
    """What is another text than the word, no word itself, and not too short to be recognised; in order, each once."""
    kept = dict.fromkeys(one for one in found if one != word and len(one) >= min(len(word), 3))
    return [one for one in kept if one.lower() not in real()]


class DescriptionTypo:
    """A share of the words of the prose with one typo each: in turn misspellings and slips."""

    name = "description_typo"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        eligible = [word for word in question.changing if len(word.text) >= SHORTEST]
        count = share(question.config.rate, len(eligible))
        half = ceil(question.config.variants / 2)
        kinds = [misspellings] * half + [slips] * half
        for number in range(4 * len(kinds) if count else 0):
            kind = kinds[number % len(kinds)]
            edits = typed(eligible, count, kind, question.random(self.name, number))
            if edits:
                yield Draft(edits, meaning=RULES, rate=question.config.rate)


def typed(words: list[Word], count: int, kind: Callable[[str], list[str]], random: Random) -> tuple[Edit, ...]:
    """So many of the words with a typo each."""
    edits: list[Edit] = []
    for word in random.sample(words, len(words)):
        options = kind(word.text)
        if options and len(edits) < count:
            edits.append(Edit(word.start, word.text, random.choice(options)))
    return tuple(edits)


def share(rate: float, count: int) -> int:
    """How many of so many things are a share of them: at least one, where there are any and the rate is not 0."""
    return min(count, max(1, round(rate * count))) if rate > 0 else 0
