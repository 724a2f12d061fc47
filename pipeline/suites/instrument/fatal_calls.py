"""Calls that end the process, as some of compiled code do: each is noted before it runs, and its like left out then.

A process that dies can't say what it died of. So the worker shares a page with the fork that makes a suite; what the
fork was about to call stands there, and the next fork for the same function leaves all such calls out.
"""

from __future__ import annotations

import mmap
import tempfile
from collections.abc import Iterable, Sequence
from typing import Any

SIZE = 4096
CLOSE, MOST = 4, 12
"""How many kinds of calls of one size are left out, and how many kinds before a function is given up."""

_WORD = 16


class Page:
    """A page that a process shares with its forks; it holds what is about to be called."""

    def __init__(self) -> None:
        # The sandbox lets no memory be shared that has no file.
        with tempfile.TemporaryFile() as file:
            file.truncate(SIZE)
            self._shared = mmap.mmap(file.fileno(), SIZE)

    def write(self, text: str) -> None:
        """Note a text, cut to what the page holds."""
        data = text.encode("utf-8", "backslashreplace")[: SIZE - 2]
        self._shared[: 2 + len(data)] = len(data).to_bytes(2, "big") + data

    def read(self) -> str:
        """The text that was noted last, empty where there is none."""
        length = int.from_bytes(self._shared[:2], "big")
        return self._shared[2 : 2 + length].decode("utf-8", "replace")


class Watch:
    """Notes each call on a page, and knows which kinds of calls have ended a process before."""

    def __init__(self, page: Page | None = None, known: Iterable[str] = ()) -> None:
        self._page = page
        self._known = frozenset(known)

    def forbids(self, what: str, values: Iterable[Any] = ()) -> bool:
        """Note that something is called with values; True where a call of that kind is known to be deadly."""
        if self._page is None:
            return False
        sizes = [_kind(value) for value in values]
        close = " ".join([what, *(f"{kind}{size}" for kind, size in sizes)])
        wide = " ".join([what, *(kind for kind, _ in sizes)])
        self._page.write(f"{close}\n{wide}")
        return close in self._known or wide in self._known


def learnt(noted: str, known: Sequence[str]) -> str | None:
    """What to leave out after a death: calls of the same sizes first, after a few deaths those of any size.

    None where that is left out already, or where too much is.
    """
    close, _, wide = noted.partition("\n")
    found = close if len(known) < CLOSE else wide
    return found if found and found not in known and len(known) < MOST else None


def _kind(value: Any) -> tuple[str, str]:
    """What compiled code is likely to treat alike, type, axes, sign, emptiness, and how large a number is."""
    name = type(value).__name__
    shape = getattr(value, "shape", None)
    if isinstance(shape, tuple):
        return f"{name} of {len(shape)} axes{'' if all(shape) else ', empty'}", ""
    if isinstance(value, int) and not isinstance(value, bool):
        return f"{name}{'-' if value < 0 else ''}", f" of {value.bit_length() // 4}"
    if isinstance(value, float):
        return f"{name}{value if value != value or value in (float('inf'), float('-inf')) else ''}", ""
    if isinstance(value, (list, tuple)):
        return f"{name}({_kind(value[0])[0] if value else ''})", ""
    if isinstance(value, str) and 0 < len(value) <= _WORD:
        # A short text may be the name of a type or of a way to reckon, one of which is the deadly one.
        return name, f" {value!r}"
    return f"{name}{'' if value else ', empty'}" if isinstance(value, (str, bytes, dict, set)) else name, ""
