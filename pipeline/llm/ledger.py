"""What a build has spent, and how fast it may ask: one file that all of its processes write, under a lock.

Before a request its largest possible cost is set aside, so that a budget is never exceeded; afterwards what it really
cost is noted, and the largest where an answer was lost on its way. What a killed process has set aside is free again
once it is gone.
"""

from __future__ import annotations

import json
import os
import platform
import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock

from harness.errors import UserError
from harness.records import canonical_json
from pipeline import store
from pipeline.config import LlmConfig, ModelConfig
from pipeline.llm import Reply, Request
from pipeline.llm.cache import keeping

MINUTE = 60.0
FIRST_LOOK, LONGEST_LOOK = 0.05, 0.5
"""Seconds between two looks at whether a request may go, each time twice as many."""
CHARS_PER_TOKEN = 3
"""A low guess, for requests whose tokens nobody has counted yet."""
TOKENS_AROUND = 16
"""The most that servers put around each message."""


@dataclass
class Spent:
    """All that a build has had of its models, in all of its runs: tokens, US dollars, answers from the cache.

    `lost` are requests whose answer never came whole, but which the server may count; they are in all other numbers.
    """

    requests: int = 0
    lost: int = 0
    from_cache: int = 0
    input_tokens: int = 0
    output_tokens: int = 0
    cost: float = 0.0

    @property
    def tokens(self) -> int:
        """Input and output together."""
        return self.input_tokens + self.output_tokens

    @property
    def hit_rate(self) -> float:
        """The share of answers that came from the cache, 0 to 1."""
        total = self.requests + self.from_cache
        return self.from_cache / total if total else 0.0


@dataclass
class Payment:
    """What has become of a request that may go: its reply, or that none has come although it may have been made."""

    reply: Reply | None = None
    lost: bool = False


@dataclass
class _Page:
    spent: Spent = field(default_factory=Spent)
    under_way: dict[str, list[float]] = field(default_factory=dict)  # ticket: tokens, cost, when it is over at last
    recent: dict[str, list[list[float]]] = field(default_factory=dict)  # model: (time, tokens) of the last minute


@dataclass(frozen=True)
class Ledger:
    """The account of one build; `path` is its file, `limits` are its budgets, `minute` is what rates refer to."""

    path: Path
    limits: LlmConfig
    minute: float = MINUTE

    @property
    def spent(self) -> Spent:
        """The totals so far."""
        return self._read().spent

    def count_hit(self) -> None:
        """Note an answer that was there already; where nothing can be noted, it goes without."""
        with suppress(UserError), self._page() as page:
            page.spent.from_cache += 1

    @contextmanager
    def paying(self, request: Request) -> Iterator[Payment]:
        """Wait until a request may go, and note what the caller says has become of it.

        Raises `UserError` where the budget does not reach.
        """
        ticket, payment = f"{platform.node()}:{os.getpid()}:{uuid.uuid4().hex}@{_name(request.model)}", Payment()
        pause = FIRST_LOOK
        while not self._admitted(ticket, request):
            time.sleep(pause)
            pause = min(2 * pause, LONGEST_LOOK)
        try:
            yield payment
        finally:
            self._settle(ticket, request, payment)

    def _admitted(self, ticket: str, request: Request) -> bool:
        model = request.model
        with self._page() as page:
            now = time.time()
            page.under_way = {key: one for key, one in page.under_way.items() if _alive(key, one[2], now)}
            if not self._affordable(page, *_largest(request)) or self._too_fast(page, request, now):
                return False
            # No attempt takes longer than this; what is older is that of a process which is gone.
            over = now + 2 * model.seconds + MINUTE
            page.under_way[ticket] = [*_largest(request), over]
            page.recent[_name(model)] = [*self._recent(page, model, now), [now, _likely(request)]]
            return True

    def _too_fast(self, page: _Page, request: Request, now: float) -> bool:
        """Whether a model has enough to do for now."""
        model = request.model
        recent = self._recent(page, model, now)
        tokens = sum(one[1] for one in recent) + _likely(request)
        return (
            sum(key.partition("@")[2] == _name(model) for key in page.under_way) >= model.concurrency
            or _beyond(len(recent) + 1, model.requests_per_minute)
            # A request larger than the limit of a whole minute goes alone.
            or (bool(recent) and _beyond(tokens, model.tokens_per_minute))
        )

    def _recent(self, page: _Page, model: ModelConfig, now: float) -> list[list[float]]:
        """The requests of the last minute, by clocks that may differ; what lies far in the future is none of them."""
        return [one for one in page.recent.get(_name(model), []) if abs(now - one[0]) < self.minute]

    def _affordable(self, page: _Page, tokens: int, cost: float) -> bool:
        """Whether the budget reaches now; raises where it will not reach later either."""
        waiting = [sum(one[place] for one in page.under_way.values()) for place in (0, 1)]
        budgets = (
            ("budget_tokens", self.limits.budget_tokens, page.spent.tokens, tokens, waiting[0], "tokens"),
            ("budget_dollars", self.limits.budget_dollars, page.spent.cost, cost, waiting[1], "dollars"),
        )
        for key, budget, spent, wanted, held, unit in budgets:
            if budget and spent + wanted > budget:
                raise UserError(
                    f"The budget for language models does not reach for the next request, which may take "
                    f"{round(wanted, 4):,}: {round(spent, 4):,} of {budget:,} {unit} are spent. Raise {key} in [llm] "
                    "and run the same command again."
                )
            if budget and spent + wanted + held > budget:
                return False
        return True

    def _settle(self, ticket: str, request: Request, payment: Payment) -> None:
        reply = payment.reply
        with self._page() as page:
            page.under_way.pop(ticket, None)
            if reply is not None:
                asked, said = reply.input_tokens, reply.output_tokens
            elif payment.lost:
                asked, said = _most_asked(request), request.model.max_answer_tokens
                page.spent.lost += 1
            else:
                return
            page.spent.requests += 1
            page.spent.input_tokens += asked
            page.spent.output_tokens += said
            page.spent.cost += cost_of(request.model, asked, said)

    def _read(self) -> _Page:
        try:
            with keeping(self.path.parent):
                kept = json.loads(self.path.read_text("utf-8")) if self.path.exists() else asdict(_Page())
            return _Page(Spent(**kept["spent"]), kept["under_way"], kept["recent"])
        except (ValueError, KeyError, TypeError):
            raise UserError(
                f"The account {self.path} is damaged, so that nobody knows what is spent: delete it, and what is "
                "counted against the budgets in [llm] begins at 0."
            ) from None

    @contextmanager
    def _page(self) -> Iterator[_Page]:
        with keeping(self.path.parent), self._alone():
            page = self._read()
            before = json.dumps(asdict(page))
            yield page
            after = json.dumps(asdict(page))
            if after != before:
                store.write_bytes(self.path, after.encode())


    @contextmanager
    def _alone(self) -> Iterator[None]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            yield


def cost_of(model: ModelConfig, input_tokens: int, output_tokens: int) -> float:
    """What so many tokens cost, in US dollars."""
    return (input_tokens * model.input_price + output_tokens * model.output_price) / 1_000_000


def estimated_tokens(text: str) -> int:
    """At least about how many tokens a text has."""
    return len(text) // CHARS_PER_TOKEN + 1


def _largest(request: Request) -> tuple[int, float]:
    """The tokens and dollars that a request may cost at most."""
    asked, most = _most_asked(request), request.model.max_answer_tokens
    return asked + most, cost_of(request.model, asked, most)


def _most_asked(request: Request) -> int:
    """The largest number of tokens that a request may have: no token is shorter than a byte."""
    schema = len(canonical_json(request.schema)) if request.schema else 0
    return schema + sum(
        len(message["content"].encode("utf-8", "replace")) + TOKENS_AROUND for message in request.messages)


def _likely(request: Request) -> int:
    """About the tokens that servers hold against a limit: the question, and the longest answer."""
    asked = sum(estimated_tokens(message["content"]) for message in request.messages)
    return asked + request.model.max_answer_tokens


def _name(model: ModelConfig) -> str:
    return f"{model.base_url} {model.model}"


def _beyond(value: float, limit: int) -> bool:
    return bool(limit) and value > limit


def _alive(ticket: str, over: float, now: float) -> bool:
    """Whether a request may still be under way; of processes on other machines only the time tells."""
    node, process, _ = ticket.partition("@")[0].rsplit(":", 2)
    if now > over:
        return False
    try:
        os.kill(int(process) if node == platform.node() else 0, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
