"""Docstrings (Google, NumPy, reST) as specifications, and the exceptions that they promise."""

from __future__ import annotations

import ast
import re
import textwrap
from dataclasses import dataclass, field, replace

import docstring_parser

from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Binary,
    Boolean,
    Choice,
    Column,
    Dictionary,
    Fixed,
    Frame,
    Function,
    Items,
    Nothing,
    Real,
    Spec,
    Text,
    TypeValue,
    Whole,
    either,
)
from pipeline.suites.inference.evidence.annotations import specification
from pipeline.suites.inference.evidence.array_prose import ARRAY, array_in_words, forms_in_words
from pipeline.suites.rules import finds

_WORDS: dict[str, Spec] = {
    word: spec
    for words, spec in (
        ("int integer integers ints", Whole()),
        ("float floats double", Real()),
        ("number numbers numeric", either([Whole(), Real()])),
        ("scalar", either([Real(), Whole()])),
        ("str string strings strs unicode basestring", Text()),
        ("char", Text(lengths=(1,))),
        ("pair pairs", Fixed((Anything(), Anything()))),
        ("bool bools boolean", Boolean()),
        ("bytes", Binary()),
        ("list lists sequence iterable collection", Items(Anything())),
        ("tuple tuples", Items(Anything(), "tuple")),
        ("dict dicts dictionary mapping dictionaries", Dictionary(Text(), Anything())),
        ("array array_like array-like ndarray", Array()),
        ("matrix", Array(dims=2)),
        ("dataframe", Frame()),
        ("series", Column()),
        ("none", Nothing()),
        ("callable function", Function()),
        ("any", Anything()),
        ("type class", TypeValue()),
    )
    for word in words.split()
}
_NONE = re.compile(r"\b(or|may be|can be|default(s)?( is| to|:)?)\s+`*None\b|\bNone\s+or\b|optional", re.IGNORECASE)
_CHOICE = re.compile(r"^\s*\{(.+)\}")
_KINDS = "list|set|tuple|sequence|iterable|array|collection|frozenset"
_OF = re.compile(rf"^({_KINDS})s?\s*(?:of\s+(?P<after>.+)|[(\[<]\s*(?P<inside>.+?)\s*[)\]>]?)$", re.IGNORECASE)
_ROW = re.compile(
    r"^(?:(?:\d-)?(?:tuples?|pairs?)\s*(?:of\s*)?[(\[]|\()([^()\[\]]*,[^()]*)[)\]]$", re.IGNORECASE
)
"""A tuple by its places: `tuple(int, str)`, `(float, float)`, `pairs (str, list[int])`."""
_MAPPING = re.compile(
    r"^(?:a |an |the )?(?:dict|dictionary|mapping)s?\s+(?:from|of|mapping)\s+(.+?)\s+(?:to|->|→)\s+(.+?)$",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Described:
    """What a docstring says: a specification and its text by parameter, and the names of documented exceptions.

    `words` is all that it says of each parameter, `prose` what it says before its sections.
    """

    parameters: dict[str, tuple[Spec, str]] = field(default_factory=dict)
    raises: tuple[str, ...] = ()
    words: dict[str, str] = field(default_factory=dict)
    prose: str = ""

    def about(self, name: str) -> str:
        """What its own entry says of a parameter, and the clauses of the prose that name it as code."""
        marked = re.compile(rf"[`*]{{1,2}}{re.escape(name)}[`*]{{1,2}}")
        clauses = [one for one in re.split(r"(?<=[.;])\s+|\n\s*\n", self.prose) if marked.search(one)]
        return "\n".join([self.words.get(name, ""), *clauses]).strip()


def described(text: str) -> Described:
    """Read a docstring; what can't be read says nothing."""
    try:
        parsed = docstring_parser.parse(_INDENTED.sub(_outdented, text))
    except (docstring_parser.ParseError, ValueError, TypeError, AttributeError, IndexError, KeyError):
        return Described()
    found: dict[str, tuple[Spec, str]] = {}
    words: dict[str, str] = {}
    for parameter in parsed.params:
        told = f"{parameter.type_name or ''}\n{parameter.description or ''}".strip()
        words.update(dict.fromkeys(re.split(r"\s*,\s*", parameter.arg_name.lstrip("*")), told))
        named = parameter.type_name or _first_line(parameter.description or "")
        spec = from_words(named) if named else None
        for name in re.split(r"\s*,\s*", parameter.arg_name):
            if spec is not None:
                found.setdefault(name.lstrip("*"), (spec, named))
    for name, told in _TYPED.findall(text):
        # Lines that name a type stand alone at times.
        spec = from_words(told)
        words.setdefault(name, told)
        if spec is not None:
            found.setdefault(name, (spec, told))
    raises = [entry.type_name or "" for entry in parsed.raises]
    names = [name for text in raises for name in re.findall(r"[A-Za-z_.]+", text)]
    prose = f"{parsed.short_description or ''}\n\n{parsed.long_description or ''}".strip()
    return Described(found, tuple(dict.fromkeys(name.rsplit(".", 1)[-1] for name in names)), words, prose)


def _first_line(words: str) -> str:
    """The type that stands alone in the first line of what is said of a parameter, "" where none does."""
    first, _, rest = words.partition("\n")
    plain = first.strip().strip("`").lower()
    return first.strip() if rest.strip() and (plain in _WORDS or _MEMBER.fullmatch(plain)) else ""


_BARE = re.compile(r"\(\s*\w+\s*(?:,\s*\w*\s*)+\)")
"""The lengths of the axes of an array, without a word."""
_TYPED = re.compile(r"^[ \t]*:type[ \t]+(\w+):[ \t]*(\S.*)$", re.MULTILINE)
_MEMBER = re.compile(r"(?:pd|np|pandas|numpy|datetime)\.\w+")
_INDENTED = re.compile(r"(?<=\n)(\w+\n-{3,}\n)((?:[ \t]+\S.*(?:\n|$)|[ \t]*\n)+)")
"""A section of NumPy's style all of whose entries are indented below its heading."""


def _outdented(section: re.Match[str]) -> str:
    return section.group(1) + textwrap.dedent(section.group(2))


@finds("documented types")
def from_words(text: str) -> Spec | None:
    """What a type in prose allows: `int or None`, `list of str`, `{'a', 'b'}`, `dict[str, int], optional`."""
    text = text.strip().strip("`")
    choice = _CHOICE.match(text)
    values = _choice(choice.group(1)) if choice else None
    if values is not None:
        return values
    # Of kinds in braces the first is the plainest: `{array-like, sparse matrix} of shape (n, m)`.
    forms = forms_in_words(choice.group(1)) if choice else ()
    text = re.sub(r"^\{\s*([^,}]+)[^}]*\}", r"\1", text)
    main = re.split(r",\s*(?:optional|default|keyword|shape|positional)", text, flags=re.IGNORECASE)[0].strip()
    main = re.sub(r":(?:class|obj|py:class|type):", "", main).replace("`", "").replace("~", "").strip()
    spec = _one(main)
    if forms and isinstance(spec, Array):
        spec = replace(spec, dims=2, forms=forms)
    if spec is not None and _NONE.search(text[len(main) :]) and "none" in text.lower():
        return either([spec, Nothing()])
    return spec


def _choice(text: str) -> Spec | None:
    try:
        values = ast.literal_eval(f"[{text}]")
    except (ValueError, SyntaxError):
        return None
    simple = tuple(value for value in values if isinstance(value, (str, int, float, bool)) or value is None)
    return Choice(simple) if simple else None


def _one(text: str) -> Spec | None:
    parts = [text] if _ROW.match(text) else _alternatives(text)
    if len(parts) > 1:
        options = [_one(part) for part in parts if part]
        known = [option for option in options if option is not None]
        # Of something unknown or None, nothing is known.
        return either(known) if known and (len(known) == len(options) or known != [Nothing()]) else None
    pairs = _MAPPING.match(text)
    if pairs:
        return Dictionary(_one(pairs.group(1)) or Text(), _one(pairs.group(2)) or Anything())
    row = _ROW.match(text)
    places = [_one(part.strip()) for part in _commas(row.group(1))] if row else []
    if len(places) > 1 and all(place is not None for place in places):
        return Fixed(tuple(place for place in places if place is not None))
    inner = _OF.match(text)
    if inner and inner.group(1).lower() != "array":
        kind = inner.group(1).lower()
        item = _one(inner["after"] or inner["inside"]) or Anything()
        return Items(item, kind if kind in ("set", "tuple", "frozenset") else "list")
    return _word(text)


def _commas(text: str) -> list[str]:
    """The parts between the commas that stand in no brackets of their own."""
    parts, depth = [""], 0
    for char in text:
        depth += (char in "([") - (char in ")]")
        if char == "," and depth == 0:
            parts.append("")
        else:
            parts[-1] += char
    return [part for part in parts if part.strip()]


def _alternatives(text: str) -> list[str]:
    """The parts of `a or b`, `a | b`, `a, b`; what stands in brackets is left whole."""
    inside: list[str] = []

    def hide(match: re.Match[str]) -> str:
        inside.append(match.group())
        return f"\0{len(inside) - 1}\0"

    hidden = re.sub(r"\[[^\]]*\]+|\([^)]*\)", hide, text)
    parts = re.split(r"\s+or\s+|\s*\|\s*|\s*/\s*|\s*,\s*(?:or\s+)?", hidden)
    shown = [re.sub(r"\0(\d+)\0", lambda found: inside[int(found.group(1))], part) for part in parts if part]
    if len(shown) > 1 and ARRAY.search(shown[-1]):
        # What is said last is meant of all: `(2,) or (n, 2) array`.
        return [f"{part} array" if _BARE.fullmatch(part.strip()) else part for part in shown]
    return shown


def _word(text: str) -> Spec | None:
    simple = re.sub(r"^(an?|the|positive|non-negative|nonnegative|single|1-?d|2-?d)\s+", "", text.lower()).strip(
        " .,;:"
    )
    if simple in _WORDS:
        return _WORDS[simple]
    counted = re.fullmatch(r"([2-9])-tuples?", simple)
    if counted:
        return Fixed((Anything(),) * int(counted.group(1)))
    try:
        spec = specification(ast.parse(text, mode="eval").body)
    except (SyntaxError, ValueError, RecursionError):
        spec = None
    if spec is None and "(" in text:
        spec = _WORDS.get(text.split("(")[0].strip().lower())
    if spec is None or isinstance(spec, Array):
        spec = array_in_words(text) or spec
    return spec if spec is not None else _WORDS.get(simple.rsplit(".", 1)[-1])
