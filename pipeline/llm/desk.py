"""Where stages ask: from the cache or the server, with the form of each answer checked, and all of it written down."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from threading import Lock, local
from typing import TYPE_CHECKING, TypeVar

from pydantic import BaseModel

from harness.errors import UserError
from harness.records import canonical_json
from pipeline.config import LlmConfig, ModelConfig
from pipeline.llm import Exchange, Message, Passing, Reply, Request
from pipeline.llm.cache import AnswerCache
from pipeline.llm.ledger import Ledger, cost_of
from pipeline.llm.prompting import Prompt, further
from pipeline.llm.structured import Misfit, read, schema_of
from pipeline.progress import Progress

if TYPE_CHECKING:
    from pipeline.llm.client import Client

A = TypeVar("A", bound=BaseModel)
In = TypeVar("In")
Out = TypeVar("Out")

MOST_SHOWN = 20_000
"""Characters of a faulty answer that are shown to the model again."""
NOTHING = "(nothing)"
"""What stands for an empty answer in a conversation, as not all servers take an empty turn."""
FIRST_PAUSE, LONGEST_PAUSE = 0.5, 8.0
"""Seconds before another attempt, each time twice as many."""
THREADS = 64
"""Questions of one process that are under way at a time, at most; how many each model gets, its `concurrency` says."""


@dataclass(frozen=True)
class Office:
    """What all questions of a build share: its models by name, its limits, where answers and the account are kept."""

    limits: LlmConfig = field(default_factory=LlmConfig)
    models: tuple[tuple[str, ModelConfig], ...] = ()
    folder: Path = Path()
    account: Path = Path()
    offline: bool = False

    def model(self, name: str) -> ModelConfig:
        """The model that a stage's settings name."""
        return dict(self.models)[name]

    @cached_property
    def cache(self) -> AnswerCache:
        """The answers on disk."""
        return AnswerCache(self.folder)

    @cached_property
    def ledger(self) -> Ledger:
        """The account of the build."""
        return Ledger(self.account, self.limits)

    def check(self, names: Iterable[str]) -> None:
        """Whether models can be asked at all: before hours of work, their packages and keys are looked for."""
        for name in names:
            _server(self.model(name))

    def desk(self, stage: str, record_id: str) -> Desk:
        """Where questions about one record are asked."""
        return Desk(self, stage, record_id)


@dataclass
class Desk:
    """Asks about one record, and keeps what was said; threads may share it."""

    office: Office
    stage: str
    record_id: str
    _said: dict[str, Exchange] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def ask(
        self, model: str, prompt: Prompt, kind: type[A], objection: Callable[[A], str] = lambda _: "", seed: int = 0,
        repairs: int | None = None, repair: str = "repair",
    ) -> A | None:
        """An answer of the type that has no objection to it, None where the model has none.

        What is wrong goes back to the model in the prompt `repair`, at most `repairs` times (by default as the
        configuration says).
        """
        messages: tuple[Message, ...] = prompt.messages
        shown = "\n".join(message["content"] for message in messages)
        most = self.office.limits.repairs if repairs is None else repairs
        for again in range(most + 1):
            request = Request(self.office.model(model), messages, schema_of(kind), seed)
            reply = self._reply(request)
            answer, fault = _read(reply, kind, shown)
            fault = fault or (objection(answer) if answer is not None else "")
            self._note(request, reply, prompt.name, model, fault)
            if not fault or reply.finish == "refused" or again == most:
                return None if fault else answer
            messages = further(prompt.messages, reply.text[:MOST_SHOWN].strip() or NOTHING, repair, fault=fault)
        return None

    def text(
        self, model: str, messages: Sequence[Message], name: str, seed: int = 0, temperature: float = 0.0
    ) -> str:
        """A free answer, "" where there is none; `name` says what was asked."""
        request = Request(self.office.model(model), tuple(messages), None, seed, temperature)
        reply = self._reply(request)
        self._note(request, reply, name, model, "" if reply.text else f"It said nothing ({reply.finish}).")
        return reply.text

    @property
    def exchanges(self) -> list[Exchange]:
        """All that was said, in an order that does not depend on who came first."""
        return [self._said[key] for key in sorted(self._said)]

    def _reply(self, request: Request) -> Reply:
        kept = self._kept(request)
        if kept is None and self.office.offline:
            raise UserError(
                f"There is no recorded answer of {request.model.model} to a question of the stage {self.stage}: build "
                "without --offline, or with --answers and the file of the release that is to be repeated."
            )
        if kept is None:
            with _aside(), self.office.cache.alone(request):
                return self._kept(request) or self._bought(request)
        return kept

    def _kept(self, request: Request) -> Reply | None:
        kept = self.office.cache.get(request)
        if kept is not None:
            self.office.ledger.count_hit()
        return kept

    def _bought(self, request: Request) -> Reply:
        """An answer from the server; what fails in a way that may pass is tried again."""
        pause = FIRST_PAUSE
        for _ in range(request.model.attempts - 1):
            try:
                return self._attempt(request)
            except Passing as failure:
                time.sleep(failure.wait or pause * random.uniform(0.75, 1.0))
                pause = min(2 * pause, LONGEST_PAUSE)
        return self._attempt(request)

    def _attempt(self, request: Request) -> Reply:
        server = _server(request.model)
        with self.office.ledger.paying(request) as payment:
            try:
                payment.reply = server.ask(request)
            except Passing as failure:
                payment.lost = failure.lost
                raise
            self.office.cache.put(request, payment.reply)
            return payment.reply

    def _note(self, request: Request, reply: Reply, prompt: str, model: str, fault: str) -> None:
        one = Exchange(
            request.key, self.stage, self.record_id, prompt, model, canonical_json(request.document), reply.text,
            reply.finish, reply.input_tokens, reply.output_tokens,
            round(cost_of(request.model, reply.input_tokens, reply.output_tokens), 9), fault,
        )
        with self._lock:
            self._said[one.key] = one


def _server(model: ModelConfig) -> Client:
    """The connection to a model, for which an extra has to be installed."""
    try:
        from pipeline.llm.client import client_of
    except ImportError:
        raise UserError(
            "Language models are asked through packages that are missing: install them with "
            "`pip install 'code2bench[llm]'`, or name no models in the configuration."
        ) from None
    return client_of(model)


def _read(reply: Reply, kind: type[A], shown: str) -> tuple[A | None, str]:
    if reply.finish == "length":
        return None, "The answer was cut off before its end: give a shorter one."
    try:
        return read(reply.text, kind, shown), ""
    except Misfit as misfit:
        return None, str(misfit)


_turn = Lock()
_mine = local()


def _in_turn(action: Callable[[In], Out], record: In) -> Out:
    """What an action gives, while no other one of this process does anything but wait."""
    with _turn:
        _mine.held = True
        try:
            return action(record)
        finally:
            _mine.held = False


@contextmanager
def _aside() -> Iterator[None]:
    """Let others have their turn while this one waits."""
    if not getattr(_mine, "held", False):
        yield
        return
    _mine.held = False
    _turn.release()
    try:
        yield
    finally:
        _turn.acquire()
        _mine.held = True


def side_by_side(action: Callable[[In], Out], records: Sequence[In], what: str) -> Iterator[Out]:
    """What an action gives for each record, in their order, many at a time: most of its time is waiting for servers.

    Only the waiting is at the same time: Python 3.11's parser can't be used by two threads. A bar shows how far `what`
    is.
    """
    with (
        Progress(what, len(records)) as progress,
        ThreadPoolExecutor(min(THREADS, len(records)) or 1, thread_name_prefix="ask") as pool,
    ):
        futures = [pool.submit(_in_turn, action, record) for record in records]
        try:
            for future in futures:
                yield future.result()
                progress.advance(1)
        finally:
            for future in futures:
                future.cancel()
