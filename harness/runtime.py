"""The runtimes of locks, whatever language they are for."""

from __future__ import annotations

import shutil
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from harness.cache import cache_place
from harness.languages import Runtime
from harness.languages.registry import language
from harness.locations import Location
from harness.records import FIRST_LANGUAGE
from harness.telling import say

Consent = Callable[[str], None]
"""What is told, in a sentence, what is about to be made; raises `UserError` where it must not be."""
_ABANDONED = 24 * 3600
"""Seconds after which nobody works any more on a runtime that was begun."""


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
        _remove_abandoned(cache_place("runtimes"))
        consent(f"The runtime that answers run in is made now, once: {spoken.title} {what}.")

    return spoken.runtimes.ensure(lock, told)


def _remove_abandoned(place: Path) -> None:
    """Remove what was begun and left by those who were killed, so long ago that they are gone."""
    for begun in place.glob(".*"):
        with suppress(OSError):
            if time.time() - begun.stat().st_mtime > _ABANDONED:
                shutil.rmtree(begun)
