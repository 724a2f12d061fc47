"""Runs inside the sandbox: several programs of one author, in forks of one process."""

from __future__ import annotations

import _signal as signal
import gc
import os
import resource
import select
import time
from _functools import partial

import values

from .reports import Gathered, written

TYPE_CHECKING = False
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any, NoReturn, TypeAlias

    from .reports import Report

    Inputs: TypeAlias = Callable[[], tuple[list[Any], list[float]]]
    Run: TypeAlias = Callable[[str, str, Inputs, Report | Gathered], None]

_LOOK = 0.1
"""Seconds between two looks at whether a fork that writes nothing has ended."""


def serve(task: dict[str, Any], report: Report, run: Run) -> NoReturn:
    """Run the programs in forks that can write to a pipe of their own only; hand on what they wrote, one line for each.

    The programs of a group share a fork. The one in which a group's fork dies runs again, alone; what comes after it
    is a group again.
    """
    for name in task["preload"]:
        try:
            __import__(name)
        except BaseException:
            # The program that needs it will say so.
            continue
    for raw in task["calls"]:
        try:
            values.decode([*raw[0], *(argument for _, argument in raw[1])])
        except values.NotDecodable:
            # What arguments need is imported here once, not in each fork; the calls will tell what can't be made.
            continue
    gc.freeze()
    programs = [(program, [task["calls"][place] for place in places], [task["seconds"][place] for place in places])
                for program, places in zip(task["programs"], task["places"], strict=True)]
    for size in task["together"]:
        group, programs = programs[:size], programs[size:]
        while group:
            wrote = _forked(group, task, report, run)[0].split(b"\n")[:-1] if len(group) > 1 else []
            for line in wrote[: len(group)]:
                report.raw(line + b"\n")
            group = group[len(wrote) :]
            if group:
                data, code, cpu = _forked([group.pop(0)], task, report, run)
                report.line(written({"wrote": data.decode("utf-8", "replace"), "code": code, "cpu": cpu}))
    os._exit(0)


def _both(calls: list[Any], seconds: list[float]) -> tuple[list[Any], list[float]]:
    """Inputs that are there already."""
    return calls, seconds


def _forked(
    programs: list[tuple[str, list[Any], list[float]]], task: dict[str, Any], report: Report, run: Run
) -> tuple[bytes, int, float]:
    """Run programs in one fork: what it wrote, how it ended and its CPU seconds."""
    read, write = os.pipe()
    child = os.fork()
    if not child:
        try:
            os.setsid()
            os.close(read)
            os.dup2(write, report.descriptor)
            os.close(write)
            most = len(programs) * task["cpu"]
            resource.setrlimit(resource.RLIMIT_CPU, (most, most))
            resource.setrlimit(resource.RLIMIT_AS, (task["memory"], task["memory"]))
            for program, calls, seconds in programs:
                into = Gathered(report) if len(programs) > 1 else report
                run(program, task["entry_point"], partial(_both, calls, seconds), into)
            os._exit(0)
        finally:
            os._exit(1)
    os.close(write)
    data = _collected(read, child, len(programs) * task["wall"], len(programs) * task["output"])
    _end(child)
    _, status, usage = os.wait4(child, 0)
    return data, os.waitstatus_to_exitcode(status), usage.ru_utime + usage.ru_stime


def _collected(read: int, child: int, wall: float, most: int) -> bytes:
    """What a fork writes until it ends, or until it has had all of its time or output; it is not waited for yet."""
    data, deadline, ended = bytearray(), time.monotonic() + wall, False
    while len(data) < most and time.monotonic() < deadline:
        if select.select([read], [], [], 0 if ended else _LOOK)[0]:
            part = os.read(read, 1 << 16)
            if not part:
                break
            data += part
        elif ended:
            # What it has left behind keeps the pipe open.
            break
        else:
            ended = os.waitid(os.P_PID, child, os.WEXITED | os.WNOHANG | os.WNOWAIT) is not None
    os.close(read)
    return bytes(data)


def _end(child: int) -> None:
    """End a fork and what it has started, as far as that has not left its group."""
    try:
        os.killpg(child, signal.SIGKILL)
    except OSError:
        os.kill(child, signal.SIGKILL)
