"""Returns a NamedTuple for two parts, a subclass of tuple with methods for more."""
from typing import NamedTuple


class Halves(NamedTuple):
    larger: int
    smaller: int


class Shares(tuple):
    """A tuple that can say its total."""

    @property
    def total(self):
        return sum(self)


def share_out(total: int, parts: int) -> tuple[int, ...]:
    if parts < 1:
        raise ValueError("no parts")
    if parts == 2:
        return Halves(total - total // 2, total // 2)
    return Shares(-((n - total) // parts) for n in range(parts))
