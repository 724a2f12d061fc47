"""What a tree of processes uses, as seen from outside it, read from Linux's /proc."""

from __future__ import annotations

import os
from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

SOCKET_BYTES = 600 << 10
"""What a socket may hold at most: what it sends, as much as the kernel gives it, filters of its own, and itself."""


@dataclass(frozen=True)
class Usage:
    """What a process tree uses.

    CPU seconds (of the dead as well, once they were waited for), resident bytes with the tables that map them, pids;
    the seconds for which its threads have waited for a processor, and whether any of them computes or waits for one, or
    for a disk; where its namespaces are its own, how many files it has in a folder at most, and bytes that sockets may
    hold.
    """

    cpu_seconds: float
    memory_bytes: int
    pids: tuple[int, ...]
    delayed_seconds: float = 0.0
    runnable: bool = False
    files: int = 0
    socket_bytes: int = 0


def tree_usage(root: int) -> Usage:
    """The usage of a process and all of its descendants; what can't be read counts as nothing."""
    seconds, delayed, memory, runnable = 0.0, 0.0, 0, False
    pids: list[int] = []
    waiting = [root]
    while waiting:
        pid = waiting.pop()
        fields = _stat(f"/proc/{pid}")
        if fields is None:
            continue
        pids.append(pid)
        seconds += _seconds(fields)
        memory += int(fields[21]) * os.sysconf("SC_PAGE_SIZE") + _tables(pid)
        for thread in _threads(pid):
            delayed += _scheduled(thread)[1]
            own = _children(thread)
            runnable = runnable or wants_to_go_on((_stat(thread) or " ")[0], own)
            waiting.extend(own)
    return Usage(seconds, memory, tuple(pids), delayed, runnable)


def wants_to_go_on(state: str, own: list[int]) -> bool:
    """Whether a thread in a state computes, or waits for a processor or a disk, which others may keep busy.

    One that has lent its memory to a child until that ends is in the state of those that wait for a disk.
    """
    return state == "R" or (state == "D" and not own)


def together(parts: Iterable[Usage]) -> Usage:
    """The usage of several trees."""
    found = list(parts)
    return Usage(
        sum(one.cpu_seconds for one in found), sum(one.memory_bytes for one in found),
        tuple(pid for one in found for pid in one.pids), sum(one.delayed_seconds for one in found),
        any(one.runnable for one in found),
    )


def inside(usage: Usage, folders: Iterable[str] = ("/tmp",)) -> Usage:
    """The usage of a tree whose namespaces are its own, with what it has there, as its first process sees it."""
    if not usage.pids:
        return usage
    files = max(_files(usage.pids[0], folder) for folder in folders)
    return replace(usage, files=files, socket_bytes=SOCKET_BYTES * _sockets(usage.pids[0]))


def _files(pid: int, folder: str) -> int:
    """How many files there are in the file system of a folder; 0 where that is not told."""
    try:
        found = os.statvfs(f"/proc/{pid}/root{folder}")
    except OSError:
        return 0
    return found.f_files - found.f_ffree


def _sockets(pid: int) -> int:
    """How many sockets there are in the network namespace of a process; 0 where that is not told."""
    try:
        return int(Path(f"/proc/{pid}/net/sockstat").read_text().split()[2])
    except (OSError, ValueError, IndexError):
        return 0


def _tables(pid: int) -> int:
    """The bytes of the tables that map a process's memory, which may be many times what is mapped."""
    try:
        status = Path(f"/proc/{pid}/status").read_text("latin-1")
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in status.splitlines() if line.startswith("VmPTE:")), 0)


def computed(pid: int) -> float:
    """The CPU seconds of a process's first thread, exactly; 0 where the kernel does not tell."""
    return _scheduled(f"/proc/{pid}")[0]


def _scheduled(thread: str) -> tuple[float, float]:
    """The seconds for which a thread has computed, and waited for a processor; 0 where the kernel does not tell."""
    try:
        computing, waiting = Path(thread, "schedstat").read_text().split()[:2]
        return int(computing) / 1e9, int(waiting) / 1e9
    except (OSError, ValueError):
        return 0.0, 0.0


def held(pids: Iterable[int]) -> int:
    """The resident bytes of processes, with what several have in common divided among them; this takes time to read."""
    return sum(map(_held, pids))


def _held(pid: int) -> int:
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
        own = next(int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:"))
    except (OSError, StopIteration):
        # What can't be looked into has nothing in common with others.
        own = int((_stat(f"/proc/{pid}") or ["0"] * 22)[21]) * os.sysconf("SC_PAGE_SIZE")
    return own + _tables(pid)


def spent(pid: int) -> float:
    """The CPU seconds of one process and of the dead that it has waited for, 0 where it is gone."""
    return _seconds(_stat(f"/proc/{pid}") or ["0"] * 15)


def _seconds(fields: list[str]) -> float:
    return sum(int(fields[i]) for i in (11, 12, 13, 14)) / os.sysconf("SC_CLK_TCK")


def _stat(folder: str) -> list[str] | None:
    """The fields of `stat` of a process or thread, from the state on; the name before it may hold any character."""
    try:
        text = Path(folder, "stat").read_text("latin-1")
    except OSError:
        return None
    return text[text.rindex(")") + 2 :].split()


def _threads(pid: int) -> list[str]:
    """The folders of a process's threads; none where it is gone."""
    try:
        return [f"/proc/{pid}/task/{thread}" for thread in os.listdir(f"/proc/{pid}/task")]
    except OSError:
        return []


def _children(thread: str) -> list[int]:
    try:
        return [int(pid) for pid in Path(thread, "children").read_text().split()]
    except OSError:
        return []


def children(pid: int) -> list[int]:
    """The processes that a process has started and that have not been waited for; none where it is gone."""
    return [child for thread in _threads(pid) for child in _children(thread)]


def threads(pid: int) -> int:
    """How many threads a process has, 0 where it is gone."""
    return len(_threads(pid))
