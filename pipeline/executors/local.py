"""Processes on this machine."""

from __future__ import annotations

import ctypes
import gc
import os
import signal
import sys
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import FIRST_COMPLETED, Future, ProcessPoolExecutor, wait
from dataclasses import dataclass, field
from itertools import islice
from multiprocessing import get_context
from typing import Any, Self, TypeVar

Job = TypeVar("Job")
Result = TypeVar("Result")

_PR_SET_PDEATHSIG = 1
_YOUNG = 50_000
"""New objects after which the collector looks for circles: stages keep syntax and graphs, which hold hardly any, and at
Python's own 700 a quarter of their time went there."""


def _start_worker(parent: int) -> None:
    """Leave Ctrl-C to the parent, and die with it, even when it is killed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    if sys.platform == "linux":
        ctypes.CDLL(None, use_errno=True).prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
    if os.getppid() != parent:
        os._exit(1)
    gc.set_threshold(_YOUNG, *gc.get_threshold()[1:])


@dataclass
class LocalExecutor:
    """Runs jobs in `workers` processes (0: one per core that this process may use), in this one when it is 1.

    Used as a context, it keeps its processes from one call to the next: a start takes seconds, for all their imports.
    """

    workers: int = 0
    _kept: ProcessPoolExecutor | None = field(default=None, repr=False)

    def __enter__(self) -> Self:
        self._kept = self._pool() if self._count() > 1 else None
        return self

    def __exit__(self, *_: object) -> None:
        if self._kept is not None:
            self._kept.shutdown()
            self._kept = None

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Run the function on each job, two jobs per worker under way."""
        if self._count() == 1:
            yield from map(function, jobs)
            return
        pool = self._kept or self._pool()
        try:
            yield from _drain(pool, function, iter(jobs), 2 * self._count())
        except BaseException:
            _kill(pool)
            raise
        if pool is not self._kept:
            pool.shutdown()

    def _count(self) -> int:
        return self.workers or len(os.sched_getaffinity(0))

    def _pool(self) -> ProcessPoolExecutor:
        return ProcessPoolExecutor(self._count(), get_context("spawn"), _start_worker, (os.getpid(),))


def _drain(
    pool: ProcessPoolExecutor, function: Callable[[Job], Result], jobs: Iterator[Job], most: int
) -> Iterator[Result]:
    pending: set[Future[Any]] = set()
    while True:
        pending |= {pool.submit(function, job) for job in islice(jobs, most - len(pending))}
        if not pending:
            return
        done, pending = wait(pending, return_when=FIRST_COMPLETED)
        for future in done:
            yield future.result()


def _kill(pool: ProcessPoolExecutor) -> None:
    """End the workers at once: what they had in hand is done again by the next run."""
    for process in list(getattr(pool, "_processes", {}).values()):
        process.kill()
    pool.shutdown(wait=False, cancel_futures=True)
