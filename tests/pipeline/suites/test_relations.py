"""Relations: parameters that meet in the body get values that have something to do with each other."""

from __future__ import annotations

import math
from pathlib import Path
from random import Random
from typing import Any

import pytest

from pipeline.suites.domain.drawing import Profile
from pipeline.suites.domain.parameter import Parameter, Relation
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import OMITTED, Sampler
from pipeline.suites.domain.spec import Choice, Whole
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.inference.interpreter.parameter_relations import leads
from pipeline.suites.inference.typical import ordinary
from pipeline.suites.property_test import printed
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import COVERABLE, property_tests, request

READ = {
    "a text in a text": ("a: str, b: str", "return a in b.lower()", ("part", "a", "b")),
    "a prefix": ("a: str, b: str", "return b.startswith(a)", ("part", "a", "b")),
    "an item of a list": ("a: int, b: list[int]", "return [a == x for x in b]", ("part", "a", "b")),
    "a key": ("a: str, b: dict[str, int]", "return b.get(a, 0)", ("part", "a", "b")),
    "a place": ("a: int, b: list[int]", "return b[a]", ("index", "a", "b")),
    "a key of the items": ("a: str, b: list[dict]", "return [row[a] for row in b]", ("key", "a", "b")),
    "items looked up": ("a: list[str], b: dict[str, int]", "return [b[x] for x in a if x in b]", ("members", "a", "b")),
    "zipped": ("a: list[int], b: list[int]", "return [x - y for x, y in zip(a, b)]", ("length", "b", "a")),
    "one index": (
        "a: list[int], b: list[int]", "return [a[i] * b[i] for i in range(len(a))]", ("length", "b", "a")
    ),
    "lengths compared": ("a: str, b: str", "return len(a) != len(b)", ("length", "b", "a")),
    "a length limit": ("a: str, b: int", "return a if len(a) <= b else a[:b]", ("size", "b", "a")),
    "sets combined": ("a: set[str], b: set[str]", "return sorted(a & b)", ("shared", "b", "a")),
    "sets made of lists": ("a: list[str], b: list[str]", "return sorted(set(a) - set(b))", ("shared", "b", "a")),
    "dicts merged": ("a: dict[str, int], b: dict[str, int]", "return {**a, **b}", ("shared", "b", "a")),
    "bounds by name": ("start: int, end: int", "return list(range(start, end))", ("above", "end", "start")),
    "after a loop": (
        "a: list[str], b: list[str]", "out = []\n    for x in a:\n        if x in b:\n            out.append(x)\n    return out",
        ("members", "a", "b"),
    ),
    "between two others": (
        "a: float, b: float", "c = round(a, 1)\n    return b < c", ("similar", "a", "b")
    ),
    "bounds of a slice": ("a: list[str], b: int", "return a[b - 1 :]", ("size", "b", "a")),
    "through other names": (
        "a: str, b: str", "left, right = a.strip(), b.strip()\n    return left == right", ("similar", "b", "a")
    ),
    "of one kind": ("a: list[str], b: list[str]", "return len(a) + 2 * len(b)", ("similar", "b", "a")),
}


def _program(name: str) -> str:
    arguments, body, _ = READ[name]
    return f"def f({arguments}):\n    {body}\n"


@pytest.mark.parametrize("name", READ)
def test_relations_are_read_from_the_body(name: str) -> None:
    kind, target, origin = READ[name][2]
    found = [parameter.relation for parameter in infer(Subject.of(_program(name), "f")) if parameter.relation is not None]
    assert [(one.kind, one.target, one.source) for one in found] == [(kind, target, origin)]


@pytest.mark.parametrize(
    "text",
    [
        "def f(a: str, b: int):\n    return a * b\n", "def f(a: list[int], n: int = 3):\n    return [x + n for x in a]\n",
        "def f(a: str, mode: str = 'fast'):\n    return a if mode == 'fast' else a.upper()\n",
    ],
)
def test_what_never_meets_is_not_related(text: str) -> None:
    assert all(parameter.relation is None for parameter in infer(Subject.of(text, "f")))


def test_no_parameter_depends_on_itself() -> None:
    text = "def f(a: list[str], b: list[str], c: list[str]):\n    return a == b, b == c, c == a, [x for x in a if x in c]\n"
    relations = {one.name: one.relation for one in infer(Subject.of(text, "f"))}
    for name in relations:
        steps, here = 0, relations[name]
        while here is not None:
            here, steps = relations[here.source], steps + 1
            assert steps < 3


def _inputs(text: str, count: int = 400, tidy: bool = True) -> list[dict[str, Any]]:
    parameters = infer(Subject.of(text, "f"))
    sampler = Sampler(Random(4), pool_of(Subject.of(text, "f")))
    sampler.profile = Profile(tidy=tidy)
    made = [sampler.inputs(parameters) for _ in range(count)]
    return [one for one in made if all(value is not OMITTED for value in one.values())]


HOLDS = {
    "a text in a text": (lambda a, b: bool(a) and a in b, 0.35), "an item of a list": (lambda a, b: a in b, 0.4),
    "a place": (lambda a, b: 0 <= a < len(b), 0.55), "a key": (lambda a, b: a in b, 0.35),
    "items looked up": (lambda a, b: bool(set(a) & set(b)), 0.35), "zipped": (lambda a, b: len(a) == len(b), 0.7),
    "sets combined": (lambda a, b: bool(a & b), 0.3), "dicts merged": (lambda a, b: bool(set(a) & set(b)), 0.3),
    "bounds by name": (lambda a, b: a <= b, 0.9), "of one kind": (lambda a, b: bool(set(a) & set(b)), 0.25),
}  # fmt: skip


@pytest.mark.parametrize("name", HOLDS)
def test_drawn_values_relate_often_but_not_always(name: str) -> None:
    holds, share = HOLDS[name]
    made = [tuple(one.values()) for one in _inputs(_program(name))]
    count = sum(holds(*one) for one in made)
    assert share * len(made) <= count < len(made)


def test_two_arguments_never_share_an_object() -> None:
    text = "def f(a: list[list[int]], b: list[list[int]]):\n    return a == b\n"
    for one in _inputs(text):
        assert not {id(inner) for inner in one["a"]} & {id(inner) for inner in one["b"]}


def test_items_repeat_or_nearly_so_in_some_lists() -> None:
    text = "def f(a: list[tuple[str, int]]):\n    return a\n"
    made = [one["a"] for one in _inputs(text) if len(one["a"]) > 2]
    firsts = sum(len({first for first, _ in rows}) < len({*rows}) for rows in made)
    assert 0.1 * len(made) < firsts < 0.9 * len(made)


@pytest.mark.slow  # printed tests are run, one of each kind
def test_printed_strategies_relate_too_and_run(tmp_path: Path) -> None:
    some = list({relation[0]: name for name, (_, _, relation) in READ.items()}.values())  # one of each kind
    folders = [tmp_path / str(number) for number in range(len(some))]
    for name, folder in zip(some, folders, strict=True):
        program = _program(name)
        made = printed("f", infer(Subject.of(program, "f")), pool_of(Subject.of(program, "f")), 1).text(("IndexError", "KeyError"))
        assert "flatmap" in made and "st.shared" in made
        folder.mkdir()
        for file, text in (("reference", program), ("candidate", program), ("test_candidate", made)):
            (folder / f"{file}.py").write_text(text)
    assert dict(zip(some, property_tests(tmp_path, *folders), strict=True)) == dict.fromkeys(some, 0)


RISING = [
    "def f(xs: list[tuple[float, float]]):\n    return [end - start for start, end in xs]\n",
    "def f(intervals: list[tuple[float, float]]):\n    return len(intervals)\n",
]


@pytest.mark.parametrize("text", RISING)
def test_pairs_that_are_ranges_rise(text: str) -> None:
    pairs = [pair for one in _inputs(text, tidy=False) for rows in one.values() for pair in rows]
    assert 0.8 * len(pairs) < sum(low <= high for low, high in pairs) < len(pairs)
    assert "map(sorted).map(tuple)" in printed("f", infer(Subject.of(text, "f")), pool_of(Subject.of(text, "f")), 1).text(())


def test_pairs_of_anything_else_need_not_rise() -> None:
    pairs = [pair for one in _inputs("def f(xs: list[tuple[int, int]]):\n    return xs\n") for pair in one["xs"]]
    assert sum(low > high for low, high in pairs) > 0.3 * len(pairs)


def test_what_lies_under_a_prefix_is_drawn_too() -> None:
    text = "def f(key: str, known: set[str]):\n    head, _, _ = key.rpartition('.')\n    return key in known or head in known\n"
    made = _inputs(text)
    under = sum(any(one["key"].startswith(name + ".") for name in one["known"] if name) for one in made)
    assert under > 0.03 * len(made)


def test_arrays_and_lists_of_one_length() -> None:
    text = "def f(a: np.ndarray, b: list[float]):\n    return a.dtype, a.ndim, [x * y for x, y in zip(a, b)]\n"
    made = [one for one in _inputs(text, count=800, tidy=False) if one["a"].ndim]
    assert sum(len(one["a"]) == len(one["b"]) for one in made) > 0.6 * len(made)


@pytest.mark.parametrize("bound", [math.nan, math.inf])
def test_no_whole_number_lies_above_what_is_no_number(bound: float) -> None:
    low = Parameter("low", "positional", Choice((bound,)))
    high = Parameter("high", "positional", Whole(), relation=Relation("above", "high", "low", 1.0))
    made = Sampler(Random(1), Pool()).inputs((low, high))
    assert isinstance(made["high"], int)


MERGED = '''
def merged(base: dict[str, Any], overlay: dict[str, Any]) -> dict[str, Any]:
    result = dict(base)
    for key, value in overlay.items():
        known = result.get(key)
        result[key] = merged(known, value) if isinstance(known, dict) and isinstance(value, dict) else value
    return result
'''


@pytest.mark.parametrize("text", [MERGED, *COVERABLE])
def test_no_relation_leads_back(text: str) -> None:
    made = request(text)
    inferred = infer(Subject.of(made.program, made.entry_point))
    for parameters in (inferred, ordinary(inferred, Subject.of(made.program, made.entry_point))):
        for one in parameters:
            assert one.relation is None or not leads(parameters, one.relation.source, one.name)
