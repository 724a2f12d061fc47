"""Running code: a program, an entry point and calls go in, what each call gave comes out; one module per language."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from threading import Event
from types import MappingProxyType
from typing import NamedTuple, Protocol

from harness.records import Answer, Json
from harness.runtime import Runtime
from harness.sandbox import Limits, Sandbox
from harness.sandbox.warm import Servers


class Call(NamedTuple):
    """The arguments of one call, encoded, and the CPU seconds that it may take.

    `told` are the arguments as the language's driver reads them, where they are written already; `known` is an answer
    as the driver would report it, at which the outcome need not be read.
    """

    args: tuple[Json, ...]
    kwargs: Mapping[str, Json] = MappingProxyType({})
    cpu_seconds: float = 5.0
    told: bytes = b""
    known: bytes = b""


class CallOutcome(NamedTuple):
    """What became of one call.

    `status` is `returned`, `raised`, `timeout`, `crashed`, `unencodable`, or `known` where it is what the caller knew;
    the first two have an `answer`. `detail` explains the others, and a returned value whose changed arguments can't be
    carried; `where` is the line of the program, for what was raised and for time-outs. `cpu_seconds` is the program's
    own word. `bases` are the types besides its own that an exception is of.
    """

    status: str
    answer: Answer | None = None
    detail: str = ""
    where: str = ""
    cpu_seconds: float = 0.0
    bases: tuple[str, ...] = ()


@dataclass(frozen=True)
class Run:
    """All outcomes, in the order of the calls; empty where the program did not load.

    `load_error` is None or the exception, type first (`SyntaxError: ...`). `cpu_seconds` covers loading and calls,
    `output_bytes` is what was reported, `idle_seconds` are those in which nothing computed or wanted to.
    """

    load_error: str | None
    outcomes: tuple[CallOutcome, ...]
    cpu_seconds: float
    output_bytes: int = 0
    idle_seconds: float = 0.0


@dataclass(frozen=True)
class Machine:
    """Where programs run: how they are isolated, and which interpreter and libraries they get.

    `servers` are warm processes of both, where there are any. Programs end as soon as `stop` is set.
    """

    sandbox: Sandbox
    runtime: Runtime
    servers: Servers | None = field(default=None, compare=False)
    stop: Event | None = field(default=None, compare=False, repr=False)


@dataclass(frozen=True)
class Surroundings:
    """What a program may see of its surroundings and must not depend on."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    locale: str = "C.UTF-8"
    folder: str = "/tmp"


class Runner(Protocol):
    """What a language must offer: `run_calls` of its module."""

    def __call__(
        self, program: str, entry_point: str, calls: Sequence[Call], machine: Machine, limits: Limits,
        surroundings: Surroundings = ..., watching: bool = ..., lenient: bool = ...,
        exact: bool = ...,
    ) -> Run:
        """Run the calls, each with fresh arguments, which are watched for changes; raises `SandboxFailed`."""
        ...
