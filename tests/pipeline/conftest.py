"""The registry with small projects, and the release that is built of them once."""

from __future__ import annotations

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
def built(tmp_path_factory: pytest.TempPathFactory) -> Build:
    """The tiny release, for tests that change nothing of it."""
    place = tmp_path_factory.mktemp("built")
    with serving() as made:
        fill(made)
        return flow.build(data_folder(place), Options(workers=1, folder=place / "build"))
