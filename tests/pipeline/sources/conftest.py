"""A registry that runs here, archives made on the spot, and repositories with the dates that a case needs."""

from __future__ import annotations

import gzip
import hashlib
import io
import json
import subprocess
import tarfile
import threading
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from pipeline.config import MineConfig
from pipeline.records import Function, LockedSource, Rejection, Source
from pipeline.sources import registry
from pipeline.sources.lock import LockStage
from pipeline.sources.mine import MineStage
from pipeline.stage import Context

if TYPE_CHECKING:
    from tests.pipeline.sources.github_server import GitHubServer

AFTER, UNTIL = "2026-05-01", "2026-11-01"
MIT = "Permission is hereby granted, free of charge, to any person obtaining a copy of this software"
OLD = '''
def widest(rows, gap=2):
    """The width of the widest row."""
    best = 0
    for row in rows:
        best = max(best, sum(len(cell) + gap for cell in row))
    return best
'''
NEW = '''
def longest_run(text, letter):
    """The longest run of a letter."""
    best = run = 0
    for other in text:
        run = run + 1 if other == letter else 0
        best = max(best, run)
    return best
'''
"""A function that projects have from before the window, and one that comes within it."""


def sdist(files: dict[str, str | bytes], top: str = "demo-1.0") -> bytes:
    """A source archive with these files, the same bytes each time."""
    out = io.BytesIO()
    with tarfile.open(fileobj=out, mode="w") as tar:
        for name, content in files.items():
            data = content.encode() if isinstance(content, str) else content
            info = tarfile.TarInfo(f"{top}/{name}")
            info.size = len(data)
            tar.addfile(info, io.BytesIO(data))
    return gzip.compress(out.getvalue(), mtime=0)


@dataclass
class Server:
    """A registry with PyPI's JSON and relative addresses; `faults` are given, one a request, before the real answer."""

    address: str = ""
    projects: dict[str, dict] = field(default_factory=dict)
    files: dict[str, bytes] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)
    asked: Counter[str] = field(default_factory=Counter)

    def project(self, name: str, **info: object) -> None:
        info = {"name": name, "license_expression": "MIT", "project_urls": {}, "classifiers": [], **info}
        self.projects[name] = {"info": info, "releases": {}}

    def upload(self, name: str, version: str, day: str, data: bytes, **about: object) -> str:
        """Upload a file of a release; gives its name."""
        if name not in self.projects:
            self.project(name)
        file = str(about.pop("filename", f"{name}-{version}.tar.gz"))
        self.files[file] = data
        self.projects[name]["releases"].setdefault(version, []).append({
            "filename": file, "url": f"../../packages/{file}", "packagetype": "sdist", "yanked": False,
            "size": len(data), "upload_time_iso_8601": f"{day}T12:00:00.123456Z",
            "digests": {"sha256": hashlib.sha256(data).hexdigest()}, **about,
        })
        return file

    def answer(self, path: str) -> tuple[int, bytes] | None:
        parts = path.strip("/").split("/")
        if parts[-2] == "packages":
            data = self.files.get(parts[-1])
        else:
            found = self.projects.get(parts[-2])
            data = None if found is None else json.dumps(found).encode()
        return (404, b"") if data is None else (200, data)


def _handler(server: Server) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def do_GET(self) -> None:
            key = self.path.strip("/").split("/")[-1 if "/packages/" in self.path else -2]
            server.asked[key] += 1
            status, data = server.answer(self.path)
            fault = server.faults.get(key, [])
            kind = fault.pop(0) if fault else ""
            if kind.isdigit():
                status, data = int(kind), b"sorry"
            if kind == "wrong hash":
                data = data[:-1] + b"x"
            self.send_response(status)
            self.send_header("Content-Length", str(len(data)))
            self.send_header("Connection", "close")
            self.end_headers()
            self.wfile.write(data[: len(data) // 2] if kind == "truncated" else data)

        def log_message(self, *about: object) -> None:
            pass

    return Handler


@contextmanager
def serving() -> Iterator[Server]:
    """A registry that commands ask in place of PyPI."""
    state = Server()
    with pytest.MonkeyPatch.context() as monkeypatch, ThreadingHTTPServer(("127.0.0.1", 0), _handler(state)) as http:
        state.address = f"http://127.0.0.1:{http.server_address[1]}/mirror/pypi"
        monkeypatch.setenv(registry.ADDRESS, state.address)
        thread = threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True)
        thread.start()
        yield state
        http.shutdown()


@pytest.fixture
def server() -> Iterator[Server]:
    with serving() as state:
        yield state


@pytest.fixture
def context(tmp_path: Path) -> Context:
    return Context(0, tmp_path / "cache", tmp_path / "runtime.txt", tmp_path, AFTER, UNTIL)


@pytest.fixture
def lock(context: Context) -> Callable[..., LockedSource | Rejection]:
    """Lock a project of the registry, or a repository at a path."""

    def run(name: str, kind: str = "pypi", config: MineConfig | None = None) -> LockedSource | Rejection:
        source = Source(kind, Path(name).name, "System Utilities", name)
        [found] = LockStage(config or MineConfig()).run([source], context)
        return found

    return run


@pytest.fixture
def mine(lock: Callable[..., LockedSource | Rejection], context: Context) -> Callable[..., dict[str, object]]:
    """Mine a project: what became of each definition, by dotted name (or by path, for whole files)."""

    def run(
        name: str, kind: str = "pypi", config: MineConfig | None = None, methods: bool = False
    ) -> dict[str, Function | Rejection]:
        locked = lock(name, kind, config)
        assert isinstance(locked, LockedSource), locked
        results = MineStage(config or MineConfig(), methods=methods).run([locked], context)
        return {r.qualified if isinstance(r, Function) else (r.name or r.path): r for r in results}

    return run


def outcome(result: Function | Rejection) -> str:
    """`new`, or the reason."""
    return result.reason if isinstance(result, Rejection) else "new"


@dataclass
class Repository:
    """A repository whose commits carry the dates that they are given."""

    path: Path

    def git(self, *command: str, day: str = "2026-01-01", author_day: str = "") -> str:
        env = {
            "GIT_AUTHOR_DATE": f"{author_day or day}T10:00:00Z", "GIT_COMMITTER_DATE": f"{day}T10:00:00Z",
            "GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.com", "GIT_COMMITTER_NAME": "A",
            "GIT_COMMITTER_EMAIL": "a@example.com", "GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_NOSYSTEM": "1",
            "PATH": "/usr/bin:/bin:/usr/local/bin", "HOME": str(self.path),
        }
        run = subprocess.run(["git", *command], cwd=self.path, env=env, check=True, capture_output=True, text=True)
        return run.stdout.strip()

    def commit(self, day: str, files: dict[str, str | None], author_day: str = "") -> str:
        """Write (None: remove) the files and commit; gives the commit's hash."""
        for name, text in files.items():
            file = self.path / name
            if text is None:
                file.unlink()
            else:
                file.parent.mkdir(parents=True, exist_ok=True)
                file.write_text(text)
        self.git("add", "-A")
        self.git("commit", "-q", "--allow-empty", "-m", "change", day=day, author_day=author_day)
        return self.git("rev-parse", "HEAD")


@pytest.fixture
def repository(tmp_path: Path) -> Repository:
    path = tmp_path / "project"
    path.mkdir()
    made = Repository(path)
    made.git("init", "-q", "-b", "main", ".")
    return made


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[GitHubServer]:
    """A GitHub that runs here, and no token."""
    from tests.pipeline.sources.github_server import running

    for name in ("GITHUB_TOKEN", "GH_TOKEN"):
        monkeypatch.delenv(name, raising=False)
    with running(tmp_path / "hub") as state:
        yield state
