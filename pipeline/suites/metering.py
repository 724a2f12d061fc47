"""What runs of the sandbox cost, all of their processes included."""

from __future__ import annotations

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
