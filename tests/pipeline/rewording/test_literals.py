"""Texts that a function compares with stay as they are in its description, quoted or not."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.config import VaryConfig
from pipeline.rewording.asked import reword
from pipeline.rewording.protected import literal_words
from tests.harness.make_release import make_task

SOURCE = '''\
def kept(header: dict) -> dict:
    """Keep the items of a header whose authorization is allowed, as in from .headers import allowed.

    Each setting that follows another setting belongs to the header before it, and nothing else is hidden.
    """
    return {"items": header.get("authorization:")}
'''


@pytest.mark.parametrize("strategy", ["description_typo", "description_synonym"])
def test_no_variant_changes_what_the_function_names(strategy: str) -> None:
    task = make_task("kept", SOURCE, [({"authorization:": number},) for number in range(20)])
    rows = [row for seed in range(6) for row in reword(task, VaryConfig(seed, strategies=(strategy,), rate=1.0)) if not row.reason]
    assert len(rows) > 5 and all(row.instruction != task.instruction for row in rows)
    for row in rows:
        for kept in ("items", "authorization", "from .headers import allowed"):
            assert kept in row.instruction, row.instruction


def test_sentences_are_no_literals() -> None:
    assert literal_words('x = ["items", "a text of several words", "end:", "x-token", ""]') == {"items", "end", "x", "token"}
    assert literal_words("no program (") == frozenset()


def test_without_literals_the_words_may_change() -> None:
    task = make_task("kept", SOURCE, [({"authorization:": number},) for number in range(20)])
    free = replace(task, reference=task.reference.replace('"items"', "1").replace('"authorization:"', "2"))
    rows = [row for seed in range(6) for row in reword(free, VaryConfig(seed, strategies=("description_typo",), rate=1.0)) if not row.reason]
    assert any("authorization" not in row.instruction for row in rows)
