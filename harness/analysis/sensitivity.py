"""How much rates change from prompt to prompt, and how much of that is chance: pure functions of counts.

(Prompt mutation, section IV-C, for what is called change, MB and best; the rest is ours.) A change of words that
changes nothing has a large MB and a large best of all the same, since samples are drawn: each of them is told with what
chance alone gives. Rates are shares of 1.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

from harness.scoring.metrics import RESAMPLES, Interval, bootstrap, pass_at_k

if TYPE_CHECKING:
    import numpy as np

    Generator = np.random.Generator
    Array = np.ndarray[Any, Any]

SPLITS = 200
"""How often samples are split where the best prompt is chosen by one half and scored by the other."""


@dataclass(frozen=True)
class Counts:
    """Of so many samples so many are right."""

    right: int
    samples: int

    @property
    def rate(self) -> float:
        """The share that is right."""
        return self.right / self.samples


@dataclass(frozen=True)
class Asked:
    """A task that was asked in its first words, `origin`, and in others; there is at least one variant."""

    origin: Counts
    variants: tuple[Counts, ...]

    @property
    def changes(self) -> list[float]:
        """The change of the rate by each variant, from -1 to 1 (CV; with as many samples of both, a difference)."""
        return [one.rate - self.origin.rate for one in self.variants]

    @property
    def mean_change(self) -> float:
        """The mean size of these changes."""
        return _mean([abs(change) for change in self.changes])

    @property
    def floor(self) -> float:
        """The mean size that they would have by chance, if all prompts were one."""
        return _mean([by_chance(self.origin.right + one.right, self.origin.samples, one.samples)
                      for one in self.variants])

    @property
    def excess(self) -> float:
        """What of the mean size is beyond chance; 0 in the mean where all prompts are as good as one."""
        return self.mean_change - self.floor

    @property
    def square(self) -> float | None:
        """The mean square of the changes without that of chance, unbiased; None with single samples."""
        if min(one.samples for one in (self.origin, *self.variants)) < 2:
            return None
        noise = _noise(self.origin)
        return _mean([change**2 - _noise(one) - noise
                      for change, one in zip(self.changes, self.variants, strict=True)])


@lru_cache(maxsize=65536)
def by_chance(right: int, first: int, second: int) -> float:
    """The mean difference, without sign, of the rates of two prompts that are one.

    `right` answers of `first` and `second` samples together are dealt to both at random (hypergeometric).
    """
    draws = math.comb(first + second, right)
    least, most = max(0, right - first), min(right, second)
    return sum(
        math.comb(second, x) * math.comb(first, right - x) / draws * abs(x / second - (right - x) / first)
        for x in range(least, most + 1))


def mean_change_of_all(asked: Sequence[Asked]) -> float:
    """MB as the paper weighs it: the mean over all variants of all tasks."""
    return _mean([abs(change) for one in asked for change in one.changes])


def rms(asked: Sequence[Asked], seed: int = 0) -> tuple[float, Interval] | None:
    """The root of the mean square of true changes, with the 95% interval over tasks; None with single samples."""
    squares = [one.square for one in asked]
    known = [square for square in squares if square is not None]
    if len(known) < len(squares):
        return None
    around = bootstrap(known, seed)
    return _root(_mean(known)), Interval(_root(around.low), _root(around.high))


def best(asked: Sequence[Asked], k: int = 1, with_origin: bool = False) -> float:
    """The mean over tasks of the best pass@k of any variant, and of the origin too where that counts."""
    return _mean([
        max(pass_at_k(one.samples, one.right, k) for one in (*task.variants, *([task.origin] if with_origin else [])))
        for task in asked])


def cross_fitted(asked: Sequence[Asked], seed: int = 0) -> float | None:
    """The mean over tasks of the rate of the variant that is best by one half of the samples, by the other half.

    Over `SPLITS` splits, both ways; never more than `best`. None with single samples.
    """
    if min(one.samples for task in asked for one in task.variants) < 2:
        return None
    random = _random(seed)
    return _mean([_cross_fitted(task.variants, random) for task in asked])


def _cross_fitted(variants: Sequence[Counts], random: Generator) -> float:
    import numpy as np

    right = np.array([one.right for one in variants])
    samples = np.array([one.samples for one in variants])
    half = samples // 2
    first = random.hypergeometric(right, samples - right, half, (SPLITS, len(variants)))
    second, rest = right - first, samples - half
    rows = np.arange(SPLITS)
    by_first, by_second = np.argmax(first / half, axis=1), np.argmax(second / rest, axis=1)
    # Weighed by the samples that score: then no choice is better than the best one, whatever the halves.
    scored = second[rows, by_first] / samples[by_first] + first[rows, by_second] / samples[by_second]
    return float(scored.mean())


@dataclass(frozen=True)
class Null:
    """What comes out where all prompts of a task are one: samples are dealt anew to its prompts.

    `excess_p` and `best_p` are the one-sided shares of deals with at least as much, `best` the mean best rate.
    """

    excess_p: float
    best: float
    best_p: float


def null(asked: Sequence[Asked], seed: int = 0, deals: int = RESAMPLES) -> Null:
    """The permutation test of both; the same seed gives the same values."""
    import numpy as np

    random = _random(seed)
    excess, top = np.zeros(deals), np.zeros(deals)
    for task in asked:
        sizes = np.array([one.samples for one in (task.origin, *task.variants)])
        right = task.origin.right + sum(one.right for one in task.variants)
        dealt = random.multivariate_hypergeometric(sizes, right, deals, "marginals")
        rates = dealt / sizes
        sizes_of_changes = np.abs(rates[:, 1:] - rates[:, :1])
        excess += (sizes_of_changes - _floors(dealt, sizes)).mean(axis=1)
        top += rates[:, 1:].max(axis=1)
    seen = sum(task.excess for task in asked)
    found = best(asked) * len(asked)
    return Null(_share(excess, seen), float(top.mean()) / len(asked), _share(top, found))


def _floors(dealt: Array, sizes: Array) -> Array:
    """What chance gives for each variant of each deal."""
    import numpy as np

    columns = []
    for place, size in enumerate(sizes[1:], 1):
        known = np.array([by_chance(right, int(sizes[0]), int(size)) for right in range(int(sizes[0] + size) + 1)])
        columns.append(known[dealt[:, 0] + dealt[:, place]])
    return np.stack(columns, axis=1)


def _share(dealt: Array, seen: float) -> float:
    """The share of deals that reach what was seen, itself counted, so that it is never 0."""
    import numpy as np

    return (1 + int(np.count_nonzero(dealt >= seen - 1e-9))) / (1 + len(dealt))


def all_right(asked: Sequence[Asked]) -> float:
    """The mean over tasks of the chance that a sample of each variant is right (RP@1 of ReCode)."""
    return _mean([math.prod(one.rate for one in task.variants) for task in asked])


def dealt_change(first: Sequence[float], second: Sequence[float], seed: int = 0) -> float:
    """The mean difference, without sign, of the means of two groups of values that are dealt anew `SPLITS` times."""
    import numpy as np

    values = np.tile(np.array([*first, *second]), (SPLITS, 1))
    dealt = _random(seed).permuted(values, axis=1)
    means = dealt[:, : len(first)].mean(axis=1) - dealt[:, len(first) :].mean(axis=1)
    return float(np.abs(means).mean())


def interval_of(values: Callable[[Asked], float], asked: Sequence[Asked], seed: int = 0) -> Interval:
    """The 95% percentile interval over tasks of the mean of what each of them has."""
    return bootstrap([values(one) for one in asked], seed)


def _noise(counts: Counts) -> float:
    """The unbiased variance of a rate."""
    return counts.rate * (1 - counts.rate) / (counts.samples - 1)


def _root(square: float) -> float:
    return math.sqrt(max(0.0, square))


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _random(seed: int) -> Generator:
    import numpy as np

    return np.random.Generator(np.random.PCG64(seed))
