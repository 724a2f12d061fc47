"""Small tasks of many kinds of values, for which there are odd answers beside this file."""

from __future__ import annotations

from typing import Any

from harness.records import Task
from tests.harness.make_release import make_task

PARSE_DURATION = r'''import re


def parse_duration(text: str) -> int:
    """Return the number of seconds that a duration such as "1d2h30m15s" stands for.

    The units are d, h, m and s (days, hours, minutes, seconds), in this order and each at most once; each stands directly
    behind an unsigned whole number of ASCII digits, and there must be at least one. Letters may be capital, and white
    space around the text is ignored. Raises ValueError for every other text.
    """
    match = re.fullmatch(r"(?:([0-9]+)d)?(?:([0-9]+)h)?(?:([0-9]+)m)?(?:([0-9]+)s)?", text.strip().lower())
    if not match or not any(match.groups()):
        raise ValueError(f"not a duration: {text!r}")
    days, hours, minutes, seconds = (int(part or 0) for part in match.groups())
    return ((days * 24 + hours) * 60 + minutes) * 60 + seconds
'''
DURATIONS: list[tuple[Any, ...]] = [(text,) for text in (
    "1d2h30m15s", "45s", "2h", "90m", "1d", "0s", "1D2H", " 5m ", "10m30s", "1h1s", "100d", "007s", "3600s", "\t2d3m\n",
    "", "abc", "5", "h", "-5s", "1.5h", "5s10m", "1h 30m", "2h2h", "5x", "1d2h30m15", "s5",
)]

SHARE_OUT = '''def share_out(total: int, parts: int) -> tuple[int, ...]:
    """Return total divided into so many whole parts that differ by at most one, as a tuple with the larger ones first.

    Raises ValueError with the message "no parts" when parts is less than 1.
    """
    if parts < 1:
        raise ValueError("no parts")
    each, rest = divmod(total, parts)
    return (each + 1,) * rest + (each,) * (parts - rest)
'''
SHARES: list[tuple[Any, ...]] = [
    (10, 3), (9, 3), (0, 4), (1, 5), (7, 1), (100, 7), (-7, 3), (-1, 2), (5, 0), (5, -2), (0, 0), (2**70, 3), (3, 8), (11, 4), (64, 6),
]

SHARED_LETTERS = '''def shared_letters(words: list[str]) -> set[str]:
    """Return the set of the letters that occur in every word, in lower case and whatever their case in the words.

    Letters are the characters for which str.isalpha is true. Without words the set is empty.
    """
    if not words:
        return set()
    return set.intersection(*({letter for letter in word.lower() if letter.isalpha()} for word in words))
'''
WORDS: list[tuple[Any, ...]] = [(words,) for words in (
    [], ["apple"], ["Apple", "PLUM"], ["abc", "xyz"], ["level", "lever", "eleven"], ["a1b2", "b2c3"], [""], ["word", ""], ["Éa", "éb"],
    ["No on", "onion"], ["--", "--"], ["listen", "silent", "tinsel"], ["Zz", "zZ"], ["ab c", "c ba"],
)]

INVERT_INDEX = '''def invert_index(documents: dict[str, list[str]]) -> dict[str, list[str]]:
    """Return for each word the sorted names of the documents that have it, each name once.

    documents has the list of its words by the name of each document; words are compared as they are.
    """
    places = {}
    for name, words in documents.items():
        for word in words:
            places.setdefault(word, set()).add(name)
    return {word: sorted(names) for word, names in places.items()}
'''
DOCUMENTS: list[tuple[Any, ...]] = [(documents,) for documents in (
    {}, {"a": []}, {"a": ["x"]}, {"a": ["x", "x"]}, {"b": ["x"], "a": ["x"]}, {"a": ["x", "y"], "b": ["y", "z"]}, {"n": ["", " "]},
    {"b": ["z", "a", "z"], "a": ["a"], "c": []}, {"3": ["one"], "20": ["one"], "1": ["two"]}, {"d": ["Up", "up"], "e": ["UP"]},
    {"ä": ["ß"], "z": ["ß", "ö"]}, {"q": ["get", "items", "keys"], "p": ["keys"]},
)]

FLATTEN_LIST = '''def flatten_list(nested: list) -> list:
    """Return the items of nested in their order as one flat list.

    Lists and tuples within it, at any level, are replaced by their items; all else stays as it is.
    """
    flat = []
    for item in nested:
        if isinstance(item, (list, tuple)):
            flat.extend(flatten_list(item))
        else:
            flat.append(item)
    return flat
'''
NESTED: list[tuple[Any, ...]] = [(nested,) for nested in (
    [], [1], [[1]], [1, [2, [3, [4]]]], [[], [[]], [[[]]]], ["ab", ["cd"]], [(1, 2), [3]], [None, [True, [False]]], [1.5, [[2.5], 3.5]],
    [[[[["deep"]]]]], [[1, 2], [3, 4], [5]], ["", ("", [""])], [b"x", [b"yz"]],
)]

BALANCE_AFTER = '''def balance_after(principal: float, rate: float, years: int, deposit: float = 0.0) -> float:
    """Return what principal has grown to after so many years.

    Each year the interest comes first, which is the balance times rate (0.05 for five percent), and then deposit is added.
    """
    balance = float(principal)
    for _ in range(years):
        balance = balance * (1 + rate) + deposit
    return balance
'''
BALANCES: list[tuple[Any, ...]] = [
    (1000.0, 0.05, 1), (1000.0, 0.05, 3), (1000.0, 0.0, 4, 25.0), (0.0, 0.1, 5, 100.0), (250.5, 0.035, 10), (1e6, 0.01, 0), (1e6, -0.02, 7),
    (99.99, 0.2, 2, -10.0), (1.0, 1.0, 20), (5000.0, 0.045, 30, 12.5), (-100.0, 0.1, 3), (12.0, 0.07, 1, 0.5),
]

SMOOTH = '''import numpy as np


def smooth(values: list[float], width: int) -> list[float]:
    """Return the mean of each window of width neighbouring values, in order.

    The list is empty when there are fewer values than width. Raises ValueError when width is less than 1.
    """
    if width < 1:
        raise ValueError("width must be at least 1")
    if len(values) < width:
        return []
    return np.lib.stride_tricks.sliding_window_view(np.asarray(values, dtype=float), width).mean(axis=1).tolist()
'''
SERIES: list[tuple[Any, ...]] = [
    ([1.0, 2.0, 3.0], 2), ([1.0, 2.0, 3.0], 1), ([1.0, 2.0, 3.0], 3), ([1.0, 2.0, 3.0], 4), ([], 1), ([], 3), ([5.0], 1), ([1.0], 0),
    ([1.0, 2.0], -1), ([0.5, 0.25, 0.125, 4.0], 2), ([-1.0, 1.0, -1.0, 1.0], 2), ([10.0, 0.0, 20.0, 5.0, 5.0], 3), ([1e6, 2e6, 3e6], 2),
    ([0.1, 0.2, 0.3, 0.4, 0.5, 0.6], 4), ([7.0] * 9, 5),
]

TO_KEYPAD = '''def to_keypad(text: str) -> str:
    """Return the digits that spell text on the keypad of a telephone.

    The letters, of either case, are on these keys: ABC 2, DEF 3, GHI 4, JKL 5, MNO 6, PQRS 7, TUV 8, WXYZ 9. The digits 0 to 9
    stay as they are, a blank becomes 0, and all other characters are left out.
    """
    table = dict(zip("ABCDEFGHIJKLMNOPQRSTUVWXYZ 0123456789", "2223334445556667777888999900123456789"))
    return "".join(table.get(character if character > "z" else character.upper(), "") for character in text)
'''
SPELLED: list[tuple[Any, ...]] = [(text,) for text in (
    "", "hello", "HELLO", "Hello World", "2b or not 2b", "a-b-c", "pqrs wxyz", "0123456789", "!?", "  ", "Call 555-CODE", "naïve",
    "abcdefghijklmnopqrstuvwxyz", "Straße", "tab\tnew\nline", "x_y", "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
)]

IS_BALANCED = '''def is_balanced(text: str) -> bool:
    """Return whether the brackets (), [] and {} in text are closed in the right order; other characters don't count."""
    expected = []
    for character in text:
        if character in "([{":
            expected.append(")]}"["([{".index(character)])
        elif character in ")]}" and (not expected or expected.pop() != character):
            return False
    return not expected
'''
BRACKETS: list[tuple[Any, ...]] = [(text,) for text in (
    "", "()", "([]{})", "(]", "(", ")", "a(b)c", "f(x[1], {2: 3})", "([)]", "{[}", "((((", "))))", "no brackets", ")(", "[[[]]]", "{}{}()",
    "(a]b)", "if (x) { y[0] = '('; }",
)]

TASKS: dict[str, Task] = {
    task.entry_point: task
    for task in (
        make_task("parse_duration", PARSE_DURATION, DURATIONS, "wsc-python", ("re",)),
        make_task("share_out", SHARE_OUT, SHARES),
        make_task("shared_letters", SHARED_LETTERS, WORDS),
        make_task("invert_index", INVERT_INDEX, DOCUMENTS),
        make_task("flatten_list", FLATTEN_LIST, NESTED),
        make_task("balance_after", BALANCE_AFTER, BALANCES),
        make_task("smooth", SMOOTH, SERIES, "wsc-python", ("numpy",)),
        make_task("to_keypad", TO_KEYPAD, SPELLED),
        make_task("is_balanced", IS_BALANCED, BRACKETS),
    )
}
