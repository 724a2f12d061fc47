"""A second family, for the tests: one line of a function is missing, and the answer is that line."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from harness.families import Assembled, Prompt
from harness.families.frames import framed
from harness.languages.fences import fenced_blocks
from harness.records import CaseResult, Dependence, Frame, Spectrum, Task, Track
from harness.releases.rows import task_digest
from harness.spectrum import spectrum

MARK = "# the missing line"


class MissingLine:
    """As `Family` says."""

    name = "line"

    def prompt(self, task: Task) -> Prompt:
        given = task.given or Frame()
        text = f"{given.before}{MARK}\n{given.after}"
        return Prompt(task.task_id, "Answer with the missing line alone.", text, given.before)

    def stop(self, task: Task) -> tuple[str, ...]:
        return ("\n",)

    def extract(self, text: str, task: Task) -> str:
        blocks = fenced_blocks(text)
        found = blocks[-1].code if blocks else text
        indent = task.reference[: len(task.reference) - len(task.reference.lstrip())]
        return "\n".join(indent + line.strip() if n == 0 else line for n, line in enumerate(found.strip().split("\n")))

    def stub(self, task: Task) -> str:
        return task.reference[: len(task.reference) - len(task.reference.lstrip())] + "pass"

    def program(self, task: Task, answer: str) -> Assembled:
        return framed(task, answer)

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        return spectrum(cases)


LINE = MissingLine()


def without_line(task: Task, number: int) -> Task:
    """The task in which a line of the reference, counted from 0, is missing; its reference is that line."""
    lines = task.reference.splitlines(keepends=True)
    given = Frame("".join(lines[:number]), "".join(lines[number + 1 :]))
    return replace(
        task, family=LINE.name, track=Track.named(LINE.name, Dependence.SC, "python"), given=given, reference=lines[number],
        task_digest=task_digest(task.instruction, task.cases, task.comparison, given),
    )
