"""A maintainer's examples are shown as the maintainer has written them."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pipeline.config import InstructConfig
from pipeline.instruct.drafts import Draft
from pipeline.instruct.writers.maintainer import MaintainerWriter
from pipeline.records import Curated
from tests.pipeline.instruct.making import facts_of
from tests.pipeline.making import suite

PROGRAM = "def cut(text, limit=8):\n    return text[:limit]\n"
ALIKE = [("a long word",), ("a long word", 8), ("another word", 3), ("a word more", 8)]


@pytest.mark.parametrize("inputs", [ALIKE, ALIKE[::-1]], ids=["first", "last"])
@pytest.mark.parametrize("written", ["'a long word'", "'a long word', 8"], ids=["left out", "written out"])
def test_a_default_is_left_out_where_the_maintainer_leaves_it_out(inputs: list[tuple[object, ...]], written: str) -> None:
    """Cases that pass the same differ in what they leave to defaults; their order says nothing of which is shown."""
    draft = drafted(inputs, written, "'another word', limit=3", "'a word more'")
    assert not isinstance(draft, str)
    assert f">>> cut({written})\n" in draft.text
    assert ">>> cut('another word', 3)\n" in draft.text, "a case in another form is as good where there is no other"
    assert ">>> cut('a word more', 8)\n" in draft.text


def test_a_call_that_is_no_case_is_told() -> None:
    assert drafted(ALIKE, "'a longer word'") == "'a longer word'"


def drafted(inputs: list[tuple[object, ...]], *examples: str) -> Draft | str:
    made = suite(PROGRAM, inputs)
    curated = Curated("Cut a text.", examples=examples)
    made = replace(made, candidate=replace(made.candidate, curated=curated))
    return MaintainerWriter(InstructConfig()).write(made, facts_of(made))
