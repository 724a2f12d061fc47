"""Attempts: calls of the reference with inputs, what they reached, and the corpus of those that are worth changing."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from random import Random
from typing import Any

from harness.records import Json
from harness.values import NotEncodable, canonical, decode, encode
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.random_source import Choosing
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.scale import SCALES, Scale
from pipeline.suites.instrument.condition_coverage import PASSES
from pipeline.suites.instrument.reference import Observation, Reference, arguments
from pipeline.suites.rules import notes
from pipeline.suites.search.branch_distance import Probes
from pipeline.suites.search.retreat import Retreat

MAX_CHARS = 4_000
LARGE = 20_000
"""Characters of an input, where a number of the body asks for such sizes."""
MARKED = 64
"""Characters of an input beyond which only its digest is remembered."""
MAX_VOLUME = 4_000_000
"""Characters of all inputs together beyond which only those are kept that reach something new."""
MAX_ENDLESS = 300
"""How many calls without end a search for branches bears, and how many all that comes after it."""
ENOUGH = 30
"""How many cases a goal should have before the rest are drawn at large."""
KEPT = 8
MOST_ASKED = 30
"""How many keys are remembered that were looked up in vain."""
SENSIBLE = ("returned", "raised")
NOT_CARRIED = "not carried"
"""What is left of arguments that a call has changed to something that can't be carried."""
_FIXED = frozenset((str, bytes, int, float, complex, bool, type(None)))


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
class Attempts:
    """What has been tried: what was found valid, and the inputs that are worth changing."""

    reference: Reference
    parameters: tuple[Parameter, ...]
    pool: Pool
    seed: int
    probes: Probes
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
    scale: Scale = SCALES[0]

    def __post_init__(self) -> None:
        self.rng: Random = Choosing(self.seed)
        self.retreat = Retreat()
        self._few: set[int] = set()
        self.sampler = Sampler(self.rng, self.pool, self.scale)
        goals = self.reference.measure.goals
        self.conditions = self.reference.conditions.goals
        self.branches = len(goals)
        self.lines = [*(goal.line for goal in goals), *(goal.line for goal in self.conditions)]
        self.missing = set(range(len(self.lines))).difference(self._out_of_reach())
        self.probing = True

    def _out_of_reach(self) -> Iterator[int]:
        """The outcomes of conditions of members on lines of which a branch is out of reach."""
        lines = {goal.line for goal in self.reference.measure.excused if goal.target}
        return (
            self.branches + place for place, one in enumerate(self.conditions) if one.member and one.line in lines)

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

    @property
    def wanted_lines(self) -> set[int]:
        """The lines of what is missing."""
        return {self.lines[goal] for goal in self.missing}

    def attempt(self, value: dict[str, Any], given: bool = False) -> Observation | None:
        """Call the reference with an input and keep what it gives; None where it is not new or can't be carried."""
        args, kwargs = arguments(self.parameters, value)
        if self.scale is not SCALES[0] and not self.scale.holds([args, kwargs]):
            return None
        try:
            encoded = ([encode(a) for a in args], {name: encode(v) for name, v in kwargs.items()})
            key = _key(*encoded)
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
            args, kwargs = [decode(a) for a in encoded[0]], {name: decode(v) for name, v in encoded[1].items()}
            seen = self.reference.patiently(args, kwargs)
        if seen.kind == "returned":
            seen = replace(seen, left=left_of(key, args, kwargs))
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
            seen = replace(seen, goals=seen.goals.union(inside), depth=(), outcomes=frozenset())
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
            if seen.effect not in self.answers and len(self.answers) < 300:
                self.answers[seen.effect] = self._restored(found, value)
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

    def _input(self, found: Found) -> dict[str, Any]:
        """The values of an input by parameter."""
        return self._restored(found, shape_of(self.parameters, len(found.encoded[0])))

    def _restored(self, found: Found, value: dict[str, Any]) -> dict[str, Any]:
        """The input as it was before the call, which may have changed it."""
        args, kwargs = [decode(a) for a in found.encoded[0]], {k: decode(v) for k, v in found.encoded[1].items()}
        return as_input(self.parameters, value, args, kwargs)


def _key(args: list[Json], kwargs: dict[str, Json]) -> str:
    return canonical([args, sorted(kwargs.items())])


def left_of(key: str, args: list[Any], kwargs: dict[str, Any]) -> str:
    """What identifies the arguments after a call, "" where they are those of the `key`."""
    if all(type(one) in _FIXED for one in (*args, *kwargs.values())):
        return ""
    try:
        after = _key([encode(a) for a in args], {name: encode(v) for name, v in kwargs.items()})
    except (NotEncodable, RecursionError, MemoryError):
        return NOT_CARRIED
    return "" if after == key else blake2b(after.encode(), digest_size=16).hexdigest()


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
