"""Kinds of arguments found by trying, where those that were inferred do not lead to what is still missing.

A call that fails tells how far it came and, mostly, which type stood in its way. So parts of an input are replaced by
values of other kinds, one at a time, and what leads further is kept and changed again, until a call takes a branch that
no case has taken. What its arguments are is then the specification of the parameters.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from copy import deepcopy
from dataclasses import dataclass, replace
from random import Random
from types import ModuleType
from typing import Any, Protocol

from pipeline.suites.domain.conformity import fits, kind_of
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.spec import Anything, Spec, either, with_rare
from pipeline.suites.instrument.reference import Observation, Reference, arguments
from pipeline.suites.rules import finds, notes
from pipeline.suites.search.alternatives import SIDE, changes, kinds
from pipeline.suites.search.seed_corpus import specification

NICHES = 40
"""How many inputs that fail in different places are kept."""
STARTS = 12
"""Fresh inputs to begin with, and as many of those that led to something new before."""
BY_MESSAGE = 0.75
"""How often the part that a message complains of is replaced, where there is one."""
SAMPLES, ENOUGH = 12, 3
"""Draws of what was learnt, and how many of them must make sense."""
DEEPEST, FIRST = 3, 6
"""How deep the parts of a value lie that are replaced, and how many of a container's."""
_NAMED = re.compile(r"'([A-Za-z_][\w.]*)'|\b(int|float|str|list|tuple|dict|set|bool|bytes|NoneType|ndarray)\b")
_ATTRIBUTE = re.compile(r"has no attribute '(\w+)'")
_NEEDS = (
    ("not subscriptable", "__getitem__"), ("not iterable", "__iter__"), ("non-iterable", "__iter__"),
    ("has no len()", "__len__"), ("not callable", "__call__"), ("not reversible", "__reversed__"),
)  # fmt: skip
"""What a value lacks, by the words of the message that says so."""

Way = tuple[tuple[str, Any], ...]
"""The way to a part of a value: keys, places, and types of items."""


class Searching(Protocol):
    """What repairing types asks of a search: its state, and to try an input."""

    reference: Reference
    parameters: tuple[Parameter, ...]
    seeds: list[dict[str, Any]]
    corpus: list[tuple[dict[str, Any], frozenset[int]]]
    covered: set[int]
    missing: set[int]
    lines: list[int]
    sampler: Sampler
    rng: Random

    @property
    def complete(self) -> bool:
        """Whether every branch and statement is covered."""
        ...

    def attempt(self, value: dict[str, Any], given: bool = False) -> Observation | None:
        """Call the reference with an input and keep what it gives; None where it is not new or can't be carried."""
        ...


@dataclass
class _Niche:
    """An input that ends in a place of its own, what was changed in it, and how often it was changed in vain."""

    rank: tuple[Any, ...]
    value: dict[str, Any]
    seen: Observation
    changed: frozenset[str]
    tries: int = 0


class _Trying:
    """One round of trying; only what an annotation names as the type stays as it is."""

    def __init__(self, search: Searching) -> None:
        self.search, self.rng = search, search.rng
        self.kinds = kinds(_libraries(search.reference.function))
        self.shown = [self._drawn(kind) for kind in self.kinds]
        self.open = {p.name: p for p in search.parameters if p.kind in ("positional", "keyword")}
        # To draw what the annotation rules out would take most of the time.
        shown = [*zip(map(id, self.kinds), self.shown, strict=True)]
        self.barred = {(n, kind) for n, p in self.open.items() for kind, one in shown if not self._allowed(p, one)}
        self.niches: dict[Any, _Niche] = {}

    def run(self, budget: int, each: int = 0) -> tuple[dict[str, Any], frozenset[str]] | None:
        """An input that makes sense and takes an uncovered branch, with the parameters that were changed for it.

        The first `each` calls change one argument alone of the input that came furthest.
        """
        search = self.search
        stop, stale = search.reference.calls + budget, 0
        for _ in range(STARTS):
            self._attempt(search.sampler.inputs(search.parameters), frozenset())
        for value, _ in search.corpus[-STARTS:]:
            args, kwargs = arguments(search.parameters, deepcopy(value))
            self._keep(value, search.reference.call(args, kwargs), frozenset())
        first = self._each_kind(each)
        while self.niches and search.reference.calls < stop and stale < budget:
            before = search.reference.calls
            made = next(first, None)
            if made is None:
                niche = self._chosen()
                niche.tries += 1
                made = self._replaced(niche)
            if made is not None and self._attempt(*made):
                return made
            stale = 0 if search.reference.calls > before else stale + 1
        return None

    def _each_kind(self, most: int) -> Iterator[tuple[dict[str, Any], frozenset[str]]]:
        """The input that came furthest with each of its arguments replaced by each kind, in any order."""
        best = max(self.niches.values(), key=lambda niche: niche.rank)
        every = [(name, kind) for name in self.open for kind in self.kinds]
        self.rng.shuffle(every)
        for name, kind in every[:most]:
            made = self._with(best, name, (), kind)
            if made is not None:
                yield made

    def _attempt(self, value: dict[str, Any], changed: frozenset[str]) -> bool:
        """Call with the input, and keep it where it ends as none has; says whether it covers what nothing has yet."""
        covered = set(self.search.covered)
        # The call may change its arguments, some of which stand in other inputs too.
        seen = self.search.attempt(deepcopy(value))
        if seen is None:
            return False
        if changed and seen.kind in ("returned", "raised") and seen.goals - covered:
            return True
        self._keep(value, seen, changed)
        return False

    def _keep(self, value: dict[str, Any], seen: Observation, changed: frozenset[str]) -> None:
        if seen.kind in ("endless", "unencodable"):
            return
        rank = (*self._wanted(seen), len(seen.goals), seen.depth)
        key = (seen.kind, seen.goals, seen.depth, re.sub(r"[\d.]+|'[^']*'", "", seen.detail))
        if key not in self.niches:
            self.niches[key] = _Niche(rank, value, seen, changed)
            if len(self.niches) > NICHES:
                del self.niches[min(self.niches, key=lambda one: self.niches[one].rank)]

    def _wanted(self, seen: Observation) -> tuple[int, bool]:
        """How many branches that are missing a call took, though in vain, and whether it came to where one begins."""
        search = self.search
        begins = {search.lines[goal] for goal in search.missing}
        return len(seen.goals.intersection(search.missing)), any(search.lines[goal] in begins for goal in seen.goals)

    def _chosen(self) -> _Niche:
        """One of those that came furthest, later the more often it was tried; any of them now and then."""
        ranked = sorted(self.niches.values(), key=lambda niche: niche.rank, reverse=True)
        if self.rng.random() < 0.2:
            return ranked[self.rng.randrange(len(ranked))]
        return min(enumerate(ranked), key=lambda entry: entry[0] + entry[1].tries / 12)[1]

    def _replaced(self, niche: _Niche) -> tuple[dict[str, Any], frozenset[str]] | None:
        """The input with one part replaced by a value of another kind: the part that the message names, mostly."""
        rng, detail = self.rng, niche.seen.detail
        nodes = [(name, way, part) for name in self.open for way, part in parts(niche.value[name])]
        named = {a or b for a, b in _NAMED.findall(detail)} if niche.seen.kind == "nonsense" else set()
        named = {name.rpartition(".")[2] for name in named}
        suspects = [node for node in nodes if {type(node[2]).__name__, kind_of(node[2])} & named]
        fitting = self.kinds
        if suspects and rng.random() < BY_MESSAGE:
            name, way, _ = rng.choice(suspects)
            fitting = self._fitting(detail)
        elif nodes:
            name, way, _ = rng.choice([node for node in nodes if not node[1]] if rng.random() < 0.6 else nodes)
        else:
            return None
        return self._with(niche, name, way, rng.choice(fitting))

    def _with(self, niche: _Niche, name: str, way: Way, kind: Spec) -> tuple[dict[str, Any], frozenset[str]] | None:
        """The input with a part replaced by a value of a kind, None where the annotation rules that out."""
        if not way and (name, id(kind)) in self.barred:
            return None
        new = replaced(deepcopy(niche.value[name]), way, lambda: self._drawn(kind))
        return ({**niche.value, name: new}, niche.changed | {name}) if self._allowed(self.open[name], new) else None

    def _drawn(self, kind: Spec) -> Any:
        """A value of a kind, as long as all others."""
        sampler, profile = self.search.sampler, self.search.sampler.profile
        sampler.begin()
        sampler.profile, sampler.axes = replace(profile, tidy=True), (SIDE, SIDE)
        sampler.common["length side"] = SIDE
        made = sampler.value(kind)
        sampler.profile = profile
        return made

    def _fitting(self, detail: str) -> list[Spec]:
        """The kinds that have what a message says that a value lacks; all of them where it says nothing of that."""
        lacked = [found.group(1)] if (found := _ATTRIBUTE.search(detail)) else []
        lacked += [needed for words, needed in _NEEDS if words in detail]
        shown = zip(self.kinds, self.shown, strict=True)
        return [kind for kind, one in shown if all(hasattr(one, name) for name in lacked)] or self.kinds

    def _allowed(self, parameter: Parameter, value: Any) -> bool:
        return not parameter.annotated or fits(parameter.spec, value)


@finds("search: other types at once", bool)
def learn_instead(search: Searching, budget: int) -> bool:
    """Try kinds of arguments in the place of those that were inferred, with which hardly any call makes sense.

    What leads to a call that does is what the parameters are from then on, if draws of it make sense as well; says
    whether anything was found.
    """
    found = _Trying(search).run(budget)
    if found is None:
        return False
    value, changed = found
    search.seeds.append(value)
    before = search.parameters
    search.parameters = tuple(_learnt(p, value[p.name], True) if p.name in changed else p for p in before)
    good = _sensible(search)
    if good < ENOUGH:
        search.parameters = before
    else:
        _refine(search, good)
    return True


@notes("search: other types besides")
def learn_besides(search: Searching, budget: int) -> None:
    """Try kinds of arguments beside those that were inferred; what leads to a branch that is missing comes rarely."""
    stop = search.reference.calls + budget
    while not search.complete and (left := stop - search.reference.calls) > 0:
        found = _Trying(search).run(left, left // 2)
        if found is None:
            return
        value, changed = found
        search.parameters = tuple(
            _learnt(p, value[p.name], False) if p.name in changed else p for p in search.parameters
        )


def _learnt(parameter: Parameter, value: Any, instead: bool) -> Parameter:
    spec = Anything() if value is OMITTED else specification(value, side=SIDE)
    if isinstance(spec, Anything):
        return parameter
    spec = either([spec], [parameter.spec]) if instead else with_rare(parameter.spec, [spec])
    evidence = (*parameter.evidence, "calls with such values led further")
    return replace(parameter, spec=spec, evidence=evidence, relation=None if instead else parameter.relation)


def _sensible(search: Searching) -> int:
    """How many of some draws make sense."""
    seen = [search.attempt(search.sampler.inputs(search.parameters)) for _ in range(SAMPLES)]
    return sum(one is not None and one.kind == "returned" for one in seen)


def _refine(search: Searching, good: int) -> None:
    """Let arrays hold usual numbers, and axes be of any length that need not agree, where that makes sense too."""
    for place in range(len(search.parameters)):
        for change in changes(search.parameters[place]):
            before = search.parameters
            spec = change(before[place].spec)
            if spec != before[place].spec:
                search.parameters = (*before[:place], replace(before[place], spec=spec), *before[place + 1 :])
                if _sensible(search) < good // 2:
                    search.parameters = before


def _libraries(function: Any) -> set[str]:
    """The names of the libraries that the function's module has imported something of."""
    held = function.__globals__.values() if hasattr(function, "__globals__") else ()
    modules = [one.__name__ if isinstance(one, ModuleType) else getattr(one, "__module__", None) for one in held]
    return {str(name).partition(".")[0] for name in modules if name}


def parts(value: Any, way: Way = ()) -> Iterator[tuple[Way, Any]]:
    """A value and what it holds, with the way to each; items of a list, and keys, are one part for each type."""
    if value is OMITTED:
        return
    yield way, value
    if len(way) >= DEEPEST:
        return
    if isinstance(value, dict):
        inside: list[tuple[str, Any, Any]] = [("key", key, value[key]) for key in list(value)[:FIRST]]
        inside += [("keys", kind, key) for kind, key in {type(key): key for key in value}.items()]
    elif isinstance(value, tuple):
        inside = [("place", place, item) for place, item in enumerate(value[:FIRST])]
    elif isinstance(value, list):
        inside = [("items", kind, item) for kind, item in {type(item): item for item in value}.items()]
    else:
        return
    for how, where, one in inside:
        yield from parts(one, (*way, (how, where)))


def _with_keys(value: dict[Any, Any], keys: list[Any]) -> dict[Any, Any]:
    """The dictionary under other keys, as it is where these can't be keys."""
    try:
        return dict(zip(keys, value.values(), strict=True))
    except TypeError:
        return value


def replaced(value: Any, way: Way, new: Callable[[], Any]) -> Any:
    """The value with the part at the end of the way replaced; all items, or keys, of one type together."""
    if not way:
        return new()
    (how, where), rest = way[0], way[1:]
    # Of the items of one type, some may be shorter, lack a key, or hold something else than the first of them.
    if how == "key" and isinstance(value, dict) and where in value:
        value[where] = replaced(value[where], rest, new)
    elif how == "place" and isinstance(value, tuple) and where < len(value):
        value = (*value[:where], replaced(value[where], rest, new), *value[where + 1 :])
    elif how == "keys" and isinstance(value, dict):
        value = _with_keys(value, [replaced(key, rest, new) if type(key) is where else key for key in value])
    elif how == "items" and isinstance(value, list):
        value = [replaced(item, rest, new) if type(item) is where else item for item in value]
    return value
