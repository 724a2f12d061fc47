"""Values: samplers, patterns, formats, mutations and selection keep to what they promise."""

from __future__ import annotations

import datetime
import re
from dataclasses import replace
from random import Random

import pytest

from harness.values import canonical, encode
from pipeline.suites.domain.formats.notations import FORMATS, in_format
from pipeline.suites.domain.formats.patterns import matching
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import OMITTED, Sampler
from pipeline.suites.domain.spec import (
    Choice,
    Dictionary,
    Either,
    Entry,
    Fixed,
    Items,
    Moment,
    Nothing,
    Real,
    Spec,
    Text,
    Unbuildable,
    Whole,
    buildable,
)
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.infer import infer
from pipeline.suites.instrument.branch_coverage import Measure, Tracer
from pipeline.suites.instrument.reference import Observation
from pipeline.suites.search.attempts import Found
from pipeline.suites.search.mutation import mutated
from pipeline.suites.selection.select import selection
from pipeline.suites.subject import Subject

PATTERNS = [
    r"\d{4}-\d{2}-\d{2}", r"^(a|b|cd)+$", r"[A-Z][a-z]*(?: [A-Z][a-z]*)?", r"(?P<key>\w+)=(?P<value>[^;]*);", r"#[0-9a-fA-F]{6}",
    r"(\w)\1", r"\s*[-+]?\d+(\.\d+)?([eE][-+]?\d+)?", r"[^\s@]+@[^\s@]+\.[a-z]{2,}", r"x{2,3}y?z*", r"(?i)hello|world",
]


@pytest.mark.parametrize("pattern", PATTERNS)
def test_patterns_are_matched_by_what_is_made_for_them(pattern: str) -> None:
    rng = Random(3)
    assert all(re.search(pattern, matching(pattern, rng)) for _ in range(50))


@pytest.mark.parametrize("pattern", ["(", "[", "(?P<a>", "*", "a{2,1}"])
def test_broken_patterns_are_refused(pattern: str) -> None:
    with pytest.raises(ValueError):
        matching(pattern, Random(1))


@pytest.mark.parametrize("name", sorted(FORMATS))
def test_formats_give_short_texts_that_differ(name: str) -> None:
    rng = Random(5)
    made = [in_format(name, rng) for _ in range(60)]
    assert all(isinstance(text, str) and len(text) < 400 for text in made)
    assert len(set(made)) > 3


SPECS: list[tuple[Spec, type | tuple[type, ...]]] = [
    (Whole(), int), (Whole(2, 5), int), (Real(), float), (Text(), str), (Text(("date:%Y",)), str),
    (Items(Whole()), list), (Items(Text(), "set"), set), (Items(Whole(), "tuple"), tuple), (Fixed((Whole(), Text())), tuple),
    (Dictionary(Text(), Whole()), dict), (Either((Whole(), Nothing())), (int, type(None))), (Choice((1, "a")), (int, str)),
    (Moment("date"), datetime.date), (Moment("timedelta"), datetime.timedelta),
]


@pytest.mark.parametrize(("spec", "kind"), SPECS, ids=[repr(spec)[:40] for spec, _ in SPECS])
def test_values_are_of_their_specification_and_can_be_carried(spec: Spec, kind: type) -> None:
    sampler = Sampler(Random(1), Pool())
    for _ in range(200):
        sampler.begin()
        value = sampler.value(spec)
        assert isinstance(value, kind)
        assert len(canonical(encode(value))) < 4000


def test_bounds_are_kept() -> None:
    sampler = Sampler(Random(1), Pool(whole=[-5, 100]))
    assert all(2 <= sampler.value(Whole(2, 5)) <= 5 for _ in range(300))


def test_required_keys_are_nearly_always_there_and_optional_ones_now_and_then() -> None:
    sampler = Sampler(Random(1), Pool())
    spec = Dictionary(None, None, (Entry("a", Whole(), True), Entry("b", Whole(), False)))
    made = [sampler.value(spec) for _ in range(300)]
    assert 270 <= sum("a" in value for value in made) < 300
    assert 100 <= sum("b" in value for value in made) < 280


def test_options_that_lead_to_nonsense_become_rare() -> None:
    sampler = Sampler(Random(1), Pool())
    spec = Either((Whole(), Text()))
    for _ in range(200):
        sampler.begin()
        sampler.feedback(isinstance(sampler.value(spec), str))
    late = []
    for _ in range(200):
        sampler.begin()
        late.append(sampler.value(spec))
    assert sum(isinstance(value, int) for value in late) < 20


def test_what_cannot_be_built_is_known() -> None:
    callable_ = Unbuildable("a callable")
    assert not buildable(callable_) and not buildable(Fixed((Whole(), callable_)))
    assert buildable(Either((callable_, Whole()))) and buildable(Items(callable_))


def test_the_pool_has_constants_and_neighbours_but_no_messages() -> None:
    text = '''
import re

def f(text: str, n: int) -> str:
    """A docstring with magic words."""
    if n > 41 or text.startswith("ab-"):
        raise ValueError("a long message for people")
    if re.match(r"\\d+kg", text):
        return f"weight {text}"
    return "x"
'''
    pool = pool_of(Subject.of(text, "f"))
    assert {40, 41, 42} <= set(pool.whole)
    assert "ab-" in pool.texts and "-" in pool.alphabet
    assert pool.patterns == [r"\d+kg"]
    assert not any("message" in known or "magic" in known or "weight" in known for known in pool.texts)


def test_changes_keep_to_the_signature() -> None:
    text = "def f(a: int, b: str = 'x', *rest: int, flag: bool = False, **more: int):\n    return more.get('k', a)\n"
    parameters = infer(Subject.of(text, "f"))
    sampler = Sampler(Random(2), pool_of(Subject.of(text, "f")))
    value = sampler.inputs(parameters)
    for _ in range(500):
        value = mutated(sampler, parameters, value)
        assert type(value["a"]) is int
        assert value["b"] is OMITTED or type(value["b"]) is str
        assert type(value["rest"]) is tuple and (value["b"] is not OMITTED or not value["rest"])
        assert value["flag"] is OMITTED or type(value["flag"]) is bool
        assert all(key.isidentifier() for key in value["more"])


def _found(number: int, kind: str, answer: str, goals: set[int], tidy: bool = True) -> Found:
    return Found(f"{number:05}", ([number], {}), Observation(kind, frozenset(goals), answer), tidy)


def test_selection_keeps_all_goals_bounds_errors_and_mixes_answers() -> None:
    found = [_found(n, "returned", "same", {0}) for n in range(300)]
    found += [_found(1000 + n, "returned", f"other {n}", {0, 1}) for n in range(60)]
    found += [_found(2000 + n, "raised", "ValueError", {2}) for n in range(300)]
    found += [_found(9999, "returned", "rare", {3}, tidy=False)]
    cases = selection(found, 200, 0.3, 0.9)
    kinds = [case.observation.kind for case in cases]
    assert len(cases) == 200
    assert set().union(*(case.observation.goals for case in cases)) == {0, 1, 2, 3}
    assert kinds.count("raised") <= 61
    assert sum(case.observation.answer.startswith("other") for case in cases) == 60
    assert [case.tidy for case in cases] == sorted((case.tidy for case in cases), reverse=True)


def test_selection_takes_long_inputs_of_callers_as_often_as_they_were_drawn() -> None:
    lengths = [10 if n % 2 else 900 for n in range(1000)]
    found = [
        replace(_found(n, "returned", f"answer {n}", {0}), key=f"{n:05}".ljust(length), ordinary=True)
        for n, length in enumerate(lengths)
    ]
    cases = selection(found, 400, 0.3, 0.9)
    assert len(cases) == 400 and 150 < sum(len(case.key) == 900 for case in cases) < 250


def test_selection_thins_an_answer_that_nearly_all_have() -> None:
    found = [_found(n, "returned", "same", {0}) for n in range(500)]
    found += [_found(1000 + n, "returned", "other", {1}) for n in range(10)]
    cases = selection(found, 500, 0.3, 0.9)
    same = sum(case.observation.answer == "same" for case in cases)
    assert same / len(cases) <= 0.9 and len(cases) == 100


MEASURED = '''
def f(n):  # pragma: no cover
    total = 0
    for i in range(n):
        if i % 2:  # pragma: no branch
            total += i
        else:
            continue
    while True:
        if total > 3:
            break
        total += 1
    def inner(k):
        if k:
            return 1
        return 2
    try:
        return inner(total - 4) / (n - 2)
    except ZeroDivisionError:
        return None
'''


def test_the_fast_measure_agrees_with_the_verdict_and_knows_no_exclusions(tmp_path: pytest.TempPathFactory) -> None:
    file = f"{tmp_path}/reference.py"
    for numbers in ([0], [0, 1, 2], [0, 1, 2, 6, 7]):
        measure, tracer = Measure(Subject.of(MEASURED, "f"), file), Tracer(file)
        namespace: dict[str, object] = {}
        exec(compile(MEASURED, file, "exec", dont_inherit=True), namespace)
        reached: set[int] = set()
        for number in numbers:
            tracer.start()
            namespace["f"](number)  # type: ignore[operator]
            tracer.stop()
            reached |= measure.reached(tracer.arcs())
        missing = sorted(str(goal) for place, goal in enumerate(measure.goals) if place not in reached)
        assert missing == sorted(_verdict(file, numbers))


def _verdict(file: str, numbers: list[int]) -> tuple[str, ...]:
    """coverage.py's own verdict, in a process of its own, because tests may be measured themselves."""
    import json
    import subprocess
    import sys

    code = (
        "import json, sys\nfrom pipeline.suites.instrument.branch_coverage import verdict\nfrom pipeline.suites.subject import Subject\n"
        "program, file, numbers = json.load(sys.stdin)\n"
        "print(json.dumps(verdict(Subject.of(program, 'f'), lambda f: [f(n) for n in numbers], file).missing))\n"
    )
    told = json.dumps([MEASURED, file, numbers])
    done = subprocess.run([sys.executable, "-c", code], input=told, capture_output=True, text=True, check=True)
    return tuple(json.loads(done.stdout))


def test_changed_inputs_share_nothing_with_what_they_come_from() -> None:
    text = "def f(rows: list[list[int]], names: dict[str, list[int]]):\n    return rows, names\n"
    parameters = infer(Subject.of(text, "f"))
    sampler = Sampler(Random(4), pool_of(Subject.of(text, "f")))
    for _ in range(200):
        value = {"rows": [[1], [2, 3]], "names": {"a": [4], "b": [5]}}
        kept = [id(one) for one in (*value["rows"], *value["names"].values(), *value.values())]
        made = mutated(sampler, parameters, value)
        used = [id(one) for one in (*made["rows"], *made["names"].values(), made["rows"], made["names"])]
        assert not set(kept) & set(used)
