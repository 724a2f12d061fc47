"""The OpenAI-compatible protocol: one request, one reply, by base URL, model and key.

What a server does not know of the protocol (structured answers, seeds, names of limits) is left out from then on. What
ends a request for good is our failure or the user's, told in one sentence; no candidate is judged by it. What may pass
is raised as `Passing`: whoever asks tries again, so that each attempt is allowed and counted on its own.
"""

from __future__ import annotations

import json
import os
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from email.utils import parsedate_to_datetime
from functools import cache
from threading import Lock
from time import time
from typing import Any

import httpx2
import openai

from harness.errors import UserError
from pipeline.config import ModelConfig
from pipeline.llm import Passing, Reply, Request
from pipeline.llm.ledger import estimated_tokens
from pipeline.llm.transport import Bounded

TOLD = 200
"""Characters of a server's own words that are shown."""
LONGEST_WAIT = 120.0
"""Seconds that a server may ask to wait; where it asks for more, the build ends and says so."""
SECRET = 8
"""Characters from which on a key is taken out of answers: shorter ones (`none`, `EMPTY`) are words like others."""
MOST_TOKENS = 1_000_000_000
"""Counts from a server above this are nonsense."""
_READ = 20_000
_NO_ANSWER = re.compile(r"context|too long|too large|maximum.{0,20}token|content.?(?:filter|policy|management)", re.I)
"""Refusals that are about this one question, and will be the same each time."""
_LIMIT = re.compile(r"max_(?:completion_)?tokens\W+is too large", re.I)
"""A refusal of `max_answer_tokens` itself, unless it speaks of the context."""


@dataclass(frozen=True)
class _Manner:
    """How a server wants to be spoken to."""

    structured: str = "schema"
    seed: bool = True
    temperature: bool = True
    limit: str = "max_tokens"


def _without_structure(manner: _Manner) -> _Manner:
    return replace(manner, structured={"schema": "object"}.get(manner.structured, "text"))


def _other_limit(manner: _Manner) -> _Manner:
    return replace(manner, limit="max_completion_tokens")


_CONCESSIONS: tuple[tuple[str, Callable[[_Manner], _Manner]], ...] = (
    ("max_completion_tokens", _other_limit),
    ("max_tokens", _other_limit),
    ("temperature", lambda manner: replace(manner, temperature=False)),
    ("seed", lambda manner: replace(manner, seed=False)),
    ("response_format", _without_structure),
    ("schema", _without_structure),
    ("grammar", _without_structure),
)
"""Words of a refusal, with what is done differently after it; the first that changes anything counts."""


def _named(manner: _Manner, error: openai.APIStatusError) -> _Manner | None:
    """What to try after a refusal that names something, None where it names nothing that could be left out."""
    said = _said(error).lower()
    tried = (concession(manner) for word, concession in _CONCESSIONS if word in said)
    return next((other for other in tried if other != manner), None)


class Client:
    """A connection to one model; threads may share it."""

    def __init__(self, model: ModelConfig) -> None:
        self.model = model
        self._key = _key_of(model)
        self._manner = _Manner(structured=model.structured)
        self._lock = Lock()
        # Named here, so that no key or header that the environment holds for another server takes its place.
        headers = {"Authorization": f"Bearer {self._key or 'none'}"}
        self._client = openai.OpenAI(
            base_url=model.base_url, api_key=self._key or "none", timeout=model.seconds, max_retries=0,
            default_headers=headers,
            http_client=openai.DefaultHttpxClient(
                transport=Bounded(model.seconds, model.base_url), follow_redirects=False),
        )

    def ask(self, request: Request) -> Reply:
        """The reply to a request; raises `UserError` where the server gives none that counts, `Passing` among them."""
        while True:
            manner = self._manner
            try:
                response = self._client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=_arguments(request, manner))
                return self._reply(request, self._completion(response))
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if self._refused(error):
                    return Reply("", "refused", 0, 0)
                self._concede(manner, error)
            except openai.InternalServerError as error:
                # Some servers fail over what they do not know, and say over what.
                if _named(manner, error) is None:
                    raise self._failure(error) from None
                self._concede(manner, error)
            except openai.OpenAIError as error:
                if getattr(error, "status_code", 0) == 413:
                    return Reply("", "refused", 0, 0)
                raise self._failure(error) from None

    def _completion(self, response: httpx2.Response) -> Any:
        """The JSON of an answer; what says that it is JSON, and is not, was cut off on its way."""
        try:
            return json.loads(response.content)
        except (ValueError, RecursionError):
            told = self._ending("answers with what is no JSON of the protocol", "check base_url")
            is_json = "json" in response.headers.get("content-type", "")
            raise (Passing(told, lost=True) if is_json else UserError(told)) from None

    def _reply(self, request: Request, completion: Any) -> Reply:
        choice = _at(completion, "choices", 0)
        if not isinstance(choice, dict):
            raise UserError(self._ending("answers with something else than a completion", "check base_url"))
        text = self._open(_text(_at(choice, "message", "content")))
        guesses = sum(estimated_tokens(m["content"]) for m in request.messages), estimated_tokens(text)
        counts = (_at(completion, "usage", name) for name in ("prompt_tokens", "completion_tokens"))
        counted = [n if type(n) is int and 0 < n <= MOST_TOKENS else guess
                   for n, guess in zip(counts, guesses, strict=True)]
        finish = {"length": "length", "content_filter": "refused"}.get(str(_at(choice, "finish_reason")), "stop")
        return Reply(text, finish, *counted)

    def _refused(self, error: openai.APIStatusError) -> bool:
        """Whether a refusal is about the one question; raises where it is about the answers' length."""
        said = _said(error)
        if _LIMIT.search(said) and "context" not in said.lower():
            few = f"gives no answers of {self.model.max_answer_tokens:,} tokens"
            raise UserError(self._ending(few, "lower max_answer_tokens", said))
        return bool(_NO_ANSWER.search(said))

    def _concede(self, manner: _Manner, error: openai.APIStatusError) -> None:
        """Speak otherwise after a refusal, unless another thread has begun to; raises where nothing is left."""
        with self._lock:
            if self._manner == manner:
                self._manner = self._conceded(manner, error)

    def _conceded(self, manner: _Manner, error: openai.APIStatusError) -> _Manner:
        named = _named(manner, error)
        if named is None and manner.structured == "text":
            raise self._failure(error) from None
        return named or _without_structure(manner)

    def _failure(self, error: Exception) -> UserError:
        """What an error comes to, in one sentence with the cure; `Passing` where another attempt may do better."""
        told = self._told(error)
        if isinstance(error, openai.APIConnectionError):
            before = isinstance(error.__cause__, (httpx2.ConnectError, httpx2.ConnectTimeout, httpx2.ProxyError))
            return Passing(told, lost=not before)
        if isinstance(error, openai.APIStatusError) and (
                error.status_code in (408, 409, 429) or error.status_code >= 500):
            wait = _wait(error.response.headers)
            return Passing(told, wait) if wait <= LONGEST_WAIT else UserError(told)
        return UserError(told)

    def _told(self, error: Exception) -> str:
        said = _said(error)
        if isinstance(error, (openai.AuthenticationError, openai.PermissionDeniedError)):
            where = f"the environment variable {self.model.key}" if self.model.key else "key, an environment variable,"
            return self._ending("refuses the key", f"set {where} to one that it takes", said)
        if isinstance(error, openai.NotFoundError):
            return self._ending("does not know the model or the address", "correct model and base_url", said)
        if isinstance(error, openai.RateLimitError):
            return self._ending("allows no more requests", "wait, or set requests_per_minute, or mend the quota", said)
        if isinstance(error, openai.APIConnectionError):
            what = "does not answer in time" if isinstance(error, openai.APITimeoutError) else "can't be reached"
            reason = str(error.__cause__ or "") or said
            return self._ending(what, "start the server, correct base_url, or build with --offline", reason)
        if isinstance(error, openai.APIStatusError):
            return self._ending(f"answers with status {error.status_code}", "look at the server and try again", said)
        return self._ending("can't be asked", "look at the server and try again", said)

    def _ending(self, what: str, cure: str, said: str = "") -> str:
        """The sentence; the key is not in it, even where the server repeats it."""
        said = re.sub(r"\s+", " ", re.sub(r"[^ -~]", " ", said)).replace(self._key or "\n", "***")
        said = said.strip()[:TOLD].strip()
        quoted = f' (it says: "{said}")' if said else ""
        return f"{self.model.model} at {self.model.base_url} {what}{quoted}: {cure}. No answer is lost."

    def _open(self, text: str) -> str:
        """A text without the key: what servers say is kept and published."""
        return text.replace(self._key, "***") if len(self._key) >= SECRET else text


def client_of(model: ModelConfig) -> Client:
    """The one connection of this process to a model; a fork has its own, as two can't share a wire."""
    return _client(model, os.getpid())


@cache
def _client(model: ModelConfig, process: int) -> Client:
    del process
    return Client(model)


def _key_of(model: ModelConfig) -> str:
    if not model.key:
        return ""
    key = os.environ.get(model.key, "").strip()
    if not key:
        raise UserError(f"{model.model} needs a key: set the environment variable {model.key} to it, or use --offline.")
    if not re.fullmatch("[!-~]+", key):
        raise UserError(
            f"The environment variable {model.key} holds no key, because a key has neither spaces nor accents: set it "
            f"to the key of {model.model} alone."
        )
    return key


def _arguments(request: Request, manner: _Manner) -> dict[str, Any]:
    messages = [{role: _sendable(text) for role, text in message.items()} for message in request.messages]
    given: dict[str, Any] = {"model": request.model.model, "messages": messages}
    given[manner.limit] = request.model.max_answer_tokens
    if manner.temperature:
        given["temperature"] = request.temperature
    if manner.seed:
        given["seed"] = request.seed
    if request.schema is not None and manner.structured == "schema":
        given["response_format"] = {"type": "json_schema", "json_schema": request.schema}
    if request.schema is not None and manner.structured == "object":
        given["response_format"] = {"type": "json_object"}
    return given


def _sendable(text: str) -> str:
    """A text without half characters (lone surrogates), which no wire carries."""
    return text.encode("utf-8", "replace").decode()


def _at(value: Any, *path: str | int) -> Any:
    """What lies deep in a JSON value, None where there is nothing."""
    for step in path:
        if isinstance(value, dict) and isinstance(step, str):
            value = value.get(step)
        elif isinstance(value, list) and isinstance(step, int) and step < len(value):
            value = value[step]
        else:
            return None
    return value


def _text(content: Any) -> str:
    """The text of a message, which some servers give in parts."""
    parts = content if isinstance(content, list) else [content]
    texts = [part if isinstance(part, str) else _at(part, "text") for part in parts]
    return _sendable("".join(text for text in texts if isinstance(text, str)))


def _said(error: Exception) -> str:
    """A server's own words, the first of them."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    details = f"{message} {body.get('code') or ''} {body.get('param') or ''}" if isinstance(body, dict) else ""
    return (details.strip() or str(getattr(error, "message", "") or error))[:_READ]


def _wait(headers: Mapping[str, str]) -> float:
    """The seconds that a server asks to wait, 0 where it does not say."""
    for name, unit in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        try:
            return max(0.0, float(headers[name]) * unit)
        except (KeyError, ValueError):
            continue
    try:
        return max(0.0, parsedate_to_datetime(headers["retry-after"]).timestamp() - time())
    except (KeyError, ValueError, OverflowError):
        return 0.0
