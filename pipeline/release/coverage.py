"""Branch coverage of a release's suites, measured again in the sandbox."""

from __future__ import annotations

import json

from harness.errors import SandboxFailed
from harness.languages import Machine
from harness.records import Task
from harness.sandbox import Limits
from pipeline.suites.sandbox import recount
from pipeline.suites.sandbox.start import sandboxed


def missing_branches(task: Task, machine: Machine, seconds: float = 120.0) -> tuple[str, ...]:
    """What coverage.py says that the task's cases leave out of its reference, in words; raises `SandboxFailed`."""
    document = {
        "program": task.reference,
        "entry_point": task.entry_point,
        "cases": [[list(case.args), case.kwargs] for case in task.cases],
    }
    program = sandboxed(recount.main, machine, json.dumps(document).encode("ascii"))
    outcome = machine.sandbox.run(program, Limits(cpu_seconds=seconds, wall_seconds=4 * seconds))
    try:
        return tuple(json.loads(outcome.stdout)["missing"])
    except (ValueError, KeyError, TypeError):
        said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [str(outcome.ending)]
        raise SandboxFailed(f"coverage of {task.task_id} can't be measured: {said[0]}") from None
