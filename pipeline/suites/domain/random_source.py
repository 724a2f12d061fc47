"""The generator that a search draws from: Python's own, with its most frequent draws written out."""

from __future__ import annotations

from random import Random
from typing import Any


class Choosing(Random):
    """Draws what `random.Random` draws from the same seed, faster."""

    def choice(self, seq: Any) -> Any:
        """One of the items."""
        size = len(seq)
        if not size:
            raise IndexError("Cannot choose from an empty sequence")
        draw, bits = self.getrandbits, size.bit_length()
        place = draw(bits)
        while place >= size:
            place = draw(bits)
        return seq[place]

    def randint(self, a: int, b: int) -> int:
        """A whole number from `a` to `b`, both included."""
        size = b - a + 1
        if type(size) is not int or size <= 0:
            return super().randint(a, b)
        draw, bits = self.getrandbits, size.bit_length()
        place = draw(bits)
        while place >= size:
            place = draw(bits)
        return a + place
