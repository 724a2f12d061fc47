"""The languages that can be read, by name."""

from __future__ import annotations

from pipeline.languages import Language
from pipeline.languages.python.reading import PYTHON

_LANGUAGES: dict[str, Language] = {PYTHON.name: PYTHON}


def language(name: str) -> Language:
    """The language of that name; raises `KeyError` for one that cannot be read."""
    return _LANGUAGES[name]
