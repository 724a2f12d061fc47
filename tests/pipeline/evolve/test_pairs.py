"""What the report says of answerers of whom it is known what they get right before and after."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from random import Random

import pytest

from harness.analysis.pairs import Drop, drops
from harness.errors import UserError
from harness.evolved import EVOLVED, pair_id, version
from harness.records import Spectrum, Task, Variation, Verdict
from harness.releases.dataset import Release, load_release
from harness.scoring.results import Key, Results, Run

TASKS, CASES = 40, 3
RUN = Run("r", "r", "", "m", "h", "p", "py", "l", "none", "samples")


@pytest.fixture(scope="module")
def release(origin: Path) -> Release:
    """A release that asks about 40 programs, each before and after, in three cases."""
    whole = load_release(str(origin))
    made = [
        replace(whole.tasks[0], task_id=f"c2b-{chain}-{number}-{case}", origin=f"t{number}", family="output",
                variation=Variation(chain, int(chain == EVOLVED), 0, "d", case, 0.0))
        for number in range(TASKS) for case in range(CASES) for chain in ("Plain", EVOLVED)]
    return replace(whole, tasks=tuple(made), manifest_sha256="m")


def answered(release: Release, before: float, after: float, random: Random) -> Results:
    """The results of somebody who is right with these probabilities."""
    def verdict(task: Task) -> Verdict:
        right = random.random() < (before if version(task) == "original" else after)
        return Verdict(task.task_id, task.task_digest, Spectrum.PERFECT if right else Spectrum.FAIL, int(right), 1)

    return Results(
        Path("a.jsonl"), RUN, {Key(one.task_id, one.task_digest, "", 0, ""): verdict(one) for one in release.tasks}, {})


def drop(release: Release, results: Results) -> Drop:
    [found] = drops(results, results, release)
    return found


def test_pairs_join_versions_of_the_same_question(release: Release) -> None:
    assert len({pair_id(task) for task in release.tasks}) == TASKS * CASES
    assert pair_id(replace(release.tasks[0], family="input")) != pair_id(release.tasks[0])


def test_a_difference_has_three_readings(release: Release) -> None:
    first = {task.task_id: task for task in release.tasks}
    whole = answered(release, 1.0, 0.0, Random(0))
    half = {key: one for key, one in whole.verdicts.items()
            if not (first[key.task_id].origin or "").endswith(("0", "1", "2", "3", "4"))}
    found = drop(release, replace(whole, verdicts=half))
    assert (found.pairs, found.before, found.after, found.difference) == (TASKS * CASES // 2, 1, 0, -1)
    assert (found.ratio_of_means, found.mean_of_ratios, found.both, found.only_before) == (-1, -1, 0, 60)
    assert found.test == "exact McNemar test" and found.p_value == pytest.approx(2 * 0.5**60)


def test_results_of_another_release_are_refused(release: Release) -> None:
    other = answered(release, 1.0, 1.0, Random(0))
    with pytest.raises(UserError, match="judged on another release"):
        drops(other, other, replace(release, manifest_sha256="x"))


@pytest.mark.slow  # 200 answerers, each with 10,000 resamples
@pytest.mark.parametrize(("before", "after"), [(0.7, 0.45), (0.5, 0.5), (0.9, 0.8)])
def test_the_interval_holds_what_is_true_of_simulated_answerers(release: Release, before: float, after: float) -> None:
    random, held = Random(f"{before} {after}"), 0
    for _ in range(200):
        interval = drop(release, answered(release, before, after, random)).interval
        held += interval.low - 1e-12 <= after - before <= interval.high + 1e-12
    assert held >= 0.93 * 200, held
