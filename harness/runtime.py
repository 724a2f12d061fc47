"""The runtimes of locks, whatever language they are for."""

from __future__ import annotations

from collections.abc import Callable

from harness.languages import Runtime
from harness.languages.registry import language
from harness.locations import Location
from harness.records import FIRST_LANGUAGE
from harness.telling import say

Consent = Callable[[str], None]
"""What is told, in a sentence, what is about to be made; raises `UserError` where it must not be."""


def find_runtime(lock: Location, of: str = FIRST_LANGUAGE) -> Runtime:
    """The runtime of a lock of a language; raises `UserError` where it has not been made."""
    return language(of).runtimes.find(lock)


def announced(sentence: str) -> None:
    """Consent without asking: whoever watches is told."""
    say(sentence, err=True)


def ensure_runtime(lock: Location, of: str = FIRST_LANGUAGE, consent: Consent = announced) -> Runtime:
    """The runtime of a lock of a language, made first where it is missing, after `consent` has been told."""
    spoken = language(of)

    def told(what: str) -> None:
        consent(f"The runtime that answers run in is made now, once: {spoken.title} {what}.")

    return spoken.runtimes.ensure(lock, told)
