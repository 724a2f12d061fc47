"""Asking language models: one OpenAI-compatible client, prompts as files, every answer kept on disk and paid for once.

`desk` is what stages use: it asks from the cache or the server, checks the form of an answer, and asks again with what
is wrong. `client` speaks to servers, `ledger` keeps budgets and rates over all processes, `cache` keeps the answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from harness.errors import UserError
from harness.records import CANARY, canonical_json, digest
from pipeline.config import ModelConfig

Message = Mapping[str, str]
"""A turn of a conversation: `role` and `content`."""


@dataclass(frozen=True)
class Request:
    """All that an answer depends on; two equal requests are one, and its answer is paid for once."""

    model: ModelConfig
    messages: Sequence[Message]
    schema: dict[str, Any] | None = None
    seed: int = 0
    temperature: float = 0.0

    @property
    def document(self) -> dict[str, Any]:
        """The request as it is kept and published; nothing in it is secret."""
        return {
            "asked": self.model.identity or f"{self.model.base_url} {self.model.model}",
            "messages": [dict(message) for message in self.messages],
            "schema": self.schema,
            "seed": self.seed,
            "temperature": self.temperature,
            "max_answer_tokens": self.model.max_answer_tokens,
        }

    @property
    def key(self) -> str:
        """The name under which the answer is kept (SHA-256, hex)."""
        return digest(canonical_json(self.document))


@dataclass(frozen=True)
class Reply:
    """What a server answered: the text, why it ended (`stop`, `length`, `refused`, ...), and what it cost in tokens."""

    text: str
    finish: str
    input_tokens: int
    output_tokens: int


class Passing(UserError):
    """A failure that may pass: `wait` is the seconds that the server asks for, if it does.

    `lost` says that the server may have answered, and counts it, although no answer has come.
    """

    def __init__(self, message: str, wait: float = 0.0, lost: bool = False) -> None:
        super().__init__(message)
        self.wait = wait
        self.lost = lost


@dataclass(frozen=True)
class Exchange:
    """One question and its answer, as a release publishes it: from these, a build can be repeated without a server.

    `prompt` is the prompt's file and the hash of its text; `fault` says what was wrong with the answer, "" if nothing.
    `cost` is in US dollars, by the prices of the configuration.
    """

    key: str
    stage: str
    record_id: str
    prompt: str
    model: str
    request: str
    answer: str
    finish: str
    input_tokens: int
    output_tokens: int
    cost: float
    fault: str
    canary: str = CANARY

    @property
    def id(self) -> str:
        """The key, under the name that all records of the flow have for theirs."""
        return self.key
