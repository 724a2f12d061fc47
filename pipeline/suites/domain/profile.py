"""Profiles: how values are drawn, from what a caller passes down to corners and off-type values."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class Profile:
    """How values are drawn.

    `tidy` values are as a person would write them: no corners, no noise; `ordinary` ones keep besides to what
    documentation and names suggest. `vast` allows huge numbers, `corners` the first and the last value of a kind.
    `rare` is the share of values of off-type options.
    """

    tidy: bool = False
    ordinary: bool = False
    vast: bool = False
    corners: bool = False
    rare: float = 0.04


VALID = Profile()
"""All that a parameter may be."""
TIDY = Profile(tidy=True)
TYPICAL = Profile(tidy=True, ordinary=True, rare=0.0)
"""What callers pass."""
BOUNDARY = Profile(corners=True, rare=0.01)
