"""The description paraphrased by templates: the purpose as a wish, a question, a need; its details in another form."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping

from harness.records import Edit
from pipeline.rewording.drafts import RULES, Draft, Question
from pipeline.rewording.inflection import cased
from pipeline.rewording.layouts import fields, numpy, running
from pipeline.rewording.parts import Kind
from pipeline.rewording.sentences import Clause, clause
from pipeline.rewording.words import contractions

Template = Callable[[Question], tuple[Edit, ...]]
"""What a template changes, () where it does not apply."""


class DescriptionParaphrase:
    """What a model has written, if one is asked; then one variant for each template that applies."""

    name = "description_paraphrase"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        if question.writer is not None:
            yield from question.writer.paraphrases(question)
        for template in TEMPLATES.values():
            edits = template(question)
            if edits:
                yield Draft(edits, meaning=RULES)


def _beginning(words: str) -> Template:
    """The purpose behind some words."""

    def template(question: Question) -> tuple[Edit, ...]:
        found = clause(question)
        return (Edit(found.sentence.start, found.before, f"{words} {found.after}"),) if found else ()

    return template


def _question(question: Question) -> tuple[Edit, ...]:
    found = clause(question)
    if found is None or re.search(r"[;:?]|\.\S", found.sentence.text.rstrip(".")):
        return ()
    text = found.sentence.text
    ended = len(text.rstrip(".")) if text.endswith(".") else len(text)
    asked = Edit(found.sentence.start + ended, text[ended:], "?")
    return (Edit(found.sentence.start, found.before, f"Can you write a function to {found.after}"), asked)


def _given(question: Question) -> tuple[Edit, ...]:
    found, names = clause(question), [f"`{name}`" for name in question.parameters]
    if found is None or not names:
        return ()
    listed = ", ".join(names[:-1]) + (" and " if names[:-1] else "") + names[-1]
    return (Edit(found.sentence.start, found.before, f"Given {listed}, {found.after}"),)


def _last(question: Question) -> tuple[Edit, ...]:
    """The purpose at the end of the description, in place of its beginning."""
    found, prose = clause(question), question.parts.of(Kind.PROSE, "")
    if found is None or found.sentence.text.endswith(":") or len(prose) < 2:
        return ()
    text, end = _sentence(found, "In short, the function should"), prose[-1].end
    ending = "\n" if prose[-1].text.endswith("\n") else ""
    margin = re.match(r"[ \t]*", prose[-1].text)
    return (Edit(end, "", f"{'' if ending else chr(10)}\n{margin[0] if margin else ''}{text}{ending}"),)


def _sentence(found: Clause, words: str) -> str:
    text = f"{words} {found.after}{found.sentence.text[len(found.before) :]}"
    return text if text.endswith((".", "!")) else f"{text}."


def _shuffled(question: Question) -> tuple[Edit, ...]:
    """The details in the opposite order, where they say that they are in no particular one."""
    headings = [one for one in question.parts.of(Kind.HEADING) if "no particular order" in one.text]
    items = question.parts.of(Kind.ENTRY, "details")
    if not headings or len(items) < 2 or not all(one.text.lstrip().startswith("-") for one in items):
        return ()
    return tuple(Edit(old.start, old.text, new.text) for old, new in zip(items, reversed(items), strict=True))


def _contracted(question: Question) -> tuple[Edit, ...]:
    """`don't` in place of `do not`."""
    edits = []
    short: Mapping[str, str] = contractions()
    for first, second in zip(question.words, question.words[1:], strict=False):
        between = question.text[first.end : second.start]
        found = short.get(f"{first.lower} {second.lower}") if between == " " else None
        if found:
            edits.append(Edit(first.start, question.text[first.start : second.end], cased(found, first.text)))
    edits += [
        Edit(word.start, word.text, cased(short[word.lower], word.text)) for word in question.words
        if word.lower in short]
    return tuple(edits)


def _plain(question: Question) -> tuple[Edit, ...]:
    """`do not` in place of `don't`."""
    long = {short: told for told, short in contractions().items()}
    words = [word for word in question.words if word.lower in long]
    return tuple(Edit(word.start, word.text, cased(long[word.lower], word.text)) for word in words)


TEMPLATES: Mapping[str, Template] = {
    "wish": _beginning("The function should"),
    "order": _beginning("Write a function to"),
    "question": _question,
    "need": _beginning("A function is needed to"),
    "polite": _beginning("Please write a function to"),
    "given": _given,
    "last": _last,
    "running": running,
    "numpy": numpy,
    "fields": fields,
    "shuffled": _shuffled,
    "contracted": _contracted,
    "plain": _plain,
}
