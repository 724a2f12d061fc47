"""Answers that are no plain text: read back exactly, and only with the key."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from harness.errors import UserError
from harness.releases.veil import COLUMNS, MARK, unveil, unveiled, veil, veiled

ROW = {"task_id": "c2b-1", "reference": "def f(): pass", "cases": "[]", "strategies": "", "instruction": "Do."}


@given(st.text(st.characters()), st.text(min_size=1), st.text())
def test_a_text_comes_back(text: str, key: str, place: str) -> None:
    hidden = veil(text, key, place)
    assert unveil(hidden, key, place) == text and hidden.startswith(MARK) and hidden.isascii()


def test_a_row_hides_what_tells_an_answer_and_nothing_else() -> None:
    hidden = veiled(ROW, "key")
    assert unveiled(hidden, "key") == ROW and hidden["instruction"] == "Do."
    assert all(hidden[name].startswith(MARK) and "def" not in hidden[name] for name in COLUMNS)
    assert unveiled(ROW, "") == ROW


def test_equal_texts_look_different_at_different_places() -> None:
    assert veil("def f", "key", "a") != veil("def f", "key", "b")


@pytest.mark.parametrize("damage", [lambda text: text[:-1], lambda text: text + "!", lambda text: MARK + "ß"])
def test_damage_is_told(damage) -> None:
    with pytest.raises(UserError, match="get the release again"):
        unveil(damage(veil("some text", "key", "place")), "key", "place")


def test_without_a_key_it_is_said() -> None:
    with pytest.raises(UserError, match="no key"):
        unveiled(veiled(ROW, "key"), "")


def test_what_was_veiled_by_earlier_versions_is_read() -> None:
    assert unveil("veiled:1:eY1CvXO5xqqp4WSOLw==", "key", "place") == "def f(): pass"
