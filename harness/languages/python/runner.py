"""Running Python: calls of a function in a fresh, sandboxed interpreter of the release's runtime."""

from __future__ import annotations

import ast
import json
import math
import re
import signal
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from functools import cache, partial
from itertools import accumulate, pairwise
from pathlib import Path
from typing import Any

from harness import values
from harness.errors import SandboxFailed
from harness.languages import USUAL, Batch, Call, CallOutcome, Execution, LoadError, Machine, Run, Surroundings
from harness.languages.python.kits import made_once
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

_AROUND, _PER_BYTE = 0.05, 3e-8
"""CPU seconds that the processes around a program take, and that it takes to read a byte of the inputs."""
_LINE_GRACE = 2.0
"""How many times its time one call of an answer may take before its process ends: it may build what others use."""
_HIDDEN, _HIDDEN_SECONDS = 1.1, 0.2
"""How many times its seconds a call may take, and how many more, by what is seen from outside."""
_LONG, _LONG_FACTOR = 1 << 20, 16
"""Bytes of a line that are always read, and how many times as many as in that of the known answer."""

_LOAD_ERROR = 2000
"""Characters of what is said about a program that does not load; the driver says less, a forged line may say more."""

_DRIVERS = Path(__file__).parent / "drivers"
_CODEC = tuple(Path(str(module.__file__)) for module in (values, codec, *values.FAMILIES))
_FILES = {
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
_AT_ONCE = CallOutcome("known")
_BEFORE = re.compile(rb'\{(?:"cpu":([\d.e-]+),)?(?:"where":"[^"]*",)?(?:"is":\[[^\]]*\],)?')
"""What a line holds before the fields that are the same in each run."""

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
        report = _read(outcome, rest)
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
        made = [_variant(_parse(line), [calls[n] for n in one]) for line, one in zip(lines, chosen, strict=False)]
        if not made and outcome.stderr:
            raise SandboxFailed("the driver failed: " + outcome.stderr.decode("utf-8", "replace").splitlines()[-1])
        runs += made[: len(rest)] or [Run(None, (_ended(outcome),), outcome.cpu_seconds)]
        sizes = [1] * (len(programs) - len(runs))
    return runs


def _variant(line: dict[str, Any], calls: Sequence[Call]) -> Run:
    """What one of several programs has reported; its fork is told from a process of its own by nothing else."""
    code, wrote = line.get("code"), line.get("wrote")
    if type(code) is not int or not isinstance(wrote, str):
        return Run(None, (CallOutcome("crashed", None, "it wrote into the driver's channel"),), 0.0)
    ending = Ending.EXITED if code >= 0 else Ending.CPU_LIMIT if -code in _OUT_OF_TIME else Ending.SIGNALLED
    report = _read(Outcome(ending, abs(code), wrote.encode(), b"", 0.0), calls)
    return Run(report.load_error, report.outcomes, _seconds(line))


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
    texts = {name: file.read_text("utf-8") for name, file in _FILES.items()}

    def fill(folder: Path) -> None:
        for name, text in texts.items():
            (folder / name).parent.mkdir(exist_ok=True)
            (folder / name).write_text(text, "utf-8")

    return made_once("drivers", runtime, [part for one in texts.items() for part in one], fill)


@dataclass(frozen=True)
class _Report:
    """What one process has reported; `cut_short` says that its end is no report of its own but how it ended."""

    load_error: LoadError | None
    outcomes: tuple[CallOutcome, ...] = ()
    cpu_seconds: float = 0.0
    cut_short: bool = False


def _read(outcome: Outcome, calls: Sequence[Call]) -> _Report:
    """What the driver has reported, up to the call that ended it; nothing in it is taken on trust."""
    lines = outcome.stdout.split(b"\n")[:-1]
    if not lines:
        if outcome.stderr:
            raise SandboxFailed("the driver failed: " + outcome.stderr.decode("utf-8", "replace").splitlines()[-1])
        return _Report(LoadError(f"{_ended(outcome).detail} while it was loaded"))
    loaded = _parse(lines[0])
    if loaded.get("load_error", "") is not None:
        error = loaded.get("load_error", "it wrote into the driver's channel while it was loaded")
        return _Report(_load_error(str(error)))
    found = _without_hidden(_outcomes(lines[1 : 1 + len(calls)], calls), _seconds(loaded), outcome, calls)
    cut_short = len(found) < len(calls) and not (found and found[-1].status == "timeout")
    if cut_short:
        found.append(_ended(outcome))
    return _Report(None, tuple(found), _seconds(loaded) + sum(one.cpu_seconds for one in found), cut_short)


def _load_error(text: str) -> LoadError:
    """What the driver says of loading: `SyntaxError` comes first exactly where the text can't be compiled."""
    return LoadError(text[:_LOAD_ERROR], text.startswith("SyntaxError"))


def _without_hidden(
    found: list[CallOutcome], loading: float, outcome: Outcome, calls: Sequence[Call]
) -> list[CallOutcome]:
    """The outcomes, those late of which the program has hidden the time: it may have stopped the driver's clocks.

    What was used beyond what was told, whenever it was looked at, is what goes on just then, or it stays: what stays is
    laid to the calls that were reported meanwhile. Loading, and the processes around the program, come before them.
    """
    told = [0.0, loading + _PER_BYTE * sum(len(call.told) for call in calls), *(one.cpu_seconds for one in found)]
    ends = [(lines, cpu) for lines, cpu in outcome.readings if 0 < lines < len(told)]
    told = list(accumulate(told))
    untold = [cpu - told[lines] for lines, cpu in ends]
    if outcome.ending in (Ending.EXITED, Ending.SIGNALLED) and ends:
        untold.append(outcome.cpu_seconds - told[-1])
        ends.append((len(told) - 1, outcome.cpu_seconds))
    stays = list(accumulate(reversed(untold), min))[::-1]
    # The first look may come when a call has used some time already.
    stays[:1] = [min(one, _AROUND) for one in stays[:1]]
    for (before, first), (after, last) in pairwise(zip([lines for lines, _ in ends], stays, strict=True)):
        for place in range(before - 1, after - 1):
            late = found[place].cpu_seconds + last - first > _HIDDEN * calls[place].cpu_seconds + _HIDDEN_SECONDS
            if late and found[place].status != "timeout":
                found[place] = CallOutcome("timeout", None, "CPU time, of which less was told")
    return found


def _outcomes(lines: Sequence[bytes], calls: Sequence[Call]) -> list[CallOutcome]:
    """The outcomes in lines, of the first ones of the calls; those that say what is known are not parsed.

    Nor are those that are far longer: an answer of so many bytes takes many times as many here.
    """
    found = [_known(line, call.known) or _too_long(line, call.known) for line, call in zip(lines, calls, strict=False)]
    others = iter(_parsed([line for line, one in zip(lines, found, strict=True) if one is None]))
    return [one or _outcome(next(others)) for one in found]


def _too_long(line: bytes, known: bytes) -> CallOutcome | None:
    if not known or len(line) <= max(_LONG, _LONG_FACTOR * len(known)):
        return None
    detail = f"its value takes {len(line)} bytes to write down, that of the reference {len(known)}"
    return CallOutcome("unencodable", None, detail, "", _told_first(_BEFORE.match(line)))


def _known(line: bytes, known: bytes) -> CallOutcome | None:
    """The outcome in a line that says what is known, None for any other line; calls of no time don't tell it."""
    if not known or not line.endswith(known):
        return None
    if len(line) == len(known) + 1:
        return _AT_ONCE
    before = _BEFORE.fullmatch(line, 0, len(line) - len(known))
    return CallOutcome("known", None, "", "", _told_first(before)) if before is not None else None


def _told_first(before: re.Match[bytes] | None) -> float:
    """The CPU seconds that stand at the beginning of a line, 0 where none do."""
    try:
        return _bounded(float(before[1] or 0.0)) if before is not None else 0.0
    except ValueError:
        return 0.0


def _seconds(line: dict[str, Any]) -> float:
    cpu = line.get("cpu")
    return _bounded(cpu) if type(cpu) is float else 0.0


def _bounded(seconds: float) -> float:
    return seconds if 0 <= seconds < 1e9 else 0.0


def _parsed(lines: Sequence[bytes]) -> list[dict[str, Any]]:
    """The objects in lines; all at once, unless some of them hold what only a program can have written."""
    try:
        found = json.loads(b"[" + b",".join(lines) + b"]") if sum(map(len, lines)) < _LONG else []
    except (ValueError, RecursionError):
        found = []
    if len(found) == len(lines) and all(type(one) is dict for one in found):
        return list(found)
    return [_parse(line) for line in lines]


def _parse(line: bytes) -> dict[str, Any]:
    try:
        data = json.loads(line)
    except (ValueError, RecursionError):
        return {}
    return data if isinstance(data, dict) else {}


def _outcome(line: dict[str, Any]) -> CallOutcome:
    """The outcome in a line; a line that is none counts as a crash, since only the program can have forged it."""
    status, detail, where = (_text(line, key) for key in ("status", "detail", "where"))
    cpu, mutated = _seconds(line), line.get("mutated")
    if status == "returned" and "value" in line:
        return CallOutcome(status, Answer("returned", line["value"], mutated=mutated), detail, where, cpu)
    if status == "raised":
        answer = Answer("raised", exception=_text(line, "exception"), message=_text(line, "message"), mutated=mutated)
        bases = line.get("is")
        also = tuple(one for one in bases if isinstance(one, str)) if isinstance(bases, list) else ()
        return CallOutcome(status, answer, detail, where, cpu, also)
    if status in ("timeout", "crashed", "unencodable"):
        return CallOutcome(status, None, detail, where, cpu)
    return CallOutcome("crashed", None, "it wrote into the driver's channel")


def _text(line: dict[str, Any], key: str) -> str:
    value = line.get(key, "")
    return value[:1000] if isinstance(value, str) else ""


def _ended(outcome: Outcome) -> CallOutcome:
    """The outcome of the call in which the process ended."""
    if outcome.ending in (Ending.CPU_LIMIT, Ending.WALL_LIMIT):
        return CallOutcome("timeout", None, "CPU time" if outcome.ending is Ending.CPU_LIMIT else "wall time")
    how = {
        Ending.EXITED: f"the process ended with exit code {outcome.code}",
        Ending.SIGNALLED: f"the process was ended by signal {outcome.code}",
        Ending.OUTPUT_LIMIT: "the answers are too large",
        Ending.MEMORY_LIMIT: "the process used too much memory",
        Ending.PROCESS_LIMIT: "the process started too many others",
    }
    return CallOutcome("crashed", None, how[outcome.ending])
