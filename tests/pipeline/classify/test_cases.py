"""Python's scoping rules, as the files in tests/cases/python state them."""

from __future__ import annotations

import pytest

from tests.pipeline.classify.expectations import CASES, expectations, module_of, said, wanted

FILES = sorted(CASES.glob("*.py"))


@pytest.mark.parametrize("path", FILES, ids=lambda path: path.stem)
def test_every_expectation_in_the_file_holds(path):
    module = module_of(path)
    wrong = [
        f"line {each.line}: {wanted(each)!r} was expected, but it is {found!r}"
        for each in expectations(path) if (found := said(module, each)) != wanted(each)
    ]
    assert not wrong, "\n".join(wrong)


def test_there_are_enough_of_them_and_refusals_too():
    claims = [each for path in FILES for each in expectations(path)]
    refusals = [each for each in claims if wanted(each) == "defined: " or each.claim == "unsure"
                or each.value.startswith(("PROJECT_DEPENDENT", "LIBRARY_NOT_ALLOWED", "UNSURE"))]
    assert len(claims) >= 150
    assert len(refusals) >= 50


def test_a_caret_without_a_known_word_is_no_expectation_that_passes_unseen():
    for path in FILES:
        carets = [line for line in path.read_text("utf-8").split("\n") if line.lstrip().startswith("#") and "^" in line]
        assert len(carets) == len(list(expectations(path))), path.name
