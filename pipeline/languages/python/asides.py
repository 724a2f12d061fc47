"""What in a docstring leans on text or code that its reader does not have, and the docstring without such asides."""

from __future__ import annotations

import builtins
import keyword
import re
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise

PYTHON_NAMES = frozenset(dir(builtins)) | frozenset(keyword.kwlist) | frozenset(dir(str)) | frozenset(dir(dict))
LIBRARIES = frozenset("numpy np pandas pd scipy datetime collections re decimal fractions".split())
_ELSEWHERE = (
    (r":(?:func|meth|class|mod|attr|obj|py:\w+|ref|doc|data|exc|any|term|const):`[^`]*`", "a cross reference"),
    (r"(?i)\bsee\s+(?:also\b|the\s+\w+\s+(?:docs?|documentation|function|method|class|module)\b|`|:|[a-z_]+\()",
     "a pointer elsewhere"),
    (r"(?i)\b(?:example|figure|table|code|snippet|diagram)s?\s+(?:above|below)\b", "something above or below it"),
    (r"(?i)\b(?:see|as|noted|listed|mentioned|explained)\s+(?:above|below)\b|\b(?:above|below)\s+(?:function|class|table|"
     r"constant|comment|method)\b", "something above or below it"),
    (r"(?<!\w)#\d{2,}\b", "an issue by its number"),
    (r"(?i)\b(?:same|similar(?:ly)?|identical|equivalent|analogous|like|unlike|counterpart)\s+(?:as|to|of|in|for)?\s*"
     r"(?::|``?[A-Za-z_.]+\(?|[a-z]+_[a-z_]+|[a-z_.]+\(\))", "a comparison with other code"),
    (r"(?i)\b(?:inverse|opposite|reverse|complement|wrapper|port|copy|clone|copied|adapted|borrowed|taken|stolen)\s+"
     r"(?:of|for|from|around)\s+(?:``?|:|[a-z]+_[a-z_]+|[a-z_.]+\()", "a relation to other code"),
    (r"https?://\S+|\[\w+\]_", "a link or a citation"),
    (r"(?i)\b(?:RFC|PEP|ISO|IEEE|ITU|ANSI|ECMA|bpo|issue|ticket|bug|gh)[- ]?#?\d+", "a document by its number"),
    (r"\bet al\b|\b(?:Eq|Fig|Sec|Ref|Alg|Algorithm|Section|Chapter|Appendix|Theorem|Table)\b\.?\s*\(?[\dA-Z]\b"
     r"|\((?:19|20)\d\d\)|\bpp?\. ?\d+", "literature"),
    (r"(?i)\bas (?:described|defined|documented|specified|used|expected|required|returned|produced|generated|stored|"
     r"done) (?:in|by)\b", "something that other code or text defines"),
    (r"(?i)\b(?:this|our|the)\s+(?:module|package|project|library|codebase|plugin|framework|application|repository|repo|"
     r"pipeline|class|caller|parent|backend|frontend|dashboard|workflow|CLI|API|server|client)(?:'s)?\b",
     "the project around it"),
    (r"(?i)\b(?:internal(?:ly)?|private|legacy|backwards?[- ]compat\w*|deprecated|workaround|hack)\b",
     "the project's inner matters"),
)
_SENTENCE = re.compile(r"(?:(?<=[.!?])|(?<=[.!?][)'\"`]))\s+(?=[A-Z`*(\"'\[:])")
_ITEM = re.compile(r"\s*(?:[-*+•]|\d+[.)]|[:@]\w+[^:]*:|\*{0,2}\w+\s*(?:\([^)]*\))?\s*:)(?:\s|$)")
_FOLLOWS = re.compile(
    r"\s*(?:This|That|It|Its|These|Those|They|Such|Then|Thus|Hence|Otherwise|However|Here|So|And|But|Instead)\b")
_BRACKETS = re.compile(r"[ \t]*\([^()]*\)")


@dataclass(frozen=True)
class _Sentence:
    """A sentence by its place in the text; `needed` says that what is around it can't be read without it."""

    start: int
    end: int
    needed: bool


def leaning(text: str) -> str:
    """What a text leans on that its reader does not have, with the words that say so; "" where it stands alone."""
    for pattern, what in _ELSEWHERE:
        for found in re.finditer(pattern, text):
            if not _is_standard(found.group(0)):
                return f"{what}: {' '.join(found.group(0).split())!r}"
    return ""


def without_asides(text: str) -> str:
    """A docstring without what leans on other text or code, as far as that stands in brackets or in a sentence alone.

    The first sentence of all, the first of a list's item, and a sentence that the next one speaks of stay as they are.
    """
    if not leaning(text):
        return text
    parts, position = [], 0
    for sentence in _sentences(text):
        said = text[sentence.start:sentence.end]
        if leaning(said):
            shorter = _BRACKETS.sub(lambda found: "" if leaning(found.group(0)) else found.group(0), said)
            if leaning(shorter) and not sentence.needed:
                space = said[len(said.rstrip()):]
                shorter = space if "\n" in space and not text[:sentence.start].endswith("\n") else ""
            parts += [text[position:sentence.start], said if leaning(shorter) else shorter]
            position = sentence.end
    kept = "".join([*parts, text[position:]])
    return re.sub(r"[ \t]+(?=\n|$)", "", re.sub(r"\n\s*\n(?=\s*\n)", "\n", kept)).strip()


def _sentences(text: str) -> Iterator[_Sentence]:
    """The sentences of all paragraphs and items; those of examples and code are left out."""
    for start, end in _blocks(text):
        block = text[start:end]
        if ">>>" in block or "```" in block:
            continue
        bounds = [0, *(found.end() for found in _SENTENCE.finditer(block)), len(block)]
        spans = [(start + low, start + high) for low, high in pairwise(bounds)]
        for place, (low, high) in enumerate(spans):
            first = place == 0 and (start == 0 or _ITEM.match(block) is not None)
            followed = place + 1 < len(spans) and _FOLLOWS.match(text[spans[place + 1][0]:]) is not None
            yield _Sentence(low, high, first or followed)


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Where paragraphs and items begin and end."""
    start, position = 0, 0
    for line in text.splitlines(keepends=True):
        if not line.strip() or (_ITEM.match(line) and position > start):
            if position > start:
                yield start, position
            start = position if line.strip() else position + len(line)
        position += len(line)
    if position > start:
        yield start, position


def _is_standard(reference: str) -> bool:
    """Whether a cross reference points to Python itself, as :class:`int` does."""
    target = re.search(r"`~?\.?([\w.]+)(?:\(\))?`", reference)
    return target is not None and (
        target.group(1) in PYTHON_NAMES or target.group(1).split(".")[0] in LIBRARIES)
