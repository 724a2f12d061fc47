"""Rows about evolved programs, and the rows about their originals that they are compared with."""

from __future__ import annotations

from harness.families.repair import REPAIR_FAMILY
from harness.records import FIRST_LANGUAGE, INPUT_FAMILY, OUTPUT_FAMILY, TRANSLATION, Task, digest

EVOLVED = "Evolved"
"""What stands in place of a chain in rows about evolved programs; their `draw` is the version."""
PAIR = "pair_id"
"""What rows about the original and the evolved version of a program have in common."""
FAMILIES = OUTPUT_FAMILY, INPUT_FAMILY, REPAIR_FAMILY, TRANSLATION

__all__ = ["EVOLVED", "FAMILIES", "FIRST_LANGUAGE", "PAIR", "REPAIR_FAMILY", "pair_id", "version"]


def version(task: Task) -> str:
    """Which version a task asks about: `original`, `v1`, ..., "" for tasks that ask about none."""
    if task.variation is None or task.origin is None:
        return ""
    if task.variation.chain == EVOLVED:
        return f"v{task.variation.draw}"
    return "original" if task.variation.chain == "Plain" else ""


def pair_id(task: Task) -> str:
    """The id that a task shares with those that ask the same about other versions of its program."""
    if not version(task) or task.variation is None:
        return ""
    return f"c2p-{digest(task.family, str(task.origin), task.variation.origin_digest, str(task.variation.case))[:16]}"
