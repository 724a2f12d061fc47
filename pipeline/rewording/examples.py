"""More examples, or fewer: cases that the question does not show yet, and the ones that it shows taken away."""

from __future__ import annotations

import re
import textwrap
from collections.abc import Collection, Iterator

from harness.records import Edit
from pipeline.records import Reason
from pipeline.rewording.drafts import LESS, MORE, Draft, Nothing, Question
from pipeline.rewording.parts import Kind, Part


class ExampleInsertion:
    """One further example, two, and so on, those first that teach the most beyond the shown ones."""

    name = "example_insertion"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        if not question.parts.of(Kind.QUOTE):
            raise Nothing(Reason.UNSUPPORTED_SYNTAX, "The question has no documentation that could show examples.")
        if not question.room:
            count = len(question.task.cases)
            raise Nothing(Reason.NO_CASE_TO_SCORE, f"Fewer than half of its {count} cases would be left to score.")
        some = question.examples.further[: min(question.room, question.config.variants)]
        for count in range(1, len(some) + 1):
            texts = [one.text for one in some[:count]]
            shown = sorted({*question.shown, *(one.number for one in some[:count])})
            yield Draft(inserted(question, texts), MORE, shown=tuple(shown))


def inserted(question: Question, texts: list[str]) -> tuple[Edit, ...]:
    """Examples behind the last one, or in a section of their own at the end."""
    opening, closing = question.parts.of(Kind.QUOTE)
    raw = opening.text.lower().startswith("r")
    body = question.text[opening.end : closing.start]
    escaped = not raw and any("\\" in text for text in texts)
    edits = []
    if escaped and "\\" not in body:
        edits.append(Edit(opening.start, opening.text, f"r{opening.text}"))
    elif escaped:
        texts = [text.replace("\\", "\\\\") for text in texts]
    shown = [one for one in question.parts.of(Kind.EXAMPLE) if one.section == "examples"]
    if shown:
        last = shown[-1]
        lines = "".join(f"\n{_indented(text, last)}\n" for text in texts)
        ended = "" if last.text.endswith("\n") else "\n"
        return (*edits, Edit(last.end, "", ended + lines))
    margin = "    "
    lines = "\n\n".join(textwrap.indent(text, 2 * margin) for text in texts)
    said = body.rstrip()
    before = body[len(said) :]
    place = opening.end + len(said)
    return (*edits, Edit(place, before, f"\n\n{margin}Examples:\n{lines}\n{margin}"))


def _indented(text: str, like: Part) -> str:
    margin = like.text[: len(like.text) - len(like.text.lstrip())]
    return textwrap.indent(text, margin)


class ExampleRemoval:
    """No examples at all; then, for the dose, the first one alone, two, and so on; then all but one of them."""

    name = "example_removal"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        blocks = question.examples.blocks
        if not blocks:
            raise Nothing(Reason.NO_WORD_TO_CHANGE, "The question shows no examples.")
        every = range(len(blocks))
        # Leaving out the last one is a dose already.
        for kept in (*map(range, every), *([other for other in every if other != one] for one in every[:-1])):
            shown = {number for place in kept for number in blocks[place][1]}
            yield Draft(removed(question, kept), LESS, shown=tuple(sorted(shown)))


def removed(question: Question, kept: Collection[int]) -> tuple[Edit, ...]:
    """All examples gone but some, by their places; where none is left, their heading goes with them."""
    every = question.parts.every
    gone = [one for place, (one, _) in enumerate(question.examples.blocks) if place not in kept]
    if not kept:
        headed = [one for one in question.parts.of(Kind.HEADING) if one.section == "examples"]
        others = [one for one in every if one.kind is Kind.CODE and one.section == "examples"]
        gone += headed if not others else []
    edits = []
    for part in sorted(gone, key=lambda one: one.start):
        before = question.text[: part.start]
        blank = re.search(r"\n[ \t]*\n\Z|\n\Z", before)
        gap = blank[0][1:] if blank and blank[0].count("\n") > 1 else ""
        edits.append(Edit(part.start - len(gap), gap + part.text, ""))
    return tuple(edits)
