"""Whether a variant answers as its origin does: both run on the same calls, and are compared by the strictest rule."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from harness.languages import Call, Machine
from harness.records import Answer, Comparison
from harness.values.comparison import agree
from pipeline.suites.selection.readings import SECONDS, answered

STRICT = Comparison(relative=0.0, absolute=0.0, messages=True, mutation=True)
"""Equal to the last bit, messages and changed arguments included."""


def renamed(call: Call, renames: Mapping[str, str]) -> Call:
    """A call with its arguments by keyword under the variant's names."""
    return call._replace(kwargs={renames.get(name, name): value for name, value in call.kwargs.items()})


def first_difference(
    variant: str, entry_point: str, renames: Mapping[str, str], calls: Sequence[Call], right: Sequence[Answer],
    machine: Machine, unordered: bool = False,
) -> str:
    """"" where a variant answers all calls as is `right`, else the first difference in words.

    `unordered` says that the origin's lists come from sets, whose order means nothing.
    """
    asked = [renamed(call, renames)._replace(cpu_seconds=SECONDS) for call in calls]
    [run] = answered([variant], entry_point, asked, machine)
    if run.load_error is not None:
        return f"it does not load: {run.load_error.text}"
    given = [outcome.answer for outcome in run.outcomes]
    rule = replace(STRICT, unordered=unordered)
    back = {new: old for old, new in renames.items()}
    for place, expected in enumerate(right):
        answer = given[place] if place < len(given) else None
        difference = "no answer" if answer is None else agree(_named(expected, {}), _named(answer, back), rule)
        if difference:
            return f"call {place + 1} of {len(calls)}: {difference}"
    return ""


def _named(answer: Answer, back: Mapping[str, str]) -> Answer:
    """An answer in the origin's names: messages may name variables."""
    message = answer.message
    for new, old in back.items():
        message = message.replace(f"'{new}'", f"'{old}'")
    return replace(answer, message=message)
