"""The index of what existed before the cutoff."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages import Definition
from pipeline.sources.novelty import Baseline

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=0, max_size=30).map(" ".join)


def pairs(source: str) -> frozenset[int]:
    """Shingles of two words, which are easy to count by hand."""
    words = source.split()
    return frozenset(hash(pair) for pair in pairwise(words))


def definition(name: str, source: str) -> Definition:
    return Definition(name, name, "function", 1, 1, (), False, False, source, f"print of {source}", True)


def known(*functions: tuple[str, str]) -> Baseline:
    baseline = Baseline(pairs)
    for name, source in functions:
        baseline.add(definition(name, source), "demo-1.0.tar.gz", f"{name}.py")
    return baseline


def test_the_same_is_found_under_any_name() -> None:
    baseline = known(("f", "a b c"))
    assert str(baseline.same("print of a b c")) == "f in f.py (demo-1.0.tar.gz)"
    assert baseline.same("print of a b d") is None


def test_the_likeness_is_the_share_of_its_shingles_that_one_older_function_has() -> None:
    likeness = known(("f", "a b c"), ("g", "c d e"), ("h", "x y")).likeness(definition("f", "a b c d e"))
    assert (likeness.version, likeness.similarity) == (0.5, 0.5)
    assert str(likeness.nearest).startswith("f in")


def test_a_version_is_looked_for_among_those_of_its_name_alone() -> None:
    likeness = known(("f", "x y z"), ("g", "a b c")).likeness(definition("f", "a b c"))
    assert (likeness.version, likeness.similarity) == (0.0, 1.0)
    assert str(likeness.nearest).startswith("g in")


def test_of_those_that_share_as_much_the_smallest_is_the_nearest() -> None:
    likeness = known(("big", "a b c d e f"), ("small", "a b c")).likeness(definition("f", "a b c"))
    assert str(likeness.nearest).startswith("small in")


def test_nothing_is_like_nothing() -> None:
    assert known().likeness(definition("f", "a b")).nearest is None
    assert known(("f", "a b")).likeness(definition("f", "a")).similarity == 0.0
    assert known(("f", "a b")).likeness(definition("g", "x y")).nearest is None


def test_what_is_added_after_a_question_counts_in_the_next() -> None:
    baseline = known(("f", "a b"))
    assert baseline.likeness(definition("f", "x y")).similarity == 0.0
    baseline.add(definition("g", "x y"), "later", "g.py")
    assert baseline.likeness(definition("f", "x y")).similarity == 1.0
    assert len(baseline) == 2


@given(st.lists(WORDS, max_size=8), WORDS)
def test_the_index_agrees_with_counting(olds: list[str], new: str) -> None:
    likeness = known(*((f"f{n}", old) for n, old in enumerate(olds))).likeness(definition("g", new))
    wanted = pairs(new)
    best = max((len(wanted & pairs(old)) for old in olds), default=0) if wanted else 0
    assert likeness.similarity == (round(best / len(wanted), 4) if wanted else 0.0)
