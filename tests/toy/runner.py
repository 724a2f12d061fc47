"""The toy language as the harness knows languages: its interpreter really runs, in the sandbox and under its limits."""

from __future__ import annotations

import hashlib
import json
import os
import sys
import sysconfig
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path
from typing import Any

from harness.errors import UserError
from harness.languages import Batch, Call, CallOutcome, Execution, Language, Library, LoadError, Machine, Run
from harness.languages.fences import fenced_blocks
from harness.locations import Location
from harness.records import Answer, Case, Comparison, Frame, Json, Task
from harness.sandbox import Ending, Outcome, Program
from tests.toy.interpreter import parse

INTERPRETER = Path(__file__).with_name("interpreter.py")


@dataclass(frozen=True)
class ToyRuntime:
    """The interpreter, run by the Python of the harness; its lock is a line that says which version it is."""

    lock_sha256: str
    language: str = "toy"
    version: str = "1"
    environment: tuple[tuple[str, str], ...] = ()

    @property
    def prefix(self) -> Path:
        return INTERPRETER.parent

    @cached_property
    def python(self) -> Path:
        return Path(getattr(sys, "_base_executable", sys.executable)).resolve()

    @property
    def readable(self) -> tuple[Path, ...]:
        libraries = Path(sysconfig.get_config_var("LIBDIR") or "/nowhere").glob("libpython3*.so*")
        return (self.python, Path(os.__file__).resolve().parent, INTERPRETER, *sorted(libraries))

    def describe(self) -> str:
        return f"toy {self.version} in {self.prefix}"

    def libraries(self) -> tuple[Library, ...]:
        return ()


class Runner:
    """One process for the calls; what hangs ends it, and a new one goes on with the next call."""

    def run_calls(self, execution: Execution, machine: Machine) -> Run:
        outcomes: list[CallOutcome] = []
        cpu = 0.0
        while len(outcomes) < len(execution.calls):
            rest = execution.calls[len(outcomes) :]
            limits = replace(execution.limits, line_seconds=tuple(call.cpu_seconds for call in rest))
            done = machine.sandbox.run(_program(execution, rest, machine.runtime), limits)
            cpu += done.cpu_seconds
            loaded, *lines = [json.loads(line) for line in done.stdout.splitlines()] or [{"load_error": "it ended"}]
            if loaded["load_error"] is not None:
                return Run(LoadError(loaded["load_error"], loaded.get("is_syntax", False)), (), cpu)
            outcomes += map(_outcome, lines)
            if len(lines) < len(rest):
                outcomes.append(_ended(done))
        return Run(None, tuple(outcomes), cpu)

    def run_variants(self, batch: Batch, machine: Machine) -> list[Run]:
        chosen = batch.places or [range(len(batch.calls))] * len(batch.programs)
        return [self.run_calls(Execution(program, batch.entry_point, [batch.calls[n] for n in places], batch.limits), machine)
                for program, places in zip(batch.programs, chosen, strict=True)]

    def warmed(self, machine: Machine, programs: Iterable[str]) -> AbstractContextManager[Machine]:
        return nullcontext(machine)

    def as_told(self, call: Call) -> bytes:
        return json.dumps(list(call.args)).encode()

    def as_reported(self, answer: Answer, watching: bool) -> bytes:
        return b""


def _program(execution: Execution, calls: Iterable[Call], runtime: Any) -> Program:
    told = {"program": execution.program, "entry": execution.entry_point, "calls": [list(call.args) for call in calls]}
    command = (str(runtime.python), "-I", "-S", "-B", str(INTERPRETER))
    return Program(command, runtime.readable, json.dumps(told).encode())


def _outcome(line: dict[str, Any]) -> CallOutcome:
    if line["status"] == "returned":
        return CallOutcome("returned", Answer("returned", line["value"]))
    return CallOutcome("raised", Answer("raised", exception=line["exception"]))


def _ended(done: Outcome) -> CallOutcome:
    late = done.ending in (Ending.CPU_LIMIT, Ending.WALL_LIMIT)
    return CallOutcome("timeout" if late else "crashed", None, f"{done.ending}: {done.stderr.decode()[-200:]}")


class Answers:
    """The last fenced block, or the whole answer."""

    fence_tags = frozenset({"", "toy"})

    def extract(self, text: str, task: Task) -> str:
        blocks = [block.code for block in fenced_blocks(text) if block.language in self.fence_tags]
        return blocks[-1] if blocks else text

    def parses(self, program: str) -> bool:
        try:
            parse(program)
        except SyntaxError:
            return False
        return True

    def placed(self, frame: Frame, answer: str) -> tuple[Frame, str]:
        return frame, answer

    def fits(self, frame: Frame, answer: str, reference: str) -> bool:
        return self.parses(answer)

    def also_named(self, answer: str, first: str, wanted: str) -> str:
        return answer


class Asking:
    """One sentence, and the instruction."""

    stop = ("\n\n",)

    def system(self, task: Task) -> str:
        return "You write toy programs. Answer with one ```toy block."

    def user(self, task: Task) -> str:
        return task.instruction + "\n"

    def completion(self, task: Task) -> str:
        return f"{task.instruction}\n@{task.entry_point}"

    def stub(self, task: Task) -> str:
        return f"@{task.entry_point} {{ 0 return }}"


class Values:
    """Whole numbers, which JSON has; a call stands behind its arguments."""

    def agree(self, expected: Answer, actual: Answer, rule: Comparison, bases: tuple[str, ...] = ()) -> str:
        if (expected.kind, expected.exception, expected.value) == (actual.kind, actual.exception, actual.value):
            return ""
        return f"expected {self.candidates_answer(expected)}, got {self.candidates_answer(actual)}"

    def call(self, task: Task, case: Case) -> str:
        return " ".join([*map(json.dumps, case.args), task.entry_point])

    def answer(self, given: Answer, task: Task) -> str:
        return self.candidates_answer(given)

    def candidates_answer(self, given: Answer) -> str:
        return json.dumps(given.value)[:100] if given.kind == "returned" else f"fails: {given.exception}"[:100]

    def smaller(self, value: Json) -> Iterator[Json]:
        if isinstance(value, int):
            yield from (one for one in (0, value // 2, value - 1) if abs(one) < abs(value))


class Runtimes:
    """The one that comes with the tests."""

    version = "1"

    def find(self, lock: Location) -> ToyRuntime:
        text = lock.read_text("utf-8")
        if text != "toy 1\n":
            raise UserError(f"{lock} is no lock of the toy language; it should say `toy 1`.")
        return ToyRuntime(hashlib.sha256(text.encode()).hexdigest())

    def ensure(self, lock: Location, consent: Callable[[str], None]) -> ToyRuntime:
        return self.find(lock)

    def needed(self, lock: Path, libraries: Iterable[str], programs: Iterable[str]) -> str:
        return lock.read_text("utf-8")


TOY = Language("toy", "Toy", Runner(), Answers(), Asking(), Values(), Runtimes())
