"""The kinds of sources by name, and what each of them offers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol

from pipeline.config import MineConfig
from pipeline.languages.reading import Reader
from pipeline.records import LockedSource, Rejection, Source
from pipeline.sources import Reading, SourceFile
from pipeline.sources.dating import Past
from pipeline.sources.git import GIT
from pipeline.sources.pypi import PYPI
from pipeline.stage import Context


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

    def past(self, reading: Reading, reader: Reader) -> Past:
        """Every function that is known to have existed before the cutoff; it tells the origins of others, too."""
        ...

    def licence_files(self, reading: Reading) -> dict[str, str]:
        """The texts of licences and notices in the newest state, by path."""
        ...


_ADAPTERS: dict[str, Adapter] = {"git": GIT, "pypi": PYPI}
KINDS = tuple(_ADAPTERS)


def adapter(kind: str) -> Adapter:
    """The source of that kind; raises `KeyError` for one that is not known."""
    return _ADAPTERS[kind]


def past_of(reading: Reading, reader: Reader) -> Past:
    """What is known of a source from before the cutoff, brought into the cache where it is not; raises `Unusable`."""
    place = adapter(reading.locked.source.kind)
    place.fetch(reading)
    return place.past(reading, reader)


def licence_texts(locked: LockedSource, context: Context) -> dict[str, str]:
    """The licence and notice texts of a source's newest state, by path, for a release to carry."""
    return adapter(locked.source.kind).licence_files(Reading(locked, MineConfig(), context, ()))
