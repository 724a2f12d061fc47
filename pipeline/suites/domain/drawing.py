"""Drawing: the state that kinds share while one input is drawn, and the one thing that they ask of the sampler."""

from __future__ import annotations

import datetime
from abc import ABC, abstractmethod
from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.domain.spec import Spec, Whole

MAX_DEPTH = 6


class Omitted(Enum):
    """Stands for a parameter that a call leaves to its default; a copy of it is the same."""

    OMITTED = "OMITTED"

    def __repr__(self) -> str:
        return self.value


OMITTED = Omitted.OMITTED


@dataclass(frozen=True)
class Bounds:
    """How large numbers (signs apart) and containers are, the least number, and whether moments are near to each other.

    Where moments are near, there is an end to work for each day or hour between them.
    """

    limit: int
    longest: int
    least: int | None = None
    near: bool = False


class Drawing(ABC):
    """What kinds know of the input that is being drawn.

    `seen` are plain values of it, `vocabulary` keys that its dictionaries share, `axes` and `common` what its arrays
    have in common, `zoned` and `era` what its moments have.
    """

    def __init__(self, rng: Random, pool: Pool, scale: Scale = SCALES[0]) -> None:
        self.rng = rng
        self.pool = pool
        self.profile: Profile = VALID
        self.bounds = Bounds(scale.number, scale.items, near=scale is not SCALES[0])
        self.seen: list[Any] = []
        self.vocabulary: list[str] = []
        self.axes = (3, 3)
        self.common: dict[str, Any] = {}
        self.zoned = False
        self.usual: Spec = Whole()
        self.era: datetime.datetime | None = None

    @property
    def least(self) -> int | None:
        """The least number, where lower ones are too much work."""
        return self.bounds.least

    @property
    def limit(self) -> int:
        """How large numbers are at most, signs apart."""
        return self.bounds.limit

    @property
    def longest(self) -> int:
        """How many items containers have at most."""
        return self.bounds.longest

    @property
    def near(self) -> bool:
        """Whether moments are near to each other."""
        return self.bounds.near

    @abstractmethod
    def choose(self, owner: Spec, options: tuple[Spec, ...]) -> Spec:
        """One of the options, those that have made sense more often than the others."""

    @abstractmethod
    def value(self, spec: Spec, depth: int = 0) -> Any:
        """A value of the specification."""


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
