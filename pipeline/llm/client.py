"""The OpenAI-compatible protocol: one request, one reply, by base URL, model and key.

What a server does not know of the protocol (structured answers, seeds, names of limits) is left out from then on. What
ends a request for good is our failure or the user's, told in one sentence; no candidate is judged by it.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

import openai

from harness.errors import UserError
from pipeline.config import ModelConfig
from pipeline.llm import Reply, Request
from pipeline.llm.ledger import estimated_tokens
from pipeline.llm.transport import Bounded

TOLD = 200
"""Characters of a server's own words that are shown."""
_NO_ANSWER = re.compile(r"context|too long|too large|maximum.{0,20}token|content.?(?:filter|policy|management)", re.I)
"""Refusals that are about this one question, and will be the same each time."""


@dataclass(frozen=True)
class _Manner:
    """How a server wants to be spoken to."""

    structured: str = "schema"
    seed: bool = True
    temperature: bool = True
    limit: str = "max_tokens"


def _without_structure(manner: _Manner) -> _Manner:
    return replace(manner, structured={"schema": "object"}.get(manner.structured, "text"))


_CONCESSIONS: tuple[tuple[str, Callable[[_Manner], _Manner]], ...] = (
    ("max_completion_tokens", lambda manner: replace(manner, limit="max_completion_tokens")),
    ("temperature", lambda manner: replace(manner, temperature=False)),
    ("seed", lambda manner: replace(manner, seed=False)),
    ("response_format", _without_structure),
    ("schema", _without_structure),
    ("grammar", _without_structure),
)
"""Words of a refusal, with what is done differently after it; the first that changes anything counts."""


class Client:
    """A connection to one model; threads may share it."""

    def __init__(self, model: ModelConfig) -> None:
        self.model = model
        self._key = _key_of(model)
        self._manner = _Manner(structured=model.structured)
        self._client = openai.OpenAI(
            base_url=model.base_url, api_key=self._key or "none", timeout=model.seconds, max_retries=model.attempts - 1,
            http_client=openai.DefaultHttpxClient(transport=Bounded(model.seconds), follow_redirects=False),
        )

    def ask(self, request: Request) -> Reply:
        """The reply to a request; raises `UserError` where the server gives none that counts."""
        while True:
            manner = self._manner
            try:
                return self._reply(request, self._client.chat.completions.create(**_arguments(request, manner)))
            except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
                if _NO_ANSWER.search(_said(error)):
                    return Reply("", "refused", 0, 0)
                self._manner = self._conceded(manner, error) or self._plainer(manner, error)
            except openai.InternalServerError as error:
                # Some servers fail over what they do not know, and say over what.
                conceded = self._conceded(manner, error)
                if conceded is None:
                    raise UserError(self._told(error)) from None
                self._manner = conceded
            except (openai.OpenAIError, ValueError) as error:
                raise UserError(self._told(error)) from None

    def _reply(self, request: Request, completion: Any) -> Reply:
        choices = getattr(completion, "choices", None)
        if not isinstance(choices, list) or not choices:
            raise UserError(self._ending("answers with something else than a completion", "check base_url"))
        text = getattr(getattr(choices[0], "message", None), "content", None)
        text = text.encode("utf-8", "replace").decode() if isinstance(text, str) else ""
        counts = [getattr(completion.usage, name, None) for name in ("prompt_tokens", "completion_tokens")]
        guesses = sum(estimated_tokens(m["content"]) for m in request.messages), estimated_tokens(text)
        counted = [n if type(n) is int and n >= 0 else guess for n, guess in zip(counts, guesses, strict=True)]
        finish = choices[0].finish_reason
        return Reply(text, finish if isinstance(finish, str) else "stop", *counted)

    def _conceded(self, manner: _Manner, error: openai.APIStatusError) -> _Manner | None:
        """What to try after a refusal that names something, None where it names nothing that could be left out."""
        said = _said(error).lower()
        tried = (concession(manner) for word, concession in _CONCESSIONS if word in said)
        return next((other for other in tried if other != manner), None)

    def _plainer(self, manner: _Manner, error: openai.APIStatusError) -> _Manner:
        """What to try after a refusal that names nothing; raises where nothing is left."""
        if manner.structured == "text":
            raise UserError(self._told(error)) from None
        return _without_structure(manner)

    def _told(self, error: Exception) -> str:
        """One sentence with the cure; the key is not in it, even where the server repeats it."""
        said = re.sub(r"\s+", " ", re.sub(r"[^ -~]", " ", _said(error)))[:TOLD].strip()
        if self._key:
            said = said.replace(self._key, "***")
        if isinstance(error, (openai.AuthenticationError, openai.PermissionDeniedError)):
            where = f"the environment variable {self.model.key}" if self.model.key else "key, an environment variable,"
            return self._ending("refuses the key", f"set {where} to one that it takes", said)
        if isinstance(error, openai.NotFoundError):
            return self._ending("does not know the model or the address", "correct model and base_url", said)
        if isinstance(error, openai.RateLimitError):
            return self._ending("allows no more requests", "wait, or set requests_per_minute, or mend the quota", said)
        if isinstance(error, openai.APIConnectionError):
            what = "does not answer in time" if isinstance(error, openai.APITimeoutError) else "can't be reached"
            return self._ending(what, "start the server, correct base_url, or build with --offline", said)
        if isinstance(error, openai.APIStatusError):
            return self._ending(f"answers with status {error.status_code}", "look at the server and try again", said)
        return self._ending("answers with what is no JSON of the protocol", "check base_url", said)

    def _ending(self, what: str, cure: str, said: str = "") -> str:
        quoted = f' (it says: "{said}")' if said else ""
        return f"{self.model.model} at {self.model.base_url} {what}{quoted}: {cure}. No answer is lost."


@cache
def client_of(model: ModelConfig) -> Client:
    """The one connection of this process to a model."""
    return Client(model)


def _key_of(model: ModelConfig) -> str:
    if not model.key:
        return ""
    key = os.environ.get(model.key, "").strip()
    if not key:
        raise UserError(f"{model.model} needs a key: set the environment variable {model.key} to it, or use --offline.")
    return key


def _arguments(request: Request, manner: _Manner) -> dict[str, Any]:
    given: dict[str, Any] = {"model": request.model.model, "messages": [dict(m) for m in request.messages]}
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


def _said(error: Exception) -> str:
    """A server's own words."""
    body = getattr(error, "body", None)
    message = body.get("message") if isinstance(body, dict) else None
    details = f"{message} {body.get('code') or ''} {body.get('param') or ''}" if isinstance(body, dict) else ""
    return details.strip() or str(getattr(error, "message", "") or error)
