"""What may go wrong at a request: each fault acts before the work is done, or after it, or on the answer."""

from __future__ import annotations

import subprocess
import time
from dataclasses import dataclass, field

from tests.hub.answers import Answer, Hangup, Refused, Request, refuse


class Fault:
    """Nothing goes wrong."""

    def before(self, request: Request) -> None:
        """Act before the work is done; an exception takes its place."""

    def after(self, request: Request, answer: Answer) -> None:
        """Act when the work is done and before it is answered; an exception takes the answer's place."""


@dataclass
class Cut(Fault):
    """The connection ends: before the work, after it, or after so many bytes of the answer's body."""

    after_work: bool = False
    body: int | None = None
    reset: bool = False

    def before(self, request: Request) -> None:
        if not self.after_work and self.body is None:
            raise Hangup(self.reset)

    def after(self, request: Request, answer: Answer) -> None:
        if self.body is None:
            raise Hangup(self.reset)
        answer.cut = self.body


@dataclass
class Kill(Fault):
    """The process that asks is killed: before the work is done, or when it is done and the answer is on its way."""

    process: subprocess.Popen[bytes] | subprocess.Popen[str]
    after_work: bool = False

    def before(self, request: Request) -> None:
        if not self.after_work:
            self.process.kill()
            raise Hangup

    def after(self, request: Request, answer: Answer) -> None:
        self.process.kill()
        raise Hangup


@dataclass
class Status(Fault):
    """Another status than the work deserves, be it done or not: 500, 502, 503 (with or without Retry-After), ..."""

    status: int
    retry_after: int | None = None
    after_work: bool = False
    message: str = "Internal Error - We're working hard to fix this as soon as possible!"

    def before(self, request: Request) -> None:
        if not self.after_work:
            raise self._refused()

    def after(self, request: Request, answer: Answer) -> None:
        raise self._refused()

    def _refused(self) -> Refused:
        refused = refuse(self.status, self.message)
        if self.status in (502, 503, 504):
            refused.answer.body = b"<html><body><h1>Service Unavailable</h1></body></html>"
            refused.answer.headers = {"Content-Type": "text/html"}
        if self.retry_after is not None:
            refused.answer.headers["Retry-After"] = str(self.retry_after)
        return refused


@dataclass
class Busy(Fault):
    """Too many requests: status 429 with the Hub's headers; the window ends in so many seconds."""

    seconds: int = 0

    def before(self, request: Request) -> None:
        message = "We had to rate limit you, you hit the quota of 500 api requests per 5 minutes period."
        refused = refuse(429, message)
        refused.answer.headers["RateLimit"] = f'"api";r=0;t={self.seconds}'
        refused.answer.headers["RateLimit-Policy"] = '"fixed window";"api";q=500;w=300'
        raise refused


@dataclass
class Quota(Fault):
    """There is no room left: 403 with the Hub's words, or 413."""

    status: int = 403

    def before(self, request: Request) -> None:
        full = "Private repository storage limit reached, please upgrade your plan to increase your private storage limit."
        raise refuse(self.status, "Payload too large" if self.status == 413 else full)


@dataclass
class Slow(Fault):
    """The answer takes its time."""

    seconds: float

    def before(self, request: Request) -> None:
        time.sleep(self.seconds)


@dataclass
class Stale(Fault):
    """After this write, so many reads of the repository still see the branches and tags as they were before it."""

    reads: int
    seen: dict[str, str] = field(default_factory=dict)

    def before(self, request: Request) -> None:
        self.seen = request.repo.refs()

    def after(self, request: Request, answer: Answer) -> None:
        request.repo.former, request.repo.stale_reads = self.seen, self.reads


@dataclass
class Conflict(Fault):
    """Somebody else's commit lands just before this request is worked on."""

    changes: dict[str, bytes | None] = field(default_factory=lambda: {"elsewhere.txt": b"somebody else was here\n"})

    def before(self, request: Request) -> None:
        request.repo.commit(self.changes, "A commit by somebody else", request.parts.get("revision", "main"), "somebody")
