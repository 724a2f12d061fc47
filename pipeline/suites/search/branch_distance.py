"""Tests seen at run time: which outcomes are missing, how far an input is from them, and what they were asked with.

A second copy of the program calls a recorder in each comparison, predicate of texts, look-up of a key and search for a
pattern. It runs only while goals are uncovered, on some of the inputs; its answers are never used.
"""

from __future__ import annotations

import itertools
import math
import operator
import re
import signal
from collections.abc import Callable, Container, Iterable
from dataclasses import dataclass
from random import Random
from types import ModuleType
from typing import Any

from harness.values import decode
from pipeline.suites.domain.formats.patterns import matching
from pipeline.suites.domain.pool import Pool
from pipeline.suites.instrument.probed_copy import (
    LOOK_UPS,
    OWN,
    PREDICATES,
    SEARCHES,
    SEPARATING,
    TOOLS,
    loaded,
    probed,
)
from pipeline.suites.instrument.reference import COPY_SECONDS, OUTSIDE, Observation, timed
from pipeline.suites.rules import finds
from pipeline.suites.subject import Subject

COMPARE: dict[str, Callable[[Any, Any], Any]] = {
    "eq": operator.eq, "ne": operator.ne, "lt": operator.lt, "le": operator.le, "gt": operator.gt, "ge": operator.ge,
    "in": lambda a, b: a in b, "not in": lambda a, b: a not in b,
}
EVERY = 3
"""One in so many inputs is probed, besides all that reached something."""
NEAREST = 4
"""How many inputs that came equally near are kept for each outcome."""
MEMBERS = 8
"""How many of what a container holds are hints for what is looked for in it."""
MADE = 4
"""How many texts are made for one pattern that was not found."""

_SETS = (set, frozenset)
MOST_CALLS, MOST_TESTS = 100, 400
"""How many calls with one argument, and how many tests, are remembered of one run."""
_SIMPLE = (str, int, float, bool, bytes)


@dataclass(frozen=True)
class Test:
    """A test as it was made: `name` is the comparison, or what was asked of `left`; `right` what it was compared with.

    Of a pattern that was searched for, `right` are texts that it matches; of a call, it is what was called.
    """

    name: str
    left: Any
    right: Any = None

    @property
    def hints(self) -> list[Any]:
        """The numbers and texts that it was made with."""
        return _plain([self.right]) if self.name in ("searched", *PREDICATES) else _plain([self.left, self.right])


@dataclass(frozen=True)
class Call:
    """A call with one argument: what was called, with what, and what it gave."""

    function: Any
    argument: Any
    answer: Any


@dataclass(frozen=True)
class Near:
    """An input that came near to an outcome, the test as it was made then, and the calls that came before."""

    value: dict[str, Any]
    test: Test
    calls: tuple[Call, ...]


class Probes:
    """For each test and outcome, the inputs that came nearest to it while it was missing."""

    def __init__(self, subject: Subject) -> None:
        self.best: dict[tuple[int, bool], tuple[float, list[Near]]] = {}
        self.done: set[tuple[int, bool]] = set()
        self.lines: dict[int, int] = {}
        self.separators: list[str] = []
        self.following = False
        self._now: list[tuple[int, bool, float, Test]] = []
        self._followed: list[tuple[int, Test]] = []
        self._calls: list[Call] = []
        self._learnt: list[Any] = []
        self._patterns: dict[str, list[str]] = {}
        self._function = self._load(subject)

    def _load(self, subject: Subject) -> Any:
        copy = subject.copied()
        self.lines = probed(copy.function, *copy.members)
        recorders = (self._compare, self._chain, self._predicate, self._subscript,
                     self._called, self._method, self._truth, self._unpacked)  # fmt: skip
        return loaded(copy.tree, subject.entry_point, "probed", dict(zip(TOOLS, recorders, strict=True)))

    @finds("search: branch distance", bool)
    def observe(
        self,
        encoded: tuple[list[Any], dict[str, Any]],
        restored: Callable[[], dict[str, Any]],
        seen: Observation,
        calls: int,
        pool: Pool,
    ) -> bool:
        """Run the probed copy on an input; True where the input comes nearer to a missing outcome than any before.

        `restored` gives the input as it was before any call, which may have changed it. Outside of the contract nothing
        is run: nobody says that it ends there.
        """
        skipped = calls % EVERY and calls > 100 and not self.following
        followed, self.following = self.following, False
        if self._function is None or seen.kind == "endless" or seen.detail == OUTSIDE or skipped:
            return False
        self._run(encoded)
        if followed:
            self._followed = [(site, test) for site, _, _, test in self._now]
        for learnt in self._learnt[:20]:
            pool.learn(learnt)
        fresh = [pattern for pattern in self._patterns if pattern not in pool.patterns]
        pool.patterns += fresh[: max(0, 20 - len(pool.patterns))]
        return self._note(restored)

    @timed
    def _run(self, encoded: tuple[list[Any], dict[str, Any]]) -> None:
        self._now, self._learnt, self._calls = [], [], []
        args, kwargs = [decode(a) for a in encoded[0]], {k: decode(v) for k, v in encoded[1].items()}
        signal.setitimer(signal.ITIMER_PROF, COPY_SECONDS, 0.05)
        try:
            self._function(*args, **kwargs)
        except BaseException:
            # What the copy answers or raises is of no interest.
            pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)

    def examined(
        self, encoded: tuple[list[Any], dict[str, Any]], value: dict[str, Any], lines: Container[int]
    ) -> list[tuple[int, bool, Near]]:
        """The tests that an input meets in some lines, each with the outcome that it does not have there."""
        if self._function is None:
            return []
        self._run(encoded)
        calls = tuple(self._calls)
        return [(site, not outcome, Near(value, test, calls))
                for site, outcome, _, test in self._now if self.lines[site] in lines]  # fmt: skip

    def _note(self, restored: Callable[[], dict[str, Any]]) -> bool:
        closer, value = False, None
        for site, outcome, distance, test in self._now:
            self.done.add((site, outcome))
            missing = (site, not outcome)
            if missing in self.done:
                self.best.pop(missing, None)
                continue
            nearest, known = self.best.get(missing, (math.inf, []))
            if distance < nearest or not known:
                closer, known = True, []
            elif distance > nearest or len(known) >= NEAREST:
                continue
            value = restored() if value is None else value
            known.append(Near(value, test, tuple(self._calls)))
            self.best[missing] = (distance, known)
        return closer

    @finds("search: hints of tests")
    def aim(self, rng: Random) -> Near | None:
        """An input that came near to some missing outcome."""
        missing = sorted(key for key in self.best if key not in self.done)
        return rng.choice(self.best[rng.choice(missing)][1]) if missing else None

    def follow(self) -> None:
        """Observe the next call whatever its number, and keep its tests until the next time."""
        self._followed, self.following = [], True

    def tests(self, site: int) -> list[Test]:
        """The tests that the call that was followed has made in one place."""
        return [test for place, test in self._followed if place == site]

    def _note_site(self, site: int, outcome: bool, distance: float, test: Test) -> None:
        if len(self._now) < MOST_TESTS:
            self._now.append((site, outcome, distance, test))

    def _compare(self, site: int, name: str, left: Any, right: Any) -> Any:
        result = COMPARE[name](left, right)
        try:
            outcome = bool(result)
        except Exception:
            return result
        self._note_site(site, outcome, _distance(name, left, right, outcome), Test(name, left, right))
        if name in ("eq", "in", "ne", "not in"):
            self._learnt += [v for v in (_text_of(left), _text_of(right)) if type(v) in (int, float, str)]
        return result

    def _chain(self, site: int, names: str, *values: Any) -> Any:
        """A chain of comparisons; each has a site of its own."""
        result: Any = True
        for place, (name, (left, right)) in enumerate(zip(names.split(","), itertools.pairwise(values), strict=True)):
            result = self._compare(site + place, name, left, right) if name in COMPARE else (
                (left is right) == (name == "is"))
            if not result:
                break
        return result

    def _predicate(self, site: int, name: str, subject: Any, *arguments: Any) -> Any:
        test = Test(name, subject, arguments[0] if arguments else None)
        if name in SEPARATING and isinstance(subject, str):
            self._separated(site, subject, test.right)
        result = getattr(subject, name)(*arguments)
        if name in PREDICATES and type(subject) in (str, bytes):
            self._note_site(site, bool(result), 1.0, test)
            self._learnt += test.hints
        elif name in LOOK_UPS and isinstance(subject, dict) and arguments:
            self._note_site(site, test.right in subject or name == "setdefault", 5.0, Test("in", test.right, subject))
        elif name in SEARCHES and (pattern := _pattern(subject, arguments)):
            self._searched(site, pattern, bool(result), arguments[-1])
        return result

    def _separated(self, site: int, subject: str, separator: Any) -> None:
        """Note whether what a text is searched for, or taken apart by, is in it."""
        separator = " " if separator is None else separator
        if isinstance(separator, str) and separator:
            self._note_site(site, separator in subject, 5.0, Test("in", separator, subject))
            if separator not in self.separators:
                self.separators.append(separator)

    def _subscript(self, site: int, holder: Any, key: Any) -> Any:
        if isinstance(holder, dict) and type(key) in (str, int):
            self._note_site(site, key in holder, 5.0, Test("in", key, holder))
        return holder[key]

    def _called(self, site: int, function: Any, argument: Any) -> Any:
        """A call with one argument; whether it fails is a test of a text."""
        if type(argument) not in _SIMPLE or not _callable_again(function):
            return function(argument)
        try:
            answer = function(argument)
        except Exception:
            if type(argument) is str:
                self._note_site(site, False, 5.0, Test("call", argument, function))
            raise
        # What makes it fail needs no search.
        self.done |= {(site, True), (site, False)}
        self._remember(function, argument, answer)
        return answer

    def _method(self, name: str, subject: Any) -> Any:
        answer = getattr(subject, name)()
        if type(subject) is str:
            self._remember(getattr(str, name), subject, answer)
        return answer

    def _remember(self, function: Any, argument: Any, answer: Any) -> None:
        if len(self._calls) < MOST_CALLS and type(argument) in _SIMPLE and type(answer) in _SIMPLE:
            self._calls.append(Call(function, argument, answer))

    def _truth(self, site: int, value: Any) -> Any:
        if type(value) in _SIMPLE:
            self._note_site(site, bool(value), 5.0, Test("truth", value))
        return value

    def _unpacked(self, site: int, parts: int, value: Any) -> Any:
        if isinstance(value, (list, tuple)):
            self._note_site(site, len(value) == parts, abs(len(value) - parts), Test("eq", len(value), parts))
        return value

    def _searched(self, site: int, pattern: str, outcome: bool, subject: Any) -> None:
        """Note whether a pattern was found, with texts that it matches where it was not."""
        made = self._patterns.get(pattern, [])
        if pattern not in self._patterns and len(self._patterns) < 40:
            self._patterns[pattern] = made
            for number in range(MADE):
                try:
                    made.append(matching(pattern, Random(number)))
                except ValueError:
                    break
        self._note_site(site, outcome, 5.0, Test("searched", subject, made))


def _callable_again(function: Any) -> bool:
    """Whether a function may be called with whatever there is: not the program's own, which may never end, and bound
    to no value.
    """
    bound = getattr(function, "__self__", None)
    return (bound is None or isinstance(bound, (ModuleType, type))) and (
        getattr(function, "__module__", "") != OWN and getattr(bound, "__module__", "") != OWN)


def _pattern(subject: Any, arguments: tuple[Any, ...]) -> str:
    """The regular expression that a method of a pattern, or a function of `re`, searches for; "" where it is none."""
    first = arguments[0] if subject is re and arguments else subject
    if isinstance(first, re.Pattern):
        verbose = "(?x)" if first.flags & re.VERBOSE else ""
        return verbose + first.pattern if isinstance(first.pattern, str) else ""
    return first if subject is re and isinstance(first, str) else ""


def _text_of(value: Any) -> Any:
    return value.decode("latin-1") if isinstance(value, (bytes, bytearray)) else value


def _plain(values: Iterable[Any]) -> list[Any]:
    """The numbers and texts among values, and some of those that containers among them hold; bytes as texts."""
    found: list[Any] = []
    for value in values:
        if type(value) in (int, float, str):
            found.append(value)
        elif isinstance(value, (bytes, bytearray)):
            found.append(_text_of(value))
        elif isinstance(value, (tuple, list, dict)):
            found += [_text_of(one) for one in itertools.islice(value, MEMBERS)
                      if type(one) in (int, float, str, bytes)]
        elif isinstance(value, _SETS):
            held = [part for one in value for part in (one if isinstance(one, tuple) else (one,))]
            known = [one for one in dict.fromkeys(held) if type(one) in (int, float, str)]
            found += sorted(known, key=lambda one: (type(one).__name__, one))[:MEMBERS]
    return found


def _distance(name: str, left: Any, right: Any, outcome: bool) -> float:
    """How far the operands are from the other outcome; small is near."""
    try:
        if isinstance(left, (int, float)) and isinstance(right, (int, float)):
            gap = abs(left - right)
            return 1.0 if name in ("eq", "ne") and gap == 0 else float(gap)
        if isinstance(left, tuple) and name in ("eq", "ne"):
            return _apart(left, [right], outcome == (name == "eq"))
        if isinstance(left, tuple) and name in ("in", "not in") and isinstance(right, (*_SETS, list, tuple, dict)):
            return _apart(left, right, outcome == (name == "in"))
        if isinstance(left, str) and isinstance(right, str) and name in ("eq", "ne", "in", "not in"):
            if outcome == (name in ("eq", "in")):
                return 1.0
            common = sum(1 for a, b in zip(left, right, strict=False) if a == b)
            return float(max(len(left), len(right)) - common)
    except Exception:
        return 100.0
    return 10.0


def _apart(left: tuple[Any, ...], others: Iterable[Any], equal: bool) -> float:
    """In how many places a tuple differs from the one among others that it is most like."""
    alike = [other for other in others if isinstance(other, tuple) and len(other) == len(left)]
    gaps = [sum(1.0 for one, two in zip(left, other, strict=True) if one != two) for other in alike]
    return 1.0 if equal else min(gaps, default=10.0)
