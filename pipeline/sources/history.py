"""A repository's history, read so that nothing of it is run and none of its settings are honoured."""

from __future__ import annotations

import re
import tempfile
from collections.abc import Iterable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import cached_property
from pathlib import Path

from git import GitCommandError, Repo
from git.exc import GitError
from gitdb.exc import BadName, BadObject, ODBError

from pipeline.records import Reason
from pipeline.sources import Damaged, Unusable
from pipeline.sources.fetching import QUIET, Mirror

DAMAGE = (GitError, BadName, BadObject, ODBError, OSError)
"""What reading a damaged repository raises."""

_HASH = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class Commit:
    """A commit: its parents, and its dates in ISO 8601, UTC."""

    hash: str
    parents: tuple[str, ...]
    committed: str
    authored: str


@dataclass(frozen=True)
class Refs:
    """What a repository points at: the default branch's commit, "" when it has none, and all the others'."""

    head: str
    heads: frozenset[str]
    shallow: bool


class History:
    """All commits that a repository's branches and tags reach, and the blobs in them."""

    def __init__(self, repo: Repo, refs: Refs, mirror: Mirror | None = None) -> None:
        self._repo = repo
        self._mirror = mirror
        self.refs = refs

    def close(self) -> None:
        """End the processes that read it."""
        self._repo.close()

    @cached_property
    def commits(self) -> dict[str, Commit]:
        """All commits by hash, each after its parents."""
        if not self.refs.heads:
            return {}
        heads = "\n".join(sorted(self.refs.heads)).encode() + b"\n"
        lines = self._git("log", "--topo-order", "--reverse", "--format=%H|%P|%ct|%at", "--stdin", given=heads)
        return {c.hash: c for c in map(_commit, lines.splitlines())}

    def older(self, after: str) -> set[str]:
        """The commits that existed before a day: those with an earlier committer date, and all of their ancestors."""
        todo = [c.hash for c in self.commits.values() if c.committed < after]
        found: set[str] = set()
        while todo:
            commit = todo.pop()
            if commit not in found:
                found.add(commit)
                todo += [p for p in self.commits[commit].parents if p in self.commits]
        return found

    def main_line(self) -> Iterator[Commit]:
        """What the default branch pointed at, newest first: its commits by first parents."""
        commit = self.commits.get(self.refs.head)
        while commit:
            yield commit
            commit = self.commits.get(commit.parents[0]) if commit.parents else None

    def tips(self, commits: set[str]) -> list[str]:
        """Those of the commits that no other of them has as a parent, sorted."""
        parents = {p for c in commits for p in self.commits[c].parents}
        return sorted(commits - parents)

    def files(self, commit: str) -> list[tuple[str, str, int]]:
        """The files of a commit: path, blob, size; submodules and links are none."""
        found = []
        for entry in self._git("ls-tree", "-r", "-l", "-z", "--full-tree", commit).split("\0"):
            about, _, path = entry.partition("\t")
            mode, _, blob, size = (about.split() + [""] * 4)[:4]
            if mode.startswith("100"):
                found.append((path, blob, int(size) if size.isdigit() else 0))
        return sorted(found)

    def blobs(self, tips: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Every object that these commits reach, as its hash and a path that it was at; of a mirror, what it has."""
        given = "\n".join(tips).encode() + b"\n"
        missing = "allow-any" if self._mirror else "error"
        text = self._git("rev-list", "--objects", f"--missing={missing}", "--stdin", given=given)
        for line in text.split("\n"):
            blob, _, path = line.partition(" ")
            if path:
                yield blob, path

    def changes(self, tip: str, older: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        """What the commits from `older` to `tip` brought: commit, path, blob; parents before children."""
        yield from self._changes([tip, *(f"^{commit}" for commit in older)])

    def versions(self, tips: Iterable[str]) -> Iterator[tuple[str, str]]:
        """Every path, with each blob that it ever was, in the history of these commits; needs no blob to be there."""
        yield from ((path, blob) for _, path, blob in self._changes(tips))

    def bring(self, blobs: Iterable[str]) -> None:
        """Fetch those of the blobs that a mirror lacks, together; other repositories have theirs."""
        if self._mirror is None or not (missing := self._missing(blobs)):
            return
        self._mirror.bring(missing)
        if missing := self._missing(missing):
            raise Damaged(Reason.CORRUPT_SOURCE, f"{len(missing)} files can't be fetched, the first is {missing[0]}")

    def _missing(self, blobs: Iterable[str]) -> list[str]:
        return [line.split()[0] for line in self._check(sorted(blobs)) if line.endswith(" missing")]

    def _check(self, blobs: Iterable[str]) -> list[str]:
        given = "".join(f"{blob}\n" for blob in dict.fromkeys(blobs)).encode()
        return self._git("cat-file", "--batch-check", given=given).splitlines() if given else []

    def _changes(self, commits: Iterable[str]) -> Iterator[tuple[str, str, str]]:
        given = "\n".join(commits).encode() + b"\n"
        text = self._git(
            "log", "--date-order", "--reverse", "-m", "--root", "--raw", "-z", "--no-abbrev", "--no-renames",
            "--format=%x00commit %H", "--stdin", given=given,
        )  # fmt: skip
        yield from _changes(text)

    def sizes(self, blobs: Iterable[str]) -> dict[str, int]:
        """The sizes of the blobs, in bytes, in the given order; one that is missing is damage."""
        found: dict[str, int] = {}
        for line in self._check(blobs):
            blob, about, size = (line.split() + [""] * 2)[:3]
            if about == "missing":
                raise Damaged(Reason.CORRUPT_SOURCE, f"the object {blob} is missing")
            if about == "blob":
                found[blob] = int(size)
        return found

    def size(self, blob: str) -> int:
        """The size of an object, in bytes."""
        with _resolved(blob):
            return int(self._repo.odb.info(bytes.fromhex(blob)).size)

    def read(self, blob: str) -> bytes:
        """The content of a blob."""
        with _resolved(blob):
            return bytes(self._repo.odb.stream(bytes.fromhex(blob)).read())

    def _git(self, *command: str, given: bytes = b"") -> str:
        try:
            if not given:
                out = self._repo.git.execute(["git", *command], stdout_as_string=False, strip_newline_in_stdout=False)
                return _text(out)
            with tempfile.TemporaryFile() as stdin:
                stdin.write(given)
                stdin.seek(0)
                out = self._repo.git.execute(
                    ["git", *command], istream=stdin, stdout_as_string=False, strip_newline_in_stdout=False
                )
                return _text(out)
        except GitCommandError as error:
            first = str(error.stderr).strip().splitlines()[:1]
            raise Damaged(Reason.CORRUPT_SOURCE, f"git {command[0]}: {''.join(first)[:200]}") from error


@contextmanager
def _resolved(blob: str) -> Iterator[None]:
    """An object that git can't give is damage, which GitPython tells by `ValueError`."""
    try:
        yield
    except ValueError as error:
        raise Damaged(Reason.CORRUPT_SOURCE, f"the object {blob} can't be read") from error


def _text(out: object) -> str:
    assert isinstance(out, bytes)
    return out.decode("utf-8", "backslashreplace")


def _commit(line: str) -> Commit:
    commit, parents, committed, authored = line.split("|")
    return Commit(commit, tuple(parents.split()), _iso(committed), _iso(authored))


def _iso(seconds: str) -> str:
    try:
        return datetime.fromtimestamp(int(seconds or 0), UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (ValueError, OverflowError, OSError):
        return "1970-01-01T00:00:00Z"


def _changes(text: str) -> Iterator[tuple[str, str, str]]:
    commit = blob = ""
    for part in text.split("\0"):
        part = part.strip("\n")
        if part.startswith("commit "):
            commit, blob = part.removeprefix("commit "), ""
        elif part.startswith(":"):
            fields = part.split()
            blob = fields[3] if fields[1].startswith("100") else ""
        elif part and blob:
            yield commit, part, blob
            blob = ""


@contextmanager
def opened(place: Path | Mirror, fresh: bool = False) -> Iterator[History]:
    """The history at a path, or in a mirror; `fresh` asks the remote for what is new, else the mirror is enough.

    Both are read through an empty repository of our own that borrows their objects, so their configuration, hooks,
    grafts and attributes have no say. A mirror that turns out damaged is removed, so that the next one is made anew.
    """
    with tempfile.TemporaryDirectory(prefix="code2bench-") as folder:
        own = Path(folder) / "history.git"
        if isinstance(place, Path):
            with closing(_borrowed(_store_of(place), own)) as history:
                yield history
            return
        if fresh or not place.folder.is_dir():
            place.update()
        try:
            with place.alone():
                history = _borrowed(place.folder, own, place)
            with closing(history):
                yield history
        except (Damaged, *DAMAGE):
            place.discard()
            raise


def _store_of(path: Path) -> Path:
    """The folder with a repository's objects and refs; worktrees lead to the one that they share."""
    if not path.is_dir():
        raise Unusable(Reason.PROJECT_GONE, "there is no repository at its location")
    git = path / ".git"
    if git.is_file() and (link := re.match(r"gitdir: (.+)", git.read_text("utf-8", "replace"))):
        git = (path / link.group(1).strip()).resolve()
    store = git if git.is_dir() else path
    if (store / "commondir").is_file():
        store = (store / (store / "commondir").read_text("utf-8").strip()).resolve()
    if not (store / "objects").is_dir() or not (store / "HEAD").is_file():
        raise Unusable(Reason.PROJECT_GONE, "what lies at its location is no git repository")
    return store


def _borrowed(store: Path, own: Path, mirror: Mirror | None = None) -> History:
    try:
        repo = Repo.init(own, bare=True, mkdir=True, env=QUIET)
    except GitError as error:
        raise Unusable(Reason.CORRUPT_SOURCE, f"git init: {error}") from error
    repo.git.update_environment(**QUIET, GIT_DIR=str(own))
    (own / "objects" / "info" / "alternates").write_text(f"{(store / 'objects').resolve()}\n", "utf-8")
    refs = _refs(store)
    return History(repo, refs, mirror)


def _refs(store: Path) -> Refs:
    named: dict[str, str] = {}
    if (store / "packed-refs").is_file():
        for line in (store / "packed-refs").read_text("utf-8", "replace").splitlines():
            commit, _, name = line.partition(" ")
            if _HASH.fullmatch(commit):
                named[name] = commit
    for file in sorted((store / "refs").rglob("*")):
        if file.is_file() and not file.is_symlink() and _HASH.fullmatch(text := _first_line(file)):
            named[file.relative_to(store).as_posix()] = text
    commit = _head(_first_line(store / "HEAD"), named)
    shallow = (store / "shallow").is_file() and bool((store / "shallow").read_text("utf-8", "replace").strip())
    heads = {c for name, c in named.items() if name.startswith(("refs/heads/", "refs/tags/", "refs/remotes/"))}
    valid = frozenset(heads | ({commit} if _HASH.fullmatch(commit) else set()))
    return Refs(commit if _HASH.fullmatch(commit) else "", valid, shallow)


def _head(said: str, named: dict[str, str]) -> str:
    """The default branch's commit: what HEAD names, else the branch that is most likely meant."""
    if not said.startswith("ref:"):
        return said
    branches = sorted(name for name in named if name.startswith("refs/heads/"))
    wanted = [said.removeprefix("ref:").strip(), "refs/heads/main", "refs/heads/master", *branches]
    return next((named[name] for name in wanted if name in named), "")


def _first_line(file: Path) -> str:
    with file.open("rb") as stream:
        return stream.readline(1000).decode("utf-8", "replace").strip()
