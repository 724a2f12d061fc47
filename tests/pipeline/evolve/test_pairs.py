"""What the report says of answerers of whom it is known what they get right before and after."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from random import Random
from statistics import mean

import pytest

from harness.analysis.pairs import Drop, drops
from harness.errors import UserError
from harness.evolved import EVOLVED, pair_id, version
from harness.records import Spectrum, Task, Variation, Verdict
from harness.releases.dataset import Release, load_release
from harness.scoring.metrics import mann_whitney
from harness.scoring.results import Key, Results, Run
from pipeline.evolve.report import complexity_by_fate, fates_table, tokens_table
from pipeline.evolve.report_figures import draw
from pipeline.evolve.rows import EvolvedProgram

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


def rows() -> list[EvolvedProgram]:
    """The programs of the release: of the version, each more complex than the one before."""
    return [
        row for number in range(TASKS) for row in (
            EvolvedProgram(f"t{number}", "d", "sc-python", "original", "f", "a = 1\n", rc=0.1, tokens=50),
            EvolvedProgram(f"t{number}", "d", "sc-python", "v1", "f", "a = 2\n", rc=number / TASKS, tokens=60 + number))]


def losing(release: Release, chance: Callable[[int], float], random: Random, model: str = "m") -> Results:
    """The results of somebody who knows every original and loses an evolved program by a chance that its number sets."""
    lost = {f"t{number}" for number in range(TASKS) if random.random() < chance(number)}
    results = answered(release, 1.0, 1.0, random)
    of = {task.task_id: task for task in release.tasks}
    verdicts = {
        key: replace(one, outcome=Spectrum.FAIL) if version(of[key.task_id]) != "original"
        and of[key.task_id].origin in lost and of[key.task_id].variation.case == 1 else one  # type: ignore[union-attr]
        for key, one in results.verdicts.items()}
    return replace(results, run=replace(RUN, model=model), verdicts=verdicts)


def test_losses_that_come_with_complexity_are_told(release: Release) -> None:
    [found] = complexity_by_fate(rows(), [losing(release, lambda number: number >= 30, Random(0))], release)
    assert found.lost == tuple(number / TASKS for number in range(30, TASKS)) and len(found.kept) == 30
    [line] = fates_table([found]).rows
    assert line[:6] == ("m", "output", 30, 10, round(mean(found.kept), 3), round(mean(found.lost), 3))
    assert line[6] == 300 and 0 < line[7] < 1e-5


def test_losses_by_chance_are_seldom_called_complexity(release: Release) -> None:
    random, called = Random(3), 0
    for _ in range(100):
        [found] = complexity_by_fate(rows(), [losing(release, lambda _: 0.4, random)], release)
        called += mann_whitney(found.lost, found.kept).p_value < 0.05
    assert called <= 12


def test_what_was_wrong_before_is_neither_kept_nor_lost(release: Release) -> None:
    nothing = answered(release, 0.0, 0.5, Random(0))
    assert complexity_by_fate(rows(), [nothing], release) == []
    [one] = complexity_by_fate(rows(), [answered(release, 1.0, 1.0, Random(0))], release)
    assert len(one.kept) == TASKS and fates_table([one]).rows[0][4:] == (pytest.approx(0.487, abs=1e-3), "", "", "")


def test_three_models_agree(release: Release) -> None:
    bounds = {"a": 30, "b": 20, "c": 25, "d": 10}
    results = [losing(release, lambda number, bound=bound: number >= bound, Random(0), name)
               for name, bound in bounds.items()]
    *_, agreed = complexity_by_fate(rows(), results, release)
    assert agreed.model == "at least 3"
    assert agreed.kept == tuple(number / TASKS for number in range(20))
    assert agreed.lost == tuple(number / TASKS for number in range(25, TASKS))


def test_tokens_before_and_after() -> None:
    told = dict(zip(tokens_table(rows()).columns, tokens_table(rows()).rows[0], strict=True))
    after = mean(60 + number for number in range(TASKS))
    assert told == {
        "version": "v1", "programs": TASKS, "tokens before": 50, "tokens after": after,
        "ratio of means": round(after / 50, 2), "mean of ratios": round(after / 50, 2), "most": round(99 / 50, 2)}


def test_both_groups_are_drawn(release: Release, tmp_path: Path) -> None:
    found = complexity_by_fate(rows(), [losing(release, lambda number: number >= 30, Random(0))], release)
    made = [replace(row, complexity=(1,) * 7) for row in rows()]
    assert [path.name for path in draw(made, tmp_path, found)] == ["measures.png", "operators.png", "lost.png"]
    assert (tmp_path / "lost.png").read_bytes().startswith(b"\x89PNG")
