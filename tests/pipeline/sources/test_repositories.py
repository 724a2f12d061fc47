"""The search for repositories: slices that GitHub can show whole, whatever it hides, repeats or leaves unfinished."""

from __future__ import annotations

from datetime import date
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from pipeline.config import GithubConfig
from pipeline.sources.github import GitHub
from pipeline.sources.repositories import Slice, repository, search
from tests.pipeline.sources.github_server import GitHubServer

SINCE, UNTIL = "2026-08-01", "2026-11-01"


@pytest.fixture
def client(hub: GitHubServer, tmp_path: Path) -> GitHub:
    return GitHub(hub.address, tmp_path / "cache", attempts=3, pause=0.01)


def numbers(client: GitHub, **config: object) -> list[int]:
    return [one.number for one in search(client, GithubConfig(**config), SINCE, UNTIL)]


def test_the_search_asks_for_language_stars_and_pushes_and_gives_the_order_of_numbers(
    client: GitHub, hub: GitHubServer
) -> None:
    hub.host("a/enough", stars=500, number=9)
    hub.host("a/many", stars=90_000, number=3)
    hub.host("a/few", stars=499)
    hub.host("a/quiet", pushed="2026-07-31")
    hub.host("a/fork", fork=True, number=11)
    assert numbers(client) == [3, 9, 11]


def test_all_pages_are_read(client: GitHub, hub: GitHubServer) -> None:
    hub.page = 7
    for number in range(20):
        hub.host(f"a/{number}", number=number, stars=500 + number % 3)
    assert numbers(client) == list(range(20))


def test_more_than_a_thousand_are_read_in_slices_of_stars_and_then_of_days(
    client: GitHub, hub: GitHubServer
) -> None:
    for number in range(1500):
        hub.host(f"a/{number}", number=number, stars=600, created=f"20{10 + number % 12}-03-0{1 + number % 5}")
    for number in range(1500, 2300):
        hub.host(f"a/{number}", number=number, stars=500 + number)
    assert numbers(client) == list(range(2300))
    assert hub.questions("created")


def test_what_can_t_be_sliced_any_further_is_said(
    client: GitHub, hub: GitHubServer, capsys: pytest.CaptureFixture[str]
) -> None:
    for number in range(1001):
        hub.host(f"a/{number}", number=number, stars=600)
    assert len(numbers(client)) == 1000
    assert "GitHub shows only 1,000 of 1,001 repositories for stars:600..600 created:2015-03-01" in capsys.readouterr().err


@pytest.mark.parametrize(("times", "said"), [(2, False), (20, True)])
def test_a_search_that_github_did_not_finish_is_asked_again_and_then_taken(
    client: GitHub, hub: GitHubServer, capsys: pytest.CaptureFixture[str], times: int, said: bool
) -> None:
    hub.host("a/one", number=1)
    hub.faults["/search/"] = ["incomplete"] * times
    assert numbers(client) == [1]
    assert ("did not finish its search" in capsys.readouterr().err) == said


def test_a_language_that_github_does_not_know_is_told_in_one_sentence(client: GitHub) -> None:
    with pytest.raises(UserError, match=r"refused \(GitHub answered 422: Validation Failed\): correct address and lang"):
        numbers(client, language="Phyton")


@pytest.mark.parametrize("answer", [{}, {"items": [3], "incomplete_results": False, "total_count": 1}, []])
def test_an_answer_of_something_else_is_told_in_one_sentence(
    client: GitHub, hub: GitHubServer, monkeypatch: pytest.MonkeyPatch, answer: object
) -> None:
    monkeypatch.setattr(hub, "answer", lambda path, query: (200, answer, {}))
    with pytest.raises(UserError, match="correct address"):
        numbers(client)


@given(st.integers(0, 3000), st.none() | st.integers(0, 3000), st.integers(0, 400), st.data())
def test_halves_hold_what_the_slice_holds_once(least: int, width: int | None, days: int, data: st.DataObject) -> None:
    first = date(2020, 1, 1)
    whole = Slice(least, None if width is None else least + width, first, date.fromordinal(first.toordinal() + days))
    stars = data.draw(st.integers(least, 10**8 if whole.most is None else whole.most))
    day = date.fromordinal(first.toordinal() + data.draw(st.integers(0, days)))

    def holds(part: Slice) -> bool:
        return part.least <= stars and (part.most is None or stars <= part.most) and part.first <= day <= part.last

    parts = whole.halves()
    if width == days == 0:
        assert parts == ()
        return
    assert len(parts) == 2 and whole not in parts
    assert [holds(part) for part in parts].count(True) == 1


def test_slicing_ends() -> None:
    assert Slice(5, 5, date(2020, 1, 1), date(2020, 1, 1)).halves() == ()
    assert Slice(10**7, None, date(2020, 1, 1), date(2020, 1, 1)).halves() == ()


@pytest.mark.parametrize("change", [
    {"clone_url": "ext::sh -c true"}, {"clone_url": "file:///etc"}, {"clone_url": "https://me:pw@forge.example/a/b.git"},
    {"full_name": "../../user"}, {"full_name": None}, {"id": "x"},
], ids=str)
def test_a_strange_repository_is_refused(hub: GitHubServer, change: dict[str, object]) -> None:
    with pytest.raises(UserError, match="holds no repository"):
        repository({**hub.host("a/one").record(hub.root), **change})


def test_what_github_leaves_out_is_empty(hub: GitHubServer) -> None:
    record = hub.host("a/one", licence=None, number=5, description=None, topics=()).record(hub.root)
    found = repository(record)
    assert (found.id, found.licence, found.description, found.topics) == ("github:5", "", "", ())
    assert repository({**record, "license": {"spdx_id": "NOASSERTION"}}).licence == ""
