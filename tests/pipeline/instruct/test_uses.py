"""Sentences on what constants and conditions are for: what they say, and when they stay silent."""

from __future__ import annotations

import pytest

from pipeline.instruct.constants import constants
from pipeline.instruct.decisions import decisions
from pipeline.instruct.uses import Uses
from pipeline.languages.python_facts import read_facts


def told(body: str, signature: str = "text, limit") -> list[str]:
    """All sentences on a function's constants and conditions."""
    facts = read_facts(f"import re\n\n\ndef f({signature}):\n" + "".join(f"    {line}\n" for line in body.split("\n")), "f")
    uses = Uses(facts)
    return list(dict.fromkeys(
        use.sentence for use in uses.of_constants(constants(facts)) + uses.of_decisions(decisions(facts))))


SAID = {
    "a number that is compared": (
        "if len(text) > 80:\n    return text[:limit]\nreturn text",
        ["Where the length of `text` is greater than 80, the part of `text` before position `limit` is returned."]),
    "a negated condition": (
        "if not text.startswith('#'):\n    return None\nreturn text", ["Where `text` does not start with '#', None is returned."]),
    "an intermediate value": (
        "ratio = 0\nfor c in text:\n    ratio += 5\nreturn ratio", ["The intermediate `ratio` grows by 5."]),
    "arithmetic": ("return (len(text) + 2) * limit", ["The answer is (the length of `text` plus 2) times `limit`."]),
    "a pattern": (
        "return re.sub('[b-y]+x', '', text)",
        ["Each match of the regular expression '[b-y]+x' in `text` is replaced by ''."]),
    "a template": (
        "size = len(text)\nreturn f'{size:03d} of {limit + size}'",
        ["A text of the form '{size:03d} of {…}' is put together."]),
    "a table": ("return {'a': 7, 'b': 9}.get(text, limit)", ["A table has 7 for 'a', 9 for 'b'."]),
    "what an or stands in for": ("return text or 'none'", ["Where `text` is falsy, 'none' is used in its place."]),
    "one of two": ("return 'many' if limit > 7 else 'few'", ["Where `limit` is greater than 7, 'many' is used, else 'few'."]),
    "what is added": (
        "found = []\nfor word in text.split():\n    if word == 'stop':\n        break\n    found.append(word + ';')\nreturn found",
        ["Where the current word of `text` equals 'stop', the loop ends.",
         "The current word of `text` plus ';' is added at the end of the intermediate `found`."]),
    "a filter": (
        "return [word for word in text if word > limit]",
        ["Only elements are taken for which the current element of `text` is greater than `limit`."]),
    "a range": ("return [limit % i for i in range(2, limit)]", [
        "The whole numbers from 2 up to, but without, `limit` are gone through."]),
}


@pytest.mark.parametrize(("body", "sentences"), SAID.values(), ids=SAID.keys())
def test_what_a_part_is_for(body: str, sentences: list[str]) -> None:
    assert [sentence for sentence in told(body) if sentence in sentences] == sentences


@pytest.mark.parametrize(("test", "words"), [
    ("not text.strip() or text.startswith(':')", "`text` without whitespace around it is falsy or `text` starts with ':'"),
    ("not (limit > 3 and text)", "not (`limit` is greater than 3 and `text` is truthy)"),
    ("limit > 3 and (not text or limit == 7)", "`limit` is greater than 3 and (`text` is falsy or `limit` equals 7)"),
    ("limit not in (5, 6)", "`limit` is none of 5, 6"),
])
def test_not_reaches_as_far_as_it_does_in_the_code(test: str, words: str) -> None:
    assert f"Where {words}, None is returned." in told(f"if {test}:\n    return None\nreturn text")


def test_what_stands_around_a_branch_is_told() -> None:
    body = "if limit > 3:\n    if text == 'a':\n        return 'b'\nelif text == 'c':\n    return 'd'\nreturn text"
    assert "Where `limit` is greater than 3 and besides `text` equals 'a', 'b' is returned." in told(body)
    assert "Otherwise, where `text` equals 'c', 'd' is returned." in told(body)


@pytest.mark.parametrize("body", [
    "q = 0\nfor c in text:\n    q = hash((q, 77))\nreturn q",
    "return max(text, key=lambda c: (c != '~', c))",
    "return [*text, 5]",
])
def test_what_words_don_t_reach_is_not_told(body: str) -> None:
    assert not [sentence for sentence in told(body) if "77" in sentence or "~" in sentence or "5" in sentence]


def test_a_constant_of_which_one_place_is_beyond_words_is_not_told() -> None:
    assert not told("a = limit + 7\nreturn [*text, 7, a]")


def test_names_of_the_outside_are_no_intermediate_values() -> None:
    assert not told("return text * THING + 'x'")
