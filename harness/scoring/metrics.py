"""From verdicts to numbers: pass@k, near-perfect and case pass rate, the outcome spectrum, intervals, paired tests."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from harness.records import Spectrum, Verdict

KS = (1, 2, 5, 10, 20, 50, 100)
RESAMPLES = 10_000
_Z = 1.959963984540054


@dataclass(frozen=True)
class Interval:
    """A 95% interval."""

    low: float
    high: float


@dataclass(frozen=True)
class Score:
    """The numbers of one set of verdicts; every rate is a mean over tasks of a mean over the task's samples.

    `pass_at` holds the unbiased pass@k for each k of `KS` that all tasks have samples for. `near_perfect` is the share
    of answers that pass at least 98% of the cases but not all (paper, Table 4). `wilson` and `bootstrap` (over tasks)
    are intervals of pass@1.
    """

    tasks: int
    samples: int
    pass_at: dict[int, float]
    wilson: Interval
    bootstrap: Interval
    near_perfect: float
    case_pass_rate: float
    outcomes: dict[str, float]


def score(verdicts: Iterable[Verdict], seed: int = 0) -> Score:
    """The score of all verdicts; those with the same task are samples of it. Raises `ValueError` without any."""
    by_task: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        by_task[verdict.task_id].append(verdict)
    if not by_task:
        raise ValueError("there are no verdicts to score")
    groups = [by_task[key] for key in sorted(by_task)]
    fewest = min(len(group) for group in groups)
    rates = [_mean([float(v.perfect) for v in group]) for group in groups]
    return Score(
        tasks=len(groups),
        samples=sum(len(group) for group in groups),
        pass_at={k: _pass_at(groups, k) for k in KS if k <= fewest},
        wilson=wilson(sum(rates), len(groups)),
        bootstrap=bootstrap(rates, seed),
        near_perfect=_mean([_share(group, Spectrum.NEAR_PERF) for group in groups]),
        case_pass_rate=_mean([_mean([v.pass_rate for v in group]) for group in groups]),
        outcomes={outcome.value: _mean([_share(group, outcome) for group in groups]) for outcome in Spectrum},
    )


def score_by(verdicts: Iterable[Verdict], keys_of: Mapping[str, Sequence[str]], seed: int = 0) -> dict[str, Score]:
    """The scores by a property of the task (track, libraries, ...); `keys_of` gives by task id where it counts."""
    slices: dict[str, list[Verdict]] = defaultdict(list)
    for verdict in verdicts:
        for key in keys_of[verdict.task_id]:
            slices[key].append(verdict)
    return {key: score(slices[key], seed) for key in sorted(slices)}


def in_paper(outcomes: Mapping[str, float]) -> dict[str, float]:
    """The shares of the paper's eight outcomes (section 4.2), from those of ours."""
    found = {one.value: 0.0 for one in Spectrum if one.in_paper is one}
    for name, share in outcomes.items():
        found[Spectrum(name).in_paper.value] += share
    return found


def pass_at_k(samples: int, right: int, k: int) -> float:
    """The unbiased estimate of the chance that one of k samples is right (Chen et al. 2021)."""
    if not 1 <= k <= samples:
        raise ValueError(f"pass@{k} needs at least {k} samples, not {samples}")
    draws = math.comb(samples, k)
    return (draws - math.comb(samples - right, k)) / draws


def wilson(right: float, total: int) -> Interval:
    """Wilson's 95% interval of a proportion; `right` may be a sum of shares."""
    if total <= 0:
        raise ValueError("an interval needs at least one task")
    p, z2 = right / total, _Z**2
    middle = (p + z2 / (2 * total)) / (1 + z2 / total)
    half = _Z * math.sqrt(p * (1 - p) / total + z2 / (4 * total**2)) / (1 + z2 / total)
    return Interval(max(0.0, middle - half) if right > 0 else 0.0, min(1.0, middle + half) if right < total else 1.0)


def bootstrap(values: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> Interval:
    """The 95% percentile interval of the mean, resampling tasks; the same seed gives the same interval."""
    import numpy as np

    table = np.asarray(values, dtype=float)
    random = np.random.Generator(np.random.PCG64(seed))
    sizes = _blocks(len(table), resamples)
    means = np.concatenate([table[random.integers(0, len(table), (n, len(table)))].mean(axis=1) for n in sizes])
    low, high = np.quantile(means, [0.025, 0.975])
    return Interval(float(low), float(high))


def mcnemar(first_only: int, second_only: int) -> float:
    """The two-sided p-value of McNemar's test, exact: tasks that only one of two passes are coins thrown fairly.

    Twice the smaller tail of the binomial distribution with `first_only + second_only` throws, at most 1; computed in
    whole numbers, and rounded once.
    """
    throws = first_only + second_only
    tail = sum(math.comb(throws, right) for right in range(min(first_only, second_only) + 1))
    return min(1.0, 2 * tail / (1 << throws))


@dataclass(frozen=True)
class RankSum:
    """Mann-Whitney's U of a first group of values against a second one, and the two-sided p-value."""

    u: float
    p_value: float


def mann_whitney(first: Sequence[float], second: Sequence[float]) -> RankSum:
    """Whether the values of one group tend to be larger than those of another: U counts the pairs in which they are.

    A tie is half a pair. The p-value is that of the normal distribution, corrected for ties and for continuity: it is
    near the exact one from about eight values in each group on.
    """
    both = Counter([*first, *second])
    ranks: dict[float, float] = {}
    below = 0
    for value, count in sorted(both.items()):
        ranks[value] = below + (count + 1) / 2
        below += count
    one, other = len(first), len(second)
    u = math.fsum(ranks[value] for value in first) - one * (one + 1) / 2
    ties = sum(count**3 - count for count in both.values())
    spread = one * other / 12 * (below + 1 - ties / (below * (below - 1))) if below > 1 else 0.0
    if not spread:
        return RankSum(u, 1.0)
    away = max(0.0, abs(u - one * other / 2) - 0.5) / math.sqrt(spread)
    return RankSum(u, math.erfc(away / math.sqrt(2)))


def sign_flip(differences: Sequence[float], seed: int = 0, resamples: int = RESAMPLES) -> float:
    """The two-sided p-value of paired differences by Fisher's permutation test: their signs are as good as random.

    The share of assignments of signs whose sum is as far from 0 as the one seen. Exact, over all 2^n assignments to the
    n differences that are not 0, where these are at most `resamples`; else over that many random ones and the one seen
    (Phipson and Smyth 2010), so that it is never 0; the same seed gives the same value.
    """
    import numpy as np

    table = np.asarray([value for value in differences if value], dtype=float)
    seen = abs(math.fsum(table)) - 1e-9
    if len(table) < 64 and 2 ** len(table) <= resamples:
        bits = np.arange(2 ** len(table))[:, None] >> np.arange(len(table)) & 1
        return float(np.mean(np.abs((2 * bits - 1) @ table) >= seen))
    random = np.random.Generator(np.random.PCG64(seed))
    as_far = sum(
        int(np.count_nonzero(np.abs((2 * random.integers(0, 2, (size, len(table))) - 1) @ table) >= seen))
        for size in _blocks(len(table), resamples)
    )
    return (1 + as_far) / (1 + resamples)


def _blocks(width: int, rows: int) -> list[int]:
    """The numbers of rows of a table that is made in parts of at most some ten million cells."""
    block = max(1, 10_000_000 // max(1, width))
    return [min(block, rows - done) for done in range(0, rows, block)]


def _mean(values: Sequence[float]) -> float:
    return math.fsum(values) / len(values)


def _share(group: Sequence[Verdict], outcome: Spectrum) -> float:
    return Counter(v.outcome for v in group)[outcome] / len(group)


def _pass_at(groups: Sequence[Sequence[Verdict]], k: int) -> float:
    return _mean([pass_at_k(len(group), sum(v.perfect for v in group), k) for group in groups])
