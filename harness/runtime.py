"""The runtimes of locks, whatever language they are for."""

from __future__ import annotations

from harness.languages import Runtime
from harness.languages.registry import language
from harness.locations import Location
from harness.records import FIRST_LANGUAGE


def find_runtime(lock: Location, of: str = FIRST_LANGUAGE) -> Runtime:
    """The runtime of a lock of a language; raises `UserError` where it has not been made."""
    return language(of).runtimes.find(lock)


def ensure_runtime(lock: Location, of: str = FIRST_LANGUAGE) -> Runtime:
    """The runtime of a lock of a language, made first where it is missing."""
    return language(of).runtimes.ensure(lock)
