"""Folders of other machines: what is written comes back, whole, at once and for all, and passwords stay unseen."""

from __future__ import annotations

import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from fsspec import AbstractFileSystem, register_implementation

from harness import locations
from harness.errors import UserError
from harness.locations import Location, Remote, files_below, location, near, remove_folder, shown
from tests.harness.ftp import Ftp, ftp_server

ROOT = Path(__file__).parents[2]


@pytest.fixture
def ftp(tmp_path: Path) -> Iterator[Ftp]:
    root = tmp_path / "served"
    root.mkdir()
    with ftp_server(root) as server:
        yield server


@pytest.fixture(params=["memory", "ftp"])
def folder(request: pytest.FixtureRequest, ftp: Ftp, tmp_path: Path) -> Remote:
    """An empty folder that is not there yet, whose name needs care."""
    place = location(f"memory://{tmp_path.name}/a b#c" if request.param == "memory" else f"{ftp.address}/deep/a b#c")
    assert isinstance(place, Remote)
    return place


@pytest.mark.parametrize(("text", "path"), [
    ("build/demo", "build/demo"),
    ("/tmp/x", "/tmp/x"),
    ("a/b://c", "a/b:/c"),
    ("ORG/NAME@v1", "ORG/NAME@v1"),
    ("file:///tmp/x y", "/tmp/x y"),
    ("local://x/y", "x/y"),
])
def test_what_lies_here_is_a_path(text: str, path: str) -> None:
    assert location(text) == Path(path)


def test_a_file_comes_back_and_folders_make_themselves(folder: Remote) -> None:
    file = folder / "x" / "data.bin"
    assert not file.is_file() and not folder.is_dir() and list(folder.glob("*")) == []
    for data in (b"old" * 100_000, b"", b"new"):
        file.write_bytes(data)
        assert file.read_bytes() == data
    assert file.is_file() and not file.is_dir() and folder.is_dir() and not folder.is_file()
    assert file.read_text("utf-8") == "new" and file.open("rb").read() == b"new"


def test_names_are_those_of_paths(folder: Remote) -> None:
    file = folder / "x" / "1.parquet"
    assert (file.name, file.parent.name, file.parent.parent, file.absolute()) == ("1.parquet", "x", folder, file)
    assert str(file) == f"{folder}/x/1.parquet"
    assert location("memory://").parent == location("memory://")


def test_a_folder_lists_what_lies_in_it_in_order(folder: Remote) -> None:
    for name in ("b.kept", "a.kept", "c.left", ".hidden", "sub/d.kept"):
        (folder / name).write_bytes(name.encode())
    assert [f.name for f in folder.glob("*.kept")] == ["a.kept", "b.kept"]
    assert [f.name for f in folder.glob("*")] == [".hidden", "a.kept", "b.kept", "c.left", "sub"]
    assert files_below(folder) == {"b.kept", "a.kept", "c.left", ".hidden", "sub/d.kept"}
    with near(folder, "*.kept") as here:
        assert {f.name: f.read_text() for f in here.iterdir()} == {"a.kept": "a.kept", "b.kept": "b.kept"}
        assert here.name == folder.name
    assert not here.exists()


def test_a_folder_of_this_machine_is_near_itself(tmp_path: Path) -> None:
    with near(tmp_path) as here:
        assert here is tmp_path


def test_a_folder_goes_with_all_that_it_holds(folder: Remote) -> None:
    (folder / "x" / "y").write_bytes(b"1")
    for _ in range(2):
        remove_folder(folder)
        assert not folder.is_dir() and not (folder / "x" / "y").is_file()


def test_what_is_not_there_is_said_as_of_a_path(folder: Remote) -> None:
    with pytest.raises(FileNotFoundError, match="No such file or directory") as caught:
        (folder / "x").read_bytes()
    assert caught.value.strerror and caught.value.filename == f"{folder}/x"


def test_what_another_process_writes_is_seen_at_once(ftp: Ftp) -> None:
    folder = location(f"{ftp.address}/x")
    (folder / "first").write_bytes(b"1")
    assert not (folder / "second").is_file() and [f.name for f in folder.glob("*")] == ["first"]
    (ftp.root / "x" / "second").write_bytes(b"2")
    (ftp.root / "x" / "first").unlink()
    assert (folder / "second").is_file() and [f.name for f in folder.glob("*")] == ["second"]
    assert not (folder / "first").is_file()


def test_whoever_looks_sees_the_old_file_or_the_new_one(ftp: Ftp) -> None:
    file, data = location(f"{ftp.address}/file"), [bytes([letter]) * 2_000_000 for letter in b"ab"]
    file.write_bytes(data[0])
    seen, stop = set(), threading.Event()

    def look() -> None:
        while not stop.is_set():
            seen.add((ftp.root / "file").read_bytes())

    thread = threading.Thread(target=look)
    thread.start()
    for number in range(20):
        file.write_bytes(data[number % 2])
    stop.set()
    thread.join()
    assert seen <= set(data)
    assert [f.name for f in ftp.root.iterdir()] == ["file"]


def test_a_connection_that_the_server_has_closed_is_made_anew(ftp: Ftp) -> None:
    file = location(f"{ftp.address}/file")
    for number in (b"1", b"2"):
        file.write_bytes(number)
        ftp.hang_up()
        assert file.read_bytes() == number
        ftp.hang_up()


def test_an_idle_connection_is_not_trusted(ftp: Ftp, monkeypatch: pytest.MonkeyPatch) -> None:
    file = location(f"{ftp.address}/file")
    file.write_bytes(b"1")
    monkeypatch.setattr(locations, "_IDLE_SECONDS", 0.0)
    ftp.hang_up()
    assert file.is_file()


def test_another_process_finds_the_same_file(ftp: Ftp) -> None:
    file = location(f"{ftp.address}/x/file")
    file.write_bytes(b"here")
    code = "import pickle, sys; f = pickle.load(sys.stdin.buffer); f.write_bytes(f.read_bytes() + b' and there')"
    subprocess.run(
        [sys.executable, "-c", code], input=pickle.dumps(file), check=True, env={**os.environ, "PYTHONPATH": str(ROOT)}
    )
    assert file.read_bytes() == b"here and there"


def refused(text: str) -> str:
    with pytest.raises(UserError) as caught:
        location(text)
    assert len(str(caught.value).splitlines()) == 1
    return str(caught.value)


def test_an_unknown_file_system_is_one_sentence() -> None:
    cure = "give a folder, or an address such as s3://BUCKET/FOLDER."
    assert refused("nonsense://x/y") == f"There is no file system nonsense://: {cure}"


def test_a_driver_that_is_not_installed_is_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "s3fs", None)
    assert refused("s3://bucket/x") == "s3:// needs a package that is not installed here: Install s3fs to access S3."


def test_a_wrong_password_is_one_sentence_without_it(ftp: Ftp) -> None:
    told = refused(ftp.address.replace("word@", "wrong@") + "/x")
    assert told.startswith(f"{ftp.shown}/x can't be used (530 ") and "credentials" in told
    assert "wrong" not in told and "p@ss" not in told


def test_a_server_that_is_not_there_is_one_sentence() -> None:
    told = refused("ftp://me:secret@127.0.0.1:9/x")
    assert told.startswith("ftp://me@127.0.0.1:9/x can't be used (") and "secret" not in told


def test_what_can_t_be_written_is_one_sentence(ftp: Ftp) -> None:
    (ftp.root / "file").write_bytes(b"1")
    with pytest.raises(UserError, match=f"^{ftp.shown}/file/below can't be used"):
        (location(f"{ftp.address}/file") / "below").write_bytes(b"2")


@pytest.mark.parametrize("text", ["memory://me:secret@x/y", "ftp://me:s/ecret@127.0.0.1/x"])
def test_a_password_that_an_address_can_t_hold_is_refused_without_it(text: str) -> None:
    told = refused(text)
    assert "can't " in told and "secret" not in told and "ecret@" not in told


class Talkative(AbstractFileSystem):
    """Says who asked, in full."""

    protocol = "talkative"

    @staticmethod
    def _get_kwargs_from_urls(path: str) -> dict[str, str]:
        return {"password": "secret"}

    def info(self, path: str, **about: object) -> None:
        raise PermissionError("nobody with secret is let in\nand more")


def test_a_password_in_a_driver_s_own_words_is_not_passed_on() -> None:
    register_implementation("talkative", Talkative, clobber=True)
    assert refused("talkative://me:secret@host/x").startswith(
        "talkative://me@host/x can't be used (nobody with *** is let in): look at the address")


@pytest.mark.parametrize(("text", "seen"), [
    ("ftp://me:secret@host:21/a@b", "ftp://me@host:21/a@b"),
    ("sftp://me:se@cr:et@host/a", "sftp://me@host/a"),
    ("sftp://me:secret@host/a@b", "sftp://me@host/a@b"),
    ("sftp://me:se/cret@host/a", "sftp://me@host/a"),
    ("ftp://host:21/a@b", "ftp://host:21/a@b"),
    ("ftp://[::1]:21/a@b", "ftp://[::1]:21/a@b"),
    ("sftp://me@host/a:b@c", "sftp://me@host/a:b@c"),
    ("abfs://container@account/x", "abfs://container@account/x"),
    ("ORG/NAME@v1", "ORG/NAME@v1"),
])
def test_a_password_is_not_shown(text: str, seen: str) -> None:
    assert shown(text) == seen


def test_no_text_of_a_place_holds_its_password(ftp: Ftp) -> None:
    place: Location = location(f"{ftp.address}/x") / "y"
    assert {str(place), repr(place), f"{place}"} == {f"{ftp.shown}/x/y"}
