"""NSGA-II's parts give what a definition written down gives, for all points."""

from __future__ import annotations

from math import inf
from random import Random

from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.evolve.nsga2 import (
    Point,
    crowding,
    dominates,
    fronts,
    hypervolume,
    standing,
    survivors,
    tournament,
)

COORDINATE = st.integers(0, 4).map(float)
POINTS = st.lists(
    st.builds(Point, st.tuples(COORDINATE, COORDINATE), st.sampled_from([0.0, 0.0, 0.0, 1.0, 2.0])), min_size=1,
    max_size=12)


@settings(max_examples=40)
@given(POINTS)
def test_fronts_are_those_of_the_definition(points: list[Point]) -> None:
    left, expected = set(range(len(points))), []
    while left:
        front = sorted(a for a in left if not any(dominates(points[b], points[a]) for b in left))
        expected.append(front)
        left -= set(front)
    assert fronts(points) == expected


@settings(max_examples=40)
@given(POINTS)
def test_domination_is_a_strict_order(points: list[Point]) -> None:
    for one in points:
        assert not dominates(one, one)
        for other in points:
            assert not (dominates(one, other) and dominates(other, one))


def test_violations_come_before_objectives() -> None:
    best, broken, worse = Point((0.0, 0.0)), Point((9.0, 9.0), 1.0), Point((9.0, 9.0), 2.0)
    assert dominates(best, broken) and dominates(broken, worse) and not dominates(broken, best)


@settings(max_examples=40)
@given(POINTS, st.integers(1, 12))
def test_survivors_are_the_best_fronts(points: list[Point], size: int) -> None:
    kept = survivors(points, size)
    assert len(kept) == min(size, len(points)) == len(set(kept))
    rank = standing(points).rank
    assert max(rank[place] for place in kept) <= min(
        [rank[place] for place in range(len(points)) if place not in kept], default=99)


def test_ends_have_room_without_bounds_and_the_middle_what_its_neighbours_leave() -> None:
    points = [Point((0.0, 4.0)), Point((1.0, 2.0)), Point((4.0, 0.0))]
    assert crowding(points, [0, 1, 2]) == {0: inf, 1: 2.0, 2: inf}
    assert survivors([*points, Point((1.0, 2.0)), Point((1.5, 1.9))], 3)[:2] == [0, 2]


def test_tournaments_are_won_by_rank() -> None:
    of = standing([Point((1.0, 1.0)), Point((0.0, 0.0))])
    random = Random(0)
    wins = [tournament(of, random) for _ in range(200)]
    assert wins.count(0) > 120


@settings(max_examples=40)
@given(st.lists(st.tuples(COORDINATE, COORDINATE), max_size=10))
def test_hypervolume_is_the_area_of_the_cells_below(points: list[tuple[float, float]]) -> None:
    cells = sum(any(x > a and y > b for x, y in points) for a in range(4) for b in range(4))
    assert hypervolume(points) == cells
