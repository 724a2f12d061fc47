"""Whether variants answer as their origin does: all run on the same calls, and are compared by the strictest rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from harness.languages import Call, Machine, Run
from harness.languages.registry import language
from harness.records import FIRST_LANGUAGE, Answer, Comparison, Program
from harness.values.comparison import agree
from pipeline.suites.selection.readings import SECONDS, answered
from pipeline.transforms.preserving.chains import Variant
from pipeline.vary.steps import answered_and_counted

STRICT = Comparison(relative=0.0, absolute=0.0, messages=True, mutation=True)
"""Equal to the last bit, messages and changed arguments included."""


@dataclass(frozen=True)
class Known:
    """Calls of an origin with what it gives in each; `unordered` where its lists come from sets, without an order.

    Steps are counted in the calls at the places `counted`.
    """

    calls: Sequence[Call]
    right: Sequence[Answer]
    unordered: bool = False
    counted: Sequence[int] = ()

    def __add__(self, other: Known) -> Known:
        """The calls of both, these first."""
        return replace(self, calls=[*self.calls, *other.calls], right=[*self.right, *other.right])

    def at(self, places: Sequence[int]) -> Known:
        """Some of the calls."""
        return Known([self.calls[one] for one in places], [self.right[one] for one in places], self.unordered)

    def expecting(self, cpu_seconds: float) -> Iterator[Call]:
        """The calls, each with so many seconds, and what is right in it as it is reported: that is not read again."""
        reported = language(FIRST_LANGUAGE).running.as_reported
        for call, answer in zip(self.calls, self.right, strict=True):
            yield call._replace(cpu_seconds=cpu_seconds, known=reported(answer, True))


def renamed(call: Call, renames: Mapping[str, str]) -> Call:
    """A call with its arguments by keyword under the variant's names."""
    return call._replace(kwargs={renames.get(name, name): value for name, value in call.kwargs.items()})


def known(program: str, entry_point: str, calls: Sequence[Call], machine: Machine) -> Known:
    """The calls that a program answers, with its answers."""
    [run] = answered([program], entry_point, calls, machine) if calls else [None]
    outcomes = run.outcomes if run else ()
    pairs = [(call, one.answer) for call, one in zip(calls, outcomes, strict=False) if one.answer is not None]
    return Known([call for call, _ in pairs], [answer for _, answer in pairs])


@dataclass(frozen=True)
class Compared:
    """The first difference of a program from its origin, "" where there is none, and its steps where they count."""

    difference: str = ""
    steps: tuple[int, ...] = ()


def differences(variants: Sequence[Variant], origin: Known, machine: Machine) -> list[str]:
    """For each variant "" where it answers all calls as its origin does, else the first difference in words."""
    return [one.difference for one in compared(variants, origin, machine)]


def compared(
    variants: Sequence[Variant], origin: Known, machine: Machine, besides: Sequence[Program] = ()
) -> list[Compared]:
    """Each variant against its origin, and then the programs `besides`, of which nothing but the steps is looked at."""
    every: Sequence[Variant | Program] = (*variants, *besides)
    expecting = list(origin.expecting(SECONDS))
    found = [Compared()] * len(every)
    for places in _alike(every, origin.calls):
        entry_point, renames = every[places[0]].entry_point, every[places[0]].renames or {}
        calls = [renamed(call, renames) for call in expecting]
        proved = [variants[place] for place in places if place < len(variants)]
        runs, steps = answered_and_counted(
            [one.program for one in proved], [every[place].program for place in places], entry_point, calls,
            origin.counted, machine)
        told = [first_difference(run, origin, variant.renames) for variant, run in zip(proved, runs, strict=True)]
        for place, difference, count in zip_longest(places, told, steps):
            found[place] = Compared(difference or "", count or ())
    return found


def _alike(programs: Sequence[Variant | Program], calls: Sequence[Call]) -> list[list[int]]:
    """The places of programs that are called alike, which can run together."""
    by_keyword = {name for call in calls for name in call.kwargs}
    groups: dict[tuple[str, ...], list[int]] = {}
    for place, program in enumerate(programs):
        renames = program.renames or {}
        names = (renames.get(name, name) for name in sorted(by_keyword))
        groups.setdefault((program.entry_point, *names), []).append(place)
    return list(groups.values())


def first_difference(run: Run, origin: Known, renames: Mapping[str, str] | None = None) -> str:
    """The first difference between what a program gave and what is right, in words; "" where there is none."""
    if run.load_error is not None:
        return f"it does not load: {run.load_error.text}"
    rule = replace(STRICT, unordered=origin.unordered)
    back = {new: old for old, new in (renames or {}).items()}
    for place, expected in enumerate(origin.right):
        outcome = run.outcomes[place] if place < len(run.outcomes) else None
        if outcome is not None and outcome.status == "known":
            continue
        answer = None if outcome is None else outcome.answer
        difference = "no answer" if answer is None else agree(expected, _named(answer, back), rule)
        if difference:
            return f"call {place + 1} of {len(origin.calls)}: {difference}"
    return ""


def _named(answer: Answer, back: Mapping[str, str]) -> Answer:
    """An answer in the origin's names: messages may name variables."""
    message = answer.message
    for new, old in back.items():
        message = message.replace(f"'{new}'", f"'{old}'")
    return replace(answer, message=message)
