"""What plausible wrong answers to a task are told apart by its cases, and what its examples leave open."""

from __future__ import annotations

from dataclasses import dataclass

from harness.languages import Machine
from harness.records import Answer, Task
from harness.values import NotDecodable, canonical, decode
from harness.values.expressions import Names, NotShowable, expression
from pipeline.instruct.examples.cases import call
from pipeline.release.further import further_calls
from pipeline.stage import seed_of
from pipeline.suites.selection.readings import FEW, Reading, differing, open_points, readings

MOST_POINTS, LONGEST_POINT = 8, 400
"""How many open points are told, and how long one is."""


@dataclass(frozen=True)
class Readings:
    """How many readings of a task there are, how many pass every case, how many fail fewer than `FEW`.

    `further` inputs were drawn for those that pass, none where nobody has written strategies; `holes` is how many of
    them give another answer there, the others mean the same as far as is known. `open` is how many no example refuses;
    `points` are the first of these in sentences.
    """

    total: int
    passing: int
    few: int
    further: int
    holes: int
    open: int
    points: tuple[str, ...]


def read(task: Task, machine: Machine) -> Readings:
    """Run the readings of a task's reference on its cases; the same ones each time."""
    seed = seed_of(0, "readings", task.task_id)
    found = readings(task.program, task.entry_point, task.cases, task.comparison, machine, seed)
    shown = shown_cases(task)
    told = (_point(task, one) for one in open_points(found, shown, MOST_POINTS))
    passing = [one for one in found if not one.refused_by]
    calls = further_calls(task, seed_of(0, "further", task.task_id), machine) if passing else []
    holes = differing(task.program, task.entry_point, passing, calls, task.comparison, machine) if calls else []
    return Readings(
        len(found), len(passing), sum(0 < len(one.refused_by) < FEW for one in found),
        len(calls), len(holes),
        sum(one.is_open(shown) for one in found), tuple(filter(None, told)),
    )


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


def _point(task: Task, reading: Reading) -> str:
    """A case that the text has to decide, "" where none can be shown: the call, what is right, what is not."""
    names = Names.of(task.imports)
    for place in sorted(reading.refused_by, key=lambda place: len(canonical(list(task.cases[place].args)))):
        wrong, case = reading.given.get(place), task.cases[place]
        try:
            asked = call(task.entry_point, case, names)
            right, other = (_answer(one, names) for one in (case.expected, wrong))
        except (NotShowable, NotDecodable, RecursionError):
            continue
        if len(asked) + len(right) + len(other) <= LONGEST_POINT:
            count = len(reading.refused_by)
            return f"No example says that {asked} gives {right}, not {other} ({reading.words}; {count} cases)."
    return ""


def _answer(answer: Answer | None, names: Names) -> str:
    if answer is None:
        return "nothing"
    if answer.kind == "raised":
        return f"{answer.exception.rsplit('.', 1)[-1]}"
    return expression(decode(answer.value), names)
