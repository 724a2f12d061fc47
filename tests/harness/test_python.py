"""Running Python: fresh arguments, one outcome per call, and whatever goes wrong stays with its call."""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest

from harness.errors import SandboxFailed
from harness.languages import Batch, Call, CallOutcome, Execution, LoadError, Machine, Run, Surroundings
from harness.languages.python.runner import as_reported, run_calls, run_variants, warmed
from harness.records import Answer
from harness.sandbox import Ending, Limits, Outcome, Program
from harness.values import decode, encode


@pytest.fixture
def calls(machine: Machine) -> Any:
    """Call `f` of a program with each of the given arguments."""

    def run(program: str, *arguments: Any, cpu: float = 0.5, limits: Limits | None = None, **named: Any) -> Run:
        given = [Call((encode(argument),), {k: encode(v) for k, v in named.items()}, cpu) for argument in arguments]
        return run_calls(Execution(program, "f", given, limits or Limits(cpu_seconds=10, wall_seconds=60)), machine)

    return run


def statuses(run: Run) -> list[str]:
    assert run.load_error is None
    return [outcome.status for outcome in run.outcomes]


def values_of(outcomes: Sequence[CallOutcome]) -> list[Any]:
    return [decode(outcome.answer.value) if outcome.answer else None for outcome in outcomes]


def test_each_call_has_its_outcome_in_order(calls: Any) -> None:
    run = calls("def f(x): return 10 // x", 1, 0, "a", 5)
    assert statuses(run) == ["returned", "raised", "raised", "returned"]
    assert values_of(run.outcomes)[::3] == [10, 2]
    assert run.outcomes[1].answer.exception == "ZeroDivisionError"
    assert run.outcomes[1].where == "line 1 in f"
    assert run.cpu_seconds > 0


def test_keyword_arguments_and_rich_values_arrive(calls: Any) -> None:
    assert values_of(calls("def f(x, *, y): return (x, y, type(x).__name__)", {1, 2}, y=(3,)).outcomes) == [({1, 2}, (3,), "set")]


def test_arguments_are_fresh_and_their_change_is_recorded(calls: Any) -> None:
    run = calls("kept = []\ndef f(x):\n    x.append(1)\n    kept.append(x)\n    return len(kept)", [0], [0])
    assert values_of(run.outcomes) == [1, 2]
    assert [decode(outcome.answer.mutated) for outcome in run.outcomes] == [[[0, 1]], [[0, 1]]]
    assert calls("def f(x): return x", [0]).outcomes[0].answer.mutated is None
    assert calls("def f(x):\n    x.append(1)\n    raise ValueError", [0]).outcomes[0].answer.mutated == [[0, 1]]


def test_changes_that_can_not_be_carried_are_said(calls: Any) -> None:
    outcome = calls("def f(x):\n    x.append(object())\n    return 1", [0]).outcomes[0]
    assert (outcome.status, outcome.detail) == ("returned", "arguments after the call: an object of builtins.object")


def test_iterators_come_as_what_they_give(calls: Any) -> None:
    assert calls("def f(x): return (n for n in x)", [1, 2]).outcomes[0].answer.value == {"$": "iterator", "v": [1, 2]}


@pytest.mark.parametrize(("program", "error"), [
    ("def f(x:", "SyntaxError: '(' was never closed"), ("def f(x):\nreturn 1", "SyntaxError: expected an indented block"),
    ("def f(x): return '\0'", "SyntaxError: source code string cannot contain null bytes"), ("x = '\udcff'", "SyntaxError"),
    ("import nowhere", "ModuleNotFoundError: No module named 'nowhere' (line 1"), ("1 / 0", "ZeroDivisionError"),
    ("g = 1", "NameError: the entry point f is not defined"), ("f = 1", "TypeError: the entry point f is not callable"),
    ("raise SyntaxError('mine')", "raised SyntaxError: mine"), ("import sys; sys.exit(0)", "SystemExit: 0"),
    ("import os; os._exit(0)", "the process ended with exit code 0 while it was loaded"), ("raise KeyboardInterrupt", "KeyboardInterrupt"),
    ("import harness", "ModuleNotFoundError"), ("import values", "ModuleNotFoundError"), ("import values.codec", "ModuleNotFoundError"), ("import python_driver", "ModuleNotFoundError"), ("import python_driver.loading", "ModuleNotFoundError"),
    ("import pip", "ModuleNotFoundError"), ("import lm_eval, datasets", "ModuleNotFoundError"),
])
def test_what_does_not_load_says_why(program: str, error: str, calls: Any) -> None:
    run = calls(program, 1)
    assert run.load_error.text.startswith(error), run.load_error
    assert run.outcomes == ()


def test_an_endless_load_ends(calls: Any) -> None:
    assert "CPU time" in calls("while True: pass", 1, limits=Limits(cpu_seconds=0.5)).load_error.text


@pytest.mark.parametrize(("body", "status"), [
    ("sys.exit(0)", "raised"), ("raise KeyboardInterrupt", "raised"), ("return f(x)", "raised"), ("return bytearray(1 << 40)", "raised"),
    ("os._exit(0)", "crashed"), ("os.abort()", "crashed"), ("os.kill(os.getpid(), 9)", "crashed"), ("ctypes.string_at(0)", "crashed"),
    ("while True: pass", "timeout"), ("return re.match('(a+)+$', 'a' * 60 + 'b')", "timeout"), ("return object()", "unencodable"),
    ("return (n for n in iter(int, 1))", "unencodable"), ("return 'x' * (1 << 26)", "unencodable"),
])
def test_what_goes_wrong_stays_with_its_call(body: str, status: str, calls: Any) -> None:
    run = calls(f"import ctypes, os, re, sys, time\ndef f(x):\n    if x != 1: return x\n    {body}", 0, 1, 2)
    assert statuses(run) == ["returned", status, "returned"]
    assert values_of(run.outcomes)[::2] == [0, 2]


@pytest.mark.slow
def test_sleeping_is_a_timeout_too(calls: Any) -> None:
    run = calls("import time\ndef f(x):\n    if x == 1: time.sleep(1000)\n    return x", 0, 1, 2)
    assert statuses(run) == ["returned", "timeout", "returned"]


def test_a_timeout_names_its_line(calls: Any) -> None:
    outcome = calls("def f(x):\n    y = 1\n    while True: pass", 1).outcomes[0]
    assert (outcome.detail, outcome.where) == ("CPU time", "line 3 in f")


def test_all_calls_together_have_a_limit(calls: Any) -> None:
    run = calls("def f(x):\n    while True: pass", *range(50), limits=Limits(cpu_seconds=1.5, wall_seconds=60))
    assert set(statuses(run)) == {"timeout"} and len(run.outcomes) == 50
    assert run.outcomes[-1].detail.startswith("not run")


def test_a_slow_case_does_not_take_the_time_of_the_others(calls: Any) -> None:
    program = "import time\ndef f(x):\n    end = time.process_time() + x\n    while time.process_time() < end: pass\n    return x"
    assert statuses(calls(program, 0.3, 5.0, 0.3, 0.3)) == ["returned", "timeout", "returned", "returned"]


STOPS_THE_CLOCKS = """
import resource, signal, time

def f(x):
    for kind in (signal.ITIMER_PROF, signal.ITIMER_REAL):
        signal.setitimer(kind, 0)
    for number in (signal.SIGPROF, signal.SIGALRM):
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_CPU, (resource.getrlimit(resource.RLIMIT_CPU)[1],) * 2)
    while x == 2:
        pass
    time.sleep(1000 * (x == 3))
    return x
"""


def test_a_call_that_stops_all_clocks_ends_and_takes_no_time_of_the_others(calls: Any) -> None:
    run = calls(STOPS_THE_CLOCKS, 0, 1, 2, 4, 5, limits=Limits(cpu_seconds=30, wall_seconds=60))
    assert statuses(run) == ["returned", "returned", "timeout", "returned", "returned"]
    assert run.cpu_seconds < 10


@pytest.mark.slow
def test_a_call_that_stops_all_clocks_and_sleeps_ends(calls: Any) -> None:
    assert statuses(calls(STOPS_THE_CLOCKS, 0, 3, 4)) == ["returned", "timeout", "returned"]


def test_outcomes_before_a_crash_are_all_there(calls: Any) -> None:
    program = "import os\ncalled = []\ndef f(x):\n    called.append(x)\n    if x == 150: os._exit(3)\n    return len(called)"
    run = calls(program, *range(200))
    assert statuses(run) == ["returned"] * 150 + ["crashed"] + ["returned"] * 49
    assert run.outcomes[150].detail == "the process ended with exit code 3"
    assert values_of(run.outcomes)[148:153] == [149, 150, None, 1, 2]


def test_outcomes_that_are_known_are_not_read(machine: Machine) -> None:
    program = "def f(x):\n    x.append(3)\n    if len(x) > 3: raise ValueError('long')\n    return x[0]"
    known = [
        as_reported(Answer("returned", 1, mutated=[[1, 3]]), True), as_reported(Answer("returned", 2), True),
        as_reported(Answer("raised", exception="ValueError", message="long", mutated=[[1, 2, 4, 3]]), True),
        as_reported(Answer("raised", exception="ValueError", message="short"), True),
    ]
    given = [Call((xs,), known=one) for xs, one in zip(([1], [2], [1, 2, 4], [1, 2, 5]), known, strict=True)]
    run = run_calls(Execution(program, "f", given, Limits()), machine)
    assert statuses(run) == ["known", "returned", "known", "raised"]
    assert [outcome.answer is None for outcome in run.outcomes] == [True, False, True, False]
    assert run.output_bytes > 0


def test_output_of_the_program_goes_nowhere(calls: Any) -> None:
    program = "import sys\nprint('loading')\ndef f(x):\n    print('{}')\n    sys.stderr.write('x' * 100000)\n    return input() if x else 1"
    run = calls(program, 0, 1)
    assert statuses(run) == ["returned", "raised"]
    assert run.outcomes[1].answer.exception == "EOFError"


def test_the_surroundings_are_those_asked_for(machine: Machine) -> None:
    program = "import os, time, locale\ndef f(): return (hash('a'), time.strftime('%Z', time.gmtime(0)), time.tzname[0], os.getcwd(), os.environ['LC_ALL'])"
    first, again, other = (
        values_of(run_calls(Execution(program, "f", [Call(())], Limits(), s), machine).outcomes)[0]
        for s in (Surroundings(), Surroundings(), Surroundings(7, "Asia/Tokyo", "C", "/var/elsewhere"))
    )
    assert first == again
    assert first[2:] == ("UTC", "/tmp", "C.UTF-8") and other[2:] == ("JST", "/var/elsewhere", "C")
    assert first[0] != other[0]


def test_libraries_of_the_runtime_compute_on_one_plain_core(calls: Any) -> None:
    program = (
        "import numpy as np, scipy.linalg\nfrom threadpoolctl import threadpool_info\n"
        "from numpy._core._multiarray_umath import __cpu_features__ as features, __cpu_dispatch__ as dispatched\n"
        "def f(x): return (sorted({i['num_threads'] for i in threadpool_info()}), [d for d in dispatched if features[d]])"
    )
    assert values_of(calls(program, 0, cpu=5).outcomes) == [([1], [])]


@pytest.mark.parametrize("module", ["numpy", "pandas", "scipy.stats", "sklearn.linear_model", "networkx", "sympy", "lxml.etree", "nltk", "PIL.Image", "zoneinfo"])
def test_allowed_libraries_load_in_the_sandbox(module: str, calls: Any) -> None:
    assert statuses(calls(f"import {module}\ndef f(x): return x", 1)) == ["returned"]


def test_time_zones_are_those_of_the_runtime(calls: Any) -> None:
    assert values_of(calls("import zoneinfo\ndef f(x): return zoneinfo.TZPATH", 1).outcomes)[0][0].endswith("site-packages/tzdata/zoneinfo")


def test_nothing_of_one_run_is_seen_by_the_next(calls: Any) -> None:
    program = "import os\ndef f(x):\n    seen = os.path.exists('/tmp/mark')\n    open('/tmp/mark', 'w').close()\n    return seen"
    assert [values_of(calls(program, 0).outcomes) for _ in range(2)] == [[False], [False]]


class Broken:
    """A sandbox in which no driver ever starts."""

    name = isolation = "broken"

    def run(self, program: Program, limits: Limits) -> Outcome:
        return Outcome(Ending.EXITED, 1, b"", b"Fatal Python error: no memory\n", 0.1)


class Loud:
    """A sandbox in which each process writes so much, as its load error or as the answer to its first call, and ends."""

    name = isolation = "loud"

    def __init__(self, *lines: bytes):
        self.lines, self.limits = lines, []  # type: tuple[bytes, ...], list[int]

    def run(self, program: Program, limits: Limits) -> Outcome:
        self.limits.append(limits.output_bytes)
        return Outcome(Ending.EXITED, 0, b"".join(line + b"\n" for line in self.lines)[: limits.output_bytes], b"", 0.1)


def test_all_processes_of_a_run_share_one_limit_of_output(machine: Machine) -> None:
    loud = Loud(b'{"load_error":null}', b'{"status":"returned","value":"' + b"x" * 400 + b'"}')
    run = run_calls(Execution("def f(): pass", "f", [Call(())] * 9, Limits(output_bytes=1000)), Machine(loud, machine.runtime))
    assert loud.limits[0] == 1000 and len(loud.limits) == 3 and loud.limits[-1] < 200
    assert statuses(run)[0] == "returned" and run.outcomes[-1].detail == "not run: the answers before it are too large"


def test_a_forged_load_error_is_cut(machine: Machine) -> None:
    run = run_calls(Execution("", "f", [Call(())], Limits()), Machine(Loud(b'{"load_error":"' + b"x" * 10**6 + b'"}'), machine.runtime))
    assert run.load_error == LoadError("x" * 2000)


def test_a_driver_that_fails_is_our_failure(machine: Machine) -> None:
    with pytest.raises(SandboxFailed, match="Fatal Python error"):
        run_calls(Execution("def f(): pass", "f", [Call(())], Limits()), Machine(Broken(), machine.runtime))


def test_a_long_traceless_program_is_no_problem(calls: Any, tmp_path: Path) -> None:
    assert statuses(calls("x = 1\n" * 100_000 + "def f(x): return x", 1)) == ["returned"]


def test_variants_run_apart_from_each_other(machine: Machine) -> None:
    programs = [
        "import string\nstring.left = 7\ndef f(x): return x + 1",
        "import string\ndef f(x): return getattr(string, 'left', 0)",
        "def f(x):\n    while x == 2: pass\n    return x",
        "import os\ndef f(x): os._exit(3)",
        "def f(:",
        "def f(x): return -x",
    ]
    runs = run_variants(Batch(programs, "f", [Call((n,), {}, 0.2) for n in (1, 2, 3)], Limits(2, 20), ["string"]), machine)
    assert [values_of(run.outcomes) for run in runs] == [[2, 3, 4], [0, 0, 0], [1, None], [None], [], [-1, -2, -3]]
    assert [run.outcomes[-1].status for run in runs if run.outcomes] == [
        "returned", "returned", "timeout", "crashed", "returned"
    ]
    assert [run.load_error is None for run in runs] == [True, True, True, True, False, True]


def test_a_variant_that_ends_the_others_process_counts_alone(machine: Machine) -> None:
    killing = "import os, signal\ndef f(x): os.kill(os.getppid(), signal.SIGKILL)"
    runs = run_variants(Batch([killing, "def f(x): return x"], "f", [Call((1,))], Limits(2, 20)), machine)
    assert runs[0].outcomes[0].answer is None and values_of(runs[1].outcomes) == [1]


def test_what_a_variant_leaves_behind_holds_up_nothing(machine: Machine) -> None:
    lingering = "import os, time\ndef f(x):\n    if not os.fork(): time.sleep(60)\n    return x"
    runs = run_variants(Batch([lingering, "def f(x): return 2 * x"], "f", [Call((1,))], Limits(2, 20)), machine)
    assert [values_of(run.outcomes) for run in runs] == [[1], [2]]


def test_each_variant_gets_its_own_calls(machine: Machine) -> None:
    programs = ["def f(x): return x + 1", "def f(x): return -x", "def f(x): return x"]
    calls = [Call((n,)) for n in (1, 2, 3)]
    runs = run_variants(Batch(programs, "f", calls, Limits(2, 20), places=[[2, 0], [], [1]]), machine)
    assert [values_of(run.outcomes) for run in runs] == [[4, 2], [], [2]]


def test_variants_of_a_group_share_a_process(machine: Machine) -> None:
    programs = ["import string\nstring.left = 7\ndef f(x): return x", "import string\ndef f(x): return string.left + x"]
    programs.append("import string\ndef f(x): return getattr(string, 'left', x)")
    runs = run_variants(Batch(programs, "f", [Call((1,))], Limits(2, 20), ["string"], together=[2, 1]), machine)
    assert [values_of(run.outcomes) for run in runs] == [[1], [8], [1]]


def test_a_group_goes_on_behind_a_variant_that_hangs_dies_or_writes(machine: Machine) -> None:
    programs = [
        "def f(x): return x + 1",
        "def f(x):\n    while x == 2: pass\n    return x",
        "import os\ndef f(x):\n    if x == 2: os._exit(3)\n    return x",
        "def f(:",
        "import os\ndef f(x):\n    for n in range(3, 256):\n        try: os.write(n, b'{}')\n        except OSError: pass",
        "def f(x): return -x",
    ]
    calls = [Call((n,), {}, 0.2) for n in (1, 2, 3)]
    apart = run_variants(Batch(programs, "f", calls, Limits(2, 20)), machine)
    runs = run_variants(Batch(programs, "f", calls, Limits(2, 20), together=[6]), machine)
    assert [values_of(run.outcomes) for run in runs[:4]] == [[2, 3, 4], [1, None], [1, None], []]
    assert [values_of(run.outcomes) for run in apart[:4]] == [values_of(run.outcomes) for run in runs[:4]]
    assert not any(outcome.answer for outcome in runs[4].outcomes) and len(runs) == 6
    assert values_of(runs[5].outcomes) == [-1, -2, -3]


def test_a_program_that_takes_small_numbers_for_files_loses_no_answer(calls: Any) -> None:
    source = "import os\ndef f(x):\n    try:\n        os.close(x)\n    except OSError:\n        return 'none'\n    return 'closed'"
    assert statuses(calls(source, 0, 3, 4, 5, 64)) == ["returned"] * 5


@pytest.fixture
def answered(machine: Machine) -> Any:
    """Call `f` of an answer's program with each of the given arguments, as answers are judged."""

    def run(program: str, *arguments: Any, cpu: float = 0.5, limits: Limits | None = None) -> Run:
        given = [Call((encode(argument),), {}, cpu) for argument in arguments]
        return run_calls(Execution(program, "f", given, limits or Limits(cpu_seconds=6, wall_seconds=60), lenient=True), machine)

    return run


DOUBLES = "def f(x):\n    return 2 * x\n\n"


@pytest.mark.parametrize("demonstration", [
    "import nowhere as pytest\n\n@pytest.mark.parametrize('x', [1])\ndef test_f(x):\n    assert f(x) == 2\n",
    "print(open('input.txt').read())", "import sys\nn = int(sys.argv[1])\nprint(f(n))", "n = input()\nprint(f(int(n)))", "assert f(1) == 3, 'no'",
    "import sys\nsys.exit(f(1))", "exit()", "raise KeyboardInterrupt", "from solution_of_mine import f as g\nassert g is f", "results = [f(n) for n in nowhere]\ncount = len(results)\nprint(count / 0)",
    "with open('nowhere') as file:\n    for line in file:\n        print(f(line))", "try:\n    print(f(1, 2))\nfinally:\n    print(nowhere)", "class T(nowhere.TestCase):\n    pass", "1 / 0; 2 / 0\n3 / 0",
    "import unittest\n\nclass T(unittest.TestCase):\n    def test(self):\n        self.assertEqual(f(1), 3)\n\nunittest.main()", "import matplotlib.pyplot as plt\nplt.plot([f(n) for n in range(9)])\nplt.show()",
], ids=range(16))
def test_what_can_not_run_is_left_out_of_an_answer(demonstration: str, calls: Any, answered: Any) -> None:
    for program in (DOUBLES + demonstration, f"{demonstration}\n\n{DOUBLES}", f"from __future__ import annotations\n{demonstration}\n\nX: Nowhere = 1\n{DOUBLES}"):
        assert values_of(answered(program, 1, 2).outcomes) == [2, 4], program
    # A reference has to load as it is.
    assert calls(DOUBLES + demonstration, 1).load_error


def test_what_is_needed_runs_although_it_looks_like_a_demonstration(answered: Any) -> None:
    program = "TABLE = {}\n\ndef main():\n    for n in range(9): TABLE[n] = 2 * n\n    print(TABLE)\n\nmain()\n\ndef f(x): return TABLE[x]\n\nmain()\nprint(f(3))\nassert f(3) == 7"
    assert values_of(answered(program, 1, 2).outcomes) == [2, 4]


def test_what_fails_and_is_needed_is_missed_where_it_is_used(answered: Any) -> None:
    run = answered("import nowhere\nTABLE = nowhere.table()\n\ndef f(x): return TABLE[x] if x else 0", 0, 1)
    assert statuses(run) == ["returned", "raised"] and run.outcomes[1].answer.exception == "NameError"


@pytest.mark.parametrize(("program", "error"), [
    ("import nowhere\ndef g(x): return x", "ModuleNotFoundError: No module named 'nowhere'"), ("def g(x): return x", "NameError: the entry point f is not defined"),
    ("def f(x) return x", "SyntaxError"), ("f = 1 / 0", "ZeroDivisionError"), ("f = 1", "TypeError: the entry point f is not callable"),
])
def test_without_an_entry_point_the_first_failure_is_said(program: str, error: str, answered: Any) -> None:
    assert answered(program, 1).load_error.text.startswith(error)


@pytest.mark.parametrize("endless", ["while True: pass", "while True:\n    try:\n        while True: pass\n    except BaseException: pass", "import time\ntime.sleep(1000)", "import threading\nthreading.Event().wait()"])
def test_a_demonstration_without_an_end_is_left(endless: str, answered: Any) -> None:
    run = answered(f"{DOUBLES}{endless}\nimport math\nassert f(1) == 3\nprint(f(2))\nTHREE = 3\n", 1, 2)
    assert values_of(run.outcomes) == [2, 4]


def test_a_definition_is_waited_for_with_all_the_time_there_is(answered: Any) -> None:
    slow = "import time\n\nclass Table:\n    end = time.process_time() + {}\n    while time.process_time() < end: pass\n\ndef f(x): return 2 * x"
    assert values_of(answered(slow.format(1.2), 1, limits=Limits(cpu_seconds=2, wall_seconds=60)).outcomes) == [2]
    assert "CPU time" in answered(slow.format(9), 1, limits=Limits(cpu_seconds=2, wall_seconds=60)).load_error.text


BUILDS_LATE = "import time\nTABLE = []\n\ndef f(x):\n    if x >= {} and not TABLE:\n        end = time.process_time() + {}\n        while time.process_time() < end: pass\n        TABLE.append(2)\n    return TABLE[0] * x if TABLE else 2 * x"


def test_a_table_that_takes_too_long_costs_the_call_that_builds_it(answered: Any, calls: Any) -> None:
    run = answered(BUILDS_LATE.format(2, 0.7), *range(50))
    assert statuses(run) == ["returned"] * 50 and run.outcomes[2].cpu_seconds > 0.6
    assert statuses(answered(BUILDS_LATE.format(2, 60), *range(4))).count("timeout") == 2
    assert statuses(calls(BUILDS_LATE.format(0, 0.7), 0, 1, 2)) == ["timeout"] * 3


READS_AHEAD = """
import gc, os, sys

seen = []
frame = sys._getframe()
while frame:
    seen += [repr(frame.f_locals)]
    frame = frame.f_back
seen += [repr(o) for o in gc.get_objects() if type(o) in (list, dict, bytes, str) and len(o) < 1000]
for number in range(256):
    try:
        os.set_blocking(number, False)
        seen.append(repr(os.read(number, 1 << 20)))
    except OSError:
        pass
early = any("needle" + "-in-the-hay" in text for text in seen)

def f(x):
    return early
"""


def test_no_input_is_there_before_the_program_is_loaded(answered: Any) -> None:
    assert values_of(answered(READS_AHEAD, "needle-in-the-hay").outcomes) == [False]


def test_values_of_subclasses_are_told_as_their_base(answered: Any, calls: Any) -> None:
    program = "import collections, enum\nP = collections.namedtuple('P', 'x y')\nclass E(enum.IntEnum):\n    A = 7\nclass S(str):\n    def __eq__(self, o): return True\n    __hash__ = str.__hash__\nclass L(list):\n    def __iter__(self): return iter([9])\nclass D(dict):\n    def items(self): return ()\n"
    program += "def f(x): return [P(1, [E.A]), S('a'), L([1, P(2, 3)]), D(a=E.A), collections.defaultdict(lambda: 0, {1: 2})]"
    assert values_of(answered(program, 0).outcomes) == [[(1, [7]), "a", [1, (2, 3)], {"a": 7}, {1: 2}]]
    assert statuses(calls(program, 0)) == ["unencodable"]


def test_an_exception_says_what_it_is_besides(answered: Any) -> None:
    program = "class Mine(ValueError): pass\ndef f(x): raise {}('no')"
    raised = {name: answered(program.format(name), 0).outcomes[0] for name in ("Mine", "UnicodeError", "KeyError", "ValueError", "Exception")}
    assert {name: (outcome.answer.exception, outcome.bases) for name, outcome in raised.items()} == {
        "Mine": ("Mine", ("ValueError",)), "UnicodeError": ("UnicodeError", ("ValueError",)), "KeyError": ("KeyError", ("LookupError",)),
        "ValueError": ("ValueError", ()), "Exception": ("Exception", ()),
    }


LIES = """
class Meta(type):
    __mro__ = property(lambda c: (ValueError, Exception))
    __name__ = property(lambda c: "ValueError")

class Mine(BaseException, metaclass=Meta): pass
def f(x): raise Mine("no")
"""


def test_a_type_that_lies_about_itself_is_called_what_it_is(answered: Any) -> None:
    outcome = answered(LIES, 0).outcomes[0]
    assert outcome.answer.exception == "Mine" and "ValueError" not in outcome.bases


@pytest.mark.parametrize("base", ["BaseException", "Exception", "KeyError"])
def test_an_exception_that_only_calls_itself_so_is_another_one(base: str, answered: Any) -> None:
    outcome = answered(f"class ValueError({base}): pass\ndef f(x): raise ValueError('no')", 0).outcomes[0]
    assert outcome.answer.exception == "solution.ValueError" and "ValueError" not in outcome.bases


def test_imports_beside_one_that_fails_are_there(answered: Any) -> None:
    for front in ("import nowhere, math", "import nowhere; import math", "import math, nowhere as n, json"):
        assert values_of(answered(f"{front}\ndef f(x): return math.floor(x)", 2.5).outcomes) == [2]


@pytest.mark.parametrize("behind", [
    "for f in [1, 2]: pass", "if (f := f(1)): print(f)", "f = f(3)", "del f", "try:\n    1 / 0\nexcept ZeroDivisionError as f:\n    pass", "with open('/dev/null') as f: pass", "f = 'text' if f(1) else ''",
    "print(await f(1))", "import os\nos._exit(3)", "import time\nclass Server:\n    time.sleep(1000)", "return f(1)", "yield f(2)", "break",
])
def test_a_demonstration_that_takes_the_name_or_can_not_stand_there_changes_nothing(behind: str, answered: Any) -> None:
    assert values_of(answered(f"{DOUBLES}{behind}\n", 1, 2).outcomes) == [2, 4]


def test_a_program_finds_its_source_and_shares_memory_by_name(answered: Any) -> None:
    program = "import inspect, multiprocessing\nfrom multiprocessing import shared_memory\ndef f(x):\n    with multiprocessing.get_context('fork').Lock():\n        one = shared_memory.SharedMemory(create=True, size=8)\n    one.close(); one.unlink()\n    return inspect.getsource(f)[:8]"
    assert values_of(answered(program, 1, cpu=5).outcomes) == ["def f(x)"]


def test_a_forged_time_is_none(answered: Any, machine: Machine) -> None:
    for time_told in ("-e-", "1.2.3", "1e999", "-5"):
        program = f"import os\ndef f(x):\n    os.write(250, b'{{\"cpu\":{time_told},' + b'x' * (1 << 21) + b'\\n')\n    return x"
        run = run_calls(Execution(program, "f", [Call((1,), known=as_reported(Answer("returned", 1), False))], Limits(), lenient=True), machine)
        assert run.outcomes[0].status != "known" and run.outcomes[0].cpu_seconds >= 0


@pytest.mark.parametrize("made", ["cold", "warm"])
def test_nothing_of_the_driver_is_among_the_modules_of_an_answer(made: str, machine: Machine) -> None:
    program = "import sys\ndef f():\n    return [n for n, m in sys.modules.items() if '/drivers/' in (getattr(m, '__file__', '') or '')]\n"
    with contextlib.ExitStack() as stack:
        one = machine if made == "cold" else stack.enter_context(warmed(machine, []))
        assert run_calls(Execution(program, "f", [Call(())], Limits()), one).outcomes[0].answer == Answer("returned", [])
