"""The Hub of the tests, asked by the real clients in a process of their own."""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from tests.hub import Account, Hub, running
from tests.hub.client import Ask, Failed, api, client, commit, download, frame, load, look, part_of, snapshot
from tests.hub.faults import Busy, Conflict, Cut, Kill, Quota, Slow, Stale, Status

WRITER, READER, NOBODY, STRANGER = "hf_writer", "hf_reader", "hf_nobody", "hf_stranger"
CHUNK = 10 << 20
"""What the client keeps of a download that is cut: whole chunks of this size."""

CARD = b"""---
license: apache-2.0
configs:
- config_name: easy
  data_files: [{split: test, path: easy/*.parquet}]
- config_name: hard
  data_files: [{split: test, path: hard/*.parquet}]
---
# Tasks
"""


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Hub]:
    with running(tmp_path_factory.mktemp("hub")) as made:
        made.tokens = {
            WRITER: Account("maintainer", "write", ("ORG",)),
            READER: Account("member", "read", ("ORG",)),
            NOBODY: Account("member", "none", ("ORG",)),
            STRANGER: Account("stranger"),
        }
        yield made


@pytest.fixture(scope="module")
def ask(server: Hub, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Ask]:
    with client(server, tmp_path_factory.mktemp("home")) as made:
        yield made


@pytest.fixture
def hub(server: Hub) -> Iterator[Hub]:
    """The server without repositories, faults and a log."""
    server.forget()
    for kind, id in list(server.repositories):
        server.delete(id, kind)
    server.page, server.part_size = 1000, 5_000_000_000
    yield server
    assert not server.mistakes


def parquet(*numbers: int) -> bytes:
    """A Parquet file of a column of numbers."""
    file = io.BytesIO()
    pq.write_table(pa.table({"n": list(numbers)}), file)
    return file.getvalue()


def tasks(hub: Hub, ask: Ask) -> str:
    """A dataset with two configurations under the tag v1; gives its first commit."""
    hub.create("ORG/tasks")
    files = {"README.md": CARD, "easy/a.parquet": parquet(1, 2), "easy/b.parquet": parquet(3), "hard/a.parquet": parquet(4)}
    made: str = ask(commit, "ORG/tasks", files, token=WRITER)
    ask(api, "create_tag", "ORG/tasks", tag="v1", repo_type="dataset", token=WRITER)
    return made


# Repositories


def test_a_repository_is_created_once(hub: Hub, ask: Ask) -> None:
    url = ask(api, "create_repo", "ORG/new", repo_type="dataset", private=True, token=WRITER)
    assert url == f"{hub.address}/datasets/ORG/new"
    assert hub.repository("ORG/new").private
    assert hub.repository("ORG/new").files() == [".gitattributes"]
    with pytest.raises(Failed, match="You already created this dataset repo") as failed:
        ask(api, "create_repo", "ORG/new", repo_type="dataset", token=WRITER)
    assert failed.value.status == 409
    assert ask(api, "create_repo", "ORG/new", repo_type="dataset", exist_ok=True, token=WRITER) == url


def test_models_spaces_and_datasets_do_not_meet(hub: Hub, ask: Ask) -> None:
    ask(api, "create_repo", "maintainer/one", token=WRITER)
    ask(api, "create_repo", "maintainer/one", repo_type="space", space_sdk="static", token=WRITER)
    assert ask(commit, "maintainer/one", {"index.html": b"<p>"}, repo_type="space", token=WRITER)
    assert hub.repository("maintainer/one", "models").files() == [".gitattributes"]
    assert "index.html" in hub.repository("maintainer/one", "spaces").files()
    assert ask(api, "space_info", "maintainer/one").sha == hub.repository("maintainer/one", "spaces").head()


def test_a_repository_is_deleted(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/old")
    ask(api, "delete_repo", "ORG/old", repo_type="dataset", token=WRITER)
    assert not ask(api, "repo_exists", "ORG/old", repo_type="dataset", token=WRITER)
    ask(api, "delete_repo", "ORG/old", repo_type="dataset", missing_ok=True, token=WRITER)


def test_settings_change_who_sees_what(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/set")
    ask(api, "update_repo_settings", "ORG/set", private=True, gated="manual", repo_type="dataset", token=WRITER)
    about = ask(api, "dataset_info", "ORG/set", token=READER)
    assert (about.private, about.gated) == (True, "manual")
    assert not ask(api, "repo_exists", "ORG/set", repo_type="dataset")
    ask(api, "update_repo_settings", "ORG/set", private=False, gated=False, repo_type="dataset", token=WRITER)
    assert ask(api, "repo_exists", "ORG/set", repo_type="dataset")


def test_datasets_of_an_organisation_are_listed(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/open")
    hub.create("ORG/closed", private=True)
    hub.create("other/open")
    assert [one.id for one in ask(api, "list_datasets", author="ORG")] == ["ORG/open"]
    assert [one.id for one in ask(api, "list_datasets", author="ORG", token=WRITER)] == ["ORG/open", "ORG/closed"]


# Commits


def test_a_commit_has_small_and_large_files(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    made = ask(commit, "ORG/data", {"notes.txt": b"text", "a.parquet": parquet(1)}, "Two files\n\nand why", token=WRITER)
    assert repo.head() == made
    assert repo.read("notes.txt") == b"text"
    assert repo.read("a.parquet") == parquet(1)
    assert b"oid sha256:" + hashlib.sha256(parquet(1)).hexdigest().encode() in repo.git("show", f"{made}:a.parquet")
    assert [(one.title, one.authors) for one in ask(api, "list_repo_commits", "ORG/data", repo_type="dataset")] == [
        ("Two files", ["maintainer"]), ("initial commit", ["hub"]),
    ]  # fmt: skip


def test_what_is_there_is_not_sent_again(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    made = ask(commit, "ORG/data", {"notes.txt": b"text", "a.parquet": parquet(1)}, token=WRITER)
    hub.forget()
    assert ask(commit, "ORG/data", {"notes.txt": b"text", "a.parquet": parquet(1)}, token=WRITER) == made
    assert not hub.asked("/commit/")
    ask(commit, "ORG/data", {"b.parquet": parquet(1)}, token=WRITER)
    assert not hub.asked("^PUT")
    assert repo.read("b.parquet") == parquet(1)


def test_a_large_file_may_come_in_parts(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    hub.part_size = 1000
    content = bytes(range(256)) * 10
    ask(commit, "ORG/data", {"big.bin": content}, token=WRITER)
    assert len(hub.asked("^PUT .*part=")) == 3
    assert len(hub.asked("^POST /api/complete_multipart/")) == 1
    assert hub.repository("ORG/data").read("big.bin") == content


def test_the_storage_never_sees_a_token(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    hub.create("ORG/data", private=True)
    ask(commit, "ORG/data", {"a.parquet": parquet(1)}, token=WRITER)
    ask(download, "ORG/data", "a.parquet", tmp_path, token=READER)
    stored = [request for request in hub.log if request.storage]
    assert [request.method for request in stored] == ["PUT", "GET"]
    assert not [request for request in stored if request.headers["Authorization"]]


def test_files_and_folders_are_deleted(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    ask(commit, "ORG/data", {"a.txt": b"a", "b/c.txt": b"c", "b/d.txt": b"d"}, token=WRITER)
    ask(commit, "ORG/data", {"a.txt": None, "b/": None}, token=WRITER)
    assert repo.files() == [".gitattributes"]
    with pytest.raises(Failed, match="A file with this name doesn't exist") as failed:
        ask(commit, "ORG/data", {"a.txt": None}, token=WRITER)
    assert failed.value.kind == "RemoteEntryNotFoundError"


def test_a_folder_is_uploaded_without_what_git_ignores(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    hub.create("ORG/data")
    for name, content in {".gitignore": b"*.tmp\n", "x.tmp": b"", "README.md": CARD, "easy/a.parquet": parquet(1)}.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_bytes(content)
    ask(api, "upload_folder", repo_id="ORG/data", folder_path=tmp_path, repo_type="dataset", token=WRITER)
    assert hub.repository("ORG/data").files() == [".gitattributes", ".gitignore", "README.md", "easy/a.parquet"]


def test_a_bad_card_is_refused(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    with pytest.raises(Failed, match='"license" must be one of'):
        ask(commit, "ORG/data", {"README.md": CARD.replace(b"apache-2.0", b"Apache 2")}, token=WRITER)
    with pytest.raises(Failed, match="Invalid YAML"):
        ask(commit, "ORG/data", {"README.md": b"---\na: [\n---\n"}, token=WRITER)


def test_a_commit_names_its_parent(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    first = repo.head()
    second = ask(commit, "ORG/data", {"a.txt": b"a"}, parent_commit=first, token=WRITER)
    with pytest.raises(Failed, match="A commit has happened since") as failed:
        ask(commit, "ORG/data", {"b.txt": b"b"}, parent_commit=first, token=WRITER)
    assert failed.value.status == 412
    assert repo.head() == second


# Branches and tags


def test_branches_and_tags(hub: Hub, ask: Ask) -> None:
    first = tasks(hub, ask)
    ask(api, "create_branch", "ORG/tasks", branch="next/one", repo_type="dataset", token=WRITER)
    second = ask(commit, "ORG/tasks", {"x.txt": b"x"}, revision="next/one", token=WRITER)
    ask(api, "create_tag", "ORG/tasks", tag="v2", tag_message="The second", revision="next/one", repo_type="dataset", token=WRITER)
    refs = ask(api, "list_repo_refs", "ORG/tasks", repo_type="dataset")
    assert {one.name: one.target_commit for one in refs.branches} == {"main": first, "next/one": second}
    assert {one.name: one.target_commit for one in refs.tags} == {"v1": first, "v2": second}
    ask(api, "delete_tag", "ORG/tasks", tag="v2", repo_type="dataset", token=WRITER)
    ask(api, "delete_branch", "ORG/tasks", branch="next/one", repo_type="dataset", token=WRITER)
    assert list(hub.repository("ORG/tasks").refs()) == ["refs/heads/main", "refs/tags/v1"]


def test_a_tag_is_never_moved(hub: Hub, ask: Ask) -> None:
    first = tasks(hub, ask)
    ask(commit, "ORG/tasks", {"x.txt": b"x"}, token=WRITER)
    with pytest.raises(Failed) as failed:
        ask(api, "create_tag", "ORG/tasks", tag="v1", repo_type="dataset", token=WRITER)
    assert failed.value.status == 409
    ask(api, "create_tag", "ORG/tasks", tag="v1", exist_ok=True, repo_type="dataset", token=WRITER)
    assert hub.repository("ORG/tasks").refs()["refs/tags/v1"] == first


# Reading


def test_a_tree_is_listed_page_by_page(hub: Hub, ask: Ask) -> None:
    made = tasks(hub, ask)
    hub.page = 2
    hub.forget()
    shown = ask(api, "list_repo_tree", "ORG/tasks", recursive=True, expand=True, revision="v1", repo_type="dataset")
    assert [one.path for one in shown] == [
        ".gitattributes", "README.md", "easy", "easy/a.parquet", "easy/b.parquet", "hard", "hard/a.parquet",
    ]  # fmt: skip
    assert len(hub.asked("/tree/")) == 4
    assert shown[3].lfs.sha256 == hashlib.sha256(parquet(1, 2)).hexdigest()
    assert [one.last_commit.title for one in shown[:4]] == ["initial commit", "a commit", "a commit", "a commit"]
    assert shown[1].last_commit.oid == made
    below = ask(api, "list_repo_tree", "ORG/tasks", "easy", repo_type="dataset")
    assert [one.path for one in below] == ["easy/a.parquet", "easy/b.parquet"]


def test_paths_are_described(hub: Hub, ask: Ask) -> None:
    tasks(hub, ask)
    file, folder = ask(api, "get_paths_info", "ORG/tasks", ["hard/a.parquet", "nothing", "easy"], repo_type="dataset")
    assert (file.size, file.lfs.size) == (len(parquet(4)), len(parquet(4)))
    assert folder.path == "easy"
    assert folder.tree_id


def test_information_holds_the_cards_metadata(hub: Hub, ask: Ask) -> None:
    made = tasks(hub, ask)
    about = ask(api, "dataset_info", "ORG/tasks", revision="v1", files_metadata=True)
    assert (about.id, about.sha, about.author) == ("ORG/tasks", made, "ORG")
    assert about.card_data["license"] == "apache-2.0"
    assert {one.rfilename: one.lfs is not None for one in about.siblings}["easy/a.parquet"]


def test_a_file_is_downloaded_once(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    made = tasks(hub, ask)
    hub.forget()
    by_tag = ask(download, "ORG/tasks", "easy/a.parquet", tmp_path, revision="v1")
    assert by_tag.read_bytes() == parquet(1, 2)
    assert by_tag.resolve().name == hashlib.sha256(parquet(1, 2)).hexdigest()
    assert [(one.method, one.status) for one in hub.log] == [("HEAD", 302), ("GET", 200)]
    hub.forget()
    assert ask(download, "ORG/tasks", "easy/a.parquet", tmp_path, revision="v1") == by_tag
    assert [one.method for one in hub.log] == ["HEAD"]
    hub.forget()
    assert ask(download, "ORG/tasks", "easy/a.parquet", tmp_path, revision=made) == by_tag
    assert not hub.log
    assert ask(download, "ORG/tasks", "README.md", tmp_path).read_bytes() == CARD


def test_a_snapshot_is_downloaded_and_then_works_offline(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    tasks(hub, ask)
    place = ask(snapshot, "ORG/tasks", tmp_path, revision="v1")
    assert sorted(file.name for file in place.rglob("*.parquet")) == ["a.parquet", "a.parquet", "b.parquet"]
    hub.forget()
    assert ask(snapshot, "ORG/tasks", tmp_path, revision="v1", local_files_only=True) == place
    hub.fail("", Cut(), times=100)
    assert ask(download, "ORG/tasks", "README.md", tmp_path, revision="v1", local_files_only=True).read_bytes() == CARD
    assert not hub.log


def test_a_file_system_reads_ranges_and_globs(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    content = bytes(range(256)) * 100
    ask(commit, "ORG/data", {"a/one.bin": content, "a/two.bin": b"\0", "b/one.txt": b"text"}, token=WRITER)
    assert ask(look, "glob", "datasets/ORG/data/**/one.*") == ["datasets/ORG/data/a/one.bin", "datasets/ORG/data/b/one.txt"]
    hub.forget()
    assert ask(part_of, "datasets/ORG/data/a/one.bin", 300, 8) == content[300:308]
    assert 206 in [request.status for request in hub.log]
    assert sum(request.sent for request in hub.log if request.storage) < len(content)
    assert ask(look, "read_text", f"datasets/ORG/data@{repo.head()}/b/one.txt") == "text"


@pytest.mark.parametrize(
    ("header", "value", "status", "sent"),
    [("Range", "bytes=2-3", 206, b"cd"), ("Range", "bytes=-2", 206, b"ef"), ("Range", "bytes=4-", 206, b"ef"),
     ("Range", "bytes=9-", 416, b""), ("If-None-Match", '"{etag}"', 304, b""), ("If-None-Match", '"old"', 200, b"abcdef")],
)  # fmt: skip
def test_ranges_and_etags(hub: Hub, header: str, value: str, status: int, sent: bytes) -> None:
    repo = hub.create("ORG/data")
    repo.commit({"a.txt": b"abcdef"}, "a commit")
    etag = repo.git("rev-parse", "main:a.txt").decode().strip()
    asked = urllib.request.Request(f"{hub.address}/datasets/ORG/data/resolve/main/a.txt", headers={header: value.format(etag=etag)})
    try:
        with urllib.request.urlopen(asked) as answer:
            assert (answer.status, answer.read()) == (status, sent)
            assert (answer.headers["ETag"], answer.headers["X-Repo-Commit"]) == (f'"{etag}"', repo.head())
    except urllib.error.HTTPError as error:
        assert (error.code, error.read()) == (status, sent)


def test_datasets_loads_a_configuration_by_tag(hub: Hub, ask: Ask) -> None:
    tasks(hub, ask)
    ask(commit, "ORG/tasks", {"easy/a.parquet": parquet(7)}, token=WRITER)
    assert ask(load, "ORG/tasks", "easy", revision="v1") == {"test": [{"n": 1}, {"n": 2}, {"n": 3}]}
    assert ask(load, "ORG/tasks", "hard", revision="v1", streaming=True) == {"test": [{"n": 4}]}
    assert ask(load, "ORG/tasks", "easy") == {"test": [{"n": 7}, {"n": 3}]}


def test_pandas_reads_an_address(hub: Hub, ask: Ask) -> None:
    tasks(hub, ask)
    assert ask(frame, "hf://datasets/ORG/tasks@v1/hard/a.parquet") == [{"n": 4}]


# Rights


def test_a_token_says_who_asks(hub: Hub, ask: Ask) -> None:
    about = ask(api, "whoami", token=WRITER)
    assert (about["name"], [org["name"] for org in about["orgs"]]) == ("maintainer", ["ORG"])
    assert about["auth"]["accessToken"]["role"] == "write"
    with pytest.raises(Failed, match="Invalid user token") as failed:
        ask(api, "whoami", token="hf_wrong")
    assert failed.value.status == 401


@pytest.mark.parametrize(("token", "status"), [(False, 401), ("hf_wrong", 401), (READER, 403), (STRANGER, 403)])
def test_only_those_with_the_right_write(hub: Hub, ask: Ask, token: str | bool, status: int) -> None:
    repo = hub.create("ORG/data")
    with pytest.raises(Failed) as failed:
        ask(commit, "ORG/data", {"a.txt": b"a"}, token=token)
    assert failed.value.status == status
    assert repo.files() == [".gitattributes"]


@pytest.mark.parametrize(("token", "status"), [(False, 401), (NOBODY, 404), (STRANGER, 404), (READER, 0), (WRITER, 0)])
def test_a_private_repository_does_not_exist_for_others(hub: Hub, ask: Ask, token: str | bool, status: int, tmp_path: Path) -> None:
    hub.create("ORG/secret", private=True)
    if not status:
        assert ask(download, "ORG/secret", ".gitattributes", tmp_path, token=token).is_file()
        return
    with pytest.raises(Failed) as failed:
        ask(download, "ORG/secret", ".gitattributes", tmp_path, token=token)
    assert (failed.value.kind, failed.value.status) == ("RepositoryNotFoundError", status)
    with pytest.raises(Failed) as failed:
        ask(api, "dataset_info", "ORG/nothing", token=token)
    assert (failed.value.kind, failed.value.status) == ("RepositoryNotFoundError", status)


def test_a_gated_repository_shows_its_list_but_not_its_files(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    hub.create("ORG/gated").gated = "manual"
    assert ask(api, "list_repo_files", "ORG/gated", repo_type="dataset") == [".gitattributes"]
    for token, status in ((False, 401), (STRANGER, 403)):
        with pytest.raises(Failed, match="is restricted") as failed:
            ask(download, "ORG/gated", ".gitattributes", tmp_path, token=token)
        assert (failed.value.kind, failed.value.status) == ("GatedRepoError", status)
    hub.repository("ORG/gated").granted.add("stranger")
    assert ask(download, "ORG/gated", ".gitattributes", tmp_path, token=STRANGER).is_file()


def test_nobody_creates_in_a_foreign_namespace(hub: Hub, ask: Ask) -> None:
    with pytest.raises(Failed, match="You don't have the rights to create a dataset") as failed:
        ask(api, "create_repo", "ORG/mine", repo_type="dataset", token=STRANGER)
    assert failed.value.status == 403
    assert not hub.repositories


def test_a_missing_revision_and_a_missing_file_have_their_errors(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    hub.create("ORG/data")
    for revision, path, kind in (("v9", ".gitattributes", "RevisionNotFoundError"), ("main", "no.txt", "RemoteEntryNotFoundError")):
        with pytest.raises(Failed) as failed:
            ask(download, "ORG/data", path, tmp_path, revision=revision)
        assert (failed.value.kind, failed.value.status) == (kind, 404)
    with pytest.raises(Failed) as failed:
        ask(api, "list_repo_files", "ORG/data", revision="v9", repo_type="dataset")
    assert failed.value.kind == "RevisionNotFoundError"


# Faults


def test_the_log_knows_each_request(hub: Hub, ask: Ask) -> None:
    seen: list[int] = []
    done: list[int] = []
    hub.before = lambda request: seen.append(request.number)
    hub.after = lambda request: done.append(request.number)
    hub.create("ORG/data")
    ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert seen == done == [request.number for request in hub.log] == [1, 2]
    assert hub.asked() == ["POST /api/datasets/ORG/data/preupload/main", "POST /api/datasets/ORG/data/commit/main"]
    assert hub.log[1].received == len(hub.log[1].body) > 0
    assert hub.log[1].sent > 0


def test_too_many_requests_and_then_success(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    hub.fail("/preupload/", Busy())
    ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert [request.status for request in hub.log] == [429, 200, 200]
    hub.fail("/commit/", Busy(7))
    with pytest.raises(Failed, match="Retry after 7 seconds") as failed:
        ask(commit, "ORG/data", {"b.txt": b"b"}, token=WRITER)
    assert failed.value.status == 429


@pytest.mark.parametrize("fault", [Cut(), Cut(reset=True)], ids=str)
def test_a_commit_whose_connection_is_cut_did_not_happen(hub: Hub, ask: Ask, fault: Cut) -> None:
    repo = hub.create("ORG/data")
    hub.fail("/commit/", fault)
    with pytest.raises(Failed) as failed:
        ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert failed.value.kind in ("RemoteProtocolError", "ReadError")
    assert repo.files() == [".gitattributes"]
    assert (hub.log[-1].status, hub.log[-1].fault) == (0, str(fault))


@pytest.mark.parametrize("fault", [Cut(after_work=True), Status(504, after_work=True)], ids=str)
def test_a_commit_may_have_happened_all_the_same(hub: Hub, ask: Ask, fault: Cut) -> None:
    repo = hub.create("ORG/data")
    hub.fail("/commit/", fault)
    with pytest.raises(Failed):
        ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert repo.read("a.txt") == b"a"


def test_a_download_that_is_cut_goes_on(hub: Hub, ask: Ask, tmp_path: Path) -> None:
    hub.create("ORG/data")
    content = bytes(range(256)) * 4 * 11_000
    ask(commit, "ORG/data", {"a.bin": content}, token=WRITER)
    hub.forget()
    hub.fail("^GET /datasets/ORG/data/[0-9a-f]{64}", Cut(body=CHUNK + 1000))
    assert ask(download, "ORG/data", "a.bin", tmp_path).read_bytes() == content
    first, *others = [(one.status, one.sent) for one in hub.log[1:]]
    assert first == (200, CHUNK + 1000) and set(others) == {(206, len(content) - CHUNK)}


@pytest.mark.parametrize("fault", [Status(500), Status(502), Status(503, retry_after=0), Cut()], ids=str)
def test_an_upload_is_tried_again(hub: Hub, ask: Ask, fault: Status | Cut) -> None:
    hub.create("ORG/data")
    hub.fail("^PUT", fault)
    ask(commit, "ORG/data", {"a.parquet": parquet(1)}, token=WRITER)
    assert len(hub.asked("^PUT")) == 2
    assert hub.repository("ORG/data").read("a.parquet") == parquet(1)


def test_a_fault_waits_for_its_request(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    hub.fail("/commit/", Status(500), skip=1)
    ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    with pytest.raises(Failed):
        ask(commit, "ORG/data", {"b.txt": b"b"}, token=WRITER)
    hub.forget()
    hub.fail_at(2, Status(403))
    with pytest.raises(Failed):
        ask(commit, "ORG/data", {"b.txt": b"b"}, token=WRITER)
    assert [request.status for request in hub.log] == [200, 403]


@pytest.mark.parametrize("status", [403, 413])
def test_there_may_be_no_room(hub: Hub, ask: Ask, status: int) -> None:
    hub.create("ORG/data")
    hub.fail("/lfs/objects/batch", Quota(status))
    with pytest.raises(Failed) as failed:
        ask(commit, "ORG/data", {"a.parquet": parquet(1)}, token=WRITER)
    assert failed.value.status == status
    assert "storage limit reached" in failed.value.text or status == 413


def test_reads_may_be_stale(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    before = repo.head()
    hub.fail("/commit/", Stale(2))
    after = ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert [ask(api, "dataset_info", "ORG/data").sha for _ in range(3)] == [before, before, after]
    hub.fail("/tag/", Stale(1))
    ask(api, "create_tag", "ORG/data", tag="v1", repo_type="dataset", token=WRITER)
    with pytest.raises(Failed, match="Invalid rev id: v1"):
        ask(api, "dataset_info", "ORG/data", revision="v1")
    assert ask(api, "dataset_info", "ORG/data", revision="v1").sha == after


def test_somebody_else_may_be_quicker(hub: Hub, ask: Ask) -> None:
    repo = hub.create("ORG/data")
    hub.fail("/commit/", Conflict(), times=2)
    with pytest.raises(Failed) as failed:
        ask(commit, "ORG/data", {"a.txt": b"a"}, parent_commit=repo.head(), token=WRITER)
    assert failed.value.status == 412
    assert "elsewhere.txt" in repo.files()
    ask(commit, "ORG/data", {"a.txt": b"a"}, token=WRITER)
    assert "a.txt" in repo.files()


def test_an_answer_may_be_slow(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    hub.fail("/refs", Slow(0.3))
    began = time.monotonic()
    ask(api, "list_repo_refs", "ORG/data", repo_type="dataset")
    assert time.monotonic() - began > 0.3


@pytest.mark.parametrize("after_work", [False, True])
def test_the_one_who_asks_may_be_killed(hub: Hub, tmp_path: Path, after_work: bool) -> None:
    repo = hub.create("ORG/data")
    code = "from tests.hub.client import commit; commit('ORG/data', {'a.txt': b'a'}, token='hf_writer')"
    process = subprocess.Popen([sys.executable, "-c", code], env=hub.environment(tmp_path, PYTHONPATH=":".join(sys.path)))
    hub.fail_at(2, Kill(process, after_work))
    assert process.wait() == -9
    assert len(hub.log) == 2
    assert ("a.txt" in repo.files()) == after_work


def test_what_is_not_spoken_is_said(hub: Hub, ask: Ask) -> None:
    hub.create("ORG/data")
    with pytest.raises(Failed, match="Not spoken by the Hub of the tests: POST /api/datasets/ORG/data/super-squash/main"):
        ask(api, "super_squash_history", "ORG/data", repo_type="dataset", token=WRITER)
    with pytest.raises(Failed, match="Pull requests are not spoken"):
        ask(commit, "ORG/data", {"a.txt": b"a"}, create_pr=True, token=WRITER)


def test_a_commit_is_whole_or_not_there(hub: Hub, ask: Ask) -> None:
    files = {"README.md": CARD, "a.parquet": parquet(1)}
    for number in range(1, 8):
        repo = hub.create(f"ORG/data{number}")
        hub.forget()
        hub.fail_at(number, Status(403, after_work=True))
        if number < 7:
            with pytest.raises(Failed):
                ask(commit, repo.id, files, token=WRITER)
        else:
            ask(commit, repo.id, files, token=WRITER)
        assert len(hub.log) == min(number, 6)
        assert set(repo.files()) == {".gitattributes", *(files if number > 5 else ())}
