"""The list of exclusions: read, written, and what is wrong with it in one sentence."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from pipeline.packaging.exclusions import Exclusion, add_exclusion, load_exclusions

ONE = Exclusion("c2b-0123456789abcdef", 'It needs a "table"\nthat is not given.', "https://example.org/1")


def test_what_was_added_is_read(tmp_path: Path) -> None:
    path = tmp_path / "exclusions.toml"
    path.write_text("# Read by every build.\n")
    add_exclusion(path, ONE)
    add_exclusion(path, Exclusion("c2b-1", "Wrong."))
    assert load_exclusions(path) == {ONE.task: ONE, "c2b-1": Exclusion("c2b-1", "Wrong.")}
    assert path.read_text().startswith("# Read by every build.\n")


@given(st.text(st.characters(exclude_categories=["Cs"]), min_size=1).filter(str.strip))
def test_any_reason_can_be_written(tmp_path_factory: pytest.TempPathFactory, reason: str) -> None:
    path = tmp_path_factory.mktemp("any") / "exclusions.toml"
    add_exclusion(path, Exclusion("c2b-1", reason))
    assert load_exclusions(path)["c2b-1"].reason == reason


def test_no_file_excludes_nothing(tmp_path: Path) -> None:
    assert load_exclusions(tmp_path / "none.toml") == {}


WRONG = {
    "no TOML": ("[[exclusion", "is no TOML"),
    "another key above": ("[[excluded]]\ntask = 'a'", "unknown key 'excluded'"),
    "one table": ("[exclusion]\ntask = 'a'", "write it as [[exclusion]]"),
    "another key inside": ("[[exclusion]]\ntask = 'a'\nreason = 'b'\nurl = 'c'", "unknown key 'url'"),
    "no reason": ("[[exclusion]]\ntask = 'a'", "lacks reason"),
    "an empty task": ("[[exclusion]]\ntask = ' '\nreason = 'a'", "lacks task"),
    "a number": ("[[exclusion]]\ntask = 1\nreason = 'a'", "task is no text"),
    "no table": ("exclusion = ['a']", "is no table"),
    "twice": ("[[exclusion]]\ntask = 'a'\nreason = 'b'\n" * 2, "excludes a twice"),
}


@pytest.mark.parametrize(("content", "message"), WRONG.values(), ids=WRONG.keys())
def test_what_is_wrong_is_said(tmp_path: Path, content: str, message: str) -> None:
    path = tmp_path / "exclusions.toml"
    path.write_text(content)
    with pytest.raises(UserError, match=message.replace("[", r"\[")):
        load_exclusions(path)


def test_excluding_twice_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "exclusions.toml"
    add_exclusion(path, ONE)
    with pytest.raises(UserError, match="already"):
        add_exclusion(path, ONE)


def test_an_exclusion_needs_a_reason(tmp_path: Path) -> None:
    with pytest.raises(UserError, match="needs a task and a reason"):
        add_exclusion(tmp_path / "exclusions.toml", Exclusion("c2b-1", ""))
