"""The control: a judge that is weak on purpose is deceived or broken by every hostile answer, and accepts honest ones."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from harness.languages import Machine
from harness.sandbox import Ending, Limits, Outcome, Program
from harness.values import decode
from tests.harness.test_judging import ATTACKS, RUNS, files

WEAK = (ATTACKS / "weak_judge.py").read_text()
CASES = [(decode(case.args[0]), decode(case.expected.value)) for case in RUNS.cases]
TIGHT = Limits(cpu_seconds=1.0, wall_seconds=8.0, memory_bytes=400 * 1024**2, output_bytes=1024**2, processes=32)


def outcome_of(solution: str, machine: Machine, limits: Limits = TIGHT) -> Outcome:
    """What becomes of the weak judge when it judges a solution; it runs in the sandbox as any program does."""
    runtime = machine.runtime
    document = json.dumps({"solution": solution, "cases": CASES}).encode()
    program = Program((str(runtime.python), "-s", "-B", "-c", WEAK), runtime.readable, document, {}, "/tmp", runtime.hidden)
    return machine.sandbox.run(program, limits)


def effect_of(outcome: Outcome) -> str:
    """`passes`: it says so. `hangs`: it goes on until a limit ends it. `breaks`: it ends without a verdict. `fails`: it does its work."""
    if outcome.ending not in (Ending.EXITED, Ending.SIGNALLED):
        return "hangs"
    if outcome.ending is Ending.EXITED and outcome.code == 0 and b"PASSED" in outcome.stdout:
        return "passes"
    return "fails" if outcome.code == 1 and b"FAILED" in outcome.stdout else "breaks"
