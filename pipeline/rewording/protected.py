"""What of an instruction's prose may be changed, word by word: no code, names, numbers, quotes, or protected words."""

from __future__ import annotations

import ast
import io
import re
import tokenize
from collections.abc import Iterator
from dataclasses import dataclass

from pipeline.rewording.parts import Kind, Part, Parts
from pipeline.rewording.words import english, protected

_MARKED = re.compile(
    r"``.+?``|`[^`]+`|\"[^\"]*\"|“[^”]*”|(?<!\w)'[^'\n]{0,80}'(?!\w)|\bfrom \.*[\w.]* import \w+"
    r"|[:@]\w+\s+[^:\n]*:|\w+://\S+", re.DOTALL)
"""Code, quotes, fields and addresses."""
_HEAD = re.compile(r"(?m)\A\s*\*{0,2}[\w.`*]+(?:\s*\([^)\n]*\))?\s*:(?=\s|$)|\A\s*\*{0,2}\w+\s*:\s+[^\n]*$")
"""What stands before the text of an entry: a name, perhaps with its type; NumPy's has a line of its own."""
_TYPED = re.compile(r"\A\s*[\w.\[\]|,]+(?:[\[|][^:\n]*)?:(?=\s)")
_TOKEN = re.compile(r"\S+")
_CODED = re.compile(r"[\0_/\\@=<>{}\[\]#$%^&*|~`\"“”+\d]|[a-z][A-Z]|[A-Za-z]\.[A-Za-z]|-")
"""What no word of prose holds."""
_WORD = re.compile(r"[A-Za-z]+(?:['’][A-Za-z]+)?")
_LITERAL = re.compile(r"\W{0,2}\w[\w.-]*\W{0,2}")
"""A text that is one word, perhaps with a mark beside it."""
_STOP = re.compile(r"[.!?:][)'\"]*\s")


@dataclass(frozen=True)
class Word:
    """A word of prose and where it begins; `first` says that it begins a sentence.

    `previous` and `following` are the words beside it, in lower case, "" where something else stands between. `changes`
    says that it may be another word.
    """

    start: int
    text: str
    first: bool
    previous: str
    following: str
    changes: bool
    sentence: int

    @property
    def end(self) -> int:
        """Where it ends."""
        return self.start + len(self.text)

    @property
    def lower(self) -> str:
        """It in lower case."""
        return self.text.lower()


def signature_names(parts: Parts) -> frozenset[str]:
    """All names in the signature and in the imports, types included."""
    text = "".join(one.text for one in parts.every if one.kind in (Kind.IMPORTS, Kind.SIGNATURE))
    return frozenset(_names(text))


def _names(text: str) -> Iterator[str]:
    try:
        for token in tokenize.generate_tokens(io.StringIO(text).readline):
            if token.type == tokenize.NAME:
                yield token.string
    except (tokenize.TokenError, IndentationError, SyntaxError):
        return


def literal_words(program: str) -> frozenset[str]:
    """The words that a program has as texts of their own, such as keys: a description may name them without quotes."""
    try:
        nodes = list(ast.walk(ast.parse(program)))
    except (SyntaxError, ValueError):
        return frozenset()
    texts = (node.value for node in nodes if isinstance(node, ast.Constant) and isinstance(node.value, str))
    return frozenset(word for text in texts if _LITERAL.fullmatch(text) for word in _WORD.findall(text))


def words_of(parts: Parts, literals: frozenset[str] = frozenset()) -> tuple[Word, ...]:
    """All words of the prose and the sections, in order, those that must not change included; no literal may."""
    names = signature_names(parts) | literals
    found: list[Word] = []
    for part in parts.spoken:
        found += _words(part, names, found[-1].sentence + 1 if found else 0)
    return tuple(found)


def _words(part: Part, names: frozenset[str], sentence: int) -> list[Word]:
    """The words of a part; sentences are counted from `sentence`."""
    text = _masked(part)
    places = [
        (token.start() + match.start(), match[0], _alone(token[0], match))
        for token in _TOKEN.finditer(text) if not _CODED.search(token[0]) for match in _WORD.finditer(token[0])]
    found: list[Word] = []
    behind = 0
    for place, (start, word, alone) in enumerate(places):
        gap = text[behind:start]
        first = not found or (word[0].isupper() and bool(_STOP.search(gap)))
        sentence += first and bool(found)
        previous = found[-1].lower if found and gap.isspace() else ""
        behind = start + len(word)
        then = places[place + 1] if place + 1 < len(places) else None
        following = then[1].lower() if then and text[behind : then[0]].isspace() else ""
        changes = alone and _changeable(word, first, names)
        found.append(Word(part.start + start, word, first, previous, following, changes, sentence))
    return found


def _alone(token: str, match: re.Match[str]) -> bool:
    """Whether nothing but marks of punctuation stands around a word."""
    rest = token[: match.start()] + token[match.end() :]
    return not any(mark.isalnum() for mark in rest) and match[0].isalpha()


def _changeable(word: str, first: bool, names: frozenset[str]) -> bool:
    lower = word.lower()
    if word in names or lower in names or lower in protected() or lower not in english():
        return False
    return word == lower or (first and word == lower.capitalize())


def _masked(part: Part) -> str:
    """A part's text with a mark in place of each character that is code, quoted, or the head of an entry."""
    text = part.text
    if part.kind is Kind.ENTRY:
        pattern = _TYPED if part.section in ("returns", "details") else _HEAD
        text = pattern.sub(_mask, text, count=1)
    return _MARKED.sub(_mask, text)


def _mask(match: re.Match[str]) -> str:
    return re.sub(r"\S", "\0", match[0])
