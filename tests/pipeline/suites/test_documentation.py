"""Documentation: what it promises holds in nearly all inputs, and what it shows is drawn."""

from __future__ import annotations

import re
from random import Random
from typing import Any

import pytest

from pipeline.suites.domain.description import describe
from pipeline.suites.domain.drawing import Profile
from pipeline.suites.domain.formats.notations import like, notation
from pipeline.suites.domain.sampler import OMITTED, Sampler
from pipeline.suites.domain.spec import (
    Anything,
    Array,
    Choice,
    Either,
    Items,
    Real,
    Spec,
    Text,
    Whole,
)
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.evidence.doc_examples import doctest_arguments, shown
from pipeline.suites.inference.evidence.docstrings import from_words
from pipeline.suites.inference.evidence.prose import constrained
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import printed
from pipeline.suites.subject import Subject

LIST = Items(Whole())
PROMISES: list[tuple[Spec, str, Spec]] = [
    (LIST, "a sorted list of numbers", Items(Whole(), ordered=True)),
    (LIST, "the list to be sorted", LIST),
    (LIST, "sorted in descending order", LIST),
    (LIST, "non-empty list", Items(Whole(), fewest=1)),
    (LIST, "must not be empty", Items(Whole(), fewest=1)),
    (Whole(), "a positive integer", Whole(1, soft=True)),
    (Whole(), "a positive or negative integer", Whole()),
    (Whole(), "any positive code flips, and any negative code turns", Whole()),
    (Whole(), "a non-negative count", Whole(0, soft=True)),
    (Whole(), "between 1 and 12", Whole(1, 12, soft=True)),
    (Whole(), "the day (1-31)", Whole(1, 31, soft=True)),
    (Real(), "a value in [0, 1]", Real(0.0, 1.0, soft=True)),
    (Real(), "the probability of a hit", Real(0.0, 1.0, soft=True)),
    (Real(), "given in percent", Real(0.0, 100.0, soft=True)),
    (Real(), "timeout in seconds", Real(0.0, soft=True)),
    (Items(Real()), "list of probabilities", Items(Real(0.0, 1.0, soft=True))),
    (Whole(), "a power of two", Either((Choice((1, 2, 4, 8, 16, 32, 64, 256, 1024)),), (Whole(0, 100),))),
    (Text(), "must be one of 'left', 'right'", Text(constants=("left", "right"), closed=True)),
    (Text(), "one of many texts", Text()),
    (Array(), "array of shape (n, 2)", Array(dims=2, shape=("n", 2))),
    (Array(), "a 2D array", Array(dims=2)),
    (LIST, "whatever you like", LIST),
]  # fmt: skip


@pytest.mark.parametrize(("spec", "words", "expected"), PROMISES, ids=[words for _, words, _ in PROMISES])
def test_promises_in_prose(spec: Spec, words: str, expected: Spec) -> None:
    assert constrained(spec, words) == expected


def test_mappings_in_prose() -> None:
    assert [describe(from_words(text) or Anything()) for text in (
        "mapping from str to list of int", "dict of str to float", "list of bool"
    )] == ["{str: list[int]}", "{str: float}", "list[bool]"]  # fmt: skip


def _drawn(text: str, tidy: bool = True, count: int = 300) -> list[dict[str, Any]]:
    sampler = Sampler(Random(3), pool_of(Subject.of(text, "f")))
    sampler.profile = Profile(tidy=tidy)
    return [sampler.inputs(infer(Subject.of(text, "f"))) for _ in range(count)]


@pytest.mark.parametrize(("text", "kind"), [
    ("list of tuple(int, int)", "list[tuple[int, int]]"), ("(float, float)", "tuple[float, float]"),
    ("list of tuples (str, list[int])", "list[tuple[str, list[int]]]"), ("2-tuple of (int, int)", "tuple[int, int]"),
    ("int or (int, int)", "int | tuple[int, int]"), ("tuple(int, ...)", "tuple[int], ..."), ("list(str)", "list[str]"),
    ("list[tuple[int, int]]", "list[tuple[int, int]]"),
])
def test_a_tuple_is_known_by_its_places(text: str, kind: str) -> None:
    found = from_words(text)
    assert found is not None and describe(found) == kind


def _documented(arguments: str, entries: str, body: str = "return None") -> str:
    return f'def f({arguments}):\n    """Do it.\n\n    Args:\n        {entries}\n    """\n    {body}\n'


def test_promised_order_holds_in_nearly_all_inputs() -> None:
    made = [one["xs"] for one in _drawn(_documented("xs: list[int]", "xs: Sorted numbers, must not be empty."))]
    kept = sum(bool(xs) and xs == sorted(xs) for xs in made)
    assert 0.9 * len(made) < kept < len(made)


def test_a_clause_of_the_prose_speaks_of_the_parameter_that_it_names() -> None:
    text = 'def f(a: list[int], b: list[int]):\n    """Find it. The list `b` must be sorted. Any `a` will do."""\n'
    first, second = (parameter.spec for parameter in infer(Subject.of(text, "f")))
    assert first == Items(Whole()) and second == Items(Whole(), ordered=True)


def test_what_words_promise_is_broken_now_and_then_so_that_checks_are_reached() -> None:
    text = _documented("n: int", "n: A positive number.")
    assert all(one["n"] >= 1 for one in _drawn(text))
    loose = [one["n"] for one in _drawn(text, tidy=False, count=800)]
    assert 0 < sum(n < 1 for n in loose) < 80


def test_annotated_texts_are_read() -> None:
    spec = infer(Subject.of("def f(n: Annotated[int, 'between 3 and 9']):\n    return n\n", "f"))[0].spec
    assert spec == Whole(3, 9, soft=True)


DOCTEST = """Do it.

>>> f("a-b", 3)
'a'
>>> xs = [1, 2]
>>> f(text=xs, n=len(xs))
[1]
>>> g("other", 1)
"""


def test_arguments_of_doctests() -> None:
    assert doctest_arguments(DOCTEST, "f", ["text", "n"]) == {"text": ["a-b", [1, 2]], "n": [3]}


SHOWN = {
    "A time, e.g. '1:02:03'.": ["1:02:03"], "Such as ``foo-1.bar`` or ``x``": ["foo-1.bar"], "'a' -> 'b'": ["a"],
    "1536000 -> '1.5MB'": [1536000], ">>> f('x-y')\n'out'\n\nAnd 'v1.2'": ["v1.2"], "calls `json.loads` on None": [],
    "Reads H+:MM:SS or YYYY-MM-DD.": ["5:05:30", "2024-05-17"], "don't, it's plain": [], "e.g. ((10, 10),) -> (10,)": [((10, 10),)],
}  # fmt: skip


@pytest.mark.parametrize("text", SHOWN)
def test_values_that_prose_shows(text: str) -> None:
    assert shown(text) == SHOWN[text]


def test_shown_values_and_their_notation_are_drawn() -> None:
    text = _documented("clock: str", "clock: A time, e.g. '1:02:03'.", "return clock.split(':')")
    made = [one["clock"] for one in _drawn(text)]
    assert 0.05 * len(made) < made.count("1:02:03") < 0.4 * len(made)
    assert sum(bool(re.fullmatch(r"\d:\d\d:\d\d", one)) for one in made) > 1.5 * made.count("1:02:03")
    assert "'1:02:03'" in (made := printed("f", infer(Subject.of(text, "f")), pool_of(Subject.of(text, "f")), 1).text(()))
    assert "[0-9]:[0-9]{2}:[0-9]{2}" in made


def test_a_shown_value_of_another_type_is_no_example() -> None:
    text = _documented("n: int", "n: A number, e.g. 'seven' or 7 -> 8.")
    assert infer(Subject.of(text, "f"))[0].examples == (7,)


@pytest.mark.parametrize("example", ["v1.2.3", "a/b/c", "key=value", "2024-01-31", "ABC-123"])
def test_notations_match_their_example(example: str) -> None:
    assert re.fullmatch(notation(example), example)
    signs = re.sub(r"[0-9a-zA-Z]+", "w", example)
    made = {like(example, Random(seed)) for seed in range(40)}
    assert len(made) > 3 and all(re.sub(r"[0-9a-zA-Z]+", "w", one) == signs for one in made)


def _values(value: Any) -> list[Any]:
    if isinstance(value, dict):
        return [value, *(part for inner in value.values() for part in _values(inner))]
    return [value, *(part for inner in value for part in _values(inner))] if isinstance(value, (list, tuple, set)) else [value]


def _depth(value: Any) -> int:
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, (list, tuple)) else ()
    return 1 + max((_depth(one) for one in inner), default=0) if isinstance(value, (dict, list, tuple)) else 0


@pytest.mark.parametrize("annotation", ["", ": Any", ": list", ": dict"])
def test_unknown_values_are_plain(annotation: str) -> None:
    made = [part for one in _drawn(f"def f(x{annotation}):\n    return x\n") for part in _values(one["x"])]
    assert not any(isinstance(part, (complex, bytes)) or part != part for part in made)
    lists = [part for part in made if isinstance(part, list) and part]
    assert all(len({type(one) for one in part}) == 1 for part in lists)


def test_recursive_functions_get_trees() -> None:
    text = "def f(x: dict):\n    return {k: f(v) if isinstance(v, dict) else v for k, v in x.items()}\n"
    assert sum(_depth(one["x"]) > 2 for one in _drawn(text)) > 40
    flat = "def f(x: dict):\n    return {k: v for k, v in x.items()}\n"
    assert sum(_depth(one["x"]) > 2 for one in _drawn(flat)) < 40


def test_inputs_are_short_unless_a_number_of_the_body_asks_for_more() -> None:
    text = "def f(a: list[str], b: dict[str, list[str]], c: list[dict[str, str]]):\n    return a, b, c\n"
    made = _drawn(text, tidy=False)
    assert sum(len(repr(one)) > 1000 for one in made) < 0.03 * len(made)
    assert all(value is not OMITTED for one in made for value in one.values())


def test_foreign_letters_come_where_the_body_looks_at_letters() -> None:
    plain = "def f(x: str):\n    return x.split(',')\n"
    encoded = "def f(x: str):\n    return len(x.encode('utf-8'))\n"
    counts = [sum(not one["x"].isascii() for one in _drawn(text, tidy=False)) for text in (plain, encoded)]
    assert counts[0] < 12 < counts[1]


def test_texts_begin_and_end_as_the_body_asks() -> None:
    text = "def f(x: str):\n    return 1 if x.startswith('## ') else 2 if x.endswith('.py') else 3\n"
    made = [one["x"] for one in _drawn(text)]
    assert sum(one.startswith("## ") for one in made) > 30 and sum(one.endswith(".py") for one in made) > 15
    module = printed("f", infer(Subject.of(text, "f")), pool_of(Subject.of(text, "f")), 1).text(())
    assert "'## '.__add__" in module and "text + '.py'" in module


NAMES = {
    "things: list": "list[anything]", "num_rows: int": "int in [0, ...]", "offset: int": "int", "user_key: str": "str (identifier)",
}  # fmt: skip


@pytest.mark.parametrize("argument", NAMES)
def test_names_are_weak_evidence(argument: str) -> None:
    assert describe(infer(Subject.of(f"def f({argument}):\n    return None\n", "f"))[0].spec) == NAMES[argument]


def test_words_are_readable_in_typical_inputs() -> None:
    made = [one["x"] for one in _drawn("def f(x: str):\n    return x.title()\n")]
    words = [word for one in made for word in re.findall(r"[A-Za-z]+", one)]
    assert sum(bool(re.search(r"[A-Za-z]", one)) for one in made) > 0.85 * len(made)
    assert len(set(words)) > 40 and sum(len(one) for one in made) / len(made) < 30


def test_moments_of_one_input_compare() -> None:
    made = _drawn("def f(a: datetime, b: datetime):\n    return a < b\n")
    assert all((one["a"].tzinfo is None) == (one["b"].tzinfo is None) for one in made)


def test_arrays_are_plain_numbers_unless_the_body_looks_at_their_type() -> None:
    plain = "def f(x: np.ndarray):\n    return x.sum()\n"
    typed = "def f(x: np.ndarray):\n    return x.dtype == bool or x.ndim > 2\n"
    kinds = [{one["x"].dtype.kind for one in _drawn(text)} for text in (plain, typed)]
    assert kinds[0] == {"f", "i"} and kinds[1] >= {"f", "i", "b"}
    assert all(one["x"].ndim in (1, 2) for one in _drawn(plain))


def test_a_documented_shape_is_kept() -> None:
    made = _drawn(_documented("x: np.ndarray", "x: Boxes of shape (N, 4)."))
    assert sum(one["x"].shape[1:] == (4,) for one in made) > 0.9 * len(made)


def test_a_range_up_to_another_parameter_has_its_lower_end() -> None:
    text = 'def f(j: int, d: int):\n    """Choose.\n\n    Args:\n        j: integer in [0, d]\n        d: any\n    """\n    return j, d\n'
    made = {one.name: describe(one.spec) for one in infer(Subject.of(text, "f"))}
    assert made == {"j": "int in [0, ...]", "d": "int"}
