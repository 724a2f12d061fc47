"""What comes in and what goes out: a request, which is also its line in the log, and an answer in the Hub's shape."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from email.message import Message
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qs, urlsplit

if TYPE_CHECKING:
    from tests.hub.repository import Repository

MISSING = "Repository not found"
LOG_IN = "Invalid username or password."


@dataclass(frozen=True)
class Account:
    """Whom a token belongs to, and what the token may do: `none`, `read` or `write`."""

    name: str
    right: str = "write"
    orgs: tuple[str, ...] = ()

    @property
    def namespaces(self) -> tuple[str, ...]:
        return (self.name, *self.orgs)


@dataclass
class Request:
    """A request; `status`, `sent` (bytes of the answer's body) and `fault` are known once it is answered.

    The status is 0 while nothing has been answered, and stays 0 if the connection is cut.
    """

    number: int
    method: str
    address: str
    headers: Message = field(repr=False, default_factory=Message)
    body: bytes = field(repr=False, default=b"")
    storage: bool = False
    received: int = 0
    status: int = 0
    sent: int = 0
    fault: str = ""
    account: Account | None = field(repr=False, default=None)
    repository: Repository | None = field(repr=False, default=None)
    parts: dict[str, str] = field(repr=False, default_factory=dict)
    refs: dict[str, str] = field(repr=False, default_factory=dict)

    @property
    def path(self) -> str:
        """The address without its query, still quoted."""
        return urlsplit(self.address).path

    @property
    def query(self) -> dict[str, list[str]]:
        return parse_qs(urlsplit(self.address).query)

    @property
    def line(self) -> str:
        """The method and the address: what the patterns of faults look at."""
        return f"{self.method} {self.address}"

    @property
    def json(self) -> dict[str, Any]:
        try:
            read = json.loads(self.body or b"{}")
        except ValueError as error:
            raise refuse(400, f"Invalid JSON: {error}") from error
        return read if isinstance(read, dict) else {}

    @property
    def repo(self) -> Repository:
        """The repository; only asked for where the address names one and it has been found."""
        assert self.repository
        return self.repository


@dataclass
class Answer:
    """An answer; after `cut` bytes of its body the connection is closed."""

    status: int
    body: bytes = b""
    headers: dict[str, str] = field(default_factory=dict)
    cut: int | None = None


class Refused(Exception):
    """A request that is answered with an error."""

    def __init__(self, answer: Answer) -> None:
        super().__init__(answer.status, answer.body)
        self.answer = answer


class Hangup(Exception):
    """The connection ends without an answer: in order, or by a reset."""

    def __init__(self, reset: bool = False) -> None:
        super().__init__()
        self.reset = reset


def told(value: Any, status: int = 200) -> Answer:
    """An answer in JSON."""
    return Answer(status, json.dumps(value, default=str).encode(), {"Content-Type": "application/json; charset=utf-8"})


def refuse(status: int, message: str, code: str = "", **more: Any) -> Refused:
    """An error as the Hub gives it: in the body and in two headers."""
    answer = told({"error": message, **more}, status)
    answer.headers["X-Error-Message"] = " ".join(message.encode("ascii", "replace").decode().split())
    if code:
        answer.headers["X-Error-Code"] = code
    return Refused(answer)


def missing_entry(message: str, commit: str = "") -> Refused:
    """There is no such file; the commit is named, so that clients can remember it."""
    refused = refuse(404, message, "EntryNotFound")
    if commit:
        refused.answer.headers["X-Repo-Commit"] = commit
    return refused
