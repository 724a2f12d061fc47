"""The machine that suites are built on, and one suite per small program of the tests, all from few starts."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.languages import Machine
from harness.runtime import ensure_runtime
from harness.sandbox import choose

LOCK = Path(__file__).parents[3] / "data" / "runtimes" / "python-3.11.txt"


@pytest.fixture(scope="session")
def machine() -> Machine:
    """The sandbox of this machine with the project's own runtime, which is made when it is missing."""
    return Machine(choose(), ensure_runtime(LOCK))
