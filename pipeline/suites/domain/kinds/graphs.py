"""Groups that share their members, as edges share nodes: small graphs, chains and rings among drawn values."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

from pipeline.suites.rules import changes

_GROUPS = (list, tuple, set, frozenset)


@changes("drawing: crowds", 1)
def crowded(rng: Random, groups: Sequence[Any]) -> list[Any]:
    """The groups with members taken from a few of all members; pairs become a chain or a ring now and then.

    Groups that hold anything but texts and whole numbers come back as they are.
    """
    members = list(dict.fromkeys(member for group in groups if isinstance(group, _GROUPS) for member in _plain(group)))
    if len(members) < 2 or not all(isinstance(group, _GROUPS) and len(_plain(group)) == len(group) for group in groups):
        return list(groups)
    few = members[: rng.choice((2, 3, 3, 4, 5))]
    if all(len(group) == 2 for group in groups) and rng.random() < 0.5:
        ring = zip(few, few[1:] + few[:1], strict=True)
        pairs = [type(groups[0])(pair) for pair in ring]
        return pairs if rng.random() < 0.6 else pairs[:-1]
    return [type(group)(rng.choice(few) for _ in group) for group in groups]


def _plain(group: Any) -> list[Any]:
    return [member for member in group if isinstance(member, (str, int)) and not isinstance(member, bool)]
