"""What a task's row shows to be wrong with it, by name: what a release may leave out, and what `quality` tells."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import replace

from harness.errors import UserError
from harness.records import BLIND, Task
from pipeline.config import PackageConfig
from pipeline.instruct.checks.form import locals_named

TYPICAL = 0.8
"""The share of cases that are as callers pass them."""
LINES, COMPLEXITY = 8, 3
"""What a reference has at least that is something to solve."""
ANSWERS = 2
"""Blind answers that show whether a text is enough."""
UNANSWERED = "few blind answers"
"""The flag of a task that fewer have answered: no text can be without it before it was asked."""


def blind_answers(task: Task) -> int:
    """How many answers of solvers who saw the prompt alone are known."""
    found = task.sufficiency
    return found.attempts if found and any(one.startswith(BLIND) for one in found.solvers) else 0


FLAGS: dict[str, Callable[[Task], bool]] = {
    "untypical": lambda task: task.usual < TYPICAL,
    "no contract": lambda task: task.contract is None,
    "small": lambda task: task.measures.lines < LINES or task.measures.complexity < COMPLEXITY,
    "private name": lambda task: task.entry_point.startswith("_"),
    "locals named": lambda task: bool(locals_named(task.program, task.entry_point, task.instruction)),
    UNANSWERED: lambda task: blind_answers(task) < ANSWERS,
}


def flags_of(task: Task, wanted: Collection[str] = FLAGS) -> tuple[str, ...]:
    """What is wrong with a task, as far as its row tells; raises `UserError` for a flag that there is not."""
    check_flags(wanted)
    return tuple(name for name, is_so in FLAGS.items() if name in wanted and is_so(task))


def for_unanswered(config: PackageConfig) -> PackageConfig:
    """The same for what nobody can have answered yet."""
    return replace(config, leave_out=tuple(name for name in config.leave_out if name != UNANSWERED))


def check_flags(wanted: Collection[str]) -> None:
    """Raise `UserError` for a flag that there is not."""
    unknown = sorted(set(wanted) - set(FLAGS))
    if unknown:
        raise UserError(f"package.leave_out names {unknown[0]!r}: set it to some of {', '.join(FLAGS)}.")
