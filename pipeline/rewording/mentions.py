"""Where an instruction speaks of its function or a parameter by name: signature, prose, sections, examples."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator

from harness.records import Edit
from pipeline.rewording.drafts import Question
from pipeline.rewording.parts import Kind, Part
from pipeline.rewording.words import english

_QUOTED = r"\"(?:\\.|[^\"\\\n])*\"|'(?:\\.|[^'\\\n])*'"
_CODE = re.compile(r"``.+?``|`[^`]+`", re.DOTALL)
_SPOKEN_QUOTE = re.compile(r"\"[^\"]*\"|“[^”]*”|(?<!\w)'[^'\n]{0,80}'(?!\w)")


def renamed(question: Question, old: str, new: str) -> tuple[Edit, ...]:
    """The changes of an instruction by which its function, or a parameter, is called otherwise.

    A name that is an English word too counts as the name where it is marked as code, called, or heads an entry; in
    quotes and in what a case gives nothing is a name.
    """
    function = old == question.task.entry_point
    places = {place for part in question.parts.every for place in _places(part, old, function)}
    return tuple(Edit(place, old, new) for place in sorted(places))


def renamed_signature(signature: str, old: str, new: str, function: bool) -> str:
    """A signature with another name."""
    for place in sorted(_in_signature(signature, old, function), reverse=True):
        signature = signature[:place] + new + signature[place + len(old) :]
    return signature


def _places(part: Part, name: str, function: bool) -> Iterator[int]:
    if part.kind is Kind.SIGNATURE:
        found = _in_signature(part.text, name, function)
    elif part.kind is Kind.EXAMPLE:
        found = _in_examples(part.text, name, function)
    elif part.spoken:
        found = _in_prose(part, name)
    else:
        found = iter(())
    for place in found:
        yield part.start + place


def _in_signature(text: str, name: str, function: bool) -> Iterator[int]:
    if function:
        match = re.search(rf"\bdef\s+(?={re.escape(name)}\b)", text)
        if match:
            yield match.end()
        return
    lines = text.split("\n")
    node = ast.parse(f"{text.rstrip().rstrip(':')}: ...").body[-1]
    for one in ast.walk(node):
        if isinstance(one, ast.arg) and one.arg == name:
            before = sum(len(line) + 1 for line in lines[: one.lineno - 1])
            yield before + len(lines[one.lineno - 1].encode()[: one.col_offset].decode())
            return


def _in_examples(text: str, name: str, function: bool) -> Iterator[int]:
    """Calls of the function, or arguments by keyword, in the lines that are run."""
    wanted = rf"(?<![\w.]){re.escape(name)}(?=\s*\()" if function else rf"(?<=[(,\s]){re.escape(name)}(?==(?!=))"
    pattern = re.compile(rf"{_QUOTED}|(?P<name>{wanted})")
    place = 0
    for line in text.splitlines(keepends=True):
        if line.lstrip().startswith((">>>", "...")):
            yield from (place + match.start() for match in pattern.finditer(line) if match["name"])
        place += len(line)


def _in_prose(part: Part, name: str) -> Iterator[int]:
    text = part.text
    spoken = len(name) <= 2 or (name.islower() and name in english())
    word = rf"(?<![\w.\\]){re.escape(name)}(?!\w)"
    code = [match.span() for match in _CODE.finditer(text)]
    quoted = [match.span() for match in _SPOKEN_QUOTE.finditer(text) if not _within(match.start(), code)]
    head = rf"\s*(?:[:@]\w+\s+)?\*{{0,2}}{re.escape(name)}(?:\s*\([^)\n]*\))?\s*:"
    heads = part.kind is Kind.ENTRY and part.section == "args" and re.match(head, text) is not None
    first = True
    for match in re.finditer(word, text):
        inside = _within(match.start(), code)
        if inside:
            if not _in_text(text, match.start(), code):
                yield match.start()
        elif not _within(match.start(), quoted):
            called = text[match.end() :].startswith("(") and len(name) > 2
            if not spoken or called or (heads and first):
                yield match.start()
        first = False


def _within(place: int, spans: list[tuple[int, int]]) -> bool:
    return any(start <= place < end for start, end in spans)


def _in_text(text: str, place: int, code: list[tuple[int, int]]) -> bool:
    """Whether a place within code is inside a string literal there."""
    start, end = next(span for span in code if span[0] <= place < span[1])
    return any(start + match.start() <= place < start + match.end() for match in re.finditer(_QUOTED, text[start:end]))
