"""What a docstring says, in parts: prose, parameters, returned value, exceptions, doctest examples."""

from __future__ import annotations

import ast
import doctest
import inspect
import re
from dataclasses import dataclass, field

import docstring_parser

from pipeline.languages.prose import words
from pipeline.languages.python.asides import without_asides

__all__ = ["Description", "describe", "read_description", "without_examples", "without_pointers", "words"]

_SECTION = re.compile(
    r"^\s*(args|arguments|parameters?|params|keyword arguments|kwargs|other parameters|returns?|yields?|raises|"
    r"exceptions|examples?|usage|notes?|see also|references|warnings?|attributes|todo)\s*:{0,2}\s*$", re.IGNORECASE)
_UNDERLINE = re.compile(r"^\s*[-=~]{3,}\s*$")
_POINTER = re.compile(r"^\s*(see also|references)\s*:{0,2}\s*$", re.IGNORECASE)
_DIRECTIVE = re.compile(r"^\s*\.\. (versionadded|versionchanged|deprecated|seealso|index|ipython|plot)::")
_FIELD = re.compile(r"^\s*[:@](param|parameter|type|arg|argument|key|return|returns|rtype|raise|raises|except)\b")


@dataclass(frozen=True)
class Description:
    """A docstring in parts; `text` is all of it, dedented, and `prose` the part before the first section.

    `parameters` maps a name to its type and text; `raises` lists types with their texts.
    """

    text: str
    prose: str
    parameters: dict[str, tuple[str, str]] = field(default_factory=dict)
    returns: tuple[str, str] | None = None
    raises: tuple[tuple[str, str], ...] = ()
    examples: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        """The first paragraph in one line."""
        return " ".join(self.prose.split("\n\n")[0].split())

    @property
    def spoken(self) -> str:
        """All of the text but the examples."""
        return without_examples(self.text)

    def mentions(self, word: str) -> bool:
        """Whether a name stands in the text as a word of its own."""
        return re.search(rf"(?<![\w]){re.escape(word)}(?![\w])", self.text) is not None


def describe(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Description | None:
    """The docstring of a function in parts, or None where it has none."""
    raw = ast.get_docstring(function, clean=False)
    return None if raw is None or not raw.strip() else read_description(raw)


def read_description(raw: str) -> Description:
    """A docstring in parts (Google, NumPy, reST, Epydoc); what can't be told apart stays prose.

    Sections that only point elsewhere (`See Also`, `References`) and directives on versions are left out.
    """
    text = without_pointers(inspect.cleandoc(raw))
    prose = _before_sections(without_examples(text))
    examples = tuple(example.source.strip() for example in _doctests(text))
    try:
        parsed = docstring_parser.parse(text)
    except (docstring_parser.ParseError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return Description(text, prose, examples=examples)
    parameters = {
        name.lstrip("*"): (entry.type_name or "", " ".join((entry.description or "").split()))
        for entry in parsed.params for name in re.split(r"\s*,\s*", entry.arg_name)
    }
    returns = parsed.returns and (parsed.returns.type_name or "", " ".join((parsed.returns.description or "").split()))
    raises = tuple((entry.type_name or "", " ".join((entry.description or "").split())) for entry in parsed.raises)
    return Description(text, prose, parameters, returns or None, raises, examples)


def without_examples(text: str) -> str:
    """A text without its doctest examples and what they print."""
    kept, inside = [], False
    for line in text.splitlines():
        inside = line.lstrip().startswith(">>>") or (inside and bool(line.strip()))
        if not inside:
            kept.append(line)
    return "\n".join(kept)


def without_pointers(text: str) -> str:
    """A text without what points elsewhere: sections such as `See Also`, `versionadded` and the like, asides."""
    return without_asides(_without_sections(text))


def _without_sections(text: str) -> str:
    kept: list[str] = []
    lines = text.splitlines()
    skipped: tuple[int, bool] | None = None
    for i, line in enumerate(lines):
        indent = len(line) - len(line.lstrip())
        underlined = i + 1 < len(lines) and bool(_UNDERLINE.match(lines[i + 1]))
        if skipped is not None and line.strip() and not _UNDERLINE.match(line) and indent <= skipped[0]:
            still = skipped[1] and not underlined and not _FIELD.match(line)
            skipped = skipped if still else None
        if _POINTER.match(line) or _DIRECTIVE.match(line):
            skipped = (indent, underlined)
        if skipped is None:
            kept.append(line)
    return "\n".join(kept).strip()


def _doctests(text: str) -> list[doctest.Example]:
    try:
        return doctest.DocTestParser().get_examples(text)
    except ValueError:
        return []


def _before_sections(text: str) -> str:
    kept: list[str] = []
    for line in text.splitlines():
        if _SECTION.match(line) or _FIELD.match(line):
            break
        if kept and _UNDERLINE.match(line):
            kept.pop()
            break
        kept.append(line)
    return "\n".join(kept).strip()
