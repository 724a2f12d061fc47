"""Magic constants: which constants of a body neither the words of an instruction tell nor its examples show."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from itertools import chain
from typing import Any

from pipeline.instruct.constants import Constant, constants
from pipeline.instruct.drafts import View

MAX_PATTERN_PARTS = 4
"""Parts of a regular expression that words may tell; a longer one must stand there as it is."""
SIGNS = {
    " ": "space whitespace blank", "\n": "newline line", "\t": "tab whitespace", "\r": "carriage newline line",
    "-": "hyphen dash minus", "_": "underscore", ".": "dot period", ",": "comma", ":": "colon", ";": "semicolon",
    "/": "slash", "\\": "backslash", "#": "hash pound", "'": "quote apostrophe", '"': "quote", "`": "backtick",
    "*": "asterisk star", "%": "percent", "&": "ampersand", "=": "equal equals", "+": "plus", "|": "pipe bar",
    "(": "parenthesis parentheses bracket", ")": "parenthesis parentheses bracket", "[": "bracket", "]": "bracket",
    "{": "brace", "}": "brace", "<": "angle", ">": "angle", "~": "tilde", "$": "dollar", "!": "exclamation",
    "?": "question", "^": "caret", "…": "ellipsis", "...": "ellipsis", "\n\n": "paragraph",
}
"""What signs are called."""
NUMBERS = {
    2: "two twice double half", 3: "three third triple", 4: "four fourth", 5: "five fifth", 6: "six sixth",
    7: "seven", 8: "eight", 9: "nine", 10: "ten tenth", 12: "twelve", 16: "sixteen hex hexadecimal", 60: "sixty",
    100: "hundred percent percentage", 1000: "thousand", 1_000_000: "million", 0.5: "half",
}
"""What numbers are called."""
_FREE_REPEATS = ("0", "1", "MAXREPEAT")
_PUNCTUATION = frozenset(".,:;-'\"()/!?")


def constants_are_told(view: View) -> str:
    """Every text and number that can influence the answer stands in the text or is visible in the examples."""
    every = chain.from_iterable(map(constants, view.written))
    found = dict.fromkeys(repr(constant.value) for constant in every if not _is_told(constant, view))
    return f"Nothing tells of {', '.join(list(found)[:8])}." if found else ""


def _is_told(constant: Constant, view: View) -> bool:
    value = constant.value
    if isinstance(value, (int, float, complex)):
        return _number_is_told(value, view) or (constant.role == "value" and _is_answer(value, view))
    if isinstance(value, bytes):
        return repr(value)[2:-1] in view.said + view.shown
    text = str(value)
    if constant.role == "pattern":
        return text in view.said or _pattern_is_told(text, view)
    if constant.role == "format":
        return re.search(r"\d", view.answers) is not None
    return _text_is_told(text, constant.role, view)


def _number_is_told(value: float | complex, view: View) -> bool:
    """Whether a number stands in the words, in digits or by its name."""
    digits = re.escape(repr(value).removesuffix(".0"))
    spaced = view.said.replace(",", "").replace("%", " ").replace("_", " ")
    if re.search(rf"(?<![\w.]){digits}(?:\.0)?(?:(?![\w]|\.\d)|-?[dD]\b)", spaced):
        return True
    return any(value == number and _is_called(names, view) for number, names in NUMBERS.items())


def _is_answer(value: float | complex, view: View) -> bool:
    """Whether a number is an answer, or a part of one, in some example."""
    return re.search(rf"(?<![\w.-]){re.escape(repr(value))}(?![\w.])", view.answers) is not None


def _text_is_told(text: str, role: str, view: View) -> bool:
    """Longer texts stand somewhere as they are; signs may be told by their names; what is returned may be shown."""
    if _is_called(SIGNS.get(text, ""), view) or _stands_in(text, view.said):
        return True
    if role in ("compared", "key"):
        return _signs_are_told(text, view)
    escaped, answers = repr(text)[1:-1], view.answers
    if f"'{escaped}'" in answers or f'"{escaped}"' in answers:
        return True
    if role in ("piece", "arithmetic"):
        return all((len(piece) >= 2 and (piece in answers or piece in view.said)) or _signs_are_told(piece, view)
                   for piece in re.split(r"%[-+ #0-9.]*[a-z]", escaped) if piece)
    stripped = escaped.strip()
    return (len(stripped) >= 3 and _stands_in(stripped, answers)) or _signs_are_told(text, view)


def _signs_are_told(text: str, view: View) -> bool:
    """Whether each sign of a text without letters is told by its name."""
    return not text.isalnum() and all(_is_called(SIGNS.get(sign, ""), view) for sign in text)


def _is_called(names: str, view: View) -> bool:
    """Whether the words have one of some names, in the singular or the plural."""
    return bool(names) and _either_of(names).search(view.said.replace("_", " ")) is not None


@cache
def _either_of(names: str) -> re.Pattern[str]:
    return re.compile(rf"(?i)\b(?:{'|'.join(names.split())})s?\b")


def _stands_in(text: str, said: str) -> bool:
    """Whether a text stands there as itself: ordinary punctuation only in quotes, words only as whole words."""
    if text.isspace():
        return False
    if len(text) == 1 and text in _PUNCTUATION:
        return any(f"{quote}{text}{quote}" in said for quote in ("'", '"', "`"))
    if not any(sign.isalnum() for sign in text):
        return text in said
    return re.search(rf"(?<![A-Za-z0-9_]){re.escape(text)}(?![A-Za-z0-9_])", said) is not None


def _pattern_is_told(pattern: str, view: View) -> bool:
    """Whether each constant of a short regular expression is told; classes such as digits are no constants."""
    try:
        parts = list(_parts(re._parser.parse(pattern)))  # type: ignore[attr-defined]
    except re.error:
        return False
    return len(parts) <= MAX_PATTERN_PARTS and all(
        _number_is_told(part, view) if isinstance(part, int) else not part or _text_is_told(part, "compared", view)
        for part in parts)


def _parts(parsed: Any) -> Iterator[str | int]:
    """The parts of a parsed pattern: its plain texts and numbers of repetitions; "" for classes and the rest."""
    run = ""
    for code, argument in parsed:
        name = str(code)
        if name == "LITERAL":
            run += chr(argument)
            continue
        if run:
            yield run
        run = ""
        if name == "IN":
            yield from (chr(value) if str(kind) == "LITERAL" else "" for kind, value in argument)
        elif name in ("MAX_REPEAT", "MIN_REPEAT", "POSSESSIVE_REPEAT"):
            yield from (int(number) for number in sorted(set(argument[:2])) if str(number) not in _FREE_REPEATS)
            yield from _parts(argument[2])
        elif name == "SUBPATTERN":
            yield from _parts(argument[3])
        elif name == "BRANCH":
            for branch in argument[1]:
                yield from _parts(branch)
        elif name != "AT":
            yield ""
    if run:
        yield run
