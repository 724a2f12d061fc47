"""A task as a person reads it."""

from __future__ import annotations

from typing import Any

from harness.dataset import Release
from harness.errors import UserError
from harness.expressions import Names, NotShowable, expression
from harness.records import Answer, Case, Json, Task
from harness.rows import task_to_row
from harness.values import decode

_MAX_CHARS = 300
_TAIL_CHARS = 40


def find(release: Release, wanted: str) -> Task:
    """The task with that id, with an id that begins so, or whose function has that name; raises `UserError`."""
    found = [t for t in release.tasks if t.task_id == wanted]
    found = found or [t for t in release.tasks if t.entry_point == wanted or (t.task_id.startswith(wanted) and wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        raise UserError(f"Release {release.name} has no task {wanted!r}; `code2bench prompts` lists the ids.")
    names = ", ".join(f"{t.task_id} ({t.entry_point})" for t in found[:5])
    raise UserError(f"{len(found)} tasks fit {wanted!r} ({names}, ...): give more of the id.")


def as_record(task: Task) -> dict[str, Any]:
    """The published row, with the cases as JSON instead of a text."""
    import json

    row = task_to_row(task)
    return {**row, "cases": json.loads(row["cases"])}


def as_text(task: Task, cases: int = 10) -> str:
    """The task with its first cases, as calls."""
    where, strength = task.provenance, task.strength
    lines = [
        f"{task.task_id}  {task.entry_point}  ({task.track}, {task.difficulty}, {task.domain})",
        f"from {where.project} {where.revision} of {where.revision_date[:10]}, {where.path}:{where.line_start}",
        f"     {where.url}, {where.licence}",
        f"new: first seen {where.first_seen[:10]}, compared with {', '.join(where.baseline) or 'nothing'}; "
        f"similarity {where.similarity:.2f}{f' to {where.nearest}' if where.nearest else ''}",
        f"size: {task.measures.lines} lines, complexity {task.measures.complexity}, depth {task.measures.depth}, "
        f"{task.measures.branches} branches",
        f"suite: {len(task.cases)} cases, {100 * task.usual:.1f}% as callers pass them, "
        f"{100 * task.raising:.1f}% raise, branch coverage {100 * strength.branch_coverage:.1f}%, "
        f"mutation score {_share(strength.mutation_score)}, "
        f"with several changes at once {_share(strength.higher_order_score)}",
        f"rule: {_rule(task)}",
        f"judged by {task.judged_by}, instructed by {task.instructed_by}",
        *_part("instruction", task.instruction),
        *_part("reference", task.reference),
        *_part(f"cases (the first {min(cases, len(task.cases))} of {len(task.cases)})", _cases(task, cases)),
    ]
    return "\n".join(lines)


def _share(score: float | None) -> str:
    return "not measured" if score is None else f"{100 * score:.1f}%"


def _part(title: str, text: str) -> list[str]:
    return ["", f"--- {title} ---", text.strip("\n")]


def _rule(task: Task) -> str:
    rule = task.comparison
    parts = [f"floats agree within {rule.relative:g} relative or {rule.absolute:g} absolute"]
    parts += ["lists in any order"] if rule.unordered else []
    parts += ["messages of exceptions count"] if rule.messages else []
    parts += ["changed arguments count"] if rule.mutation else []
    return ", ".join(parts)


def _cases(task: Task, count: int) -> str:
    names = Names.of(task.imports)
    return "\n".join(_case(task.entry_point, case, names) for case in task.cases[:count])


def _case(name: str, case: Case, names: Names) -> str:
    given = [*(_value(a, names) for a in case.args), *(f"{k}={_value(v, names)}" for k, v in case.kwargs.items())]
    return f"{name}({', '.join(given)})\n    {_answer(case.expected, names)}"


def _answer(answer: Answer, names: Names) -> str:
    text = f"-> {_value(answer.value, names)}"
    if answer.kind == "raised":
        text = f"raises {answer.exception}({answer.message!r})"
    if answer.mutated is None:
        return text
    return f"{text}, arguments then ({', '.join(_value(value, names) for value in answer.mutated)})"


def _value(value: Json, names: Names) -> str:
    """A value as Python; what has no short text as its `repr`, or else as it is stored."""
    try:
        decoded = decode(value)
    except (ValueError, TypeError, ImportError):
        return shortened(str(value))
    try:
        return shortened(expression(decoded, names))
    except NotShowable:
        return shortened(repr(decoded))


def shortened(text: str) -> str:
    """A long text without its middle; the gap says how much is left out."""
    if len(text) <= _MAX_CHARS:
        return text
    left_out = len(text) - _MAX_CHARS + _TAIL_CHARS
    return f"{text[:_MAX_CHARS - _TAIL_CHARS]} [… {left_out} characters left out …] {text[-_TAIL_CHARS:]}"
