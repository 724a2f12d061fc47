"""What there is to know of a type whose values are drawn as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import Any

from pipeline.suites.domain.drawing import Drawing
from pipeline.suites.domain.pool import Pool

Strategy = Callable[[Pool, Random], str]


@dataclass(frozen=True)
class Kind:
    """One type: how to draw a value, and the strategy of such values as Python."""

    draw: Callable[[Drawing], Any]
    strategy: Strategy


def as_is(text: str) -> Strategy:
    """A strategy that does not depend on the body."""
    return lambda *_: text
