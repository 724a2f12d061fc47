"""Locking projects of a registry."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from pipeline.config import MineConfig
from pipeline.records import LockedSource, Rejection
from tests.pipeline.sources.conftest import MIT, Server, sdist

Lock = Callable[..., LockedSource | Rejection]


def release(server: Server, days: dict[str, str], **info: object) -> None:
    server.project("demo", **info)
    for version, day in days.items():
        server.upload("demo", version, day, sdist({"demo.py": f"v = {version!r}", "LICENSE": MIT}))


BOTH = {"1.0": "2026-01-01", "1.1": "2026-06-01", "1.2": "2026-07-01"}


def test_a_lock_names_versions_files_hashes_and_times_and_no_host(server: Server, lock: Lock) -> None:
    release(server, BOTH, project_urls={"Homepage": "https://demo.example", "Code": "http://github.com/a/demo.git"})
    locked = lock("demo")
    assert isinstance(locked, LockedSource)
    assert (locked.upper.version, locked.upper.file_name) == ("1.2", "demo-1.2.tar.gz")
    assert locked.upper.uploaded == "2026-07-01T12:00:00Z"
    assert [a.version for a in locked.baseline] == ["1.0"]
    assert locked.earliest == "2026-06-01T12:00:00Z"
    assert (locked.licence, locked.licence_source) == ("MIT", "license_expression")
    assert locked.url == "https://github.com/a/demo"
    assert "127.0.0.1" not in repr(locked)


def test_a_project_without_a_known_repository_is_named_by_its_page(server: Server, lock: Lock) -> None:
    release(server, BOTH)
    locked = lock("demo")
    assert isinstance(locked, LockedSource)
    assert locked.url == "https://pypi.org/project/demo/"


def test_a_licence_that_no_field_names_is_looked_for_in_the_archive(server: Server, lock: Lock) -> None:
    release(server, BOTH, license_expression=None)
    locked = lock("demo")
    assert isinstance(locked, LockedSource)
    assert (locked.licence, locked.licence_source) == ("MIT", "LICENSE")


REFUSED = {
    "project_gone": ({}, {}),
    "no_new_release": ({"1.0": "2026-01-01"}, {}),
    "no_baseline": ({"1.0": "2026-06-01"}, {}),
    "licence": (BOTH, {"license_expression": "GPL-3.0-or-later"}),
}


@pytest.mark.parametrize("reason", REFUSED)
def test_a_project_that_gives_nothing_leaves_with_its_reason(server: Server, lock: Lock, reason: str) -> None:
    days, info = REFUSED[reason]
    if days:
        release(server, days, **info)
    refused = lock("demo")
    assert isinstance(refused, Rejection)
    assert (refused.reason, refused.unit, refused.record_id) == (reason, "source", "pypi:demo")
    assert refused.evidence


def test_an_unknown_licence_is_none(server: Server, lock: Lock) -> None:
    server.project("demo", license_expression=None, license="ask the author")
    for version, day in BOTH.items():
        server.upload("demo", version, day, sdist({"demo.py": ""}))
    refused = lock("demo")
    assert isinstance(refused, Rejection)
    assert (refused.reason, refused.evidence) == ("licence", "no field and no file names one")


def test_an_archive_above_the_limit_is_not_even_downloaded(server: Server, lock: Lock) -> None:
    release(server, BOTH)
    refused = lock("demo", config=MineConfig(max_archive_bytes=10))
    assert isinstance(refused, Rejection)
    assert refused.reason == "corrupt_source"
    assert server.asked["demo-1.2.tar.gz"] == 0
