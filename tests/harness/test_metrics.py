"""The numbers agree with definitions, with brute force, and with themselves."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.records import Spectrum, Verdict
from harness.scoring.metrics import (
    Interval,
    RankSum,
    bootstrap,
    in_paper,
    mann_whitney,
    mcnemar,
    pass_at_k,
    score,
    score_by,
    sign_flip,
    wilson,
)


def verdict(task: str, outcome: Spectrum, passed: int = 0, total: int = 100) -> Verdict:
    return Verdict(task, "d", outcome, passed, total)


def perfect(task: str) -> Verdict:
    return verdict(task, Spectrum.PERFECT, 100)


@given(st.integers(1, 8), st.data())
def test_pass_at_k_is_the_share_of_draws_with_a_right_one(samples: int, data: st.DataObject) -> None:
    right, k = data.draw(st.integers(0, samples)), data.draw(st.integers(1, samples))
    draws = list(itertools.combinations([True] * right + [False] * (samples - right), k))
    assert pass_at_k(samples, right, k) == pytest.approx(sum(any(d) for d in draws) / len(draws))


@pytest.mark.parametrize(("samples", "k"), [(1, 2), (0, 1), (3, 0)])
def test_pass_at_k_refuses_more_draws_than_samples(samples: int, k: int) -> None:
    with pytest.raises(ValueError, match="needs at least"):
        pass_at_k(samples, 0, k)


@pytest.mark.parametrize(
    ("right", "total", "low", "high"),
    [(0, 10, 0.0, 0.277533), (10, 10, 0.722467, 1.0), (5, 10, 0.236593, 0.763407), (1, 1, 0.206549, 1.0), (81, 263, 0.255289, 0.366204)],
)
def test_wilson_agrees_with_published_values(right: int, total: int, low: float, high: float) -> None:
    assert wilson(right, total) == Interval(pytest.approx(low, abs=2e-5), pytest.approx(high, abs=2e-5))  # type: ignore[arg-type]


@given(st.integers(1, 500), st.data())
def test_wilson_holds_the_share_and_stays_inside(total: int, data: st.DataObject) -> None:
    right = data.draw(st.integers(0, total))
    interval = wilson(right, total)
    assert 0 <= interval.low <= right / total + 1e-12
    assert right / total - 1e-12 <= interval.high <= 1


def test_the_bootstrap_is_seeded_and_near_the_normal_interval() -> None:
    values = [1.0] * 60 + [0.0] * 40
    assert bootstrap(values, 1) == bootstrap(values, 1)
    assert bootstrap(values, 1) != bootstrap([*values, 0.5], 2)
    half = 1.96 * math.sqrt(0.6 * 0.4 / 100)
    interval = bootstrap(values)
    assert interval.low == pytest.approx(0.6 - half, abs=0.02)
    assert interval.high == pytest.approx(0.6 + half, abs=0.02)


def test_a_bootstrap_of_equal_values_is_a_point() -> None:
    assert bootstrap([1.0] * 7) == Interval(1.0, 1.0)


@pytest.mark.parametrize(
    ("first", "second", "p"),
    [(0, 0, 1.0), (1, 0, 1.0), (5, 5, 1.0), (0, 6, 2 / 64), (3, 9, 2 * 299 / 4096), (10, 2, 2 * 79 / 4096), (0, 1100, 0.0)],
)
def test_mcnemar_is_twice_the_smaller_tail(first: int, second: int, p: float) -> None:
    assert mcnemar(first, second) == pytest.approx(p, rel=1e-12, abs=1e-300)
    assert mcnemar(first, second) == mcnemar(second, first)


@pytest.mark.parametrize(("first", "second", "u", "p"), [
    (range(1, 9), range(5, 13), 8, 0.013313002763816655),
    ([.1, .2, .2, .4, .9, .7, .3, .3, .5], [.2, .3, .6, .8, .9, .9, .95, .99], 16, 0.05871258121935058),
    ([3], [1, 2], 2, 0.5402913746074199), ([1, 1, 1], [1, 1], 3, 1), ([1], [], 0, 1),
])
def test_mann_whitney_counts_pairs_and_is_that_of_scipy(
    first: Sequence[float], second: Sequence[float], u: float, p: float
) -> None:
    found = mann_whitney(first, second)
    assert found == RankSum(u, pytest.approx(p, rel=1e-9))
    assert u == sum((a > b) + (a == b) / 2 for a in first for b in second)
    assert mann_whitney(second, first) == RankSum(len(first) * len(second) - u, pytest.approx(p, rel=1e-9))


@given(st.integers(0, 6), st.integers(0, 6), st.integers(0, 9))
def test_flipped_signs_of_whole_tasks_give_mcnemars_p(first: int, second: int, equal: int) -> None:
    assert sign_flip([-1.0] * first + [0.0] * equal + [1.0] * second) == pytest.approx(mcnemar(first, second))


def test_flipped_signs_are_counted_one_by_one_where_they_are_few() -> None:
    differences = [0.5, 0.25, -0.1, 0.7]
    sums = [abs(sum(sign * d for sign, d in zip(signs, differences, strict=True))) for signs in itertools.product((-1, 1), repeat=4)]
    assert sign_flip(differences) == sum(s >= sum(differences) - 1e-9 for s in sums) / 16


def test_flipped_signs_of_many_tasks_are_drawn_with_a_seed() -> None:
    differences = [1.0] * 30 + [-1.0] * 15
    assert sign_flip(differences, 1) == sign_flip(differences, 1) != sign_flip(differences, 2)
    assert sign_flip(differences) == pytest.approx(mcnemar(30, 15), abs=0.01)
    assert sign_flip([1.0] * 200) == 1 / 10_001
    assert sign_flip([]) == sign_flip([0.0] * 3) == 1.0


def test_the_score_of_one_sample_per_task() -> None:
    result = score([
        perfect("a"), verdict("b", Spectrum.NEAR_PERF, 99), verdict("c", Spectrum.SYNTAX_ERR), verdict("d", Spectrum.FAIL, 10),
    ])
    assert (result.tasks, result.samples, result.pass_at) == (4, 4, {1: 0.25})
    assert result.near_perfect == 0.25
    assert result.case_pass_rate == pytest.approx((1 + 0.99 + 0 + 0.1) / 4)
    assert result.outcomes == {o.value: 0.25 if o in (Spectrum.PERFECT, Spectrum.NEAR_PERF, Spectrum.SYNTAX_ERR, Spectrum.FAIL) else 0 for o in Spectrum}


def test_samples_count_within_their_task() -> None:
    result = score([perfect("a"), verdict("a", Spectrum.FAIL), perfect("b"), perfect("b"), perfect("b")])
    assert result.pass_at == {1: 0.75, 2: 1.0}
    assert result.outcomes["Perfect"] == 0.75


@given(st.permutations([perfect("a"), perfect("b"), verdict("b", Spectrum.FAIL, 3), verdict("c", Spectrum.RUNTIME_ERR)]))
def test_the_order_of_verdicts_does_not_matter(verdicts: list[Verdict]) -> None:
    assert score(verdicts) == score(sorted(verdicts, key=lambda v: (v.task_id, v.passed)))


@given(st.lists(st.tuples(st.sampled_from("abcd"), st.sampled_from(list(Spectrum))), min_size=1))
def test_the_shares_of_the_outcomes_add_up(pairs: list[tuple[str, Spectrum]]) -> None:
    assert math.fsum(score([verdict(t, o) for t, o in pairs]).outcomes.values()) == pytest.approx(1)


def test_slices_are_scored_apart() -> None:
    parts = score_by([perfect("a"), verdict("b", Spectrum.FAIL)], {"a": ("x", "z"), "b": ("y", "z")})
    assert {key: part.pass_at[1] for key, part in parts.items()} == {"x": 1.0, "y": 0.0, "z": 0.5}


def test_nothing_has_no_score() -> None:
    with pytest.raises(ValueError, match="no verdicts"):
        score([])


def test_the_paper_has_eight_outcomes_which_ours_are_counted_to() -> None:
    ours = {"NoAnswer": 0.25, "SyntaxErr": 0.25, "Timeout": 0.125, "LogicErr": 0.125, "Perfect": 0.25}
    found = in_paper(ours)
    assert len(found) == 8 and sum(found.values()) == 1.0
    assert (found["SyntaxErr"], found["LogicErr"], found["Perfect"], found["Fail"]) == (0.5, 0.25, 0.25, 0.0)
