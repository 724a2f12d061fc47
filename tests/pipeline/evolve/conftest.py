"""The machine, a small release, and what evolving it gives."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.pipeline.evolve.small import evolved
from tests.pipeline.vary.conftest import machine, origin

__all__ = ["machine", "origin"]


@pytest.fixture(scope="session")
def made(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A release of evolved programs of a task."""
    return evolved(origin, tmp_path_factory.mktemp("evolved") / "one")
