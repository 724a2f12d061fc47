"""A task as a person reads it."""

from __future__ import annotations

from typing import Any

from harness.errors import UserError, guess
from harness.languages.registry import language
from harness.records import Task
from harness.releases.dataset import Release
from harness.releases.rows import task_to_row
from harness.telling import printable


def find(release: Release, wanted: str) -> Task:
    """The task with that id, with an id that begins so, or whose function has that name; raises `UserError`."""
    found = [t for t in release.tasks if t.task_id == wanted]
    found = found or [t for t in release.tasks if t.entry_point == wanted or (t.task_id.startswith(wanted) and wanted)]
    if len(found) == 1:
        return found[0]
    if not found:
        names = {name for t in release.tasks for name in (t.entry_point, t.task_id)}
        cure = f"`code2bench prompts {release.source}` lists the ids"
        raise UserError(f"Release {release.name} has no task {wanted!r}{guess(wanted, names)}; {cure}.")
    told = ", ".join(f"{t.task_id} ({t.entry_point})" for t in found[:5])
    raise UserError(f"{len(found)} tasks fit {wanted!r} ({told}, ...): give more of the id.")


def as_record(task: Task) -> dict[str, Any]:
    """The published row, with the cases as JSON instead of a text."""
    import json

    row = task_to_row(task)
    return {**row, "cases": json.loads(row["cases"])}


def _absent(not_before: str) -> str:
    return f"not there on {not_before[:10]}, " if not_before else ""


def as_text(task: Task, cases: int = 10) -> str:
    """The task with its first cases, as calls."""
    where, strength = task.provenance, task.strength
    lines = [
        f"{task.task_id}  {task.entry_point}  ({task.track}, {task.difficulty}, {task.domain})",
        f"from {where.project} {where.revision} of {where.revision_date[:10]}, {where.path}:{where.line_start}",
        f"     {where.url}, {where.licence}",
        f"new: first seen {where.first_seen[:10]}, {_absent(where.not_before)}"
        f"compared with {', '.join(where.baseline) or 'nothing'}; similarity {where.similarity:.2f}"
        f"{f' to {where.nearest}' if where.nearest else ''}",
        f"size: {task.measures.lines} lines, complexity {task.measures.complexity}, depth {task.measures.depth}, "
        f"{task.measures.branches} branches",
        *_members(task),
        *_variation(task),
        f"suite: {len(task.cases)} cases, {100 * task.usual:.1f}% as callers pass them, "
        f"{100 * task.raising:.1f}% raise, branch coverage {100 * strength.branch_coverage:.1f}%, "
        f"mutation score {_share(strength.mutation_score)}, "
        f"with several changes at once {_share(strength.higher_order_score)}",
        f"rule: {_rule(task)}",
        f"judged by {task.judged_by}, instructed by {task.instructed_by}{_tried(task)}",
    ]
    parts = [
        *_part("instruction", task.instruction),
        *(_part("given, with the answer behind it", task.given.before) if task.given and task.given.before else []),
        *(_part("given, behind the answer", task.given.after) if task.given and task.given.after else []),
        *_part("reference", task.reference),
        *_part(f"cases (the first {min(cases, len(task.cases))} of {len(task.cases)})", _cases(task, cases)),
    ]
    return "\n".join([*map(printable, lines), *parts])


def _members(task: Task) -> list[str]:
    """What the function needs of its project, one line each."""
    if not task.members:
        return []
    where = [f"     {one.kind} {one.names}: {one.path}:{one.line_start}, {one.licence}" for one in task.members]
    what = "given of its project" if task.given is not None else "to be written with it"
    return [f"{what}: {len(task.members)} members, {task.layers} calls deep", *where]


def _variation(task: Task) -> list[str]:
    """Of which variant something is asked, one line."""
    about = task.variation
    if about is None:
        return []
    what = f"chain {about.chain}, draw {about.draw}" if about.chain else "the description"
    steps = f"; it takes {about.steps} steps" if about.steps else ""
    where = f"in case {about.case} of {task.origin}, of whose cases {about.prior:.1%} give this"
    return [f"asks about: {what}, {where}{steps}"]


def _tried(task: Task) -> str:
    """What solvers made of the instruction, and how many other wordings there are."""
    found = task.sufficiency
    tried = f"; {found.solved} of {found.attempts} attempts by {', '.join(found.solvers)} solved it" if found else ""
    return f"{tried}; {len(task.variants)} other wordings" if task.variants else tried


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
    values = language(task.language).values
    shown = ((values.call(task, case), values.answer(case.expected, task)) for case in task.cases[:count])
    return "\n".join(f"{printable(asked)}\n    {printable(said)}" for asked, said in shown)
