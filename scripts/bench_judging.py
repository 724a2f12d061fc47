"""Print what judging costs per answer: warm forks against fresh interpreters, a bare fork, and the peer `evalplus`.

    python scripts/bench_judging.py build/demo/release

All figures are ratios of times of one run, since times alone say little on a shared machine. References are judged,
with all of their cases; each way gets the same tasks in the same order, one answer after the other. `--peer` is a
folder for the peer's own environment, which is made where it is missing (evalplus from PyPI with what its checking
function imports, and the release's runtime beside it); `--peer ""` leaves it out.
"""

from __future__ import annotations

import argparse
import json
import os
import resource
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from harness.languages import Machine
from harness.languages.python.runner import imported, warmed
from harness.languages.python.runtime import python_of
from harness.records import Task
from harness.releases.dataset import load_release
from harness.runtime import ensure_runtime
from harness.sandbox import Limits, choose
from harness.sandbox.processes import tree_usage
from harness.sandbox.unprotected import Unprotected
from harness.sandbox.warm import Job
from harness.scoring.evaluate import cores
from harness.scoring.judging import Timing, judge, judge_all, measure

PEER = ("evalplus==0.3.1", "appdirs", "tempdir", "wget", "multipledispatch", "psutil", "termcolor", "tqdm",
        "tree_sitter", "tree_sitter_python", "rich")
ROOT = Path(__file__).parents[1]
_FORKS = 200
_ROUNDS = 4
"""How often each answer is judged; the fastest counts, since anything else that runs makes some of them slower."""
_TIMES = 5
_BARE = """
import json, os, sys, time
sys.path += {paths}
for name in {modules}:
    try:
        __import__(name)
    except BaseException:
        pass
import gc; gc.collect(); gc.freeze()
def fork():
    started = time.perf_counter()
    child = os.fork()
    if not child:
        os._exit(0)
    os.waitpid(child, 0)
    return time.perf_counter() - started
print(json.dumps(sorted(fork() for _ in range({forks}))[{forks} // 2]))
"""
_CHECK = """
import json, sys, time
sys.path[:0] = {paths}
from harness.values import decode
from evalplus.eval import PASS, untrusted_check
seconds, right = [], 0
for line in open(sys.argv[1], encoding="utf-8"):
    job = json.loads(line)
    inputs, expected = [decode(one) for one in job["inputs"]], [decode(one) for one in job["expected"]]
    rounds = []
    for _ in range({rounds}):
        started = time.perf_counter()
        status, _ = untrusted_check("mbpp", job["program"], inputs, job["entry_point"], expected, 1e-9, job["seconds"])
        rounds.append(time.perf_counter() - started)
    seconds.append(min(rounds))
    right += status == PASS
print(json.dumps([seconds, right]))
"""


def main() -> None:
    """Measure each track."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("release")
    parser.add_argument("--tasks", type=int, default=20, help="of each track at most")
    parser.add_argument("--peer", default=str(ROOT / "build" / "peer"))
    options = parser.parse_args()
    release = load_release(options.release)
    machine = Machine(choose(), ensure_runtime(release.lock))
    peer = peer_python(Path(options.peer), release.lock) if options.peer else None
    for track in sorted({task.track for task in release.tasks}):
        tasks = [task for task in release.tasks if task.track == track][: options.tasks]
        bench_track(track, tasks, machine, peer)
    bench_all(release.tasks, machine)


def bench_track(track: str, tasks: Sequence[Task], machine: Machine, peer: Path | None) -> None:
    """Print the ratios of one track."""
    modules = imported(task.reference for task in tasks)
    with warmed(machine, modules) as warm:
        timings = [measure(task, warm) for task in tasks]
        ours = per_answer(tasks, warm, timings)
        job = fork_with_isolation(warm)
        peers = [carried(task, timing) for task, timing in zip(tasks, timings, strict=True)]
        on_peers = per_answer([task for task, _ in peers], warm, [timing for _, timing in peers]) if peer else 0.0
    isolated = per_answer(tasks, machine, timings)
    fresh = per_answer(tasks, Machine(Unprotected(), machine.runtime), timings)
    bare = bare_fork(machine, modules)
    print(f"{track}: {len(tasks)} references, {sum(len(task.cases) for task in tasks)} cases")
    print(f"  a fresh interpreter takes {fresh / ours:.1f} times as long, {isolated / ours:.1f} with isolation")
    print(f"  isolation of a fork adds {1000 * (job - bare):.1f} ms to the {1000 * bare:.1f} ms of a bare one")
    print(f"  one answer: {1000 * ours:.0f} ms")
    if peer is not None:
        seconds, right = by_the_peer(peers, peer)
        cases, found = sum(len(task.cases) for task, _ in peers), f"{right} of {len(tasks)} right"
        print(f"  evalplus, which does not isolate, takes {seconds / on_peers:.2f} times as long for the {cases} cases "
              f"that it can carry ({found})")


def bench_all(tasks: Sequence[Task], machine: Machine) -> None:
    """Print answers per second over all cores, and CPU seconds, with each task's reference judged once.

    Then the peak of the judge's memory, after these and after several times as many.
    """
    wall, cpu, perfect = _judged(tasks, machine, 1)
    cases = sum(len(task.cases) for task in tasks)
    print(f"{len(tasks)} references ({cases} cases), measured and judged, on {cores()} cores: {len(tasks) / wall:.1f} "
          f"per second, {cpu:.1f} CPU seconds with all processes ({1000 * cpu / len(tasks):.0f} per 1,000), "
          f"{perfect} perfect")
    first = _peak_megabytes()
    _judged(tasks, machine, _TIMES)
    peak = _peak_megabytes()
    print(f"  peak of the judge's memory: {first:.0f} MB, after {_TIMES} times as many answers {peak:.0f} MB")


def _judged(tasks: Sequence[Task], machine: Machine, times: int) -> tuple[float, float, int]:
    """Judge each reference so many times: wall seconds, CPU seconds of all processes, and how many are perfect."""
    jobs = ((task, task.reference) for task in tasks for _ in range(times))
    started, before = time.perf_counter(), tree_usage(os.getpid()).cpu_seconds
    verdicts = judge_all(jobs, machine, cores(), tasks=tasks)
    perfect = sum(next(verdicts).perfect for _ in range(times * len(tasks)))
    # The warm processes are still there, and what they have used can be read.
    cpu = tree_usage(os.getpid()).cpu_seconds - before
    wall = time.perf_counter() - started
    for _ in verdicts:
        raise AssertionError("there are more verdicts than answers")
    return wall, cpu, perfect


def _peak_megabytes() -> float:
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024


def per_answer(tasks: Sequence[Task], machine: Machine, timings: Sequence[Timing]) -> float:
    """The mean seconds of judging one reference, the fastest round of each."""
    best = []
    for task, timing in zip(tasks, timings, strict=True):
        best.append(min(_seconds(lambda: judge(task, task.reference, machine, timing=timing)) for _ in range(_ROUNDS)))  # noqa: B023
    return statistics.mean(best)


def fork_with_isolation(machine: Machine) -> float:
    """The median seconds of a job that does nothing, in a warm process that is there already."""
    assert machine.servers is not None
    with machine.servers.one() as server:
        return statistics.median(_seconds(lambda: server.run(Job("pass"), Limits())) for _ in range(_FORKS))


def bare_fork(machine: Machine, modules: set[str]) -> float:
    """The median seconds of a fork of a process that has imported the same, its end included."""
    code = _BARE.format(paths=[str(python_of(machine.runtime).site_packages)], modules=sorted(modules), forks=_FORKS)
    environment = {**os.environ, **dict(machine.runtime.environment)}
    command = [str(python_of(machine.runtime).python), "-c", code]
    return float(subprocess.run(command, env=environment, capture_output=True, check=True).stdout)


def by_the_peer(tasks: Sequence[tuple[Task, Timing]], python: Path) -> tuple[float, int]:
    """The mean seconds of the peer's check, and how many references it finds right."""
    jobs = ROOT / "build" / "peer-jobs.jsonl"
    jobs.parent.mkdir(exist_ok=True)
    jobs.write_text("".join(json.dumps(_job(*one)) + "\n" for one in tasks))
    code = _CHECK.format(paths=[str(ROOT)], rounds=_ROUNDS)
    done = subprocess.run([str(python), "-c", code, str(jobs)], capture_output=True, text=True, check=True)
    seconds, right = json.loads(done.stdout.strip().splitlines()[-1])
    return statistics.mean(seconds), int(right)


def carried(task: Task, timing: Timing) -> tuple[Task, Timing]:
    """A task with the cases that the peer can carry: calls without keywords that return something."""
    places = [n for n, case in enumerate(task.cases) if case.expected.kind == "returned" and not case.kwargs]
    seconds = tuple(timing.cases[n] for n in places)
    return replace(task, cases=tuple(task.cases[n] for n in places)), replace(timing, cases=seconds)


def _job(task: Task, timing: Timing) -> dict[str, object]:
    return {
        "program": task.reference, "entry_point": task.entry_point, "inputs": [list(c.args) for c in task.cases],
        "expected": [case.expected.value for case in task.cases], "seconds": timing.cases,
    }


def peer_python(folder: Path, lock: Path) -> Path:
    """The interpreter of the peer's environment, which is made where it is missing."""
    python = folder / "bin" / "python"
    if not (folder / "done").is_file():
        uv = str(Path(sys.executable).parent / "uv")
        install = [uv, "pip", "install", "-q", "--python", str(python)]
        for command in (
            [uv, "venv", "-q", "--clear", "--python", "3.11", str(folder)], [*install, "-r", str(lock)],
            [*install, "--no-deps", *PEER],
        ):
            subprocess.run(command, check=True)
        (folder / "done").touch()
    return python


def _seconds(step: Callable[[], object]) -> float:
    started = time.perf_counter()
    step()
    return time.perf_counter() - started


if __name__ == "__main__":
    main()
