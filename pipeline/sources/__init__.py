"""Places that code comes from: one module per kind behind one protocol (`adapters`), from a project's name to files."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from typing import TypeVar

from pipeline.config import MineConfig
from pipeline.records import LockedSource, Reason
from pipeline.stage import Context

T = TypeVar("T")


@dataclass(frozen=True)
class SourceFile:
    """One file of a source; `path` is relative to the project's root, with `/`. `size` is set where `data` is left out.

    A file above the limit comes with its size and no data, so that it can be counted.
    """

    path: str
    data: bytes
    size: int = 0


@dataclass(frozen=True)
class Origin:
    """When and where a function entered its project: a release or a commit; dates in ISO 8601, UTC.

    `not_before` is the time of the newest release or commit before it that was read and lacks it, "" without one.
    """

    revision: str
    date: str
    author_date: str
    first_seen: str
    not_before: str = ""


class Unusable(Exception):
    """A source that cannot be used, for a reason that is recorded with the evidence."""

    def __init__(self, reason: Reason, evidence: str) -> None:
        super().__init__(f"{reason.value} {evidence}")
        self.reason = reason
        self.evidence = evidence


class Damaged(Unusable):
    """A source whose copy in the cache is damaged: it was removed, so that reading it again fetches another."""


def persisting(read: Callable[[], T]) -> T:
    """What reading gives, the second time where it met a damaged copy."""
    try:
        return read()
    except Damaged:
        return read()


@dataclass(frozen=True)
class Reading:
    """A locked source that is about to be read: with which limits, in which context, and which file suffixes count."""

    locked: LockedSource
    config: MineConfig
    context: Context
    suffixes: Collection[str]

    def wants(self, path: str) -> bool:
        """Whether the file is written in the language that is read."""
        return path.endswith(tuple(self.suffixes))
