"""Where a search goes on from inside the worker: what the search before has found, and what a language model's
strategies have drawn; and what the next one may go on from.
"""

from __future__ import annotations

from collections import Counter
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

from harness.records import Json
from harness.values import canonical, encode
from pipeline.suites.domain.sampler import OMITTED
from pipeline.suites.domain.spec import NOBODY_ASKED, Asked, Parameter, buildable
from pipeline.suites.search.loop import Search
from pipeline.suites.search.seed_corpus import proposed

TYPICAL = 50
"""How many of the drawn inputs are looked at for the types of parameters that nothing declares."""
TOLD = 3
"""How many exceptions that make no sense are told, the most frequent ones."""


@dataclass(frozen=True)
class Offered:
    """Inputs in the form that samplers give; without any, the search is what it always was."""

    found: list[dict[str, Any]]
    drawn: list[dict[str, Any]]
    asked: Asked

    @classmethod
    def of(cls, candidate: dict[str, Any], parameters: tuple[Parameter, ...], function: Any) -> Offered:
        """What a request offers."""
        further = candidate.get("further")
        if further is None:
            return cls([], [], NOBODY_ASKED)
        found, drawn = (proposed(further[name], parameters, function) for name in ("found", "drawn"))
        return cls(found, drawn, Asked(**further["asked"]))

    def tried(self, search: Search) -> dict[str, Any]:
        """Try all of them; gives what became of those that were drawn, in counts."""
        for value in self.found:
            search.attempt(deepcopy(value))
        kinds, nonsense = Counter(search.kinds), Counter(search.nonsense)
        for value in self.drawn:
            search.attempt(deepcopy(value))
        if not self.drawn:
            return {}
        common = sorted((Counter(search.nonsense) - nonsense).items(), key=lambda entry: (-entry[1], entry[0]))
        outcomes = dict(sorted((Counter(search.kinds) - kinds).items()))
        return {"offered": {"outcomes": outcomes, "nonsense": common[:TOLD]}}


def remains(search: Search) -> dict[str, Any]:
    """What a search has left out, and what another one may go on from: an input for each branch that it has taken.

    `wanted` are the parameters for which values can be built.
    """
    goals = search.reference.measure.goals
    missing = [[goal.line, goal.target] for number, goal in enumerate(goals) if number not in search.covered]
    inputs = dict[str, dict[str, Json]]()
    for number in range(len(goals)):
        for value in search.reaching.get(number, [])[:1]:
            encoded = {name: encode(one) for name, one in value.items() if one is not OMITTED}
            inputs.setdefault(canonical(encoded), encoded)
    wanted = [parameter.name for parameter in search.parameters if buildable(parameter.spec)]
    return {"missing": missing, "inputs": list(inputs.values()), "wanted": wanted}
