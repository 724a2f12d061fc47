"""The languages that can be read, by name: each is imported here, so this is the list."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from pipeline.languages import Language
from pipeline.languages.python.language import PYTHON

_LANGUAGES: dict[str, Language] = {PYTHON.name: PYTHON}


def language(name: str) -> Language:
    """The language of that name; raises `KeyError` for one that cannot be read."""
    return _LANGUAGES[name]


def languages() -> tuple[Language, ...]:
    """All of them, in the order in which they were registered."""
    return tuple(_LANGUAGES.values())


def language_of(path: str) -> Language | None:
    """The language of a file by the end of its name."""
    return next((one for one in languages() if path.endswith(one.layout.suffixes)), None)


@contextmanager
def registered(one: Language) -> Iterator[None]:
    """A further language in this process, for as long as the context lasts."""
    if one.name in _LANGUAGES:
        raise ValueError(f"there is a language {one.name} already")
    _LANGUAGES[one.name] = one
    try:
        yield
    finally:
        del _LANGUAGES[one.name]
