"""What plausible wrong answers to a task are told apart by its cases, and what its examples leave open."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from harness.languages import Call, Machine
from harness.records import Answer, Case, Task
from harness.scoring.judging import judge_all
from harness.values import NotDecodable, canonical, decode
from harness.values.expressions import Names, NotShowable, expression
from pipeline.instruct.examples.cases import call
from pipeline.release.further import further_calls
from pipeline.release.near_misses import near_misses
from pipeline.stage import seed_of
from pipeline.suites.selection.readings import FEW, Reading, beyond, open_points, readings

RULE = 0.05
"""The share of the cases that a rule has to decide: a program that lacks it fails as many."""
MOST_POINTS, LONGEST_POINT = 8, 400
"""How many open points are told, and how long one is."""


@dataclass(frozen=True)
class Readings:
    """How many readings of a task there are, how many pass every case, how many fail fewer than `FEW`.

    `further` inputs were made for those that pass: drawn anew where somebody has written strategies, and near misses of
    the cases that keep to the contract; `holes` is how many of them give another answer there, the others mean the same
    as far as is known; `missed` says so of each in a sentence, and then what hardly any case says. `open` is how many
    no example refuses; `points` are the first of these in sentences. Wrong answers that people have `written` are
    counted by themselves: how many there are, how many of them pass every case, how many fail fewer than `FEW`, and how
    many fail less than the share `RULE` of the cases, these included.
    """

    total: int
    passing: int
    few: int
    further: int
    holes: int
    open: int
    points: tuple[str, ...]
    missed: tuple[str, ...] = ()
    written: int = 0
    written_passing: int = 0
    written_few: int = 0
    written_rare: int = 0


def read(task: Task, machine: Machine, wrong: Sequence[str] = ()) -> Readings:
    """Run the readings of a task's reference on its cases, the same ones each time, and `wrong` answers to it."""
    seed = seed_of(0, "readings", task.task_id)
    found = readings(task.program, task.entry_point, task.cases, task.comparison, machine, seed)
    shown = shown_cases(task)
    told = (_point(task, task.cases, one, "No example") for one in open_points(found, shown, MOST_POINTS))
    passing = [one for one in found if not one.refused_by]
    calls = _further(task, machine) if passing else []
    errors = {case.expected.exception for case in task.cases}
    further, tried = beyond(task.program, task.entry_point, passing, calls, errors, task.comparison, machine)
    holes = [one for one in map(_answering, tried) if one.refused_by]
    few = [one for one in found if 0 < len(one.refused_by) < FEW]
    missed = [_point(task, further, one, "No case") for one in holes]
    missed += [_point(task, task.cases, one, "Hardly any case") for one in few]
    fails = failed(task, wrong, machine)
    return Readings(
        len(found), len(passing), len(few), len(further), len(holes),
        sum(one.is_open(shown) for one in found), tuple(filter(None, told)),
        tuple(filter(None, missed)),
        len(fails), fails.count(0), sum(0 < one < FEW for one in fails),
        sum(0 < one < RULE * len(task.cases) for one in fails),
    )


def failed(task: Task, programs: Sequence[str], machine: Machine) -> list[int]:
    """On how many of a task's cases each program fails."""
    verdicts = judge_all([(task, one) for one in programs], machine, tasks=[task])
    return [one.total - one.passed for one in verdicts]


def _answering(reading: Reading) -> Reading:
    """A reading as far as it gives something: elsewhere it may have run out of time for so many inputs."""
    given: dict[int, Answer | None] = {place: answer for place, answer in reading.given.items() if answer is not None}
    return replace(reading, refused_by=tuple(given), given=given)


def _further(task: Task, machine: Machine) -> list[Call]:
    seed = seed_of(0, "further", task.task_id)
    return [*further_calls(task, seed, machine), *near_misses(task, seed, machine)]


def shown_cases(task: Task) -> set[int]:
    """The places of the cases that the instruction shows."""
    names = Names.of(task.imports)
    found = set()
    for place, case in enumerate(task.cases):
        try:
            text = call(task.entry_point, case, names)
        except NotShowable:
            continue
        if f">>> {text}" in task.instruction or f">>> list({text})" in task.instruction:
            found.add(place)
    return found


def _point(task: Task, cases: Sequence[Case], reading: Reading, what: str) -> str:
    """What no or hardly any example or case says, "" where it can't be shown: the call, what is right, what is not."""
    names = Names.of(task.imports)
    for place in sorted(reading.refused_by, key=lambda place: len(canonical(list(cases[place].args)))):
        wrong, case = reading.given.get(place), cases[place]
        try:
            asked = call(task.entry_point, case, names)
            right, other = (_answer(one, names) for one in (case.expected, wrong))
        except (NotShowable, NotDecodable, RecursionError):
            continue
        if len(asked) + len(right) + len(other) <= LONGEST_POINT:
            more = f"{reading.words}; {len(reading.refused_by) - 1} more show it"
            return f"{what} says that {asked} gives {right}, not {other} ({more})."
    return ""


def _answer(answer: Answer | None, names: Names) -> str:
    if answer is None:
        return "nothing"
    if answer.kind == "raised":
        return f"{answer.exception.rsplit('.', 1)[-1]}"
    return expression(decode(answer.value), names)
