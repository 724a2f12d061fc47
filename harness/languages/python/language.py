"""Python as a language: the parts, behind one object."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path

from harness.languages import Batch, Call, Execution, Language, Machine, Run, Runtime
from harness.languages.python import VERSION, asking, extraction, framing, predicting, runner, runtime, showing
from harness.languages.python.naming import also_named
from harness.languages.python.needed import needed
from harness.languages.python.smaller import smaller
from harness.locations import Location
from harness.records import Answer, Case, Comparison, Frame, Json, Task
from harness.values.comparison import agree
from harness.values.expressions import Names


class _Runner:
    """As `Runner` says."""

    def run_calls(self, execution: Execution, machine: Machine) -> Run:
        return runner.run_calls(execution, machine)

    def run_variants(self, batch: Batch, machine: Machine) -> list[Run]:
        return runner.run_variants(batch, machine)

    def warmed(self, machine: Machine, programs: Iterable[str]) -> AbstractContextManager[Machine]:
        return runner.warmed(machine, runner.imported(programs))

    def as_told(self, call: Call) -> bytes:
        return runner.as_told(call)

    def as_reported(self, answer: Answer, watching: bool) -> bytes:
        return runner.as_reported(answer, watching)


class _Answers:
    """As `Answers` says."""

    fence_tags = extraction.FENCE_TAGS

    def extract(self, text: str, task: Task) -> str:
        return extraction.extract(text, task)

    def parses(self, program: str) -> bool:
        try:
            ast.parse(program)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            return False
        return True

    def placed(self, frame: Frame, answer: str) -> tuple[Frame, str]:
        return framing.placed(frame, answer)

    def fits(self, frame: Frame, answer: str, reference: str) -> bool:
        return framing.fits(frame, answer, reference)

    def also_named(self, answer: str, first: str, wanted: str) -> str:
        return also_named(answer, first, wanted)


class _Asking:
    """As `Asking` says."""

    stop = asking.STOP

    def system(self, task: Task) -> str:
        return asking.system(task)

    def user(self, task: Task) -> str:
        return asking.user(task)

    def completion(self, task: Task) -> str:
        return asking.completion(task)

    def stub(self, task: Task) -> str:
        return asking.stub(task)


class _Values:
    """As `Values` says."""

    def agree(self, expected: Answer, actual: Answer, rule: Comparison, bases: tuple[str, ...] = ()) -> str:
        return agree(expected, actual, rule, bases)

    def call(self, task: Task, case: Case) -> str:
        return showing.call(task.entry_point, case, Names.of(task.imports))

    def answer(self, given: Answer, task: Task) -> str:
        return showing.answer(given, Names.of(task.imports))

    def candidates_answer(self, given: Answer) -> str:
        return showing.candidates_answer(given)

    def smaller(self, value: Json) -> Iterator[Json]:
        return smaller(value)


class _Predicting:
    """As `Predicting` says."""

    def call(self, task: Task) -> str:
        return predicting.call(task)

    def value(self, task: Task) -> str:
        return predicting.value(task)

    def assertion(self, call: str, value: str) -> str:
        return f"assert {call} == {value}".rstrip()

    def fenced(self, code: str) -> str:
        return asking.fenced(code.strip())

    def beginning(self, code: str) -> str:
        return f"# Python {VERSION}\n{code.strip()}\n\n"

    def find_value(self, reply: str, task: Task) -> str:
        return predicting.find_value(reply, task)

    def find_call(self, reply: str, task: Task) -> str:
        return predicting.find_call(reply, task)

    def giving(self, answer: str, task: Task) -> str:
        return predicting.giving(answer, task)

    def calling(self, answer: str, task: Task) -> tuple[str, str]:
        return predicting.calling(answer, task)


class _Runtimes:
    """As `Runtimes` says."""

    version = VERSION

    def find(self, lock: Location) -> Runtime:
        return runtime.find_runtime(lock)

    def ensure(self, lock: Location, consent: Callable[[str], None]) -> Runtime:
        return runtime.ensure_runtime(lock, consent)

    def needed(self, lock: Path, libraries: Iterable[str], programs: Iterable[str]) -> str:
        return needed(lock.read_text("utf-8"), libraries, programs, runtime.find_runtime(lock).site_packages)


PYTHON = Language("python", "Python", _Runner(), _Answers(), _Asking(), _Values(), _Runtimes(), _Predicting())
