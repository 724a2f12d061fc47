"""Words: what may be changed, typos that are no words, synonyms in their places, inflections."""

from __future__ import annotations

import gzip
from collections.abc import Sequence
from dataclasses import replace

import pytest

from harness.errors import UserError
from harness.records import Task
from pipeline.config import VaryConfig
from pipeline.rewording.asked import reword
from pipeline.rewording.drafts import Question
from pipeline.rewording.inflection import article, cased
from pipeline.rewording.parts import parts_of
from pipeline.rewording.protected import words_of
from pipeline.rewording.synonyms import replaced, sites_of
from pipeline.rewording.typos import misspellings, slips
from pipeline.rewording.words import (
    CURATED,
    FOLDER,
    TEXT,
    WORDNET,
    checked_sources,
    english,
    protected,
    real,
    substitutions,
)
from pipeline.shipped import shipped
from tests.harness.make_release import make_tasks


def changing(prose: str, signature: str = "def f(x: int, width=1) -> str:") -> list[str]:
    return [word.text for word in words_of(parts_of(f'{signature}\n    """{prose}\n    """\n')) if word.changes]


@pytest.mark.parametrize(("prose", "wanted"), [
    ("Format lines, and keep `the code`.", ["Format", "lines", "keep"]),
    ('Take "quoted words" or \'these words\' away.', ["Take", "away"]),
    ("It is not more than 3 metres wide.", ["It", "is", "wide"]),
    ("The width of Bitcoin blocks.", ["The", "of", "blocks"]),
    ("See os.path.join, some_name, camelCase and a/b.", ["See"]),
    ("Don't raise a ValueError or yield None.", ["a"]),
    ("A lower-case word's length.", ["A", "length"]),
    ("Ask https://example.org/words now.", ["Ask", "now"]),
    ("Find it.\n\n    Args:\n        number: A count of pages.\n        width (count): Pages.", ["Find", "it", "A", "count", "of", "pages", "Pages"]),
    ("Find it.\n\n    >>> count pages\n    pages", ["Find", "it"]),
])
def test_only_prose_may_change(prose: str, wanted: list[str]) -> None:
    assert changing(prose) == wanted


def test_no_typo_of_any_word_is_a_word() -> None:
    words = [word for word in english() if len(word) >= 3]
    for word in words[:: max(1, len(words) // 6000)]:
        for typo in (*misspellings(word), *slips(word)):
            assert typo not in real() and typo[0] == word[0] and abs(len(typo) - len(word)) <= 1


@pytest.mark.parametrize(("word", "never"), [("min", "mix"), ("now", "not"), ("form", "from"), ("list", "lit"), ("keys", "key"), ("ints", "int")])
def test_typos_that_would_ask_for_something_else_are_left_out(word: str, never: str) -> None:
    assert never not in misspellings(word) + slips(word)


def test_typos_are_those_of_hands() -> None:
    assert {"cloes", "clse", "closse"} <= set(misspellings("close"))
    assert "theeshold" in slips("threshold") and "tHreshold" not in slips("tHreshold")


def put(prose: str) -> set[str]:
    """The texts that one synonym makes of prose."""
    text = f'def f(x):\n    """{prose}\n    """\n'
    question = Question(_task(text), VaryConfig())
    made = set()
    for site in sites_of(question, CURATED):
        for choice in range(len(site[0].found.others)):
            changed = text
            for edit in sorted(replaced(question, site, choice), key=lambda one: -one.start):
                changed = changed[: edit.start] + edit.after + changed[edit.start + len(edit.before) :]
            made.add(changed.split('"""')[1].strip())
    return made


def _task(text: str) -> Task:
    return replace(make_tasks("sc-python")[0], instruction=text, signature="def f(x):", entry_point="f")


@pytest.mark.parametrize(("prose", "made"), [
    ("Compute it.", {"Calculate it."}),
    ("A word begins with a dash.", {"A word starts with a dash."}),
    ("The start is 0.", {"The beginning is 0."}),
    ("Keep an item.", {"Keep an element.", "Keep an entry.", "Retain an item."}),
    ("Keep an item and an element.", {"Keep an entry and an element.", "Keep an item and an entry.", "Retain an item and an element."}),
    ("It has to be so.", {"It must be so."}),
    ("No word has to be so.", set()),
    ("Two lines, as well as three.", set()),
    ("It counts as well.", {"It counts too."}),
    ("They were picked.", {"They were selected.", "They were chosen."}),
    ("What is further inside stays.", {"What is further inside remains."}),
    ("The whole number of pages.", set()),
    ("It changes, and nothing else.", set()),
    ("An empty list is `changed`.", set()),
])
def test_synonyms_fit_their_places(prose: str, made: set[str]) -> None:
    assert put(prose) == made


def test_an_article_fits_what_follows_it() -> None:
    assert [article("a", word) for word in ("entry", "item", "unit", "hour", "user", "one", "image")] == ["an", "an", "a", "an", "a", "a", "an"]
    assert article("An", "word") == "A" and cased("find", "Locate") == "Find"


def test_the_thesaurus_keeps_protected_words() -> None:
    for some in substitutions(CURATED, TEXT).values():
        for one in some:
            before = sorted(word for word in one.words if word in protected())
            for other in one.others:
                assert sorted(word for word in other.split() if word in protected()) == before, (one.words, other)


def test_forms_that_rules_give_are_english() -> None:
    for some in substitutions(CURATED, TEXT).values():
        for one in some:
            for forms in (*one.other_forms, one.forms):
                if all(word in english() for word in forms[0].replace("-", " ").split()):
                    assert all(word in english() for form in forms for word in form.replace("-", " ").split()), forms


def test_wordnet_is_a_source_of_its_own(join: Task) -> None:
    rows = reword(join, VaryConfig(strategies=("description_synonym",), synonyms=(WORDNET,)))
    assert len(rows) == 10 and {row.meaning for row in rows} == {"unchecked"}
    assert {row.meaning for row in reword(join, VaryConfig(strategies=("description_synonym",)))} == {"rules"}


@pytest.mark.parametrize(("names", "told"), [(("wordnt",), "did you mean 'wordnet'"), ((), "have to come from somewhere")])
def test_unknown_sources_are_refused(names: Sequence[str], told: str) -> None:
    with pytest.raises(UserError, match=told):
        checked_sources(names)


def test_the_lists_are_frozen_without_a_date_and_with_their_licence() -> None:
    folder = shipped(FOLDER)
    for name in ("english.txt.gz", "wordnet.tsv.gz"):
        packed = (folder / name).read_bytes()
        lines = gzip.decompress(packed).decode().splitlines()
        assert packed[4:8] == bytes(4) and lines == sorted(set(lines)) and len(lines) > 40_000
    assert "WordNet 3.0 Copyright 2006 by Princeton University" in (folder / "LICENCE.wordnet").read_text("utf-8")
    assert english() >= {"value", "letters", "parse"} and "strcmp" not in english()
