"""The mutation score: sharp suites kill, weak ones don't and leave."""

from dataclasses import replace
from pathlib import Path

from harness.languages import Machine
from harness.records import Comparison
from harness.runtime import ensure_runtime
from pipeline.config import SuiteConfig
from pipeline.records import Reason, Rejection, Suite
from pipeline.suites.drafts import SuiteRequest
from pipeline.suites.oracle import Recorded, finish
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.selection.mutation_score import Sharpness, sharpness
from pipeline.suites.stage import SuiteStage
from pipeline.transforms.altering.mutants import mutants
from tests.pipeline.making import candidate, context, suite

LOCK = Path(__file__).parents[3] / "data" / "runtimes" / "python-3.11.txt"
CONFIG = SuiteConfig(cases=120)
PROGRAM = '''
def larger(x: int, y: int) -> int:
    """Give the larger of two numbers."""
    if x > y:
        return x
    return y
'''
REDUNDANT = '''
def f(x: int) -> int:
    """Twice the number and some more, by a long way: much of what is done here changes nothing."""
    near, far = abs(x) + 0, abs(x) * 1
    both = max(near, far) - 0
    if x < 0:
        return min(both, near) * -2 + 1
    return max(both, min(far, near)) * 2 + 1 + sum(n for n in range(both % 5))
'''


def score(machine: Machine, inputs: list[tuple[int, int]], lite: tuple[int, ...] = ()) -> Sharpness:
    made = suite(PROGRAM, inputs)
    return sharpness(made.candidate.program, "larger", Recorded(made.cases, (), Comparison()), machine, 1, lite)


def test_a_sharp_suite_kills_what_can_be_killed(machine: Machine) -> None:
    assert score(machine, [(1, 2), (2, 1)]) == Sharpness(0.8571, ("line 3: change the comparison",), (), 1.0)


def test_a_suite_that_takes_one_way_only_lets_mutants_live(machine: Machine) -> None:
    found = score(machine, [(2, 2)])
    assert found.score == 0.1429 and len(found.survivors) == 6


def test_mutants_with_several_changes_are_measured_apart(machine: Machine) -> None:
    sharp, blunt = score(machine, [(1, 2), (2, 1)]), score(machine, [(2, 2)])
    assert sharp.higher_order == 1.0 and blunt.higher_order is not None and blunt.higher_order < 0.7
    one = suite("def larger(x: int, y: int) -> int:\n    return x * y + 1\n", [(1, 2)])
    found = sharpness(one.candidate.program, "larger", Recorded(one.cases, (), Comparison()), machine, 1)
    assert found.score is not None and found.higher_order is None


def test_the_lite_selection_gets_what_it_lacks(machine: Machine) -> None:
    found = score(machine, [(5, 5), (6, 6), (1, 2), (3, 4), (2, 1)], lite=(0,))
    assert found.score == 0.8571 and found.lite[0] == 0 and 2 <= len(found.lite) <= 3
    few = [[(5, 5), (6, 6), (1, 2), (3, 4), (2, 1)][place] for place in found.lite]
    assert score(machine, few).score == found.score


def test_a_suite_carries_its_score_and_a_weak_one_leaves(tmp_path: Path) -> None:
    ensure_runtime(LOCK)
    where = replace(context(tmp_path), runtime=LOCK)
    strict = SuiteConfig(cases=60, min_cases=5, min_mutation_score=0.9)
    (weak,) = SuiteStage(strict).run([candidate(REDUNDANT)], where)
    assert isinstance(weak, Rejection) and weak.reason == Reason.WEAK_SUITE.name.lower()
    (kept,) = SuiteStage(replace(strict, min_mutation_score=0.1)).run([candidate(REDUNDANT)], where)
    assert isinstance(kept, Suite) and kept.strength.mutation_score is not None
    assert 0.1 <= kept.strength.mutation_score < 0.9 and kept.strength.survivors
    assert kept.lite and kept.lite[-1] < len(kept.cases)


BRANCHES = '''
def shaped(text: str, limit: int = 5, *, mark: str = "-") -> str:
    """The text in lower case, cut at the limit and marked; what is empty stays so."""
    if not text:
        return ""
    words = [
        word.lower() for word in text.split()
        if len(word) > 1
    ]
    try:
        last = words[-1]
    except IndexError:
        return mark * 2
    for place, word in enumerate(words):
        if word == last and place > 0:
            break
    else:
        place = -1
    return mark.join((
        text[:limit].lower(),
        str(place + 1),
    ))
'''


def test_cases_that_do_not_come_to_a_line_tell_nothing_about_it(machine: Machine) -> None:
    request = SuiteRequest("shaped", BRANCHES, "shaped", 7)
    recorded = finish(BRANCHES, "shaped", build_suites([request], CONFIG, machine)[0], CONFIG, machine)
    assert isinstance(recorded, Recorded) and len(set(recorded.lines)) > 3
    found = sharpness(BRANCHES, "shaped", recorded, machine, 3)
    blind = sharpness(BRANCHES, "shaped", replace(recorded, lines=()), machine, 3)
    assert found == blind and found.score is not None and found.score > 0.8
    assert sharpness(BRANCHES, "shaped", replace(recorded, doubtful=frozenset()), machine, 3) == found


def test_what_a_mutant_leaves_in_a_library_changes_no_score(machine: Machine) -> None:
    program = (
        "import decimal\n"
        "def f(x: int) -> str:\n"
        "    context = decimal.getcontext()\n"
        "    before = context.prec\n"
        "    context.prec = 5\n"
        "    text = str(decimal.Decimal(1) / x)\n"
        "    context.prec = before\n"
        "    return text if context.prec == 28 else 'left'\n"
    )
    cases = suite(program, [(3,), (7,)]).cases
    together = sharpness(program, "f", Recorded(cases, (), Comparison()), machine, 1)
    doubted = frozenset(f"line 0: {mutant.operator}" for mutant in mutants(program, "f"))
    alone = sharpness(program, "f", Recorded(cases, (), Comparison(), 0.0, (), doubted), machine, 1)
    assert together == alone and together.score
