"""A client of GitHub's REST API through PyGithub: patient, cached on disk, and silent about its token."""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from functools import cached_property
from pathlib import Path
from typing import Any
from urllib.parse import urlencode, urlsplit

import requests
from github import Auth, Github, GithubException
from urllib3 import Retry

from harness import __version__
from harness.errors import UserError
from pipeline import progress, store
from pipeline.sources.retrying import Again, trying

TOKENS = ("GITHUB_TOKEN", "GH_TOKEN")
"""The environment variables that may hold a token; the first that is set counts."""

_TIMEOUT = 60
_PROCESSING = 202
_LIMITS = (403, 429)
_SKEW = 5


@dataclass(frozen=True)
class Answer:
    """What GitHub said: `status` is the last one of HTTP, `more` whether a next page exists."""

    status: int
    data: Any
    more: bool = False

    @property
    def refusal(self) -> str:
        """The evidence of an answer that is none: its status and GitHub's own words."""
        said = self.data.get("message") if isinstance(self.data, dict) else None
        return f"GitHub answered {self.status}" + (f": {' '.join(str(said).split())[:200]}" if said else "")


class _Unfinished(Again):
    """An answer that is not all there is to say."""

    def __init__(self, answer: Answer) -> None:
        super().__init__("its answer is not whole")
        self.answer = answer


@dataclass(frozen=True)
class GitHub:
    """GitHub, or a GitHub Enterprise server, at an address; what it answered once is kept in `cache`.

    `pause` doubles from one of the `attempts` to the next, `unsaid` is waited when a limit does not say how long, and
    `longest` is the longest wait that is taken; all in seconds.
    """

    address: str
    cache: Path
    offline: bool = False
    token: str = field(default="", repr=False)
    attempts: int = 6
    pause: float = 1.0
    unsaid: float = 60.0
    longest: float = 4000.0
    asked: Counter[str] = field(default_factory=Counter, repr=False, compare=False)

    def get(
        self,
        path: str,
        parameters: dict[str, str | int] | None = None,
        keep: Callable[[Any], Any] = lambda data: data,
        whole: Callable[[Any], bool] = lambda data: True,  # noqa: ARG005
    ) -> Answer:
        """The answer to a question: the one that is kept, or GitHub's.

        `keep` takes from an answer what is wanted of it; one that is not `whole` is asked for again, but taken in the
        end. Refusals (404, 409, 451, ...) are answers too; faults that last and a refused token raise `UserError`.
        """
        question = f"{path}?{urlencode(sorted((parameters or {}).items()))}"
        kept = self.folder / f"{hashlib.sha256(question.encode()).hexdigest()}.json"
        if (found := _read(kept, question)) is not None:
            self.asked["kept"] += 1
            return found
        if self.offline:
            raise UserError(f"What GitHub says of {path} is not in the cache: run once without --offline.")
        self.asked["new"] += 1
        answer = self._persist(path, parameters or {}, whole)
        if answer.status == 200:
            try:
                answer = Answer(answer.status, keep(answer.data), answer.more)
            except (KeyError, TypeError):
                raise UserError(f"{self._host} does not answer as GitHub does: correct address in [github].") from None
        text = self._hidden(json.dumps({"question": question, **vars(answer)}, ensure_ascii=False))
        store.write_bytes(kept, text.encode("utf-8", "backslashreplace"))
        return _read(kept, question) or answer

    @property
    def folder(self) -> Path:
        """Where the answers are kept: files of JSON, named by the hash of the question."""
        return self.cache / "github" / re.sub(r"[^\w.-]+", "-", self.address.partition("://")[2]).strip("-")

    @cached_property
    def _api(self) -> Github:
        logging.getLogger("github.Requester").setLevel(logging.WARNING)  # it would write between the bars
        return Github(
            base_url=self.address, auth=Auth.Token(self.token) if self.token else None, timeout=_TIMEOUT,
            user_agent=f"code2bench/{__version__}", seconds_between_requests=None,
            retry=Retry(total=0, status_forcelist=(_PROCESSING,)), api_version="2022-11-28",
        )  # fmt: skip

    def _persist(self, path: str, parameters: dict[str, str | int], whole: Callable[[Any], bool]) -> Answer:
        def asked() -> Answer:
            answer = self._ask(path, parameters)
            if answer.status == 200 and not whole(answer.data):
                raise _Unfinished(answer)
            return answer

        try:
            return trying(asked, self.attempts, self.pause, self._wait)
        except _Unfinished as last:
            return last.answer
        except Again as fault:
            cure = "check the network and run again, nothing is lost"
            raise UserError(f"{self._host} can't be asked for {path} ({fault}): {cure}.") from None

    def _wait(self, seconds: float, fault: Again) -> None:
        until = f"{datetime.fromtimestamp(time.time() + seconds, UTC):%H:%M} UTC"
        if seconds > self.longest:
            raise UserError(
                f"{self._host} asks to wait until {until} ({fault}): run the same command again then, nothing is lost."
            ) from None
        if seconds >= 5 and not isinstance(fault, _Unfinished):
            progress.say(f"{self._host}: {fault}; going on at {until}.")
        time.sleep(seconds)

    def _ask(self, path: str, parameters: dict[str, str | int]) -> Answer:
        try:
            headers, data = self._api.requester.requestJsonAndCheck("GET", path, dict(parameters))
        except GithubException as error:
            return self._refused(error)
        except (requests.RequestException, json.JSONDecodeError, UnicodeDecodeError) as error:
            raise Again(type(error).__name__) from None
        except RecursionError:
            return Answer(301, {"message": "its redirections never end"})
        except RuntimeError as error:
            said = self._hidden(str(error)).partition(",")[0]
            raise UserError(f"{said}: correct address in the configuration's [github].") from None
        if not isinstance(data, dict | list):
            raise Again("it sent no JSON")
        return Answer(200, data, 'rel="next"' in str(headers.get("link", "")))

    def _refused(self, error: GithubException) -> Answer:
        headers = error.headers or {}
        said = str(error.data.get("message", "")) if isinstance(error.data, dict) else ""
        if error.status == 401:
            raise UserError(f"{self._host} refuses the token: set {TOKENS[0]} to a valid one, or unset it.") from None
        if error.status >= 500:
            raise Again(f"it answered {error.status}")
        if error.status in _LIMITS:
            pause = _asked_pause(headers)
            if pause is None and (error.status == 429 or re.search(r"rate limit|abuse", said, re.I)):
                pause = self.unsaid
            if pause is not None:
                raise Again("its rate limit is used up", pause)
        return Answer(error.status, {"message": self._hidden(said)})

    def _hidden(self, text: str) -> str:
        return text.replace(self.token, "***") if self.token else text

    @property
    def _host(self) -> str:
        return urlsplit(self.address).hostname or self.address


def _asked_pause(headers: dict[str, str]) -> float | None:
    """How long a limit asks to wait, in seconds; None when it does not say, or when it is no limit."""
    asked, reset = headers.get("retry-after", ""), headers.get("x-ratelimit-reset", "")
    if asked.isdigit():
        return float(asked)
    if headers.get("x-ratelimit-remaining") == "0" and reset.isdigit():
        return max(0.0, float(reset) - _now(headers))
    return None


def _now(headers: dict[str, str]) -> float:
    """The time by our clock; by the server's where they disagree."""
    own = time.time()
    try:
        said = parsedate_to_datetime(headers.get("date", "")).timestamp()
    except (TypeError, ValueError):
        return own
    return own if abs(own - said) < _SKEW else said


def _read(kept: Path, question: str) -> Answer | None:
    """The answer that a file holds, None where it holds none: it is damaged then, or of another question."""
    try:
        raw = json.loads(kept.read_text("utf-8"))
        return Answer(raw["status"], raw["data"], raw["more"]) if raw["question"] == question else None
    except (OSError, ValueError, KeyError, TypeError):
        return None


def token_from(environment: os._Environ[str] | dict[str, str], address: str) -> str:
    """The token that the environment holds, "" for none; refused where it would travel unprotected."""
    name = next((name for name in TOKENS if environment.get(name, "").strip()), "")
    if not name:
        return ""
    token = environment[name].strip()
    if not re.fullmatch(r"[\w.~+/=-]+", token, re.ASCII):
        raise UserError(f"{name} holds characters that no token has: copy it anew, or unset it.")
    where = urlsplit(address)
    if where.scheme != "https" and where.hostname not in ("127.0.0.1", "::1", "localhost"):
        raise UserError(f"{name} would travel to {where.hostname} unprotected: use an address with https, or unset it.")
    return token
