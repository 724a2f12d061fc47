"""How much memory calls of a candidate may take inside the worker, and that its own work may take more."""

from __future__ import annotations

import mmap
import resource

HEADROOM = 320 * 1024**2
"""How many bytes the calls of a candidate may take together, besides what is loaded already."""


def limit(most: int) -> None:
    """Leave the process `HEADROOM` above what it has, and `most` bytes at most.

    A call that asks for more fails at once, on each machine. To fill some gigabytes would take about the time that one
    call may take, so that the clock would decide; and there is no /proc here that tells how much the process has.
    """
    low, high = 0, most
    while high - low > HEADROOM // 16:
        middle = (low + high) // 2
        resource.setrlimit(resource.RLIMIT_AS, (middle, most))
        try:
            mmap.mmap(-1, HEADROOM, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS).close()
        except OSError:
            low = middle
        else:
            high = middle
    resource.setrlimit(resource.RLIMIT_AS, (high, most))


def lift() -> None:
    """Let what follows have all that the process may have: the candidate's calls are over."""
    most = resource.getrlimit(resource.RLIMIT_AS)[1]
    resource.setrlimit(resource.RLIMIT_AS, (most, most))
