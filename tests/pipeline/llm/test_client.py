"""The client against a server that fails in every way: it ends in the answer, or in one sentence with the cure."""

from __future__ import annotations

import json
import socket
import threading
import time
from pathlib import Path
from typing import Any

import pytest

from harness.errors import UserError
from pipeline.llm import Reply
from pipeline.llm.client import Client
from tests.pipeline.llm.asking import (
    KEY,
    Number,
    always,
    completion,
    everything_in,
    model_at,
    number,
    office_at,
    question,
    request_to,
)
from tests.pipeline.llm.model_server import FAULTS, PLAIN, ModelServer, serving


def answer(server: ModelServer, folder: Path, **settings: Any) -> Number | None:
    return office_at(server.address, folder, **settings).desk("try", "one").ask("one", question(), Number)


def told(server: ModelServer, folder: Path, **settings: Any) -> str:
    """The one sentence (with its cure) in which a question ends."""
    with pytest.raises(UserError) as caught:
        answer(server, folder, **settings)
    text = str(caught.value)
    assert "\n" not in text and len(text) < 600 and "Traceback" not in text
    return text


PASSING = ("busy", "busy for a second", "busy for no time", "broken", "overloaded", "cut", "cut JSON", "huge", "packed",
           "hang up")  # fmt: skip


@pytest.mark.parametrize("fault", PASSING)
def test_what_may_pass_is_tried_again(fault: str, tmp_path: Path) -> None:
    with serving(always(number()), faults=[fault]) as server:
        assert answer(server, tmp_path) == Number(number=7)
        assert server.requests == 2


ENDINGS = {
    "busy": ("allows no more requests", "requests_per_minute"), "broken": ("status 500", "try again"),
    "overloaded": ("status 503", "try again"), "cut": ("can't be reached", "start the server"),
    "hang up": ("can't be reached", "start the server"), "packed": ("packs its answers", "correct base_url"),
    "huge": ("the answer is too long", "correct base_url"), "cut JSON": ("no JSON of the protocol", "check base_url"),
    "busy for an hour": ("allows no more requests", "mend the quota"), "busy until tomorrow": ("status 503", "try again"),
    "nonsense": ("no JSON of the protocol", "check base_url"),
    "elsewhere": ("status 307", "look at the server"), "forbidden": ("refuses the key", "set key"),
    "unknown": ("does not know the model", "correct model and base_url"),
    "few tokens": ("gives no answers of 100 tokens", "lower max_answer_tokens"), "odd": ("status 400", "try again"),
}  # fmt: skip
NEVER_AGAIN = ("busy for an hour", "busy until tomorrow", "nonsense", "elsewhere", "forbidden", "unknown", "few tokens")


@pytest.mark.parametrize("fault", ENDINGS)
def test_what_does_not_pass_ends_in_one_sentence_with_the_cure(fault: str, tmp_path: Path) -> None:
    with serving(always(number()), faults=[fault] * 9) as server:
        text = told(server, tmp_path, attempts=2)
        assert all(part in text for part in ENDINGS[fault]) and "mind at http" in text
        assert server.requests == (3 if fault == "odd" else 1 if fault in NEVER_AGAIN else 2)


SLOW = ("drip", "drip headers", "drip hints", "flood hints", "stall")


@pytest.mark.parametrize("fault", SLOW)
def test_no_answer_takes_longer_than_its_seconds(fault: str, tmp_path: Path) -> None:
    with serving(always("x" * 2000), faults=[fault]) as server:  # 100 seconds and more, byte by byte
        start = time.monotonic()
        text = told(server, tmp_path, attempts=1, seconds=1.0)
        assert time.monotonic() - start < 50
    assert "does not answer in time" in text or "the answer is too long" in text


def test_every_fault_of_the_server_has_a_test() -> None:
    assert {*PASSING, *ENDINGS, *SLOW, "no schemas", "too long", "too large"} == {*PLAIN, *FAULTS}


@pytest.mark.parametrize("fault", ["too long", "too large"])
def test_a_question_that_is_too_long_has_no_answer_and_is_not_asked_again(fault: str, tmp_path: Path) -> None:
    with serving(always(number()), faults=[fault]) as server:
        assert answer(server, tmp_path) is None and answer(server, tmp_path) is None
        assert server.requests == 1


PARTS = ("response_format", "seed", "temperature", "max_tokens")


@pytest.mark.parametrize("refused", [*((part,) for part in PARTS), PARTS], ids=[*PARTS, "all of them"])
def test_what_a_server_does_not_know_is_left_out_from_then_on(refused: tuple[str, ...], tmp_path: Path) -> None:
    with serving(always(number()), refuses=refused) as server:
        assert answer(server, tmp_path / "1") == Number(number=7)
        needed = server.requests
        assert answer(server, tmp_path / "2") == Number(number=7) and server.requests == needed + 1
        last = server.bodies[-1]
    assert not set(refused) & set(last) and ("max_tokens" in last or last["max_completion_tokens"] == 100)
    assert {part for part in PARTS[1:3] if part not in refused} <= set(last)


def test_a_server_that_fails_over_schemas_is_asked_without(tmp_path: Path) -> None:
    with serving(always(number()), faults=["no schemas"]) as server:
        assert answer(server, tmp_path) == Number(number=7)
        assert [one["response_format"]["type"] for one in server.bodies] == ["json_schema", "json_object"]


def test_a_server_that_refuses_all_is_asked_a_few_times_by_many_threads_together(tmp_path: Path) -> None:
    with serving(always(number()), refuses=("messages", *PARTS), pause=0.02) as server:
        client, sentences = Client(model_at(server.address)), []

        def ask(place: int) -> None:
            with pytest.raises(UserError) as caught:
                client.ask(request_to(server, f"question {place}"))
            sentences.append(str(caught.value))

        threads = [threading.Thread(target=ask, args=(place,)) for place in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        assert len(sentences) == 8 and server.requests <= 8 * 7


def test_the_request_says_what_the_configuration_says(tmp_path: Path) -> None:
    with serving(always(number())) as server:
        answer(server, tmp_path, max_answer_tokens=77)
        body = server.bodies[0]
    assert (body["model"], body["temperature"], body["seed"], body["max_tokens"]) == ("mind", 0.0, 0, 77)
    schema = body["response_format"]["json_schema"]["schema"]
    assert schema["required"] == ["number"] and schema["additionalProperties"] is False


FITS = completion(number())
SOUND = {
    "content in parts": completion([{"type": "text", "text": '{"num'}, {"type": "image"}, {"text": 'ber": 7}'}]),
    "no usage": FITS, "usage is a list": FITS[:-1] + b', "usage": [1, 2]}',
    "counts are texts": FITS[:-1] + b', "usage": {"prompt_tokens": "3", "completion_tokens": "4"}}',
    "counts are negative": FITS[:-1] + b', "usage": {"prompt_tokens": -3, "completion_tokens": -4}}',
    "counts are absurd": FITS[:-1] + b', "usage": {"prompt_tokens": 1e400, "completion_tokens": ' + b"9" * 99 + b"}}",
    "counts are zero": FITS[:-1] + b', "usage": {"prompt_tokens": 0, "completion_tokens": 0}}',
    "counts are true": FITS[:-1] + b', "usage": {"prompt_tokens": true, "completion_tokens": false}}',
    "an end that is no text": completion(number(), finish_reason={"a": 1}),
    "an end of its own": completion(number(), finish_reason="refused"),
    "fields of its own": FITS[:-1] + b', "id": {"x": [null]}, "model": 4, "object": []}',
}  # fmt: skip


@pytest.mark.parametrize("body", SOUND.values(), ids=SOUND)
def test_oddities_around_an_answer_do_no_harm(body: bytes, tmp_path: Path) -> None:
    with serving(faults=[body]) as server:
        office = office_at(server.address, tmp_path)
        desk = office.desk("try", "one")
        assert desk.ask("one", question(), Number) == Number(number=7)
        [said] = desk.exchanges
    assert said.finish == "stop" and 0 < said.input_tokens < 100 and 0 < said.output_tokens < 100
    assert office.ledger.spent.tokens == said.input_tokens + said.output_tokens


STRANGE = {
    "null": b"null", "a number": b"7", "a list": b"[1]", "a text": b'"{}"', "empty": b"{}",
    "no choices": b'{"choices": []}', "choices are null": b'{"choices": null}', "choices are an object": b'{"choices": {"a": 1}}',
    "a choice is null": b'{"choices": [null]}', "a choice is a list": b'{"choices": [[]]}',
    "a choice is a text": b'{"choices": ["yes"]}', "an error in place of it": b'{"error": {"message": "no", "code": 500}}',
}  # fmt: skip


@pytest.mark.parametrize("body", STRANGE.values(), ids=STRANGE)
def test_what_is_no_completion_ends_in_one_sentence(body: bytes, tmp_path: Path) -> None:
    with serving(faults=[body]) as server:
        assert "answers with something else than a completion: check base_url" in told(server, tmp_path)


NO_JSON = {
    "nothing": b"", "not UTF-8": b'{"choices": "\xff\xfe"}', "too deep": b"[" * 100_000, "a number without end": b"9" * 5_000,
    "two values": FITS + FITS, "a stream": b"data: " + FITS,
}  # fmt: skip


@pytest.mark.parametrize("body", NO_JSON.values(), ids=NO_JSON)
def test_what_is_no_json_ends_in_one_sentence(body: bytes, tmp_path: Path) -> None:
    with serving(faults=[body, body]) as server:
        assert "no JSON of the protocol" in told(server, tmp_path, attempts=2)


SILENT = {
    "null content": completion(None), "empty content": completion(""), "no message": b'{"choices": [{"index": 0}]}',
    "a message that is a text": b'{"choices": [{"message": "no"}]}', "content is a number": completion(7),
    "content is an object": completion({"number": 7}), "parts without text": completion([None, 3, {"text": None}]),
}  # fmt: skip


@pytest.mark.parametrize("body", SILENT.values(), ids=SILENT)
def test_silence_is_an_answer_that_does_not_fit_and_is_asked_about(body: bytes, tmp_path: Path) -> None:
    with serving(always(number()), faults=[body]) as server:
        assert answer(server, tmp_path) == Number(number=7)
        [_, again] = server.bodies
    assert again["messages"][2] == {"role": "assistant", "content": "(nothing)"}
    assert "holds no JSON object" in again["messages"][3]["content"]


def test_half_characters_and_nul_are_carried_or_replaced(tmp_path: Path) -> None:
    with serving(faults=[completion('{"number": 1} \ud800 \x00 ö')]) as server:
        reply = Client(model_at(server.address)).ask(request_to(server, "half \udc00 of it"))
        assert server.bodies[0]["messages"][0]["content"] == "half ? of it"
    assert reply.text == '{"number": 1} ? \x00 ö'


def test_an_answer_that_was_filtered_is_none_and_not_asked_about(tmp_path: Path) -> None:
    with serving(faults=[completion("", finish_reason="content_filter")]) as server:
        assert answer(server, tmp_path) is None and server.requests == 1


def test_no_server_at_all(tmp_path: Path) -> None:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address = f"http://127.0.0.1:{free.getsockname()[1]}/v1"
    office = office_at(address, tmp_path, attempts=2)
    with pytest.raises(UserError, match=r"can't be reached .*refused.*: start the server, correct base_url"):
        office.desk("try", "one").ask("one", question(), Number)
    assert office.ledger.spent.tokens == 0


@pytest.mark.parametrize(("value", "cure"), [
    (None, "set the environment variable MIND_KEY"), ("  ", "set the environment variable MIND_KEY"),
    (f"{KEY} {KEY}", "MIND_KEY holds no key"), (f"{KEY}\nx: y", "MIND_KEY holds no key"), (f"{KEY}…", "MIND_KEY holds no key"),
], ids=["missing", "blank", "two", "with a header", "with an ellipsis"])
def test_a_key_that_is_none_is_told_without_it(
        value: str | None, cure: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("MIND_KEY", raising=False)
    if value is not None:
        monkeypatch.setenv("MIND_KEY", value)
    with serving(always(number())) as server:
        text = told(server, tmp_path, key="MIND_KEY")
        assert cure in text and KEY not in text and server.requests == 0


def test_a_wrong_key_is_told_without_it_even_where_the_server_repeats_it(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    with serving(always(number()), key="another") as server:
        text = told(server, tmp_path, key="MIND_KEY")
    assert "refuses the key" in text and "***" in text and "set the environment variable MIND_KEY" in text
    assert KEY not in text + everything_in(tmp_path)


def sentence_after(words: str) -> str:
    """What is told of a server that refuses everything with these words."""
    body = json.dumps({"error": {"message": words}}).encode()
    with serving(faults=[(403, body)]) as server, pytest.raises(UserError) as caught:
        Client(model_at(server.address, key="MIND_KEY")).ask(request_to(server))
    return str(caught.value)


@pytest.mark.parametrize("before", range(170, 205, 5))
def test_no_part_of_the_key_is_left_where_words_are_cut(before: int, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    assert KEY[:4] not in sentence_after("x" * before + KEY)


def test_what_a_server_says_is_shown_as_one_plain_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    text = sentence_after("\x1b[31m red \r\n\t\u202e and \ud800 more")
    assert text.isprintable() and '(it says: "[31m red and more")' in text


def test_a_server_that_answers_with_the_key_does_not_get_it_published(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    body = completion(f'{{"number": 7}} {KEY}', finish_reason=KEY)
    with serving(key=KEY, faults=[body]) as server:
        desk = office_at(server.address, tmp_path, key="MIND_KEY").desk("try", "one")
        assert desk.ask("one", question(), Number) == Number(number=7)
        assert server.headers[0]["authorization"] == f"Bearer {KEY}"
    assert KEY not in everything_in(tmp_path) and KEY not in str(desk.exchanges)


def test_a_redirect_does_not_take_the_key_to_another_server(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    with serving(always(number())) as other, serving(faults=["elsewhere"]) as server:
        server.elsewhere = f"{other.address}/chat/completions"
        told(server, tmp_path, key="MIND_KEY")
        assert (server.requests, other.requests) == (1, 0)


def test_nothing_that_the_environment_holds_for_other_servers_is_sent(
        tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("OPENAI_API_KEY", "OPENAI_ADMIN_KEY", "OPENAI_ORG_ID", "OPENAI_PROJECT_ID"):
        monkeypatch.setenv(name, KEY)
    monkeypatch.setenv("OPENAI_CUSTOM_HEADERS", f"Authorization: Bearer {KEY}\nX-Other: {KEY}")
    monkeypatch.setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1")
    with serving(always(number())) as server:
        assert answer(server, tmp_path) == Number(number=7)
        [headers] = server.headers
    assert KEY not in str(headers) and not [name for name in headers if name.startswith("x-")]


def test_a_proxy_is_not_used_for_plain_addresses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with serving(always(number())) as server, serving() as proxy:
        for name in ("HTTP_PROXY", "http_proxy", "ALL_PROXY", "HTTPS_PROXY"):
            monkeypatch.setenv(name, proxy.address)
        monkeypatch.delenv("NO_PROXY", raising=False)
        assert answer(server, tmp_path) == Number(number=7) and proxy.requests == 0


def heard_by_a_proxy(monkeypatch: pytest.MonkeyPatch) -> tuple[str, str]:
    """What a proxy of the environment hears of a question to an https address, and how the question ends."""
    with socket.create_server(("127.0.0.1", 0)) as proxy:
        monkeypatch.setenv("HTTPS_PROXY", f"http://127.0.0.1:{proxy.getsockname()[1]}")
        heard = []

        def listen() -> None:
            connection, _ = proxy.accept()
            heard.append(connection.recv(65536).decode())
            connection.sendall(b"HTTP/1.1 502 Bad Gateway\r\ncontent-length: 0\r\n\r\n")
            connection.close()

        thread = threading.Thread(target=listen, daemon=True)
        thread.start()
        client = Client(model_at("https://models.invalid/v1", key="MIND_KEY"))
        with pytest.raises(UserError) as caught:
            client.ask(request_to(ModelServer(address="https://models.invalid/v1")))
        thread.join(2)
        return "".join(heard), str(caught.value)


def test_a_proxy_passes_on_what_it_can_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    monkeypatch.delenv("NO_PROXY", raising=False)
    heard, text = heard_by_a_proxy(monkeypatch)
    assert heard.startswith("CONNECT models.invalid:443 ") and KEY not in heard and "can't be reached" in text


def test_what_is_excepted_from_the_proxy_does_not_go_there(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("MIND_KEY", KEY)
    monkeypatch.setenv("NO_PROXY", "models.invalid")
    assert heard_by_a_proxy(monkeypatch)[0] == ""


def test_a_reply_says_what_it_cost() -> None:
    with serving(always("x" * 40)) as server:
        assert Client(model_at(server.address)).ask(request_to(server, "y" * 40)) == Reply("x" * 40, "stop", 10, 10)
