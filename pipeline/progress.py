"""Progress on standard error: a bar with an estimate for people, nothing where nobody looks."""

from __future__ import annotations

import os
import sys
from multiprocessing import current_process
from types import TracebackType
from typing import Any

from tqdm import tqdm

from harness.telling import printable


def say(sentence: str) -> None:
    """Tell a person something now, above the bars."""
    tqdm.write(printable(sentence), file=sys.stderr)


class Progress:
    """A bar over a known number of records; what an earlier run did counts for the bar, not for the estimate.

    In a worker process it stands below the others while it lasts, where somebody looks at a terminal.
    """

    def __init__(self, what: str, total: int, unit: str = "rec") -> None:
        worker = next(iter(getattr(current_process(), "_identity", ())), 0)
        self._bar: Any = tqdm(
            total=total, desc=f"{what:<9}", unit=unit, unit_scale=unit == "B", file=sys.stderr, dynamic_ncols=True,
            position=worker and 1 + worker % (os.cpu_count() or 1), leave=not worker,
            disable=bool(worker) and not sys.stderr.isatty(),
        )  # fmt: skip

    def advance(self, count: int) -> None:
        """Count records that were just done."""
        self._bar.update(count)

    def skip(self, count: int) -> None:
        """Count records that an earlier run had done."""
        self._bar.initial += count
        self._bar.update(count)

    def __enter__(self) -> Progress:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._bar.close()
