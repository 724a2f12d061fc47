"""Running code: a program, an entry point and calls go in, what each call gave comes out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event
from types import MappingProxyType
from typing import NamedTuple, Protocol

from harness.errors import UserError
from harness.records import Answer, Json
from harness.sandbox import Limits, Sandbox
from harness.sandbox.warm import Servers


class Library(NamedTuple):
    """Code that a runtime brings: what people call it, with its version, its project's name, and its files.

    The project of the language's own library is "". Files have a path as it is imported, and the place where they lie.
    """

    title: str
    project: str
    files: tuple[tuple[str, Path], ...]


class Runtime(Protocol):
    """The environment of a language that programs get: made from a lock, the same on every machine."""

    @property
    def language(self) -> str:
        """The name of the language."""
        ...

    @property
    def version(self) -> str:
        """The version of what runs programs."""
        ...

    @property
    def lock_sha256(self) -> str:
        """The hash of the lock that it was made from."""
        ...

    @property
    def prefix(self) -> Path:
        """The folder that was made for it."""
        ...

    @property
    def readable(self) -> tuple[Path, ...]:
        """All that a sandbox must show for it to work."""
        ...

    @property
    def environment(self) -> tuple[tuple[str, str], ...]:
        """The variables that make it compute the same on every machine."""
        ...

    def describe(self) -> str:
        """What it is, in words."""
        ...

    def libraries(self) -> tuple[Library, ...]:
        """The code in it that programs can import, the language's own library first."""
        ...


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


class LoadError(NamedTuple):
    """Why a program did not load, in words that begin with the exception's type.

    `is_syntax` where it is no program, `hung` where it came to no end.
    """

    text: str
    is_syntax: bool = False
    hung: bool = False

    def __str__(self) -> str:
        return self.text


@dataclass(frozen=True)
class Run:
    """All outcomes, in the order of the calls; empty where the program did not load.

    `cpu_seconds` covers loading and calls, `output_bytes` is what was reported, `idle_seconds` are those in which
    nothing computed or wanted to.
    """

    load_error: LoadError | None
    outcomes: tuple[CallOutcome, ...]
    cpu_seconds: float
    output_bytes: int = 0
    idle_seconds: float = 0.0


@dataclass(frozen=True)
class Surroundings:
    """What a program may see of its surroundings and must not depend on."""

    hash_seed: int = 0
    time_zone: str = "UTC"
    locale: str = "C.UTF-8"
    folder: str = "/tmp"


USUAL = Surroundings()


@dataclass(frozen=True)
class Execution:
    """A program that is to be loaded, and the calls of its entry point, each with fresh arguments.

    Arguments that a call has changed are told only where somebody is `watching`, since that takes time. With `lenient`,
    as answers are judged, form is forgiven that has nothing to do with the calls. The time of calls that take next to
    none is told only where it is to be `exact`.
    """

    program: str
    entry_point: str
    calls: Sequence[Call]
    limits: Limits
    surroundings: Surroundings = USUAL
    watching: bool = True
    lenient: bool = False
    exact: bool = False


@dataclass(frozen=True)
class Batch:
    """Several programs by one author, of all of which the same calls are made, or those at a program's `places`.

    `limits` hold for each program; `preload` are modules that all of them need. `together` are the sizes of groups of
    neighbours that may share a process one after the other, where what one leaves behind may meet the next.
    """

    programs: Sequence[str]
    entry_point: str
    calls: Sequence[Call]
    limits: Limits
    preload: Sequence[str] = ()
    places: Sequence[Sequence[int]] = ()
    together: Sequence[int] = ()


@dataclass(frozen=True)
class Machine:
    """Where programs of one language run: how they are isolated, and which runtime they get.

    `servers` are warm processes of both, where there are any. Programs end as soon as `stop` is set.
    """

    sandbox: Sandbox
    runtime: Runtime
    servers: Servers | None = field(default=None, compare=False)
    stop: Event | None = field(default=None, compare=False, repr=False)

    def of(self, language: str) -> Machine:
        """Itself, where it is one for that language; raises `UserError`."""
        if self.runtime.language != language:
            raise UserError(f"This machine has a runtime for {self.runtime.language}, and none for {language}.")
        return self


@dataclass(frozen=True)
class Machines:
    """Where programs of several languages run: one isolation, and a runtime for each of them."""

    sandbox: Sandbox
    runtimes: tuple[Runtime, ...]

    def of(self, language: str) -> Machine:
        """The machine for a language; raises `UserError`."""
        for runtime in self.runtimes:
            if runtime.language == language:
                return Machine(self.sandbox, runtime)
        raise UserError(f"There is no runtime for {language}; the release names one for each of its languages.")
