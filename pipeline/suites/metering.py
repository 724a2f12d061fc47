"""What suites cost: phases with their CPU seconds, on which nothing in a suite depends, and runs of the sandbox."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

from harness.sandbox import Limits, Outcome, Program, Sandbox


@dataclass
class Metered:
    """A sandbox that adds up the CPU seconds of what it runs."""

    inner: Sandbox
    cpu_seconds: float = 0.0
    runs: int = 0

    @property
    def name(self) -> str:
        """As the sandbox inside."""
        return self.inner.name

    @property
    def isolation(self) -> str:
        """As the sandbox inside."""
        return self.inner.isolation

    def run(self, program: Program, limits: Limits) -> Outcome:
        """As the sandbox inside."""
        outcome = self.inner.run(program, limits)
        self.cpu_seconds += outcome.cpu_seconds
        self.runs += 1
        return outcome


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
