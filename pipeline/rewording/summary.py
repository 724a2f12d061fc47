"""The description summarised: with what is visible told in words, as an outline, or shorter, down to its purpose.

Nothing is told that the question does not show already: what the body does, or further cases, would give it away.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator

from harness.records import Edit
from pipeline.rewording.drafts import LESS, RULES, SAME, Draft, Question
from pipeline.rewording.parts import Kind
from pipeline.rewording.sentences import purpose, sentences

LONGEST = 200
"""Characters of an example that is told in a sentence."""


class DescriptionSummary:
    """Elaborations first, those of a model before all if one is asked, then what is shorter."""

    name = "description_summary"

    def drafts(self, question: Question) -> Iterator[Draft]:
        """As `Strategy` says."""
        if question.writer is not None:
            yield from question.writer.summaries(question)
        longer: tuple[Callable[[Question], tuple[Edit, ...]], ...] = (_interface, _example, _both, _outline)
        shorter = (_purpose, _without_sections, _without_prose, _opening, _without_arguments, _without_both)
        for information, some in ((SAME, longer), (LESS, shorter)):
            for make in some:
                edits = make(question)
                if edits:
                    yield Draft(edits, information, RULES)


def _interface(question: Question) -> tuple[Edit, ...]:
    """The signature in words."""
    return _added(question, _signature_told(question))


def _example(question: Question) -> tuple[Edit, ...]:
    """The first example in words."""
    return _added(question, _example_told(question))


def _both(question: Question) -> tuple[Edit, ...]:
    told = [_signature_told(question), _example_told(question)]
    return _added(question, " ".join(told)) if all(told) else ()


def _signature_told(question: Question) -> str:
    function = question.function
    if function is None:
        return ""
    given = function.args
    named = [(one, one.annotation) for one in (*given.posonlyargs, *given.args, *given.kwonlyargs)]
    if not named or given.vararg or given.kwarg:
        return ""
    told = [f"`{one.arg}`{f' of type `{ast.unparse(kind)}`' if kind else ''}" for one, kind in named]
    listed = ", ".join(told[:-1]) + (" and " if told[:-1] else "") + told[-1]
    returned = f" and returns a value of type `{ast.unparse(function.returns)}`" if function.returns else ""
    count = "one argument" if len(named) == 1 else f"{len(named)} arguments"
    return f"The function takes {count}, {listed},{returned}.".replace(",.", ".")


def _example_told(question: Question) -> str:
    """A call and what it gives, the first that fits into a sentence."""
    for part, _ in question.examples.blocks:
        lines = [line.strip() for line in part.text.strip().splitlines()]
        if len(lines) == 2 and "`" not in part.text and len(part.text) <= LONGEST:
            called = lines[0].removeprefix(">>>").strip()
            if called.startswith(f"{question.task.entry_point}("):
                return f"For example, `{called}` gives `{lines[1]}`."
    return ""


def _added(question: Question, text: str) -> tuple[Edit, ...]:
    """A paragraph behind the prose."""
    prose = question.parts.of(Kind.PROSE, "")
    if not text or not prose or not question.parts.of(Kind.QUOTE):
        return ()
    last = prose[-1]
    margin = "    "
    if last.text.endswith("\n"):
        return (Edit(last.end, "", f"\n{margin}{text}\n"),)
    said = last.text.rstrip()
    return (Edit(last.start + len(said), last.text[len(said) :], f"\n\n{margin}{text}\n{margin}"),)


def _outline(question: Question) -> tuple[Edit, ...]:
    """What stands behind the purpose as numbered points, one for each paragraph."""
    rest = question.parts.of(Kind.PROSE, "")[1:]
    if len(rest) < 2 or any(re.search(r"(?m)^\s*(?:[-*+•]|\d+[.)])\s", part.text) for part in rest):
        return ()
    edits = []
    for number, part in enumerate(rest, 1):
        margin = part.text[: len(part.text) - len(part.text.lstrip())]
        lines = part.text.rstrip("\n").split("\n")
        told = [f"{margin}{number}. {lines[0].strip()}", *(f"   {line}" for line in lines[1:])]
        edits.append(Edit(part.start, part.text, "\n".join(told) + "\n" * part.text.endswith("\n")))
    return tuple(edits)


def _purpose(question: Question) -> tuple[Edit, ...]:
    """Nothing but the first sentence, and the examples."""
    return (*_without_prose(question), *_sections_gone(question))


def _without_sections(question: Question) -> tuple[Edit, ...]:
    """No sections but the examples."""
    return _sections_gone(question)


def _without_prose(question: Question) -> tuple[Edit, ...]:
    """Of the prose the first sentence alone."""
    first, prose = purpose(question), question.parts.of(Kind.PROSE, "")
    if first is None:
        return ()
    opening, rest = prose[0], prose[1:]
    edits = []
    if len(list(sentences(opening))) > 1:
        kept = len(opening.text.rstrip("\n"))
        edits.append(Edit(first.end, opening.text[first.end - opening.start : kept], ""))
    gone = [(part.start, part.end) for part in rest]
    return (*edits, *_gone(question, gone))


def _opening(question: Question) -> tuple[Edit, ...]:
    """Of the prose the first two paragraphs."""
    return _gone(question, [(part.start, part.end) for part in question.parts.of(Kind.PROSE, "")[2:]])


def _without_arguments(question: Question) -> tuple[Edit, ...]:
    """No section on the parameters."""
    return _sections_gone(question, ("", "examples", "returns", "raises", "notes", "details"))


def _without_both(question: Question) -> tuple[Edit, ...]:
    """The purpose, and what is returned."""
    return (*_without_prose(question), *_without_arguments(question))


def _sections_gone(question: Question, kept: tuple[str, ...] = ("", "examples")) -> tuple[Edit, ...]:
    gone = [
        (one.start, one.end) for one in question.parts.every
        if one.section not in kept and one.kind in (Kind.HEADING, Kind.ENTRY, Kind.CODE)]
    return _gone(question, gone)


def _gone(question: Question, spans: list[tuple[int, int]]) -> tuple[Edit, ...]:
    """Parts of the text left out, each with the blank line before it, if there is one."""
    edits = []
    for start, end in spans:
        blank = re.search(r"(?<=\n)[ \t]*\n\Z", question.text[:start])
        start -= len(blank[0]) if blank else 0
        edits.append(Edit(start, question.text[start:end], ""))
    return tuple(edits)
