"""Returns an instance of a namedtuple class that is made for each number of parts."""
from collections import namedtuple


def share_out(total, parts):
    if parts < 1:
        raise ValueError("no parts")
    Shares = namedtuple("Shares", [f"part_{n}" for n in range(parts)])
    each, rest = divmod(total, parts)
    return Shares._make(each + (n < rest) for n in range(parts))
