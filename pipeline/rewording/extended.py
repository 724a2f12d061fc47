"""Further strategies, which the paper has not: other letters, spaces and orders of words; off by default."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import pairwise
from random import Random

from harness.records import Edit
from pipeline.rewording.drafts import LESS, RULES, UNCHECKED, Draft, Question, Strategy
from pipeline.rewording.inflection import BASE, THIRD, VERB, cased, forms
from pipeline.rewording.names import CAMEL, Renaming
from pipeline.rewording.protected import Word
from pipeline.rewording.sentences import clause
from pipeline.rewording.typos import SHORTEST, share
from pipeline.rewording.words import irregular


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


@dataclass(frozen=True)
class WordByWord:
    """A share of the words that it fits, each changed in one way."""

    name: str
    fits: Callable[[Question, Word], bool]
    change: Callable[[Word, Random], Edit]
    meaning: str = RULES

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        words = [word for word in question.words if self.fits(question, word)]
        count = share(question.config.rate, len(words))
        for number in range(2 * question.config.variants if count else 0):
            random = question.random(self.name, number)
            edits = tuple(self.change(word, random) for word in random.sample(words, count))
            yield Draft(edits, meaning=self.meaning, rate=question.config.rate)


def _changes(_question: Question, word: Word) -> bool:
    return word.changes


def _is_long(_question: Question, word: Word) -> bool:
    return word.changes and len(word.text) >= SHORTEST


def _is_small(*words: str) -> Callable[[Question, Word], bool]:
    """Whether a word is one of these within a sentence, with a space behind it."""
    return lambda question, word: not word.first and word.lower in words and question.text[word.end :][:1] == " "


def _capital(word: Word, _random: Random) -> Edit:
    return Edit(word.start, word.text, word.text.upper())


def _twice(word: Word, _random: Random) -> Edit:
    return Edit(word.end, "", f" {word.text}")


def _drawn_out(word: Word, random: Random) -> Edit:
    """Two more of one letter: no word has three in a row."""
    place = random.randrange(1, len(word.text))
    return Edit(word.start, word.text, word.text[:place] + 2 * word.text[place] + word.text[place:])


def _lost(word: Word, _random: Random) -> Edit:
    return Edit(word.start, f"{word.text} ", "")


@dataclass(frozen=True)
class VerbForm:
    """The verb that the description begins with in other forms."""

    name: str
    told: tuple[str, ...]

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says; `{base}` and the like in a text of `told` stand for forms of the verb."""
        found = clause(question)
        known = forms(found.after.split()[0], VERB, irregular()) if found else {}
        if found and found.before.lower() in (known[BASE], known[THIRD]):
            for text in self.told:
                told = cased(text.format(**known), found.before)
                yield Draft((Edit(found.sentence.start, found.before, told),), meaning=RULES)


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
    Renaming("camel_case", function=True, how=CAMEL), NeighbourSwap(), ExtraSpace(),
    WordByWord("capitals", _changes, _capital), WordByWord("repeated_word", _changes, _twice),
    WordByWord("repeated_letter", _is_long, _drawn_out),
    WordByWord("lost_determiner", _is_small("a", "an", "the"), _lost),
    WordByWord(
        "lost_preposition", _is_small("at", "by", "for", "from", "in", "of", "on", "to", "with"), _lost, UNCHECKED),
    VerbForm("tense", ("{past}", "will {base}", "{ing}")), VerbForm("person", ("{third}", "{base}", "it {third}")),
    Scrambled(),
)
