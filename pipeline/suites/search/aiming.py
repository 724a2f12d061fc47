"""Aiming: inputs made from one that came near to a missing outcome, so that its test has the operands that it wants.

Texts, keys and answers of calls are turned back to where they come from (`correspondence`); numbers and lengths are
solved for: how far one step of a part moves them is measured, and what is missing is taken to be linear in the steps.
"""

from __future__ import annotations

import itertools
import math
import sys
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from random import Random
from typing import Any, Protocol

from pipeline.suites.domain.conformity import fits
from pipeline.suites.domain.drawing import OMITTED
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.rules import finds
from pipeline.suites.search.branch_distance import COMPARE, Call, Near, Probes, Test
from pipeline.suites.search.correspondence import (
    EXAMPLES,
    Inverses,
    Way,
    Wish,
    answered,
    changes,
    entries,
    parts,
    with_part,
)

MOST = 120
"""How many inputs are made for one test from one input."""
MOST_MOVES, STEPS, TURNS = 12, 60, 2
"""How many parts are moved for a number, steps of one of two, and how often a distance is corrected."""
MEASURED = 1, 3
"""How many steps a part goes to see what that changes; more where that input has been tried before."""
LONGEST = 3000
"""Characters that a text may have, or items of a list times ten."""
MEMBERS = 6
ALPHABET = "".join(map(chr, range(0x21, 0x7F)))
_NUMBERS = (int, float)
_OPPOSITE = {"lt": "ge", "le": "gt", "gt": "le", "ge": "lt", "eq": "ne", "ne": "eq", "in": "not in", "not in": "in"}


class Searching(Protocol):
    """What aiming asks of a search."""

    parameters: tuple[Parameter, ...]
    probes: Probes
    pool: Pool
    rng: Random

    @property
    def wanted_lines(self) -> set[int]:
        """The lines of what is missing."""
        ...


@dataclass(frozen=True)
class _Move:
    """Parts of an input that can go some steps in a direction together; in `whole` steps, or also in parts of such."""

    ways: tuple[Way, ...]
    stepped: Callable[[Any, Any], Any]
    whole: bool = True

    def of(self, value: dict[str, Any], steps: float) -> dict[str, Any]:
        """The input after so many steps."""
        for way in self.ways:
            value = with_part(value, way, self.stepped(_at(value, way), steps))
        return value


class Aims:
    """Inputs for the missing outcomes of tests: each input that came nearest to one is worked on once."""

    def __init__(self, search: Searching) -> None:
        self._search = search
        self._inverses = Inverses()
        self._worked: set[int] = set()
        self._kept: list[Near] = []
        self._now: Iterator[dict[str, Any]] = iter(())

    @finds("search: aiming")
    def next(self) -> dict[str, Any] | None:
        """The next input to try, None where there is none; the one before has been called meanwhile."""
        while True:
            made = self._next_of(self._now)
            if made is not None:
                return made
            chosen = self._chosen()
            if chosen is None:
                return None
            self._now = itertools.islice(self._fitting(*chosen), MOST)

    def others(self, tests: Sequence[tuple[int, bool, Near]]) -> Iterator[dict[str, Any]]:
        """Inputs made from one so that one of the tests that it meets turns out otherwise."""
        site, outcome, near = self._search.rng.choice(tests)
        fitting = itertools.islice(self._fitting(site, outcome, near), MOST)
        while (made := self._next_of(fitting)) is not None:
            yield made

    def _next_of(self, made: Iterator[dict[str, Any]]) -> dict[str, Any] | None:
        """The next of them, with the call that comes followed."""
        try:
            one = next(made, None)
        except Exception:
            # Parts of any kind are compared and added here, and each kind may refuse that in its own way.
            return None
        if one is not None:
            self._search.probes.follow()
        return one

    def _chosen(self) -> tuple[int, bool, Near] | None:
        """An input that was not worked on, for a test in a line where something is missing before any other."""
        probes, lines = self._search.probes, self._search.wanted_lines
        fresh = [
            (probes.lines.get(site, 0) not in lines, distance, site, outcome, near)
            for (site, outcome), (distance, known) in probes.best.items()
            if (site, outcome) not in probes.done
            for near in known[:2]
            if id(near) not in self._worked
        ]
        if not fresh:
            return None
        _, _, site, outcome, near = min(fresh, key=lambda one: one[:4])
        self._worked.add(id(near))
        # Its number is its own as long as it is kept.
        self._kept.append(near)
        return site, outcome, near

    def _fitting(self, site: int, outcome: bool, near: Near) -> Iterator[dict[str, Any]]:
        for made in self._made(site, outcome, near):
            if all(_allowed(one, near.value, made) for one in self._search.parameters):
                yield made

    def _made(self, site: int, outcome: bool, near: Near) -> Iterator[dict[str, Any]]:
        test = _positive(near.test, outcome)
        if type(test.left) in _NUMBERS and type(test.right) in _NUMBERS and test.name in _GAPS:
            yield from self._solved(site, near.value, test)
        if test.name == "in" and isinstance(test.right, (dict, list, set)):
            yield from entries(near.value, test.right, test.left, ({}, "a", 1, []))
        for wish in itertools.chain(_wishes(test, self._search), self._inverted(test, near.calls)):
            yield from changes(near.value, wish)
        if test.name in ("eq", "startswith") and isinstance(test.left, str) and isinstance(test.right, str):
            yield from self._spelled(site, near.value, test.right)

    def _spelled(self, site: int, value: dict[str, Any], wanted: str) -> Iterator[dict[str, Any]]:
        """What a text has to be where each of its characters becomes another: the alphabet shows which."""
        for way, part in itertools.islice(parts(value), 1, MOST_MOVES):
            if isinstance(part, str):
                yield with_part(value, way, ALPHABET)
                for test in self._search.probes.tests(site):
                    spelled = dict(zip(test.left, ALPHABET, strict=False)) if isinstance(test.left, str) else {}
                    if len(test.left) == len(ALPHABET) and spelled.keys() >= set(wanted):
                        yield with_part(value, way, "".join(spelled[character] for character in wanted))

    def _inverted(self, test: Test, calls: Iterable[Call]) -> Iterator[Wish]:
        """What the argument of a call should be, so that the test of its answer turns out as it should."""
        texts = [call for call in dict.fromkeys(calls) if isinstance(call.argument, str)]
        for call in texts:
            functions = [call.function, *(other.function for other in texts if other.argument == call.argument)]
            for answer, turned in ((test.left, _with_left), (test.right, _with_right)):
                if type(call.answer) is type(answer) and call.answer == answer:
                    takes = _taking(turned, test, call.function)
                    found = self._inverses.of(functions, takes, self._search.pool.texts)
                    yield from (Wish(call.argument, one) for one in itertools.islice(found, MEMBERS))

    def _solved(self, site: int, value: dict[str, Any], test: Test) -> Iterator[dict[str, Any]]:
        """Inputs with parts moved so that the operands differ as they should."""
        slopes: list[tuple[_Move, float]] = []
        gap, wished = test.left - test.right, _GAPS[test.name]
        for move in itertools.islice(_moves(value, self._search), MOST_MOVES):
            after, steps = None, 1
            for steps in MEASURED:
                yield move.of(value, steps)
                after = self._gap(site, gap)
                if after is not None:
                    break
            if after is None or after == gap or not abs(after - gap) <= sys.float_info.max:
                continue
            slopes.append((move, (after - gap) / steps))
            for wanted in wished:
                yield from self._approached(site, value, move, gap, slopes[-1][1], wanted)
        for (one, slope), (two, other) in itertools.permutations(slopes[:4], 2):
            for wanted in wished:
                for first, second in _whole_steps(wanted - gap, slope, other):
                    yield two.of(one.of(value, first), second)

    def _approached(
        self, site: int, value: dict[str, Any], move: _Move, gap: float, slope: float, wanted: float
    ) -> Iterator[dict[str, Any]]:
        for _ in range(TURNS):
            exact = (wanted - gap) / slope
            near = {math.floor(exact), math.ceil(exact)} if move.whole else {exact}
            for steps in sorted(near):
                yield move.of(value, steps)
            after = self._gap(site, wanted)
            if after is None or after in (wanted, gap) or not max(near):
                return
            slope = (after - gap) / max(near)

    def _gap(self, site: int, wanted: float) -> float | None:
        """By how much the operands of the last run differ, where that is closest to what is wanted."""
        seen = [test.left - test.right for test in self._search.probes.tests(site)
                if type(test.left) in _NUMBERS and type(test.right) in _NUMBERS]  # fmt: skip
        return min(seen, key=lambda gap: abs(gap - wanted), default=None)


_GAPS: dict[str, tuple[float, ...]] = {
    "eq": (0,), "lt": (-1, -0.25), "le": (0, -1), "gt": (1, 0.25), "ge": (0, 1), "ne": (1,),
}
"""By how much the left operand may be above the right one where a comparison holds."""


def _positive(test: Test, outcome: bool) -> Test:
    """The test that should hold so that the outcome is the missing one."""
    return test if outcome else replace(test, name=_OPPOSITE.get(test.name, f"not {test.name}"))


def _holds(test: Test) -> bool:
    if test.name in COMPARE:
        return bool(COMPARE[test.name](test.left, test.right))
    if test.name in ("truth", "not truth"):
        return bool(test.left) == (test.name == "truth")
    if test.name in ("startswith", "endswith"):
        return bool(getattr(test.left, test.name)(test.right))
    return False


def _with_left(test: Test, value: Any) -> Test:
    return replace(test, left=value)


def _with_right(test: Test, value: Any) -> Test:
    return replace(test, right=value)


def _taking(turned: Callable[[Test, Any], Test], test: Test, function: Any) -> Callable[[Any], bool]:
    """Whether an argument lets the test hold."""
    def takes(argument: Any) -> bool:
        try:
            return _holds(turned(test, function(argument)))
        except Exception:
            return False
    return takes


def _wishes(test: Test, search: Searching) -> Iterator[Wish]:
    """What the operands of a test should be so that it holds."""
    left, right = test.left, test.right
    if test.name == "eq" and isinstance(left, tuple) and isinstance(right, tuple):
        pairs = [pair for pair in zip(left, right, strict=False) if pair[0] != pair[1]]
    elif test.name in ("eq", "le", "ge", "lt", "gt"):
        pairs = [(left, right)]
    else:
        pairs = []
    yield from (Wish(*pair) for pair in pairs)
    yield from (Wish(two, one) for one, two in pairs)
    if test.name == "in":
        yield from _memberships(left, right, search.probes.separators)
    elif test.name in ("startswith", "endswith") and isinstance(left, (str, bytes)):
        yield from _affixes(test.name, left, right)
    elif test.name == "searched":
        yield from (Wish(left, one) for one in right)
    elif test.name == "call":
        taken = (one for one in (*EXAMPLES, *search.pool.texts) if answered(right, one) is not None)
        yield from (Wish(left, one) for one in itertools.islice(taken, MEMBERS))


def _memberships(left: Any, right: Any, separators: list[str]) -> Iterator[Wish]:
    if isinstance(left, str) and isinstance(right, str):
        after = right if left in separators and right else ""
        yield from (Wish(right, right + left + (after or "a")), Wish(right, left + right), Wish(right, right + left))
        yield from (Wish(left, one) for one in right[:MEMBERS])
        return
    try:
        held = sorted(right) if isinstance(right, (set, frozenset)) else list(right)
    except TypeError:
        return
    yield from (Wish(left, one) for one in held[:MEMBERS])
    yield from (Wish(one, left) for one in held[:2])


def _affixes(name: str, left: Any, right: Any) -> Iterator[Wish]:
    for affix in right if isinstance(right, tuple) else (right,):
        there = left[: len(affix)] if name == "startswith" else left[len(left) - len(affix):]
        whole = affix + left[len(affix):] if name == "startswith" else left[: len(left) - len(affix)] + affix
        added = affix + left if name == "startswith" else left + affix
        yield from (Wish(left, whole), Wish(left, added), Wish(left, affix), Wish(there, affix), Wish(affix, there))


def _at(value: Any, way: Way) -> Any:
    for _, where in way:
        value = value[where]
    return value


def _moves(value: dict[str, Any], search: Searching) -> Iterator[_Move]:
    """The ways in which parts can go some steps: numbers, code points, and lengths by what is added."""
    numbers: list[_Move] = []
    for way, part in itertools.islice(parts(value), 1, None):
        if way[-1][0] == "name":
            continue
        if type(part) in _NUMBERS:
            numbers.append(_Move((way,), _further, whole=isinstance(part, int)))
            yield numbers[-1]
            # What depends on the difference of two numbers stays as it is where both go on together.
            for other in numbers[:-1]:
                yield _Move((*other.ways, way), _further, whole=other.whole or numbers[-1].whole)
        elif isinstance(part, str):
            separated = [separator + (part.split(separator)[0] or "a") for separator in search.probes.separators[:4]]
            for unit in dict.fromkeys([part[-1:] or "a", *separated, "a", "1"]):
                yield _Move((way,), _longer(unit))
            if part:
                yield _Move((way,), lambda old, steps: chr(min(0x10FFFF, max(0, ord(old[0]) + steps))) + old[1:])
        elif isinstance(part, (list, tuple)) and part:
            for item in part[-2:]:
                yield _Move((way,), _longer(type(part)([item])))


def _further(old: Any, steps: float) -> Any:
    return old + steps


def _longer(unit: Any) -> Callable[[Any, int], Any]:
    """What adds a unit some times, or takes away as much."""
    most = LONGEST // (1 if isinstance(unit, str) else 10)

    def stepped(old: Any, steps: int) -> Any:
        return (old + unit * min(steps, most))[:most] if steps >= 0 else old[: max(0, len(old) + steps * len(unit))]
    return stepped


def _whole_steps(missing: float, slope: float, other: float) -> Iterator[tuple[int, int]]:
    """The fewest steps of two parts that go as far as what is missing, taken together."""
    for steps in sorted(range(-STEPS, STEPS + 1), key=abs):
        rest = (missing - other * steps) / slope
        if steps and rest == int(rest):
            yield int(rest), steps
            return


def _allowed(parameter: Parameter, before: dict[str, Any], made: dict[str, Any]) -> bool:
    """Whether a parameter is still what it may be."""
    old, new = before[parameter.name], made[parameter.name]
    if new is old or new is OMITTED or parameter.kind in ("variadic", "keywords"):
        return True
    return fits(parameter.spec, new) or not fits(parameter.spec, old)
