"""Further strategies, which the paper has not: other letters, spaces and orders of words; off by default."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise
from random import Random

from harness.records import Edit
from pipeline.rewording.drafts import LESS, RULES, UNCHECKED, Draft, Question, Strategy
from pipeline.rewording.names import CAMEL, Renaming
from pipeline.rewording.protected import Word
from pipeline.rewording.typos import share


class NeighbourSwap:
    """Some words each in the place of the one beside it, as in hasty writing."""

    name = "neighbour_swap"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        pairs = [(one, two) for one, two in pairwise(question.words) if self._beside(question, one, two)]
        count = share(question.config.rate / 2, len(pairs))
        for number in range(2 * question.config.variants if count else 0):
            edits: list[Edit] = []
            used: set[int] = set()
            for one, two in _drawn(pairs, question.random(self.name, number)):
                if len(edits) < count and used.isdisjoint((one.start, two.start)):
                    used |= {one.start, two.start}
                    edits.append(Edit(one.start, f"{one.text} {two.text}", f"{two.text} {one.text}"))
            yield Draft(tuple(edits), meaning=RULES, rate=question.config.rate)

    def _beside(self, question: Question, one: Word, two: Word) -> bool:
        """Whether two words that may change stand side by side in one sentence, the first of which both are not."""
        return one.changes and two.changes and not one.first and question.text[one.end : two.start] == " " \
            and one.lower != two.lower


class ExtraSpace:
    """More than one space before some of the words."""

    name = "extra_space"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        words = [word for word in question.words if question.text[: word.start].endswith(" ") and word.previous]
        count = share(question.config.rate, len(words))
        for number in range(2 * question.config.variants if count else 0):
            random = question.random(self.name, number)
            edits = [Edit(word.start, "", " " * random.randint(1, 2)) for word in random.sample(words, count)]
            yield Draft(tuple(edits), meaning=RULES, rate=question.config.rate)


class Capitals:
    """Some of the words in capitals."""

    name = "capitals"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        count = share(question.config.rate, len(question.changing))
        for number in range(2 * question.config.variants if count else 0):
            words = question.random(self.name, number).sample(question.changing, count)
            edits = tuple(Edit(word.start, word.text, word.text.upper()) for word in words)
            yield Draft(edits, meaning=RULES, rate=question.config.rate)


class Scrambled:
    """All words of the prose in another order: a positive control, as hardly anything is told any more."""

    name = "scrambled"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        words = question.words
        for number in range(2 * question.config.variants if len(words) > 1 else 0):
            other = question.random(self.name, number).sample(words, len(words))
            edits = tuple(Edit(word.start, word.text, put.text) for word, put in zip(words, other, strict=True))
            yield Draft(edits, LESS, UNCHECKED, rate=1.0)


def _drawn(pairs: list[tuple[Word, Word]], random: Random) -> list[tuple[Word, Word]]:
    return random.sample(pairs, len(pairs))


EXTENDED: tuple[Strategy, ...] = (
    Renaming("camel_case", function=True, how=CAMEL), NeighbourSwap(), ExtraSpace(), Capitals(), Scrambled(),
)
