"""What the steps of making a suite cost, in CPU seconds; nothing in a suite depends on it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

INFERENCE, LOADING, COVERAGE, BROADENING, HUNT, SELECTION, VERDICT, WRITING = (
    "inference", "loading", "coverage", "broadening", "hunt", "selection", "verdict", "writing",
)
START, ANSWERS, MUTANTS = "start", "answers", "mutants"
STEPS = (START, INFERENCE, LOADING, COVERAGE, BROADENING, HUNT, SELECTION, VERDICT, WRITING, ANSWERS, MUTANTS)
SEARCH = (COVERAGE, BROADENING)
"""The steps that are the search for inputs."""


class Steps:
    """The CPU seconds of this process by step, up to now."""

    def __init__(self) -> None:
        self.seconds: dict[str, float] = {}

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        """Count what is done meanwhile to a step, however it ends."""
        started = time.process_time()
        try:
            yield
        finally:
            self.seconds[name] = round(self.seconds.get(name, 0.0) + time.process_time() - started, 4)
