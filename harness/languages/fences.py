"""From the text of a model's answer to the parts of it that may be code: reasoning, fences, tags, quotes, tool calls.

All of it takes time in proportion to the text: patterns are anchored to lines and never overlap with what follows them.
"""

from __future__ import annotations

import html
import json
import re
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_MARKED = re.compile(r"^.*(?:```|~~~).*$", re.MULTILINE)
_REASONING = ("think", "thinking", "thought", "reasoning")
_CODE = ("def ", "async def ", "class ", "import ", "from ", "@", "lambda ")
_LANGUAGE = re.compile(r"\{?\.?([\w+#.-]*)")
_QUOTES = frozenset("'\"`")
_TAGS = re.compile(r"<([A-Za-z][\w:-]{0,30})\b[^<>\n]{0,200}>")
_LOOKS = re.compile(r"</?(?:code|span|pre|div|p|b|i|em|strong|font|a)\b[^<>\n]{0,200}>")
_BREAKS = re.compile(r"<br ?/?>\n?")
_TOKENS = re.compile(r"<[|｜][^|｜<>\n]{1,60}[|｜]>|</?s>|<(?:eos|end_of_turn|endoftext)>|\[/?INST\]")
_UNSEEN = (0xAD, 0xFEFF, *range(0x200B, 0x2010), *range(0x202A, 0x202F), *range(0x2060, 0x206A))
_INVISIBLE = {**dict.fromkeys(_UNSEEN, None),
              **dict.fromkeys(map(ord, "\u00a0\u2007\u202f\u2003\u3000"), " ")}
_CHARS, _TRIES, _DEPTH = 100_000, 40, 4
"""How much of an answer's end is looked at for what is no fence, how many places of it, and how deep in JSON."""


@dataclass(frozen=True)
class Block:
    """A part of an answer that may be code.

    `closed` says whether its end is marked, `before` are the heading and the line above it, or what its line begins
    with; `longer` are the same with later ends, for code that holds the mark of an end itself; `span` is its place.
    """

    language: str
    code: str
    closed: bool
    before: str = ""
    longer: tuple[str, ...] = ()
    span: tuple[int, int] = (0, 0)


def after_reasoning(text: str) -> tuple[str, bool]:
    """The text behind the reasoning, and whether the reasoning ever ended (True when there is none).

    A closing tag counts without its opening one, because some chat templates put that into the prompt; one in quotes
    belongs to code.
    """
    ends = [end for tag in _REASONING for end in [_last_end(text, f"</{tag}>")] if end]
    rest = text[max(ends):] if ends else text
    starts = [tag for tag in _REASONING if rest.lstrip().startswith(f"<{tag}>")]
    return rest, not starts


def _last_end(text: str, tag: str) -> int:
    """Where the last such tag ends that is not in quotes, 0 where there is none."""
    place = text.rfind(tag)
    while place >= 0:
        end = place + len(tag)
        if not _QUOTES & set(text[max(0, place - 1) : place] + text[end : end + 1]):
            return end
        place = text.rfind(tag, 0, place)
    return 0


def legible(text: str) -> str:
    """The text without what nobody sees (marks of byte order, characters of no width, tokens of chat templates).

    Spaces of other kinds become spaces, and commands of notebooks go.
    """
    shown = _TOKENS.sub("", text)
    if not shown.isascii():
        shown = shown.translate(_INVISIBLE)
    if "\n!" in f"\n{shown}" or "\n%" in f"\n{shown}":
        shown = "\n".join(line for line in shown.split("\n") if line[:1] not in ("!", "%"))
    return shown


_MOST_MARKS, _MORE_ENDS, _REACH = 2000, 3, 20
"""How many fences of a text are looked at, how many ends a block may have besides its first, how far behind that."""
_TYPED = re.compile(r"^[ \t]*(?:>>>|\.\.\.:?|In \[\d+\]:)(?: (.*)|$)", re.MULTILINE)
_QUOTED = re.compile(r"^[ \t]*>+(?: (.*)|$)", re.MULTILINE)
_NUMBERED = re.compile(r"^[ \t]*\d{1,5}(?:[ \t]*[|:│.)])?(?:[ \t](.*)|$)", re.MULTILINE)
_ADDED = re.compile(r"^\+(?!\+\+ )(.*)$", re.MULTILINE)
_BARRED = re.compile(r"^[ \t]*[|│](?: (.*)|$)", re.MULTILINE)
_ESCAPES, _TICKS, _LINE_ENDS = (re.compile(pattern) for pattern in (r"\\([_*\[\]()#>~-])", "`", r"\\n"))
_TRIPLED = re.compile("^(?:\'\'\'|\"\"\")(?=[a-z]*$)", re.MULTILINE)


def rewritten(text: str) -> Iterator[str]:
    """The text as it was before a page, a terminal or a tool has marked its lines or escaped its characters."""
    text = text[-_CHARS:]
    if "\n+" in text and ("\n-" in text or "\n@@" in text):
        lines = [line for line in text.split("\n") if not line.startswith(("-", "+++", "@@", "diff ", "index "))]
        yield textwrap.dedent("\n".join(line[1:] if line[:1] in ("+", " ") else "" for line in lines)) + "\n"
    for marked in (_TYPED, _QUOTED, _NUMBERED, _ADDED, _BARRED):
        lines = [found[1] or "" for found in marked.finditer(text)]
        if any(line.startswith(_CODE) for line in map(str.lstrip, lines)):
            yield textwrap.dedent("\n".join(lines)) + "\n"
    for pattern, new in ((_ESCAPES, r"\1"), (_TICKS, "\n"), (_LINE_ENDS, "\n")):
        if pattern.search(text):
            yield pattern.sub(new, text).replace('\\"', '"')
    if "<![CDATA[" in text:
        yield text.replace("<![CDATA[", "\n").replace("]]>", "\n")
    if "&" in text and ";" in text:
        yield html.unescape(_LOOKS.sub("", _BREAKS.sub("\n", text)))
    if _TRIPLED.search(text):
        yield _TRIPLED.sub("```", text)


# Fences


def fenced_blocks(text: str) -> list[Block]:
    """The fenced blocks in order, an unclosed one included.

    A fence that is indented four columns more than the opening one belongs to the code (a docstring's example); one
    with a language tag opens a new block even where the last one was never closed.
    """
    marks = [(found.start(), found.end()) for found in _MARKED.finditer(text)][-_MOST_MARKS:]
    blocks: list[Block] = []
    place = 0
    while place < len(marks):
        start, end = marks[place]
        opening = _opening(text[start:end])
        place += 1
        if opening is None:
            continue
        if opening.whole:
            blocks.append(Block(opening.language, opening.first + "\n", True, opening.prose, span=(start, end)))
            continue
        block, place = _block(text, marks, place, opening)
        if block.code.strip():
            blocks.append(block)
    return blocks


def outside(text: str, blocks: Iterable[Block]) -> str:
    """The text without blocks of it."""
    parts, place = [], 0
    for block in blocks:
        parts.append(text[place : block.span[0]])
        place = block.span[1]
    return "\n".join([*parts, text[place:]])


@dataclass(frozen=True)
class _Opening:
    """A line that opens a block: what stands in front of the marks, the marks, and what of code stands behind them."""

    indent: str
    mark: str
    count: int
    language: str
    first: str
    prose: str
    whole: bool = False


def _opening(line: str) -> _Opening | None:
    """The opening fence in a line, which may stand behind prose; also all of a block that is a single line."""
    for mark in "`~":
        place = line.rfind(mark * 3)
        if place < 0:
            continue
        count = len(line[: place + 3]) - len(line[: place + 3].rstrip(mark))
        place = place + 3 - count
        front, behind = line[:place], line[place + count :]
        if mark in behind.strip():
            continue
        if mark * 3 in front:
            return _single_line(front, mark, behind)
        if mark == "~" and front.strip(" \t>"):
            continue
        language, first = _tagged(behind)
        bare = not front.strip(" \t>0123456789.-*+)")
        return _Opening(front if bare else "", mark, count, language, first, "" if bare else front)
    return None


def _single_line(front: str, mark: str, behind: str) -> _Opening | None:
    """A block between two fences in one line, with prose around."""
    first = front.find(mark * 3)
    language, code = _tagged(front[first:].lstrip(mark))
    if not code.strip() or behind.strip(" .,;:!"):
        return None
    return _Opening("", mark, 3, language, code.strip(), front[:first], whole=True)


def _tagged(behind: str) -> tuple[str, str]:
    """The language that a fence names, and the code that begins on its line."""
    behind = behind.strip()
    if behind.startswith(_CODE):
        return "", behind
    found = _LANGUAGE.match(behind)
    language = found[1] if found else ""
    rest = behind[found.end() :].lstrip() if found else behind
    return language, rest if rest.startswith(_CODE) else ""


def _block(text: str, marks: list[tuple[int, int]], place: int, opening: _Opening) -> tuple[Block, int]:
    """The block behind an opening fence, and which of the marked lines comes after it."""
    begin = marks[place - 1][1] + 1
    before = opening.prose or _said_above(text[max(0, marks[place - 1][0] - 500) : marks[place - 1][0]])
    ends: list[tuple[int, str]] = []
    after = len(marks)
    for number in range(place, len(marks)):
        start, end = marks[number]
        how = _ends(text[start:end], opening)
        if ends and number > after + _REACH:
            break
        if how is None:
            continue
        line, opens = how
        if not ends:
            after = number if opens else number + 1
        ends.append((start, line))
        if len(ends) > _MORE_ENDS:
            break
    codes = [_inside(text[begin:end] + line, opening) for end, line in ends] or [_inside(text[begin:], opening)]
    span = marks[place - 1][0], ends[0][0] if ends else len(text)
    return Block(opening.language, codes[0], bool(ends), before, tuple(codes[1:]), span), after


def _ends(line: str, opening: _Opening) -> tuple[str, bool] | None:
    """What of a line belongs to the block that it ends, and whether it opens another; None where it ends nothing."""
    bare = line.lstrip(" \t>") if ">" in opening.indent else line.lstrip(" \t")
    indent = len(line[: len(line) - len(bare)].expandtabs())
    marks = len(bare) - len(bare.lstrip(opening.mark))
    if marks >= opening.count:
        behind = bare[marks:]
        if indent > len(opening.indent.expandtabs()) + 3 or opening.mark in behind:
            return None
        language = behind.strip()
        return ("", bool(language) and _LANGUAGE.fullmatch(language) is not None)
    stripped = line.rstrip()
    inner = stripped.rstrip(opening.mark)
    if len(stripped) - len(inner) < opening.count or inner[-1:] in _QUOTES or opening.mark * 3 in inner:
        return None
    return inner + "\n", False


def _inside(code: str, opening: _Opening) -> str:
    """The code of a block without the quote marks and the indentation that all of it has."""
    if ">" in opening.indent:
        code = re.sub(r"^[ \t]*>+ ?", "", code, flags=re.MULTILINE)
    if opening.first:
        return f"{opening.first}\n{code.rstrip()}\n"
    return textwrap.dedent(code).strip("\n") + "\n"


def _said_above(text: str) -> str:
    """The last line of a text, and the heading that it stands under where that is behind the last fence."""
    lines = [line for line in text[text.rfind("```") + 1 :].split("\n") if line.strip()]
    headings = [line for line in lines if line.lstrip().startswith(("#", "**"))]
    return "\n".join([*headings[-1:], *lines[-1:]])


# What stands for fences


def tagged_blocks(text: str) -> list[Block]:
    """The parts between tags, as pages and templates mark code; entities are resolved where a page would do so."""
    text = text[-_CHARS:]
    blocks = []
    for found, _ in zip(_TAGS.finditer(text), range(_TRIES), strict=False):
        end = text.find(f"</{found[1]}", found.end())
        inner = text[found.end() : end if end >= 0 else len(text)]
        if found[1].lower() in ("pre", "code"):
            inner = html.unescape(_LOOKS.sub("", _BREAKS.sub("\n", inner)))
        if "\n" in inner.strip() or inner.lstrip().startswith(_CODE):
            blocks.append(Block("", textwrap.dedent(inner).strip("\n") + "\n", end >= 0))
    return blocks


def texts_in_json(text: str) -> Iterator[str]:
    """All texts of several lines, or with a definition, in the JSON that an answer holds: the code of tool calls."""
    text = text[-_CHARS:]
    decoder, place = json.JSONDecoder(strict=False), text.find("{")
    for _ in range(_TRIES):
        if place < 0:
            return
        try:
            value, end = decoder.raw_decode(text, place)
        except (ValueError, RecursionError):
            place = text.find("{", place + 1)
            continue
        yield from _texts(value, _DEPTH)
        place = text.find("{", end)


def _texts(value: object, depth: int) -> Iterator[str]:
    """The texts in a value of JSON, those included in JSON that is itself a text."""
    if isinstance(value, str):
        if "\n" in value or value.startswith(_CODE):
            yield value
        if depth and value.lstrip().startswith("{"):
            try:
                yield from _texts(json.loads(value, strict=False), depth - 1)
            except (ValueError, RecursionError):
                return
    elif isinstance(value, list) and value and all(isinstance(part, str) for part in value):
        yield "".join(value)
    elif isinstance(value, (list, dict)) and depth:
        for part in value.values() if isinstance(value, dict) else value:
            yield from _texts(part, depth - 1)
