"""The machines of a Ray cluster, or a Ray that is started on this one.

The build's folder and the data folder lie on a file system that all machines share, under the same paths; the build's
may be an address instead. The cache, with the runtime in it, may be shared or each machine's own, at the same path.
"""

from __future__ import annotations

import logging
import os
import platform
import socket
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from functools import cache, partial
from importlib.metadata import requires, version
from itertools import islice
from pathlib import Path
from typing import Any, Self, TypeVar

import ray
from packaging.requirements import Requirement
from ray.exceptions import RayError, RayTaskError

from harness.errors import UserError
from harness.records import digest

Job = TypeVar("Job")
Result = TypeVar("Result")

_TRIES = 4
_NO_CLUSTER = "No Ray cluster answers at {address}: start it with `ray start --head`, or correct or unset RAY_ADDRESS."


@dataclass(frozen=True)
class RayExecutor:
    """Runs jobs on the cluster at RAY_ADDRESS, or on this machine's cores; at most `workers` at once (0: all CPUs)."""

    workers: int = 0

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Nothing: Ray itself keeps its workers."""

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Run the function on each job, two jobs per CPU under way; a job whose worker or node dies is run again."""
        _connect(self.workers)
        start = partial(ray.remote(num_cpus=1, max_retries=0)(_run).remote, _Driver.this(), function)
        rest = iter(jobs)
        tries: dict[Any, tuple[Job, int]] = {}
        try:
            while True:
                tries |= {start(job): (job, 1) for job in islice(rest, max(0, self._most() - len(tries)))}
                if not tries:
                    return
                [done], _ = ray.wait(list(tries))
                job, count = tries.pop(done)
                try:
                    result = _result(done)
                except RayError as error:
                    _give_up(error, count)
                    tries[start(job)] = (job, count + 1)
                else:
                    yield result
        except BaseException:
            _cancel(tries)
            raise

    def _most(self) -> int:
        """How many jobs may be under way; a cluster can grow and shrink."""
        return self.workers or max(1, 2 * int(ray.cluster_resources().get("CPU", 0)))


def _connect(workers: int) -> None:
    if ray.is_initialized():
        return
    address = os.environ.get("RAY_ADDRESS") or "local"
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    _check_address(address)
    cores = workers or len(os.sched_getaffinity(0)) if address == "local" else None
    try:
        ray.init(address, num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level=logging.ERROR)
    except ConnectionError as error:
        raise UserError(_NO_CLUSTER.format(address=address)) from error
    # Ray has no setting against its paragraphs on lost workers, which it prints between the lines of `--json`.
    ray._private.worker.print_to_stdstream = lambda *_, **__: None


def _check_address(address: str) -> None:
    """Refuse an address that nobody listens at, where Ray itself tries for minutes."""
    host, _, port = address.rpartition(":")
    if "/" in host or not port.isdigit():
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=20).close()
    except OSError as error:
        raise UserError(_NO_CLUSTER.format(address=address)) from error


def _result(done: Any) -> Any:
    """What the function gave, or the exception that it raised: a `RayError` says that it did not get that far."""
    try:
        return ray.get(done)
    except RayTaskError as error:
        raise error.cause from error


def _give_up(error: RayError, count: int) -> None:
    if count == _TRIES:
        raise UserError(
            f"A job lost its worker {_TRIES} times ({type(error).__name__}): look at the memory and the state of the "
            "cluster's nodes and run the same command again, nothing is lost."
        ) from error


def _cancel(under_way: Iterable[Any]) -> None:
    """End the jobs at once: what they had in hand is done again by the next run."""
    for job in under_way:
        with suppress(RayError):
            ray.cancel(job, force=True)


@cache
def _installed() -> dict[str, str]:
    """What decides the bytes that come out, on this machine: the project's code, and what it needs to build."""
    root = Path(__file__).parents[2]
    files = sorted(p for package in ("harness", "pipeline") for p in (root / package).rglob("*.py"))
    code = digest(*(f"{p.relative_to(root).as_posix()}\n{p.read_text('utf-8')}" for p in files))
    needed = [r for r in map(Requirement, requires("code2bench") or []) if _builds(r)]
    return {"code2bench": code, **{r.name: version(r.name) for r in needed}}


def _builds(requirement: Requirement) -> bool:
    return requirement.marker is None or requirement.marker.evaluate({"extra": "build"})


@dataclass(frozen=True)
class _Driver:
    """What a node must know of the machine that the build was started on."""

    machine: str
    settings: dict[str, str]
    installed: dict[str, str]

    @staticmethod
    def this() -> _Driver:
        settings = {key: value for key, value in os.environ.items() if key.startswith("CODE2BENCH_")}
        return _Driver(platform.node(), settings, _installed())


def _run(driver: _Driver, function: Callable[[Job], Result], job: Job) -> Result:
    """Run a job on a node as it would run where the build was started."""
    here = platform.node()
    os.environ.update(driver.settings)
    for name, wanted in driver.installed.items():
        if _installed().get(name) != wanted:
            raise UserError(f"{here} has another version of {name} than {driver.machine}: install the same on both.")
    try:
        return function(job)
    except UserError as error:
        if here == driver.machine:
            raise
        raise UserError(f"On {here}: {error}") from error
