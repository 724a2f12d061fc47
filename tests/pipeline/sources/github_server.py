"""A GitHub that runs here: the part of the REST API that is used, with its faults, and real repositories over HTTP.

Shapes and status codes are those of GitHub's public documentation; addresses are as on GitHub Enterprise, with the API
below `/api/v3`, and with git's own `http-backend` for `/OWNER/NAME.git`.
"""

from __future__ import annotations

import base64
import hashlib
import json
import re
import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, urlencode, urlsplit

from tests.pipeline.sources.conftest import Repository
from tests.pipeline.sources.git_backend import answer

API = "/api/v3"
NONE = {"message": "Not Found", "documentation_url": "https://docs.github.com/rest", "status": "404"}


@dataclass
class Hosted:
    """A repository on the server: what the search knows, its commits (hash, day), newest first, and its files."""

    number: int
    name: str
    stars: int = 1000
    description: str = "Tools for the command line"
    topics: tuple[str, ...] = ("cli",)
    licence: str | None = "MIT"
    created: str = "2015-03-01"
    pushed: str = "2026-10-20"
    about: dict[str, Any] = field(default_factory=dict)
    commits: list[tuple[str, str]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)
    refused: tuple[int, str] | None = None

    def record(self, root: str) -> dict[str, Any]:
        licence = self.licence and {"key": self.licence.lower(), "name": self.licence, "spdx_id": self.licence}
        return {
            "id": self.number, "full_name": self.name, "name": self.name.split("/")[1], "private": False,
            "owner": {"login": self.name.split("/")[0], "id": 1, "type": "Organization"},
            "description": self.description, "topics": list(self.topics), "stargazers_count": self.stars,
            "language": "Python", "license": licence, "default_branch": "main", "fork": False, "archived": False,
            "is_template": False, "mirror_url": None, "disabled": False, "clone_url": f"{root}/{self.name}.git",
            "url": f"{root}{API}/repos/{self.name}", "html_url": f"{root}/{self.name}",
            "created_at": f"{self.created}T00:00:00Z", "pushed_at": f"{self.pushed}T08:00:00Z", **self.about,
        }


@dataclass
class GitHubServer:
    """The server's state. `faults` are given, one a request, to addresses that hold the key, before the real answer.

    `private` names repositories with the token that opens them; `sent`, `at_once` count git's bytes and transfers;
    `slow` delays git's answers by seconds, `old` is a git that gives no single objects.
    """

    root: str = ""
    folder: Path = Path()
    hosted: dict[str, Hosted] = field(default_factory=dict)
    renamed: dict[str, str] = field(default_factory=dict)
    faults: dict[str, list[str]] = field(default_factory=dict)
    cut: set[str] = field(default_factory=set)
    backwards: bool = False
    page: int = 100
    asked: list[str] = field(default_factory=list)
    authorized: set[str] = field(default_factory=set)
    reset: int = 0
    ahead: int = 0
    private: dict[str, str] = field(default_factory=dict)
    slow: float = 0.0
    old: bool = False
    sent: int = 0
    under_way: int = 0
    at_once: int = 0
    watched: str = ""
    seen_in_processes: bool = False

    @property
    def address(self) -> str:
        return self.root + API

    def host(self, name: str, **about: Any) -> Hosted:
        """Put up a repository without git, with a test suite and a commit in the window."""
        known = {key: about.pop(key) for key in list(about) if key in Hosted.__dataclass_fields__}
        number = known.pop("number", 100 + len(self.hosted))
        known.setdefault("commits", [(hashlib.sha1(name.encode()).hexdigest(), "2026-10-20")])
        known.setdefault("files", {"README.md": "# It\n\nIt does things.", "tests/test_it.py": "", "it.py": ""})
        one = Hosted(number, name, about=about, **known)
        self.hosted[name] = one
        return one

    def publish(self, name: str, commits: list[tuple[str, dict[str, str | None]]], **about: Any) -> Hosted:
        """Put up a repository with git: its commits, oldest first, each a day and the files that it changes."""
        place = self.folder / f"{name}.git"
        work = self.folder / "work" / name
        work.mkdir(parents=True)
        made = Repository(work)
        made.git("init", "-q", "-b", "main", ".")
        hashes = [(made.commit(day, files), day) for day, files in commits]
        place.parent.mkdir(parents=True, exist_ok=True)
        made.git("clone", "-q", "--bare", str(work), str(place))
        made.git("-C", str(place), "config", "uploadpack.allowFilter", "true")
        made.git("-C", str(place), "update-server-info")
        files = {p.relative_to(work).as_posix(): p.read_text() for p in sorted(work.rglob("*"))
                 if p.is_file() and ".git" not in p.relative_to(work).parts}
        return self.host(name, commits=hashes[::-1], files=files, **about)

    def push(self, name: str, commits: list[tuple[str, dict[str, str | None]]]) -> list[str]:
        """Add commits to a repository with git; gives their hashes."""
        made = Repository(self.folder / "work" / name)
        hashes = [made.commit(day, files) for day, files in commits]
        made.git("push", "-q", "--force", "--all", str(self.folder / f"{name}.git"))
        return hashes

    def questions(self, part: str) -> list[str]:
        """The addresses that were asked for and that hold a text."""
        return [address for address in self.asked if part in address]

    def answer(self, path: str, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        """Status, JSON and headers of what the API answers."""
        if path == "/search/repositories":
            return self._search(query)
        if match := re.fullmatch(r"/repositories/(\d+)(/.*)?", path):
            found = next((one for one in self.hosted.values() if one.number == int(match[1])), None)
            return self._of(found, match[2] or "", query)
        match = re.fullmatch(r"/repos/([^/]+/[^/]+)(/.*)?", path)
        full, rest = match.groups() if match else ("", "")
        if full in self.renamed:
            number = self.hosted[self.renamed[full]].number
            location = f"{self.address}/repositories/{number}{rest or ''}" + (f"?{urlencode(query)}" if query else "")
            return 301, {"message": "Moved Permanently", "url": location}, {"Location": location}
        return self._of(self.hosted.get(full), rest or "", query)

    def _of(self, one: Hosted | None, rest: str, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        if one is None:
            return 404, NONE, {}
        if one.refused:
            return one.refused[0], {"message": one.refused[1], "block": {"reason": "dmca"}}, {}
        if not rest:
            return 200, one.record(self.root), {}
        if not one.commits:
            return 409, {"message": "Git Repository is empty.", "status": "409"}, {}
        if rest == "/commits":
            found = [_commit(c) for c in one.commits if f"{c[1]}T10:00:00Z" <= query.get("until", "9")]
            return 200, found[: int(query.get("per_page", 30))], {}
        if match := re.fullmatch(r"/git/trees/(\w+)", rest):
            known = match[1] in map(_tree_of, one.commits)
            return (200, self._tree(one, match[1], "recursive" in query), {}) if known else (404, NONE, {})
        if rest in ("/readme", "/license"):
            file = next((f for f in one.files if f.lower().startswith(rest[1:])), "")
            text = base64.encodebytes(one.files.get(file, "").encode()).decode()
            about = {"name": file, "path": file, "encoding": "base64", "content": text, "type": "file"}
            return (200, about, {}) if file and query.get("ref") in dict(one.commits) else (404, NONE, {})
        return 404, NONE, {}

    def _tree(self, one: Hosted, sha: str, deep: bool) -> dict[str, Any]:
        folders = {"/".join(f.split("/")[:i]) for f in one.files for i in range(1, f.count("/") + 1)}
        every = sorted([*((f, "blob") for f in one.files), *((f, "tree") for f in folders)])
        cut = deep and one.name in self.cut
        told = every[:1] if cut else [e for e in every if deep or "/" not in e[0]]
        tree = [{"path": p, "mode": "100644", "type": t, "sha": "0" * 40} for p, t in told]
        return {"sha": sha, "tree": tree, "truncated": cut}

    def _search(self, query: dict[str, str]) -> tuple[int, Any, dict[str, str]]:
        wanted = dict(part.split(":", 1) for part in query["q"].split())
        if wanted["language"].lower() != "python":
            return 422, {"message": "Validation Failed", "errors": [{"field": "q", "code": "invalid"}]}, {}
        page, size = int(query["page"]), min(int(query["per_page"]), self.page)
        if page * size > 1000:
            return 422, {"message": "Only the first 1000 search results are available"}, {}
        found = [one for one in self.hosted.values() if _matches(one, wanted)]
        found.sort(key=lambda one: (-one.stars, -one.number if self.backwards else one.number))
        shown = found[:1000]
        more = page * size < len(shown)
        following = {**query, "page": str(page + 1)}
        link = f'<{self.address}/search/repositories?{urlencode(following)}>; rel="next"'
        items = [one.record(self.root) for one in shown[(page - 1) * size : page * size]]
        body = {"total_count": len(found), "incomplete_results": False, "items": items}
        return 200, body, {"Link": link} if more else {}


def _tree_of(commit: tuple[str, str]) -> str:
    return hashlib.sha1(commit[0].encode()).hexdigest()


def _commit(commit: tuple[str, str]) -> dict[str, Any]:
    who = {"name": "A", "email": "a@example.com", "date": f"{commit[1]}T10:00:00Z"}
    return {"sha": commit[0], "commit": {"author": who, "committer": who, "message": "change", "tree": {"sha": _tree_of(commit)}}}


def _matches(one: Hosted, wanted: dict[str, str]) -> bool:
    def inside(value: Any, text: str) -> bool:
        if text.startswith(">="):
            return bool(value >= type(value)(text[2:]))
        low, _, high = text.partition("..")
        return bool(type(value)(low) <= value <= type(value)(high))

    return (
        inside(one.stars, wanted["stars"]) and inside(one.created, wanted["created"])
        and inside(one.pushed, wanted["pushed"])
        and (wanted.get("fork") == "true" or not one.about.get("fork"))
    )  # fmt: skip


def _handler(server: GitHubServer) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"
        disable_nagle_algorithm = True

        def do_GET(self) -> None:
            server.asked.append(self.path)
            server.authorized.add(self.headers.get("Authorization", ""))
            server.seen_in_processes |= bool(server.watched) and _in_processes(server.watched)
            if not self.path.startswith(API):
                return answer(self, server)
            kinds = next((v for k, v in server.faults.items() if k in self.path and v), [])
            kind = kinds.pop(0) if kinds else ""
            where = urlsplit(self.path)
            query = {key: values[0] for key, values in parse_qs(where.query).items()}
            status, body, headers = server.answer(where.path.removeprefix(API), query)
            if kind == "reset":
                self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
                self.close_connection = True
                return None
            if kind == "limited":
                server.reset = int(time.time()) + server.ahead + 1
            if kind == "limited" or time.time() + server.ahead < server.reset:
                kind = "403"
                headers = {"X-RateLimit-Limit": "60", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "60",
                           "X-RateLimit-Reset": str(server.reset), "X-RateLimit-Resource": "core"}
                body = {"message": "API rate limit exceeded for 127.0.0.1."}
            if kind == "secondary":
                kind, headers = "403", {"Retry-After": "1"}
                body = {"message": "You have exceeded a secondary rate limit. Please wait a few minutes."}
            if kind == "abuse":
                kind, headers = "403", {}
                body = {"message": "You have triggered an abuse detection mechanism."}
            if kind == "a long wait":
                kind, headers, body = "429", {"Retry-After": "86400"}, {"message": "Too many requests"}
            if kind == "echo":
                kind, headers = "403", {}
                body = {"message": f"Forbidden for {self.headers.get('Authorization')}"}
            if kind == "incomplete":
                body, kind = {**body, "incomplete_results": True}, ""
            if kind == "elsewhere":
                kind, headers = "301", {"Location": "https://elsewhere.example/api/v3"}
            if kind.isdigit():
                status = int(kind)
            data = b"<html>Unicorn!</html>" if kind in ("500", "502") else json.dumps(body).encode()
            self.send(status, data[: len(data) // 2] if kind == "half" else data, headers)
            return None

        def do_POST(self) -> None:
            server.asked.append(self.path)
            server.authorized.add(self.headers.get("Authorization", ""))
            server.seen_in_processes |= bool(server.watched) and _in_processes(server.watched)
            answer(self, server)

        def send(self, status: int, data: bytes, headers: dict[str, str]) -> None:
            self.send_response(status)
            for name, value in {"Content-Type": "application/json; charset=utf-8", **headers}.items():
                self.send_header(name, value)
            self.send_header("Content-Length", str(len(data)))
            self.end_headers()
            self.wfile.write(data)

        def date_time_string(self, timestamp: float | None = None) -> str:
            return super().date_time_string((timestamp or time.time()) + server.ahead)

        def log_message(self, *about: object) -> None:
            pass

    return Handler


def _in_processes(text: str) -> bool:
    """Whether the command line of any process holds a text."""
    lines = []
    for file in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            lines.append(file.read_bytes())
        except OSError:
            continue
    return any(text.encode() in line for line in lines)


@contextmanager
def running(folder: Path) -> Iterator[GitHubServer]:
    """A server that answers until the end of the block; its repositories lie in the folder."""
    state = GitHubServer(folder=folder)
    with ThreadingHTTPServer(("127.0.0.1", 0), _handler(state)) as http:
        http.daemon_threads = True
        state.root = f"http://127.0.0.1:{http.server_address[1]}"
        threading.Thread(target=http.serve_forever, args=(0.01,), daemon=True).start()
        yield state
        http.shutdown()
