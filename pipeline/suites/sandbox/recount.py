"""The program in the sandbox that measures what a finished suite covers, and what its printed test does, once more."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from harness.values import decode
from pipeline.suites.instrument.branch_coverage import Verdict, verdict
from pipeline.suites.instrument.reference import Reference, replay
from pipeline.suites.property_run import prepare, run
from pipeline.suites.subject import Subject


def main() -> None:
    """Measure the suite on the standard input and write what it misses, as JSON."""
    job = json.loads(sys.stdin.buffer.read())
    output = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    subject = Subject.of(job["program"], job["entry_point"])
    measured = _measured(subject, job["cases"])
    found: dict[str, Any] = {"missing": measured.missing, "excused": measured.excused}
    if job["strategies"]:
        found |= _drawn(subject, job["strategies"])
    output.write(json.dumps(found))
    output.flush()
    # No handlers, threads or buffers of the reference's may run on.
    os._exit(0)


def _drawn(subject: Subject, strategies: str) -> dict[str, Any]:
    prepare()
    reference = Reference(subject)
    made = run(strategies, subject.entry_point, reference)
    return {"undrawn": [str(reference.measure.goals[goal]) for goal in sorted(made.missing)], "fault": made.fault}


def _measured(subject: Subject, cases: Sequence[Any]) -> Verdict:
    def calls(function: Any) -> None:
        for args, kwargs in cases:
            replay(function, [decode(a) for a in args], {name: decode(value) for name, value in kwargs.items()})

    return verdict(subject, calls)
