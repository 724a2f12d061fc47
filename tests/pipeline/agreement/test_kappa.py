"""Kappa: values that are known from elsewhere, what must hold for any ratings, and words where it is undefined."""

from __future__ import annotations

import random
from collections.abc import Sequence

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from pipeline.agreement.kappa import (
    DIFFICULTY,
    QUESTIONS,
    RESAMPLES,
    SUITABLE,
    Kappa,
    Question,
    Rater,
    cohen,
    consensus,
    fleiss,
    pairwise,
)
from pipeline.agreement.opinions import majority

WORD = {"y": "yes", "n": "no", "E": "Easy", "M": "Medium", "H": "Hard"}
FLEISS = """0 0 0 0 14/0 2 6 4 2/0 0 3 5 6/0 3 9 2 0/2 2 8 1 1/7 7 0 0 0/3 2 6 3 0/2 5 3 2 2/6 5 2 1 0/0 2 2 3 7"""
"""Ten subjects, 14 raters, 5 categories: the worked example of Wikipedia's "Fleiss' kappa"."""


def rater(name: str, suitable: str = "", difficulty: str = "") -> Rater:
    """A rater from a letter per candidate; a dot is no answer."""
    return Rater(name, *(
        {f"c{place:03d}": WORD[letter] for place, letter in enumerate(letters) if letter != "."}
        for letters in (suitable, difficulty)))


def from_table(table: Sequence[Sequence[int]], letters: str = "yn") -> tuple[Rater, Rater]:
    """Two raters whose answers cross in a table."""
    pairs = [(a, b) for a, row in zip(letters, table, strict=True) for b, n in zip(letters, row, strict=True) for _ in range(n)]
    texts = ["".join(column) for column in zip(*pairs, strict=True)]
    kind = "suitable" if letters == "yn" else "difficulty"
    return rater("one", **{kind: texts[0]}), rater("other", **{kind: texts[1]})


def test_fleiss_kappa_of_the_worked_example() -> None:
    rows = [[int(n) for n in row.split()] for row in FLEISS.split("/")]
    said = [[str(place) for place, n in enumerate(row) for _ in range(n)] for row in rows]
    raters = [Rater(f"r{k}", {}, {f"c{i}": answers[k] for i, answers in enumerate(said)}) for k in range(14)]
    found = fleiss(Question("difficulty", tuple("01234")), raters)
    assert found.value == pytest.approx(0.210, abs=5e-4)
    assert found.agreement == pytest.approx(0.378, abs=5e-4)
    assert found.candidates == 10


@pytest.mark.parametrize(("table", "value", "agreement"), [
    ([[45, 15], [25, 15]], 0.1304, 0.6), ([[25, 35], [5, 35]], 0.2593, 0.6), ([[20, 5], [10, 15]], 0.4, 0.7),
])
def test_cohens_kappa_of_known_tables(table: list[list[int]], value: float, agreement: float) -> None:
    found = cohen(SUITABLE, *from_table(table))
    assert found.value == pytest.approx(value, abs=5e-5)
    assert found.agreement == pytest.approx(agreement)


def test_linear_weights_by_hand() -> None:
    # Weighted disagreement 0.15 where chance gives 0.38; plain agreement 0.7 where chance gives 0.39.
    raters = from_table([[4, 1, 0], [1, 2, 1], [0, 0, 1]], "EMH")
    assert cohen(DIFFICULTY, *raters, linear=True).value == pytest.approx(1 - 0.15 / 0.38)
    assert cohen(DIFFICULTY, *raters).value == pytest.approx((0.7 - 0.39) / (1 - 0.39))


def test_a_near_miss_weighs_less_than_a_far_one() -> None:
    one, near, far = (rater(n, difficulty=d) for n, d in (("a", "EEMMHH"), ("b", "EMMMHH"), ("c", "EHMMHH")))
    plain = [cohen(DIFFICULTY, one, other).value for other in (near, far)]
    linear = [cohen(DIFFICULTY, one, other, linear=True).value for other in (near, far)]
    assert plain[0] == pytest.approx(plain[1], abs=0.02)
    assert linear[0] is not None and linear[1] is not None and linear[0] > linear[1] + 0.1


def test_the_interval_is_about_as_wide_as_theory_says() -> None:
    # The standard error of Cohen's kappa (Fleiss, Cohen and Everitt 1969) for this table is 0.08.
    found = cohen(SUITABLE, *from_table([[40, 10], [10, 40]]))
    assert found.low is not None and found.high is not None
    assert found.value == pytest.approx(0.6)
    assert (found.high - found.low) / 2 == pytest.approx(1.96 * 0.08, rel=0.1)


def test_the_interval_depends_on_the_seed_alone() -> None:
    raters = from_table([[20, 5], [10, 15]])
    assert cohen(SUITABLE, *raters, seed=1) == cohen(SUITABLE, *raters, seed=1)
    assert cohen(SUITABLE, *raters, seed=1) != cohen(SUITABLE, *raters, seed=2)


LETTERS = st.text("yn", min_size=2, max_size=8)
SEVERAL = st.integers(2, 8).flatmap(
    lambda size: st.lists(st.text("yn", min_size=size, max_size=size), min_size=2, max_size=4))


def measured(answers: Sequence[str]) -> Kappa:
    return fleiss(SUITABLE, [rater(str(place), text) for place, text in enumerate(answers)])


@given(SEVERAL, st.randoms(use_true_random=False))
@settings(max_examples=12, deadline=None)
def test_neither_the_order_nor_the_names_of_anything_count(answers: list[str], shuffled: random.Random) -> None:
    found = measured(answers)
    places = list(range(len(answers[0])))
    shuffled.shuffle(places)
    mirrored = [text.translate(str.maketrans("yn", "ny")) for text in answers]
    for other in (mirrored, answers[::-1], ["".join(text[p] for p in places) for text in answers]):
        again = measured(other)
        assert again.value == (None if found.value is None else pytest.approx(found.value))
        assert again.agreement == pytest.approx(found.agreement)


@given(LETTERS.filter(lambda text: len(set(text)) > 1), st.integers(2, 4))
@settings(max_examples=12, deadline=None)
def test_perfect_agreement_is_one(text: str, count: int) -> None:
    found = measured([text] * count)
    assert (found.value, found.agreement) == (pytest.approx(1.0), 1.0)
    pair = cohen(SUITABLE, rater("a", text), rater("b", text))
    assert pair.value == pytest.approx(1.0)


@given(SEVERAL)
@settings(max_examples=25, deadline=None)
def test_a_value_lies_in_its_range_or_there_are_words(answers: list[str]) -> None:
    found = measured(answers)
    assert (found.value is None) == bool(found.why)
    assert found.value is None or -1.0 - 1e-9 <= found.value <= 1.0 + 1e-9
    assert found.low is None or (found.high is not None and found.low <= found.high and 2 * found.resamples >= RESAMPLES)


@pytest.mark.parametrize(("answers", "why"), [
    (["yyyy", "yyyy", "yyyy"], "all of them always say yes, which chance would do as well"),
    (["nn", "nn"], "all of them always say no, which chance would do as well"),
    (["y", "n"], "only one candidate has an answer of each of them"),
    (["y.", ".n"], "no candidate has an answer of each of them"),
    (["", ""], "no candidate has an answer of each of them"),
])
def test_where_kappa_is_undefined_there_are_words(answers: list[str], why: str) -> None:
    found = measured(answers)
    assert (found.value, found.low, found.high, found.why) == (None, None, None, why)
    assert [kappa.why for kappa in pairwise(SUITABLE, [rater(str(k), text) for k, text in enumerate(answers)][:2])] == [why]


def test_only_what_all_have_answered_counts() -> None:
    found = measured(["yyn.ny", "yynnny", "y.nnny"])
    assert (found.candidates, found.value) == (4, pytest.approx(1.0))


def test_the_majority_of_models_is_the_stages() -> None:
    models = [rater("a", "yyn", "EEH"), rater("b", "ynn", "EHE"), rater("c", "ny.", "HM.")]
    found = majority(models)
    assert list(found.suitable.values()) == ["yes", "yes", "no"]
    assert list(found.difficulty.values()) == ["Easy", "Medium", "Hard"]
    assert list(majority(models[:2]).suitable.values()) == ["yes", "no", "no"]


def test_a_consensus_needs_more_than_half_and_two() -> None:
    people = [rater("ann", "yyny.", "EEM"), rater("ben", "ynn..", "EHM"), rater("cy", ".yn..", ".H.")]
    found = consensus(people, "most")
    assert found.suitable == {"c000": "yes", "c001": "yes", "c002": "no"}
    assert found.difficulty == {"c000": "Easy", "c001": "Hard", "c002": "Medium"}
    assert consensus(people[:2], "both").suitable == {"c000": "yes", "c002": "no"}


def test_there_are_two_questions() -> None:
    assert [(question.name, question.answers) for question in QUESTIONS] == [
        ("suitable", ("no", "yes")), ("difficulty", ("Easy", "Medium", "Hard"))]
