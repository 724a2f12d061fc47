"""How a stage's shards are spread over cores or machines: peers behind one protocol."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol, Self, TypeVar

from harness.errors import UserError

Job = TypeVar("Job")
Result = TypeVar("Result")


class Executor(Protocol):
    """Something that runs a function over jobs; results come in any order, and few jobs are held at a time.

    It is a context: within it, what runs the jobs may be kept from one call of `map` to the next.
    """

    def __enter__(self) -> Self:
        """Begin to keep it."""
        ...

    def __exit__(self, *_: object) -> None:
        """Let it go."""
        ...

    def map(self, function: Callable[[Job], Result], jobs: Iterable[Job]) -> Iterator[Result]:
        """Run the function on each job; the first failure ends it, and what was done stays done."""
        ...


def choose(name: str, workers: int) -> Executor:
    """The executor of that name; `workers` processes, 0 for as many as there are cores."""
    if name == "local":
        from pipeline.executors.local import LocalExecutor

        return LocalExecutor(workers)
    if name == "ray":
        from pipeline.executors.ray_cluster import RayExecutor

        return RayExecutor(workers)
    raise UserError(f"There is no executor {name!r}: set executor to one of local, ray.")
