"""Languages of programs: what each must offer, as parts behind one object, and the records that go in and out.

`harness.languages.registry` knows which languages there are; a folder here holds one of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, TypeAlias

from harness.languages.running import (
    USUAL,
    Batch,
    Call,
    CallOutcome,
    Execution,
    Library,
    LoadError,
    Machine,
    Machines,
    Run,
    Runtime,
    Surroundings,
)
from harness.locations import Location
from harness.records import Answer, Case, Comparison, Frame, Json, Task

__all__ = [
    "USUAL", "Agree", "Answers", "Asking", "Batch", "Call", "CallOutcome", "Execution", "Language", "Library",
    "LoadError", "Machine", "Machines", "Predicting", "Run", "Runner", "Runtime", "Runtimes", "Surroundings", "Values",
]


Agree: TypeAlias = Callable[[Answer, Answer, Comparison, tuple[str, ...]], str]
"""As `Values.agree`."""


class Runner(Protocol):
    """Running programs of a language."""

    def run_calls(self, execution: Execution, machine: Machine) -> Run:
        """Load a program and make the calls; raises `SandboxFailed`.

        An outcome that is the `known` one of its call, as `as_reported` writes it, is `known` and not read further.
        """
        ...

    def run_variants(self, batch: Batch, machine: Machine) -> list[Run]:
        """Make the calls of each of several programs; raises `SandboxFailed`."""
        ...

    def warmed(self, machine: Machine, programs: Iterable[str]) -> AbstractContextManager[Machine]:
        """The machine with warm processes that are ready for such programs; as it is where it can't have any."""
        ...

    def as_told(self, call: Call) -> bytes:
        """A call as the driver reads it."""
        ...

    def as_reported(self, answer: Answer, watching: bool) -> bytes:
        """An answer as the driver reports it, without what differs from run to run."""
        ...


class Answers(Protocol):
    """Programs of a language in what models write."""

    @property
    def fence_tags(self) -> frozenset[str]:
        """The tags of fences that may hold such a program, in lower case."""
        ...

    def extract(self, text: str, task: Task) -> str:
        """The code to judge in an answer, "" when there is none; whatever the text, this ends, and soon."""
        ...

    def parses(self, program: str) -> bool:
        """Whether a text is a program at all."""
        ...

    def placed(self, frame: Frame, answer: str) -> tuple[Frame, str]:
        """The frame and the answer with what has to stand first in a file at its beginning."""
        ...

    def fits(self, frame: Frame, answer: str, reference: str) -> bool:
        """Whether an answer leaves the code around it as it is around the reference."""
        ...

    def also_named(self, answer: str, first: str, wanted: str) -> str:
        """An answer that defines the function `first` and none of the name that is wanted, with both names."""
        ...


class Asking(Protocol):
    """What models are asked for programs of a language."""

    @property
    def stop(self) -> tuple[str, ...]:
        """Where the completion of a function ends."""
        ...

    def system(self, task: Task) -> str:
        """The system message for a task."""
        ...

    def user(self, task: Task) -> str:
        """The user message for a task."""
        ...

    def completion(self, task: Task) -> str:
        """The beginning of a file that goes on with the body of the task's function."""
        ...

    def stub(self, task: Task) -> str:
        """A program with an entry point of the right name that does nothing."""
        ...


class Predicting(Protocol):
    """Questions about what a program does, of which a value or a call is the answer; the task has one case."""

    def call(self, task: Task) -> str:
        """The call of the task's case; raises `ValueError` where it can't be written."""
        ...

    def value(self, task: Task) -> str:
        """What that call gives; raises `ValueError`."""
        ...

    def assertion(self, call: str, value: str) -> str:
        """The statement that a call gives a value; with "" for the value, its beginning."""
        ...

    def fenced(self, code: str) -> str:
        """Code as a block of Markdown."""
        ...

    def beginning(self, code: str) -> str:
        """The beginning of a file that a model completes."""
        ...

    def find_value(self, reply: str, task: Task) -> str:
        """The value in a reply, or the reply's end where there is none."""
        ...

    def find_call(self, reply: str, task: Task) -> str:
        """The call of the entry point in a reply, or the reply's end."""
        ...

    def giving(self, answer: str, task: Task) -> str:
        """The program whose entry point gives that value, whatever it is called with; raises `ValueError`."""
        ...

    def calling(self, answer: str, task: Task) -> tuple[str, str]:
        """The given program with a function that makes that call, and the name of that; raises `ValueError`."""
        ...


class Values(Protocol):
    """Encoded values of a language: when two agree, how a person reads them, how they get smaller."""

    def agree(self, expected: Answer, actual: Answer, rule: Comparison, bases: tuple[str, ...] = ()) -> str:
        """Nothing when the answers agree by the rule, else the first difference in words.

        `bases` are the types besides its own that an exception is of.
        """
        ...

    def call(self, task: Task, case: Case) -> str:
        """The call of a case, in the language's literals, bounded in length."""
        ...

    def answer(self, given: Answer, task: Task) -> str:
        """What a call gave, bounded in length."""
        ...

    def candidates_answer(self, given: Answer) -> str:
        """The same for an answer that nobody vouches for, of which nothing is built."""
        ...

    def smaller(self, value: Json) -> Iterator[Json]:
        """Simpler values of the same kind, as they are encoded."""
        ...


class Runtimes(Protocol):
    """The environments that programs of a language get."""

    @property
    def version(self) -> str:
        """The version of the language that all of its releases so far run on."""
        ...

    def find(self, lock: Location) -> Runtime:
        """The runtime of a lock; raises `UserError` where it has not been made."""
        ...

    def ensure(self, lock: Location, consent: Callable[[str], None]) -> Runtime:
        """The runtime of a lock, made first where it is missing; how far it is is told on a terminal.

        Before it is made, `consent` is told what that takes: the rest of a sentence that begins with the language.
        """
        ...

    def needed(self, lock: Path, libraries: Iterable[str], programs: Iterable[str]) -> str:
        """The part of a lock, whose runtime is there, that programs need which import these libraries alone."""
        ...


@dataclass(frozen=True)
class Language:
    """A language by its parts; `name` is what rows call it, `title` what people do.

    `predicting` is None where nothing can be asked about what programs of it do.
    """

    name: str
    title: str
    running: Runner
    answers: Answers
    asking: Asking
    values: Values
    runtimes: Runtimes
    predicting: Predicting | None = None
