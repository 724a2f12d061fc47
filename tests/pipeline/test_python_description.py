"""Docstrings in parts: styles, sections that point elsewhere, examples."""

from __future__ import annotations

import pytest

from pipeline.languages.python.description import read_description

STYLES = {
    "Google": "Sum up.\n\nMore of it.\n\nArgs:\n    xs (list): What is summed.\n\nReturns:\n    int: The sum.\n\nRaises:\n    ValueError: If empty.\n",
    "NumPy": "Sum up.\n\nMore of it.\n\nParameters\n----------\nxs : list\n    What is summed.\n\nReturns\n-------\nint\n    The sum.\n\nRaises\n------\nValueError\n    If empty.\n",
    "reST": "Sum up.\n\nMore of it.\n\n:param xs: What is summed.\n:type xs: list\n:returns: The sum.\n:rtype: int\n:raises ValueError: If empty.\n",
}


@pytest.mark.parametrize("text", STYLES.values(), ids=STYLES.keys())
def test_styles(text: str) -> None:
    found = read_description(text)
    assert (found.summary, found.prose) == ("Sum up.", "Sum up.\n\nMore of it.")
    assert found.parameters == {"xs": ("list", "What is summed.")}
    assert found.returns == ("int", "The sum.")
    assert found.raises == (("ValueError", "If empty."),)


def test_examples_are_told_from_words() -> None:
    found = read_description("Sum up.\n\n>>> f(1)\n1\n\nAnd more.\n\n>>> f(2)\n2\n")
    assert found.examples == ("f(1)", "f(2)")
    assert found.spoken == "Sum up.\n\n\nAnd more.\n"


@pytest.mark.parametrize("pointer", [
    "See Also\n--------\nother : another\nthird : one\n", "See Also:\n    other\n", "References\n----------\n.. [1] A book.\n",
    ".. versionadded:: 1.2\n   With a reason.\n",
])
def test_sections_that_point_elsewhere_are_left_out(pointer: str) -> None:
    text = f"Sum up.\n\n{pointer}\nExamples\n--------\n>>> f(1)\n1\n"
    assert read_description(text).text == "Sum up.\n\nExamples\n--------\n>>> f(1)\n1"


@pytest.mark.parametrize("text", ["", "   ", "Args:", ":param", ">>> (", "\x00", "Args:\n  x (", "-----"])
def test_odd_docstrings_are_read_without_an_error(text: str) -> None:
    assert set(read_description(text).parameters) <= {"", "x"}


def test_a_name_is_mentioned_as_a_word_of_its_own() -> None:
    found = read_description("Cut the text at n.")
    assert found.mentions("n")
    assert not found.mentions("ex")
