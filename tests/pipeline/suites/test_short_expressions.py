"""Functions that a short expression of the language gives are told by their suites, others are not."""

from __future__ import annotations

import pytest

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites.drafts import Refused
from pipeline.suites.sandbox.start import build_suites
from tests.pipeline.suites.programs import request

SHORT = {
    "each once": '''
def f(words: list[str]) -> list[str]:
    """Each word once, where it comes first."""
    seen = []
    for word in words:
        if word not in seen:
            seen.append(word)
    return seen
''',
    "chosen keys": '''
def f(table: dict[str, int], keys: list[str]) -> dict[str, int]:
    """The entries of some keys."""
    found = {}
    for key, value in table.items():
        if key in keys:
            found[key] = value
    return found
''',
    "a guard before an idiom": '''
def f(text: str) -> str:
    """What stands before a colon in capitals, the text itself where there is none."""
    place = text.find(":")
    if place < 0:
        return text
    return text[:place].upper()
''',
}
LONG = {
    "a change of the argument": '''
def f(words: list[str]) -> int:
    """One more than there are words, which are put in order and shortened in place."""
    words.sort()
    for place, word in enumerate(words):
        if len(word) > 2:
            words[place] = word[:2]
    return len(words) + 1
''',
    "pieces": '''
def f(text: str, size: int = 3) -> list[str]:
    """The pieces of a text, the last one may be shorter."""
    pieces = []
    if size < 1:
        size = 1
    for start in range(0, len(text), size):
        pieces.append(text[start:start + size])
    return pieces
''',
    "runs": '''
def f(numbers: list[int]) -> list[tuple[int, int]]:
    """How often each number comes in a row."""
    runs = []
    for number in numbers:
        if runs and runs[-1][0] == number:
            runs[-1] = (number, runs[-1][1] + 1)
        else:
            runs.append((number, 1))
    return runs
''',
}


@pytest.mark.parametrize("name", SHORT)
def test_a_function_that_a_short_expression_gives_is_trivial(name: str, machine: Machine) -> None:
    (made,) = build_suites([request(SHORT[name])], SuiteConfig(cases=80), machine)
    assert isinstance(made, Refused) and made.reason == "trivial"
    assert made.evidence.endswith("cases")


@pytest.mark.parametrize("name", LONG)
def test_what_takes_more_is_not(name: str, machine: Machine) -> None:
    (made,) = build_suites([request(LONG[name])], SuiteConfig(cases=80), machine)
    assert not isinstance(made, Refused), made.evidence
