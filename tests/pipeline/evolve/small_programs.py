"""Small programs for property tests: functions of a list, a number and a text that end, and do the same each time."""

from __future__ import annotations

from textwrap import indent

from hypothesis import strategies as st

from harness.languages import Call
from harness.values import encode

ENTRY = "solve"
CALLS = [
    Call([encode(items), encode(number), encode(text)], {}, 1.0)
    for items, number, text in (
        ([], 0, ""), ([1], 1, "a"), ([3, -1, 2], 2, "ab c"), ([0, 0, 5, 5], -3, "Zz"), ([7, 8, 9], 10, "x-y-z"),
        ([2**40, -(2**33)], 3, "äöü"))]
"""What the programs are called with."""

NUMBERS = st.recursive(
    st.sampled_from(["number", "total", "len(items)", "len(text)", "len(found)"]) | st.integers(-3, 12).map(str),
    lambda inner: st.one_of(
        st.builds("({} {} {})".format, inner, st.sampled_from(["+", "-", "*"]), inner),
        st.builds("({} % 7)".format, inner), st.builds("abs({})".format, inner), st.builds("step({})".format, inner),
        st.builds("({} if {} > 2 else {})".format, inner, inner, inner), st.builds("max({}, {})".format, inner, inner),
        st.builds("sum(items[:{}])".format, inner), st.builds("({} // {})".format, inner, inner)),
    max_leaves=4)
TESTS = st.one_of(
    st.builds("{} {} {}".format, NUMBERS, st.sampled_from(["<", "==", ">=", "!="]), NUMBERS),
    st.builds("not {}".format, st.sampled_from(["items", "text", "found", "flag"])),
    st.builds("{} > 1 and {} in text".format, NUMBERS, st.sampled_from(["'a'", "' '", "'z'"])),
    st.sampled_from(["flag", "items and items[0] > number", "text.isalpha() or number > 4"]))
SIMPLE = st.one_of(
    st.builds("total = {}".format, NUMBERS), st.builds("total += {}".format, NUMBERS),
    st.builds("found.append({})".format, NUMBERS), st.builds("flag = {}".format, TESTS),
    st.builds("found += [{}]".format, NUMBERS), st.builds("text += {}".format, st.sampled_from(["'b'", "'-'"])),
    st.builds("number -= {}".format, st.integers(1, 9)),
    st.builds("found = [item + {} for item in items if {}]".format, NUMBERS, TESTS),
    st.builds("return {}".format, st.sampled_from(["total", "found", "text, total", "flag"])),
    st.builds("raise ValueError({})".format, st.sampled_from(["'refused'", "text"])))


def _block(lines: list[str]) -> str:
    return indent("\n".join(lines) or "pass", "    ")


def _with_blocks(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    block = st.lists(inner, min_size=1, max_size=3).map(_block)
    return st.one_of(
        st.builds("if {}:\n{}".format, TESTS, block), st.builds("if {}:\n{}\nelse:\n{}".format, TESTS, block, block),
        st.builds("if {}:\n{}\nelif {}:\n{}".format, TESTS, block, TESTS, block),
        st.builds("for item in items:\n{}".format, block), st.builds("for place, item in enumerate(items):\n{}".format, block),
        st.builds("for item in items:\n{}\n    if {}:\n        break\nelse:\n{}".format, block, TESTS, block),
        st.builds("for letter in text:\n{}\n    if letter == 'a':\n        continue\n    found.append(letter)".format, block),
        st.builds("left = {}\nwhile left > 0:\n    left -= 1\n{}".format, st.integers(0, 4), block),
        st.builds("try:\n{}\nexcept ZeroDivisionError:\n{}".format, block, block))


STATEMENTS = st.recursive(SIMPLE, _with_blocks, max_leaves=6)


def _program(helper: str, lines: list[str], last: str) -> str:
    body = _block(["total, flag, found = 0, False, []", *lines, f"return {last}"])
    return f"def step(value):\n    if value > 9:\n        return value - 9\n    return {helper}\n\n\n" \
           f"def {ENTRY}(items, number, text):\n{body}\n"


PROGRAMS = st.builds(
    _program, st.sampled_from(["value + 1", "value * value % 11", "-value"]),
    st.lists(STATEMENTS, min_size=2, max_size=5), st.sampled_from(["total", "found, text", "(flag, number, total)"]))
"""Texts of programs."""
