"""Docstrings without what leans on other text: what is cut, what is kept, and what nobody can cut."""

from __future__ import annotations

import pytest

from pipeline.languages.python.asides import leaning, without_asides

CUT = {
    "in brackets": ("Encode a text (see RFC 3986).", "Encode a text."),
    "a sentence between others": (
        "Pad a text. See :func:`cut` for more. Signs are kept.", "Pad a text. Signs are kept."),
    "a sentence at the end of a line": (
        "Pad a text.\nServes ``pad_text()`` of the\nproject.\nSigns are kept.", "Pad a text.\nSigns are kept."),
    "a paragraph": ("Pad a text.\n\nUsed by the CLI.\n\nSigns are kept.", "Pad a text.\n\nSigns are kept."),
    "in an item": (
        "Pad a text.\n\nArgs:\n    x: the text. See also :func:`cut`.\n    y: its width.",
        "Pad a text.\n\nArgs:\n    x: the text.\n    y: its width."),
}
KEPT = {
    "nothing leans": "Pad a text. Signs (such as dots) are kept.",
    "the first sentence": "Same as ``pad_text()`` for bytes. Signs are kept.",
    "what the next sentence speaks of": "Pad a text. See RFC 3986. This is kept.",
    "the first sentence of an item": "Pad.\n\nArgs:\n    x: as described in the manual.",
    "examples": "Pad a text.\n\n>>> pad('see RFC 3986')\n'see RFC 3986'",
}


@pytest.mark.parametrize(("text", "left"), CUT.values(), ids=CUT.keys())
def test_an_aside_is_cut(text: str, left: str) -> None:
    assert without_asides(text) == left
    assert not leaning(left)


@pytest.mark.parametrize("text", KEPT.values(), ids=KEPT.keys())
def test_what_is_no_aside_stays(text: str) -> None:
    assert without_asides(text) == text
