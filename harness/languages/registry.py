"""Which languages there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness.errors import UserError
from harness.languages import Language

_further: dict[str, Language] = {}


def languages() -> dict[str, Language]:
    """All languages by their names; imported when somebody asks, since each brings its own libraries."""
    from harness.languages.python.language import PYTHON

    return {PYTHON.name: PYTHON, **_further}


def language(name: str) -> Language:
    """The language of a name; raises `UserError`."""
    found = languages().get(name)
    if found is None:
        raise UserError(f"This harness knows no language {name!r}, only {', '.join(sorted(languages()))}.")
    return found


@contextmanager
def registered(further: Language) -> Iterator[Language]:
    """One more language for as long as the context lasts."""
    before = dict(_further)
    _further[further.name] = further
    try:
        yield further
    finally:
        _further.clear()
        _further.update(before)
