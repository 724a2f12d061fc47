"""The program in the sandbox that measures what a finished suite covers, and what its printed test does, once more."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from harness.values import decode
from pipeline.suites.domain.contract import checked
from pipeline.suites.instrument.branch_coverage import Verdict, verdict
from pipeline.suites.instrument.reference import Reference, replay
from pipeline.suites.property_run import prepare, run
from pipeline.suites.subject import Subject


def main() -> None:
    """Measure the suite on the standard input and write what it misses, as JSON."""
    job = json.loads(sys.stdin.buffer.read())
    output = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    subject = Subject.of(job["program"], job["entry_point"], job["claims"])
    measured = _measured(subject, job["cases"])
    outside = _outside(subject, job["cases"], job["contract"])
    found: dict[str, Any] = {"missing": measured.missing, "excused": measured.excused, "outside": outside}
    if job["strategies"]:
        found |= _drawn(subject, job["strategies"], job["contract"])
    output.write(json.dumps(found))
    output.flush()
    # No handlers, threads or buffers of the reference's may run on.
    os._exit(0)


def _outside(subject: Subject, cases: Sequence[Any], contract: Sequence[str]) -> int:
    """How many cases do not keep to the contract."""
    if not contract:
        return 0
    within = checked(subject, Reference(subject).function, contract)
    given = [([decode(a) for a in args], {n: decode(value) for n, value in kwargs.items()}) for args, kwargs in cases]
    return sum(within is not None and not within(*one) for one in given)


def _drawn(subject: Subject, strategies: str, contract: Sequence[str]) -> dict[str, Any]:
    prepare()
    reference = Reference(subject, contract=contract)
    made = run(strategies, subject.entry_point, reference)
    return {"undrawn": [str(reference.measure.goals[goal]) for goal in sorted(made.missing)], "fault": made.fault}


def _measured(subject: Subject, cases: Sequence[Any]) -> Verdict:
    def calls(function: Any) -> None:
        for args, kwargs in cases:
            replay(function, [decode(a) for a in args], {name: decode(value) for name, value in kwargs.items()})

    return verdict(subject, calls)
