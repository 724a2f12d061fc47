"""Wording variants of an instruction: three prompt levels, rephrasings (paraphrases), back-translations.

The levels are those of TaskEval (section 3.2): the purpose alone; the behaviour in plain words; the steps, with the
names that the original uses. Each wording passes the checks that instructions pass, keeps numbers and quoted texts, and
is kept only where the model finds that it asks for the same function.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from harness.records import Wording
from pipeline.config import LANGUAGES, InstructConfig
from pipeline.instruct.drafts import frame
from pipeline.instruct.source import docstring_of, local_names, signature
from pipeline.instruct.writers.model import Written, faults_of, form_faults, listed, tidy
from pipeline.languages.python.description import without_examples
from pipeline.languages.python.facts import Facts
from pipeline.languages.python.plain import plain
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import Prompt, render
from pipeline.llm.structured import Answer
from pipeline.records import Instruction

LEVELS = (1, 2, 3)
_NUMBER = re.compile(r"(?<![\w.])\d+(?:\.\d+)?(?![\w]|\.\d)")
_QUOTED = re.compile(r"`([^`\n]+)`|\"([^\"\n]+)\"|(?<!\w)'([^'\n]+)'(?!\w)")


class Translated(Answer):
    """A text in another language."""

    text: str


class Compared(Answer):
    """Whether a text asks for the same as another one, and where it does not."""

    same: bool
    difference: str


@dataclass(frozen=True)
class Rewriter:
    """Makes the wordings of one instruction that the configuration asks for."""

    config: InstructConfig
    desk: Desk
    instruction: Instruction
    facts: Facts

    def variants(self) -> Iterator[Wording]:
        """The wordings that passed all checks, in the order of levels."""
        original = self._prose()
        before = original
        for level in LEVELS if self.config.levels else ():
            text = self._level(level, before)
            if text is None:
                continue
            before = text
            yield self._variant("level", level, 0, "", text)
            for number in range(1, self.config.rephrasings + 1):
                other = self._rephrased(text, number)
                if other is not None:
                    yield self._variant("rephrasing", level, number, "", other)
        for language in self.config.languages:
            other = self._there_and_back(original, language)
            if other is not None:
                yield self._variant("translation", 0, 0, language, other)

    def _prose(self) -> str:
        """The docstring of the instruction without its examples."""
        return _without_headings(without_examples(docstring_of(self.instruction.text)))

    @property
    def _signature(self) -> str:
        return signature(self.facts, self.instruction.suite.candidate)

    def _level(self, level: int, before: str) -> str | None:
        prompt = render(
            f"level-{level}", code=plain(self.instruction.suite.candidate.program), signature=self._signature,
            text=before)
        return self._written(prompt, lambda text: self._level_faults(level, text, before))

    def _level_faults(self, level: int, text: str, before: str) -> tuple[str, ...]:
        if level == 1:
            return form_faults(text, self.facts, self.config)
        found = list(faults_of(text, self.instruction.suite, self.facts, self.config))
        if len(text.split()) <= len(before.split()):
            found.append("This level has to tell more than the text before.")
        named = sorted(local_names(self.facts) & set(re.findall(r"`([^`]+)`", text)))
        if level == 2 and named:
            found.append(f"This level speaks of no names inside the function: {', '.join(named)}.")
        return tuple(found)

    def _rephrased(self, text: str, number: int) -> str | None:
        prompt = render("rephrase", text=text, signature=self._signature, number=str(number))
        return self._written(prompt, lambda other: self._kept(text, other), seed=number)

    def _there_and_back(self, text: str, language: str) -> str | None:
        name, model = LANGUAGES[language], self.config.model
        there = self.desk.ask(model, render("translate", text=text, to=name, source="English"), Translated)
        if there is None:
            return None
        back = render("translate", text=there.text, to="English", source=name)
        found = self.desk.ask(model, back, Translated, lambda answer: listed(self._kept(text, tidy(answer.text))))
        other = None if found is None else tidy(found.text)
        return other if other is not None and self._same(text, other) else None

    def _written(self, prompt: Prompt, check: Callable[[str], Sequence[str]], seed: int = 0) -> str | None:
        """A text that passes a check and asks for the same as the instruction."""
        def objection(answer: Written) -> str:
            return listed(check(tidy(answer.docstring)))

        answer = self.desk.ask(self.config.model, prompt, Written, objection, seed)
        text = None if answer is None else tidy(answer.docstring)
        return text if text is not None and self._same(self._prose(), text) else None

    def _kept(self, text: str, other: str) -> tuple[str, ...]:
        """Whether a new wording has kept the numbers and quoted texts, and is one at all."""
        lost = [one for one in _fixed(text) if one not in other]
        added = sorted(set(_NUMBER.findall(other)) - set(_NUMBER.findall(text)))
        found = list(form_faults(other, self.facts, self.config))
        found += [f"These have to stay as they are: {', '.join(lost[:8])}."] if lost else []
        found += [f"These numbers are not in the text: {', '.join(added[:8])}."] if added else []
        found += ["It is the same text: say it in other words."] if other.split() == text.split() else []
        return tuple(found)

    def _same(self, text: str, other: str) -> bool:
        answer = self.desk.ask(self.config.model, render("same-meaning", one=text, other=other), Compared)
        return answer is not None and answer.same

    def _variant(self, kind: str, level: int, number: int, language: str, text: str) -> Wording:
        suite = self.instruction.suite
        draft = replace(frame(suite, self.facts, self.config, text), prose=text, shown="")
        author = f"llm:{self.desk.office.model(self.config.model).model}"
        return Wording(kind, level, number, language, draft.text, author)


def _fixed(text: str) -> list[str]:
    """The numbers and the quoted texts of a text, each once."""
    quoted = [next(filter(None, found)) for found in _QUOTED.findall(text)]
    return list(dict.fromkeys([*_NUMBER.findall(text), *quoted]))


def _without_headings(text: str) -> str:
    """A text without headings that had nothing but examples below them."""
    lines = re.sub(r"(?im)^ *(?:more )?examples?: *$", "", text)
    return re.sub(r"\n{3,}", "\n\n", lines).strip()
