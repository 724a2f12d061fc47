"""A language model that puts descriptions otherwise: its texts are checked by rules, then by itself against the first.

What is code or a name, a number or a quoted text, and what the program compares with, has to stay; examples, sections
and the signature are not its business. Only a text that is found to ask for the same function is a variant.
"""

from __future__ import annotations

import inspect
import re
import textwrap
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from harness.records import Edit
from pipeline.instruct.wordings.variants import Compared, Translated
from pipeline.instruct.writers.model import Written, listed, tidy
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import render
from pipeline.rewording.drafts import SAME, Draft, Question
from pipeline.rewording.parts import Kind, Part
from pipeline.rewording.protected import literal_words, signature_names

LONGEST = 4
"""A description in other words has at most so many times the characters of the first."""
SUMMARIES = 3
"""How many outlines of a description are asked for."""
THROUGH = "German", "French", "Spanish", "Chinese"
"""The languages that a description goes through, in turn."""
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?!\w|\.\d)")
_QUOTED = re.compile(r"``[^`\n]+``|`[^`\n]+`|\"[^\"\n]+\"|(?<!\w)'[^'\n]+'(?!\w)")
_WORD = re.compile(r"[^\W\d]\w*")
_NO_PROSE = re.compile(
    r"```|>>>|\"\"\"|'''|\\|^\s*(?:(?:def|class) \w+ *[(:]|import \w+$|from \w+ import )|[\x00-\x08\x0b-\x1f\x7f]",
    re.MULTILINE)


@dataclass(frozen=True)
class ModelWriter:
    """Writes by the model of that name in the configuration; `desk` is where one task's questions are asked."""

    name: str
    desk: Desk

    def paraphrases(self, question: Question) -> Iterator[Draft]:
        """The description in other words, as often as variants are wanted."""
        yield from self._drafts(question, partial(self._written, "rephrase"), question.config.variants)

    def summaries(self, question: Question) -> Iterator[Draft]:
        """All that the description says as an outline."""
        count = min(SUMMARIES, question.config.variants)
        yield from self._drafts(question, partial(self._written, "outline"), count)

    def roundtrips(self, question: Question) -> Iterator[Draft]:
        """The description translated and back again, by another language each time."""
        yield from self._drafts(question, self._there_and_back, question.config.variants)

    def _drafts(self, question: Question, write: Callable[[Question, str, int], str], count: int) -> Iterator[Draft]:
        parts = _prose(question)
        if not parts:
            return
        model = self.desk.office.model(self.name).model
        start, said = parts[0].start, question.text[parts[0].start : parts[-1].end]
        kept = said.rstrip()
        first = inspect.cleandoc(kept)
        for number in range(1, count + 1):
            other = write(question, first, number)
            if other and self._is_same(first, other):
                told = textwrap.indent(other, "    ").lstrip()
                yield Draft((Edit(start, kept, told),), SAME, f"checked:{model}", author=f"llm:{model}")

    def _written(self, prompt: str, question: Question, text: str, number: int) -> str:
        """A text that has no faults, "" where the model has none."""
        def objection(answer: Written) -> str:
            return listed(faults(question, text, tidy(answer.docstring)))

        asked = render(prompt, text=text, signature=question.task.signature, number=str(number))
        answer = self.desk.ask(self.name, asked, Written, objection, number)
        return "" if answer is None else tidy(answer.docstring)

    def _there_and_back(self, question: Question, text: str, number: int) -> str:
        """What comes back of a text without faults, "" where nothing does; of the same language later on another text.
        """
        again, place = divmod(number - 1, len(THROUGH))
        language = THROUGH[place]

        def untouched(answer: Translated) -> str:
            return f"- It is the same text: translate it to {language}." if answer.text.split() == text.split() else ""

        def objection(answer: Translated) -> str:
            return listed(faults(question, text, tidy(answer.text)))

        asked = render("translate", text=text, to=language, source="English")
        there = self.desk.ask(self.name, asked, Translated, untouched, again)
        if there is None:
            return ""
        asked = render("translate", text=there.text, to="English", source=language)
        back = self.desk.ask(self.name, asked, Translated, objection, again)
        return "" if back is None else tidy(back.text)

    def _is_same(self, text: str, other: str) -> bool:
        """Whether the model finds that both ask for the same function."""
        same = self.desk.ask(self.name, render("same-meaning", one=text, other=other), Compared)
        return same is not None and same.same


def faults(question: Question, text: str, other: str) -> Sequence[str]:
    """What is wrong with a description in other words, as sentences for who wrote it."""
    if not other or len(other) > LONGEST * len(text) + 200:
        return (f"It must have some words, and at most {LONGEST} times as many as the text.",)
    if _NO_PROSE.search(other):
        return ("Write prose alone: no code, no examples, no fences, no backslashes.",)
    names = signature_names(question.parts) - {question.task.entry_point} | literal_words(question.task.program)
    fixed = [*_NUMBER.findall(text), *_QUOTED.findall(text), *(word for word in _WORD.findall(text) if word in names)]
    lost = [one for one in dict.fromkeys(fixed) if one not in other]
    told = dict.fromkeys([*_NUMBER.findall(other), *_QUOTED.findall(other)])
    added = [one for one in told if one.strip("`\"'") not in text]
    found = [f"These have to stay as they are: {', '.join(lost[:8])}."] if lost else []
    found += [f"These are not in the text: {', '.join(added[:8])}."] if added else []
    found += ["It is the same text: say it in other words."] if other.split() == text.split() else []
    return found


def _prose(question: Question) -> tuple[Part, ...]:
    """The paragraphs before all sections, () where anything else stands between them."""
    prose = question.parts.of(Kind.PROSE, "")
    between = [
        one for one in question.parts.every if prose and prose[0].start <= one.start < prose[-1].end
        and one.kind not in (Kind.PROSE, Kind.GAP)]
    return () if between or not question.parts.of(Kind.QUOTE) else prose
