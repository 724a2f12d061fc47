"""A repository of the Hub: a bare git repository, a folder of large files beside it, and its settings."""

from __future__ import annotations

import os
import re
import subprocess
import threading
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from tests.hub.answers import refuse

POINTER = re.compile(rb"version https://git-lfs.github.com/spec/v1\noid sha256:([0-9a-f]{64})\nsize (\d+)\n")
LARGE = (
    "7z arrow bin bz2 ckpt ftz gz h5 joblib lz4 mds mlmodel model msgpack npy npz onnx ot parquet pb pickle pkl pt pth "
    "rar safetensors tar tflite tgz wasm xz zip zst mp3 ogg wav flac jpg jpeg png webp mp4 webm"
).split()
ATTRIBUTES = "".join(f"*.{ending} filter=lfs diff=lfs merge=lfs -text\n" for ending in LARGE).encode()
"""What lies in each new repository, so that Parquet files become large files."""

ENVIRONMENT = {"PATH": os.environ["PATH"], "GIT_CONFIG_GLOBAL": os.devnull, "GIT_CONFIG_NOSYSTEM": "1",
               "GIT_AUTHOR_NAME": "hub", "GIT_AUTHOR_EMAIL": "hub@localhost",
               "GIT_COMMITTER_NAME": "hub", "GIT_COMMITTER_EMAIL": "hub@localhost"}  # fmt: skip


def stamp(seconds: float) -> str:
    """A time as the Hub writes it."""
    return time.strftime("%Y-%m-%dT%H:%M:%S.000Z", time.gmtime(seconds))


@dataclass(frozen=True)
class Large:
    """A file that lies outside of git: its SHA-256 and its size."""

    sha256: str
    size: int

    @property
    def pointer(self) -> bytes:
        """What git holds in its place."""
        return f"version https://git-lfs.github.com/spec/v1\noid sha256:{self.sha256}\nsize {self.size}\n".encode()


@dataclass(frozen=True)
class Entry:
    """A file or folder in a commit; the size is that of the real file."""

    path: str
    folder: bool
    oid: str
    size: int
    large: Large | None = None


@dataclass(frozen=True)
class Commit:
    """A commit as the history shows it, with the paths that it touched."""

    sha: str
    author: str
    date: str
    title: str
    message: str
    paths: tuple[str, ...]


Changes = Mapping[str, "bytes | Large | None"]
"""What a commit changes: the new content of a path, or None where it is deleted."""


@dataclass
class Repository:
    """`kind` is `datasets`, `models` or `spaces`; `granted` are the people who may read a gated repository's files."""

    kind: str
    id: str
    folder: Path
    private: bool = False
    gated: str | bool = False
    granted: set[str] = field(default_factory=set)
    created: str = field(default_factory=lambda: stamp(time.time()))
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)
    known: dict[str, dict[str, Entry]] = field(default_factory=dict, repr=False)
    pointed: dict[str, str] = field(default_factory=dict, repr=False)
    former: dict[str, str] = field(default_factory=dict, repr=False)
    stale_reads: int = 0

    def __post_init__(self) -> None:
        self.folder.mkdir(parents=True)
        self.git("init", "-q", "--bare", "-b", "main")
        (self.folder / "lfs").mkdir()
        self.commit({".gitattributes": ATTRIBUTES}, "initial commit")

    @property
    def namespace(self) -> str:
        return self.id.split("/")[0]

    @property
    def prefix(self) -> str:
        """What stands before the id in addresses for people."""
        return "" if self.kind == "models" else f"{self.kind}/"

    def git(self, *arguments: str, data: bytes = b"") -> bytes:
        """Run git here."""
        run = subprocess.run(["git", *arguments], cwd=self.folder, env=ENVIRONMENT, input=data, capture_output=True)
        if run.returncode:
            raise RuntimeError(f"git {' '.join(arguments)}: {run.stderr.decode()}")
        return run.stdout

    def refs(self) -> dict[str, str]:
        """All refs with the commits that they lead to; git is asked again when one has changed."""
        with self.lock:
            if not self.pointed:
                shown = self.git("for-each-ref", "--format=%(refname) %(objectname) %(*objectname)").decode()
                self.pointed = {words[0]: words[-1] for words in map(str.split, shown.splitlines())}
            return self.pointed

    def refs_seen(self) -> dict[str, str]:
        """The refs as a reader sees them: the former ones, while reads are stale."""
        with self.lock:
            if self.stale_reads:
                self.stale_reads -= 1
                return self.former
            return self.refs()

    def head(self, branch: str = "main") -> str:
        """The commit that a branch leads to."""
        return self.refs()[f"refs/heads/{branch}"]

    def find(self, revision: str, refs: Mapping[str, str] | None = None) -> str:
        """The commit that a branch, a tag, a full ref or the beginning of a commit's hash means."""
        refs = self.refs() if refs is None else refs
        for name in (f"refs/heads/{revision}", f"refs/tags/{revision}", revision):
            if name in refs:
                return refs[name]
        if revision in self.known:
            return revision
        if re.fullmatch(r"[0-9a-f]{7,40}", revision):
            try:
                return self.git("rev-parse", "-q", "--verify", f"{revision}^{{commit}}").decode().strip()
            except RuntimeError:
                pass
        raise refuse(404, f"Invalid rev id: {revision}", "RevisionNotFound")

    def entries(self, commit: str) -> dict[str, Entry]:
        """All files and folders of a commit, by path."""
        if commit not in self.known:
            listed = self.git("ls-tree", "-r", "-t", "-l", "-z", commit).decode().split("\0")[:-1]
            rows = [(*about.split(), path) for about, path in (line.split("\t", 1) for line in listed)]
            small = [oid for _, kind, oid, size, _ in rows if kind == "blob" and int(size) < 200]
            large = {oid: _pointed_to(content) for oid, content in self._blobs(small).items()}
            made = [_entry(path, kind, oid, size, large.get(oid)) for _, kind, oid, size, path in rows]
            self.known[commit] = {entry.path: entry for entry in made}
        return self.known[commit]

    def blob(self, oid: str) -> bytes:
        """What git holds under a hash."""
        return self.git("cat-file", "blob", oid)

    def read(self, path: str, revision: str = "main") -> bytes:
        """The content of a file, be it large or not."""
        entry = self.entries(self.find(revision))[path]
        return self.object(entry.large.sha256).read_bytes() if entry.large else self.blob(entry.oid)

    def object(self, sha256: str) -> Path:
        """Where a large file lies."""
        return self.folder / "lfs" / sha256

    def files(self, revision: str = "main") -> list[str]:
        """The paths of all files."""
        return [entry.path for entry in self.entries(self.find(revision)).values() if not entry.folder]

    def commit(self, changes: Changes, message: str, branch: str = "main", author: str = "hub") -> str:
        """Add a commit to a branch; gives its hash."""
        with self.lock:
            who = f"{author} <{author}@users.noreply.localhost> {int(time.time())} +0000"
            parent = self.refs().get(f"refs/heads/{branch}", "")
            said = message.encode()
            stream = [f"commit refs/heads/{branch}\ncommitter {who}\ndata {len(said)}\n".encode(), said, b"\n"]
            stream += [f"from {parent}\n".encode()] if parent else []
            for path, content in changes.items():
                stream += _change(path, content)
            self.git("fast-import", "--quiet", "--done", data=b"".join([*stream, b"done\n"]))
            self.pointed = {}
            return self.head(branch)

    def set_ref(self, ref: str, commit: str, message: str = "") -> None:
        """Make a tag or a branch; it may not be there yet."""
        with self.lock:
            if ref in self.refs():
                raise refuse(409, f"Reference already exists: {ref}")
            if message and ref.startswith("refs/tags/"):
                self.git("tag", "-a", "-m", message, ref.removeprefix("refs/tags/"), commit)
            else:
                self.git("update-ref", ref, commit, "0" * 40)
            self.pointed = {}

    def delete_ref(self, ref: str) -> None:
        """Remove a tag or a branch."""
        with self.lock:
            if ref not in self.refs():
                raise refuse(404, f"Invalid rev id: {ref.split('/', 2)[2]}", "RevisionNotFound")
            self.git("update-ref", "-d", ref)
            self.pointed = {}

    def history(self, commit: str) -> list[Commit]:
        """The commits that led to one, the newest first."""
        form = "%x01%H%x00%an%x00%at%x00%s%x00%b%x00"
        shown = self.git("log", "--first-parent", "--name-only", "-z", f"--format={form}", commit).decode()
        made = []
        for one in shown.split("\x01")[1:]:
            sha, author, date, title, message, *paths = one.split("\0")
            touched = tuple(path.strip("\n") for path in paths if path.strip("\n"))
            made.append(Commit(sha, author, stamp(int(date)), title, message.strip(), touched))
        return made

    def _blobs(self, oids: list[str]) -> dict[str, bytes]:
        """The contents of many blobs at once."""
        data = self.git("cat-file", "--batch", data="".join(f"{oid}\n" for oid in oids).encode()) if oids else b""
        found, place = {}, 0
        while place < len(data):
            end = data.index(b"\n", place)
            oid, _, size = data[place:end].split()
            found[oid.decode()] = data[end + 1 : end + 1 + int(size)]
            place = end + 2 + int(size)
        return found


def _pointed_to(content: bytes) -> Large | None:
    match = POINTER.fullmatch(content)
    return Large(match[1].decode(), int(match[2])) if match else None


def _entry(path: str, kind: str, oid: str, size: str, large: Large | None) -> Entry:
    if kind == "tree":
        return Entry(path, True, oid, 0)
    return Entry(path, False, oid, large.size if large else int(size), large)


def _change(path: str, content: bytes | Large | None) -> list[bytes]:
    if content is None:
        return [f"D {path}\n".encode()]
    data = content.pointer if isinstance(content, Large) else content
    return [f"M 100644 inline {path}\ndata {len(data)}\n".encode(), data, b"\n"]
