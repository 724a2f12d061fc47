"""Mirrors: what is fetched and in how many requests, what a fault does to them, and who is given the token."""

from __future__ import annotations

import os
import re
import subprocess
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.config import MineConfig
from pipeline.records import Function, LockedSource, Rejection, Source
from pipeline.sources import fetching
from pipeline.sources.fetching import Mirror, is_remote, site_of
from pipeline.sources.lock import LockStage, read_lock, write_lock
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.forked import Forked
from tests.pipeline.sources.github_server import GitHubServer, running
from tests.pipeline.sources.test_git import NEW, OLD, START

NAME = "team/tool"
TOKEN = "ghp_0123456789abcdefSECRET"
COMMITS = [
    ("2026-03-01", {**START, "data.bin": "x" * 50_000, "b.txt": "text"}),
    ("2026-04-01", {"a.py": OLD + "\n# more\n", "data.bin": "y" * 50_000}),
    ("2026-06-01", {"b.py": NEW, "data.bin": "z" * 50_000}),
]
Results = list[Function | Rejection]
ONCE = MineConfig(fetch_attempts=1, stall_seconds=1)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    """Wait a little in place of seconds between attempts."""
    monkeypatch.setattr(Mirror.__init__, "__defaults__", (*Mirror.__init__.__defaults__[:-1], 0.01))


@pytest.fixture
def hosted(hub: GitHubServer, context: Context) -> GitHubServer:
    hub.publish(NAME, COMMITS)
    return hub


def source(hub: GitHubServer, name: str = NAME, commit: str = "") -> Source:
    return Source("git", name, "System Utilities", f"{hub.root}/{name}.git", commit)


def locked_at(one: Source, context: Context, config: MineConfig | None = None) -> LockedSource | Rejection:
    [found] = LockStage(config or MineConfig()).run([one], context)
    return found


def mined(one: Source, context: Context, config: MineConfig | None = None) -> Results:
    locked = locked_at(one, context, config)
    assert isinstance(locked, LockedSource), locked
    return list(MineStage(config or MineConfig()).run([locked], context))


def new(results: Results) -> list[str]:
    return [r.name for r in results if isinstance(r, Function)]


def refused(one: Source, context: Context, config: MineConfig = ONCE) -> tuple[str, str]:
    found = locked_at(one, context, config)
    assert isinstance(found, Rejection), found
    return found.reason, found.evidence


def mirror(context: Context) -> Path:
    [folder] = (context.cache / "git").iterdir()
    return folder


def objects(folder: Path) -> list[str]:
    """The types and sizes of all objects that are in a mirror."""
    command = ["git", "cat-file", "--batch-all-objects", "--batch-check=%(objecttype) %(objectsize)"]
    return subprocess.run(command, cwd=folder, check=True, capture_output=True, text=True).stdout.splitlines()


def test_only_the_files_that_are_read_are_fetched(hosted: GitHubServer, context: Context) -> None:
    assert new(mined(source(hosted), context)) == ["longest_run"]
    found = objects(mirror(context))
    assert sum(one.startswith("commit") for one in found) == 3
    assert sum(one.startswith("blob") for one in found) == 4  # LICENSE, two versions of a.py, b.py
    assert "blob 50000" not in found


def test_the_number_of_requests_does_not_grow_with_the_number_of_files(hub: GitHubServer, context: Context) -> None:
    asked = []
    for number, files in enumerate((1, 40)):
        name = f"team/{number}"
        more = {f"p/m{n}.py": f"def f{n}(x):\n    return x + {n}\n" for n in range(files)}
        hub.publish(name, [*COMMITS, *(("2026-07-01", {path: text}) for path, text in more.items())])
        mined(source(hub, name), context)
        asked.append(len(hub.questions(f"/{name}.git")))
    assert asked[0] == asked[1] <= 9


def test_very_many_files_come_in_batches(
    hosted: GitHubServer, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fetching, "_BATCH", 2)
    assert new(mined(source(hosted), context)) == ["longest_run"]


def forms(hub: GitHubServer, tmp_path: Path, context: Context) -> Iterator[tuple[LockedSource, Results]]:
    """A repository locked and mined: partial, without filters, from an old git, by `file://`, from a folder."""
    bare = hub.folder / f"{NAME}.git"
    plain = source(hub)
    places = {"partial": plain.location, "full": plain.location, "old": plain.location,
              "file": f"file://{bare}", "folder": str(bare)}
    for form, location in places.items():
        if form == "full":
            subprocess.run(["git", "config", "uploadpack.allowFilter", "false"], cwd=bare, check=True)
        if form == "old":
            subprocess.run(["git", "config", "uploadpack.allowFilter", "true"], cwd=bare, check=True)
        hub.old = form == "old"
        own = replace(context, cache=tmp_path / form)
        one = replace(plain, location=location)
        locked = locked_at(one, own)
        assert isinstance(locked, LockedSource), locked
        results = list(MineStage().run([locked], own))
        yield (
            replace(locked, source=plain, url=""),
            [replace(r, provenance=replace(r.provenance, url="")) if isinstance(r, Function) else r for r in results],
        )


def test_what_comes_out_depends_neither_on_the_server_nor_on_the_place(
    hosted: GitHubServer, context: Context, tmp_path: Path
) -> None:
    hosted.push(NAME, [("2026-06-02", {"a.py": None, "moved.py": OLD}), ("2026-06-03", {"c.txt": NEW})])
    first, *others = forms(hosted, tmp_path, context)
    assert [first] * 4 == others
    assert new(first[1]) == ["longest_run"]


def test_a_later_release_fetches_what_is_new(hosted: GitHubServer, context: Context) -> None:
    mined(source(hosted), context)
    packs = set(mirror(context).glob("objects/pack/*.pack"))
    hosted.push(NAME, [("2026-11-05", {"c.py": "def one(x):\n    return x + 1\n"})])
    hosted.asked.clear()
    later = replace(context, after="2026-11-01", until="2026-12-01")
    assert new(mined(source(hosted), later)) == ["one"]
    assert packs < set(mirror(context).glob("objects/pack/*.pack"))
    assert len(hosted.asked) <= 8
    assert sum(one.startswith("blob") for one in objects(mirror(context))) == 5


def test_a_branch_that_was_rewritten_and_one_that_was_removed_are_followed(
    hosted: GitHubServer, context: Context
) -> None:
    hosted.push(NAME, [])
    bare = hosted.folder / f"{NAME}.git"
    subprocess.run(["git", "branch", "idea", "main~1"], cwd=bare, check=True)
    assert isinstance(locked_at(source(hosted), context), LockedSource)
    subprocess.run(["git", "branch", "-D", "idea"], cwd=bare, check=True, capture_output=True)
    subprocess.run(["git", "branch", "idea/two", "main"], cwd=bare, check=True)
    subprocess.run(["git", "update-ref", "refs/heads/main", "main~1"], cwd=bare, check=True)
    assert refused(source(hosted), context)[0] == "no_new_release"


def test_a_repository_without_commits_and_one_that_lost_them_are_empty(hub: GitHubServer, context: Context) -> None:
    subprocess.run(["git", "init", "-q", "--bare", str(hub.folder / "team/none.git")], check=True)
    assert refused(source(hub, "team/none"), context) == ("no_new_release", "the repository has no commit")
    hub.publish(NAME, COMMITS)
    assert isinstance(locked_at(source(hub), context), LockedSource)
    subprocess.run(["git", "update-ref", "-d", "refs/heads/main"], cwd=hub.folder / f"{NAME}.git", check=True)
    assert refused(source(hub), context) == ("no_new_release", "the repository has no commit")


def test_addresses_that_look_alike_have_mirrors_of_their_own(tmp_path: Path) -> None:
    urls = ("https://h.example/a/b", "https://h.example/a-b", "https://h.example/a/b?" + "c" * 300)
    folders = {Mirror(url, tmp_path, MineConfig()).folder for url in urls}
    assert len(folders) == 3
    assert max(len(folder.name) for folder in folders) < 128


def spoil(folder: Path, damage: str) -> None:
    pack = max(folder.glob("objects/pack/*.pack"), key=lambda file: file.stat().st_size)
    if damage == "a pack is gone":
        pack.unlink()
    elif damage == "a pack was cut off":
        pack.chmod(0o600)
        os.truncate(pack, pack.stat().st_size // 2)
    elif damage == "a pack holds noise":
        pack.chmod(0o600)
        pack.write_bytes(pack.read_bytes()[:12] + os.urandom(pack.stat().st_size - 12))
    elif damage == "the head is noise":
        (folder / "HEAD").write_bytes(b"\0noise")
    elif damage == "the configuration is noise":
        (folder / "config").write_text("[[[")
    else:
        for file in folder.glob("refs/*/*"):
            file.unlink() if file.is_file() else file.rename(folder / "elsewhere")


DAMAGES = ["a pack is gone", "a pack was cut off", "a pack holds noise", "the head is noise",
           "the configuration is noise", "refs are gone"]


@pytest.mark.parametrize("damage", DAMAGES)
@pytest.mark.parametrize("moment", ["before the lock", "before mining"])
def test_a_damaged_mirror_is_made_anew(hosted: GitHubServer, context: Context, damage: str, moment: str) -> None:
    locked = locked_at(source(hosted), context)
    spoil(mirror(context), damage)
    if moment == "before the lock":
        assert locked_at(source(hosted), context) == locked
    assert new(list(MineStage().run([locked], context))) == ["longest_run"]


def started(hub: GitHubServer, context: Context) -> Forked:
    """A process that locks the repository."""
    return Forked(_locking, context, f"{hub.root}/{NAME}.git")


def _locking(context: Context, url: str) -> None:
    here = Context(0, context.cache, context.cache, context.cache, "2026-05-01", "2026-11-01")
    print(list(LockStage(MineConfig()).run([Source("git", "x", "System Utilities", url)], here)))


@pytest.mark.parametrize("answered", [0, 1, 3])
def test_what_a_killed_fetch_leaves_is_not_trusted(hosted: GitHubServer, context: Context, answered: int) -> None:
    hosted.faults["git-upload-pack"] = [*[""] * answered, "stall"]
    process = started(hosted, context)
    while hosted.faults["git-upload-pack"]:
        time.sleep(0.01)
    process.kill()
    process.communicate()
    assert new(mined(source(hosted), context)) == ["longest_run"]
    assert mirror(context).is_dir()


def test_what_a_killed_git_leaves_in_a_mirror_does_not_stop_the_next(hosted: GitHubServer, context: Context) -> None:
    mined(source(hosted), context)
    folder = mirror(context)
    for left in ("config.lock", "refs/heads/main.lock", "packed-refs.lock", "objects/pack/tmp_pack_abc"):
        (folder / left).write_text("half")
    hosted.push(NAME, [("2026-06-03", {"c.py": "def one(x):\n    return x + 1\n"})])
    assert sorted(new(mined(source(hosted), context))) == ["longest_run", "one"]
    assert not list(folder.glob("objects/pack/tmp_*"))


def test_processes_that_share_a_cache_do_not_disturb_each_other(hosted: GitHubServer, context: Context) -> None:
    processes = [started(hosted, context) for _ in range(3)]
    said = [process.communicate()[0] for process in processes]
    assert len(set(said)) == 1
    assert "LockedSource" in said[0]


FAULTS = {
    "the server is overloaded": ["503"],
    "too many requests": ["429"],
    "the connection is dropped": ["reset"],
    "half of an answer": ["", "", "half"],
}


@pytest.mark.parametrize("kinds", FAULTS.values(), ids=FAULTS)
def test_a_fault_that_passes_is_borne(hosted: GitHubServer, context: Context, kinds: list[str]) -> None:
    hosted.faults["git-upload-pack"] = list(kinds)
    assert new(mined(source(hosted), context)) == ["longest_run"]
    assert hosted.faults["git-upload-pack"] == []


LASTING = {
    "the server is overloaded": (["503"] * 9, "no_answer", "1 attempts failed: .*503"),
    "a stall": (["stall"] * 9, "no_answer", "too slow"),
    "a stall in the middle": (["", "", "stall", *["stall"] * 9], "no_answer", "too slow"),
    "not there": (["404"] * 9, "project_gone", "it can't be fetched: .*not found"),
    "forbidden": (["403"] * 9, "project_gone", "403"),
}


@pytest.mark.parametrize(("kinds", "reason", "said"), LASTING.values(), ids=LASTING)
def test_a_fault_that_lasts_is_told(
    hosted: GitHubServer, context: Context, kinds: list[str], reason: str, said: str
) -> None:
    hosted.faults[NAME] = list(kinds)
    found = refused(source(hosted), context)
    assert found[0] == reason
    assert re.search(said, found[1])
    assert not (context.cache / "git").is_dir() or not list((context.cache / "git").iterdir())


def test_a_fetch_that_takes_too_long_is_given_up(hosted: GitHubServer, context: Context) -> None:
    hosted.faults[NAME] = ["stall"]
    found = refused(source(hosted), context, MineConfig(fetch_seconds=0.5))
    assert found == ("no_answer", "fetching it took longer than 0.5 s")


def test_without_a_network_nothing_is_decided(context: Context) -> None:
    one = Source("git", "x", "System Utilities", "http://127.0.0.1:9/x.git")
    with pytest.raises(UserError, match=r"127.0.0.1 can't be reached .*check the network"):
        locked_at(one, context, ONCE)


def test_a_fault_while_blobs_are_fetched_is_of_the_stage_that_reads_them(
    hosted: GitHubServer, context: Context
) -> None:
    locked = locked_at(source(hosted), context)
    for folder in (context.cache / "git").iterdir():
        for file in folder.glob("has-*"):
            file.unlink()
    hosted.push(NAME, [])
    Mirror(source(hosted).location, context.cache, MineConfig()).discard()
    hosted.faults[NAME] = ["", "", "", "", *["503"] * 20]
    [found] = MineStage(ONCE).run([locked], context)
    assert isinstance(found, Rejection)
    assert (found.stage, found.reason) == ("mine", "no_answer")


def test_a_repository_above_the_limit_is_given_up_while_it_comes(hosted: GitHubServer, context: Context) -> None:
    hosted.publish("team/big", [("2026-06-01", {**START, "big.py": "\n".join(map(str, range(400_000)))})])
    config = MineConfig(max_repository_bytes=200_000, max_file_bytes=10**7)
    locked = locked_at(source(hosted, "team/big"), context, config)
    assert isinstance(locked, LockedSource)
    [found] = MineStage(config).run([locked], context)
    assert isinstance(found, Rejection)
    assert (found.reason, found.evidence) == ("corrupt_source", "what is fetched of it is larger than 200000 bytes")
    assert not list(mirror(context).glob("objects/pack/tmp_*"))


def test_no_more_than_so_many_are_fetched_at_once_and_all_come_in_order(
    hub: GitHubServer, context: Context
) -> None:
    names = [f"team/{number}" for number in range(6)]
    for name in names:
        hub.publish(name, COMMITS)
    hub.slow = 0.2
    found = list(LockStage(MineConfig(fetches=3)).run([source(hub, name) for name in names], context))
    assert [f.source.name for f in found if isinstance(f, LockedSource)] == names
    assert 2 <= hub.at_once <= 3


def test_the_limit_holds_for_all_processes_of_the_machine(hub: GitHubServer, context: Context) -> None:
    names = [f"team/{number}" for number in range(4)]
    for name in names:
        hub.publish(name, COMMITS)
    hub.slow = 0.1
    stages = [LockStage(MineConfig(fetches=1)) for _ in names]
    with ThreadPoolExecutor(4) as pool:
        list(pool.map(lambda pair: list(pair[0].run([source(hub, pair[1])], context)), zip(stages, names, strict=True)))
    assert hub.at_once == 1


def test_offline_nothing_is_asked(hosted: GitHubServer, context: Context) -> None:
    offline = replace(context, offline=True)
    with pytest.raises(UserError, match=r"team/tool.git is not in the cache: run once without --offline"):
        locked_at(source(hosted), offline)
    results = mined(source(hosted), context)
    hosted.asked.clear()
    assert mined(source(hosted), offline) == results
    assert hosted.asked == []


def test_a_lock_from_elsewhere_brings_the_mirror_up_to_date(hosted: GitHubServer, context: Context) -> None:
    locked_at(source(hosted), context)
    hosted.push(NAME, [("2026-06-03", {"c.py": "def one(x):\n    return x + 1\n"})])
    locked = locked_at(source(hosted), replace(context, cache=context.cache / "elsewhere"))
    assert sorted(new(list(MineStage().run([locked], context)))) == ["longest_run", "one"]


def test_without_a_commit_of_the_baseline_nothing_is_new(
    hosted: GitHubServer, context: Context, tmp_path: Path
) -> None:
    bare = hosted.folder / f"{NAME}.git"
    tree = subprocess.run(["git", "rev-parse", "main^{tree}"], cwd=bare, check=True, capture_output=True, text=True)
    who = {"GIT_COMMITTER_DATE": "2026-02-01T10:00:00Z", "GIT_COMMITTER_NAME": "A", "GIT_COMMITTER_EMAIL": "a@example.com",
           "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "PATH": os.environ["PATH"]}
    command = ["git", "commit-tree", "-m", "idea", tree.stdout.strip()]
    idea = subprocess.run(command, cwd=bare, check=True, capture_output=True, text=True, env=who).stdout.strip()
    subprocess.run(["git", "branch", "idea", idea], cwd=bare, check=True)
    locked = locked_at(source(hosted), context)
    assert new(list(MineStage().run([locked], context))) == []
    subprocess.run(["git", "branch", "-D", "idea"], cwd=bare, check=True, capture_output=True)
    locked_at(source(hosted), context)
    assert new(list(MineStage().run([locked], context))) == []
    [found] = MineStage().run([locked], replace(context, cache=tmp_path / "elsewhere"))
    assert isinstance(found, Rejection)
    assert (found.reason, found.evidence) == ("project_gone", f"the repository no longer has the commit {idea}")


def test_a_list_names_the_commit_that_is_read(hosted: GitHubServer, context: Context) -> None:
    named = hosted.hosted[NAME].commits[0][0]
    hosted.push(NAME, [("2026-06-03", {"c.py": "def one(x):\n    return x + 1\n"})])
    assert new(mined(source(hosted, commit=named), context)) == ["longest_run"]
    assert sorted(new(mined(source(hosted), context))) == ["longest_run", "one"]


def test_a_commit_of_another_window_names_nothing(hosted: GitHubServer, context: Context) -> None:
    named = hosted.hosted[NAME].commits[0][0]
    hosted.push(NAME, [("2026-11-05", {"c.py": "def one(x):\n    return x + 1\n"})])
    later = replace(context, after="2026-11-01", until="2026-12-01")
    assert new(mined(source(hosted, commit=named), later)) == ["one"]


def test_a_commit_that_the_repository_no_longer_has_is_told(hosted: GitHubServer, context: Context) -> None:
    said = f"the repository no longer has the commit {'12' * 20} of the list"
    assert refused(source(hosted, commit="12" * 20), context) == ("project_gone", said)


def test_a_lock_holds_the_commit_of_the_list_only_where_there_is_one(
    hosted: GitHubServer, context: Context, tmp_path: Path
) -> None:
    for commit in ("", hosted.hosted[NAME].commits[0][0]):
        locked = locked_at(source(hosted, commit=commit), context)
        write_lock(tmp_path / "lock", [locked])
        assert read_lock(tmp_path / "lock") == [locked]
        assert ('"commit"' in (tmp_path / "lock").read_text()) == bool(commit)


def written(folder: Path) -> Iterator[bytes]:
    return (file.read_bytes() for file in folder.rglob("*") if file.is_file())


@pytest.fixture
def private(hosted: GitHubServer, context: Context, monkeypatch: pytest.MonkeyPatch) -> Context:
    """A repository that the token opens, and a context in which the server is the one of the configuration."""
    hosted.private[NAME] = hosted.watched = TOKEN
    monkeypatch.setenv("GH_TOKEN", TOKEN)
    return replace(context, github=hosted.address)


def test_a_private_repository_is_opened_by_a_token_that_is_nowhere_to_be_seen(
    hosted: GitHubServer, private: Context, tmp_path: Path
) -> None:
    results = mined(source(hosted), private)
    assert new(results) == ["longest_run"]
    assert TOKEN not in repr([asdict(r) for r in results])
    assert any(header.startswith("Basic ") for header in hosted.authorized)
    assert not hosted.seen_in_processes
    assert not [data for data in written(tmp_path) if TOKEN.encode() in data]


def test_without_a_token_or_with_a_wrong_one_a_private_repository_is_gone(
    hosted: GitHubServer, private: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("GH_TOKEN", "wrong")
    reason, said = refused(source(hosted), private)
    assert reason == "project_gone"
    assert "Authentication failed" in said
    assert "wrong" not in said
    monkeypatch.delenv("GH_TOKEN")
    assert refused(source(hosted), private)[0] == "project_gone"


def test_a_password_in_an_address_is_nowhere_else(hosted: GitHubServer, context: Context) -> None:
    hosted.private[NAME] = hosted.watched = TOKEN
    plain = source(hosted)
    one = replace(plain, location=plain.location.replace("://", f"://x-access-token:{TOKEN}@"))
    locked = locked_at(one, context)
    assert isinstance(locked, LockedSource), locked
    assert locked.url == plain.location
    assert not hosted.seen_in_processes
    assert not [data for data in written(context.cache) if TOKEN.encode() in data]
    hosted.private[NAME] = "another"
    assert TOKEN not in refused(one, replace(context, cache=context.cache / "other"))[1]


@pytest.mark.parametrize("way", ["another host", "a redirection", "no configured host"])
def test_nobody_else_is_given_the_token(hosted: GitHubServer, private: Context, tmp_path: Path, way: str) -> None:
    with running(tmp_path / "other") as other:
        other.publish(NAME, COMMITS)
        other.private[NAME] = TOKEN
        one, context = source(other), private
        if way == "a redirection":
            hosted.private.clear()
            hosted.faults[NAME] = [f"to {other.root}"] * 9
            one = source(hosted)
        if way == "no configured host":
            context = replace(private, github="")
        assert refused(one, context)[0] == "project_gone"
        assert other.asked
        assert not [header for header in other.authorized if len(header) > len("Basic Og==")]


def test_the_site_of_an_api_is_where_its_repositories_are() -> None:
    assert site_of("https://api.github.com") == "https://github.com"
    assert site_of("https://git.corp.example:8443/api/v3") == "https://git.corp.example:8443"
    assert site_of("https://api.tenant.ghe.com") == "https://tenant.ghe.com"
    assert site_of("") == ""


REMOTE: dict[str, bool] = {
    "https://h.example/a": True, "ssh://h.example/a": True, "git@h.example:a/b.git": True, "file:///a": True,
    "/a/b": False, "a/b": False,
}


@pytest.mark.parametrize(("location", "remote"), REMOTE.items(), ids=list(REMOTE))
def test_urls_are_told_from_paths(location: str, remote: bool) -> None:
    assert is_remote(location) == remote


@pytest.mark.parametrize("location", ["ext::sh -c 'touch {trap}' x://y", "--upload-pack=touch {trap} x://y"])
def test_an_address_runs_nothing(context: Context, tmp_path: Path, location: str) -> None:
    trap = tmp_path / "sprung"
    one = Source("git", "x", "System Utilities", location.format(trap=trap))
    assert refused(one, context)[0] == "project_gone"
    assert not trap.exists()
