"""NSGA-II (Deb et al. 2002): sorting by domination, crowding, tournaments; all objectives are maximised.

A violation of constraints is a number, 0 where there is none; who violates less dominates who violates more, and
objectives count only among those without violations.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf
from operator import ge
from random import Random


@dataclass(frozen=True)
class Point:
    """An individual as the algorithm sees it: its objectives, and by how much it violates constraints."""

    objectives: tuple[float, ...]
    violation: float = 0.0


def dominates(one: Point, other: Point) -> bool:
    """Whether the first is better: constrained domination."""
    if one.violation or other.violation:
        return one.violation < other.violation
    return one.objectives != other.objectives and all(map(ge, one.objectives, other.objectives))


def fronts(points: Sequence[Point]) -> list[list[int]]:
    """The places of points by rank: the first front is dominated by none, the next by none but the first, and so on."""
    beats: list[list[int]] = [[] for _ in points]
    beaten = [0] * len(points)
    for a, one in enumerate(points):
        for b in range(a + 1, len(points)):
            if dominates(one, points[b]):
                beats[a].append(b)
                beaten[b] += 1
            elif dominates(points[b], one):
                beats[b].append(a)
                beaten[a] += 1
    found: list[list[int]] = []
    front = [place for place, count in enumerate(beaten) if not count]
    while front:
        found.append(front)
        following = []
        for place in front:
            for other in beats[place]:
                beaten[other] -= 1
                if not beaten[other]:
                    following.append(other)
        front = sorted(following)
    return found


def crowding(points: Sequence[Point], front: Sequence[int]) -> dict[int, float]:
    """How much room each point of a front has among its neighbours; the ends have infinitely much."""
    room = dict.fromkeys(front, 0.0)
    for number in range(len(points[front[0]].objectives)) if front else ():
        order = sorted(front, key=lambda place: (points[place].objectives[number], place))
        low, high = points[order[0]].objectives[number], points[order[-1]].objectives[number]
        room[order[0]] = room[order[-1]] = inf
        for before, place, after in zip(order, order[1:], order[2:], strict=False):
            if high > low:
                room[place] += (points[after].objectives[number] - points[before].objectives[number]) / (high - low)
    return room


@dataclass(frozen=True)
class Standing:
    """The rank and the room of each point."""

    rank: tuple[int, ...]
    room: tuple[float, ...]

    def better(self, one: int, other: int) -> int:
        """The winner of a tournament of two: the lower rank, then more room, then the first."""
        if self.rank[one] != self.rank[other]:
            return one if self.rank[one] < self.rank[other] else other
        return other if self.room[other] > self.room[one] else one


def standing(points: Sequence[Point]) -> Standing:
    """That of all points."""
    rank, room = [0] * len(points), [0.0] * len(points)
    for number, front in enumerate(fronts(points)):
        for place, value in crowding(points, front).items():
            rank[place], room[place] = number, value
    return Standing(tuple(rank), tuple(room))


def survivors(points: Sequence[Point], size: int) -> list[int]:
    """The places of those that live on: whole fronts, and of the last one those with most room."""
    kept: list[int] = []
    for front in fronts(points):
        if len(kept) + len(front) <= size:
            kept += front
            continue
        room = crowding(points, front)
        kept += sorted(front, key=lambda place: (-room[place], place))[: size - len(kept)]
        break
    return kept


def tournament(of: Standing, random: Random) -> int:
    """The place of a parent."""
    size = len(of.rank)
    return of.better(random.randrange(size), random.randrange(size))


def hypervolume(points: Sequence[tuple[float, float]], reference: tuple[float, float] = (0.0, 0.0)) -> float:
    """The area that two objectives to be maximised dominate, above a point of reference."""
    area, reached = 0.0, reference[1]
    for x, y in sorted(points, reverse=True):
        if x > reference[0] and y > reached:
            area += (x - reference[0]) * (y - reached)
            reached = y
    return area
