"""Prose in documentation, whatever the language of the code."""

from __future__ import annotations

import re

_WORD = re.compile(r"[A-Za-z][A-Za-z'-]*")


def words(text: str) -> list[str]:
    """The words of a text, lower case, in order; code marks are ignored."""
    return [word.lower() for word in _WORD.findall(text)]
