"""Tasks whose questions are put otherwise: a small one of our own, and those of the demo."""

from __future__ import annotations

import copy
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from harness.records import Case, Task
from harness.releases.dataset import load_release
from harness.values import encode
from tests.harness.make_release import answer_of, make_task
from tests.pipeline.suites.conftest import machine

__all__ = ["machine"]

JOIN = '''\
import re


def join_words(words: list[str], separator: str = " ", *, max_length: int = 80) -> str:
    """Collect the words of a list into one text, without changing their order.

    A word that begins with a hyphen is dropped, and so is an empty one. If the text has more than `max_length`
    characters, it does not stay whole: what is behind the last word that fits is left out. The separator is not
    put in front of the first word.

    Args:
        words: The words, which aren't changed.
        separator: What stands between two words.
        max_length: The limit on the length, at least 1.

    Returns:
        The text, for example `a b`.

    Raises:
        ValueError: If max_length is negative.

    Examples:
        >>> join_words(['a', 'b'])
        'a b'

        >>> join_words(['-x', 'tea', ''], '+', max_length=9)
        'tea'
    """
    if max_length < 0:
        raise ValueError("max_length is negative")
    text = ""
    for word in words:
        if not word or re.match("-", word):
            continue
        longer = f"{text}{separator}{word}" if text else word
        if len(longer) > max_length:
            break
        text = longer
    return text
'''
JOIN_INPUTS: Sequence[tuple[list[str], str, int]] = [
    (words, separator, length) for words in (["a", "b"], ["-x", "tea", ""], [], ["one", "two", "three"], ["", "ab"])
    for separator in (" ", "+", "") for length in (80, 9, 4, -1)]


def make_join() -> Task:
    task = make_task("join_words", JOIN, [(["a", "b"],)])
    space: dict[str, Any] = {}
    exec(JOIN, space)

    def called(words: list[str], separator: str, length: int) -> str:
        return str(space["join_words"](words, separator, max_length=length))

    further = tuple(
        Case((encode(words), encode(separator)), {"max_length": encode(length)}, answer_of(called, copy.deepcopy((words, separator, length))))
        for words, separator, length in JOIN_INPUTS)
    return replace(task, cases=(*task.cases, *further))


@pytest.fixture(scope="session")
def join() -> Task:
    return make_join()


@pytest.fixture(scope="session")
def demo() -> Sequence[Task]:
    return load_release("demo").tasks
