"""What a release's suites and their printed tests cover, measured again in the sandbox."""

from __future__ import annotations

import json
from dataclasses import dataclass

from harness.errors import SandboxFailed
from harness.languages import Machine
from harness.records import Task
from harness.sandbox import Limits
from pipeline.suites.proofs.unreachable import CLAIMED
from pipeline.suites.sandbox import recount
from pipeline.suites.sandbox.start import sandboxed


@dataclass(frozen=True)
class Recount:
    """What is left out of a reference, in words: `missing` by the cases, as coverage.py says; `undrawn` by the test.

    `fault` says why the test can't be run, "" where it can; `excused` is what is proved, or claimed, to be out of reach
    in members, which no case has to take. `outside` is the number of cases that do not keep to the task's contract.
    """

    missing: tuple[str, ...]
    undrawn: tuple[str, ...] = ()
    fault: str = ""
    excused: tuple[str, ...] = ()
    outside: int = 0


def recounted(task: Task, machine: Machine, strategies: str = "", seconds: float = 120.0) -> Recount:
    """What a task's cases, and its printed test if that is given, leave out; raises `SandboxFailed`."""
    document = {
        "program": task.program,
        "entry_point": task.entry_point,
        "cases": [[list(case.args), case.kwargs] for case in task.cases],
        "strategies": strategies,
        "contract": list(task.contract or ()),
        "claims": [one.removesuffix(CLAIMED) for one in task.excused or () if one.endswith(CLAIMED)],
    }
    program = sandboxed(recount.main, machine, json.dumps(document).encode("ascii"))
    outcome = machine.sandbox.run(program, Limits(cpu_seconds=seconds, wall_seconds=4 * seconds))
    try:
        found = json.loads(outcome.stdout)
        undrawn, excused = tuple(found.get("undrawn", ())), tuple(found.get("excused", ()))
        return Recount(tuple(found["missing"]), undrawn, found.get("fault", ""), excused, found["outside"])
    except (ValueError, KeyError, TypeError, AttributeError):
        said = outcome.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or [str(outcome.ending)]
        raise SandboxFailed(f"coverage of {task.task_id} can't be measured: {said[0]}") from None
