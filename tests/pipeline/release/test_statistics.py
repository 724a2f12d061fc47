"""The numbers of the card."""

from dataclasses import replace

import pytest

from pipeline.release.statistics import knowledge, libraries, margin, share, table
from tests.pipeline.release.making import MODELS, tasks


@pytest.mark.parametrize(
    ("part", "expected"),
    [(0, "0%"), (1, "100%"), (0.99999, "99.9%"), (0.00001, "0.1%"), (1 / 3, "33.3%"), (0.5, "50%"), (0.625, "62.5%")],
)
def test_only_all_of_it_is_a_hundred_per_cent(part: float, expected: str) -> None:
    assert share(part) == expected


@pytest.mark.parametrize(("count", "points"), [(74, 11.4), (100, 9.8), (411, 4.8)])
def test_how_sure_a_score_is(count: int, points: float) -> None:
    assert round(margin(count), 1) == points


def value(what: str, own: list) -> str:
    return next(row.values[0] for row in table([own]) if row.what == what)


def test_one_incomplete_suite_is_not_rounded_away() -> None:
    own = tasks()
    own[1] = replace(own[1], strength=replace(own[1].strength, branch_coverage=0.9999))
    assert value("Branch coverage, lowest", own) == "99.9%"


def test_what_was_not_measured_is_said_to_be_so() -> None:
    own = [replace(t, lite=None, strength=replace(t.strength, mutation_score=None)) for t in tasks()]
    assert value("Mutation score, median and lowest", own) == "not measured"
    assert value("Lite cases per task, median (range)", own) == "not made"


def test_modules_count_for_their_library_once_a_task() -> None:
    own = [replace(tasks()[0], libraries=("numpy", "numpy.typing", "os.path"))]
    assert libraries(own) == [("numpy", 1), ("os", 1)]


def test_models_stand_in_the_order_of_their_knowledge() -> None:
    found = knowledge(MODELS, tasks())
    assert [(age.cutoff.what, age.tasks, age.of) for age in found] == [("late", 0, 5), ("between", 1, 5), ("early", 5, 5)]
