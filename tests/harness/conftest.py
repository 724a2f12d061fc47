"""A release that the tests of the harness share, with the project's own runtime."""

from __future__ import annotations

from pathlib import Path

import pytest

from harness.languages import Machine
from harness.releases.dataset import Release, load_release
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from tests.harness.make_release import make_release

LOCK = Path(__file__).parents[2] / "data" / "runtimes" / "python-3.11.txt"


@pytest.fixture(scope="session")
def release_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a release whose answers can be run; its name is `made`."""
    return make_release(tmp_path_factory.mktemp("made") / "build" / "made" / "release", LOCK.read_text())


@pytest.fixture(scope="session")
def machine() -> Machine:
    """The sandbox of this machine with the project's own runtime, which is made when it is missing."""
    return Machine(choose(), ensure_runtime(LOCK))


@pytest.fixture(scope="session")
def made(release_folder: Path) -> Release:
    """That release, loaded."""
    return load_release(release_folder)
