"""The index of what existed before the cutoff."""

from __future__ import annotations

from itertools import pairwise

from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages import Definition
from pipeline.sources.novelty import Known, Likeness, likenesses

WORDS = st.lists(st.sampled_from("abcdefgh"), min_size=0, max_size=30).map(" ".join)


def pairs(tokens: bytes | str) -> frozenset[int]:
    """Shingles of two words, which are easy to count by hand."""
    words = tokens.split() if isinstance(tokens, str) else tokens.decode().split()
    return frozenset(hash(pair) for pair in pairwise(words))


def definition(name: str, source: str) -> Definition:
    return Definition(name, name, "function", 1, 1, (), False, False, source, f"print of {source}", True, source.encode())


def known(*functions: tuple[str, str]) -> list[Known]:
    return [
        Known(name, "demo-1.0.tar.gz", f"{name}.py", source, f"print of {source}", source.encode(), order)
        for order, (name, source) in enumerate(functions)
    ]


def likeness_of(name: str, source: str, *functions: tuple[str, str]) -> Likeness:
    [found] = likenesses([definition(name, source)], known(*functions), pairs)
    return found


def test_the_likeness_is_the_share_of_its_shingles_that_one_older_function_has() -> None:
    likeness = likeness_of("f", "a b c d e", ("f", "a b c"), ("g", "c d e"), ("h", "x y"))
    assert (likeness.version, likeness.similarity) == (0.5, 0.5)
    assert str(likeness.nearest) == "f in f.py (demo-1.0.tar.gz)"


def test_a_version_is_looked_for_among_those_of_its_name_alone() -> None:
    likeness = likeness_of("f", "a b c", ("f", "x y z"), ("g", "a b c"))
    assert (likeness.version, likeness.similarity) == (0.0, 1.0)
    assert str(likeness.nearest).startswith("g in")


def test_a_method_of_its_name_is_a_version_too() -> None:
    likeness = likeness_of("f", "a b c", ("Old.f", "a b c d"))
    assert (likeness.version, likeness.version_of) == (1.0, likeness.nearest)


def test_of_those_that_share_as_much_the_smallest_is_the_nearest_then_the_first() -> None:
    olds = ("big", "a b c d e f"), ("small", "a b c"), ("later", "a b c")
    assert str(likeness_of("f", "a b c", *olds).nearest).startswith("small in")
    [likeness] = likenesses([definition("f", "a b c")], reversed(known(*olds)), pairs)
    assert str(likeness.nearest).startswith("small in")


def test_nothing_is_like_nothing() -> None:
    assert likeness_of("f", "a b").nearest is None
    assert likeness_of("f", "a", ("f", "a b")).similarity == 0.0
    assert likeness_of("g", "x y", ("f", "a b")).nearest is None


def test_a_text_is_compared_with_all_that_had_its_name() -> None:
    source = "def f(x):\n    one\n    two\n"
    likeness = likeness_of("f", source, ("g", source), ("f", "def f(x):\n    one\n    new\n"), ("A.f", "zero\n"))
    assert (likeness.text, likeness.text_of and likeness.text_of.order) == (0.8, 1)


def test_the_past_goes_by_once() -> None:
    new = [definition("f", "a b"), definition("g", "x y")]
    found = likenesses(new, iter(known(("g", "a b"), ("h", "x y"))), pairs)
    assert [str(one.nearest)[:1] for one in found] == ["g", "h"]
    assert likenesses([], iter(()), pairs) == []


@given(st.lists(WORDS, max_size=8), WORDS)
def test_the_comparison_agrees_with_counting(olds: list[str], new: str) -> None:
    likeness = likeness_of("g", new, *((f"f{n}", old) for n, old in enumerate(olds)))
    wanted = pairs(new)
    best = max((len(wanted & pairs(old)) for old in olds), default=0) if wanted else 0
    assert likeness.similarity == (round(best / len(wanted), 4) if wanted else 0.0)
