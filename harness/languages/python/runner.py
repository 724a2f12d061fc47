"""Running Python: calls of a function in a fresh, sandboxed interpreter of the release's runtime."""

from __future__ import annotations

import ast
import json
import math
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from pathlib import Path
from typing import Any

from harness import values
from harness.errors import SandboxFailed
from harness.languages import USUAL, Batch, Call, CallOutcome, Execution, Machine, Run, Surroundings
from harness.languages.python.kits import made_once
from harness.languages.python.outcomes import ended, parse_line, read, seconds_of
from harness.languages.python.runtime import PythonRuntime, python_of
from harness.records import Answer
from harness.sandbox import Ending, Limits, Outcome, Program
from harness.sandbox.warm import Job, Servers, Warming, WarmServer
from harness.values import TAG, canonical, codec

MAX_PROCESSES = 20
"""How many times a run starts again after a call that hung or crashed, before the rest counts as failed."""

_OUT_OF_TIME = (signal.SIGXCPU, signal.SIGKILL)
_STARTING = 30.0
"""Seconds for the start of a process that serves several programs, with its imports."""
_VARIANTS_OUTPUT = 4
"""How many times as much as one program several of them may write together before a new process is started."""

_LINE_GRACE = 2.0
"""How many times its time one call of an answer may take before its process ends: it may build what others use."""
_DRIVERS = Path(__file__).parent / "drivers"
_CODEC = tuple(Path(str(module.__file__)) for module in (values, codec, *values.MODULES))
SHOWN = {
    **{file.relative_to(_DRIVERS).as_posix(): file for file in sorted(_DRIVERS.rglob("*.py"))},
    **{f"values/{file.name}": file for file in _CODEC},
}
"""What lies in the folder with the driver: the codec is a package of its own there."""
_PREPARE = """
import sys
import python_driver
sys.path += {paths}
for name in {modules}:
    try:
        __import__(name)
    except BaseException:
        # The program that needs it will say so.
        continue
for path in {paths}:
    sys.path.remove(path)
"""
_TRIED = """
import colorsys
from importlib.machinery import PathFinder
for name in {modules}:
    with open(PathFinder.find_spec(name, {paths}).origin, "rb") as file:
        file.read(1)
"""
"""A job that needs what nobody has imported yet, of the standard library, and all that the runtime adds to it."""
_TAGGED = f'"{TAG}":'
_written = json.JSONEncoder(separators=(",", ":")).encode


def run_calls(execution: Execution, machine: Machine) -> Run:
    """Load the program and make the calls, each with fresh arguments; raises `SandboxFailed`.

    An outcome that is the `known` one of its call, as `as_reported` writes it, is `known` and not read further. With
    `lenient`, statements that can't run are left out of a program that defines its entry point all the same, values of
    subclasses are told as those of their base, and one call may be late without ending its process.

    A call that hangs or crashes ends its process, and a new one goes on with the next call. The CPU, wall and idle
    seconds and the output bytes of the limits hold for all of these processes together.
    """
    calls, limits = execution.calls, execution.limits
    task = _task(execution, python_of(machine.runtime))
    outcomes: list[CallOutcome] = []
    cpu, wall, idle, wrote = 0.0, 0.0, 0.0, 0
    why = "not run: the calls before it have used up all time"
    for _ in range(MAX_PROCESSES):
        rest = calls[len(outcomes) :]
        left = replace(
            limits, cpu_seconds=limits.cpu_seconds - cpu, wall_seconds=limits.wall_seconds - wall,
            output_bytes=limits.output_bytes - wrote, line_seconds=tuple(call.cpu_seconds for call in rest),
            idle_seconds=limits.idle_seconds - idle, line_grace=task["grace"],
        )
        outcome = _ran(_line(task), _inputs(rest), machine, left, execution.surroundings)
        report = read(outcome, rest)
        task["grace"] = 1.0
        cpu, wall = cpu + max(outcome.cpu_seconds, report.cpu_seconds), wall + outcome.wall_seconds
        wrote, idle = wrote + len(outcome.stdout), idle + outcome.idle_seconds
        spent = cpu >= limits.cpu_seconds or wall >= limits.wall_seconds or idle >= limits.idle_seconds
        if report.cut_short and not task["each"] and not spent and wrote < limits.output_bytes:
            # It died with lines that it had gathered. Those that came are as good as any; the rest comes one by one.
            task["each"] = True
            outcomes += report.outcomes[:-1]
            continue
        if report.load_error is not None and not outcomes:
            return Run(report.load_error, (), cpu, wrote, idle)
        if report.load_error is not None:
            why = f"not run: the program did not load again ({report.load_error})"
            break
        outcomes += report.outcomes
        if len(outcomes) == len(calls) or spent:
            break
        if wrote >= limits.output_bytes:
            why = "not run: the answers before it are too large"
            break
    missing = [CallOutcome("timeout", detail=why)] * (len(calls) - len(outcomes))
    return Run(None, (*outcomes, *missing), cpu, wrote, idle)


def _task(execution: Execution, runtime: PythonRuntime) -> dict[str, Any]:
    """What the driver is told at first."""
    return {
        "program": execution.program, "entry_point": execution.entry_point, "paths": [str(runtime.site_packages)],
        "watching": execution.watching, "each": False, "lenient": execution.lenient,
        "grace": _LINE_GRACE if execution.lenient else 1.0, "exact": execution.exact,
        "load": execution.limits.cpu_seconds,
    }


def _ran(told: bytes, held: bytes, machine: Machine, limits: Limits, surroundings: Surroundings) -> Outcome:
    """One process of the driver on what it is told at once, and behind its first line: a fork of a warm one where there
    is one of such surroundings."""
    runtime = python_of(machine.runtime)
    if machine.servers is None or surroundings != USUAL:
        return machine.sandbox.run(_program(told, runtime, surroundings, held), limits)
    start = f"import python_driver; python_driver.main({str(_kit(runtime))!r})"
    with machine.servers.one() as server:
        return server.run(Job(start, told, held), limits)


@contextmanager
def warmed(machine: Machine, modules: Iterable[str]) -> Iterator[Machine]:
    """The machine with warm processes that have imported the modules; as it is where it can't have any."""
    if not isinstance(machine.sandbox, Warming):
        yield machine
        return
    runtime = python_of(machine.runtime)
    paths = [str(runtime.site_packages)]
    prepare = _PREPARE.format(paths=paths, modules=sorted(modules))
    tried = _TRIED.format(paths=paths, modules=_modules(runtime.site_packages))
    servers = Servers(partial(_warm, machine.sandbox, _serving(runtime), prepare, tried))
    try:
        with servers.one():
            pass
    except SandboxFailed:
        servers.close()
        yield machine
        return
    try:
        yield replace(machine, servers=servers)
    finally:
        servers.close()


def _warm(sandbox: Warming, program: Program, prepare: str, tried: str) -> WarmServer:
    """A warm process in which the job `tried` has been done."""
    server = sandbox.warm(program, prepare)
    try:
        outcome = server.run(Job(tried), Limits())
    except SandboxFailed:
        server.close()
        raise
    if outcome.ending is not Ending.EXITED or outcome.code:
        server.close()
        raise SandboxFailed(f"a fork of the warm process does not work: {outcome.stderr.decode('utf-8', 'replace')}")
    return server


def _modules(folder: Path) -> list[str]:
    """The modules that lie in a folder."""
    packages = [path.parent.name for path in folder.glob("*/__init__.py")]
    return sorted([*packages, *(path.stem for path in folder.glob("*.py"))])


def imported(programs: Iterable[str]) -> set[str]:
    """The modules that programs import anywhere, by their full names."""
    found: set[str] = set()
    for program in programs:
        for node in ast.walk(ast.parse(program)):
            if isinstance(node, ast.Import):
                found.update(alias.name for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module)
    return found


def run_variants(batch: Batch, machine: Machine) -> list[Run]:
    """Make calls of programs by one author, each in a fork of one warm process; raises `SandboxFailed`.

    To share a fork costs a tenth, but what one program leaves behind in a library meets the next. The process imports
    the modules of `preload` first. A program ends with the first call that hangs or crashes: the calls after it have no
    outcome. One that brings down the process counts as crashed.
    """
    programs, calls, limits, runtime = batch.programs, batch.calls, batch.limits, python_of(machine.runtime)
    task = {
        "entry_point": batch.entry_point, "paths": [str(runtime.site_packages)], "preload": list(batch.preload),
        "cpu": math.ceil(limits.cpu_seconds), "wall": limits.wall_seconds, "memory": limits.memory_bytes,
        "output": limits.output_bytes, "each": True,
    }
    every = list(batch.places) or [range(len(calls))] * len(programs)
    sizes = list(batch.together) or [1] * len(programs)
    runs: list[Run] = []
    while len(runs) < len(programs):
        rest, chosen = list(programs[len(runs) :]), [list(one) for one in every[len(runs) :]]
        most = replace(
            limits, cpu_seconds=len(rest) * limits.cpu_seconds + _STARTING,
            wall_seconds=len(rest) * limits.wall_seconds + _STARTING, memory_bytes=2 * limits.memory_bytes,
            output_bytes=_VARIANTS_OUTPUT * limits.output_bytes,
        )
        told = {**task, "programs": rest, "places": chosen, "together": sizes}
        document = _line(told)[:-2] + b"," + _inputs(calls)[1:] + b"\n"
        outcome = machine.sandbox.run(_program(document, runtime, USUAL), most)
        lines = outcome.stdout.split(b"\n")[:-1]
        made = [_variant(parse_line(line), [calls[n] for n in one]) for line, one in zip(lines, chosen, strict=False)]
        if not made and outcome.stderr:
            raise SandboxFailed("the driver failed: " + outcome.stderr.decode("utf-8", "replace").splitlines()[-1])
        runs += made[: len(rest)] or [Run(None, (ended(outcome),), outcome.cpu_seconds)]
        sizes = [1] * (len(programs) - len(runs))
    return runs


def _variant(line: dict[str, Any], calls: Sequence[Call]) -> Run:
    """What one of several programs has reported; its fork is told from a process of its own by nothing else."""
    code, wrote = line.get("code"), line.get("wrote")
    if type(code) is not int or not isinstance(wrote, str):
        return Run(None, (CallOutcome("crashed", None, "it wrote into the driver's channel"),), 0.0)
    ending = Ending.EXITED if code >= 0 else Ending.CPU_LIMIT if -code in _OUT_OF_TIME else Ending.SIGNALLED
    report = read(Outcome(ending, abs(code), wrote.encode(), b"", 0.0), calls)
    return Run(report.load_error, report.outcomes, seconds_of(line))


def as_told(call: Call) -> bytes:
    """A call as the driver reads it; the last item says that JSON stands for itself in all of the arguments."""
    text = canonical([call.args, list(call.kwargs.items())])
    return f"{text[:-1]},{'false' if _TAGGED in text else 'true'}]".encode()


def as_reported(answer: Answer, watching: bool) -> bytes:
    """An answer as the driver reports it, without what differs from run to run."""
    if answer.kind == "raised":
        fields = {"status": "raised", "exception": answer.exception, "message": answer.message}
    else:
        fields = {"status": "returned", "value": answer.value}
    if watching and answer.mutated is not None:
        fields["mutated"] = answer.mutated
    return canonical(fields)[1:].encode()


def _line(task: dict[str, Any]) -> bytes:
    return _written(task).encode() + b"\n"


def _inputs(calls: Sequence[Call]) -> bytes:
    """What the driver is told of the calls."""
    seconds = _written([call.cpu_seconds for call in calls])
    texts = b",".join([call.told or as_told(call) for call in calls])
    return f'{{"seconds":{seconds},"calls":['.encode() + texts + b"]}"


def _program(told: bytes, runtime: PythonRuntime, surroundings: Surroundings, held: bytes = b"") -> Program:
    """The driver on what it is told, at once and behind its first line."""
    kit = _kit(runtime)
    start = f"import sys; sys.path.insert(0, {str(kit)!r}); import python_driver; python_driver.main({str(kit)!r})"
    return replace(_started(start, runtime, surroundings, told), held=held)


def _serving(runtime: PythonRuntime) -> Program:
    """The warm process, before it is told on which socket to serve."""
    start = f"import sys; sys.path.insert(0, {str(_kit(runtime))!r}); import python_server; "
    return _started(start + "python_server.main(int(sys.argv[1]))", runtime, USUAL, b"")


def _started(start: str, runtime: PythonRuntime, surroundings: Surroundings, stdin: bytes) -> Program:
    """An interpreter. Its environment is all ours, so `-I`, which would drop the hash seed, is not needed."""
    environment = {
        **dict(runtime.environment), "PYTHONHASHSEED": str(surroundings.hash_seed),
        "TZ": surroundings.time_zone, "LC_ALL": surroundings.locale, "HOME": surroundings.folder,
    }
    return Program(
        (str(runtime.python), "-s", "-S", "-P", "-B", "-c", start), (*runtime.readable, _kit(runtime)), stdin,
        environment, surroundings.folder, runtime.hidden,
    )


@cache
def _kit(runtime: PythonRuntime) -> Path:
    """A folder with the driver and the codec, compiled for the runtime: all that the sandbox sees of the harness."""
    texts = {name: file.read_text("utf-8") for name, file in SHOWN.items()}

    def fill(folder: Path) -> None:
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")

    return made_once("drivers", runtime, [part for one in texts.items() for part in one], fill)
