"""Evolving a small task in a few evaluations."""

from __future__ import annotations

import json
from pathlib import Path

from harness.runtime import ensure_runtime
from pipeline.release.inputs import ANSWERS_LOCK
from tests.pipeline.vary.commands import run

OPERATORS = "S1,S2,S5,S6,S8,S12,A1,A3,A5,N1"
"""Those without libraries whose import takes long."""
FEW = (
    "--evaluations", 18, "--population", 6, "--versions", 1, "--cases", 2, "--task", "runs", "--operators", OPERATORS,
)


def evolved(origin: Path, folder: Path, *further: object) -> Path:
    made = run("evolve", origin, "--out", folder, *FEW, "--workers", 1, "--json", *further)
    assert made.exit_code == 0, made.output
    release = Path(json.loads(made.stdout.splitlines()[-1])["release"])
    ensure_runtime(release / ANSWERS_LOCK)
    return release
