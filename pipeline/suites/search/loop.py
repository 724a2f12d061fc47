"""Seeded search for inputs: typical values first, then whatever comes nearer to branches that are still untaken.

The budget is in calls of the reference, never in time. Inputs that reach something new are kept and changed; inputs
whose calls end in nonsense teach the sampler which guesses were wrong.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterable
from copy import deepcopy
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from random import Random
from typing import Any

from harness.values import NotEncodable, canonical, decode, encode
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.profile import BOUNDARY, TIDY, TYPICAL, VALID
from pipeline.suites.domain.random_source import Choosing
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.domain.spec import NOBODY_ASKED, Asked, Parameter
from pipeline.suites.inference.infer import widened
from pipeline.suites.instrument.condition_coverage import PASSES
from pipeline.suites.instrument.reference import Observation, Reference, arguments
from pipeline.suites.rules import finds, notes
from pipeline.suites.search.aiming import Aims
from pipeline.suites.search.branch_distance import Near, Probes
from pipeline.suites.search.mutation import mutated, spliced
from pipeline.suites.search.retreat import Retreat
from pipeline.suites.search.type_repair import learn_besides, learn_instead

MAX_CHARS = 4_000
LARGE = 20_000
"""Characters of an input, where a number of the body asks for such sizes."""
MARKED = 64
"""Characters of an input beyond which only its digest is remembered."""
MAX_VOLUME = 4_000_000
"""Characters of all inputs together beyond which only those are kept that reach something new."""
MAX_ENDLESS = 300
"""How many calls without end a search for branches bears, and how many all that comes after it."""
FIRST = 150
ENOUGH = 30
"""How many cases a goal should have before the rest are drawn at large."""
KEPT = 8
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
MOST_ASKED = 30
"""How many keys are remembered that were looked up in vain."""
SENSIBLE = ("returned", "raised")


@dataclass(frozen=True)
class Found:
    """An input with what its call did; `key` is its canonical encoding, `encoded` its arguments.

    `tidy` says that it was drawn as a person would write it: no corners, no noise; `ordinary` that it keeps besides to
    what documentation and names suggest; `given` that the project itself calls the function with it.
    """

    key: str
    encoded: tuple[list[Any], dict[str, Any]]
    observation: Observation
    tidy: bool = False
    given: bool = False
    ordinary: bool = False

    @property
    def usual(self) -> bool:
        """Whether it is as callers pass it, or comes from the project itself."""
        return self.given or self.ordinary


@dataclass
class Search:
    """The state of one search: what was found valid, and the inputs that are worth changing.

    `asked` are the strategies of a language model from which some of the inputs come.
    """

    reference: Reference
    parameters: tuple[Parameter, ...]
    pool: Pool
    seed: int
    probes: Probes
    seeds: list[dict[str, Any]] = field(default_factory=list)
    found: dict[str, Found] = field(default_factory=dict)
    tried: set[str | bytes] = field(default_factory=set)
    volume: int = 0
    corpus: list[tuple[dict[str, Any], frozenset[int]]] = field(default_factory=list)
    reached: set[int] = field(default_factory=set)
    covered: set[int] = field(default_factory=set)
    kinds: dict[str, int] = field(default_factory=dict)
    nonsense: dict[str, int] = field(default_factory=dict)
    answers: dict[str, dict[str, Any]] = field(default_factory=dict)
    unencodable: list[str] = field(default_factory=list)
    counts: dict[int, int] = field(default_factory=dict)
    reaching: dict[int, list[dict[str, Any]]] = field(default_factory=dict)
    efforts: dict[int, int] = field(default_factory=dict)
    stubs: dict[str, tuple[str, ...]] = field(default_factory=dict)
    scale: Scale = SCALES[0]
    asked: Asked = NOBODY_ASKED

    def __post_init__(self) -> None:
        self.rng: Random = Choosing(self.seed)
        self.retreat = Retreat()
        self.aims = Aims(self)
        self._few: set[int] = set()
        self.sampler = Sampler(self.rng, self.pool, self.scale)
        self.inferred = self.parameters
        goals = self.reference.measure.goals
        self.conditions = self.reference.conditions.goals
        self.branches = len(goals)
        self.lines = [*(goal.line for goal in goals), *(goal.line for goal in self.conditions)]
        self.missing = set(range(len(self.lines)))
        self.probing = True

    @property
    def complete(self) -> bool:
        """Whether every branch and statement is covered by valid cases; conditions come on top."""
        return min(self.missing, default=self.branches) >= self.branches

    def unmet(self) -> list[str]:
        """The outcomes of conditions and loops that no valid case has, in words."""
        places = [goal - self.branches for goal in sorted(self.missing) if goal >= self.branches]
        return [str(self.conditions[place]) for place in places]

    @property
    def outcomes(self) -> int:
        """How many outcomes of conditions there are, passes of loops left out."""
        return sum(not str(goal).endswith(PASSES) for goal in self.conditions)

    def outcomes_in_words(self) -> str:
        """How many calls had each outcome, and the most frequent exceptions that make no sense."""
        common = sorted(self.nonsense.items(), key=lambda entry: (-entry[1], entry[0]))[:3]
        counts = ", ".join(f"{count} {kind}" for kind, count in sorted(self.kinds.items()))
        return counts + "".join(f"; {count} times {name}" for name, count in common)

    def one_sided(self) -> list[str]:
        """The outcomes of conditions alone that no valid case has: operands, conditional expressions, filters."""
        return [outcome for outcome in self.unmet() if not outcome.endswith(PASSES)]

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
        stop, stale = self.reference.calls + budget, 0
        self.sampler.profile = BOUNDARY
        while self._on(stop) and stale < PATIENCE:
            before, scarce = self.reference.calls, self._scarce()
            if scarce is None:
                return
            self.attempt(mutated(self.sampler, self.parameters, scarce))
            stale = 0 if self.reference.calls > before else stale + 1

    def hunt(self, lines: Iterable[int], budget: int) -> None:
        """Change inputs that come to certain lines, and try fresh ones now and then."""
        wanted = set(lines)
        goals = [goal for goal in sorted(self.reaching) if self.lines[goal] in wanted]
        stop, stale = self.reference.calls + budget, 0
        self.sampler.profile = replace(BOUNDARY, rare=0.03)
        while self._on(stop) and stale < budget:
            before, roll = self.reference.calls, self.rng.random()
            aimed = self.probes.aim(self.rng) if roll < 0.25 else None
            if aimed is not None:
                self.attempt(self._hinted(aimed))
            elif goals and roll < 0.85:
                source = self.rng.choice(self.reaching[self.rng.choice(goals)])
                self.attempt(mutated(self.sampler, self.parameters, source))
            else:
                self.attempt(self.sampler.inputs(self.parameters))
            stale = 0 if self.reference.calls > before else stale + 1

    def contrast(self, easy: frozenset[str], budget: int) -> None:
        """Change inputs that are not among the easy ones, and draw what is rare otherwise, too."""
        hard = [found for key, found in self.found.items() if key not in easy][-KEPT * KEPT:]
        stop, stale = self.reference.calls + budget, 0
        while hard and self._on(stop) and stale < budget:
            before, fresh = self.reference.calls, self.rng.random() < OF_RARE
            self.sampler.profile = replace(BOUNDARY, rare=0.5) if fresh else BOUNDARY
            if fresh:
                self.attempt(self.sampler.inputs(self.parameters))
            else:
                self.attempt(mutated(self.sampler, self.parameters, self._input(self.rng.choice(hard))))
            stale = 0 if self.reference.calls > before else stale + 1

    def _input(self, found: Found) -> dict[str, Any]:
        """The values of an input by parameter."""
        return self._restored(found, shape_of(self.parameters, len(found.encoded[0])))

    def collect(self, usual: tuple[Parameter, ...], wanted: int, budget: int) -> None:
        """Collect cases as callers pass them: fresh inputs of parameters narrowed to that, `wanted` that return."""
        stop, stale, known = self.reference.calls + budget, 0, self.kinds.get("returned", 0)
        self.sampler.profile = TYPICAL
        while self._on(stop) and stale < FRUITLESS and self.volume < MAX_VOLUME:
            if self.kinds.get("returned", 0) - known >= wanted:
                break
            before = self.reference.calls
            self.attempt(self.sampler.inputs(usual))
            stale = 0 if self.reference.calls > before else stale + 1

    def fill(self, wanted: int, calm: int, budget: int) -> None:
        """Collect further valid cases, fresh ones mostly: `wanted` in all, `calm` that raise nothing."""
        stop, stale = self.reference.calls + budget, 0
        while self._on(stop) and stale < FRUITLESS:
            enough = len(self.found) >= wanted and self.kinds.get("returned", 0) >= calm
            if enough or self.volume >= MAX_VOLUME:
                return
            before = self.reference.calls
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
            stale = 0 if self.reference.calls > before else stale + 1

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

    @property
    def wanted_lines(self) -> set[int]:
        """The lines of what is missing."""
        return {self.lines[goal] for goal in self.missing}

    def _changed(self) -> dict[str, Any]:
        """A change of an input that came to the line of an untaken branch, where there is one."""
        lines = self.wanted_lines
        near = [entry for entry in self.corpus if any(self.lines[goal] in lines for goal in entry[1])]
        source = near if near and self.rng.random() < 0.8 else self.corpus
        return mutated(self.sampler, self.parameters, self.rng.choice(source)[0])

    def attempt(self, value: dict[str, Any], given: bool = False) -> Observation | None:
        """Call the reference with an input and keep what it gives; None where it is not new or can't be carried."""
        args, kwargs = arguments(self.parameters, value)
        if self.scale is not SCALES[0] and not self.scale.holds([args, kwargs]):
            return None
        try:
            encoded = ([encode(a) for a in args], {name: encode(v) for name, v in kwargs.items()})
            key = canonical([encoded[0], sorted(encoded[1].items())])
        except (NotEncodable, RecursionError):
            return None
        if len(key) > MAX_CHARS and (len(key) > LARGE or not self.pool.large):
            return None
        mark = blake2b(key.encode(), digest_size=16).digest() if len(key) > MARKED else key
        if mark in self.tried:
            return None
        self.tried.add(mark)
        drawn = self.sampler.drawn
        seen = self.reference.call(args, kwargs)
        if seen.kind == "deadly":
            self.sampler.feedback(False)
            return None
        if seen.kind == "slow":
            seen = self.reference.patiently(
                [decode(a) for a in encoded[0]], {name: decode(v) for name, v in encoded[1].items()}
            )
        if self.retreat.after(seen.kind == "endless", self.sampler):
            self._endless(key)
        self.kinds[seen.kind] = self.kinds.get(seen.kind, 0) + 1
        self.sampler.drawn = drawn
        self.sampler.feedback(seen.kind in ("returned", "raised"))
        self._keep(Found(key, encoded, seen, self.sampler.profile.tidy, given, self.sampler.profile.ordinary), value)
        return seen

    def _endless(self, key: str) -> None:
        if self.retreat.endless > MAX_ENDLESS and not self.complete:
            counts = f"{self.retreat.endless} of {self.reference.calls}"
            raise Endless(f"{counts} inputs make it work without end, as {key[:200]}")

    def _on(self, stop: int) -> bool:
        """Whether to go on after all branches are taken: there are calls left, and hardly any are without end."""
        return self.reference.calls < stop and self.retreat.endless < 2 * MAX_ENDLESS

    def _keep(self, found: Found, value: dict[str, Any]) -> None:
        seen = found.observation
        valid = seen.kind in SENSIBLE
        if seen.outcomes:
            inside = [self.branches + place for place in seen.outcomes]
            seen = Observation(seen.kind, seen.goals.union(inside), seen.answer, seen.detail)
            found = replace(found, observation=seen)
        if seen.kind == "nonsense":
            self._learn_key(seen.detail)
            name = seen.detail[:120]
            self.nonsense[name] = self.nonsense.get(name, 0) + 1
        if seen.kind == "raised" and seen.answer == "KeyError":
            self._learn_key(seen.detail)
        if seen.kind == "unencodable" and not self.unencodable:
            self.unencodable.append(seen.detail)
        if valid and (self.volume < MAX_VOLUME or seen.goals - self.covered):
            if found.key not in self.found:
                self._count(found, value)
            self.found[found.key] = found
            self.volume += len(found.key)
            if seen.answer not in self.answers and len(self.answers) < 300:
                self.answers[seen.answer] = self._restored(found, value)
        closer = False
        if (self.probing and self.missing) or self.probes.following:
            closer = self.probes.observe(
                found.encoded, lambda: self._restored(found, value), seen, self.reference.calls, self.pool
            )
        fresh = seen.goals - self.reached
        if fresh or closer or (valid and seen.goals - self.covered):
            self.corpus.append((self._restored(found, value), seen.goals))
        self.reached |= seen.goals
        if valid:
            self.covered |= seen.goals
            self.missing -= seen.goals

    def _count(self, found: Found, value: dict[str, Any]) -> None:
        """Note which goals the input reaches, and keep a few inputs for each."""
        for goal in sorted(found.observation.goals):
            count = self.counts[goal] = self.counts.get(goal, 0) + 1
            if count <= KEPT:
                self._few.add(goal)
                self.reaching.setdefault(goal, []).append(self._restored(found, value))
            elif count == ENOUGH:
                self._few.discard(goal)

    @notes("search: keys asked in vain")
    def _learn_key(self, detail: str) -> None:
        """Remember a key that was looked up and not found."""
        name, _, text = detail.partition(": ")
        quoted = 2 < len(text) < 60 and text[0] in "'\"" and text[-1] == text[0] and not set(text) & set("[]()")
        if name == "KeyError" and ("not in index" in text or "are in the [columns]" in text):
            keys = re.findall(r"'([^'\[\]]{1,40})'", text.partition("dtype")[0])
        else:
            keys = [text[1:-1]] if name == "KeyError" and quoted else []
        self.pool.asked += [key for key in keys if key not in self.pool.asked][: MOST_ASKED - len(self.pool.asked)]

    def _restored(self, found: Found, value: dict[str, Any]) -> dict[str, Any]:
        """The input as it was before the call, which may have changed it."""
        args, kwargs = [decode(a) for a in found.encoded[0]], {k: decode(v) for k, v in found.encoded[1].items()}
        return as_input(self.parameters, value, args, kwargs)


class Endless(Exception):
    """Too many inputs make the reference work without end."""


def shape_of(parameters: tuple[Parameter, ...], given: int) -> dict[str, Any]:
    """Which parameters a call with so many arguments by position leaves out."""
    positional = [p.name for p in parameters if p.kind == "positional"]
    return {name: None if place < given else OMITTED for place, name in enumerate(positional)}


def as_input(
    parameters: tuple[Parameter, ...], shape: dict[str, Any], args: list[Any], kwargs: dict[str, Any]
) -> dict[str, Any]:
    """The input with the omissions of `shape` and the values of the arguments: the inverse of `arguments`."""
    made: dict[str, Any] = {}
    rest = list(args)
    named = {p.name for p in parameters if p.kind == "keyword"}
    for parameter in parameters:
        if parameter.kind == "positional":
            made[parameter.name] = rest.pop(0) if shape[parameter.name] is not OMITTED else OMITTED
        elif parameter.kind == "variadic":
            made[parameter.name], rest = tuple(rest), []
        elif parameter.kind == "keywords":
            made[parameter.name] = {k: v for k, v in kwargs.items() if k not in named}
        else:
            made[parameter.name] = kwargs.get(parameter.name, OMITTED)
    return made
