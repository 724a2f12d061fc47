"""The parts of an instruction: imports, signature, paragraphs, sections, examples; together they are its text again."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from functools import cached_property

_SECTIONS = {
    "args": ("args", "arguments", "parameter", "parameters", "params", "keyword arguments", "kwargs",
             "other parameters"),
    "returns": ("return", "returns", "yields"),
    "raises": ("raises", "exceptions"),
    "examples": ("example", "examples", "more examples", "usage", "doctest", "doctests"),
    "details": ("details", "details (in no particular order)"),
    "notes": ("note", "notes", "warning", "warnings", "see also", "references", "attributes", "todo"),
}
_NAMED = {name: section for section, names in _SECTIONS.items() for name in names}
_FIELDS = {
    **dict.fromkeys(("param", "parameter", "arg", "argument", "key", "keyword", "type"), "args"),
    **dict.fromkeys(("return", "returns", "rtype"), "returns"),
    **dict.fromkeys(("raise", "raises", "except"), "raises"),
}
_FIELD = re.compile(rf"\s*[:@]({'|'.join(_FIELDS)})\b")
_HEADING = re.compile(r"\s*([A-Za-z][A-Za-z ()]*?)\s*(:{0,2})\s*$")
_UNDERLINE = re.compile(r"\s*[-=~]{3,}\s*$")
_FENCE = re.compile(r"\s*(```|~~~)")


class Kind(StrEnum):
    """What a part is: `prose` and `entry` are said in words, `entry` in a section."""

    IMPORTS = "imports"
    SIGNATURE = "signature"
    QUOTE = "quote"
    PROSE = "prose"
    HEADING = "heading"
    ENTRY = "entry"
    CODE = "code"
    EXAMPLE = "example"
    GAP = "gap"


@dataclass(frozen=True)
class Part:
    """A part of an instruction's text, where it begins (in characters), and the section that it belongs to, if any."""

    kind: Kind
    text: str
    start: int
    section: str = ""

    @property
    def end(self) -> int:
        """Where it ends, the last character excluded."""
        return self.start + len(self.text)

    @property
    def spoken(self) -> bool:
        """Whether it is said in words."""
        return self.kind in (Kind.PROSE, Kind.ENTRY)


@dataclass(frozen=True)
class Parts:
    """All parts of an instruction, in order."""

    every: tuple[Part, ...]

    def of(self, kind: Kind, section: str | None = None) -> tuple[Part, ...]:
        """Those of a kind, and of a section where one is named."""
        return tuple(one for one in self.every if one.kind is kind and section in (None, one.section))

    @cached_property
    def spoken(self) -> tuple[Part, ...]:
        """Those that are said in words."""
        return tuple(one for one in self.every if one.spoken)


def assemble(parts: Parts) -> str:
    """The text that the parts were read from."""
    return "".join(one.text for one in parts.every)


def parts_of(text: str) -> Parts:
    """The parts of an instruction; of a text that does not end in a function with documentation, all is prose."""
    node = documented(text)
    if node is None:
        return Parts(tuple(_Reader(0).read(text)))
    function, documentation = node
    head = _offset(text, function.lineno, function.col_offset)
    start = _offset(text, documentation.lineno, documentation.col_offset)
    end = _offset(text, documentation.end_lineno or 0, documentation.end_col_offset or 0)
    opening = re.match(r"[A-Za-z]*('''|\"\"\"|'|\")", text[start:])
    assert opening is not None, "a literal begins with a quote"
    inside, behind = start + opening.end(), end - len(opening[1])
    parts = [Part(Kind.IMPORTS, text[:head], 0), Part(Kind.SIGNATURE, text[head:start], head)]
    parts += [Part(Kind.QUOTE, text[start:inside], start), *_Reader(inside).read(text[inside:behind])]
    parts.append(Part(Kind.QUOTE, text[behind:], behind))
    return Parts(tuple(one for one in parts if one.text))


def documented(text: str) -> tuple[ast.FunctionDef, ast.Constant] | None:
    """The function with which a text ends and its documentation, None where it is another text."""
    try:
        body = ast.parse(text).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None
    if "\r" in text or "\f" in text or not body or not isinstance(body[-1], ast.FunctionDef):
        return None
    first = body[-1].body[0]
    if not isinstance(first, ast.Expr) or not isinstance(first.value, ast.Constant):
        return None
    value = first.value
    whole = (isinstance(value.value, str) and ast.get_source_segment(text, value)) or ""
    return (body[-1], value) if whole.endswith(('"', "'")) and len(list(_literals(whole))) == 1 else None


def _literals(text: str) -> Iterator[str]:
    """The string literals that stand side by side in a text."""
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.STRING:
            yield token.string


def _offset(text: str, line: int, column: int) -> int:
    """The place in characters of one that Python's parser gives, in lines from 1 and bytes."""
    before = text.split("\n")[: line - 1]
    own = text.split("\n")[line - 1].encode()[:column]
    return sum(len(one) + 1 for one in before) + len(own.decode())


class _Reader:
    """Reads what documentation says, line by line."""

    def __init__(self, start: int) -> None:
        self.parts: list[Part] = []
        self.place = start
        self.section = ""
        self.base, self.indent = 0, -1
        self.fenced = False

    def read(self, text: str) -> list[Part]:
        """All parts, one behind the other."""
        lines = text.splitlines(keepends=True)
        indents = [_indent(line) for line in lines[1:] if line.strip()]
        self.base = min(indents, default=0)
        for number, line in enumerate(lines):
            below = lines[number + 1] if number + 1 < len(lines) else ""
            self._line(line, below, first=not number)
        return _joined(self.parts)

    def _line(self, line: str, below: str, first: bool) -> None:
        kind = self._kind(line, below, first)
        self.parts.append(Part(kind, line, self.place, self.section))
        self.place += len(line)

    def _kind(self, line: str, below: str, first: bool) -> Kind:
        if _FENCE.match(line):
            self.fenced = not self.fenced
            return Kind.CODE
        if self.fenced:
            return Kind.CODE
        if not line.strip():
            return Kind.GAP
        last = self.parts[-1].kind if self.parts else Kind.GAP
        if line.lstrip().startswith(">>>") or last is Kind.EXAMPLE:
            return Kind.EXAMPLE
        if last is Kind.HEADING and _UNDERLINE.match(line):
            self.indent = _indent(line)
            return Kind.HEADING
        if self._heads(line, below, first):
            return Kind.HEADING
        return self._said(line, last)

    def _heads(self, line: str, below: str, first: bool) -> bool:
        """Whether a section begins with a line."""
        found = _HEADING.match(line)
        name = _NAMED.get(found[1].lower(), "") if found else ""
        underlined = bool(_UNDERLINE.match(below))
        inside = _indent(below) > _indent(line) or below.lstrip().startswith((">>>", "```", "-")) or not below.strip()
        if found is None or not name or first or _indent(line) > self.base:
            return False
        if not underlined and not (found[2] and inside):
            return False
        self.section, self.indent = name, -1
        return True

    def _said(self, line: str, last: Kind) -> Kind:
        field = _FIELD.match(line)
        if field:
            self.section, self.indent = _FIELDS[field[1]], _indent(line)
            return Kind.ENTRY
        if self.section and self.indent < 0:
            self.indent = _indent(line)
        if self.section and _indent(line) < max(self.indent, 0) and last in (Kind.GAP, Kind.CODE):
            self.section, self.indent = "", -1
        if not self.section:
            return Kind.PROSE
        return Kind.CODE if self.section == "examples" else Kind.ENTRY


def _joined(lines: list[Part]) -> list[Part]:
    """Lines put together to paragraphs, blocks of examples, and entries of sections."""
    found: list[Part] = []
    starts: dict[str, int] = {}
    for one in lines:
        if one.kind is Kind.HEADING:
            starts.clear()
        before = found[-1] if found else None
        together = before is not None and (before.kind, before.section) == (one.kind, one.section)
        if one.kind is Kind.ENTRY and one.section != "returns":
            indent = _indent(one.text)
            together = indent > starts.setdefault(one.section, indent) and together
        if together and before is not None:
            found[-1] = Part(one.kind, before.text + one.text, before.start, one.section)
        else:
            found.append(one)
    return found


def _indent(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))
