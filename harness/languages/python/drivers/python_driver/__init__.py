"""Runs inside the sandbox: loads a program, calls it with each input, reports what came back. Holds no expected value.

A line of JSON comes in on stdin, and a second one with the inputs, once the program was loaded: it can't know them
before. JSON lines go out through a private duplicate of stdout: first how loading went, then one line per call,
gathered for as long as calls are fast. A line begins with what differs from run to run, so that the rest of two lines
can be compared as text. All that it does before the program is loaded is kept small, because it is paid for per run:
modules of C alone are imported, not those of Python around them.
"""

from __future__ import annotations

import _json
import builtins
import gc
import math
import os
import resource
import sys
import time
from _sitebuiltins import Quitter

from . import variants
from .calls import call
from .loading import Loading, load_error
from .reports import FILE, INPUT, Gathered, Report, written
from .timer import Timer

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from types import FrameType
    from typing import Any, NoReturn

_ROOM = sys.getrecursionlimit()
"""How deep a program may call, counted from where it is loaded: what has started the driver takes nothing of it."""
_GATHERING = 0.05
"""Seconds for which lines are gathered at most."""
_OWN = tuple(name for name in sys.modules if name.partition(".")[0] in ("values", __name__))
"""The modules beside the programs' own."""


def _hide() -> None:
    """Take the driver's own modules out of the program's way, and give it what `site` would have given."""
    for name in ("exit", "quit"):
        setattr(builtins, name, Quitter(name, "Ctrl-D"))
    for name in _OWN:
        sys.modules.pop(name, None)


class _Form:
    """How JSON is read: as `json.loads` reads it, which would have to be imported."""

    strict, object_hook, object_pairs_hook, parse_float, parse_int = True, None, None, float, int
    parse_constant = {"NaN": math.nan, "Infinity": math.inf, "-Infinity": -math.inf}.__getitem__


_scan: Callable[[str, int], tuple[Any, int]] = _json.make_scanner(_Form)  # type: ignore[arg-type]


def _line_in(whole: bool) -> Any:
    """The JSON that comes in next: a line of it, or the `whole` of what is left."""
    data = bytearray()
    os.set_blocking(INPUT, True)
    while part := os.read(INPUT, 1 << 20):
        data += part
        if not whole and part.endswith(b"\n"):
            break
    return _scan(data.decode(), 0)[0]


def main(folder: str) -> None:
    """Read the task, load the program, make the calls; with several programs, in forks of this process."""
    gc.disable()
    report = Report(each=True)
    task = _line_in(whole=False)
    report.each = task["each"]
    # What is read here stays until the end: no collection has to look at it.
    gc.freeze()
    gc.enable()
    sys.path.remove(folder)
    sys.path += task["paths"]
    sys.argv = [FILE]
    _hide()
    if "programs" in task:
        os.close(INPUT)
        variants.serve(task, report, run)
    run(task["program"], task["entry_point"], _calls_behind, report, task)
    os._exit(0)


def _calls_behind() -> tuple[list[Any], list[float]]:
    """The calls and their seconds, which come in when the program is loaded."""
    collecting = gc.isenabled()
    gc.disable()
    behind = _line_in(whole=True)
    os.close(INPUT)
    gc.freeze()
    if collecting:
        gc.enable()
    return behind["calls"], behind["seconds"]


_PLAIN_TASK: dict[str, Any] = {"watching": True, "lenient": False, "grace": 1.0, "exact": True, "load": 0.0}


def run(
    source: str, entry_point: str, inputs: Callable[[], tuple[list[Any], list[float]]], report: Report | Gathered,
    task: dict[str, Any] = _PLAIN_TASK,
) -> None:
    """Load a program and make the calls, each with its limit of CPU seconds."""
    timer, program = Timer(report, task["grace"], task["exact"]), Loading(source)

    def rest() -> None:
        timer.stop()
        try:
            function = program.entry(entry_point)
        except BaseException as error:
            report.line(written({"load_error": load_error(error, source)}))
            report.end()
            return
        program.error = None
        children = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu = max(time.process_time(), time.thread_time()) + children.ru_utime + children.ru_stime
        report.line(written({"load_error": None, "cpu": cpu}))
        # The calls come in, and their time is watched, from this line on.
        report.flush()
        calls, seconds = inputs()
        _make(function, calls, seconds, timer, report, task)

    def leave(frame: FrameType | None, unless: tuple[type, ...]) -> None:
        # What it is in never gets back the word: it may catch whatever is raised.
        if program.leave(frame, unless):
            timer.load(task["load"], leave)
            sys.setrecursionlimit(sys.getrecursionlimit() + depth())
            program.go_on()
            os._exit = _end_at_once
            rest()
            os._exit(0)

    sys.setrecursionlimit(_ROOM + depth())
    if task["lenient"]:
        timer.load(task["load"], leave)
    with _raising_exits(task["lenient"]):
        program.run(forgiving=task["lenient"])
    rest()


class _raising_exits:
    """While a program is loaded, its end at once is an exception like that of `sys.exit`, but in its children."""

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted

    def __enter__(self) -> None:
        own = os.getpid()

        def ends(status: int) -> NoReturn:
            if os.getpid() != own:
                _end_at_once(status)
            raise SystemExit(status)

        if self.wanted:
            os._exit = ends

    def __exit__(self, *_: object) -> None:
        os._exit = _end_at_once


_end_at_once = os._exit


def _make(
    function: Callable[..., Any], calls: list[Any], seconds: list[float], timer: Timer, report: Report | Gathered,
    task: dict[str, Any],
) -> None:
    """Make the calls and report each of them."""
    watching, lenient = task["watching"], task["lenient"]
    timer.stop()
    wrote = timer.began
    for raw, most in zip(calls, seconds, strict=True):
        timer.start(most)
        fields = call(function, raw, watching, lenient)
        spent = timer.stop()
        report.line(f'{{"cpu":{spent!r},{fields}}}' if spent else f"{{{fields}}}")
        if timer.began - wrote > _GATHERING:
            report.flush()
            wrote = timer.began
    report.end()


def depth() -> int:
    """How deep this process is in calls."""
    depth, frame = 0, sys._getframe().f_back
    while frame is not None:
        depth, frame = depth + 1, frame.f_back
    return depth
