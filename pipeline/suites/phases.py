"""Phases of making a suite and what each costs in CPU seconds; nothing in a suite depends on it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

INFER, LOAD, COVER, DRAW, BROADEN, SHARPEN, SELECT, CONFIRM, WRITE = (
    "infer", "load", "cover", "draw", "broaden", "sharpen", "select", "confirm", "write",
)
START, ANSWERS, MUTANTS = "start", "answers", "mutants"
PHASES = (START, INFER, LOAD, COVER, DRAW, BROADEN, SHARPEN, SELECT, CONFIRM, WRITE, ANSWERS, MUTANTS)
SEARCH = (COVER, BROADEN)
"""The phases that are the search for inputs."""


class Phases:
    """The CPU seconds of this process by phase, up to now."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def timed(self, name: str) -> Iterator[None]:
        """Count what is done meanwhile to a phase, however it ends."""
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.process_time() - started, 4)
