"""Texts and bytes of which the body compares parts at fixed places with constants: marks at the head of a file."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from pipeline.suites.rules import changes

Segment = tuple[int, int, str | bytes]
"""Where a part begins and ends, and one constant that it is compared with."""
FURTHEST = 128
"""Places beyond which nothing is laid."""
OFTEN, SURE, SHORT = 0.6, 0.85, 0.2
"""How many bytes have their parts laid (texts half as often), how many of their parts, how many end early."""


@changes("texts: fixed places")
def laid(value: str, segments: Sequence[Segment], rng: Random) -> str:
    """The text, long enough, with one of its constants in each part, mostly."""
    found = [(start, stop, one) for start, stop, one in segments if isinstance(one, str)]
    last = max((stop for _, stop, _ in found), default=0) + rng.choice((0, 0, 0, 2, 5))
    value += "".join(rng.choice("01ab") for _ in range(last - len(value)))
    places = sorted({(start, stop) for start, stop, _ in found})
    if len(places) > 1 and rng.random() < SHORT:
        places = places[: rng.randrange(1, len(places))]
        value = value[: places[-1][1]]
    for place in places:
        if rng.random() < SURE:
            constant = rng.choice([one for start, stop, one in found if (start, stop) == place])
            value = value[: place[0]] + constant + value[place[1] :]
    return value


@changes("texts: fixed places")
def laid_in_bytes(data: bytes, segments: Sequence[Segment], rng: Random) -> bytes:
    """The same for bytes."""
    found = [(start, stop, one.decode("latin-1")) for start, stop, one in segments if isinstance(one, bytes)]
    return laid(data[:FURTHEST].decode("latin-1"), found, rng).encode("latin-1")
