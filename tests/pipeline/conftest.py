"""The registry with small projects, and the release that is built of them once."""

from __future__ import annotations

import fcntl
import pickle
from collections.abc import Iterator

import pytest

from pipeline import flow
from pipeline.flow import Build, Options
from tests.pipeline.make_project import data_folder, fill
from tests.pipeline.sources.conftest import Server, serving


@pytest.fixture
def registry() -> Iterator[Server]:
    with serving() as made:
        fill(made)
        yield made


@pytest.fixture(scope="session")
def built(tmp_path_factory: pytest.TempPathFactory, worker_id: str) -> Build:
    """The tiny release, for tests that change nothing of it; the first worker that needs it makes it for all."""
    own = tmp_path_factory.getbasetemp()
    place = (own if worker_id == "master" else own.parent) / "built"
    place.mkdir(exist_ok=True)
    with (place / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (place / "made").exists():
            with serving() as made:
                fill(made)
                build = flow.build(data_folder(place), Options(workers=1, folder=place / "build"))
            (place / "made").write_bytes(pickle.dumps(build))
        return pickle.loads((place / "made").read_bytes())  # type: ignore[no-any-return]
