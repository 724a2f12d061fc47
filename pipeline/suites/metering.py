"""What runs of the sandbox cost, all of their processes included."""

from __future__ import annotations

import ctypes
import os
import resource
from contextlib import suppress
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from harness.sandbox import Limits, Outcome, Program, Sandbox

_SUBREAPER = 36
"""Linux's PR_SET_CHILD_SUBREAPER."""


@dataclass
class Metered:
    """A sandbox that adds up the CPU seconds of what it runs.

    The first process inside outlives what a sandbox waits for, so its use, and that of all below it, comes to light
    only where it becomes a child of this process.
    """

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
        _adopt()
        before, known = _spent(), _children()
        outcome = self.inner.run(program, limits)
        for orphan in _children() - known:
            with suppress(ChildProcessError):
                os.waitpid(orphan, 0)
        self.cpu_seconds += max(outcome.cpu_seconds, _spent() - before)
        self.runs += 1
        return outcome


@cache
def _adopt() -> None:
    """Let what is left of ended children become children of this process."""
    ctypes.CDLL(None).prctl(_SUBREAPER, 1, 0, 0, 0)


def _children() -> set[int]:
    try:
        lists = Path("/proc/self/task").glob("*/children")
        return {int(pid) for children in lists for pid in children.read_text().split()}
    except OSError:
        return set()


def _spent() -> float:
    usage = resource.getrusage(resource.RUSAGE_CHILDREN)
    return usage.ru_utime + usage.ru_stime
