"""The program in the sandbox that measures a finished suite's branch coverage, apart from the search that made it."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from typing import Any

from harness.values import decode
from pipeline.suites.instrument.branch_coverage import Verdict, verdict
from pipeline.suites.instrument.reference import replay
from pipeline.suites.subject import Subject


def main() -> None:
    """Measure the suite on the standard input and write what it misses, as JSON."""
    job = json.loads(sys.stdin.buffer.read())
    output = os.fdopen(os.dup(1), "w")
    os.dup2(os.open(os.devnull, os.O_RDWR), 1)
    found = _measured(job["program"], job["entry_point"], job["cases"])
    output.write(json.dumps({"missing": list(found.missing)}))
    output.flush()
    # No handlers, threads or buffers of the reference's may run on.
    os._exit(0)


def _measured(program: str, entry_point: str, cases: Sequence[Any]) -> Verdict:
    def calls(function: Any) -> None:
        for args, kwargs in cases:
            replay(function, [decode(a) for a in args], {name: decode(value) for name, value in kwargs.items()})

    return verdict(Subject.of(program, entry_point), calls)
