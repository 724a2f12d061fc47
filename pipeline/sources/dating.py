"""When a function came: the first state that has it or a version of it, and the newest before that has not."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Protocol

from pipeline.config import MineConfig
from pipeline.languages.reading import Definition, Reader
from pipeline.records import Reason
from pipeline.sources import Origin
from pipeline.sources.novelty import Known, Likeness, likenesses


class Past(Protocol):
    """All functions of a project from before the cutoff, each text once; iterating may read them from disk."""

    def __iter__(self) -> Iterator[Known]:
        """Every function under every text that it had, in any order."""
        ...

    def same(self, fingerprints: Collection[str]) -> Mapping[str, Known]:
        """For those of the fingerprints that were there, the first function that had it."""
        ...

    def renamed(self, shapes: Collection[str]) -> Mapping[str, Known]:
        """For those of the shapes that were there, the first function that had it."""
        ...

    def origins(self, new: Sequence[Definition]) -> Sequence[Origin]:
        """Where each of these functions, none of which is of the past, came from since."""
        ...


def why_version(likeness: Likeness, config: MineConfig) -> tuple[Reason, str] | None:
    """Why a function counts as a version of an older one: by name and likeness, or by likeness alone."""
    if likeness.version_of and likeness.version >= config.modification_similarity:
        share = f"{likeness.version:.0%} of it stood in {likeness.version_of}"
        return Reason.PRIOR_TO_CUTOFF, share
    if likeness.text_of and likeness.text >= config.modification_similarity:
        share = f"{likeness.text:.0%} of its text, documentation included, stood in {likeness.text_of}"
        return Reason.PRIOR_TO_CUTOFF, share
    if likeness.copy_of and likeness.copy >= config.copy_similarity:
        return Reason.PRIOR_TO_CUTOFF, f"{likeness.copy:.0%} of it stood in {likeness.copy_of}"
    return None


def first_holding(
    new: Sequence[Definition], later: Iterable[Known], reader: Reader, config: MineConfig
) -> list[Known | None]:
    """For each function the first of the `later` ones, by their order, that is the same code, or a version of it.

    A version is one of the same name that would make it old, if it stood in the baseline. What shares no name and not
    all of its code is not looked at.
    """
    by_name: dict[str, list[Known]] = defaultdict(list)
    by_fingerprint: dict[str, Known] = {}
    for known in sorted(later, key=lambda known: known.order):
        by_name[known.name].append(known)
        by_fingerprint.setdefault(known.fingerprint, known)
    return [
        _first(one, by_fingerprint.get(one.fingerprint), by_name[one.name], reader.shingles, config) for one in new
    ]


def _first(
    one: Definition, same: Known | None, namesakes: Iterable[Known], shingles: Callable[[bytes], Sequence[int]],
    config: MineConfig,
) -> Known | None:
    for known in namesakes:
        if same is not None and known.order >= same.order:
            break
        if any(why_version(likeness, config) for likeness in likenesses([one], [known], shingles)):
            return known
    return same
