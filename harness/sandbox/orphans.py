"""What ended children leave behind becomes ours for a while: only then can one wait for it, and know its time."""

from __future__ import annotations

import ctypes
from collections.abc import Iterator
from contextlib import contextmanager
from threading import Lock

_SET, _GET = 36, 37
"""Linux's PR_SET_CHILD_SUBREAPER and PR_GET_CHILD_SUBREAPER."""


class _Adopting:
    """How many callers want orphans just now, and whether this process had them anyhow."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.callers = 0
        self.always = False

    def change(self, callers: int) -> None:
        """So many more callers, or fewer."""
        with self.lock:
            if not self.callers:
                said = ctypes.c_int(0)
                _control(_GET, ctypes.byref(said))
                self.always = bool(said.value)
            self.callers += callers
            _control(_SET, ctypes.c_ulong(self.always or self.callers > 0))


def _control(what: int, argument: object) -> None:
    ctypes.CDLL(None).prctl(what, argument, *[ctypes.c_ulong(0)] * 3)


_ours = _Adopting()


@contextmanager
def adopted() -> Iterator[None]:
    """Meanwhile, orphans are children of this process; whoever has begun what has left them waits for them."""
    _ours.change(1)
    try:
        yield
    finally:
        _ours.change(-1)
