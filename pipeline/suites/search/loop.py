"""Seeded search for inputs: typical values first, then whatever comes nearer to branches that are still untaken.

The budget is in calls of the reference, never in time. Inputs that reach something new are kept and changed; inputs
whose calls end in nonsense teach the sampler which guesses were wrong.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass, field, replace
from typing import Any

from pipeline.suites.domain.drawing import BOUNDARY, TIDY, TYPICAL, VALID
from pipeline.suites.domain.parameter import NOBODY_ASKED, Asked, Parameter
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.inference.infer import widened
from pipeline.suites.rules import finds
from pipeline.suites.search.aiming import Aims
from pipeline.suites.search.attempts import ENOUGH, KEPT, MAX_VOLUME, SENSIBLE, Attempts
from pipeline.suites.search.branch_distance import Near
from pipeline.suites.search.mutation import mutated, spliced
from pipeline.suites.search.type_repair import learn_besides, learn_instead

FIRST = 150
HOPELESS = 300
"""After how many calls a function nearly all of whose answers can't be carried is given up."""
FRUITLESS = 400
"""After how many inputs in a row that are not new no further ones are drawn."""
AIMED, IN_VAIN = 40, 6
"""How many inputs are aimed from one at a branch with few cases, and how often that may fail in a row."""
PATIENCE = 80
"""How many changed inputs are tried for a goal with few cases before it is left as it is."""
OF_SEEDS = 0.2
"""The share of further cases that are changes of what the project itself calls the function with."""
OF_RARE = 0.3
"""The share of inputs with rare kinds of values where easy ones abound."""
HARDLY = 0.03
"""The share of first calls that return below which other kinds of arguments are tried at once."""
TRIED = 400
"""Calls for other kinds of arguments, at once or when half of the budget has not sufficed."""


@dataclass
class Search(Attempts):
    """The ways of one search, each with a budget of calls.

    `asked` are the strategies of a language model from which some of the inputs come.
    """

    seeds: list[dict[str, Any]] = field(default_factory=list)
    efforts: dict[int, int] = field(default_factory=dict)
    stubs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    asked: Asked = NOBODY_ASKED

    def __post_init__(self) -> None:
        super().__post_init__()
        self.aims = Aims(self)
        self.inferred = self.parameters

    def _turns(self, budget: int, patience: int) -> Iterator[None]:
        """Turns until so many calls are made, or that many turns in a row have made none."""
        stop, stale = self.reference.calls + budget, 0
        while self._on(stop) and stale < patience:
            before = self.reference.calls
            yield
            stale = 0 if self.reference.calls > before else stale + 1

    def offered(self, inputs: Iterable[dict[str, Any]]) -> frozenset[str]:
        """Try inputs that somebody wants to be cases, and give the keys of those that can be."""
        before = set(self.found)
        for value in inputs:
            self.attempt(deepcopy(value), given=True)
        return frozenset(self.found) - before

    def cover(self, budget: int) -> None:
        """Search until every goal is covered or the budget of calls is spent, all rounds together."""
        started, known = self.reference.calls, dict(self.kinds)
        self.sampler.profile = TIDY
        for value in self.seeds:
            self.attempt(deepcopy(value), given=True)
        for place in range(min(FIRST, budget)):
            self.sampler.profile = TIDY if place < FIRST // 2 else VALID
            self.attempt(self.sampler.inputs(self.parameters))
        learnt, first = False, {kind: count - known.get(kind, 0) for kind, count in self.kinds.items()}
        if first.get("returned", 0) < HARDLY * sum(first.values()) and budget > FIRST:
            learnt = learn_instead(self, 3 * TRIED)
        if not learnt and sum(first.get(kind, 0) for kind in SENSIBLE) < 0.3 * sum(first.values()):
            self.parameters = tuple(widened(parameter, rarely=False) for parameter in self.parameters)
        self.sampler.profile = VALID
        stale, half = 0, started + (budget - started) // 2
        while self.reference.calls < budget and not self.complete and stale < 4000:
            before = self.reference.calls
            if before >= HOPELESS and self.kinds.get("unencodable", 0) > 0.9 * before:
                return
            if before >= half:
                # Huge numbers make some functions work without end, so they come last.
                self.sampler.profile = replace(self.sampler.profile, vast=True)
                learn_besides(self, TRIED)
                self.parameters, half = tuple(widened(parameter, rarely=True) for parameter in self.parameters), budget
            self.sampler.profile = replace(self.sampler.profile, rare=0.15 if self.rng.random() < 0.3 else 0.04)
            self.attempt(self.propose())
            stale = 0 if self.reference.calls > before else stale + 1

    def begin_again(self) -> None:
        """Forget what calls have taught of the parameters; what is covered, and what is too much work, stays so."""
        old, self.parameters, self.sampler = self.sampler, self.inferred, Sampler(self.rng, self.pool, self.scale)
        self.sampler.bounds = old.bounds

    def deepen(self, budget: int, patience: int) -> None:
        """Search for outcomes of conditions, until `patience` calls in a row find none."""
        stop, last, stale = self.reference.calls + budget, self.reference.calls, 0
        self.sampler.profile = TIDY
        while self.missing and self._on(min(stop, last + patience)) and stale < patience:
            before, left = self.reference.calls, len(self.missing)
            self.attempt(self.propose())
            last = self.reference.calls if len(self.missing) < left else last
            stale = 0 if self.reference.calls > before else stale + 1

    def spread(self, budget: int) -> None:
        """Aim any inputs at the branches that have few cases, so that those are not all changes of one input."""
        stop, vain, sources = self.reference.calls + budget, 0, list(self.found.values())
        goals = self.reference.measure.goals
        while self._on(stop) and vain < IN_VAIN:
            few = [goal for goal in sorted(self._few) if goal < self.branches and goals[goal].target]
            if not few:
                return
            goal, source = self.rng.choice(few), self.rng.choice(sources)
            count = self.counts[goal]
            tests = self.probes.examined(source.encoded, self._input(source), {self.lines[goal]})
            for made in itertools.islice(self.aims.others(tests) if tests else (), AIMED):
                self.attempt(made)
                if self.counts[goal] > count:
                    break
            vain = 0 if self.counts[goal] > count else vain + 1

    def enrich(self, budget: int) -> None:
        """Change inputs of the goals that have few cases, until they have enough or that leads nowhere."""
        self.sampler.profile = BOUNDARY
        for _ in self._turns(budget, PATIENCE):
            scarce = self._scarce()
            if scarce is None:
                return
            self.attempt(mutated(self.sampler, self.parameters, scarce))

    def hunt(self, lines: Iterable[int], budget: int) -> None:
        """Change inputs that come to certain lines, and try fresh ones now and then."""
        wanted = set(lines)
        goals = [goal for goal in sorted(self.reaching) if self.lines[goal] in wanted]
        self.sampler.profile = replace(BOUNDARY, rare=0.03)
        for _ in self._turns(budget, budget):
            roll = self.rng.random()
            aimed = self.probes.aim(self.rng) if roll < 0.25 else None
            if aimed is not None:
                self.attempt(self._hinted(aimed))
            elif goals and roll < 0.85:
                source = self.rng.choice(self.reaching[self.rng.choice(goals)])
                self.attempt(mutated(self.sampler, self.parameters, source))
            else:
                self.attempt(self.sampler.inputs(self.parameters))

    def contrast(self, easy: frozenset[str], budget: int) -> None:
        """Change inputs that are not among the easy ones, and draw what is rare otherwise, too."""
        hard = [found for key, found in self.found.items() if key not in easy][-KEPT * KEPT:]
        for _ in self._turns(budget if hard else 0, budget):
            fresh = self.rng.random() < OF_RARE
            self.sampler.profile = replace(BOUNDARY, rare=0.5) if fresh else BOUNDARY
            if fresh:
                self.attempt(self.sampler.inputs(self.parameters))
            else:
                self.attempt(mutated(self.sampler, self.parameters, self._input(self.rng.choice(hard))))

    def collect(self, usual: tuple[Parameter, ...], wanted: int, budget: int) -> None:
        """Collect cases as callers pass them: fresh inputs of parameters narrowed to that, `wanted` that return."""
        known = self.kinds.get("returned", 0)
        self.sampler.profile = TYPICAL
        for _ in self._turns(budget, FRUITLESS):
            if self.volume >= MAX_VOLUME or self.kinds.get("returned", 0) - known >= wanted:
                break
            self.attempt(self.sampler.inputs(usual))

    def fill(self, wanted: int, calm: int, budget: int) -> None:
        """Collect further valid cases, fresh ones mostly: `wanted` in all, `calm` that raise nothing."""
        for _ in self._turns(budget, FRUITLESS):
            enough = len(self.found) >= wanted and self.kinds.get("returned", 0) >= calm
            if enough or self.volume >= MAX_VOLUME:
                return
            roll = self.rng.random()
            self.sampler.profile = replace(BOUNDARY, tidy=roll < 0.5)
            scarce = self._scarce() if roll < 0.35 else None
            if self.seeds and self.rng.random() < OF_SEEDS:
                self.attempt(mutated(self.sampler, self.parameters, self.rng.choice(self.seeds)))
            elif scarce is not None:
                self.attempt(mutated(self.sampler, self.parameters, scarce))
            elif roll < 0.75 or not self.answers:
                self.attempt(self.sampler.inputs(self.parameters))
            elif roll < 0.9:
                # One input for each answer: changing them gives rare answers the same chance as common ones.
                self.attempt(mutated(self.sampler, self.parameters, self.rng.choice(list(self.answers.values()))))
            else:
                self.attempt(self._changed())

    @finds("search: scarce goals")
    def _scarce(self) -> dict[str, Any] | None:
        """An input that reaches a goal with few cases; goals for which that has often led nowhere rest."""
        few = sorted(goal for goal in self._few if self._wanting(goal))
        if not few:
            return None
        goal = min(few, key=lambda n: (self.counts[n], n)) if self.rng.random() < 0.5 else self.rng.choice(few)
        self.efforts[goal] = self.efforts.get(goal, 0) + 1
        kept: dict[str, Any] = self.rng.choice(self.reaching[goal])
        return kept

    def _wanting(self, goal: int) -> bool:
        return self.counts[goal] < ENOUGH and self.efforts.get(goal, 0) < PATIENCE * (1 + self.counts[goal] // 4)

    def propose(self) -> dict[str, Any]:
        """The next input: a fresh one, a changed one, one made of two, or one aimed at an untaken comparison."""
        roll = self.rng.random()
        if roll < 0.3 or not self.corpus:
            return self.sampler.inputs(self.parameters)
        if roll < 0.6 and (made := self.aims.next()) is not None:
            return made
        if roll < 0.5 and (aimed := self.probes.aim(self.rng)) is not None:
            return self._hinted(aimed)
        if roll < 0.6 and len(self.corpus) > 1:
            return spliced(
                self.sampler, self.rng.choice(self.corpus)[0], self.rng.choice(self.corpus)[0], self.parameters
            )
        return self._changed()

    def _hinted(self, near: Near) -> dict[str, Any]:
        return mutated(self.sampler, self.parameters, near.value, near.test.hints)

    def _changed(self) -> dict[str, Any]:
        """A change of an input that came to the line of an untaken branch, where there is one."""
        lines = self.wanted_lines
        near = [entry for entry in self.corpus if any(self.lines[goal] in lines for goal in entry[1])]
        source = near if near and self.rng.random() < 0.8 else self.corpus
        return mutated(self.sampler, self.parameters, self.rng.choice(source)[0])
