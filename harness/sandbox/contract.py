"""What a sandbox is: a `Program` under `Limits` gives an `Outcome`."""

from __future__ import annotations

import math
import signal
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path
from threading import Event
from typing import Protocol

from harness.ulimits import lowered, within

SCRATCH_BYTES = 64 * 1024**2
"""What a program may write to its private folders."""
SCRATCH_FILES = 1 << 16
"""How many files and folders it may have there, each of which takes memory though it be empty."""


@dataclass(frozen=True)
class Program:
    """A command that runs inside the sandbox.

    `argv[0]` is an interpreter on the host; `readable` are the host's files and folders that it sees, read-only, under
    their own paths, besides the system's libraries; `hidden` are folders inside those that it sees empty; `stdin` is
    all that it is told, with `held` behind it once it has written a line; `environment` is all of its environment;
    `folder` is the working directory inside the sandbox (made, empty, writable, private).
    """

    argv: tuple[str, ...]
    readable: tuple[Path, ...] = ()
    stdin: bytes = b""
    environment: dict[str, str] = field(default_factory=dict)
    folder: str = "/tmp"
    hidden: tuple[Path, ...] = ()
    held: bytes = b""


@dataclass(frozen=True)
class Limits:
    """What a program may use; seconds, bytes, counts. The whole process tree is killed at the first that is reached.

    `cpu_seconds` and `memory_bytes` count for the tree and for each of its processes, whose own allocations beyond
    `memory_bytes` fail first; `output_bytes` counts stdout and stderr together, `file_bytes` each file.
    `idle_seconds` are those in which nothing of the tree computes or waits for a processor or a disk.
    `line_seconds` are CPU seconds from line to line of stdout, the time before its first line left out; a line may be
    somewhat late, one of them `line_grace` times as late, and what sleeps has many times as long. What runs ends as
    soon as `stop` is set.
    """

    cpu_seconds: float = 10.0
    wall_seconds: float = 60.0
    memory_bytes: int = 2 * 1024**3
    output_bytes: int = 64 * 1024**2
    file_bytes: int = SCRATCH_BYTES
    processes: int = 64
    line_seconds: tuple[float, ...] = ()
    line_grace: float = 1.0
    idle_seconds: float = math.inf
    stop: Event | None = field(default=None, compare=False, repr=False)


class Ending(StrEnum):
    """How a program ended."""

    EXITED = "exited"
    SIGNALLED = "signalled"
    CPU_LIMIT = "cpu_limit"
    WALL_LIMIT = "wall_limit"
    OUTPUT_LIMIT = "output_limit"
    MEMORY_LIMIT = "memory_limit"
    PROCESS_LIMIT = "process_limit"


@dataclass(frozen=True)
class Outcome:
    """What a program left behind. `code` is the exit code or the signal's number.

    `cpu_seconds` is that of the whole tree, `idle_seconds` as in `Limits`. `readings` are numbers of lines of stdout,
    each with the CPU seconds of the tree when there were so many for the first time that it was looked at.
    """

    ending: Ending
    code: int
    stdout: bytes
    stderr: bytes
    wall_seconds: float
    cpu_seconds: float = 0.0
    idle_seconds: float = 0.0
    readings: tuple[tuple[int, float], ...] = ()


class Sandbox(Protocol):
    """One way of isolating a program."""

    @property
    def name(self) -> str:
        """What it is called in results."""
        ...

    @property
    def isolation(self) -> str:
        """What protects the host, in words."""
        ...

    def run(self, program: Program, limits: Limits) -> Outcome:
        """Run the program to its end; raises `SandboxFailed` where the sandbox itself failed."""
        ...


def bounds_of(limits: Limits) -> dict[str, int]:
    """The limits on each process, by their names in `resource`; the whole-second CPU limit is only a second net.

    None is above what is set for this process, which nothing inside a sandbox could raise.
    """
    return within(_wanted(limits))


def lowered_of(limits: Limits) -> str:
    """Which of these limits are lower in truth, because of what is set for this process; "" where none is."""
    return lowered(_wanted(limits))


def _wanted(limits: Limits) -> dict[str, int]:
    return {
        "NPROC": limits.processes, "AS": limits.memory_bytes, "FSIZE": limits.file_bytes, "NOFILE": 256, "CORE": 0,
        "CPU": math.ceil(limits.cpu_seconds) + 1,
    }


def how_it_ended(code: int) -> tuple[Ending, int]:
    """The ending behind an exit code, which is negative for a signal."""
    if code >= 0:
        return Ending.EXITED, code
    return (Ending.CPU_LIMIT, 0) if -code == signal.SIGXCPU else (Ending.SIGNALLED, -code)


def how_shells_say_it(code: int) -> tuple[Ending, int]:
    """The ending behind an exit code in which a signal is 128 and its number, as shells and bwrap give it."""
    return how_it_ended(128 - code if code - 128 in {int(one) for one in signal.Signals} else code)
