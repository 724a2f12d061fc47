"""The questions of a release, put otherwise: read from its file, and made the tasks that are asked and judged."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Iterator
from dataclasses import fields
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq

from harness.errors import UserError, guess
from harness.locations import near
from harness.records import Edit, PromptVariant, Task
from harness.releases.dataset import Release
from harness.releases.veil import MARK, unveil, veil_key
from harness.variants import Change, Variant, variant

PROMPTS = "prompts.parquet"
"""The file of a release that holds its questions in other words."""
INITIAL = "initial"
"""The strategy that leaves a question as it is: what all others are compared with, in the same cases."""
CONTROL = "control"
"""The strategy that asks the first question again."""


def has_rewordings(release: Release) -> bool:
    """Whether the release asks its questions in other words, too."""
    return PROMPTS in release.manifest["files"]


def read_rewordings(release: Release, strategies: Collection[str] = ()) -> tuple[PromptVariant, ...]:
    """The rows of the strategies, or of all of them, those for which there is no variant included; raises `UserError`.

    The initial questions always belong to them.
    """
    if not has_rewordings(release):
        raise UserError(
            f"{release.name} asks its questions in one way: make one that asks them in others by "
            f"`code2bench vary {release.name} --strategy all`.")
    with near(release.folder) as here:
        try:
            rows = pq.read_table(here / PROMPTS).to_pylist()
        except (OSError, pa.ArrowInvalid) as error:
            file = release.folder / PROMPTS
            raise UserError(f"{file} is no readable Parquet file ({error}); get the release again.") from None
    key = veil_key(release.manifest)
    found = tuple(_typed(row, key) for row in rows)
    known = sorted({row.strategy for row in found})
    for name in strategies:
        if name not in known:
            raise UserError(f"{release.name} has no strategy {name!r}{guess(name, known)}, only {', '.join(known)}.")
    return tuple(row for row in found if not strategies or row.strategy in {INITIAL, *strategies})


def _typed(row: dict[str, Any], key: str) -> PromptVariant:
    plain = {field.name: row[field.name] for field in fields(PromptVariant)}
    if row["reference"].startswith(MARK):
        plain["reference"] = unveil(row["reference"], key, f"{row['variant_id']}/reference")
    plain |= {
        "renames": json.loads(row["renames"]), "edits": tuple(Edit(**edit) for edit in row["edits"]),
        "shown": tuple(row["shown"]), "scored": tuple(row["scored"]),
    }
    return PromptVariant(**plain)


def as_variant(task: Task, row: PromptVariant) -> Variant:
    """The variant that a row describes, whose id it gives; raises `UserError` where task and row don't fit."""
    change = Change(
        row.entry_point, row.signature, row.instruction, row.reference,
        tuple(sorted((row.renames or {}).items())), row.scored)
    return variant(task, f"{row.strategy}/{row.number}", change, row.seed)


def variants_of(release: Release, rows: Iterable[PromptVariant]) -> Iterator[Variant]:
    """The variants of the tasks that were read; raises `UserError` for a row of another version of its task."""
    tasks = {task.task_id: task for task in release.tasks}
    for row in rows:
        if row.task_id not in tasks or row.reason:
            continue
        made = as_variant(tasks[row.task_id], row)
        if row.variant_id != made.id or row.task_digest != tasks[row.task_id].task_digest:
            raise UserError(f"{PROMPTS}: {row.variant_id} is not what its row describes; get the release again.")
        yield made


def in_other_words(release: Release, task: Task) -> str:
    """How often a task's question is put otherwise, by strategy, for people; "" in a release that asks it once."""
    if not has_rewordings(release):
        return ""
    rows = [row for row in read_rewordings(release) if row.task_id == task.task_id and row.strategy != INITIAL]
    made = Counter(row.strategy for row in rows if not row.reason)
    told = [f"{count} by {name}" for name, count in sorted(made.items())]
    told += [f"none by {row.strategy} ({row.evidence.rstrip('.')})" for row in rows if row.reason]
    command = f"code2bench prompts {release.source} --task {task.task_id} --strategy NAME"
    return "\n".join(["", "", "--- in other words ---", *told, f"`{command}` prints them."])


def strategy_of(one: Variant) -> str:
    """The strategy that has made a variant."""
    return one.kind.rpartition("/")[0]
