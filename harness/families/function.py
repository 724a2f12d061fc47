"""The family `function`: a whole function is written from its instruction, and is the program that runs."""

from __future__ import annotations

from collections.abc import Sequence

from harness.families import Assembled, Prompt
from harness.languages.registry import language
from harness.records import FIRST_FAMILY, CaseResult, Spectrum, Task
from harness.spectrum import spectrum


class Function:
    """As `Family` says, in the words of the task's language."""

    name = FIRST_FAMILY

    def prompt(self, task: Task) -> Prompt:
        """The instruction, in the language's own messages."""
        asking = language(task.language).asking
        return Prompt(task.task_id, asking.system(task), asking.user(task), asking.completion(task))

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
        """The answer itself."""
        return Assembled(answer)

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        """By the share of cases that pass."""
        return spectrum(cases)


FUNCTION = Function()
