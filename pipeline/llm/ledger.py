"""What a build has spent, and how fast it may ask: one file that all of its processes write, under a lock.

Before a request its largest possible cost is set aside, so that a budget is never exceeded; afterwards what it really
cost is noted. What a killed process has set aside is free again once it is gone.
"""

from __future__ import annotations

import json
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass, field
from pathlib import Path

from filelock import FileLock

from harness.errors import UserError
from pipeline import store
from pipeline.config import LlmConfig, ModelConfig
from pipeline.llm import Reply, Request

MINUTE = 60.0
POLL = 0.05
"""Seconds between two looks at whether a request may go."""
CHARS_PER_TOKEN = 3
"""A low guess, for requests whose tokens nobody has counted yet."""


@dataclass
class Spent:
    """All that a build has had of its models, in all of its runs: tokens, US dollars, answers from the cache."""

    requests: int = 0
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
class _Page:
    spent: Spent = field(default_factory=Spent)
    under_way: dict[str, list[float]] = field(default_factory=dict)  # "pid:place": model's number, tokens, cost
    recent: dict[str, list[list[float]]] = field(default_factory=dict)  # model: (time, tokens) of the last minute


@dataclass(frozen=True)
class Ledger:
    """The account of one build; `path` is its file, `limits` are its budgets."""

    path: Path
    limits: LlmConfig

    @property
    def spent(self) -> Spent:
        """The totals so far."""
        return self._read().spent

    def count_hit(self) -> None:
        """Note an answer that was there already."""
        with self._page() as page:
            page.spent.from_cache += 1

    @contextmanager
    def paying(self, request: Request) -> Iterator[list[Reply]]:
        """Wait until a request may go, and note the replies that the caller puts into the list.

        Raises `UserError` where the budget does not reach.
        """
        ticket, replies = f"{os.getpid()}:{time.monotonic_ns()}", list[Reply]()
        while not self._admitted(ticket, request):
            time.sleep(POLL)
        try:
            yield replies
        finally:
            self._settle(ticket, request.model, replies)

    def _admitted(self, ticket: str, request: Request) -> bool:
        model, tokens, cost = request.model, *_largest(request)
        with self._page() as page:
            page.under_way = {key: one for key, one in page.under_way.items() if _alive(key)}
            name = _name(model)
            recent = [one for one in page.recent.get(name, []) if time.time() - one[0] < MINUTE]
            mine = sum(key.partition("@")[2] == name for key in page.under_way)
            full = mine >= model.concurrency or _beyond(len(recent) + 1, model.requests_per_minute)
            # A request larger than the limit of a whole minute goes alone.
            fast = bool(recent) and _beyond(sum(one[1] for one in recent) + tokens, model.tokens_per_minute)
            if not self._affordable(page, tokens, cost) or full or fast:
                return False
            page.under_way[f"{ticket}@{name}"] = [tokens, cost]
            page.recent[name] = [*recent, [time.time(), tokens]]
            return True

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
                    f"The budget for language models does not reach for the next request: {round(spent, 4):,} of "
                    f"{budget:,} {unit} are spent. Raise {key} in [llm] and run the same command again."
                )
            if budget and spent + wanted + held > budget:
                return False
        return True

    def _settle(self, ticket: str, model: ModelConfig, replies: list[Reply]) -> None:
        with self._page() as page:
            page.under_way.pop(f"{ticket}@{_name(model)}", None)
            for reply in replies:
                page.spent.requests += 1
                page.spent.input_tokens += reply.input_tokens
                page.spent.output_tokens += reply.output_tokens
                page.spent.cost += cost_of(model, reply.input_tokens, reply.output_tokens)

    def _read(self) -> _Page:
        try:
            kept = json.loads(self.path.read_text("utf-8"))
            return _Page(Spent(**kept["spent"]), kept["under_way"], kept["recent"])
        except FileNotFoundError:
            return _Page()

    @contextmanager
    def _page(self) -> Iterator[_Page]:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        with FileLock(self.path.with_suffix(".lock")):
            page = self._read()
            before = json.dumps(asdict(page))
            yield page
            after = json.dumps(asdict(page))
            if after != before:
                store.write_bytes(self.path, after.encode())


def cost_of(model: ModelConfig, input_tokens: int, output_tokens: int) -> float:
    """What so many tokens cost, in US dollars."""
    return (input_tokens * model.input_price + output_tokens * model.output_price) / 1_000_000


def estimated_tokens(text: str) -> int:
    """At least about how many tokens a text has."""
    return len(text) // CHARS_PER_TOKEN + 1


def _largest(request: Request) -> tuple[int, float]:
    """The tokens and dollars that a request may cost at most."""
    asked = sum(estimated_tokens(message["content"]) for message in request.messages)
    most = request.model.max_answer_tokens
    return asked + most, cost_of(request.model, asked, most)


def _name(model: ModelConfig) -> str:
    return f"{model.base_url} {model.model}"


def _beyond(value: float, limit: int) -> bool:
    return bool(limit) and value > limit


def _alive(ticket: str) -> bool:
    try:
        os.kill(int(ticket.partition(":")[0]), 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
