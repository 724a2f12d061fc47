"""Retreats from calls that work without end: smaller numbers, shorter containers, and what else keeps loops short.

Where such calls are frequent, one bound after the other is tried, and is kept where it makes them rarer: large numbers
are the reason for some loops, negative ones or zero for others, and some don't end whatever their numbers are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from pipeline.suites.domain.drawing import Bounds, Drawing

OFTEN = 0.05
"""The share of calls without end from which on there are retreats."""
WINDOW = 16
"""Calls without end by which a retreat is judged."""
HELPS = 0.75
"""What is left of their share, at most, where a retreat helps."""
STEPS: tuple[dict[str, Any], ...] = (
    {"limit": 1000}, {"least": 0}, {"least": 1}, {"near": True}, {"limit": 60}, {"longest": 10}, {"limit": 12},
    {"longest": 4}, {"least": 5},
)  # fmt: skip
"""What is tried, in this order."""
_MOST = ("limit", "longest")


class Retreat:
    """Counts the calls of one search, and sets the bounds of its sampler."""

    def __init__(self) -> None:
        self.endless = 0
        self._steps = list(STEPS)
        self._calls = self._here = 0
        self._share = 1.0
        self._before: Bounds | None = None

    def after(self, endless: bool, sampler: Drawing) -> bool:
        """Note a call, and whether it was one without end; gives that back."""
        self._calls += 1
        if not endless:
            return False
        self.endless += 1
        self._here += 1
        if self._here >= WINDOW:
            self._judge(sampler)
        return True

    def _judge(self, sampler: Drawing) -> None:
        share = self._here / self._calls
        if self._before is not None and share > HELPS * self._share:
            sampler.bounds = self._before
        else:
            self._share = share
        self._before = None
        self._calls = self._here = 0
        if self._share <= OFTEN:
            return
        while self._steps and self._before is None:
            bounds, (name, value) = sampler.bounds, *self._steps.pop(0).items()
            known = getattr(bounds, name)
            if known is None or (value < known if name in _MOST else value > known):
                self._before, sampler.bounds = bounds, replace(bounds, **{name: value})
