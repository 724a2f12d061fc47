"""Trying again what failed by a fault that may pass."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


class Again(Exception):
    """A fault that may pass; `pause` is how long to wait at least, in seconds."""

    def __init__(self, what: str, pause: float = 0.0) -> None:
        super().__init__(what)
        self.pause = pause


def _sleep(seconds: float, fault: Again) -> None:  # noqa: ARG001
    time.sleep(seconds)


def trying(
    action: Callable[[], T], attempts: int, pause: float, wait: Callable[[float, Again], None] = _sleep
) -> T:
    """What the action gives at one of the attempts; raises the `Again` of the last one.

    `pause` doubles from one attempt to the next, in seconds.
    """
    for _ in range(attempts - 1):
        try:
            return action()
        except Again as fault:
            wait(max(pause, fault.pause), fault)
        pause *= 2
    return action()
