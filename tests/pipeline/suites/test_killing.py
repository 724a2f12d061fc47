"""Mutants in the loop and stubs: suites kill what can be killed with several cases, and let no stub pass much."""

from __future__ import annotations

import signal
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from harness.languages import Machine
from harness.values import canonical, encode
from pipeline.config import SuiteConfig
from pipeline.suites.instrument.reference import Observation
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.search.attempts import Found
from pipeline.suites.selection.mutation_analysis import ENOUGH, Trials
from pipeline.suites.selection.select import EASY, KILLERS, LITE, Evidence, lite, selection
from pipeline.suites.selection.shortcut_answers import COMMONEST, Answered, guarded, passing, worst
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import program, request


@pytest.fixture(autouse=True)
def _no_clock() -> Iterator[None]:
    """Calls set a timer of CPU time, which must find a handler."""
    before = signal.signal(signal.SIGPROF, signal.SIG_IGN)
    yield
    signal.signal(signal.SIGPROF, before)


def _tried(text: str, *inputs: tuple[Any, ...]) -> Trials:
    """The mutants of `f`, run on inputs that all come to line 2 and beyond."""
    namespace: dict[str, Any] = {}
    exec(program(text), namespace)
    trials = Trials(Subject.of(program(text), "f"), 1, [2])
    found = []
    for args in inputs:
        encoded = [encode(a) for a in args]
        try:
            seen = Observation("returned", frozenset([0]), canonical(encode(namespace["f"](*args))))
        except ValueError as error:
            seen = Observation("raised", frozenset([0]), type(error).__name__)
        found.append(Found(canonical(encoded), (encoded, {}), seen))
    trials.run(found, 10_000)
    return trials


def _alive(trials: Trials) -> set[str]:
    return {trial.operator for trial in trials.weak()}


def test_inputs_that_tell_a_mutant_apart_are_found() -> None:
    text = "def f(x, y):\n    return x if x > y else y + 1"
    assert "change the comparison" in _alive(_tried(text, (1, 2), (3, 1)))
    trials = _tried(text, (1, 2), (3, 1), (2, 2))
    assert trials.weak() == []
    assert all(len(trial.killers) <= ENOUGH for trial in trials.trials)


def test_a_mutant_that_few_inputs_kill_is_run_on_all() -> None:
    text = "def f(x):\n    return 1 if x == 777 else 0"
    trials = _tried(text, *((n,) for n in range(800)))
    assert trials.weak() == []
    assert ["[777]"] in [trial.killers for trial in trials.trials]


def test_an_endless_mutant_is_killed_by_its_passes() -> None:
    text = "def f(n):\n    while n > 0:\n        n -= 2\n    return n"
    trials = _tried(text, (4,), (5,))
    (endless,) = [trial for trial in trials.trials if trial.operator == "delete the statement"]
    assert endless.killers and not endless.given_up


def test_changed_arguments_count() -> None:
    text = "def f(items):\n    items.append(len(items))\n    return 1"
    assert "delete the statement" not in _alive(_tried(text, ([],), ([1],)))


def test_answers_within_the_tolerance_are_the_same() -> None:
    assert "add one to the constant" in _alive(_tried("def f(x):\n    return x + 1e-15 * 3", (1.0,), (2.5,)))


def test_another_exception_is_another_answer() -> None:
    text = "def f(x):\n    if x < 0:\n        raise ValueError('negative')\n    return x"
    assert "change the exception" not in _alive(_tried(text, (-1,), (1,)))


@pytest.mark.parametrize(
    ("args", "answer", "expected"),
    [
        ((3,), 3, {"return argument 1"}),
        (({"a": 1}, {"b": 2}), {"a": 1, "b": 2}, {"return both dicts in one"}),
        ((7,), "7", {"return str() of argument 1"}),
        (((2, 1),), [2, 1], {"return list() of argument 1"}),
        (((2, 1),), [1, 2], {"return sorted() of argument 1"}),
        (("abc",), 3, {"return len() of argument 1"}),
        ((1,), "", {"return ''"}),
        ((1,), None, {"return None"}),
    ],
    ids=str,
)
def test_stubs_pass_what_takes_no_thought(args: tuple[Any, ...], answer: Any, expected: set[str]) -> None:
    case = Answered([encode(a) for a in args], {}, canonical(encode(answer)))
    assert set(passing([case])) == expected | {COMMONEST}


def test_an_exception_passes_no_stub_and_the_worst_stub_is_known() -> None:
    cases = [Answered([1], {}, None), Answered([1], {}, "true"), Answered([2], {}, "true"), Answered([3], {}, "3")]
    assert worst(passing(cases)) == ("return True", frozenset({1, 2}))
    assert worst({}) == ("", frozenset())


@pytest.mark.parametrize(
    ("body", "line"),
    [
        ("if not x:\n        return None\n    return x + 1", 3),
        ("y = x\n    if not y:\n        raise ValueError(x)\n    return x + 1", 4),
        ("if x:\n        return len(x)\n    return None", 0),
        ("return x", 0),
    ],
)
def test_the_first_guard(body: str, line: int) -> None:
    assert guarded(Subject.of(f"def f(x):\n    {body}\n", "f")) == line


def _found(number: int, goals: set[int], answer: str = "") -> Found:
    return Found(f"{number:05}", ([number], {}), Observation("returned", frozenset(goals), answer or str(number)), True)


def test_selection_keeps_several_killers_of_each_mutant() -> None:
    found = [_found(n, {0}) for n in range(800)]
    evidence = Evidence({case.key: frozenset([1]) for case in found[-8:]})
    cases = selection(found, 100, 0.3, 0.9, evidence)
    assert len(cases) == 100 and sum(case.key in evidence.kills for case in cases) == KILLERS


def test_selection_takes_few_cases_that_a_stub_passes() -> None:
    found = [_found(n, {0}) for n in range(900)]
    evidence = Evidence(stubs={"idle": frozenset(case.key for case in found[:600])})
    cases = selection(found, 400, 0.3, 0.9, evidence)
    assert len(cases) == 400 and len(evidence.easy(cases)[1]) == 100, "no more than are needed"
    cases = selection(found, 300, 0.3, 0.9, evidence)
    assert len(cases) == 300 and len(evidence.easy(cases)[1]) <= EASY[0] * 300
    cases = selection(found[:640], 400, 0.3, 0.9, evidence)
    assert 40 <= len(cases) < 100 and len(evidence.easy(cases)[1]) <= EASY[-1] * len(cases) + 1


def _drawn(number: int) -> Found:
    """Of ten draws three give None, two raise, the others each give an answer of their own; long and short in turn."""
    kind = "raised" if number % 10 in (3, 4) else "returned"
    answer = "None" if number % 10 < 3 else "ValueError" if kind == "raised" else str(number)
    seen = Observation(kind, frozenset({number % 2}), answer)
    return Found(f"{number:0{5 + 200 * (number // 10 % 2)}}", ([number], {}), seen, True, ordinary=True)


def test_what_a_maintainers_strategies_draw_is_selected_as_often_as_it_was_drawn() -> None:
    found = [_drawn(number) for number in range(600)]
    cases = selection(found, 500, 0.3, 0.9, Evidence(as_drawn=True))
    assert len(cases) == 500
    assert sum(case.observation.kind == "raised" for case in cases) == pytest.approx(100, abs=5)
    assert sum(case.observation.effect == "None" for case in cases) == pytest.approx(150, abs=5)
    assert sum(len(case.key) > 100 for case in cases) == pytest.approx(250, abs=10)
    passed = {"return None": frozenset(case.key for case in found if case.observation.effect == "None")}
    cases = selection(found, 500, 0.3, 0.9, Evidence(stubs=passed, as_drawn=True))
    assert sum(case.observation.effect == "None" for case in cases) == pytest.approx(150, abs=5), "a stub passes a third"
    few = selection(found, 500, 0.1, 0.9, Evidence(as_drawn=True))
    assert sum(case.observation.kind == "raised" for case in few) <= 0.1 * len(few)
    # Of what nobody has weighed, each answer comes once before any comes twice.
    others = selection(found, 350, 0.3, 0.9, Evidence())
    assert sum(case.observation.effect == "None" for case in others) <= 60


def test_beside_what_was_weighed_stands_only_what_reaches_and_kills_more() -> None:
    drawn = [_drawn(number) for number in range(600)]
    beside = [_found(1000 + n, {0, 7}) for n in range(100)] + [_found(2000 + n, {0}) for n in range(100)]
    kills = {case.key: frozenset([3]) for case in beside[100:]}
    cases = selection([*drawn, *beside], 500, 0.3, 0.9, Evidence(kills, as_drawn=True))
    others = [case for case in cases if not case.ordinary]
    assert len(cases) == 500
    assert sum(7 in case.observation.goals for case in others) == 5
    assert sum(case.key in kills for case in others) == 1 and len(others) == 6


def test_what_is_rare_comes_before_more_of_what_there_is_enough_of() -> None:
    # Each of forty goals alone would take 25 of the 500 cases; the last one's inputs are the longest.
    found = [_found(n, {n % 40}) for n in range(39 * 25)]
    found = [replace(case, ordinary=True) for case in found if case.observation.goals != {39}]
    rare = [replace(_found(9000 + n, {39}), key=f"{9000 + n:0400}", ordinary=True) for n in range(25)]
    cases = selection([*found, *rare], 500, 0.3, 0.9, Evidence(as_drawn=True))
    counts = Counter(goal for case in cases for goal in case.observation.goals)
    assert len(cases) == 500 and len(counts) == 40 and min(counts.values()) >= 8


def test_what_tells_a_wrong_answer_decides_a_twentieth_where_so_much_was_drawn() -> None:
    drawn = [_drawn(number) for number in range(1200)]
    kills = {case.key: frozenset([3]) for case in drawn[40::40]}
    cases = selection(drawn, 500, 0.3, 0.9, Evidence(kills, as_drawn=True))
    assert len(cases) == 500 and sum(case.key in kills for case in cases) >= 25


def test_the_lite_selection_covers_what_the_suite_covers() -> None:
    found = [_found(n, {n % 7, 7 + n % 11}) for n in range(200)]
    kills = {found[n].key: frozenset([n % 40]) for n in range(100, 180)}
    places = lite(found, kills)
    assert LITE[0] <= len(places) <= LITE[1] and places == sorted(set(places))
    chosen = [found[place] for place in places]
    assert set().union(*(case.observation.goals for case in chosen)) == set(range(18))
    assert set().union(*(kills.get(case.key, frozenset()) for case in chosen)) == set(range(40))
    assert lite(found[:5], {}) == [0, 1, 2, 3, 4]


BOUNDARY = '''
def clip(value: int, low: int, high: int) -> int:
    """The value, but between low and high."""
    if low > high:
        raise ValueError("no range")
    if value < low:
        return low * 10
    if value >= high:
        return high + 7
    return value
'''
IDLE = '''
def spelled(text: str) -> str:
    """The text, unless it begins with an exclamation mark."""
    if text.startswith("!"):
        return text[1:].upper() + "."
    return text
'''
EASY_PREY = '''
def constant(number: int) -> int:
    """Nearly always zero."""
    if number == 77701:
        return 1
    return 0
'''


def test_a_suite_kills_mutants_at_the_boundary_and_limits_stubs(machine: Machine) -> None:
    config = SuiteConfig(cases=300)
    clip, spelled, prey = build_suites([request(t) for t in (BOUNDARY, IDLE, EASY_PREY)], config, machine)
    assert clip.reason == "" and clip.mutants > 20 and clip.alive == ()
    assert LITE[0] <= len(clip.lite) <= LITE[1]
    assert spelled.reason == "" and spelled.easiest.share <= EASY[1] + 0.01
    assert prey.reason in ("weak_suite", "degenerate"), prey.evidence


IN_PLACE = '''def f(values: dict[str, int], limit: int) -> bool:
    """Cut values down to the limit; says that it is done."""
    for name, value in list(values.items()):
        if value > limit:
            values[name] = limit
        elif value < 0:
            del values[name]
    return True
'''


def test_what_a_call_leaves_of_its_arguments_counts_as_its_answer(machine: Machine) -> None:
    [made] = build_suites([request(IN_PLACE)], SuiteConfig(cases=100), machine)
    assert made.reason == "", made.evidence
    assert made.distinct > 30 and made.easiest.share <= EASY[1] + 0.01
