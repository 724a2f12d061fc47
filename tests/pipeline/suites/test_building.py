"""Suites end to end, in the sandbox: what must be covered, what must leave and why, and that it is the same each time."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import time
from dataclasses import replace
from importlib import import_module
from pathlib import Path

import pytest

from harness.languages import Call, Machine
from harness.records import canonical_json
from harness.sandbox import Limits
from harness.values import canonical
from pipeline.config import SuiteConfig
from pipeline.records import Reason
from pipeline.suites.drafts import Draft, written
from pipeline.suites.instrument.reference import Reference, TooLong, timed
from pipeline.suites.oracle import Recorded, Unanswered, finish, record
from pipeline.suites.sandbox.start import build_suites
from pipeline.suites.subject import Subject
from tests.pipeline.suites.programs import (
    COVERABLE,
    NONDETERMINISTIC,
    REFUSED,
    request,
    small_suites,
    takes_all_branches,
)

CONFIG = SuiteConfig(budget=3000, wall_seconds=80.0, cpu_seconds=8.0)
USUAL = [COVERABLE[place] for place in (1, 2, 6, 12, 13)]
FURTHER = [text for text in COVERABLE if text not in USUAL]
"""Those whose suites are always built, and the others, which take five times as long."""
DEADLY = {"crashed-signal"}
"""What ends the worker, too, and has a test of its own."""


def _name(text: str) -> str:
    return request(text).entry_point


def _built(texts: list[str], machine: Machine) -> dict[str, Draft]:
    requests = [request(text) for text in texts]
    return {one.id: draft for one, draft in zip(requests, build_suites(requests, SuiteConfig(), machine), strict=True)}


@pytest.fixture(scope="module")
def built(machine: Machine) -> dict[str, Draft]:
    return _built(USUAL, machine)


@pytest.mark.parametrize("text", USUAL, ids=_name)
def test_every_branch_of_ordinary_functions_is_found(text: str, built: dict[str, Draft]) -> None:
    _check(built[_name(text)])


@pytest.mark.slow  # suites of twenty-three functions
def test_every_branch_of_further_functions_is_found(machine: Machine) -> None:
    for made in _built(FURTHER, machine).values():
        _check(made)


def _check(made: Draft) -> None:
    assert made.reason == "", made.evidence
    assert made.taken == made.branches > 0
    assert len(made.cases) >= SuiteConfig().min_cases
    assert len({canonical_json([case.args, case.kwargs]) for case in made.cases}) == len(made.cases)


def test_most_ordinary_functions_get_the_full_number_of_cases(built: dict[str, Draft]) -> None:
    assert sum(len(made.cases) == 500 for made in built.values()) >= 0.8 * len(built)


def test_exceptions_on_purpose_are_a_bounded_share(built: dict[str, Draft]) -> None:
    for made in built.values():
        assert made.raising <= 0.3 * len(made.cases) + 12
    assert built["settings"].raising > 0


def test_inputs_are_small(built: dict[str, Draft]) -> None:
    for made in built.values():
        assert all(len(canonical(case.args)) <= 4000 for case in made.cases)


def test_each_case_says_what_it_covers_and_together_they_cover_all(built: dict[str, Draft]) -> None:
    for made in built.values():
        assert set().union(*(case.covered for case in made.cases)) == set(range(len(made.goals)))


def test_values_keep_to_the_declared_types(built: dict[str, Draft]) -> None:
    for case in built["binary_search"].cases:
        values, wanted = case.args
        assert type(wanted) is int and all(type(value) is int for value in values)
    assert all(case.args[0] is not None for case in built["shorten"].cases)
    assert any(case.args[1:2] == (None,) for case in built["shorten"].cases)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["aiming", "beside", "kinds", "libraries", "narrow", "tables", "trying", "written"])
def test_whole_suites_keep_the_branches_that_the_search_takes(name: str, machine: Machine) -> None:
    """Elsewhere their programs are searched alone; to broaden, sharpen and choose takes minutes for all of them."""
    module = import_module(f"tests.pipeline.suites.test_{name}")
    programs = (getattr(module, "KINDS", None) or module.PROGRAMS) | getattr(module, "HARD", {})
    for kind, made in small_suites(programs, machine).items():
        assert takes_all_branches(made) and made.reason != "coverage_below_100", (kind, made.evidence)


@pytest.fixture(scope="module")
def refused(machine: Machine) -> dict[str, Draft]:
    """What comes of those that must leave, from one start; some of what crashes sleeps."""
    crashing = [name for name in REFUSED if name.startswith("crashed")]
    made = dict[str, Draft]()
    for names, config in ((crashing, replace(CONFIG, wall_seconds=8.0)), (REFUSED.keys() - crashing, CONFIG)):
        requests = [replace(request(REFUSED[name]), id=name) for name in sorted(names) if name not in DEADLY]
        made |= {one.id: draft for one, draft in zip(requests, build_suites(requests, config, machine), strict=True)}
    return made


@pytest.mark.parametrize("name", sorted(REFUSED.keys() - DEADLY))
def test_each_refusal_has_its_reason(name: str, refused: dict[str, Draft]) -> None:
    made = refused[name]
    assert made.reason == name.split("-")[0], made.evidence
    assert made.evidence


def test_the_search_begins_again_and_keeps_to_its_budget(machine: Machine) -> None:
    text = """
    import hashlib

    def sealed(x: str) -> bool:
        if hashlib.sha256(x.encode()).hexdigest().endswith("7777777"):
            return True
        return False
    """
    made = build_suites([request(text)], replace(CONFIG, budget=1200), machine)[0]
    assert made.reason == "coverage_below_100"
    counted = sum(int(number) for number in re.findall(r"(\d+) (?:nonsense|raised|returned)", made.evidence))
    assert 1000 < counted <= 1210


def test_what_closes_the_channel_of_its_process_says_so(machine: Machine) -> None:
    text = "import os\ndef closing(x: int) -> int:\n    os.closerange(3, 256)\n    return x\n"
    made = build_suites([request(text)], CONFIG, machine)[0]
    assert made.reason == "crashed" and "closed the file" in made.evidence


def test_one_that_brings_the_worker_down_costs_the_others_nothing(machine: Machine) -> None:
    texts = [COVERABLE[2], REFUSED["crashed-signal"], COVERABLE[8]]
    before, killer, after = build_suites([request(text) for text in texts], CONFIG, machine)
    assert (before.reason, killer.reason, after.reason) == ("", "crashed", "") and killer.evidence


@pytest.mark.parametrize("name", NONDETERMINISTIC)
def test_answers_that_depend_on_the_surroundings_are_refused(name: str, machine: Machine) -> None:
    one = request(NONDETERMINISTIC[name])
    made = build_suites([one], CONFIG, machine)[0]
    outcome = finish(one.program, one.entry_point, made, CONFIG, machine)
    assert isinstance(outcome, Unanswered)
    assert outcome.reason is Reason.NONDETERMINISTIC, outcome.evidence


def test_a_list_in_the_order_of_a_set_is_compared_without_order(machine: Machine) -> None:
    text = "def distinct(words):\n    return list(set(words))\n"
    calls = [Call((["alpha", "beta", f"word {n}", "delta", "gamma"],)) for n in range(20)]
    outcome = record(text, "distinct", calls, machine, Limits())
    assert isinstance(outcome, Recorded)
    assert outcome.comparison.unordered


@pytest.mark.parametrize(("rows", "told"), [(4, True), (30, False)])
def test_inputs_of_a_rare_kind_with_unstable_answers_leave(rows: int, told: bool, machine: Machine) -> None:
    text = "def total(table):\n    return hash('x') if not len(table) else int(table.sum())\n"
    empty = [{"$": "ndarray", "dtype": "<i8", "shape": [0, n], "v": ""} for n in range(rows)]
    full = [{"$": "ndarray", "dtype": "|u1", "shape": [1, n], "v": "AA=="} for n in [1] * 30]
    calls = [Call((table,)) for table in (*empty, *full)]
    outcome = record(text, "total", calls, machine, Limits())
    assert isinstance(outcome, Recorded) == told
    if isinstance(outcome, Recorded):
        assert outcome.kept == tuple(range(rows, rows + 30))


def test_changed_arguments_are_recorded(machine: Machine) -> None:
    text = "def take(items):\n    return items.pop() if items else None\n"
    outcome = record(text, "take", [Call(([1, 2],)), Call(([],))], machine, Limits())
    assert isinstance(outcome, Recorded)
    assert outcome.comparison.mutation
    assert outcome.cases[0].expected.mutated == [[1]]
    assert outcome.cases[1].expected.mutated is None


def test_inputs_without_an_answer_leave_and_many_of_them_refuse_the_function(machine: Machine) -> None:
    text = "def odd(n):\n    return (lambda: n) if n == 3 else n\n"
    some = record(text, "odd", [Call((n,)) for n in range(30)], machine, Limits())
    assert isinstance(some, Recorded)
    assert 3 not in some.kept and len(some.kept) == 29
    many = record(text, "odd", [Call((3,)), Call((4,))], machine, Limits())
    assert isinstance(many, Unanswered) and many.reason is Reason.NOT_ENCODABLE


OPAQUE = '''
def opaque(thing, matrix):
    """Something about an object that no plain value is."""
    if matrix.weight[0] > thing.size.width:
        return matrix.kind
    return [part.name for part in thing if part in matrix]
'''


def _lines(drafts: list[Draft]) -> list[str]:
    return [written(replace(one, cpu_seconds=0.0, steps={})) for one in drafts]


def test_a_suite_depends_on_function_and_seed_alone(machine: Machine) -> None:
    texts, config = [COVERABLE[4], OPAQUE], replace(CONFIG, cases=50, budget=300)
    together = _lines(build_suites([request(text) for text in texts], config, machine))
    reversed_ = _lines(build_suites([request(text) for text in reversed(texts)], config, machine))
    assert together == list(reversed(reversed_))
    alone, other = (_lines(build_suites([replace(request(texts[0]), seed=n)], config, machine)) for n in (7, 8))
    assert alone == together[:1] != other


@pytest.mark.slow  # a suite is built in two further processes
def test_the_hash_seed_of_the_caller_changes_nothing(tmp_path: Path) -> None:
    script = tmp_path / "hashing.py"
    script.write_text(
        "import hashlib\nfrom dataclasses import replace\nfrom pathlib import Path\n"
        "from harness.languages import Machine\nfrom harness.runtime import find_runtime\n"
        "from harness.sandbox import choose\nfrom pipeline.config import SuiteConfig\n"
        "from pipeline.suites.sandbox.start import build_suites\nfrom tests.pipeline.suites.programs import COVERABLE, request\n"
        "from tests.pipeline.suites.conftest import LOCK\n"
        "made = build_suites([request(COVERABLE[17])], SuiteConfig(budget=1000), Machine(choose(), find_runtime(LOCK)))[0]\n"
        "made = replace(made, cpu_seconds=0.0, steps={})\nprint(hashlib.sha256(repr(made).encode()).hexdigest())\n"
    )
    root = str(Path(__file__).parents[3])
    seen = set()
    for seed in ("1", "99"):
        environment = {"PYTHONHASHSEED": seed, "PYTHONPATH": root, "PATH": "/usr/bin:/bin", "HOME": str(Path.home())}
        done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True, env=environment, check=True)
        seen.add(done.stdout)
    assert len(seen) == 1


def test_the_clock_strikes_what_is_called_and_never_what_watches_it() -> None:
    def spin(seconds: float) -> None:
        end = time.process_time() + seconds
        while time.process_time() < end:
            pass

    @timed
    def watched() -> str:
        signal.setitimer(signal.ITIMER_PROF, 0.02, 0.02)
        try:
            spin(5.0)
        except TooLong:
            end = time.process_time() + 0.2
            while time.process_time() < end:
                pass
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
        return "struck once"

    before = signal.getsignal(signal.SIGPROF)
    Reference(Subject.of("def f(x):\n    return x\n", "f"))
    try:
        assert watched() == "struck once"
    finally:
        signal.signal(signal.SIGPROF, before)


DECIDED = (
    "sys.version_info[0] == 2", "sys.version_info.major < 3", "sys.version_info[:2] < (3, 5)", "os.name == 'nt'",
    "sys.platform.startswith('win')", "sys.platform in ('win32', 'cygwin')", "not sys.version_info >= (3, 0)",
)  # fmt: skip


def test_what_the_runtime_decides_is_no_failure_of_the_search(machine: Machine) -> None:
    texts = [
        f"import os\nimport sys\ndef decided_{place}(x: int) -> int:\n    if {test}:\n        return 0\n    return x + 1\n"
        for place, test in enumerate(DECIDED)
    ]
    for made in build_suites([request(text) for text in texts], CONFIG, machine):
        assert made.reason == "unreachable_branch" and "the runtime decides" in made.evidence
    plain = "import sys\ndef told(x: str) -> int:\n    if sys.version_info[0] == len(x):\n        return 0\n    return 1\n"
    assert build_suites([request(plain)], CONFIG, machine)[0].reached.branches == 2


def test_calls_that_end_the_process_are_left_out(machine: Machine) -> None:
    text = '''
        import os
        import numpy as np

        def hull(points: np.ndarray, most: int) -> float:
            """The extent of points; what has three axes or more is too much for the library behind it."""
            {True: os.abort}.get(np.ndim(points) >= 3, int)()
            if most > 5:
                return float(points.sum())
            return float(points.max()) if points.size else 0.0
    '''
    [made] = build_suites([request(text)], CONFIG, machine)
    assert made.reason == "", made.evidence
    assert made.taken == made.branches
