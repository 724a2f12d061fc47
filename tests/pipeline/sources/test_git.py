"""Repositories with dated commits: what counts as new, and which commit brought it."""

from __future__ import annotations

import subprocess
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from pipeline.config import MineConfig
from pipeline.languages.python.language import PYTHON
from pipeline.records import Function, LockedSource, Rejection, Source
from pipeline.sources import Reading
from pipeline.sources.adapters import licence_texts
from pipeline.sources.dating import Past
from pipeline.sources.fetching import without_secrets
from pipeline.sources.git import GIT
from pipeline.sources.history import History
from pipeline.sources.lock import LockStage
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.sources.conftest import MIT, NEW, OLD, Repository, outcome

Lock = Callable[..., LockedSource | Rejection]
Mine = Callable[..., dict[str, Function | Rejection]]

START = {"LICENSE": MIT, "a.py": OLD}


def outcomes(found: dict[str, Function | Rejection]) -> dict[str, str]:
    return {name: outcome(result) for name, result in found.items()}


def test_what_was_committed_in_the_window_is_new_and_names_its_commit(repository: Repository, mine: Mine) -> None:
    before = repository.commit("2026-03-01", START)
    brought = repository.commit("2026-06-01", {"a.py": OLD + NEW}, author_day="2026-05-20")
    last = repository.commit("2026-07-01", {"b.py": "x = 1\n"})
    found = mine(str(repository.path), "git")
    assert outcomes(found) == {"widest": "prior_to_cutoff", "longest_run": "new"}
    where = found["longest_run"].provenance
    assert (where.revision, where.revision_date) == (brought, "2026-06-01T10:00:00Z")
    assert where.author_date == "2026-05-20T10:00:00Z"
    assert where.first_seen == "2026-06-01T10:00:00Z"
    assert where.baseline == (before,)
    assert (where.not_before, where.state) == ("2026-03-01T10:00:00Z", last)
    assert (where.licence, where.licence_source) == ("MIT", "LICENSE")
    assert str(repository.path) not in repr(where)


def test_the_lines_are_of_the_state_that_is_read(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    brought = repository.commit("2026-06-01", {"b.py": NEW})
    last = repository.commit("2026-07-01", {"b.py": "import re\n\n\n" + NEW})
    where = mine(str(repository.path), "git")["longest_run"].provenance
    assert (where.revision, where.state, where.archive_sha256) == (brought, last, last)
    lines = repository.git("show", f"{where.state}:{where.path}").split("\n")
    assert lines[where.line_start - 1].startswith("def longest_run(")


def absent(found: Function | Rejection) -> str:
    assert isinstance(found, Function)
    return found.provenance.not_before[:10]


def test_the_newest_parent_lacks_a_function_and_no_commit_before_it_has_a_version(
    repository: Repository, mine: Mine
) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-05-20", {"c.py": "x = 1\n"})
    first = repository.commit("2026-06-01", {"b.py": NEW.replace("best = run = 0", "best = 0\n    run = 0")})
    repository.commit("2026-08-01", {"b.py": NEW})
    found = mine(str(repository.path), "git")["longest_run"]
    assert (absent(found), found.provenance.revision) == ("2026-05-20", first)


def test_a_branch_lacks_what_it_brings_until_its_first_commit(repository: Repository, mine: Mine) -> None:
    branched(repository, "2026-06-01")
    assert absent(mine(str(repository.path), "git")["longest_run"]) == "2026-03-01"


def test_what_a_history_begins_with_nothing_lacks(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-06-01", START)
    found = mine(str(repository.path), "git")["widest"]
    assert (absent(found), found.provenance.first_seen[:10]) == ("", "2026-06-01")


def test_nothing_lacks_a_function_later_than_its_commit_has_it(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-08-01", {"c.py": "x = 1\n"})
    repository.commit("2026-06-01", {"b.py": NEW})
    found = mine(str(repository.path), "git")["longest_run"]
    assert (absent(found), found.provenance.first_seen[:10]) == ("2026-06-01", "2026-06-01")


def test_what_came_after_the_window_is_not_read(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": "def one(x):\n    return x + 1\n"})
    repository.commit("2026-11-02", {"a.py": OLD + NEW})
    assert outcomes(mine(str(repository.path), "git")) == {"widest": "prior_to_cutoff", "one": "new"}


REWRITTEN = OLD.replace("2):", "2) -> int:").replace("best = 0", "best = 0  # so far").replace('"""The', '"""Get the')
OLD_AGAIN = {
    "a moved file": {"a.py": None, "src/b.py": OLD},
    "a renamed function": {"a.py": OLD.replace("widest", "broadest")},
    "reformatted code with annotations and another docstring": {"a.py": REWRITTEN},
    "a version of it": {"a.py": OLD.replace("+ gap", "+ gap + 1")},
    "a copy": {"b.py": OLD},
}


@pytest.mark.parametrize("change", OLD_AGAIN.values(), ids=OLD_AGAIN)
def test_old_code_in_a_new_dress_is_old(repository: Repository, mine: Mine, change: dict[str, str | None]) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", change)
    assert set(outcomes(mine(str(repository.path), "git")).values()) == {"prior_to_cutoff"}


def test_code_that_was_removed_before_the_cutoff_and_brought_back_is_old(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-01-01", {**START, "b.py": NEW})
    repository.commit("2026-02-01", {"b.py": None})
    repository.commit("2026-06-01", {"b.py": NEW})
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "prior_to_cutoff"


def test_code_that_was_reverted_and_brought_back_in_the_window_is_of_its_first_commit(
    repository: Repository, mine: Mine
) -> None:
    repository.commit("2026-03-01", START)
    first = repository.commit("2026-06-01", {"b.py": NEW})
    repository.git("revert", "--no-edit", first, day="2026-06-02")
    repository.git("revert", "--no-edit", "HEAD", day="2026-06-03")
    assert mine(str(repository.path), "git")["longest_run"].provenance.revision == first


def test_code_that_was_reverted_is_not_there(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    first = repository.commit("2026-06-01", {"b.py": NEW})
    repository.git("revert", "--no-edit", first, day="2026-06-02")
    assert set(mine(str(repository.path), "git")) == {"widest"}


def branched(repository: Repository, day: str) -> str:
    """A branch whose commit is of that day, merged in the window; gives the branch's commit."""
    repository.commit("2026-03-01", START)
    repository.git("checkout", "-q", "-b", "feature")
    commit = repository.commit(day, {"b.py": NEW})
    repository.git("checkout", "-q", "main")
    repository.commit("2026-06-05", {"c.py": "x = 1\n"})
    repository.git("merge", "-q", "--no-ff", "--no-edit", "feature", day="2026-06-10")
    return commit


def test_a_merge_brings_the_commit_of_the_branch(repository: Repository, mine: Mine) -> None:
    commit = branched(repository, "2026-06-01")
    assert mine(str(repository.path), "git")["longest_run"].provenance.revision == commit


def test_a_branch_from_before_the_cutoff_is_old_though_merged_later(repository: Repository, mine: Mine) -> None:
    branched(repository, "2026-04-30")
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "prior_to_cutoff"


def test_code_on_another_branch_before_the_cutoff_is_old(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    repository.git("checkout", "-q", "-b", "idea")
    repository.commit("2026-04-01", {"b.py": NEW})
    repository.git("checkout", "-q", "main")
    repository.commit("2026-06-01", {"b.py": NEW})
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "prior_to_cutoff"


def test_code_written_in_a_merge_is_of_the_merge(repository: Repository, mine: Mine) -> None:
    branched(repository, "2026-06-01")
    repository.git("checkout", "-q", "-b", "other", "main~1")
    repository.commit("2026-06-11", {"d.py": "y = 1\n"})
    repository.git("checkout", "-q", "main")
    repository.git("merge", "-q", "--no-ff", "--no-commit", "other")
    (repository.path / "e.py").write_text("def evil(rows):\n    return [r for r in rows if r.ready and not r.done]\n")
    repository.git("add", "-A")
    repository.git("commit", "-q", "-m", "merge", day="2026-06-12")
    merge = repository.git("rev-parse", "HEAD")
    assert mine(str(repository.path), "git")["evil"].provenance.revision == merge


def test_an_author_date_from_before_the_cutoff_does_not_make_code_old_but_is_kept(
    repository: Repository, mine: Mine
) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW}, author_day="2020-01-01")
    where = mine(str(repository.path), "git")["longest_run"].provenance
    assert (where.author_date[:10], where.first_seen[:10]) == ("2020-01-01", "2026-06-01")


def test_an_ancestor_of_old_code_is_old_whatever_its_date(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-06-01", {**START, "b.py": NEW})
    repository.commit("2026-03-01", {"c.py": "x = 1\n"})
    repository.commit("2026-06-02", {"d.py": "def one(x):\n    return x + 1\n"})
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "prior_to_cutoff"


def test_a_project_younger_than_the_cutoff_is_all_new(repository: Repository, mine: Mine, lock: Lock) -> None:
    repository.commit("2026-06-01", START)
    locked = lock(str(repository.path), "git")
    assert isinstance(locked, LockedSource)
    assert locked.baseline == ()
    assert outcomes(mine(str(repository.path), "git")) == {"widest": "new"}


def refused(lock: Lock, path: Path) -> tuple[str, str]:
    rejection = lock(str(path), "git")
    assert isinstance(rejection, Rejection)
    return rejection.reason, rejection.evidence


def test_an_empty_repository_has_nothing_new(repository: Repository, lock: Lock) -> None:
    assert refused(lock, repository.path) == ("no_new_release", "the repository has no commit")


def test_a_repository_without_commits_in_the_window_has_nothing_new(repository: Repository, lock: Lock) -> None:
    repository.commit("2026-03-01", START)
    assert refused(lock, repository.path)[0] == "no_new_release"
    repository.commit("2026-11-01", {"b.py": NEW})
    assert refused(lock, repository.path)[0] == "no_new_release"


def test_a_shallow_clone_has_no_baseline(repository: Repository, lock: Lock, tmp_path: Path) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    clone = tmp_path / "shallow"
    repository.git("clone", "-q", "--depth", "1", f"file://{repository.path}", str(clone))
    assert refused(lock, clone)[0] == "no_baseline"


def test_a_folder_that_is_no_repository_is_gone(lock: Lock, tmp_path: Path) -> None:
    assert refused(lock, tmp_path / "nothing")[0] == "project_gone"
    (tmp_path / "folder").mkdir()
    assert refused(lock, tmp_path / "folder")[0] == "project_gone"


@pytest.mark.parametrize("licence", ["GNU General Public License version 3", "ask me", None])
def test_a_repository_without_a_permissive_licence_leaves(
    repository: Repository, lock: Lock, licence: str | None
) -> None:
    repository.commit("2026-06-01", {"a.py": OLD} | ({"LICENSE": licence} if licence else {}))
    assert refused(lock, repository.path)[0] == "licence"


@pytest.mark.parametrize("damage", ["a missing object", "a damaged object", "a ref to nothing"])
def test_a_damaged_repository_is_corrupt(repository: Repository, lock: Lock, damage: str) -> None:
    commit = repository.commit("2026-06-01", START)
    file = repository.path / ".git/objects" / commit[:2] / commit[2:]
    if damage == "a missing object":
        file.unlink()
    elif damage == "a damaged object":
        file.chmod(0o600)
        file.write_bytes(b"noise")
    else:
        (repository.path / ".git/refs/heads/main").write_text("1" * 40 + "\n")
    assert refused(lock, repository.path)[0] == "corrupt_source"


def test_a_missing_file_is_found_when_it_is_read(repository: Repository, lock: Lock, context: Context) -> None:
    repository.commit("2026-06-01", START)
    locked = lock(str(repository.path), "git")
    assert isinstance(locked, LockedSource)
    blob = repository.git("rev-parse", "HEAD:a.py")
    (repository.path / ".git/objects" / blob[:2] / blob[2:]).unlink()
    from pipeline.sources.mine import MineStage

    [found] = MineStage().run([locked], context)
    assert isinstance(found, Rejection)
    assert found.reason == "corrupt_source"


def test_a_commit_that_is_gone_is_told(repository: Repository, lock: Lock, context: Context) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    locked = lock(str(repository.path), "git")
    assert isinstance(locked, LockedSource)
    repository.git("reset", "-q", "--hard", "HEAD~1")
    from pipeline.sources.mine import MineStage

    [found] = MineStage().run([locked], context)
    assert isinstance(found, Rejection)
    assert found.reason == "project_gone"


def test_submodules_and_links_are_passed_over(repository: Repository, mine: Mine, tmp_path: Path) -> None:
    inner = Repository(tmp_path / "inner")
    inner.path.mkdir()
    inner.git("init", "-q", "-b", "main", ".")
    inner.commit("2026-06-01", {"inner.py": NEW})
    repository.commit("2026-03-01", START)
    repository.git("-c", "protocol.file.allow=always", "submodule", "add", "-q", str(inner.path), "sub")
    (repository.path / "link.py").symlink_to("sub/inner.py")
    repository.commit("2026-06-02", {"c.py": "def one(x):\n    return x + 1\n"})
    assert set(mine(str(repository.path), "git")) == {"widest", "one"}


def test_nothing_of_a_repository_is_run_and_no_setting_honoured(
    repository: Repository, mine: Mine, tmp_path: Path
) -> None:
    trap = tmp_path / "sprung"
    repository.commit("2026-03-01", {**START, ".gitattributes": "*.py filter=trap diff=trap\n"})
    repository.commit("2026-06-01", {"b.py": NEW})
    for hook in ("post-checkout", "pre-commit", "reference-transaction", "post-index-change"):
        script = repository.path / ".git/hooks" / hook
        script.parent.mkdir(exist_ok=True)
        script.write_text(f"#!/bin/sh\ntouch {trap}\n")
        script.chmod(0o755)
    keys = ("core.fsmonitor", "core.sshCommand", "core.pager", "filter.trap.smudge", "diff.trap.textconv",
            "diff.external", "gpg.program", "credential.helper", "core.editor", "alias.log")
    for key in keys:
        repository.git("config", key, f"!touch {trap}" if key.startswith("alias") else f"touch {trap}")
    repository.git("config", "log.showSignature", "true")
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "new"
    assert not trap.exists()


def test_the_repository_is_left_as_it_was(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})

    def state() -> dict[str, bytes]:
        return {str(p): p.read_bytes() for p in sorted(repository.path.rglob("*")) if p.is_file()}

    before = state()
    mine(str(repository.path), "git")
    assert state() == before


def test_a_packed_repository_and_a_worktree_of_it_are_read(repository: Repository, mine: Mine, tmp_path: Path) -> None:
    repository.commit("2026-03-01", START)
    repository.git("tag", "-a", "-m", "one", "v1")
    repository.commit("2026-06-01", {"b.py": NEW})
    repository.git("gc", "-q")
    repository.git("pack-refs", "--all")
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "new"
    repository.git("worktree", "add", "-q", str(tmp_path / "tree"), "-b", "work")
    assert outcomes(mine(str(tmp_path / "tree"), "git"))["longest_run"] == "new"


def test_a_url_is_cloned_into_the_cache_and_read_there(
    repository: Repository, mine: Mine, context: Context, tmp_path: Path
) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    (repository.path / ".git/hooks").mkdir(exist_ok=True)
    assert outcomes(mine(f"file://{repository.path}", "git"))["longest_run"] == "new"
    clones = list((context.cache / "git").iterdir())
    assert len(clones) == 1
    assert not (clones[0] / "index").exists()


def test_a_url_that_leads_nowhere_is_gone(lock: Lock, tmp_path: Path) -> None:
    rejection = lock(f"file://{tmp_path}/nothing", "git")
    assert isinstance(rejection, Rejection)
    assert rejection.reason == "project_gone"


def test_the_remote_of_a_clone_is_its_address_without_a_password(repository: Repository, lock: Lock) -> None:
    repository.commit("2026-06-01", START)
    repository.git("remote", "add", "origin", "https://me:secret@forge.example/a/demo.git")
    locked = lock(str(repository.path), "git")
    assert isinstance(locked, LockedSource)
    assert locked.url == "https://forge.example/a/demo.git"
    assert without_secrets("ssh://me@forge.example/x") == "ssh://forge.example/x"


def test_files_above_the_limits_are_left_out(repository: Repository, lock: Lock, mine: Mine) -> None:
    repository.commit("2026-06-01", {**START, "big.py": "#" * 5000})
    found = mine(str(repository.path), "git", MineConfig(max_file_bytes=4000))
    assert outcomes(found) == {"widest": "new", "big.py": "too_large"}
    locked = lock(str(repository.path), "git")
    assert isinstance(locked, LockedSource)
    assert licence_texts(locked, Context(0, Path(), Path(), Path(), "2026-05-01", "2026-11-01")) == {"LICENSE": MIT}


def test_a_file_of_another_name_that_became_code_is_old(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", {**START, "b.txt": NEW})
    repository.git("mv", "b.txt", "b.py")
    repository.commit("2026-06-01", {})
    assert outcomes(mine(str(repository.path), "git"))["longest_run"] == "prior_to_cutoff"


def test_paths_of_any_character_are_read(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-03-01", START)
    commit = repository.commit("2026-06-01", {"ünï \"quoted\"\tname.py": NEW})
    assert mine(str(repository.path), "git")["longest_run"].provenance.revision == commit


def test_many_branches_are_named_by_their_number(repository: Repository, mine: Mine) -> None:
    repository.commit("2026-01-01", START)
    for n in range(9):
        repository.git("checkout", "-q", "-b", f"b{n}", "main")
        repository.commit("2026-02-01", {f"b{n}.txt": str(n)})
    repository.git("checkout", "-q", "main")
    repository.commit("2026-06-01", {"b.py": NEW})
    baseline = mine(str(repository.path), "git")["longest_run"].provenance.baseline
    assert len(baseline) == 7
    assert baseline[-1] == "and 4 more"


def past_of(locked: LockedSource | Rejection, context: Context) -> Past:
    assert isinstance(locked, LockedSource)
    return GIT.past(Reading(locked, MineConfig(), context, PYTHON.layout.suffixes), PYTHON.reading)


def test_the_past_holds_each_text_of_each_function_once(repository: Repository, lock: Lock, context: Context) -> None:
    repository.commit("2026-01-01", START)
    repository.commit("2026-02-01", {"a.py": OLD.replace("+ gap", "+ gap + 1") + "\n# two\n"})
    repository.commit("2026-03-01", {"a.py": OLD, "b.py": OLD})
    repository.commit("2026-06-01", {"b.py": NEW})
    past = list(past_of(lock(str(repository.path), "git"), context))
    assert sorted(known.source for known in past) == sorted([OLD[1:], OLD[1:].replace("+ gap", "+ gap + 1")])
    assert len({known.order for known in past}) == 2


def test_what_was_read_once_is_not_read_again(
    repository: Repository, mine: Mine, context: Context, monkeypatch: pytest.MonkeyPatch
) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    read: list[str] = []
    before = History.read
    monkeypatch.setattr(History, "read", lambda self, blob: read.append(blob) or before(self, blob))
    first = mine(str(repository.path), "git")
    files = [p for p in (context.cache / "history").rglob("*") if p.is_file()]
    assert len(files) == 3
    read.clear()
    assert mine(str(repository.path), "git") == first
    upper = {repository.git("rev-parse", f"HEAD:{name}") for name in ("LICENSE", "a.py", "b.py")}
    assert set(read) == upper
    assert Counter(read)[repository.git("rev-parse", "HEAD:a.py")] == 1


@pytest.mark.parametrize("name", ["defined", "pieces", "files"])
def test_a_damaged_index_is_made_anew(repository: Repository, mine: Mine, context: Context, name: str) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    first = mine(str(repository.path), "git")
    [file] = (context.cache / "history").rglob(f"*.{name}.parquet")
    file.write_bytes(file.read_bytes()[:100])
    repository.commit("2026-06-02", {"c.py": "def late(x):\n    return x + 1\n"})
    again = mine(str(repository.path), "git")
    assert outcomes(again) == {**outcomes(first), "late": "new"}


def test_what_an_index_holds_besides_does_not_count(
    repository: Repository, lock: Lock, mine: Mine, context: Context
) -> None:
    repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW})
    repository.commit("2026-07-01", {"c.py": "def late(x):\n    return x + 1\n"})
    later = replace(context, after="2026-06-15")
    source = Source("git", "project", "System Utilities", str(repository.path))
    [locked] = LockStage(MineConfig()).run([source], later)
    found = {r.name: outcome(r) for r in MineStage(MineConfig()).run([locked], later)}
    assert found == {"widest": "prior_to_cutoff", "longest_run": "prior_to_cutoff", "late": "new"}
    assert outcomes(mine(str(repository.path), "git")) == {
        "widest": "prior_to_cutoff", "longest_run": "new", "late": "new",
    }  # fmt: skip


def test_git_itself_is_there() -> None:
    assert subprocess.run(["git", "--version"], capture_output=True, check=True).stdout
