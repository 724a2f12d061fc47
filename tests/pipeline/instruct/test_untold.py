"""Constants: which of a body's matter, and what tells them: words, names of signs and numbers, examples."""

from __future__ import annotations

from typing import Any

import pytest

from pipeline.instruct.checks.untold import constants_are_told
from pipeline.instruct.constants import constants, literals
from pipeline.languages.python.facts import read_facts
from tests.pipeline.instruct.making import documented, view_of


def of_body(body: str) -> list[tuple[Any, str]]:
    facts = read_facts(documented("D.", body, "x, y"), "slug")
    return [(constant.value, constant.role) for constant in constants(facts)]


ROLES = {
    "what is returned": ("return 'ab'", [("ab", "value")]),
    "what is computed with": ("return x * 7 + 2.5", [(7, "arithmetic"), (2.5, "arithmetic")]),
    "a negative number": ("return max(x, -7)", [(7, "value")]),
    "a bound of a slice": ("return x[3:-4]", [(3, "key"), (4, "key")]),
    "a key": ("return x['a'], x.get('b', 'c')", [("a", "key"), ("b", "key"), ("c", "value")]),
    "a key of a mapping that is made": ("return {'a': 'b'}", [("a", "key"), ("b", "value")]),
    "what is compared": ("return x == 'a' or y in ('b', 'c')", [("a", "compared"), ("b", "compared"), ("c", "compared")]),
    "what a pattern of match is": ("match x:\n    case 'a':\n        return y", [("a", "compared")]),
    "an argument of a comparing method": ("return x.startswith('a')", [("a", "compared")]),
    "the signs of a loop": ("for sign in '|~':\n    x = x.strip(sign)\nreturn x", [("|~", "compared")]),
    "what joins": ("return ', '.join(x)", [(", ", "piece")]),
    "a piece of a formatted text": ("return f'{x}: {y:.2f}'", [(": ", "piece"), (".2f", "format")]),
    "a regular expression": ("return re.sub('a+', 'b', x)", [("a+", "pattern"), ("b", "value")]),
    "a regular expression's method of another thing": ("return x.sub('a+', 'b')", [("a+", "value"), ("b", "value")]),
    "an option": ("return sorted(x, key=y, reverse=True)[::5]", [(5, "key")]),
    "what is only cast": ("return cast('list[str]', x)[0]", []),
    "small numbers and harmless texts": ("return x[1:], x + 1, -1, '', x.encode('utf-8')", []),
    "yes, no and nothing": ("return x is None or y is True", []),
    "the length of a prefix": ("if x.startswith('abc'):\n    return x[3:]\nreturn x", [("abc", "compared")]),
    "messages": ("if not x:\n    raise ValueError('no x')\nassert y, 'no y'\nreturn x", []),
    "a message in a name": ("m = 'no x'\nif not x:\n    raise ValueError(m)\nreturn x", []),
    "a text that is raised and returned": ("m = 'no x'\nif not x:\n    raise ValueError(m)\nreturn m", [("no x", "value")]),
    "annotations": ("z: 'list[int]' = x\nreturn z", []),
}


@pytest.mark.parametrize(("body", "found"), ROLES.values(), ids=ROLES)
def test_constants_and_what_they_are_for(body: str, found: list[tuple[Any, str]]) -> None:
    assert of_body(body) == found


def test_literals_are_all_constants() -> None:
    facts = read_facts(documented("D.", "return x[1:] + 'a' if y else None", "x, y"), "slug")
    assert literals(facts) == {"1", "'a'", "None"}


def untold(body: str, doc: str, text: str = "ab cd", limit: Any = 2) -> str:
    program = "import re\n" + documented(doc, body)
    return constants_are_told(view_of(program, [(text, limit), ("xyz 77", limit)])).removeprefix("Nothing tells of ").rstrip(".")


TOLD = {
    "a sign by its name": ('return text.split(";")[:limit]', "Pieces between semicolons."),
    "a sign in quotes": ('return text.split(";")[:limit]', "Pieces between ';'."),
    "several signs by their names": ('return text.split(" - ")[:limit]', "Pieces between hyphens with a space on each side."),
    "a number by its name": ("return text[:limit * 100]", "The first hundred times so many."),
    "a number in digits": ("return text[:limit * 4096]", "The first 4,096 times so many."),
    "a number of dimensions": ("return text[:limit * 23]", "For 23D."),
    "a text in quotes": ('return text.replace("abc", "")', "Leaves out 'abc'."),
    "a text as a word": ('return text == "draft"', "Whether it is draft."),
    "a key as a word": ("return {'head': text}['head'][:limit]", "What the head begins with."),
    "an answer in an example": ("return 'long' if len(text) > 5 else 'short'", "More than 5 or not."),
    "a number in an example": ("return [len(text), 33]", "Numbers."),
    "pieces in an example": ("return f'is {text}...'", "Mark it, with an ellipsis behind it."),
    "a format with digits": ("return f'{limit:.3f}'", "So."),
    "bytes": ("return text.encode() + b'xyz'", "With xyz behind it."),
    "a pattern of classes": ("return re.sub(r'\\s+', '', text)", "Without it."),
    "a pattern with a sign": ("return re.findall(r'\\d+-\\d+', text)", "Numbers with a hyphen between them."),
    "a pattern with a count": ("return re.sub(r'\\n{3,}', '', text)", "Three newlines and more go."),
    "a pattern with a choice": ("return re.sub('(;|,)', '', text)", "Without semicolons and commas."),
    "a pattern as it is": ("return re.sub('[b-y]{2,3}x', '', text)", "Without [b-y]{2,3}x."),
}


@pytest.mark.parametrize(("body", "doc"), TOLD.values(), ids=TOLD)
def test_a_constant_is_told(body: str, doc: str) -> None:
    assert untold(body, doc) == ""


UNTOLD = {
    "a sign": ('return text.split(";")[:limit]', "Pieces of it.", "';'"),
    "a sign that ends a sentence": ('return text.split(".")[:limit]', "Pieces of it.", "'.'"),
    "one of several signs": ('return text.split(" - ")[:limit]', "Pieces between hyphens.", "' - '"),
    "a number": ("return text[:limit * 37]", "So many of it, 3 and 7.", "37"),
    "a number inside another one": ("return text[:limit * 37]", "So many of it, 137 or 3.37.", "37"),
    "a text that is compared": ("return 'draft' if text == 'draft' else ''", "Give it back or not.", "'draft'"),
    "a text inside a word": ("return text == 'raft'", "Whether it is draft.", "'raft'"),
    "a key": ("return {'zz': text}['zz'][:limit]", "The first of it.", "'zz'"),
    "a pattern": ("return re.sub('[b-y]{2,3}x', '', text)[:limit]", "Without it.", "'[b-y]{2,3}x'"),
    "a count in a pattern": ("return re.sub(r'\\d{5}', '', text)", "Without digits.", "'\\\\d{5}'"),
    "a pattern of many parts": ("return re.findall(r'\\d\\s\\w\\d\\s', text)", "What is found.", "'\\\\d\\\\s\\\\w\\\\d\\\\s'"),
    "signs in a loop": ("if any(sign in text for sign in '|~'):\n    return text * 1\nreturn text[:limit]", "Or once.", "'|~'"),
    "digits of a rounding": ("return round(limit / 7, 3)", "Rounded.", "7, 3"),
    "bytes": ("return text.encode()[:1] + b'qq' * 0", "With more behind it.", "b'qq'"),
}


@pytest.mark.parametrize(("body", "doc", "evidence"), UNTOLD.values(), ids=UNTOLD)
def test_a_constant_is_not_told(body: str, doc: str, evidence: str) -> None:
    assert untold(body, doc) == evidence


def test_each_constant_is_named_once_and_eight_at_most() -> None:
    body = "return [limit * 21, limit * 21, " + ", ".join(f"limit * {n}" for n in range(22, 35)) + "]"
    assert untold(body, "So.") == ", ".join(str(n) for n in range(21, 29))
