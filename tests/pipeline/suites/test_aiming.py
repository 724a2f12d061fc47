"""Aiming: operands of tests are turned back to where they come from, so that branches are taken which chance misses."""

from __future__ import annotations

import unicodedata
from typing import Any

import pytest

from harness.languages import Machine
from pipeline.suites.drafts import Draft
from pipeline.suites.search.correspondence import Inverses, Wish, changes, entries, parts, with_part
from tests.pipeline.suites.programs import searched, takes_all_branches

PROGRAMS = {
    "a code point that is shifted": '''
        def jamo(text: str) -> int:
            """Sum up what the letters count."""
            total = 0
            for letter in text:
                place = ord(letter) - 0x1100
                if 0 <= place < 19:
                    total += place * 588
                elif place == 7321:
                    return -1
            return total
    ''',
    "letters that are shifted": '''
        def door(key: str) -> bool:
            """Whether the key opens."""
            if "".join(chr(ord(letter) + 2) for letter in key) == "ugucog":
                return True
            return False
    ''',
    "a text built from another parameter": '''
        def block(content: str, tag: str) -> str:
            """What stands in a block."""
            start = content.find(f"{{% {tag} %}}")
            if start < 0:
                return ""
            end = content.find(f"{{% end{tag} %}}", start)
            if end < 0:
                raise ValueError("unclosed")
            return content[start:end]
    ''',
    "two terms of a sum": '''
        def slot(row: int, column: int) -> str:
            """Where a cell is."""
            if 1013 * row + 7 * column == 1000003:
                return "last"
            return "inside"
    ''',
    "a difference within a bound": '''
        def gap(low: int, high: int) -> int:
            """How far two numbers are apart."""
            if high - low == 7777 and low > 50001:
                return 0
            return high + low
    ''',
    "a length after a transformation": '''
        def code(text: str) -> str:
            """What kind of number it is."""
            digits = "".join(letter for letter in text if letter.isdigit())
            if len(digits) == 117:
                return "long"
            return digits[:5]
    ''',
    "properties of characters": '''
        import unicodedata

        def width(text: str) -> int:
            """Columns of a text."""
            total = 0
            for letter in text:
                if unicodedata.category(letter) == "Zl":
                    total += 100
                elif unicodedata.bidirectional(letter) == "AN":
                    total += 1
            return total
    ''',
    "a property and not another": '''
        def kind(text: str) -> str:
            """What kind of number a text is."""
            if text.isnumeric() and not text.isdecimal():
                return "fraction"
            return "other"
    ''',
    "a mark inside of a code": '''
        import base64

        def payload(token: str) -> str:
            """What a token says."""
            try:
                said = base64.b64decode(token, validate=True).decode("latin-1")
            except ValueError:
                return ""
            if said[2:8] == "KEY-7:":
                return said[8:]
            return "none"
    ''',
    "a key that another key names": '''
        def chosen(settings: dict) -> str:
            """The target that the settings choose."""
            kind = settings["kind"]
            target = settings[kind + "-target"]
            if target == "self-9":
                return kind
            return "other"
    ''',
}


@pytest.fixture(scope="module")
def made(machine: Machine) -> dict[str, Draft]:
    return searched(PROGRAMS, machine)


@pytest.mark.parametrize("name", PROGRAMS)
def test_branches_that_chance_misses_are_taken(made: dict[str, Draft], name: str) -> None:
    assert takes_all_branches(made[name]), made[name]


@pytest.mark.parametrize(("part", "seen", "wanted", "new"), [
    ("5 minutes", "minutes", "hours", "5 hours"),
    ("ABC-1", "abc", "xyz", "xyz-1"),
    ("olleh", "hello", "world", "dlrow"),
    ("read_me", "read-me", "do-it", "do_it"),
    ("616263", "abc", "MZ", "4d5a"),
    ("YWJj", "abc", "user:", "dXNlcjo="),
    ("a%20b", "a b", "caf\u00e9", "caf%C3%A9"),
    ("1 2 3", "123", "45", "45"),
    ("div", "<div>", "<p>", "p"),
    (b"\x00abc", "abc", "ELF", b"\x00ELF"),
    (7, 7, 12, 12),
    (3, "item-3", "item-14", 14),
])  # fmt: skip
def test_what_was_seen_is_turned_back(part: Any, seen: Any, wanted: Any, new: Any) -> None:
    assert {"value": new, "other": None} in list(changes({"value": part, "other": None}, Wish(seen, wanted)))


def test_parts_and_keys_are_found_and_replaced() -> None:
    value = {"x": {"key": [1, ("two", 3)]}}
    ways = {repr(part): way for way, part in parts(value)}
    assert with_part(value, ways["'two'"], 2) == {"x": {"key": [1, (2, 3)]}}
    assert with_part(value, ways["'key'"], "name") == {"x": {"name": [1, ("two", 3)]}}
    assert value == {"x": {"key": [1, ("two", 3)]}}


def test_a_container_gets_what_was_looked_for() -> None:
    assert {"x": {"a": 1, "b": 1}} in list(entries({"x": {"a": 1}}, {"a": 1}, "b", ()))
    assert {"x": [[1], [1, 2]]} not in list(entries({"x": [[1], [3]]}, [1], 2, ()))
    assert {"x": [[1, 2], [3]]} in list(entries({"x": [[1], [3]]}, [1], 2, ()))


def test_an_argument_is_found_by_its_answer() -> None:
    found = Inverses().of([unicodedata.category], lambda text: len(text) == 1 and unicodedata.category(text) == "Lm", ())
    assert [unicodedata.category(text) for text in found] == ["Lm"]


def test_arguments_of_each_sort_are_found() -> None:
    found = list(Inverses().of([str.isnumeric, str.isdecimal], lambda text: not text.isdecimal(), ()))
    assert {text.isnumeric() for text in found} == {True, False}
