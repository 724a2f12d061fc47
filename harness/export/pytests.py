"""A folder of tests for pytest: a module for each task, and beside them the answers that they run."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path

import harness
from harness.prompts import prompt
from harness.records import Frame, Task

PACKAGE = "code2bench_rules"
"""What the codec and the rules are called that come along."""
_IMPORT = re.compile(r"^(from) harness\b(.*)$", re.M)
_NEEDED = ("records.py", "telling.py", "export/checking.py", "values")
_README = f"""Tests of {{count}} tasks, which need nothing but pytest and what `pip install -r libraries.txt` brings.

Each file below `answers/` holds one answer. It begins as what is asked for, with a function that is not implemented:
write the answer there, or have a model write it. Then

    pytest                                   # all of them
    pytest tests/test_NAME.py                # one

`tasks/` holds what the tests run: calls and what the reference gave, encoded as `{PACKAGE}/values` says. Answers run
without any isolation here.
"""
_TEST = '''"""{title}"""

from pathlib import Path

import pytest

from {package}.checking import check

ROOT = Path(__file__).resolve().parents[1]


@pytest.mark.parametrize("number", range({count}))
def test_{name}(number: int) -> None:
    check(ROOT / "tasks" / "{key}.json", ROOT / "answers" / "{key}.py", number)
'''
_CONFTEST = '''"""The rules lie beside the tests."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parent))
'''


def write(tasks: Sequence[Task], folder: Path) -> Sequence[Task]:
    """The folder: `tests/`, `tasks/`, `answers/`, the rules, and a README."""
    for name in ("tests", "tasks", "answers"):
        (folder / name).mkdir()
    for task in tasks:
        _write(task, folder)
    _rules(folder / PACKAGE)
    (folder / "conftest.py").write_text(_CONFTEST, "utf-8")
    (folder / "README.txt").write_text(_README.format(count=len(tasks)), "utf-8")
    return ()


def key_of(task: Task) -> str:
    """What the files of a task are called."""
    return f"{task.entry_point}_{task.task_id.removeprefix('c2b-')}"


def _write(task: Task, folder: Path) -> None:
    key, given = key_of(task), task.given or Frame()
    title = f"{task.entry_point}, task {task.task_id}: {len(task.cases)} cases; {task.provenance.licence}."
    test = _TEST.format(title=title, package=PACKAGE, count=len(task.cases), name=task.entry_point, key=key)
    (folder / "tests" / f"test_{key}.py").write_text(test, "utf-8")
    row = {
        "task_id": task.task_id, "entry_point": task.entry_point, "before": given.before, "after": given.after,
        "comparison": asdict(task.comparison), "cases": [asdict(case) for case in task.cases],
    }
    (folder / "tasks" / f"{key}.json").write_text(json.dumps(row), "utf-8")
    asked = prompt(task).completion.removeprefix(given.before)
    (folder / "answers" / f"{key}.py").write_text(f"{asked}    raise NotImplementedError\n", "utf-8")


def _rules(folder: Path) -> None:
    """The codec and the rules as a package of their own."""
    source = Path(harness.__file__).parent
    files = [file for name in _NEEDED for file in (sorted((source / name).rglob("*.py")) or [source / name])]
    for file in files:
        place = folder / file.relative_to(source)
        place = folder / "checking.py" if file.name == "checking.py" else place
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(_IMPORT.sub(rf"\1 {PACKAGE}\2", file.read_text("utf-8")), "utf-8")
    (folder / "__init__.py").write_text('"""The codec and the rules of Code2Bench (Apache-2.0)."""\n', "utf-8")
