"""What else than its sampler gives a search inputs: the search before, a language model's strategies, the property
test that is printed; and what others may take from it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from harness.records import Json
from harness.values import canonical, decode, encode
from harness.values.expressions import NotShowable, expression
from pipeline.suites.domain.drawing import BOUNDARY, OMITTED
from pipeline.suites.domain.drawing import TYPICAL as AS_CALLERS
from pipeline.suites.domain.parameter import NOBODY_ASKED, Asked, Parameter
from pipeline.suites.domain.spec import buildable
from pipeline.suites.drafts import Further, Offered, Reached
from pipeline.suites.search.attempts import Found, as_input, shape_of
from pipeline.suites.search.loop import Search
from pipeline.suites.search.seed_corpus import proposed

TYPICAL = 50
"""How many of the drawn inputs are looked at for the types of parameters that nothing declares."""
TOLD = 3
"""How many exceptions that make no sense are told, the most frequent ones."""


@dataclass(frozen=True)
class Offers:
    """Inputs in the form that samplers give; without any, the search is what it always was."""

    found: list[dict[str, Any]]
    drawn: list[dict[str, Any]]
    asked: Asked
    typical: bool = False

    @classmethod
    def of(cls, further: Further | None, parameters: tuple[Parameter, ...], function: Any) -> Offers:
        """What a request offers."""
        if further is None:
            return cls([], [], NOBODY_ASKED)
        found, drawn = (proposed(inputs, parameters, function) for inputs in (further.found, further.drawn))
        return cls(found, drawn, further.asked, further.typical)

    @property
    def giver(self) -> str:
        """Who gives them, as evidence."""
        return "a maintainer gives" if self.typical else "a language model gives"

    def tried(self, search: Search) -> Offered | None:
        """Try all of them; gives what became of those that were drawn, None where there are none."""
        for value in self.found:
            search.attempt(deepcopy(value))
        kinds, nonsense = Counter(search.kinds), Counter(search.nonsense)
        if self.typical:
            search.sampler.profile = AS_CALLERS
            search.sampler.begin()
        for value in self.drawn:
            search.attempt(deepcopy(value))
        if not self.drawn:
            return None
        common = sorted((Counter(search.nonsense) - nonsense).items(), key=lambda entry: (-entry[1], entry[0]))
        outcomes = dict(sorted((Counter(search.kinds) - kinds).items()))
        return Offered(outcomes, tuple(common[:TOLD]))


def offer(search: Search, calls: Iterable[tuple[list[Any], dict[str, Any]]]) -> None:
    """Try calls that the printed test has drawn."""
    search.sampler.profile = BOUNDARY
    for args, kwargs in calls:
        search.sampler.begin()
        search.attempt(as_input(search.parameters, shape_of(search.parameters, len(args)), args, kwargs))


def taking(search: Search, goals: set[int]) -> Iterator[Found]:
    """Inputs that take some of the goals, the shortest first."""
    fitting = [found for found in search.found.values() if found.observation.goals & goals]
    yield from sorted(fitting, key=lambda found: (len(found.key), found.key))


def shaped(search: Search, missing: Iterable[int]) -> tuple[str, ...]:
    """Calls that take the missing goals, as Python."""
    left, calls = set(missing), list[str]()
    for found in taking(search, left):
        if found.observation.goals & left:
            args, kwargs = found.encoded
            try:
                calls.append(expression(([decode(a) for a in args], {k: decode(v) for k, v in kwargs.items()})))
            except NotShowable:
                continue
            left -= found.observation.goals
    return tuple(calls)


def reached(search: Search) -> Reached:
    """How far a search has come, and what another one may go on from: an input for each branch that it has taken."""
    goals = search.reference.measure.goals
    branches = [number for number, goal in enumerate(goals) if goal.target]
    counted = branches or range(len(goals))
    share = sum(number in search.covered for number in counted) / max(1, len(counted))
    missing = [goal for number, goal in enumerate(goals) if number not in search.covered]
    inputs = dict[str, dict[str, Json]]()
    for number in range(len(goals)):
        for value in search.reaching.get(number, [])[:1]:
            encoded = {name: encode(one) for name, one in value.items() if one is not OMITTED}
            inputs.setdefault(canonical(encoded), encoded)
    wanted = tuple(parameter.name for parameter in search.parameters if buildable(parameter.spec))
    lines = tuple((goal.line, goal.target) for goal in missing)
    uncovered = tuple(str(goal) for goal in missing)
    return Reached(len(branches), round(share, 4), uncovered, lines, tuple(inputs.values()), wanted)
