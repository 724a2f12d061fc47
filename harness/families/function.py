"""The families of whole functions: one is written from its instruction, and runs behind the code that is given.

`function` is of functions that stand alone, or need some constants of their projects; `lsc` of those that call other
functions of theirs (paper, appendix K.1, layered self-contained), which are given; `whole` of the same without these.
"""

from __future__ import annotations

from collections.abc import Sequence

from harness.families import Assembled, Prompt
from harness.families.frames import framed
from harness.languages.registry import language
from harness.records import FIRST_FAMILY, LAYERED_FAMILY, WHOLE_FAMILY, CaseResult, Spectrum, Task
from harness.spectrum import spectrum


class Function:
    """As `Family` says, in the words of the task's language."""

    name = FIRST_FAMILY

    def prompt(self, task: Task) -> Prompt:
        """The instruction, in the language's own messages."""
        asking = language(task.language).asking
        return Prompt(task.task_id, asking.system(task), asking.user(task), asking.completion(task))

    def question(self, task: Task) -> str:
        """The function's signature."""
        return task.signature

    def stop(self, task: Task) -> tuple[str, ...]:
        """Where the language's functions end."""
        return language(task.language).asking.stop

    def extract(self, text: str, task: Task) -> str:
        """The code as the language finds it."""
        return language(task.language).answers.extract(text, task)

    def stub(self, task: Task) -> str:
        """A function of the right name."""
        return language(task.language).asking.stub(task)

    def program(self, task: Task, answer: str) -> Assembled:
        """The answer itself, behind what is given."""
        return framed(task, answer) if task.given is not None else Assembled(answer)

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        """By the share of cases that pass."""
        return spectrum(cases)


class LayeredFunction(Function):
    """The same for functions that call others of their projects."""

    name = LAYERED_FAMILY


class WholeFunction(Function):
    """The same for such functions with all that they need, of which nothing is given."""

    name = WHOLE_FAMILY


FUNCTION = Function()
LSC = LayeredFunction()
WHOLE = WholeFunction()
