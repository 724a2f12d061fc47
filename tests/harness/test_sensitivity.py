"""How much rates depend on words: what the definitions say by hand, what chance gives, and truths that are known."""

from __future__ import annotations

import math
from itertools import permutations
from statistics import fmean

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from harness.analysis.sensitivity import (
    Asked,
    Counts,
    all_right,
    best,
    by_chance,
    cross_fitted,
    dealt_change,
    interval_of,
    mean_change_of_all,
    null,
    rms,
)

RUNS = 200


def simulated(seed: int, spread: float = 0.0, tasks: int = 74, variants: int = 10, samples: int = 10) -> tuple[list[Asked], float, float]:
    """Tasks with chances of their own, moved by so many logits for each variant; the true spread, and the true mean."""
    random = np.random.default_rng(seed)
    found, squares, means = [], [], []
    for _ in range(tasks):
        own = min(max(random.beta(0.68, 0.32), 1e-6), 1 - 1e-6)
        logit = math.log(own / (1 - own))
        chances = [1 / (1 + math.exp(-(logit + spread * random.normal()))) for _ in range(variants)] if spread else [own] * variants
        counts = [Counts(int(random.binomial(samples, chance)), samples) for chance in (own, *chances)]
        found.append(Asked(counts[0], tuple(counts[1:])))
        squares.append(fmean((chance - own) ** 2 for chance in chances))
        means.append(fmean(chances))
    return found, math.sqrt(fmean(squares)), fmean(means)


def test_the_definitions_by_hand() -> None:
    task, other = Asked(Counts(6, 10), (Counts(3, 10), Counts(10, 10))), Asked(Counts(0, 10), (Counts(1, 10),))
    assert task.changes == pytest.approx([-0.3, 0.4]) and task.mean_change == pytest.approx(0.35)
    assert mean_change_of_all([task, other]) == pytest.approx((0.3 + 0.4 + 0.1) / 3)
    assert best([task, other]) == pytest.approx(0.55) and best([task, other], with_origin=True) == pytest.approx(0.55)
    assert best([Asked(Counts(9, 10), (Counts(1, 10),))], with_origin=True) == 0.9
    assert best([task], k=5) == 1.0 and best([other], k=10) == 1.0
    assert all_right([task, other]) == pytest.approx((0.3 + 0.1) / 2)


@pytest.mark.parametrize("right, first, second", [(0, 3, 3), (2, 2, 3), (3, 3, 2), (5, 3, 2), (4, 4, 4)])
def test_what_chance_gives_is_the_mean_over_all_deals(right: int, first: int, second: int) -> None:
    answers = [1] * right + [0] * (first + second - right)
    deals = set(permutations(answers)) if first + second < 8 else set(permutations(answers, first + second))
    every = [abs(sum(deal[first:]) / second - sum(deal[:first]) / first) for deal in deals]
    assert by_chance(right, first, second) == pytest.approx(fmean(every), abs=1e-12)


def test_a_change_that_changes_nothing_has_a_size_and_no_excess() -> None:
    held, sizes, excess = 0, [], []
    for seed in range(RUNS):
        asked, _, _ = simulated(seed)
        around = interval_of(lambda one: one.excess, asked, seed)
        held += around.low <= 0 <= around.high
        sizes.append(fmean(one.mean_change for one in asked))
        excess.append(fmean(one.excess for one in asked))
    assert 0.90 <= held / RUNS <= 0.98
    assert fmean(sizes) > 0.07 and abs(fmean(excess)) < 0.002


@pytest.mark.parametrize("spread", [0.5, 1.0, 2.0])
def test_the_true_spread_is_found(spread: float) -> None:
    pairs = []
    for seed in range(RUNS):
        asked, truth, _ = simulated(seed, spread)
        pairs.append((fmean(one.square or 0 for one in asked), truth**2))
    found = rms(simulated(1, spread)[0])
    assert found is not None and found[1].low < found[0] < found[1].high
    measured, truth = (math.sqrt(fmean(side)) for side in zip(*pairs, strict=True))
    assert truth > 0.05 and abs(measured - truth) < 0.003


def test_the_best_words_of_a_change_that_changes_nothing_are_worth_nothing() -> None:
    gains, elsewhere = [], []
    for seed in range(40):
        asked, _, truth = simulated(seed)
        gains.append(best(asked) - truth)
        elsewhere.append((cross_fitted(asked, seed) or 0) - truth)
    assert fmean(gains) > 0.08 and abs(fmean(elsewhere)) < 0.01
    asked, _, _ = simulated(1)
    dealt = null(asked, deals=500)
    assert abs(dealt.best - best(asked)) < 0.02 and dealt.excess_p > 0.05 and dealt.best_p > 0.05
    told = null(simulated(1, 2.0)[0], deals=500)
    assert told.excess_p == told.best_p == 1 / 501


@given(st.lists(st.tuples(st.integers(2, 12), st.lists(st.integers(0, 12), min_size=1, max_size=5)), min_size=1, max_size=4), st.integers(0, 3))
@settings(max_examples=60, deadline=None)
def test_words_chosen_on_other_samples_are_never_better_than_the_best(rows: list[tuple[int, list[int]]], seed: int) -> None:
    asked = [Asked(Counts(0, n), tuple(Counts(min(right, n), n) for right in rights)) for n, rights in rows]
    found = cross_fitted(asked, seed)
    assert found is not None and found <= best(asked) + 1e-9


def test_single_samples_say_what_they_can() -> None:
    asked = [Asked(Counts(1, 1), (Counts(0, 1), Counts(1, 1)))]
    assert rms(asked) is None and cross_fitted(asked) is None and asked[0].excess == 0


def test_values_are_dealt_as_counts_are() -> None:
    assert dealt_change([1, 1, 0], [0, 0, 1]) == pytest.approx(by_chance(3, 3, 3), abs=0.08)
    assert dealt_change([0.5, 0.5], [0.5, 0.5]) == 0
