"""The registry's client against a registry that fails."""

from __future__ import annotations

import hashlib
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.records import Archive, Reason
from pipeline.sources import Unusable
from pipeline.sources.registry import Registry
from tests.pipeline.sources.conftest import Server, sdist

DATA = sdist({"a.py": "x = 1"})
ARCHIVE = Archive("1.0", "demo-1.0.tar.gz", hashlib.sha256(DATA).hexdigest(), "2026-01-01T12:00:00Z", len(DATA))


@pytest.fixture
def client(server: Server, tmp_path: Path) -> Registry:
    server.upload("demo", "1.0", "2026-01-01", DATA)
    return Registry(server.address, tmp_path, attempts=3, pause=0)


def fetch(client: Registry) -> bytes:
    return client.archive("demo", ARCHIVE, 10**6).read_bytes()


def test_a_relative_address_is_resolved_against_the_json(client: Registry) -> None:
    assert fetch(client) == DATA


def test_an_archive_is_downloaded_once(client: Registry, server: Server) -> None:
    fetch(client)
    fetch(client)
    assert server.asked[ARCHIVE.file_name] == 1


@pytest.mark.parametrize("faults", [["500"], ["503", "500"], ["429"], ["truncated"], ["wrong hash", "truncated"]])
def test_faults_that_pass_are_waited_out(client: Registry, server: Server, faults: list[str]) -> None:
    server.faults[ARCHIVE.file_name] = list(faults)
    assert fetch(client) == DATA
    assert server.asked[ARCHIVE.file_name] == len(faults) + 1


def test_a_registry_that_stays_down_is_the_users_to_know_and_no_projects_fault(
    client: Registry, server: Server
) -> None:
    server.faults["demo"] = ["500"] * 3
    with pytest.raises(UserError, match=r"127\.0\.0\.1 can't be read \(it answered 500\): check the network"):
        client.project("demo")
    assert client.project("demo")


def test_a_registry_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="check the network"):
        Registry("http://127.0.0.1:9/pypi", tmp_path, attempts=1).project("demo")


def test_a_registry_that_refuses_is_told_in_one_sentence(client: Registry, server: Server) -> None:
    server.faults["demo"] = ["403"]
    with pytest.raises(UserError, match="answered 403"):
        client.project("demo")


def test_an_archive_with_another_hash_is_corrupt_and_leaves_nothing_behind(
    client: Registry, server: Server, tmp_path: Path
) -> None:
    server.faults[ARCHIVE.file_name] = ["wrong hash"] * 3
    with pytest.raises(Unusable) as refused:
        fetch(client)
    assert refused.value.reason is Reason.CORRUPT_SOURCE
    assert [p for p in (tmp_path / "archives").rglob("*") if p.is_file()] == []


def test_an_archive_larger_than_it_may_be_is_refused(client: Registry) -> None:
    with pytest.raises(Unusable, match="is larger than 10 bytes"):
        client.archive("demo", ARCHIVE, 10)


def test_a_damaged_cache_is_downloaded_again(client: Registry) -> None:
    path = client.archive("demo", ARCHIVE, 10**6)
    path.write_bytes(b"bit rot")
    assert fetch(client) == DATA


def test_a_project_that_is_gone_is_none(client: Registry) -> None:
    assert client.project("nothing") is None


@pytest.mark.parametrize("lost", ["the file", "its entry"])
def test_an_archive_that_is_gone_is_told(client: Registry, server: Server, lost: str) -> None:
    if lost == "the file":
        del server.files[ARCHIVE.file_name]
    else:
        server.projects["demo"]["releases"] = {}
    with pytest.raises(Unusable) as refused:
        fetch(client)
    assert refused.value.reason is Reason.PROJECT_GONE


def test_offline_needs_the_cache_alone(client: Registry, server: Server, tmp_path: Path) -> None:
    client.project("demo")
    fetch(client)
    before = server.asked.total()
    offline = Registry(server.address, tmp_path, offline=True)
    assert offline.project("demo") == client.project("demo")
    assert fetch(offline) == DATA
    assert server.asked.total() == before + 1  # the one question of the client that is not offline


@pytest.mark.parametrize(("damage", "said"), [
    (DATA[:-3], f"is truncated in the cache .{len(DATA) - 3} of {len(DATA)} bytes in .*run once without --offline"),
    (b"x" + DATA[1:], "is damaged in the cache .*run once without --offline"),
])
def test_offline_a_damaged_cache_is_called_that_with_the_cure(
    client: Registry, server: Server, tmp_path: Path, damage: bytes, said: str
) -> None:
    client.archive("demo", ARCHIVE, 10**6).write_bytes(damage)
    with pytest.raises(UserError, match=said):
        fetch(Registry(server.address, tmp_path, offline=True))
    assert fetch(client) == DATA


@pytest.mark.parametrize("what", ["project", "archive"])
def test_offline_without_the_cache_is_told_with_the_cure(server: Server, tmp_path: Path, what: str) -> None:
    offline = Registry(server.address, tmp_path, offline=True)
    with pytest.raises(UserError, match="run once without --offline"):
        offline.project("demo") if what == "project" else fetch(offline)


def test_what_is_no_json_is_corrupt(client: Registry, server: Server, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(server, "answer", lambda path: (200, b"<html>"))
    with pytest.raises(Unusable, match="is no JSON"):
        client.project("demo")


@pytest.mark.network
def test_the_real_registry_is_understood(tmp_path: Path) -> None:
    from pipeline.sources.uploads import uploads_of, upper_end

    real = Registry("https://pypi.org/pypi", tmp_path)
    project = real.project("toolz")
    assert project is not None
    found = upper_end(uploads_of(project), "2023-11-01", "2024-11-01")
    assert found is not None
    assert str(found.version) == "1.0.0"
    assert real.archive("toolz", found.archive, 10**7).stat().st_size == found.archive.size
