"""The search for programs that are complex and can still be read: NSGA-II, or one of three ways to compare it with.

The objectives are relative complexity and relative readability. Work is counted in evaluations: programs that were
replayed and measured. What is on the front in the end can be looked at more closely; where something of it breaks a
rule that costs more to see, it is left out, and others take its place.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from random import Random

from harness.errors import UserError, guess
from harness.garbage import without_collection
from pipeline.evolve.genome import CROSSED, Evolved, Genome, Soil, crossed, mutated
from pipeline.evolve.nsga2 import Point, Standing, fronts, hypervolume, standing, survivors, tournament
from pipeline.measures.profile import Profile

STRATEGIES = "nsga2", "breed", "greedy", "random"
UNCHANGED = 5
"""Generations in which the front is the same, after which the search ends."""
KEPT_SHARE, FEWEST = 0.2, 2
"""What the paper's way of breeding keeps of its best: the share, and the least number."""

@dataclass(frozen=True)
class Settings:
    """How the search goes: at most so many `evaluations`, a `population`, and programs of so many times the tokens."""

    evaluations: int = 240
    population: int = 24
    strategy: str = "nsga2"
    longest: float = 6.0

    def checked(self) -> Settings:
        """The settings, if they can be met; raises `UserError`."""
        if self.strategy not in STRATEGIES:
            raise UserError(
                f"There is no strategy {self.strategy!r}{guess(self.strategy, STRATEGIES)}: "
                f"name one of {', '.join(STRATEGIES)}.")
        if self.population < 2:
            raise UserError(f"A population of {self.population} can't breed: give it 2 or more.")
        if self.evaluations < self.population:
            raise UserError(
                f"{self.evaluations} evaluations are fewer than the population of {self.population}: "
                f"give --evaluations {self.population} or more.")
        return self


class Search:
    """One search on one program."""

    def __init__(self, soil: Soil, profile: Profile, settings: Settings, seed: int) -> None:
        self.soil, self.profile, self.settings = soil, profile, settings
        self.random = Random(seed)
        self.seen: dict[tuple[tuple[str, str], ...], Evolved] = {}
        self.evaluations = 0
        self.left_out: set[tuple[tuple[str, str], ...]] = set()

    def run(self) -> None:
        """Search until the budget is spent, the most is reached, or nothing changes any more."""
        ways = {"nsga2": self._nsga2, "breed": self._breed, "greedy": self._greedy, "random": self._random}
        with without_collection():
            ways[self.settings.strategy]()

    @property
    def volume(self) -> float:
        """The hypervolume of the front."""
        points = [self.point(one).objectives for one in self.front()]
        return hypervolume([(rc, rr) for rc, rr in points])

    def point(self, one: Evolved) -> Point:
        """What the algorithm sees of a program."""
        objectives = self.profile.rc(one.complexity), self.profile.rr(one.readability)
        return Point(objectives, self._violation(one))

    def _violation(self, one: Evolved) -> float:
        """By how much a program breaks the rules: thresholds that its original kept, and tokens."""
        original = self.soil.original
        passed = len(self.profile.passed(one.readability, original.readability))
        length = max(0.0, one.tokens / max(1, original.tokens) - self.settings.longest)
        return passed + length

    def front(self) -> list[Evolved]:
        """The programs that break no rule and that none of them dominates, the most complex first."""
        programs = [self.soil.original, *self.seen.values()]
        first = self._front_of([one for one in programs if one.modules not in self.left_out])
        return sorted(first, key=lambda one: (-self.profile.rc(one.complexity), one.modules))

    def leave_out(self, one: Evolved) -> None:
        """What breaks another rule, so that it is on no front."""
        self.left_out.add(one.modules)

    def _front_of(self, programs: Sequence[Evolved]) -> list[Evolved]:
        fit = [one for one in _different(programs) if not self._violation(one)]
        points = [self.point(one) for one in fit]
        return [fit[place] for place in fronts(points)[0]] if fit else []

    def evaluated(self, genome: Genome) -> Evolved | None:
        """What a genome makes, None where that is a program seen before, or the budget is spent."""
        if self.spent:
            return None
        self.evaluations += 1
        made = self.soil.evolved(genome)
        if made.modules in self.seen or made.modules == self.soil.original.modules:
            return None
        self.seen[made.modules] = made
        return made

    @property
    def spent(self) -> bool:
        """Whether there is nothing left to search with."""
        return self.evaluations >= self.settings.evaluations

    def _grown(self, genome: Genome, steps: int) -> Genome:
        for _ in range(steps):
            gene = self.soil.proposed(genome, self.random)
            if gene is not None:
                genome = (*genome, gene)
        return genome

    def _nsga2(self) -> None:
        size = self.settings.population
        people: list[Evolved] = [self.soil.original]
        for _ in range(2 * size):
            if len(people) < size and (one := self.evaluated(self._grown((), self.random.randint(1, 8)))):
                people.append(one)
        before, unchanged = frozenset[object](), 0
        while not self.spent and unchanged < UNCHANGED:
            of = standing([self.point(one) for one in people])
            together = _different([*people, *self._offspring(people, of)])
            people = [together[place] for place in survivors([self.point(one) for one in together], size)]
            front = self._front_of(people)
            now = frozenset[object](one.modules for one in front)
            unchanged, before = (unchanged + 1 if now == before else 0), now
            if any(self._rc(one) >= 1 for one in front):
                break

    def _offspring(self, people: Sequence[Evolved], of: Standing) -> Iterator[Evolved]:
        for _ in range(self.settings.population):
            genome = people[tournament(of, self.random)].genome
            if self.random.random() < CROSSED:
                genome = crossed(genome, people[tournament(of, self.random)].genome, self.random)
            if (one := self.evaluated(mutated(genome, self.soil, self.random))) is not None:
                yield one

    def _breed(self) -> None:
        """The paper's: of the first front those with the most complexity have offspring by one operator each."""
        people: list[Evolved] = [self.soil.original]
        while not self.spent:
            points = [self.point(one) for one in people]
            first = [people[place] for place in fronts(points)[0]]
            first.sort(key=lambda one: (-self.profile.rc(one.complexity), one.modules))
            best = first[: max(FEWEST, int(KEPT_SHARE * len(first)))]
            for _ in range(self.settings.population):
                genome = self._grown(self.random.choice(best).genome, 1)
                if (one := self.evaluated(genome)) is not None:
                    people.append(one)
            people = self._front_of(people) or [self.soil.original]

    def _greedy(self) -> None:
        """One program that grows by whatever makes it more complex."""
        best = self.soil.original
        while not self.spent:
            one = self.evaluated(self._grown(best.genome, 1))
            if one is not None and not self._violation(one) and self._rc(one) > self._rc(best):
                best = one

    def _random(self) -> None:
        """Chains of drawn operators."""
        for _ in range(self.settings.evaluations):
            self.evaluated(self._grown((), self.random.randint(1, 20)))

    def _rc(self, one: Evolved) -> float:
        return self.profile.rc(one.complexity)


def _different(programs: Sequence[Evolved]) -> list[Evolved]:
    """Each text once, in the order in which they come."""
    return list({one.modules: one for one in reversed(programs)}.values())[::-1]


def picked(
    front: Sequence[Evolved], original: Evolved, profile: Profile, readability: float, pick: str
) -> list[Evolved]:
    """The programs of a front in the order in which one is taken: most complex first of those that can be read."""
    least = 0.0 if pick == "paper" else readability * profile.rr(original.readability)
    fit = [one for one in front if one.genome and profile.rr(one.readability) >= least]
    return sorted(fit, key=lambda one: (-profile.rc(one.complexity), one.modules))
