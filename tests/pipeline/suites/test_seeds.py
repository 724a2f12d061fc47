"""Calls elsewhere in a project as inputs: they are tried first, changed later, and say what untyped parameters are."""

import hashlib
import json
import keyword
from collections import OrderedDict
from dataclasses import replace
from fractions import Fraction
from random import Random

from harness.languages import Machine
from pipeline.config import SuiteConfig
from pipeline.suites.domain.conformity import fits, kind_of
from pipeline.suites.domain.description import describe
from pipeline.suites.domain.kinds.exact import KINDS
from pipeline.suites.domain.parameter import Asked, Parameter
from pipeline.suites.domain.pool import Pool
from pipeline.suites.domain.sampler import OMITTED, Sampler
from pipeline.suites.domain.spec import Dictionary, Exact, Text, Whole
from pipeline.suites.drafts import Further
from pipeline.suites.inference.infer import infer
from pipeline.suites.llm.strategy_inputs import Source, draw
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.search.seed_corpus import observed, seeds, specification
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, request

KNOWN = hashlib.sha256(b"open sesame").hexdigest()[:16]
LOCKED = f'''
import hashlib

def unlock(words, times=1):
    """How often the door opens: for the secret words only."""
    if hashlib.sha256(str(words).encode("utf-8", "replace")).hexdigest().startswith("{KNOWN}"):
        return times
    return -len(str(words))
'''


def test_a_branch_that_only_a_call_in_the_project_takes_is_taken(machine: Machine) -> None:
    without = request(LOCKED)
    knowing = replace(without, calls=("'shut', 3", "not python(", "Project()", "'open sesame', times=2"))
    made, missed = (build_suites([one], SuiteConfig(budget=1000), machine)[0] for one in (knowing, without))
    assert missed.reason == "coverage_below_100"
    assert made.reason == ""
    assert json.dumps(["shut", 3]) in [json.dumps(case.args) for case in made.cases]
    assert any("called with 'shut'" in why for why in made.parameters[0].evidence)


def inputs(text: str, *calls: str) -> list[dict[str, object]]:
    source = program(text)
    scope: dict[str, object] = {}
    exec(source, scope)
    name = source.split("def ")[1].split("(")[0]
    return seeds(calls, infer(Subject.of(source, name)), scope[name])


MANY = "def many(a, b=2, *rest, c, d=None, **more):\n    return a"


def test_arguments_find_their_parameters() -> None:
    assert inputs(MANY, "1, c=3") == [{"a": 1, "b": OMITTED, "rest": (), "c": 3, "d": OMITTED, "more": {}}]
    (full,) = inputs(MANY, "1, 2, 3, 4, c=5, e=6")
    assert full == {"a": 1, "b": 2, "rest": (3, 4), "c": 5, "d": OMITTED, "more": {"e": 6}}
    assert inputs("def two(a, b=7, c=8):\n    return a", "1, c=3") == [{"a": 1, "b": 7, "c": 3}]


def test_what_does_not_fit_or_fails_is_passed_over() -> None:
    assert inputs(MANY, "", "1", "1, c=undefined", "1, c=Decimal('x')", "1, c=1/0", "1, c=datetime(2020, 13, 1)") == []


def test_makers_of_values_are_known() -> None:
    text = "def one(a):\n    return a"
    assert inputs(f"import fractions as _fr\n{text}", "_fr.Fraction(1, 2)", "_np.array([1.5])") == [{"a": Fraction(1, 2)}]
    found = inputs(text, "datetime.date(2020, 1, 2)", "datetime(2020, 1, 2)", "Path('a')", "np.array([1.5])", "{1, 2}")
    assert [type(made["a"]).__name__ for made in found] == ["date", "datetime", "PosixPath", "ndarray", "set"]
    more = ["re.compile('a', re.I)", "compile('a')", "uuid.UUID(int=1)", "ip_address('::1')", "slice(1)", "ZoneInfo('UTC')"]
    kinds = ["Pattern", "Pattern", "UUID", "IPv6Address", "slice", "ZoneInfo"]
    assert [type(made["a"]).__name__ for made in inputs(text, *more)] == kinds


def test_values_with_a_type_of_their_own_are_known_by_it() -> None:
    drawing = Sampler(Random(1), Pool())
    for kind in KINDS:
        made = drawing.value(Exact(kind))
        assert specification(made) == Exact(kind_of(made)) and fits(Exact(kind), made), kind
    assert specification(OrderedDict(a=1)) == Dictionary(Text(), Whole(), kind="OrderedDict")


def test_inputs_say_what_an_untyped_parameter_is_and_leave_a_declared_one_alone() -> None:
    source = "def f(a, b: int, c):\n    return a\n"
    parameters = infer(Subject.of(source, "f"))
    found = observed(parameters, [{"a": {"k": [1, 2.5]}, "b": "x", "c": OMITTED}])
    assert describe(found[0].spec) == "{str: list[int | float]}"
    assert found[1:] == parameters[1:]


def test_names_of_further_keyword_arguments_can_be_written() -> None:
    parameter = Parameter("options", "keywords", Dictionary(Text(constants=("and", "is", "name")), Whole()))
    sampler = Sampler(Random(1), Pool(texts=["and", "is", "not a name"]))
    drawn = {key for _ in range(300) for key in sampler.argument(parameter)}
    assert "name" in drawn
    assert all(key.isidentifier() and not keyword.iskeyword(key) for key in drawn)


JOINED = """
def joined(words: list, glue: str = ", ", most: int = 3, *, upper: bool = False) -> str:
    text = glue.join(words[:most])
    return text.upper() if upper else text
"""
DRAWS = """
def asked_1():
    from hypothesis import strategies as st
    return st.fixed_dictionaries({
        "words": st.lists(st.sampled_from(["oak", "ash", "elm"]), max_size=6), "glue": st.sampled_from([", ", "; "]),
        "most": st.sampled_from([3, 3, 2, 5]), "upper": st.booleans()})
"""


def test_defaults_are_left_out_as_callers_leave_them(machine: Machine) -> None:
    names = ("words", "glue", "most", "upper")
    drawn = draw(Source(DRAWS, "asked_1", names, 5), machine).inputs
    given = replace(request(JOINED), further=Further((), drawn, Asked((DRAWS,), names), typical=True))
    [made] = build_suites([given], SuiteConfig(cases=200), machine)
    given_by_place = [len(case.args) for case in made.cases if "upper" not in case.kwargs]
    assert min(map(given_by_place.count, (1, 2, 3))) >= 10


TALLY = """
def tally(words: list[str]) -> dict[str, int]:
    counts = {}
    for word in words:
        key = word.casefold()
        counts[key] = counts.get(key, 0) + 1
    return counts
"""
WORDS = """
def asked_1():
    from hypothesis import strategies as st
    word = st.integers(0, 9999).map(lambda n: f"Oak{n}" if n % 80 else f"Oak-{n}")
    return st.fixed_dictionaries({"words": st.lists(word, min_size=1, max_size=2)})
"""


def test_wrong_answers_that_few_draws_tell_fail_more_of_the_cases(machine: Machine) -> None:
    """No mutant knows that a hyphen counts; what never ends, ends its process, or is not loaded, costs nothing."""
    joined = TALLY.replace("word.casefold", "word.replace('-', '').casefold")
    others = tuple(TALLY.replace("counts = {}", ending) for ending in ("while True: pass", "__import__('os')._exit(3)"))
    others += ("import gone\n" + TALLY,)
    drawn = draw(Source(WORDS, "asked_1", ("words",), 5, 2000, 1200), machine).inputs
    given = replace(request(TALLY), further=Further((), drawn, Asked((WORDS,), ("words",)), typical=True))
    told = replace(given, id="c2b-told", wrong=(joined, *others))
    suites = build_suites([given, told], SuiteConfig(cases=100), machine)
    assert [made.reason for made in suites] == ["", ""], [made.evidence for made in suites]
    without, with_it = (sum("-" in repr(case.args) for case in made.cases) for made in suites)
    assert without < 8 and with_it >= 12
    assert suites[0].mutants == suites[1].mutants and suites[1].alive == suites[0].alive
