"""Control groups: the kernel's own account of the memory that a run holds, its own part included. Never required."""

from __future__ import annotations

import atexit
import os
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from functools import cache
from itertools import count
from pathlib import Path
from threading import Lock

_NAME = "code2bench"
_USED = {"cgroup": "memory.usage_in_bytes", "cgroup2": "memory.current"}
"""What a group holds, by the kind of file system that shows it: the first version of control groups, and the second."""
_CACHES = ("active_file ", "inactive_file ", "slab_reclaimable ")
"""What the kernel takes back when it needs memory."""
_TRIES, _PAUSE = 50, 0.01
"""How often, and after how many seconds, a group is removed in which something is ending."""

_lock = Lock()
_idle: dict[int, list[Group]] = {}
_numbers = count()


class Group:
    """A group of processes, used by one run after the other, since the kernel is slow to forget a group."""

    def __init__(self, folder: Path, kind: str) -> None:
        self.folder, self.kind = folder, kind
        self.began = 0

    def begin(self) -> None:
        """What it holds just now, left by earlier runs, does not count."""
        self.began = self._used()

    def enter(self, pids: Iterable[int]) -> None:
        """Let processes belong to it, as far as they are still there."""
        for pid in pids:
            with suppress(OSError):
                (self.folder / "cgroup.procs").write_text(str(pid))

    def exceeds(self, most: int) -> bool:
        """Whether it holds more than so many bytes, besides what the kernel can take back at any time."""
        used = self._used()
        self.began = min(self.began, used)
        return used - self.began > most and used - self.began - self._caches() > most

    def _used(self) -> int:
        try:
            return int((self.folder / _USED[self.kind]).read_text())
        except (OSError, ValueError):
            return 0

    def _caches(self) -> int:
        try:
            lines = (self.folder / "memory.stat").read_text().splitlines()
        except OSError:
            return 0
        return sum(int(line.split()[1]) for line in lines if line.startswith(_CACHES))


def take() -> Group | None:
    """A group for a run, to be given back; None where there can be none."""
    with _lock:
        idle = _idle.setdefault(os.getpid(), [])
        group = idle.pop() if idle else _made()
    if group:
        group.begin()
    return group


def give(group: Group | None) -> None:
    """Give a group back, which nobody belongs to any more."""
    if group:
        with _lock:
            _idle.setdefault(os.getpid(), []).append(group)


def there_are() -> bool:
    """Whether there can be groups here."""
    with one() as group:
        return group is not None


@contextmanager
def one() -> Iterator[Group | None]:
    """A group for one run, as `take` gives it."""
    group = take()
    try:
        yield group
    finally:
        give(group)


@atexit.register
def close() -> None:
    """Remove what is in nobody's use, as soon as the last processes in it have ended."""
    with _lock:
        left = [group.folder for group in _idle.pop(os.getpid(), [])]
    for _ in range(_TRIES):
        left = [folder for folder in left if not _removed(folder)]
        if not left:
            break
        time.sleep(_PAUSE)


def _removed(folder: Path) -> bool:
    try:
        folder.rmdir()
    except OSError:
        return not folder.exists()
    return True


def _made() -> Group | None:
    for folder, kind in _places():
        made = folder / f"{_NAME}-{os.getpid()}-{next(_numbers)}"
        try:
            made.mkdir()
        except OSError:
            continue
        if (made / _USED[kind]).exists() and os.access(made / "cgroup.procs", os.W_OK):
            return Group(made, kind)
        _removed(made)
    return None


@cache
def _places() -> list[tuple[Path, str]]:
    """Where groups may be made, with the kind of the file system; what ended harnesses have left there is removed."""
    try:
        found = list(_found(Path("/proc/self/cgroup").read_text(), Path("/proc/self/mountinfo").read_text()))
    except OSError:
        return []
    for folder, _ in found:
        for old in folder.glob(f"{_NAME}-*-*"):
            if not Path("/proc", old.name.split("-")[1]).exists():
                _removed(old)
    return found


def _found(memberships: str, mounts: str) -> Iterable[tuple[Path, str]]:
    """Our own group for memory; in the second version, where that can't have others inside, the one around it."""
    for _, controllers, path in (line.split(":", 2) for line in memberships.splitlines()):
        kind = "cgroup2" if not controllers else "cgroup"
        if kind == "cgroup" and "memory" not in controllers.split(","):
            continue
        for root, point in _mounted(mounts, kind):
            own = Path(point) / path.removeprefix(root).lstrip("/")
            yield own, kind
            if kind == "cgroup2" and _unlimited(own):
                yield own.parent, kind


def _mounted(mounts: str, kind: str) -> Iterable[tuple[str, str]]:
    """The roots and mount points of the file systems that show groups for memory."""
    for before, after in (line.split(" - ", 1) for line in mounts.splitlines()):
        if after.split()[0] == kind and (kind == "cgroup2" or "memory" in after.split()[2].split(",")):
            root, point = before.split()[3:5]
            yield root.rstrip("/"), point


def _unlimited(folder: Path) -> bool:
    """Whether a group beside this one escapes no limit."""
    try:
        return (folder / "memory.max").read_text().strip() == "max"
    except OSError:
        return False
