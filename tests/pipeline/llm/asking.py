"""Words for tests that ask models: an office beside a server, a small question, the answers to it."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

from harness.errors import UserError
from pipeline.config import LlmConfig, ModelConfig
from pipeline.llm import Request
from pipeline.llm.desk import Office
from pipeline.llm.prompting import Prompt
from pipeline.llm.structured import Answer
from tests.pipeline.llm.model_server import Mind, ModelServer

KEY = "sk-very-secret-0123456789"


class Number(Answer):
    """What the tests ask for."""

    number: int


def model_at(address: str, **settings: Any) -> ModelConfig:
    """A model that gives up sooner than in builds."""
    return ModelConfig("mind", address, **{"seconds": 10.0, "attempts": 3, "max_answer_tokens": 100, **settings})


def request_to(server: ModelServer, text: str = "How many?", **settings: Any) -> Request:
    return Request(model_at(server.address, **settings), ({"role": "user", "content": text},))


def office_at(
    address: str, folder: Path, limits: LlmConfig | None = None, offline: bool = False, **settings: Any
) -> Office:
    """An office whose only model is called `one`."""
    models = (("one", model_at(address, **settings)),)
    return Office(limits or LlmConfig(), models, folder / "answers", folder / "account.json", offline)


def question(text: str = "How many?") -> Prompt:
    return Prompt("count@0", ({"role": "system", "content": "You count."}, {"role": "user", "content": text}))


def number(value: int = 7) -> str:
    return json.dumps({"number": value})


def always(text: str) -> Mind:
    return lambda body: text


def ask_many(office: Office, count: int, threads: int = 16, name: str = "Question") -> tuple[int, list[str]]:
    """How many of some questions are answered, and the sentences in which the others end."""
    def ask(place: int) -> str:
        try:
            office.desk("try", "one").ask("one", question(f"{name} {place}"), Number)
        except UserError as error:
            return str(error)
        return ""

    with ThreadPoolExecutor(threads) as pool:
        said = list(pool.map(ask, range(count)))
    return said.count(""), [one for one in said if one]


def in_turn(*texts: str) -> Mind:
    """One text after the other, the last for ever."""
    left = list(texts)
    return lambda body: left.pop(0) if len(left) > 1 else left[0]


def everything_in(folder: Path) -> str:
    """All that lies below a folder, as one text."""
    return "\n".join(path.read_text("utf-8", "replace") for path in sorted(folder.rglob("*")) if path.is_file())


def completion(content: Any, **more: Any) -> bytes:
    """An answer of the protocol around any content."""
    choice = {"index": 0, "message": {"role": "assistant", "content": content}, "finish_reason": "stop"}
    return json.dumps({"choices": [{**choice, **more}]}).encode()
