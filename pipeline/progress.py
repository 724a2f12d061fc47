"""Progress on standard error: a bar with an estimate where people look at a terminal, a few lines in a file."""

from __future__ import annotations

import os
import sys
import time
from dataclasses import dataclass, field
from multiprocessing import current_process
from types import TracebackType
from typing import Any

from tqdm import tqdm

from harness.telling import printable

SHARE, SECONDS = 0.1, 60.0
"""In a file there is a line at the end, and before it one for each further tenth, none within so many seconds."""


def say(sentence: str) -> None:
    """Tell a person something now, above the bars."""
    tqdm.write(printable(sentence), file=sys.stderr)


class Progress:
    """How far something is over a known number of records; what an earlier run did does not count for the estimate.

    In a worker process it stands below the others while it lasts, where somebody looks at a terminal; else nothing of
    it is shown.
    """

    def __init__(self, what: str, total: int, unit: str = "rec") -> None:
        worker = next(iter(getattr(current_process(), "_identity", ())), 0)
        self._shown: Any = _Lines(what, total, unit, bool(worker))
        if sys.stderr.isatty():
            self._shown = tqdm(
                total=total, desc=f"{what:<9}", unit=unit, unit_scale=unit == "B", file=sys.stderr, dynamic_ncols=True,
                position=worker and 1 + worker % (os.cpu_count() or 1), leave=not worker,
            )  # fmt: skip

    def advance(self, count: int) -> None:
        """Count records that were just done."""
        self._shown.update(count)

    def skip(self, count: int) -> None:
        """Count records that an earlier run had done."""
        self._shown.initial += count
        self._shown.update(count)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._shown.close()


@dataclass
class _Lines:
    """Progress as lines, with the names of a bar: in between at most one for each `SHARE`, and one at the end."""

    what: str
    total: int
    unit: str
    silent: bool
    initial: int = 0
    done: int = 0
    told: int = 0
    started: float = field(default_factory=time.monotonic)
    last: float = field(default_factory=time.monotonic)

    def update(self, count: int) -> None:
        """Count what was done, and tell it where there is enough to tell."""
        self.done += count
        now = time.monotonic()
        if self.done - self.told >= SHARE * self.total and now - self.last >= SECONDS and self.done < self.total:
            self._tell(now)

    def close(self) -> None:
        """Tell how far it came."""
        self._tell(time.monotonic())

    def _tell(self, now: float) -> None:
        self.told, self.last = self.done, now
        if self.total and not self.silent:
            say(f"{self.what:<9} {self.done:,} of {self.total:,} {self.unit} in {now - self.started:.0f} s")
