"""Places that code comes from: one module per kind behind one protocol, from a project's name to files of code."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol, TypeVar

from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.records import LockedSource, Reason, Rejection, Source
from pipeline.stage import Context

if TYPE_CHECKING:
    from pipeline.sources.novelty import Past

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
    """When and where a function entered its project: a release or a commit; dates in ISO 8601, UTC."""

    revision: str
    date: str
    author_date: str
    first_seen: str


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


class Adapter(Protocol):
    """A kind of source. All of its methods but `lock` raise `Unusable` for a damaged or vanished source."""

    def lock(self, source: Source, config: MineConfig, context: Context) -> LockedSource | Rejection:
        """Decide what is read and what it is compared with, or say why there is nothing to read."""
        ...

    def fetch(self, reading: Reading) -> None:
        """Bring into the cache what the other methods are going to read, where that is better done at once."""
        ...

    def upper_files(self, reading: Reading) -> Iterator[SourceFile]:
        """The files of the newest state inside the window, in the order of their paths."""
        ...

    def past(self, reading: Reading, language: Language) -> Past:
        """Every function that is known to have existed before the cutoff; it tells the origins of others, too."""
        ...

    def licence_files(self, reading: Reading) -> dict[str, str]:
        """The texts of licences and notices in the newest state, by path."""
        ...


def adapter(kind: str) -> Adapter:
    """The source of that kind; raises `KeyError` for one that is not known."""
    from pipeline.sources import git, pypi

    peers: dict[str, Adapter] = {"pypi": pypi.PYPI, "git": git.GIT}
    return peers[kind]


KINDS = ("git", "pypi")
