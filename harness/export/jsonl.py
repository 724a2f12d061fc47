"""One file of JSON lines: what a model is asked, the reference, and the cases as they are encoded."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

from harness.prompts import prompt
from harness.records import Task

NAME = "tasks.jsonl"


def write(tasks: Sequence[Task], folder: Path) -> Sequence[Task]:
    """A line for each task: its row, with `prompt` (system, user, completion) and `program`, the whole reference."""
    lines = (json.dumps({**asdict(task), "prompt": prompt(task).as_json(), "program": task.program}) for task in tasks)
    (folder / NAME).write_text("".join(f"{line}\n" for line in lines), "utf-8")
    return ()
