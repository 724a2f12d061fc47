"""Budgets and rates: never exceeded, by threads, by processes, by processes that are killed."""

from __future__ import annotations

import json
import os
import resource
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Barrier
from typing import Any

import pytest

from harness.errors import UserError
from pipeline.config import LlmConfig
from pipeline.llm import Reply, Request
from pipeline.llm.ledger import Ledger, Spent
from tests.forked import Forked
from tests.pipeline.llm.asking import always, ask_many, model_at, number, office_at, question
from tests.pipeline.llm.model_server import ModelServer, serving

LONG = number() + " " * 200
NOWHERE = "http://127.0.0.1:1/v1"


@pytest.mark.parametrize("threads", [1, 16])
def test_a_budget_in_tokens_is_never_exceeded(threads: int, tmp_path: Path) -> None:
    with serving(always(LONG), pause=0.01) as server:
        office = office_at(server.address, tmp_path, LlmConfig(budget_tokens=2_000), concurrency=16)
        answered, sentences = ask_many(office, 200, threads)
        assert 0 < answered < 200 and server.paid <= 2_000
        assert office.ledger.spent.tokens == server.paid and office.ledger.spent.requests == server.requests
    assert all("Raise budget_tokens in [llm] and run the same command again" in one for one in sentences)


def test_a_budget_in_dollars_is_never_exceeded(tmp_path: Path) -> None:
    with serving(always(LONG), pause=0.01) as server:
        limits = LlmConfig(budget_dollars=0.02)
        office = office_at(server.address, tmp_path, limits, concurrency=16, input_price=10.0, output_price=100.0)
        answered, sentences = ask_many(office, 200)
        cost = (server.tokens["prompt_tokens"] * 10 + server.tokens["completion_tokens"] * 100) / 1e6
        assert 0 < answered < 200 and cost <= 0.02 and office.ledger.spent.cost == pytest.approx(cost)
    assert all("Raise budget_dollars in [llm]" in one for one in sentences)


@pytest.mark.parametrize("text", ["🐍" * 200, "\u0378" * 300, "}{)(" * 300, "\ud800" * 100], ids=["4 bytes", "rare", "signs", "halves"])
def test_what_is_set_aside_is_no_less_than_a_token_for_each_byte(text: str, tmp_path: Path) -> None:
    tokens = len(text.encode("utf-8", "replace"))
    ledger = Ledger(tmp_path / "account.json", LlmConfig(budget_tokens=tokens + 99))
    with pytest.raises(UserError, match=r"may take [\d,]+: 0 of"), ledger.paying(asked(text)):
        raise AssertionError


@pytest.mark.parametrize("fault", ["cut", "stall", "huge", "hang up"])
def test_an_answer_that_is_lost_on_its_way_is_counted_at_the_most(fault: str, tmp_path: Path) -> None:
    with serving(always("x" * 300), faults=[fault] * 2) as server:
        office = office_at(server.address, tmp_path, attempts=3, seconds=1.0)
        office.desk("try", "one").text("one", question().messages, "free")
        spent = office.ledger.spent
        assert (spent.requests, spent.lost) == (3, 2) and spent.tokens >= server.paid


@pytest.mark.parametrize("fault", ["busy", "broken"])
def test_an_answer_that_is_refused_costs_nothing(fault: str, tmp_path: Path) -> None:
    with serving(always(number()), faults=[fault] * 2) as server:
        office = office_at(server.address, tmp_path)
        assert ask_many(office, 1) == (1, [])
        assert office.ledger.spent == Spent(1, 0, 0, server.tokens["prompt_tokens"], server.tokens["completion_tokens"])


def test_retries_stay_within_the_budget(tmp_path: Path) -> None:
    with serving(always("x" * 300), faults=["cut"] * 50) as server:
        office = office_at(server.address, tmp_path, LlmConfig(budget_tokens=500), attempts=50)
        _, [sentence] = ask_many(office, 1)
        assert "Raise budget_tokens" in sentence and 0 < server.paid <= 500


def started(server: ModelServer, folder: Path, name: str, budget: int = 0, concurrency: int = 8) -> Forked:
    return Forked(_asking, server.address, folder, name, budget, concurrency)


def _asking(address: str, folder: Path, name: str, budget: int, concurrency: int) -> None:
    limits = LlmConfig(budget_tokens=budget)
    office = office_at(address, folder, limits, concurrency=concurrency, seconds=60.0)
    answered, sentences = ask_many(office, 12, 8, name)
    print(answered, len(sentences), flush=True)


def said_by(processes: Sequence[Forked]) -> tuple[int, int]:
    """How many questions of some processes were answered, and how many were not."""
    said = [process.communicate(timeout=90)[0].split() for process in processes]
    return sum(int(one[0]) for one in said), sum(int(one[1]) for one in said)


def test_processes_share_a_budget(tmp_path: Path) -> None:
    with serving(always(LONG), pause=0.02) as server:
        answered, others = said_by([started(server, tmp_path, name, budget=1_000) for name in ("a", "b", "c")])
        assert server.paid <= 1_000 and 0 < answered == server.requests and answered + others == 36


def test_processes_share_a_limit_of_requests_under_way(tmp_path: Path) -> None:
    together = Barrier(3)

    def mind(body: dict[str, Any]) -> str:
        together.wait(60)
        return number()

    with serving(mind) as server:
        assert said_by([started(server, tmp_path, name, concurrency=3) for name in ("a", "b", "c")]) == (36, 0)
        assert server.most_at_once == 3


def test_what_a_killed_process_has_set_aside_is_free_again(tmp_path: Path) -> None:
    with serving(always(number()), pause=30) as server:
        process = started(server, tmp_path, "a", budget=2_000, concurrency=4)
        wait_for(lambda: server.requests == 4)
        process.kill()
        process.communicate(timeout=60)
        account = json.loads((tmp_path / "account.json").read_text())
        assert len(account["under_way"]) == 4
        server.pause = 0
        office = office_at(server.address, tmp_path, LlmConfig(budget_tokens=2_000), concurrency=4)
        assert ask_many(office, 4) == (4, [])
    assert json.loads((tmp_path / "account.json").read_text())["under_way"] == {}


def wait_for(reached: Any) -> None:
    until = time.monotonic() + 60
    while not reached():
        assert time.monotonic() < until
        time.sleep(0.02)


def test_what_other_machines_have_set_aside_counts_until_it_must_be_over(tmp_path: Path) -> None:
    path = tmp_path / "account.json"
    there = f"other-machine:{os.getpid()}:1@{NOWHERE} mind"
    for over, reaches in ((time.time() + 60, False), (time.time() - 1, True)):
        path.write_text(json.dumps({"spent": {}, "under_way": {there: [900, 0.0, over]}, "recent": {}}))
        seconds = 60 if reaches else 0.3
        assert admitted_within(seconds, Ledger(path, LlmConfig(budget_tokens=1_000)), asked()) == reaches


def asked(text: str = "How many?", **settings: Any) -> Request:
    return Request(model_at(NOWHERE, **settings), ({"role": "user", "content": text},))


def admitted_within(seconds: float, ledger: Ledger, request: Request) -> bool:
    """Whether a request may go so soon; its thread goes on waiting where it may not."""
    pool = ThreadPoolExecutor(1)
    future = pool.submit(pay, ledger, request)
    pool.shutdown(wait=False)
    try:
        future.result(seconds)
    except TimeoutError:
        ledger.path.write_text('{"spent": {}, "under_way": {}, "recent": {}}')  # lets the thread go
        future.result(60)
        return False
    return True


def pay(ledger: Ledger, request: Request) -> float:
    with ledger.paying(request) as payment:
        payment.reply = Reply("", "stop", 1, 1)
        return time.monotonic()


def most_within(times: Sequence[float], seconds: float) -> int:
    return max(sum(start <= one < start + seconds for one in times) for start in times)


def test_requests_per_minute_hold_in_any_minute(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "account.json", LlmConfig(), minute=1.5)
    with ThreadPoolExecutor(4) as pool:
        times = list(pool.map(lambda _: pay(ledger, asked(requests_per_minute=4)), range(10)))
    assert most_within(times, 0.9) <= 4 and max(times) - min(times) < 30


def test_tokens_per_minute_hold_in_any_minute(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "account.json", LlmConfig(), minute=1.5)
    with ThreadPoolExecutor(4) as pool:
        times = list(pool.map(lambda _: pay(ledger, asked(tokens_per_minute=350)), range(7)))
    assert most_within(times, 0.9) <= 3


def test_a_request_larger_than_the_tokens_of_a_minute_goes_alone(tmp_path: Path) -> None:
    ledger = Ledger(tmp_path / "account.json", LlmConfig(), minute=0.5)
    times = [pay(ledger, asked(tokens_per_minute=10)) for _ in range(3)]
    assert most_within(times, 0.45) == 1


def test_attempts_count_as_requests_of_the_minute(tmp_path: Path) -> None:
    with serving(always(number()), faults=["broken"] * 2) as server:
        office = office_at(server.address, tmp_path, requests_per_minute=9)
        assert ask_many(office, 1) == (1, [])
        [recent] = json.loads((tmp_path / "account.json").read_text())["recent"].values()
        assert len(recent) == server.requests == 3


def test_a_clock_that_was_set_back_stops_nothing(tmp_path: Path) -> None:
    path, tomorrow = tmp_path / "account.json", time.time() + 86_400
    path.write_text(json.dumps({"spent": {}, "under_way": {}, "recent": {f"{NOWHERE} mind": [[tomorrow, 100]] * 9}}))
    assert admitted_within(1, Ledger(path, LlmConfig()), asked(requests_per_minute=1, tokens_per_minute=1))


def test_waiting_is_no_work(tmp_path: Path) -> None:
    ledger, request = Ledger(tmp_path / "account.json", LlmConfig(), minute=3.0), asked(requests_per_minute=1)
    pay(ledger, request)
    before = resource.getrusage(resource.RUSAGE_SELF)
    pay(ledger, request)
    after = resource.getrusage(resource.RUSAGE_SELF)
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < 0.3


@pytest.mark.parametrize("text", ["", "{", "null", "[]", "{}", '{"spent": {"tokens": 1}, "under_way": {}, "recent": {}}'])
def test_a_damaged_account_is_told_and_not_guessed(text: str, tmp_path: Path) -> None:
    path = tmp_path / "account.json"
    path.write_text(text)
    with pytest.raises(UserError, match=r"account\.json is damaged, .* delete it"):
        pay(Ledger(path, LlmConfig()), asked())


def test_an_account_holds_numbers_and_no_texts(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        ask_many(office_at(server.address, tmp_path), 3)
    kept = json.loads((tmp_path / "account.json").read_text())
    assert set(kept["spent"]) == set(Spent.__dataclass_fields__) and kept["spent"]["requests"] == 3
    assert all(isinstance(value, (int, float)) for value in kept["spent"].values())


def test_the_share_of_answers_from_the_cache(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        office = office_at(server.address, tmp_path)
        assert office.ledger.spent.hit_rate == 0.0
        for _ in range(2):
            ask_many(office, 4)
        assert office.ledger.spent.hit_rate == 0.5 and server.requests == 4
