"""Progress on standard error: a bar with an estimate for people, nothing where nobody looks."""

from __future__ import annotations

import sys
from types import TracebackType
from typing import Any

from tqdm import tqdm


def say(sentence: str) -> None:
    """Tell a person something now, above the bars."""
    tqdm.write(sentence, file=sys.stderr)


class Progress:
    """A bar over a known number of records; what an earlier run did counts for the bar, not for the estimate."""

    def __init__(self, what: str, total: int) -> None:
        self._bar: Any = tqdm(total=total, desc=f"{what:<9}", unit="rec", file=sys.stderr, dynamic_ncols=True)

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
