"""Which families of tasks there are."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from harness.errors import UserError
from harness.families import Family
from harness.families.function import FUNCTION, LSC, WHOLE
from harness.families.prediction import INPUT, OUTCOME, OUTPUT
from harness.families.repair import REPAIR
from harness.records import Task

_further: dict[str, Family] = {}


def families() -> dict[str, Family]:
    """All families by their names."""
    return {one.name: one for one in (FUNCTION, LSC, WHOLE, OUTPUT, INPUT, OUTCOME, REPAIR)} | _further


def family_of(task: Task) -> Family:
    """The family of a task; raises `UserError`."""
    found = families().get(task.family)
    if found is None:
        raise UserError(
            f"This harness knows no family {task.family!r} of tasks, only {', '.join(sorted(families()))}; "
            "install the version of code2bench that the release names."
        )
    return found


@contextmanager
def registered(further: Family) -> Iterator[Family]:
    """One more family for as long as the context lasts."""
    before = dict(_further)
    _further[further.name] = further
    try:
        yield further
    finally:
        _further.clear()
        _further.update(before)
