"""What a tree of processes uses, as seen from outside it, read from Linux's /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True)
class Usage:
    """CPU seconds (of the dead as well, once they were waited for), resident bytes and pids of a process tree."""

    cpu_seconds: float
    memory_bytes: int
    pids: tuple[int, ...]


def tree_usage(root: int) -> Usage:
    """The usage of a process and all of its descendants; what can't be read counts as nothing."""
    seconds, pages = 0.0, 0
    pids: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        fields = _stat(pid)
        if fields is None:
            continue
        pids.append(pid)
        seconds += _seconds(fields)
        pages += int(fields[21])
        waiting.extend(children(pid))
    return Usage(seconds, pages * os.sysconf("SC_PAGE_SIZE"), tuple(pids))


def held(pids: Iterable[int]) -> int:
    """The resident bytes of processes, with what several have in common divided among them; this takes time to read."""
    return sum(map(_held, pids))


def _held(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        # What can't be looked into has nothing in common with others.
        return int((_stat(pid) or ["0"] * 22)[21]) * os.sysconf("SC_PAGE_SIZE")


def spent(pid: int) -> float:
    """The CPU seconds of one process and of the dead that it has waited for, 0 where it is gone."""
    return _seconds(_stat(pid) or ["0"] * 15)


def _seconds(fields: list[str]) -> float:
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")


def _stat(pid: int) -> list[str] | None:
    """The fields of /proc/PID/stat from the state on; the name before it may hold any character."""
    try:
        text = Path(f"/proc/{pid}/stat").read_text("latin-1")
    except OSError:
        return None
    return text[text.rindex(")") + 2 :].split()


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not been waited for; none where it is gone."""
    found: list[int] = []
    try:
        for thread in os.listdir(f"/proc/{pid}/task"):
            found += map(int, Path(f"/proc/{pid}/task/{thread}/children").read_text().split())
    except OSError:
        pass
    return found


def threads(pid: int) -> int:
    """How many threads a process has, 0 where it is gone."""
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0
