"""Values with a type of their own: drawn, carried, written and printed as strategies alike, and found by the search."""

from __future__ import annotations

import ast
import re
import subprocess
import sys
import warnings
from collections import Counter, OrderedDict, defaultdict
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from harness.languages import Machine
from harness.values import canonical, decode, encode
from harness.values.expressions import Names, expression
from pipeline.config import SuiteConfig
from pipeline.suites.domain.conformity import fits, kind_of
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.kinds.exact import BOUND, KINDS, LIBRARY_KINDS, changed, texts_of_patterns
from pipeline.suites.domain.parameter import Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import Sampler
from pipeline.suites.domain.spec import Anything, Dictionary, Either, Exact, Fixed, Items, Text, Whole
from pipeline.suites.drafts import Draft
from pipeline.suites.inference.constants import pool_of
from pipeline.suites.inference.evidence.annotations import specification
from pipeline.suites.inference.infer import infer
from pipeline.suites.property_test import printed
from pipeline.suites.search.mutation import mutated
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import request, small_suites

OWN = [kind for kind in KINDS if kind not in LIBRARY_KINDS]
"""The kinds whose values are of exactly one type."""
FUNCTIONS = [
    '''
    import re

    def parts_of(pat: str | re.Pattern[str], case: bool, flags: int) -> tuple[str, bool, int]:
        """The text of a pattern, whether case counts, and its other flags."""
        if isinstance(pat, re.Pattern):
            flags |= pat.flags & ~re.UNICODE
            pat = pat.pattern
        if flags & re.IGNORECASE:
            return pat, False, flags & ~re.IGNORECASE
        return pat, case, flags
    ''',
    '''
    def is_empty(s: slice) -> bool:
        """Whether a slice selects nothing, as far as its bounds tell."""
        step = 1 if s.step is None else s.step
        if step == 0 or s.start is None or s.stop is None:
            return False
        if (s.start < 0) != (s.stop < 0):
            return False
        return s.start >= s.stop if step > 0 else s.start <= s.stop
    ''',
    '''
    def selected(s, length):
        """How many items a slice selects at most."""
        if s.step is not None and s.step < 0:
            return 0
        stop = length if s.stop is None else s.stop
        return max(0, min(stop, length) - (s.start or 0))
    ''',
    '''
    from pathlib import Path
    from typing import Any

    def writable(value: Any) -> Any:
        """What a file of settings can hold in place of a value."""
        if isinstance(value, (list, tuple)):
            return [writable(item) for item in value]
        if isinstance(value, Path):
            return value.as_posix()
        return value
    ''',
    '''
    def where(regex, text: str) -> int:
        """Where a regular expression matches first."""
        found = regex.search(text)
        if found is None:
            return -1
        return found.start()
    ''',
    '''
    from collections import Counter, OrderedDict
    from typing import Any

    def contents(value: Any) -> Any:
        """What a collection holds."""
        if isinstance(value, Counter):
            return sum(value.values())
        if isinstance(value, OrderedDict):
            return list(value)
        return value
    ''',
    '''
    from fractions import Fraction
    from typing import Any

    def told(value: Any) -> Any:
        """A fraction or a range as a text."""
        if isinstance(value, Fraction):
            return str(value.numerator) if value.denominator == 1 else f"{value.numerator}/{value.denominator}"
        if isinstance(value, range):
            return f"{value.start}..{value.stop}" if value.step == 1 else "steps"
        return value
    ''',
]  # fmt: skip


@pytest.fixture(scope="module")
def built(machine: Machine) -> dict[str, Draft]:
    return small_suites({request(text).entry_point: text for text in FUNCTIONS}, machine)


@pytest.mark.parametrize("name", [request(text).entry_point for text in FUNCTIONS])
def test_the_search_takes_every_branch(name: str, built: dict[str, Draft]) -> None:
    made = built[name]
    assert made.reason == "", made.evidence
    assert made.taken == made.branches > 0
    assert len(made.cases) >= SuiteConfig().min_cases


def sampler(seed: int = 1) -> Sampler:
    return Sampler(Random(seed), Pool())


@pytest.mark.parametrize("kind", ["set", "frozenset"])
@pytest.mark.parametrize("exact", [0, 3])
def test_what_can_not_be_hashed_is_in_no_set(kind: str, exact: int) -> None:
    drawing = sampler()
    for item in (Anything(), Either((Whole(), Items(Whole()), Dictionary(Text(), Whole()), Fixed((Items(Whole()),))))):
        drawn = [drawing.value(Items(item, kind, exact=exact)) for _ in range(300)]
        assert all(kind_of(value) == kind for value in drawn) and sum(len(value) > 1 for value in drawn) > 30


@pytest.mark.parametrize("kind", OWN)
def test_what_is_drawn_is_carried_and_written(kind: str) -> None:
    drawing = sampler()
    for _ in range(150):
        value = drawing.value(Exact(kind))
        assert kind_of(value) == kind and fits(Exact(kind), value)
        text = canonical(encode(value))
        assert len(text) < 400 and canonical(encode(decode(encode(value)))) == text
        shown = expression(value)
        scope: dict[str, Any] = {}
        exec("\n".join(Names().missing([shown])), scope)
        assert canonical(encode(eval(shown, scope))) == text


@pytest.mark.parametrize("kind", OWN)
def test_changes_keep_the_type(kind: str) -> None:
    drawing = sampler(2)
    value = drawing.value(Exact(kind))
    seen = set()
    for _ in range(150):
        value = changed(drawing, kind, value)
        assert kind_of(value) == kind
        seen.add(canonical(encode(value)))
    assert len(seen) > 4


@pytest.mark.parametrize("kind", LIBRARY_KINDS)
def test_what_libraries_have_is_drawn_carried_and_changed(kind: str) -> None:
    drawing = sampler(3)
    drawn = [drawing.value(Exact(kind)) for _ in range(80)]
    drawn += [changed(drawing, kind, value) for value in drawn]
    assert all(fits(Exact(kind), value) for value in drawn)
    texts = [canonical(encode(value)) for value in drawn]
    assert texts == [canonical(encode(decode(encode(value)))) for value in drawn]
    assert len(set(texts)) > 4


@pytest.mark.parametrize("kind", LIBRARY_KINDS)
@settings(max_examples=15, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_strategy_of_what_libraries_have_gives_values_of_the_type(kind: str, data: st.DataObject) -> None:
    value = data.draw(strategy(kind))
    assert fits(Exact(kind), value)
    encode(value)


def strategy(kind: str) -> st.SearchStrategy[Any]:
    """The strategy that a property test of a function of such values has, with the imports that are printed there."""
    test = printed("f", (Parameter("value", "positional", Exact(kind)),), Pool(), 1)
    scope: dict[str, Any] = {"st": st}
    exec("\n".join(test.imports), scope)
    made: st.SearchStrategy[Any] = eval(KINDS[kind].strategy(Pool(), Random(1)), scope)
    return made


@pytest.mark.parametrize("kind", OWN)
@settings(max_examples=25, deadline=None, suppress_health_check=list(HealthCheck))
@given(data=st.data())
def test_the_strategy_gives_values_of_the_same_type(kind: str, data: st.DataObject) -> None:
    value = data.draw(strategy(kind))
    assert kind_of(value) == kind
    encode(value)


def within(value: Any) -> bool:
    """Whether the strategy of a value's type may give it."""
    match value:
        case slice():
            bounds = all(bound is None or abs(bound) <= BOUND for bound in (value.start, value.stop))
            return bounds and (value.step is None or abs(value.step) <= 3)
        case range():
            return -5 <= value.start <= 10 and -5 <= value.stop - value.start <= 15 and value.step in (1, 2, 3, -1, -2)
        case re.Pattern():
            return value.pattern in texts_of_patterns(Pool())
    return True


@pytest.mark.parametrize("kind", ["slice", "range", "Pattern"])
def test_what_is_drawn_is_what_the_strategy_may_give(kind: str) -> None:
    drawing = Sampler(Random(3), Pool(whole=[3, 500, -7]))
    assert all(within(drawing.value(Exact(kind))) for _ in range(300))


def test_patterns_of_the_body_are_drawn_where_they_compile() -> None:
    drawing = Sampler(Random(1), Pool(patterns=[r"\d{4}-\d\d", "(", "x" * 5000]))
    found = {drawing.value(Exact("Pattern")).pattern for _ in range(300)}
    assert r"\d{4}-\d\d" in found and "(" not in found
    assert repr(r"\d{4}-\d\d") in KINDS["Pattern"].strategy(drawing.pool, Random(1))


def test_no_usual_pattern_warns() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        for text in texts_of_patterns(Pool()):
            re.compile(text)


ANNOTATED = {
    "slice": "slice", "slice[int, int, None]": "slice", "range": "range", "re.Pattern": "Pattern", "re.Pattern[str]": "Pattern",
    "Pattern[AnyStr]": "Pattern", "Pattern[bytes]": "a Pattern", "str | re.Pattern[str]": "str | Pattern", "Path": "Path",
    "PurePath": "Path", "os.PathLike[str]": "Path", "Fraction": "Fraction", "dict[Path, slice]": "{Path: slice}",
    "OrderedDict[str, int]": "OrderedDict {str: int}", "Counter": "Counter {str: int in [0, ...]}",
}  # fmt: skip


@pytest.mark.parametrize(("text", "expected"), ANNOTATED.items(), ids=ANNOTATED)
def test_annotations_name_the_type(text: str, expected: str) -> None:
    spec = specification(ast.parse(text, mode="eval").body)
    assert spec is not None and describe(spec) == expected


USED = {
    "x.start + x.stop": "slice", "x.step": "slice", "x.indices(5)": "slice", "x.findall('a')": "Pattern",
    "x.sub('', 'a')": "Pattern", "x.stem + x.suffix": "Path", "x.with_suffix('.txt')": "Path", "x.hex()": "bytes",
    "x.most_common(2)": "Counter {str: int in [0, ...]}", "x.limit_denominator(5)": "Fraction",
    "x.move_to_end('a')": "OrderedDict {str: anything}",
}  # fmt: skip


@pytest.mark.parametrize(("body", "expected"), USED.items(), ids=USED)
def test_members_tell_the_type(body: str, expected: str) -> None:
    assert describe(infer(Subject.of(f"def f(x):\n    return {body}\n", "f"))[0].spec) == expected


@pytest.mark.parametrize("kind", OWN)
def test_tests_of_the_type_tell_it(kind: str) -> None:
    text = f"def f(x):\n    if isinstance(x, {kind}):\n        return 1\n    return x\n"
    assert describe(infer(Subject.of(text, "f"))[0].spec).startswith(f"{kind} | ")
    declared = infer(Subject.of(text.replace("(x)", "(x: int)", 1), "f"))[0]
    assert describe(declared.spec).startswith("int (rarely") and kind in describe(declared.spec)


UNKNOWN = ("uuid.UUID", "ipaddress.IPv4Address", "tzinfo", "deque[int]", "DefaultDict[str, int]", "pd.Timestamp", "time")


@pytest.mark.parametrize("text", UNKNOWN)
def test_a_class_that_nobody_draws_says_nothing(text: str) -> None:
    assert specification(ast.parse(text, mode="eval").body) is None


@pytest.mark.parametrize("kind", [OrderedDict, Counter])
def test_mappings_keep_their_type_when_they_change(kind: type) -> None:
    parameters = infer(Subject.of(f"def f(x: {kind.__name__}[str, int]):\n    return x\n", "f"))
    drawing = sampler()
    value = drawing.inputs(parameters)
    for _ in range(200):
        value = mutated(drawing, parameters, value)
        assert type(value["x"]) is kind


def test_a_mapping_that_is_given_keeps_what_it_makes_of_missing_keys() -> None:
    parameters, drawing = infer(Subject.of("def f(x: dict[str, int]):\n    return x\n", "f")), sampler()
    made = [mutated(drawing, parameters, {"x": defaultdict(int, a=1, b=2)})["x"] for _ in range(100)]
    given = [one for one in made if isinstance(one, defaultdict)]
    assert len(given) > 50 and all(one.default_factory is int for one in given)


@pytest.mark.parametrize("number", [0, 1, 5])
def test_the_reference_passes_its_own_property_test(number: int, tmp_path: Path) -> None:
    one = request(FUNCTIONS[number])
    text = printed(one.entry_point, infer(Subject.of(one.program, one.entry_point)), pool_of(Subject.of(one.program, one.entry_point)), 1).text(())
    (tmp_path / "test_candidate.py").write_text(text)
    for name in ("reference", "candidate"):
        (tmp_path / f"{name}.py").write_text(one.program)
    command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--rootdir", str(tmp_path), str(tmp_path)]
    done = subprocess.run(command, capture_output=True, cwd=tmp_path, check=False, text=True)
    assert done.returncode == 0, done.stdout
