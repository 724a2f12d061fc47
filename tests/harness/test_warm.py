"""Warm processes: jobs behave as programs of their own do, and nothing goes from one to the next."""

from __future__ import annotations

import os
import shutil
import signal
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from harness.errors import SandboxFailed
from harness.languages import Batch, Call, Execution, Machine
from harness.languages.python.runner import _kit, run_calls, run_variants, warmed
from harness.records import Task
from harness.runtime import ensure_runtime
from harness.sandbox import Ending, Limits, Program
from harness.sandbox.bubblewrap import Bubblewrap
from harness.sandbox.choice import _bubblewrap
from harness.sandbox.processes import tree_usage
from harness.sandbox.self_check import OF_JOBS, AsJobs, Behaviour, Host, check_one, host
from harness.sandbox.unprotected import Unprotected
from harness.sandbox.warm import Job, WarmServer
from harness.scoring.judging import Fairness, judge, judge_all
from harness.values import decode
from tests.harness.conftest import LOCK
from tests.harness.test_judging import HASTY, RUNS, SQUARE, TASKS, files

KNOWN_TO_DIFFER = {"ids", "main", "room"}
"""The leader of a session, the names by which the driver was started, and how much of the recursion limit it takes."""
USERS = ["as this user", *(["as root in a user namespace"] if os.geteuid() == 0 else [])]


@pytest.fixture(scope="module")
def outside() -> Iterator[Host]:
    with host() as things:
        yield things


@pytest.fixture(scope="module", params=USERS)
def jobs(request: pytest.FixtureRequest) -> Iterator[AsJobs]:
    chosen = _bubblewrap()
    made = AsJobs(chosen if request.param == USERS[0] else Bubblewrap(chosen.bwrap, chosen.prlimit))
    yield made
    made.close()


@pytest.fixture(scope="module")
def below_tmp(machine: Machine) -> Iterator[Machine]:
    """The machine with a cache below /tmp, that of its runtime and that of the drivers."""
    with TemporaryDirectory(prefix="code2bench-", dir="/tmp") as folder:
        Path(folder).chmod(0o755)
        prefix = Path(folder) / "runtimes" / machine.runtime.prefix.name
        shutil.copytree(machine.runtime.prefix, prefix, symlinks=True, copy_function=_linked)
        with pytest.MonkeyPatch.context() as patch:
            patch.setenv("CODE2BENCH_CACHE", folder)
            runtime = ensure_runtime(LOCK)
            assert _kit(runtime).is_relative_to(folder)
        yield Machine(machine.sandbox, runtime)


def _linked(source: str, target: str) -> None:
    """The same file in another place, without a copy where that can be had."""
    try:
        os.link(source, target, follow_symlinks=False)
    except OSError:
        shutil.copy2(source, target, follow_symlinks=False)


@pytest.fixture(scope="module")
def warm(machine: Machine) -> Iterator[Machine]:
    with warmed(machine, {"numpy.random", "collections"}) as made:
        assert made.servers is not None
        yield made


@pytest.mark.parametrize("behaviour", OF_JOBS, ids=lambda behaviour: behaviour.name)
def test_jobs_show_what_programs_show(behaviour: Behaviour, jobs: AsJobs, outside: Host) -> None:
    result = check_one(jobs, behaviour, outside)
    assert result.ok, result.seen


@pytest.mark.parametrize("path", files("hostile"), ids=lambda path: path.stem)
def test_a_hostile_answer_scores_nothing(path: os.PathLike[str], warm: Machine) -> None:
    with open(path, encoding="utf-8") as file:
        verdict = judge(RUNS, file.read(), warm, HASTY)
    # Some give an empty list whatever they are asked, which is right for the first case.
    assert verdict.total == len(RUNS.cases) and all(case.status != "passed" for case in verdict.cases[1:]), verdict.detail
    assert judge(RUNS, RUNS.reference, warm).perfect


@pytest.mark.parametrize("path", files("odd"), ids=lambda path: path.stem)
def test_an_odd_but_right_answer_is_perfect(path: os.PathLike[str], warm: Machine) -> None:
    with open(path, encoding="utf-8") as file:
        verdict = judge(RUNS, file.read(), warm)
    assert verdict.perfect, verdict.detail


@pytest.mark.parametrize("task", TASKS, ids=lambda task: task.entry_point)
def test_verdicts_are_those_of_cold_processes(task: Task, machine: Machine, warm: Machine) -> None:
    for solution in (task.reference, "x = (", "import nowhere", f"def {task.entry_point}(*_, **__):\n    return 1 // 0\n"):
        cold, same = judge(task, solution, machine, HASTY), judge(task, solution, warm, HASTY)
        assert (cold.outcome, cold.detail, cold.cases) == (same.outcome, same.detail, same.cases)


SURROUNDINGS = '''
import os, resource, signal, sys, threading, time

def depth(n=0):
    try:
        return depth(n + 1)
    except RecursionError:
        return n

def f():
    """All that an answer may see of where it runs."""
    import colorsys, numpy.ma, sqlite3, sndhdr
    limits = {name: resource.getrlimit(getattr(resource, name)) for name in dir(resource) if name.startswith("RLIMIT_")}
    limits["RLIMIT_CPU"] = None
    tmp = os.statvfs("/tmp")
    seen = {
        "environment": {name: value for name, value in os.environ.items() if name != "PWD"}, "folder": os.getcwd(),
        "tmp": sorted(os.listdir("/tmp")), "root": sorted(os.listdir("/")), "bytes": tmp.f_blocks * tmp.f_frsize,
        "devices": sorted(os.listdir("/dev")), "masks": [os.umask(0o77), os.umask(0o77)], "limits": limits,
        "signals": [str(signal.getsignal(n)) for n in (1, 2, 3, 13, 15, 17)],
        "blocked": sorted(map(int, signal.pthread_sigmask(signal.SIG_BLOCK, []))),
        "path": [entry for entry in sys.path], "flags": str(sys.flags), "argv": sys.argv, "main": sorted(vars(sys.modules["__main__"])),
        "zone": [time.tzname, time.timezone], "names": list(os.uname())[:2], "ids": os.getpid() > 1 and os.getsid(0) == os.getpid(),
        "group": os.getpgid(0) == os.getsid(0), "groups": os.getgroups(), "nice": os.nice(0), "threads": threading.active_count(),
        "depth": depth(), "room": sys.getrecursionlimit(), "encodings": [sys.getfilesystemencoding(), sys.stdout.encoding],
        "hash": hash("a"), "files": [numpy.ma.__file__, colorsys.__file__, __file__], "affinity": sorted(os.sched_getaffinity(0)),
        "descriptors": [n for n in range(3, 256) if n != 250 and os.path.exists(f"/dev/fd/{n}")],
    }
    return seen
'''


@pytest.mark.parametrize("place", ["usual", "below /tmp"])
def test_a_warm_process_shows_what_a_cold_one_shows(place: str, machine: Machine, request: pytest.FixtureRequest) -> None:
    cold = machine if place == "usual" else request.getfixturevalue("below_tmp")
    assert place == "usual" or cold.runtime.prefix.is_relative_to("/tmp")
    with warmed(cold, {"numpy"}) as made:
        assert made.servers is not None
        seen = [run_calls(Execution(SURROUNDINGS, "f", [Call(())], Limits()), one).outcomes[0] for one in (cold, made)]
    answers = [decode(one.answer.value) for one in seen if one.answer and one.status == "returned"]
    assert len(answers) == 2, seen
    assert {name for name in answers[0] if answers[0][name] != answers[1][name]} == KNOWN_TO_DIFFER, answers


def test_what_lies_below_tmp_can_not_be_written(below_tmp: Machine) -> None:
    program = "import numpy, os\ndef f():\n    open(os.path.join(os.path.dirname(numpy.__file__), 'made'), 'w')\n"
    with warmed(below_tmp, ()) as made:
        for one in (below_tmp, made):
            (outcome,) = run_calls(Execution(program, "f", [Call(())], Limits()), one).outcomes
            assert outcome.answer and outcome.answer.exception in ("OSError", "PermissionError"), outcome


def test_a_warm_process_whose_forks_lack_something_is_not_used(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("harness.languages.python.runner._modules", lambda folder: ["numpy", "nowhere"])
    with warmed(machine, ()) as made:
        assert made.servers is None


def test_recursion_has_the_same_room_as_in_cold_processes(machine: Machine, warm: Machine) -> None:
    program = "def f():\n    try:\n        return 1 + f()\n    except RecursionError:\n        return 1\n"
    rooms = [run_calls(Execution(program, "f", [Call(())], Limits()), one).outcomes[0].answer for one in (machine, warm)]
    rooms += [run.outcomes[0].answer for run in run_variants(Batch([program] * 2, "f", [Call(())], Limits(), together=[2]), machine)]
    assert len({room.value for room in rooms if room}) == 1 and all(rooms)


FORKS = '''
import os, time

def square(n):
    """Many forks at a time, which share nearly all of their memory."""
    shared = bytearray(n if n < 100 else 100_000_000)
    children = []
    for _ in range(30 if n == 100 else 0):
        children.append(os.fork())
        if not children[-1]:
            time.sleep(0.5)
            os._exit(0)
    for child in children:
        os.waitpid(child, 0)
    return n * n
'''


def test_memory_that_forks_share_counts_once(machine: Machine, warm: Machine) -> None:
    for one in (machine, warm):
        verdict = judge(SQUARE, FORKS, one)
        assert verdict.perfect, verdict.detail


def test_memory_that_each_fork_has_counts_for_all(machine: Machine, warm: Machine) -> None:
    hoards = FORKS.replace("        if not children[-1]:\n", "        if not children[-1]:\n            shared[::4096] = b'x' * len(shared[::4096])\n")
    hoards = hoards.replace("sleep(0.5)", "sleep(60)")
    # Time enough that memory is what ends it, on a busy machine as well.
    patient = Fairness(case_floor=30.0, total_floor=60.0, memory_bytes=512 * 1024**2)
    for one in (machine, warm):
        verdict = judge(SQUARE, hoards, one, patient)
        assert (verdict.passed, verdict.cases[99].detail) == (99, "the process used too much memory")


LEAVES = '''
import collections, os, sys, threading
import numpy

def square(n):
    """Leave things everywhere."""
    collections.left = numpy.left = os.left = sys.left = n
    sys.modules["left"] = os
    os.environ["LEFT"] = "1"
    os.umask(0)
    os.chdir("/")
    numpy.random.seed(n)
    numpy.seterr(all="raise")
    sys.setrecursionlimit(5000)
    open("/tmp/left", "w").write("a secret word that nobody has: bfkqwz")
    threading.Thread(target=__import__("time").sleep, args=(60,)).start()
    if os.fork() == 0:
        __import__("time").sleep(60)
    return n * n
'''
FINDS = '''
import collections, gc, os, sys
import numpy

def square(n):
    """Nothing is left of what another one did."""
    found = [hasattr(module, "left") for module in (collections, numpy, os, sys)]
    found += ["left" in sys.modules, "LEFT" in os.environ, os.umask(0o22) == 0, os.getcwd() != "/tmp"]
    found += [os.path.exists("/tmp/left"), sys.getrecursionlimit() == 5000, numpy.geterr()["over"] == "raise"]
    found += [any(isinstance(one, str) and "".join(("bfk", "qwz")) in one for held in gc.get_objects() for one in gc.get_referents(held))]
    return n * n if not any(found) else found
'''


def test_nothing_goes_from_one_job_to_the_next(warm: Machine) -> None:
    assert warm.servers is not None
    left = judge(SQUARE, LEAVES, warm)
    assert left.passed >= 1, left.detail
    verdict = judge(SQUARE, FINDS, warm)
    assert verdict.perfect, verdict.detail
    with warm.servers.one() as server:
        # At most the fork that waits for the next job, with the process that will do it.
        for _ in range(100):
            if len(tree_usage(server.pid).pids) <= 3:
                break
            time.sleep(0.02)
        assert len(tree_usage(server.pid).pids) <= 3


def test_what_a_job_is_about_never_comes_to_the_warm_process(warm: Machine) -> None:
    assert warm.servers is not None
    word = "xqz" + "vkb" * 9
    call = Call((word,))
    assert run_calls(Execution("def f(x):\n    return x\n", "f", [call], Limits()), warm).outcomes[0].status == "returned"
    with warm.servers.one() as server:
        assert word.encode() not in _memory(server.pid)
        assert b"python_server" in _memory(server.pid)


def _memory(pid: int) -> bytes:
    """All that a process has written in its memory."""
    found = []
    with open(f"/proc/{pid}/maps", encoding="utf-8") as maps, open(f"/proc/{pid}/mem", "rb", 0) as memory:
        for line in maps:
            place, rights = line.split()[:2]
            if rights.startswith("rw"):
                first, last = (int(number, 16) for number in place.split("-"))
                memory.seek(first)
                found.append(memory.read(last - first))
    return b"".join(found)


def test_numbers_at_random_differ_from_job_to_job(warm: Machine) -> None:
    program = "import random, numpy\ndef f():\n    return [random.random(), float(numpy.random.random())]\n"
    values = [run_calls(Execution(program, "f", [Call(())], Limits()), warm).outcomes[0].answer for _ in range(2)]
    assert values[0] and values[1]
    assert not set(values[0].value) & set(values[1].value)


def test_a_warm_process_that_dies_is_replaced(machine: Machine) -> None:
    with warmed(machine, ()) as made:
        assert made.servers is not None
        with made.servers.one() as server:
            os.kill(server.pid, signal.SIGKILL)
        with pytest.raises(SandboxFailed):
            run_calls(Execution("def f():\n    return 1\n", "f", [Call(())], Limits()), made)
        assert judge(SQUARE, SQUARE.reference, made).perfect


def test_what_hangs_ends_at_its_limits_and_harms_nobody(warm: Machine) -> None:
    assert warm.servers is not None
    for start, wall_seconds, ending in (
        ("while True: pass", 60.0, Ending.CPU_LIMIT), ("import time; time.sleep(600)", 2.0, Ending.WALL_LIMIT)):
        with warm.servers.one() as server:
            outcome = server.run(Job(start), Limits(cpu_seconds=0.4, wall_seconds=wall_seconds))
            assert outcome.ending is ending
            assert server.run(Job("print('well')"), Limits()).stdout == b"well\n"


def test_a_fork_that_can_not_be_confined_runs_nothing(machine: Machine) -> None:
    """Where a step of the isolation fails, that is our failure and never an answer's."""
    chosen = _bubblewrap()

    class Weak(Bubblewrap):
        def _namespaces(self, serving: bool = False) -> list[str]:
            return super()._namespaces()

    weak = Weak(chosen.bwrap, chosen.prlimit, chosen.setpriv, chosen.drop_root)
    with warmed(replace(machine, sandbox=weak), ()) as made:
        assert made.servers is None


def test_no_job_inherits_a_descriptor_however_many_are_open_here() -> None:
    """The number of the server's own channel is that which it has here."""
    held = [os.open(os.devnull, os.O_RDONLY) for _ in range(300)]
    try:
        made = AsJobs(_bubblewrap())
    finally:
        for descriptor in held:
            os.close(descriptor)
    code = "import os\nfor n in range(3, 1000):\n    try:\n        os.fstat(n)\n    except OSError:\n        continue\n    print(n)"
    assert made.server.run(Job(code), Limits()).stdout == b""
    made.close()


def test_a_warm_process_that_can_not_start_says_why() -> None:
    program = Program(("/bin/sh", "-c", "echo no such luck >&2; exit 3"), (Path("/usr/bin"),))
    with pytest.raises(SandboxFailed, match="no such luck"):
        _bubblewrap().warm(program, "")


def test_without_isolation_there_is_no_warm_process(machine: Machine) -> None:
    with warmed(replace(machine, sandbox=Unprotected()), ()) as made:
        assert made.servers is None


def test_all_processes_end_with_the_judging(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[WarmServer] = []
    real = WarmServer.__init__

    def noted(self: WarmServer, *settings: object) -> None:
        started.append(self)
        real(self, *settings)  # type: ignore[arg-type]

    monkeypatch.setattr(WarmServer, "__init__", noted)
    verdicts = list(judge_all([(task, task.reference) for task in TASKS] * 2, machine, workers=2, tasks=TASKS))
    assert all(verdict.perfect for verdict in verdicts)
    assert started and all(server.process.returncode is not None for server in started)
