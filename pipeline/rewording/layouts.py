"""The sections of documentation in another form: as running text, in NumPy's layout, as fields of reStructuredText."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable, Iterator

from harness.records import Edit
from pipeline.rewording.drafts import Question
from pipeline.rewording.parts import Kind, Part

_HEADED = re.compile(r"\s*(?P<name>\*{0,2}[A-Za-z_][\w.]*)(?P<type>\s*\([^)\n]*\))?\s*:\s+(?=\S)")
_TITLES = {"args": "Parameters", "returns": "Returns", "raises": "Raises", "examples": "Examples"}
_TOLD = {
    "args": "Its parameters are these.", "returns": "This is what the function returns.",
    "raises": "It raises these exceptions.",
}
_SECTIONS = tuple(_TOLD)
_SECTION_FIELDS = {"args": "param", "raises": "raises"}


def running(question: Question) -> tuple[Edit, ...]:
    """Sections as paragraphs."""
    if not _google(question):
        return ()

    def entry(part: Part, margin: str) -> str:
        match = _HEADED.match(part.text) if part.section != "returns" else None
        head = f"`{match['name']}`{match['type'] or ''}: " if match else ""
        return _flush(head + part.text[match.end() if match else 0 :].strip(), margin)

    return tuple(_rewritten(question, lambda part, margin: f"{margin}{_TOLD[part.section]}\n", entry))


def numpy(question: Question) -> tuple[Edit, ...]:
    """Headings that are underlined, names on lines of their own."""
    if not _google(question):
        return ()
    function = question.function
    returned = ast.unparse(function.returns) if function is not None and function.returns else ""

    def heading(part: Part, margin: str) -> str:
        title = _TITLES[part.section]
        return f"{margin}{title}\n{margin}{'-' * len(title)}\n"

    def entry(part: Part, margin: str) -> str:
        match = _HEADED.match(part.text) if part.section != "returns" else None
        said = part.text[match.end() if match else 0 :].strip()
        if match is None:
            return f"{margin}{returned}\n{_flush(said, margin + '    ')}" if returned else _flush(said, margin)
        kind = f" : {match['type'].strip()[1:-1]}" if match["type"] else ""
        return f"{margin}{match['name']}{kind}\n{_flush(said, margin + '    ')}"

    return tuple(_rewritten(question, heading, entry))


def fields(question: Question) -> tuple[Edit, ...]:
    """Fields in place of sections."""
    if not _google(question):
        return ()

    def entry(part: Part, margin: str) -> str:
        match = _HEADED.match(part.text) if part.section != "returns" else None
        said = part.text[match.end() if match else 0 :].strip()
        if match is None:
            return _hung(f":returns: {said}", margin)
        kind = f"{match['type'].strip()[1:-1]} " if match["type"] and part.section == "args" else ""
        return _hung(f":{_SECTION_FIELDS[part.section]} {kind}{match['name']}: {said}", margin)

    def heading(part: Part, margin: str) -> str:
        del part, margin
        return ""

    return tuple(_rewritten(question, heading, entry))


def _google(question: Question) -> bool:
    """Whether the sections are headings with a colon and indented entries, each of which has a name."""
    parts = question.parts
    headings = [one for one in parts.of(Kind.HEADING) if one.section in _SECTIONS]
    entries = [one for one in parts.of(Kind.ENTRY) if one.section in _SECTIONS]
    named = [one for one in entries if one.section != "returns"]
    return bool(entries) and bool(headings) and all(one.text.rstrip().endswith(":") for one in headings) and all(
        _HEADED.match(one.text) for one in named) and len([one for one in entries if one.section == "returns"]) <= 1


def _rewritten(
    question: Question, heading: Callable[[Part, str], str], entry: Callable[[Part, str], str]
) -> Iterator[Edit]:
    """Headings and entries of the sections anew, at the margin of the headings."""
    margin = ""
    for part in question.parts.every:
        if part.section not in _SECTIONS:
            continue
        if part.kind is Kind.HEADING:
            margin = part.text[: len(part.text) - len(part.text.lstrip())]
            yield Edit(part.start, part.text, heading(part, margin))
        elif part.kind is Kind.ENTRY:
            yield Edit(part.start, part.text, entry(part, margin))


def _flush(text: str, margin: str) -> str:
    """Lines at a margin, the first ones' further indentation gone."""
    first, newline, rest = text.partition("\n")
    return textwrap.indent(first + newline + textwrap.dedent(rest), margin) + "\n"


def _hung(text: str, margin: str) -> str:
    """Lines of which all but the first are indented."""
    first, newline, rest = text.partition("\n")
    return f"{margin}{first}\n" + (textwrap.indent(textwrap.dedent(rest), f"{margin}    ") + "\n" if newline else "")
