"""Instructions in parts: their texts together are the instruction, and each part is what it says."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.records import Task
from pipeline.instruct.drafts import Draft
from pipeline.rewording.parts import Kind, assemble, parts_of

NUMPY = '''def f(x, y=1):
    """Add.

    Parameters
    ----------
    x : int
        The first.
    y : int, optional
        The second.

    Returns
    -------
    int
        The sum.

    Examples
    --------
    >>> f(1)
    2
    """
'''
REST = '''def f(x):
    """Add one.

    Some more::

        code

    :param x: What to add to,
        a number.
    :returns: The sum.

    ```
    f(1)
    ```
    """
'''
DRAFTS = [
    Draft("def f(x):", (), (0,), ">>> f(1)\n2\n>>> f(2)\n3", "Add one.", ("`x` is an int.",), ("It raises nothing.",)),
    Draft("def f(x: str) -> str:", ("import re", "import os"), (), "", 'Say """ and \\ both.\n\nArgs:\n    x: A text.'),
    Draft("def f():", (), (0,), ">>> f()\n'\\n'\n# afterwards the arguments are: 1", "Give a text.\n\n>>> f()\n'\\n'"),
    Draft("def f(é='ü'):", (), (), "", "Give ü.\n\n- one\n- two\n\nNote:\n    Nothing."),
]


def test_the_parts_of_every_instruction_of_the_demo_are_its_text(demo: Sequence[Task]) -> None:
    for task in demo:
        parts = parts_of(task.instruction)
        assert assemble(parts) == task.instruction
        assert all(task.instruction[one.start : one.end] == one.text for one in parts.every)
        assert [one.section for one in parts.of(Kind.HEADING)][:2] == ["args", "returns"]
        assert parts.of(Kind.EXAMPLE, "examples") and not any(">>>" in one.text for one in parts.spoken)
        assert parts.of(Kind.SIGNATURE)[0].text.startswith(f"def {task.entry_point}(")


@pytest.mark.parametrize("text", [NUMPY, REST, *(draft.text for draft in DRAFTS)], ids=range(2 + len(DRAFTS)))
def test_the_parts_of_other_forms_are_their_text(text: str) -> None:
    parts = parts_of(text)
    assert assemble(parts) == text and len(parts.of(Kind.QUOTE)) == 2


def test_numpys_sections_and_fields_are_known() -> None:
    assert [one.text.split()[0] for one in parts_of(NUMPY).of(Kind.ENTRY, "args")] == ["x", "y"]
    assert [one.section for one in parts_of(REST).of(Kind.ENTRY)] == ["args", "returns"]
    assert "a number" in parts_of(REST).of(Kind.ENTRY, "args")[0].text
    assert "f(1)" in "".join(one.text for one in parts_of(REST).of(Kind.CODE))


LINES = st.lists(st.sampled_from([
    "", "  ", "Args:", "Returns:", "    x: A number.", "    more", ">>> f(1)", "2", "... 3", "---", "Examples", "```", ":param x: it",
    "Details (in no particular order):", "    - one", '\\"', "é – ü", "\t tab", "text with `code`", "\x0b", "'single'",
]), max_size=12)


@given(LINES, st.sampled_from(['"""', 'r"""', "'''", '"""\n']), st.sampled_from(["", "import re\n\n\n", "# ü\n"]))
def test_odd_texts_keep_every_character(lines: list[str], quotes: str, head: str) -> None:
    body = "\n    ".join(lines)
    text = f"{head}def f(x):\n    {quotes}{body}\n    {quotes.strip().lstrip('r')}\n"
    assert assemble(parts_of(text)) == text


@given(st.text())
def test_any_text_keeps_every_character(text: str) -> None:
    assert assemble(parts_of(text)) == text
