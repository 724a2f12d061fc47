"""The machine that suites are built on, and a release that others are made of."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release
from tests.pipeline.suites.conftest import machine

__all__ = ["machine"]


@pytest.fixture(scope="session")
def origin(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("made") / "build" / "made" / "release", LOCK.read_text())
