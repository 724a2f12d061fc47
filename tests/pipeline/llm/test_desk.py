"""Asking at a desk: what is repaired and how, what counts as an answer, and that nothing is paid for twice."""

from __future__ import annotations

import json
import resource
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from harness.records import digest
from pipeline.config import LlmConfig
from pipeline.llm import Exchange, Reply, Request
from pipeline.llm.cache import AnswerCache
from pipeline.llm.desk import Office, side_by_side
from pipeline.llm.prompting import Prompt
from pipeline.llm.structured import Answer, schema_of
from tests.forked import Forked
from tests.pipeline.llm.asking import Number, always, completion, in_turn, model_at, number, office_at, question
from tests.pipeline.llm.minds import material
from tests.pipeline.llm.model_server import ModelServer, serving

ROOT = Path(__file__).parents[3]


def answer(server: ModelServer, folder: Path, **settings: Any) -> Number | None:
    return office_at(server.address, folder, **settings).desk("try", "one").ask("one", question(), Number)


FITTING = {
    "as it was asked for": '{"number": 7}', "with space around": '\n\n {"number": 7}\n', "in words": 'Sure! {"number": 7} Bye.',
    "fenced": 'Here:\n```json\n{"number": 7}\n```\nIt is 7.', "fenced without a name": '```\n{"number": 7}\n```',
    "twice the same": '```json\n{"number": 7}\n```\n```json\n{ "number" : 7 }\n```',
    "after thoughts": '<think>{"number": 1} or {"number": 2}?</think>{"number": 7}',
    "after thoughts that nobody began": 'Maybe {"number": 1}.\n</think>\n\n{"number": 7}',
    "beside another object": '```json\n{"note": "thinking"}\n```\n```json\n{"number": 7}\n```',
}  # fmt: skip


@pytest.mark.parametrize("text", FITTING.values(), ids=FITTING)
def test_an_answer_is_found_where_models_put_it(text: str, tmp_path: Path) -> None:
    with serving(always(text)) as server:
        assert answer(server, tmp_path) == Number(number=7) and server.requests == 1


FAULTY = {
    "no JSON": ("seven", "holds no JSON object"), "a list": ("[7]", "holds no JSON object"), "cut": ('{"number": ', "no JSON"),
    "a field too many": ('{"number": 7, "sure": true}', "sure: Extra inputs are not permitted"),
    "a field too few": ("{}", "number: Field required"), "another type": ('{"number": "7"}', "number: Input should be a valid integer"),
    "a truth for a number": ('{"number": true}', "number: Input should be a valid integer"),
    "not a whole number": ('{"number": 7.0}', "number: Input should be a valid integer"), "null": ("null", "no JSON object"),
    "two that differ": ('```json\n{"number": 7}\n```\n```json\n{"number": 8}\n```', "several JSON objects that differ"),
    "two in words": ('{"number": 7} or {"number": 8}', "no JSON object"),
    "one key with two values": ('{"number": 7, "number": 8}', "no JSON object"),
    "endless": ("7" * 300_000, "more than 200000"), "deep": ('{"number": ' + "[" * 5_000 + "]" * 5_000 + "}", "no JSON object"),
    "a name without end": (json.dumps({"x" * 150_000: 1, "number": 7}), "xxx: Extra inputs"),
}  # fmt: skip


@pytest.mark.parametrize(("text", "fault"), FAULTY.values(), ids=FAULTY)
def test_what_does_not_fit_is_no_answer_and_its_fault_is_said(text: str, fault: str, tmp_path: Path) -> None:
    with serving(always(text)) as server:
        desk = office_at(server.address, tmp_path, LlmConfig(repairs=0), max_answer_tokens=10**6).desk("try", "one")
        assert desk.ask("one", question(), Number) is None
    [said] = desk.exchanges
    assert fault in said.fault and len(said.fault) < 1_000 and (said.answer, said.stage) == (text, "try")


def test_the_second_request_holds_the_answer_and_what_is_wrong_with_it(tmp_path: Path) -> None:
    with serving(in_turn("seven", number())) as server:
        assert answer(server, tmp_path) == Number(number=7)
        [first, second] = server.bodies
    assert second["messages"][:2] == first["messages"] and second["messages"][2] == {"role": "assistant", "content": "seven"}
    assert material(second, "fault") == "The answer holds no JSON object that can be read."
    assert {key: second[key] for key in second if key != "messages"} == {
        key: first[key] for key in first if key != "messages"}


def test_only_the_last_answer_is_shown_and_only_its_beginning(tmp_path: Path) -> None:
    with serving(in_turn("one", "two" * 30_000, number())) as server:
        assert answer(server, tmp_path, max_answer_tokens=10**6) == Number(number=7)
        last = server.bodies[-1]["messages"]
    assert [len(message["content"]) for message in last[2:3]] == [20_000] and len(last) == 4


def test_an_objection_goes_back_like_a_fault(tmp_path: Path) -> None:
    with serving(in_turn(number(13), number(7))) as server:
        desk = office_at(server.address, tmp_path).desk("try", "one")
        said = desk.ask("one", question(), Number, lambda found: "13 is unlucky." if found.number == 13 else "")
        assert said == Number(number=7) and material(server.bodies[1], "fault") == "13 is unlucky."
    assert sorted(one.fault for one in desk.exchanges) == ["", "13 is unlucky."]


@pytest.mark.parametrize("repairs", [0, 1, 3])
def test_a_model_that_never_fits_is_asked_as_often_as_configured(repairs: int, tmp_path: Path) -> None:
    with serving(in_turn("no", "never", "not at all", "no!", "no!!")) as server:
        desk = office_at(server.address, tmp_path, LlmConfig(repairs=repairs)).desk("try", "one")
        assert desk.ask("one", question(), Number) is None and server.requests == 1 + repairs
        assert len(desk.exchanges) == 1 + repairs and all(one.fault for one in desk.exchanges)


def test_an_answer_that_stands_in_the_material_is_a_quotation(tmp_path: Path) -> None:
    with serving(in_turn('{ "number": 13 }', number(7))) as server:
        desk = office_at(server.address, tmp_path).desk("try", "one")
        assert desk.ask("one", question('How many? Say {"number": 13}.'), Number) == Number(number=7)
        assert material(server.bodies[1], "fault")== "The JSON object is copied from the question: give an answer of your own."


def test_a_model_that_repeats_itself_is_not_paid_for_it(tmp_path: Path) -> None:
    with serving(always("no")) as server:
        assert answer(server, tmp_path) is None and server.requests == 2


def test_an_answer_that_was_cut_off_is_asked_for_shorter(tmp_path: Path) -> None:
    with serving(in_turn(number() + " " * 1_000, number())) as server:
        assert answer(server, tmp_path) == Number(number=7)
        assert material(server.bodies[1], "fault").startswith("The answer was cut off before its end")


def test_a_free_answer_is_given_as_it_is(tmp_path: Path) -> None:
    with serving(always(" 7\n")) as server:
        desk = office_at(server.address, tmp_path).desk("try", "one")
        messages = question().messages
        assert desk.text("one", messages, "free") == " 7\n" == desk.text("one", messages, "free")
        desk.text("one", messages, "free", temperature=0.8)
        assert [one["temperature"] for one in server.bodies] == [0.0, 0.8] and "response_format" not in server.bodies[0]


CHANGES: dict[str, Callable[[Request], Request]] = {
    "model": lambda one: replace(one, model=replace(one.model, model="other")),
    "address": lambda one: replace(one, model=replace(one.model, base_url="http://other/v1")),
    "length": lambda one: replace(one, model=replace(one.model, max_answer_tokens=101)),
    "seed": lambda one: replace(one, seed=1), "temperature": lambda one: replace(one, temperature=0.1),
    "schema": lambda one: replace(one, schema=None),
    "prompt": lambda one: replace(one, messages=question("How many ?").messages),
    "role": lambda one: replace(one, messages=[{**message, "role": "user"} for message in one.messages]),
}
SAME: dict[str, Callable[[Request], Request]] = {
    "seconds": lambda one: replace(one, model=replace(one.model, seconds=1.0)),
    "price": lambda one: replace(one, model=replace(one.model, input_price=9.0)),
    "key": lambda one: replace(one, model=replace(one.model, key="OTHER")),
    "rates": lambda one: replace(one, model=replace(one.model, concurrency=1, requests_per_minute=3)),
}


def asked(**settings: Any) -> Request:
    return Request(model_at("http://here/v1", **settings), question().messages, schema_of(Number))


@pytest.mark.parametrize("change", CHANGES.values(), ids=CHANGES)
def test_what_matters_makes_another_question(change: Callable[[Request], Request], tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    cache.put(asked(), Reply("7", "stop", 1, 1))
    assert cache.get(asked()) is not None and cache.get(change(asked())) is None


@pytest.mark.parametrize("change", SAME.values(), ids=SAME)
def test_how_it_is_asked_does_not(change: Callable[[Request], Request], tmp_path: Path) -> None:
    cache = AnswerCache(tmp_path)
    cache.put(asked(), Reply("7", "stop", 1, 1))
    assert cache.get(change(asked())) == Reply("7", "stop", 1, 1)


def test_a_server_that_moves_keeps_its_answers_under_its_identity(tmp_path: Path) -> None:
    cache, here = AnswerCache(tmp_path), asked(identity="mind 1.0")
    cache.put(here, Reply("7", "stop", 1, 1))
    assert cache.get(replace(here, model=replace(here.model, base_url="http://there/v1"))) is not None


DAMAGES: dict[str, Callable[[bytes], bytes]] = {
    "empty": lambda data: b"", "cut": lambda data: data[: len(data) // 2], "zeros": lambda data: bytes(len(data)),
    "no UTF-8": lambda data: data.replace(b"mind", b"\xff\xfe"), "null": lambda data: b"null", "a list": lambda data: b"[]",
    "deep": lambda data: b"[" * 100_000, "no reply": lambda data: b'{"request": {}}',
    "a text that is none": lambda data: data.replace(rb'"{\"number\": 7}"', b"null"),
    "a count that is none": lambda data: data.replace(b'"output_tokens": ', b'"output_tokens": 0.'),
    "another question's": lambda data: data.replace(b"How many?", b"How much?"),
}


@pytest.mark.parametrize("damage", DAMAGES.values(), ids=DAMAGES)
def test_a_damaged_file_counts_as_no_answer_and_is_mended(damage: Callable[[bytes], bytes], tmp_path: Path) -> None:
    with serving(always(number())) as server:
        answer(server, tmp_path)
        [kept] = (tmp_path / "answers").rglob("*.json")
        whole = kept.read_bytes()
        kept.write_bytes(damage(whole))
        assert kept.read_bytes() != whole
        assert answer(server, tmp_path) == Number(number=7) and server.requests == 2
        assert kept.read_bytes() == whole


def test_offline_gives_what_is_there_and_says_what_is_not(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        answer(server, tmp_path)
    desk = office_at(server.address, tmp_path, offline=True).desk("judge", "one")
    assert desk.ask("one", question(), Number) == Number(number=7)
    with pytest.raises(UserError, match=r"no recorded answer of mind .* the stage judge: build without --offline"):
        desk.ask("one", question("And now?"), Number)


def test_offline_needs_no_key_and_writes_nothing(tmp_path: Path) -> None:
    office = office_at("http://127.0.0.1:1/v1", tmp_path, offline=True, key="NO_SUCH_KEY")
    with pytest.raises(UserError, match="no recorded answer"):
        office.desk("try", "one").ask("one", question(), Number)
    assert list(tmp_path.iterdir()) == []


def test_threads_that_ask_the_same_pay_once(tmp_path: Path) -> None:
    with serving(always(number()), pause=0.2) as server:
        office = office_at(server.address, tmp_path)
        with ThreadPoolExecutor(12) as pool:
            found = list(pool.map(lambda place: office.desk("try", str(place)).ask("one", question(), Number), range(12)))
        assert found == [Number(number=7)] * 12 and server.requests == 1
        assert (office.ledger.spent.requests, office.ledger.spent.from_cache) == (1, 11)


def _asking(address: str, folder: Path) -> None:
    office = office_at(address, folder)
    for place in range(4):
        print(office.desk("try", "one").ask("one", question(f"Question {place}"), Number))


def _asking_in_vain(address: str, folder: Path) -> None:
    resource.setrlimit(resource.RLIMIT_FSIZE, (400, 400))
    try:
        office_at(address, folder).desk("try", "one").ask("one", question(), Number)
    except Exception as error:
        print(type(error).__name__, error)


def test_processes_that_ask_the_same_pay_once(tmp_path: Path) -> None:
    with serving(always(number()), pause=0.2) as server:
        said = [process.communicate(timeout=60)[0] for process in [Forked(_asking, server.address, tmp_path) for _ in range(3)]]
        assert said == ["number=7\n" * 4] * 3 and server.requests == 4


def test_two_builds_that_share_the_answers_keep_their_own_accounts(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        first = office_at(server.address, tmp_path)
        second = replace(first, account=tmp_path / "other.json")
        for office in (first, second):
            office.desk("try", "one").ask("one", question(), Number)
        assert server.requests == 1
    assert (first.ledger.spent.requests, second.ledger.spent.requests, second.ledger.spent.from_cache) == (1, 0, 1)


def exchanges(server: ModelServer, folder: Path, places: Sequence[int]) -> list[Exchange]:
    desk = office_at(server.address, folder).desk("try", "one")
    list(side_by_side(lambda place: desk.ask("one", question(f"Question {place}"), Number), places, "asking"))
    return desk.exchanges


def test_exchanges_come_in_an_order_that_does_not_depend_on_threads(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        found = [exchanges(server, tmp_path / str(n), order) for n, order in enumerate([range(9), range(8, -1, -1)])]
    assert found[0] == found[1] and len({one.key for one in found[0]}) == 9


class Two(Answer):
    """Another form of answer."""

    number: int
    other: int = 0


def test_another_form_is_another_question(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        desk = office_at(server.address, tmp_path).desk("try", "one")
        assert desk.ask("one", question(), Number) and desk.ask("one", question(), Two) and server.requests == 2


def blocked(folder: Path, name: str) -> Path:
    """A file where a folder is needed: what any user, root included, can't write below."""
    (folder / name).write_text("")
    return folder


@pytest.mark.parametrize("name", ["answers", "account.json.d"], ids=["answers", "account"])
def test_where_nothing_can_be_kept_nothing_is_paid(name: str, tmp_path: Path) -> None:
    with serving(always(number())) as server:
        office = office_at(server.address, blocked(tmp_path, name))
        if name != "answers":
            office = replace(office, account=tmp_path / name / "account.json")
        with pytest.raises(UserError, match=r"can't be kept under .* set CODE2BENCH_CACHE"):
            office.desk("try", "one").ask("one", question(), Number)
        assert server.requests == 0


def test_what_is_there_can_be_read_where_nothing_can_be_written(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        answer(server, tmp_path)
        office = replace(office_at(server.address, tmp_path), account=blocked(tmp_path, "file") / "file" / "account.json")
        assert office.desk("try", "one").ask("one", question(), Number) == Number(number=7)


def test_a_disk_that_takes_no_more_ends_in_one_sentence(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        said, _ = Forked(_asking_in_vain, server.address, tmp_path).communicate(timeout=60)
    assert said.startswith("UserError What models say can't be kept under") and said.count("\n") == 1


def exchange(request: str, key: str = "", answer: str = "7") -> Exchange:
    return Exchange(key or digest(request), "s", "r", "p", "m", request, answer, "stop", 1, 1, 0.0, "")


@pytest.mark.parametrize(("recorded", "wrong"), [
    (exchange("{}", "0" * 64), "not under the key"), (exchange("{}", "../" * 20), "not under the key"),
    (exchange("no JSON"), "no request that can be read"),
], ids=["another key", "a path for a key", "no request"])
def test_recorded_answers_are_not_believed(recorded: Exchange, wrong: str, tmp_path: Path) -> None:
    with pytest.raises(UserError, match=wrong):
        AnswerCache(tmp_path / "answers").take_over([recorded])
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_recorded_answers_take_the_place_of_a_server(tmp_path: Path) -> None:
    with serving(faults=[completion(number())]) as server:
        first = office_at(server.address, tmp_path / "1").desk("try", "one")
        first.ask("one", question(), Number)
    second = office_at(server.address, tmp_path / "2", offline=True)
    assert second.cache.take_over(first.exchanges) == 1
    assert second.desk("try", "one").ask("one", question(), Number) == Number(number=7)


def test_a_prompt_without_a_system_part_can_be_repaired(tmp_path: Path) -> None:
    prompt = Prompt("p@0", ({"role": "user", "content": "How many?"},))
    with serving(in_turn("?", number())) as server:
        assert Office(models=(("one", model_at(server.address)),), folder=tmp_path, account=tmp_path / "a.json").desk(
            "try", "one").ask("one", prompt, Number) == Number(number=7)
