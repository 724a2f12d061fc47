"""The server itself: its state, who may do what, the log, the faults, and the two ports that it listens on."""

from __future__ import annotations

import os
import re
import shutil
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

from tests.hub import routes
from tests.hub.answers import LOG_IN, MISSING, Account, Answer, Hangup, Refused, Request, refuse
from tests.hub.faults import Fault
from tests.hub.repository import Repository


@dataclass
class Rule:
    """A fault for requests whose method and address match a pattern: the first `skip` pass, the next `times` get it."""

    pattern: str
    fault: Fault
    times: int = 1
    skip: int = 0


@dataclass
class Hub:
    """The server's state; `page` is the length of lists, `part_size` what a large file may have before it is cut in parts.

    `before` and `after` are called with each request: before its work, and when that is done and nothing has been sent.
    They may raise `Hangup`.
    """

    folder: Path
    address: str = ""
    storage: str = ""
    tokens: dict[str, Account] = field(default_factory=dict)
    repositories: dict[tuple[str, str], Repository] = field(default_factory=dict)
    log: list[Request] = field(default_factory=list)
    faults: list[Rule] = field(default_factory=list)
    at: dict[int, Fault] = field(default_factory=dict)
    before: Callable[[Request], None] = lambda request: None
    after: Callable[[Request], None] = lambda request: None
    page: int = 1000
    part_size: int = 5_000_000_000
    secret: bytes = field(default_factory=lambda: os.urandom(16), repr=False)
    mistakes: list[str] = field(default_factory=list)
    under_way: int = 0
    lock: threading.RLock = field(default_factory=threading.RLock, repr=False)

    def create(self, id: str, kind: str = "datasets", private: bool = False) -> Repository:
        """Put up a repository."""
        with self.lock:
            self.repositories[kind, id] = Repository(kind, id, self.folder / kind / f"{id}.git", private)
            return self.repositories[kind, id]

    def delete(self, id: str, kind: str = "datasets") -> None:
        """Take a repository away."""
        with self.lock:
            shutil.rmtree(self.repositories.pop((kind, id)).folder)

    def repository(self, id: str, kind: str = "datasets") -> Repository:
        """A repository, for a look inside."""
        return self.repositories[kind, id]

    def fail_at(self, number: int, fault: Fault) -> None:
        """Let something go wrong at the n-th request of the log, counted from one."""
        self.at[number] = fault

    def fail(self, pattern: str, fault: Fault, times: int = 1, skip: int = 0) -> None:
        """Let something go wrong at requests whose method and address match a regular expression."""
        self.faults.append(Rule(pattern, fault, times, skip))

    def forget(self) -> None:
        """Start over with an empty log, no faults, and with the next request as the first.

        Waits for the requests under way: those of a client that was killed are worked on to their end.
        """
        until = time.monotonic() + 10
        while self.under_way and time.monotonic() < until:
            time.sleep(0.005)
        with self.lock:
            self.log, self.faults, self.at = [], [], {}
            self.before = self.after = lambda request: None

    def asked(self, pattern: str = "") -> list[str]:
        """The requests that match a regular expression, each as method and address."""
        return [one.line for one in list(self.log) if re.search(pattern, one.line)]

    def environment(self, home: Path, token: str = "", **more: str) -> dict[str, str]:
        """The environment in which a process uses this Hub, with all that it keeps below a folder."""
        mine = {
            "HF_ENDPOINT": self.address, "HF_HUB_DISABLE_XET": "1", "HF_HOME": str(home), "HF_HUB_DISABLE_TELEMETRY": "1",
            "HF_HUB_DISABLE_PROGRESS_BARS": "1", "HF_UPDATE_DOWNLOAD_COUNTS": "0", "HOME": str(home),
            "HF_HUB_DOWNLOAD_TIMEOUT": "120", "HF_HUB_ETAG_TIMEOUT": "120",  # a busy machine is not a fault of the Hub's
        } | ({"HF_TOKEN": token} if token else {})
        rest = {key: value for key, value in os.environ.items() if not key.startswith(("HF_", "HUGGING"))}
        return rest | mine | more

    def visible(self, repo: Repository, account: Account | None) -> bool:
        """Whether somebody may know that a repository exists."""
        return not repo.private or bool(account and account.right != "none" and repo.namespace in account.namespaces)

    def admit(self, request: Request, need: str) -> None:
        """Refuse those who may not do what they ask for, as the Hub does; notes who asks."""
        said = request.headers.get("Authorization", "")
        if said and not request.storage:
            request.account = self.tokens.get(said.removeprefix("Bearer "))
            if request.account is None:
                raise refuse(401, "Invalid credentials in Authorization header")
        if "id" not in request.parts:
            return
        repo = request.repository
        if repo is None or (need != "signed" and not self.visible(repo, request.account)):
            raise refuse(404, MISSING, "RepoNotFound") if request.account else refuse(401, LOG_IN, "RepoNotFound")
        if need == "files" and repo.gated:
            self._need_access(repo, request.account)
        if need == "write":
            self.need_write(request)

    def need_write(self, request: Request) -> None:
        """Refuse those who may not write."""
        if request.account is None:
            raise refuse(401, LOG_IN, "RepoNotFound")
        if request.account.right != "write":
            raise refuse(403, "Forbidden: you must use a write token to upload to a repository.")
        if request.repo.namespace not in request.account.namespaces:
            raise refuse(403, "Forbidden: pass `create_pr=1` as a query parameter to create a Pull Request")

    def _need_access(self, repo: Repository, account: Account | None) -> None:
        text = f"Access to {repo.kind[:-1]} {repo.id} is restricted"
        if account is None:
            raise refuse(401, f"{text}. You must have access to it and be authenticated to access it. Please log in.", "GatedRepo")
        if account.name not in repo.granted and (account.right == "none" or repo.namespace not in account.namespaces):
            where = f"{self.address}/{repo.prefix}{repo.id}"
            raise refuse(403, f"{text} and you are not in the authorized list. Visit {where} to ask for access.", "GatedRepo")

    def fault(self, request: Request) -> Fault:
        """What goes wrong at a request."""
        with self.lock:
            if request.number in self.at:
                return self.at.pop(request.number)
            for rule in self.faults:
                if rule.times and re.search(rule.pattern, request.line):
                    if rule.skip:
                        rule.skip -= 1
                        continue
                    rule.times -= 1
                    return rule.fault
        return Fault()

    def receive(self, request: Request) -> None:
        """Number a request and write it to the log."""
        with self.lock:
            self.under_way += 1
            self.log.append(request)
            request.number = len(self.log)

    def done(self) -> None:
        """A request is not under way any more."""
        with self.lock:
            self.under_way -= 1

    def answer(self, request: Request) -> Answer:
        """Do what is asked, with the faults that were ordered."""
        route = routes.find(request)
        key = request.parts.get("kind") or "models", request.parts.get("id", "")
        request.repository = self.repositories.get(key)
        fault = self.fault(request)
        request.fault = "" if type(fault) is Fault else str(fault)
        try:
            self.before(request)
            fault.before(request)
            self.admit(request, route.need)
            if route.reads and request.repository:
                request.refs = request.repo.refs_seen()
            answer = route.work(self, request)
        except Refused as refused:
            answer = refused.answer
        try:
            fault.after(request, answer)
        except Refused as refused:
            answer = refused.answer
        return answer


class _Handler(BaseHTTPRequestHandler):
    """One connection."""

    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = 1 << 16  # so that headers and body leave together
    hub: Hub
    storage: bool

    def log_message(self, *about: Any) -> None:
        pass

    def _work(self) -> None:
        body = self._body()
        request = Request(0, self.command, self.path, self.headers, body, self.storage, len(body))
        self.hub.receive(request)
        try:
            answer = self._answer(request)
            self.hub.after(request)
            self._send(request, answer)
        except Hangup as hangup:
            self._hang_up(hangup.reset)
        finally:
            request.body = b"" if self.storage else body
            self.hub.done()

    def _answer(self, request: Request) -> Answer:
        try:
            return self.hub.answer(request)
        except Hangup:
            raise
        except Exception:
            self.hub.mistakes.append(f"{request.line}\n{traceback.format_exc()}")
            return refuse(501, "A mistake in the Hub of the tests; see `mistakes`").answer

    def _body(self) -> bytes:
        if self.headers.get("Transfer-Encoding", "").lower() != "chunked":
            return self.rfile.read(int(self.headers.get("Content-Length", 0)))
        chunks = []
        while size := int(self.rfile.readline().split(b";")[0], 16):
            chunks.append(self.rfile.read(size))
            self.rfile.readline()
        self.rfile.readline()
        return b"".join(chunks)

    def _send(self, request: Request, answer: Answer) -> None:
        body = b"" if request.method == "HEAD" or answer.status == 304 else answer.body
        trace = self.headers.get("X-Amzn-Trace-Id", "")
        self.send_response(answer.status)
        for name, value in {**answer.headers, "X-Request-Id": f"Root=1-{request.number:08x};{trace}"}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(answer.body)))
        self.send_header("Connection", "close" if answer.cut is not None else "keep-alive")
        body = body if answer.cut is None else body[: answer.cut]
        request.status, request.sent = answer.status, len(body)
        self.end_headers()
        self.wfile.write(body)
        self.wfile.flush()
        if answer.cut is not None:
            self._hang_up()

    def _hang_up(self, reset: bool = False) -> None:
        self.close_connection = True
        if reset:
            self.connection.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, b"\1\0\0\0\0\0\0\0")
            self.connection.close()
        else:
            self.connection.shutdown(socket.SHUT_RDWR)

    do_GET = do_HEAD = do_POST = do_PUT = do_DELETE = _work


class _Server(ThreadingHTTPServer):
    daemon_threads = True
    request_queue_size = 64

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Those who ask may be killed at any time; all else is told."""
        if not isinstance(sys.exc_info()[1], (OSError, ValueError)):
            super().handle_error(request, client_address)


@contextmanager
def running(folder: Path) -> Iterator[Hub]:
    """A Hub that answers until the end of the block; its repositories lie in the folder.

    Raises:
        AssertionError: at the end, if a request met a mistake in the server itself.
    """
    hub = Hub(folder)
    with _listening(hub, storage=False) as hub.address, _listening(hub, storage=True) as hub.storage:
        yield hub
    assert not hub.mistakes, "\n\n".join(hub.mistakes)


@contextmanager
def _listening(hub: Hub, storage: bool) -> Iterator[str]:
    handler = type("Handler", (_Handler,), {"hub": hub, "storage": storage})
    with _Server(("127.0.0.1", 0), handler) as server:
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()
