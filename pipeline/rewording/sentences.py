"""Sentences of prose, and the first one as a clause that can stand within another: what the function is to do."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.rewording.drafts import Question
from pipeline.rewording.parts import Kind, Part
from pipeline.rewording.words import english, third_persons, verbs

_END = re.compile(r"[.!?][)\"'`]*(?=\s+[A-Z`\"'(_]|\s*\Z)")
_SHORT = re.compile(r"\b(?:e\.g|i\.e|cf|vs|etc|resp|approx|incl|fig|eq|no|[A-Z])\.$", re.IGNORECASE)
_ITEM = re.compile(r"\n\s*(?:[-*+•]|\d+[.)])\s")
_FINITE = re.compile(r"\b(?:is|are|was|were|has|have|does|do|can|may|must|will|should)\b")


@dataclass(frozen=True)
class Sentence:
    """A sentence and where it begins, the mark at its end included."""

    start: int
    text: str

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)


@dataclass(frozen=True)
class Clause:
    """How a first sentence begins, and what that becomes behind `to`: `Whether` becomes `say whether`."""

    sentence: Sentence
    before: str
    after: str


def sentences(part: Part) -> Iterator[Sentence]:
    """The sentences of a paragraph; of one with a list in it the whole is one."""
    text = part.text.rstrip()
    place = len(text) - len(text.lstrip())
    if _ITEM.search(text):
        yield Sentence(part.start + place, text[place:])
        return
    start = place
    for match in _END.finditer(text):
        if not _SHORT.search(text[: match.start() + 1]):
            yield Sentence(part.start + start, text[start : match.end()])
            start = match.end() + len(text[match.end() :]) - len(text[match.end() :].lstrip())
    if text[start:].strip():
        yield Sentence(part.start + start, text[start:])


def purpose(question: Question) -> Sentence | None:
    """The first sentence of the prose."""
    first = next(iter(question.parts.of(Kind.PROSE, "")), None)
    return next(sentences(first), None) if first is not None else None


def clause(question: Question) -> Clause | None:
    """The first sentence as a clause; None where it is none that can be put so."""
    sentence = purpose(question)
    match = re.match(r"([A-Z][a-z]+)(?=\s+(\w+))", sentence.text) if sentence else None
    if sentence is None or match is None or sentence.text.endswith(("?", "!")):
        return None
    word, following = match[1].lower(), match[2].lower()
    if word == "whether":
        return Clause(sentence, match[1], "say whether")
    if word in verbs() and following != "of":
        return Clause(sentence, match[1], word)
    base = third_persons().get(word)
    coordinated = re.search(r"\b(?:and|or|then|but)\s+[a-z]+s\b", sentence.text)
    if base and following != "of" and not coordinated:
        return Clause(sentence, match[1], base)
    if word in ("the", "a", "an") and following in english() and not _FINITE.search(sentence.text):
        return Clause(sentence, match[1], f"give {word}")
    return None
