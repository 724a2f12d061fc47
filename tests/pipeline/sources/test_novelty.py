"""The index of what existed before the cutoff."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from pipeline.languages.reading import SHINGLE, Definition
from pipeline.sources.novelty import LEAST, Known, Likeness, likenesses

WORDS = st.lists(st.sampled_from("abc"), min_size=0, max_size=40).map(" ".join)


def shingles(tokens: bytes | str) -> list[int]:
    """Five words each, which are easy to count by hand."""
    words = tokens.split() if isinstance(tokens, str) else tokens.decode().split()
    return [hash(tuple(words[start : start + SHINGLE])) for start in range(len(words) - SHINGLE + 1)]


def definition(name: str, source: str) -> Definition:
    return Definition(name, name, "function", 1, 1, (), False, False, source, f"print of {source}", True, source.encode())


def known(*functions: tuple[str, str]) -> list[Known]:
    return [
        Known(name, "demo-1.0.tar.gz", f"{name}.py", source, f"print of {source}", source.encode(), order)
        for order, (name, source) in enumerate(functions)
    ]


def likeness_of(name: str, source: str, *functions: tuple[str, str]) -> Likeness:
    [found] = likenesses([definition(name, source)], known(*functions), shingles)
    return found


def test_the_similarity_is_the_share_of_its_shingles_that_one_older_function_has() -> None:
    likeness = likeness_of("f", "a b c d e f g h", ("f", "a b c d e f"), ("g", "d e f g h"), ("h", "x y"))
    assert likeness.similarity == 0.5
    assert str(likeness.nearest) == "f in f.py (demo-1.0.tar.gz)"


def test_a_changed_word_leaves_the_words_around_it() -> None:
    old = "a b c d e f g h i j k l m n o"
    likeness = likeness_of("f", old.replace("h", "X"), ("f", old), ("g", "a b c d e f g"))
    assert (likeness.version, likeness.copy) == (round(14 / 15, 4), round(14 / 15, 4))
    assert likeness.similarity == round(6 / 11, 4)


def test_a_version_is_looked_for_among_those_of_its_name_alone() -> None:
    likeness = likeness_of("f", "a b c d e", ("f", "v w x y z"), ("g", "a b c d e"))
    assert (likeness.version, likeness.version_of, likeness.copy) == (0.0, None, 1.0)
    assert str(likeness.copy_of).startswith("g in")


def test_a_method_of_its_name_is_a_version_too() -> None:
    likeness = likeness_of("f", "a b c d e", ("Old.f", "a b c d e f"))
    assert (likeness.version, likeness.version_of) == (1.0, likeness.nearest)


def test_of_those_that_share_as_much_the_smallest_is_the_nearest_then_the_first() -> None:
    olds = ("big", "a b c d e f g"), ("small", "a b c d e"), ("later", "a b c d e")
    new = definition("f", "a b c d e")
    for past in (known(*olds), reversed(known(*olds))):
        [likeness] = likenesses([new], past, shingles)
        assert str(likeness.nearest).startswith("small in")
        assert str(likeness.copy_of).startswith("small in")


def test_nothing_is_like_nothing() -> None:
    assert likeness_of("f", "a b").nearest is None
    assert likeness_of("f", "a", ("f", "a b c d e")) == Likeness(text_of=known(("f", "a b c d e"))[0])
    assert likeness_of("g", "x y z x y", ("f", "a b c d e")).nearest is None


def test_a_text_is_compared_with_all_that_had_its_name() -> None:
    source = "def f(x):\n    one\n    two\n"
    likeness = likeness_of("f", source, ("g", source), ("f", "def f(x):\n    one\n    new\n"), ("A.f", "zero\n"))
    assert (likeness.text, likeness.text_of and likeness.text_of.order) == (0.8, 1)


def test_the_past_goes_by_once() -> None:
    new = [definition("f", "a b c d e"), definition("g", "v w x y z")]
    found = likenesses(new, iter(known(("g", "a b c d e"), ("h", "v w x y z"))), shingles)
    assert [str(one.nearest)[:1] for one in found] == ["g", "h"]
    assert likenesses([], iter(()), shingles) == []


def words_in(new: str, old: str) -> float:
    """The share of the words that stand in shared shingles, counted one by one."""
    ours, theirs = shingles(new), set(shingles(old))
    standing = {at + n for at, one in enumerate(ours) if one in theirs for n in range(SHINGLE)}
    return len(standing) / len(new.split()) if standing else 0.0


@given(st.lists(WORDS, max_size=8), WORDS)
def test_the_comparison_agrees_with_counting(olds: list[str], new: str) -> None:
    likeness = likeness_of("g", new, *((f"f{n}", old) for n, old in enumerate(olds)))
    wanted = set(shingles(new))
    best = max((len(wanted & set(shingles(old))) for old in olds), default=0)
    assert likeness.similarity == (round(best / len(wanted), 4) if wanted else 0.0)
    most = max((words_in(new, old) for old in olds), default=0.0)
    assert likeness.copy == (round(most, 4) if most >= LEAST else 0.0)
    assert likeness.version == 0.0
