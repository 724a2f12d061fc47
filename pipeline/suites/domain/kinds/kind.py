"""What there is to know of a type whose values are drawn as a whole."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from typing import TYPE_CHECKING, Any

from pipeline.suites.domain.pool import Pool

if TYPE_CHECKING:
    from pipeline.suites.domain.sampler import Sampler

Strategy = Callable[[Pool, Random], str]


@dataclass(frozen=True)
class Kind:
    """One type: how to draw a value, the strategy of such values as Python, and the imports that the strategy needs."""

    draw: Callable[[Sampler], Any]
    strategy: Strategy
    imports: tuple[str, ...] = ()


def as_is(text: str) -> Strategy:
    """A strategy that does not depend on the body."""
    return lambda *_: text
