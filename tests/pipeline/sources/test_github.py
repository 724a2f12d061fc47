"""The client of GitHub against a GitHub that fails, limits, moves things, and listens for the token."""

from __future__ import annotations

import logging
import os
import time
from pathlib import Path

import pytest

from harness.errors import UserError
from pipeline.sources.github import GitHub, token_from
from tests.pipeline.sources.github_server import GitHubServer

TOKEN = "ghp_0123456789abcdefSECRET"
ONE = "/repos/acme/one"


@pytest.fixture
def client(hub: GitHubServer, tmp_path: Path) -> GitHub:
    hub.host("acme/one")
    return GitHub(hub.address, tmp_path / "cache", attempts=4, pause=0.01, unsaid=0.1)


@pytest.mark.parametrize("faults", [
    ["500"], ["502", "503"], ["reset"], ["202"], ["half"], ["reset", "500", "202"], ["abuse"], ["429"],
], ids=" ".join)
def test_faults_that_pass_are_waited_out(client: GitHub, hub: GitHubServer, faults: list[str]) -> None:
    hub.faults[ONE] = list(faults)
    assert client.get(ONE).data["full_name"] == "acme/one"
    assert len(hub.asked) == len(faults) + 1


@pytest.mark.parametrize("fault", ["500", "reset", "202", "half", "abuse"])
def test_faults_that_stay_are_told_in_one_sentence_and_not_kept(client: GitHub, hub: GitHubServer, fault: str) -> None:
    hub.faults[ONE] = [fault] * 4
    with pytest.raises(UserError, match=r"127\.0\.0\.1 can't be asked for /repos/acme/one \(.*\): check the network"):
        client.get(ONE)
    assert client.get(ONE).status == 200


def test_a_used_up_limit_is_waited_for_until_its_reset(client: GitHub, hub: GitHubServer) -> None:
    hub.faults[ONE] = ["limited"]
    assert client.get(ONE).status == 200
    assert time.time() >= hub.reset
    assert len(hub.asked) == 2


def test_a_reset_is_told_by_the_server_s_clock(client: GitHub, hub: GitHubServer) -> None:
    hub.ahead, hub.faults[ONE] = 3600, ["limited"]
    start = time.monotonic()
    assert client.get(ONE).status == 200
    assert time.monotonic() - start < 360  # a tenth of what this machine's clock would have told


def test_a_secondary_limit_is_waited_for_as_long_as_it_says(client: GitHub, hub: GitHubServer) -> None:
    hub.faults[ONE] = ["secondary"]
    start = time.monotonic()
    assert client.get(ONE).status == 200
    assert 1 <= time.monotonic() - start < 30  # what is not told is a minute


def test_a_wait_that_is_too_long_is_left_to_the_user(client: GitHub, hub: GitHubServer) -> None:
    hub.faults[ONE] = ["a long wait"]
    with pytest.raises(UserError, match=r"asks to wait until \d\d:\d\d UTC .* run the same command again then"):
        client.get(ONE)


@pytest.mark.parametrize(("status", "said"), [
    (404, "Not Found"), (409, "Git Repository is empty."), (451, "Repository access blocked"),
    (403, "Repository access blocked"), (410, "Gone"), (422, "Validation Failed"),
])
def test_a_refusal_is_an_answer_that_is_kept(client: GitHub, hub: GitHubServer, status: int, said: str) -> None:
    hub.hosted["acme/one"].refused = (status, said)
    for _ in range(2):
        answer = client.get(ONE)
        assert (answer.status, answer.refusal) == (status, f"GitHub answered {status}: {said}")
    assert len(hub.asked) == 1


def test_a_renamed_repository_is_found_under_its_new_name(client: GitHub, hub: GitHubServer) -> None:
    hub.renamed["acme/older"] = "acme/one"
    assert client.get("/repos/acme/older").data["full_name"] == "acme/one"


def test_redirections_without_end_are_a_refusal(
    client: GitHub, hub: GitHubServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    def around(path: str, query: object) -> tuple[int, object, dict[str, str]]:
        return 301, {}, {"Location": hub.address + ("/a" if path == "/b" else "/b")}

    monkeypatch.setattr(hub, "answer", around)
    assert client.get(ONE).refusal == "GitHub answered 301: its redirections never end"


def test_a_redirection_to_another_host_is_not_followed(client: GitHub, hub: GitHubServer) -> None:
    hub.faults[ONE] = ["elsewhere"]
    with pytest.raises(UserError, match="correct address in the configuration's") as error:
        client.get(ONE)
    assert "\n" not in str(error.value)


def test_a_refused_token_is_told_with_the_cure(client: GitHub, hub: GitHubServer) -> None:
    hub.faults[ONE] = ["401"]
    with pytest.raises(UserError, match="refuses the token: set GITHUB_TOKEN to a valid one, or unset it"):
        client.get(ONE)


def test_what_was_answered_is_not_asked_again(client: GitHub, hub: GitHubServer, tmp_path: Path) -> None:
    first = client.get(ONE)
    again = GitHub(hub.address, tmp_path / "cache", offline=True)
    assert again.get(ONE) == client.get(ONE) == first
    assert len(hub.asked) == 1
    assert GitHub(hub.address, tmp_path / "other").get(ONE) == first


def test_offline_without_an_answer_is_told_with_the_cure(hub: GitHubServer, tmp_path: Path) -> None:
    with pytest.raises(UserError, match="run once without --offline"):
        GitHub(hub.address, tmp_path, offline=True).get(ONE)
    assert hub.asked == []


def test_a_damaged_answer_is_asked_for_again(client: GitHub, hub: GitHubServer) -> None:
    client.get(ONE)
    [kept] = client.folder.iterdir()
    kept.write_text("{")
    assert client.get(ONE).status == 200
    assert len(hub.asked) == 2


def test_a_server_that_is_not_there_is_told_in_one_sentence(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="check the network"):
        GitHub("http://127.0.0.1:9/api/v3", tmp_path, attempts=1).get(ONE)


def test_the_token_is_sent_and_written_nowhere(
    client: GitHub, hub: GitHubServer, tmp_path: Path, caplog: pytest.LogCaptureFixture,
    capfd: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch,
) -> None:
    caplog.set_level(logging.DEBUG)
    with_token = GitHub(hub.address, tmp_path / "cache", token=TOKEN, attempts=2, pause=0.01)
    hub.faults[ONE] = ["500", "echo", "401", "reset", "500"]
    told = [with_token.get(ONE).refusal]
    monkeypatch.setattr(logging.getLogger("github"), "propagate", True)
    caplog.set_level(logging.DEBUG, "github.Requester")
    for _ in range(2):
        with pytest.raises(UserError) as error:
            with_token.get("/repos/acme/one/readme")
        told += [str(error.value), repr(error.value.__cause__)]
    assert hub.authorized == {f"token {TOKEN}"}
    assert "Forbidden for token ***" in told[0]
    written = [p.read_text() for p in tmp_path.rglob("*") if p.is_file()]
    shown = [repr(with_token), caplog.text, *capfd.readouterr()]
    assert written and "GET http://127.0.0.1/api/v3/repos/acme/one" in caplog.text
    assert "auth removed" in caplog.text or "token removed" in caplog.text
    assert not [text for text in told + written + shown if TOKEN in text]


@pytest.mark.parametrize(("environment", "address", "token"), [
    ({}, "https://api.github.com", ""),
    ({"GITHUB_TOKEN": "a1"}, "https://api.github.com", "a1"),
    ({"GITHUB_TOKEN": " ", "GH_TOKEN": "b2\n"}, "https://forge.example/api/v3", "b2"),
    ({"GITHUB_TOKEN": "a1", "GH_TOKEN": "b2"}, "http://127.0.0.1:8000/api/v3", "a1"),
])
def test_the_token_is_the_first_that_is_set(environment: dict[str, str], address: str, token: str) -> None:
    assert token_from(environment, address) == token


@pytest.mark.parametrize(("token", "address", "said"), [
    (f"{TOKEN}\n{TOKEN}", "https://api.github.com", "holds characters that no token has"),
    (TOKEN, "http://forge.example/api/v3", "would travel to forge.example unprotected"),
])
def test_a_token_that_can_t_be_sent_is_refused_without_showing_it(token: str, address: str, said: str) -> None:
    with pytest.raises(UserError, match=said) as error:
        token_from({"GITHUB_TOKEN": token}, address)
    assert TOKEN not in str(error.value)


def test_the_environment_of_this_process_will_do(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("GITHUB_TOKEN", "a1")
    assert token_from(os.environ, "https://api.github.com") == "a1"
