"""A repository that tries everything: nothing of it is run, followed or honoured, whichever way it is read."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from pipeline import store
from pipeline.records import Function, LockedSource, Source
from pipeline.sources.lock import LockStage
from pipeline.sources.mine import MineStage
from pipeline.stage import Context
from tests.pipeline.sources.conftest import Repository, outcome
from tests.pipeline.sources.github_server import GitHubServer
from tests.pipeline.sources.test_git import NEW, START

NAME = "bad/guy"
STRANGE = '''
def secret_of_the_machine(rows):
    return [row for row in rows if row.ready]
'''
ATTRIBUTES = """
*.py filter=trap diff=trap merge=trap export-subst ident working-tree-encoding=UTF-16 text eol=crlf
*.bin filter=lfs diff=lfs merge=lfs -text
[attr]macro filter=trap
"""
MODULES = '[submodule "sub"]\n\tpath = sub\n\turl = ext::sh -c "touch {trap}"\n\tupdate = !touch {trap}\n'
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:" + "4d" * 32 + "\nsize 12345\n"
SETTINGS = (
    "core.fsmonitor", "core.sshCommand", "core.pager", "core.editor", "core.askPass", "core.alternateRefsCommand",
    "core.gitProxy", "filter.trap.smudge", "filter.trap.clean", "filter.trap.process", "filter.lfs.smudge",
    "diff.trap.textconv", "diff.trap.command", "diff.external", "gpg.program", "credential.helper",
    "uploadpack.packObjectsHook", "remote.origin.uploadpack", "remote.origin.vcs",
)
HOOKS = (
    "post-checkout", "pre-commit", "reference-transaction", "post-index-change", "pre-auto-gc", "fsmonitor-watchman",
    "pre-receive", "post-update", "proc-receive",
)
NAMES = (
    b"two\nlines.py", b"tab\tand \"quotes\".py", b"not utf-8 \xff.py", b"-rf.py", b"--output=x.py", b"$(id).py",
    "line\u2028separator.py".encode(), b"file\x1cseparator.py", b"cr\r.py", b"back\\slash.py", b"%00.py", b" .py",
)
REFS = (
    "refs/heads/-x", "refs/heads/--upload-pack=touch", "refs/heads/$(touch)", "refs/heads/a;b", "refs/heads/HEAD",
    "refs/tags/HEAD", "refs/tags/refs/heads/main", "refs/heads/@", "refs/heads/ünï", "refs/remotes/origin/evil",
    "refs/notes/commits", "refs/pull/1/head",
)


def piped(repository: Repository, given: bytes, *command: str) -> str:
    done = subprocess.run(["git", *command], cwd=repository.path, input=given, check=True, capture_output=True)
    return done.stdout.decode().strip()


def entry(mode: str, kind: str, hash_: str, name: bytes) -> bytes:
    return f"{mode} {kind} {hash_}\t".encode() + name + b"\0"


def tree_with_tricks(repository: Repository, machine: Path, trap: Path) -> str:
    """The tree of HEAD with links out of it, a `.git` folder, a gitlink and strange names besides; gives its hash."""
    strange = piped(repository, STRANGE.encode(), "hash-object", "-w", "--stdin")
    inner = piped(repository, entry("100644", "blob", strange, b"config"), "mktree", "-z")
    up = piped(repository, entry("100644", "blob", strange, b"up.txt"), "mktree", "-z")
    link = piped(repository, str(machine / "private.py").encode(), "hash-object", "-w", "--stdin")
    folder = piped(repository, str(machine).encode(), "hash-object", "-w", "--stdin")
    attributes = piped(repository, ATTRIBUTES.encode(), "hash-object", "-w", "--stdin")
    modules = piped(repository, MODULES.format(trap=trap).encode(), "hash-object", "-w", "--stdin")
    harmless = piped(repository, b"x = 1\n", "hash-object", "-w", "--stdin")
    listed = subprocess.run(["git", "ls-tree", "-z", "HEAD"], cwd=repository.path, check=True, capture_output=True)
    more = [
        entry("100644", "blob", attributes, b".gitattributes"), entry("100644", "blob", modules, b".gitmodules"),
        entry("120000", "blob", link, b"link.py"), entry("120000", "blob", folder, b"folder"),
        entry("160000", "commit", "12" * 20, b"sub"), entry("040000", "tree", inner, b".git"),
        entry("040000", "tree", up, b".."), *(entry("100644", "blob", harmless, name) for name in NAMES),
    ]
    return piped(repository, listed.stdout + b"".join(more), "mktree", "-z", "--missing")


@pytest.fixture
def hostile(repository: Repository, tmp_path: Path) -> Repository:
    """The repository. Before the cutoff it had one function, which its replace refs and grafts deny."""
    trap, machine = tmp_path / "sprung", tmp_path / "machine"
    machine.mkdir()
    (machine / "private.py").write_text(STRANGE)
    old = repository.commit("2026-03-01", START)
    repository.commit("2026-06-01", {"b.py": NEW, "weights.bin": POINTER, "pointer.py": POINTER})
    tree = tree_with_tricks(repository, machine, trap)
    made = repository.git("commit-tree", "-p", "HEAD", "-m", "tricks", tree, day="2026-06-02")
    repository.git("update-ref", "refs/heads/main", made)
    empty = repository.git("commit-tree", "-m", "nothing", piped(repository, b"", "mktree"), day="2026-06-01")
    repository.git("replace", old, empty)
    for name in REFS:
        repository.git("update-ref", name, made)
    git = repository.path / ".git"
    (git / "info").mkdir(exist_ok=True)
    (git / "info" / "grafts").write_text(f"{made}\n")
    (git / "info" / "attributes").write_text(ATTRIBUTES)
    (git / "refs" / "heads" / "linked").symlink_to("/etc/passwd")
    for hook in HOOKS:
        (git / "hooks").mkdir(exist_ok=True)
        (git / "hooks" / hook).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (git / "hooks" / hook).chmod(0o755)
    for key in SETTINGS:
        repository.git("config", key, f"touch {trap}")
    repository.git("config", "alias.log", f"!touch {trap}")
    repository.git("config", "log.showSignature", "true")
    repository.git("config", "include.path", "/dev/null")
    return repository


def location(way: str, hostile: Repository, hub: GitHubServer) -> str:
    """The repository as a folder, as a `file://` address, or behind a server whose own configuration is in order."""
    if way == "folder":
        return str(hostile.path)
    for broken in ("info/grafts", "refs/heads/linked"):  # with them, no git sends it as a whole
        (hostile.path / ".git" / broken).unlink()
    if way == "file":
        return f"file://{hostile.path}"
    served = hub.folder / f"{NAME}.git"
    served.parent.mkdir(parents=True, exist_ok=True)
    os.symlink(hostile.path / ".git", served)
    config = "[core]\nrepositoryformatversion = 0\nbare = true\n[uploadpack]\nallowFilter = true\n"
    (served / "config").write_text(config)
    return f"{hub.root}/{NAME}.git"


@pytest.mark.parametrize("way", ["folder", "file", "server"])
def test_nothing_of_a_hostile_repository_is_run_or_followed(
    hostile: Repository, hub: GitHubServer, context: Context, tmp_path: Path, way: str
) -> None:
    one = Source("git", NAME, "System Utilities", location(way, hostile, hub))
    [locked] = LockStage().run([one], context)
    assert isinstance(locked, LockedSource), locked
    results = list(MineStage().run([locked], context))
    found = {r.qualified if isinstance(r, Function) else r.name: outcome(r) for r in results}
    assert found == {"widest": "prior_to_cutoff", "longest_run": "new"}
    assert not (tmp_path / "sprung").exists()
    assert not list((context.cache / "git").glob("*/objects/info/*alternates")) if way != "folder" else True
    store.write(tmp_path / "functions", Function, [r for r in results if isinstance(r, Function)])


def test_code_in_files_with_strange_names_is_read_and_kept(
    repository: Repository, context: Context, tmp_path: Path
) -> None:
    repository.commit("2026-03-01", START)
    base = subprocess.run(["git", "ls-tree", "-z", "HEAD"], cwd=repository.path, check=True, capture_output=True).stdout
    texts = [f"def f{n}(x):\n    return x + {n}\n".encode() for n in range(len(NAMES))]
    blobs = [piped(repository, text, "hash-object", "-w", "--stdin") for text in texts]
    entries = b"".join(entry("100644", "blob", blob, name) for blob, name in zip(blobs, NAMES, strict=True))
    tree = piped(repository, base + entries, "mktree", "-z")
    made = repository.git("commit-tree", "-p", "HEAD", "-m", "x", tree, day="2026-06-01")
    repository.git("update-ref", "refs/heads/main", made)
    [locked] = LockStage().run([Source("git", NAME, "System Utilities", str(repository.path))], context)
    results = list(MineStage().run([locked], context))
    kept = [r for r in results if isinstance(r, Function)]
    assert sorted(f.name for f in kept) == sorted(f"f{n}" for n in range(len(NAMES)))
    assert {f.provenance.revision for f in kept} == {made}
    store.write(tmp_path / "kept", Function, kept)
    assert list(store.read(tmp_path / "kept", Function)) == kept
