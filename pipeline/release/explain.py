"""Why a function was kept or dropped: its way through the stages of a build, with the evidence."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.locations import Location, near
from harness.releases.ages import contradiction
from pipeline import store
from pipeline.records import Reason
from pipeline.release.funnel import stage_folders

_FUNCTION_OF = {
    "fingerprint": "",
    "function": "function.",
    "candidate": "candidate.function.",
    "suite": "suite.candidate.function.",
}
"""Where the function stands in a stage's kept rows, by the column that leads to it."""


@dataclass(frozen=True)
class Step:
    """What one stage did with a function: `outcome` is `kept` or the reason's name.

    `asked` are the questions to language models, each with what was wrong with the answer.
    """

    stage: str
    record_id: str
    name: str
    place: str
    outcome: str
    sentence: str
    evidence: str
    asked: tuple[str, ...] = ()


def explain(build: Location, wanted: str) -> list[Step]:
    """The steps of every function whose id, name or `path:name` is the one wanted.

    A file that was left out as a whole tells for all that it holds, where its path is given.
    """
    steps: list[Step] = []
    for folder in stage_folders(build):
        with near(folder) as here:
            steps += _steps(here, wanted)
    if not steps:
        raise UserError(f"Nothing in {build} has the id or name {wanted!r}: give a task id, a name, or PATH:NAME.")
    return steps


def _steps(folder: Path, wanted: str) -> Iterator[Step]:
    stage = folder.name.split("-", 1)[1]
    for row in _kept(folder, wanted):
        place = f"{row['project']} {row['path']}:{row['line']}"
        asked = _asked(folder, row["id"])
        yield Step(stage, row["id"], row["name"], place, "kept", "", _evidence(row["extra"]), asked)
    for row in store.query(
        "select * from read_parquet(?) where record_id = ? or name = ? or path || ':' || name = ? "
        "or unit = 'file' and path = ? order by project, path, line",
        str(folder / "*.rejected.parquet"), wanted, wanted, wanted, wanted.rpartition(":")[0] or wanted,
    ):
        sentence = Reason[row["reason"].upper()].value
        place = f"{row['project']} {row['path']}:{row['line']}"
        asked = _asked(folder, row["record_id"])
        yield Step(stage, row["record_id"], row["name"], place, row["reason"], sentence, row["evidence"], asked)


def _asked(folder: Path, record_id: str) -> tuple[str, ...]:
    if not any(folder.glob("*.asked.parquet")):
        return ()
    rows = store.query(
        "select prompt, model, fault from read_parquet(?) where record_id = ? order by prompt, model, key",
        str(folder / "*.asked.parquet"), record_id,
    )
    return tuple(f"{row['model']} on {row['prompt']}: {row['fault'] or 'taken'}" for row in rows)


def _kept(folder: Path, wanted: str) -> list[dict[str, Any]]:
    files = str(folder / "*.kept.parquet")
    columns = {r["column_name"] for r in store.query("describe select * from read_parquet(?)", files)}
    if "task_id" in columns:
        identity, name, where, extra = "task_id", "entry_point", "provenance", "measures"
    else:
        prefix = next((p for column, p in _FUNCTION_OF.items() if column in columns), None)
        if prefix is None:
            return []
        identity, name, where = f"{prefix}id", f"{prefix}qualified", f"{prefix}provenance"
        extra = _extra(columns, where)
    return store.query(
        f"select {identity} as id, {name} as name, {where}.project as project, {where}.path as path, "
        f"{where}.line_start as line, {extra} as extra from read_parquet(?) "
        f"where {identity} = ? or {name} = ? or {where}.path || ':' || {name} = ? order by id",
        files, wanted, wanted, wanted,
    )


def _extra(columns: set[str], provenance: str) -> str:
    """What a kept row can show for itself at this stage."""
    if "specification" in columns:
        return "specification"
    if "judgement" in columns:
        return (
            "{'track': track, 'libraries': libraries, 'measures': measures, 'judgement': judgement, 'layers': layers, "
            "'members': list_transform(members, lambda one: one.kind || ' ' || one.names || ' of ' || one.path)}"
        )
    return provenance if "fingerprint" in columns else "''"


def _evidence(extra: Any) -> str:
    if isinstance(extra, str):
        return extra
    if "author_date" in extra:
        extra = {**extra, "dates": contradiction(extra["author_date"], extra["revision_date"])}
    return json.dumps({k: v for k, v in extra.items() if v not in (None, "", [])}, default=str)


def as_text(steps: list[Step]) -> str:
    """The steps for people, grouped by function."""
    lines: list[str] = []
    for key in dict.fromkeys((s.record_id, s.place) for s in steps):
        own = [s for s in steps if (s.record_id, s.place) == key]
        lines.append(f"{own[0].name}  {key[0]}  {key[1]}")
        for step in own:
            lines.append(f"  {step.stage:<9} {step.outcome:<22} {step.sentence}")
            if step.evidence:
                lines.append(f"  {'':<9} {step.evidence}")
            lines += [f"  {'':<9} {' '.join(one.split())}" for one in step.asked]
    return "\n".join(lines)
