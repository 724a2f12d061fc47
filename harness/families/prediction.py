"""The families that ask what a program does (Dynamic Benchmarking, section 2; CRUXEval; LiveCodeBench's test output).

`output`: a program and a call are shown, and asked is what that gives. `input`: a program and a value, and asked is a
call that gives it; any will do. `outcome`: as `output`, but a description stands in place of the program. Each task has
one case. An answer is a literal, or a call with literals: it is read, not evaluated, and what was read runs in the
sandbox like any other answer.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from harness import bundle
from harness.errors import UserError
from harness.families import Assembled, Prompt
from harness.languages import Predicting
from harness.languages.registry import language
from harness.records import INPUT_FAMILY, OUTCOME_FAMILY, OUTPUT_FAMILY, CaseResult, Spectrum, Task
from harness.shots import shots_of
from harness.spectrum import spectrum

_SYSTEM = (
    "You tell what programs do without running them. Answer with one line, the assertion that you are given, completed "
    "so that it holds. Write values as they are written in {title}: texts in quotes, and values of libraries as they "
    "are made. Types count: a list is no tuple, True is not 1. {how}"
)
_AT_ONCE = "Write nothing but that line."
_REASONED = "First go through the program step by step, in words; the line comes last, on its own."
_OUTPUT = "This is a program:\n\n{program}\nComplete this assertion with the value that the call gives:\n\n{question}"
_OUTCOME = (
    "This is what a function has to do:\n\n{program}\nComplete this assertion with the value that the call gives, if "
    "the function is written so:\n\n{question}"
)
_INPUT = (
    "This is a program:\n\n{program}\nComplete this assertion: put arguments in place of the dots, with which the call "
    "gives this value. There may be several; any will do:\n\n{question}"
)
_SHOT = (
    "This program does the same as the one that you will be asked about:\n\n{program}\nThis assertion about it:\n\n"
    "{question}\nis completed so:\n\n{answer}\n"
)
_DOTS = "..."


@dataclass(frozen=True)
class _Prediction:
    """What the three have in common."""

    name: str
    asking: str

    def prompt(self, task: Task) -> Prompt:
        """The program or the description, and the assertion to be completed."""
        of = _predicting(task)
        question, shown = self.question(task), self.shown(task)
        shots = shots_of(task)
        examples = [
            _SHOT.format(
                program=of.fenced(bundle.shown(one.program)), question=of.fenced(one.question),
                answer=of.fenced(one.answer))
            for one in shots]
        user = "".join(examples) + self.asking.format(program=of.fenced(shown), question=of.fenced(question))
        reasoned = task.variation is not None and task.variation.reasoned
        how = _REASONED if reasoned else _AT_ONCE
        system = _SYSTEM.format(title=language(task.language).title, how=how)
        begun = "".join(f"{of.beginning(bundle.shown(one.program))}{one.answer}\n\n\n" for one in shots)
        return Prompt(task.task_id, system, user, begun + of.beginning(shown) + self.opening(task))

    def shown(self, task: Task) -> str:
        """What the question is about."""
        return bundle.shown(task.given.before) if task.given is not None else ""

    def question(self, task: Task) -> str:
        """The assertion with a gap."""
        return self.opening(task)

    def opening(self, task: Task) -> str:
        """The assertion up to the gap."""
        return _predicting(task).assertion(_predicting(task).call(task), "")

    def stop(self, task: Task) -> tuple[str, ...]:
        """An assertion is a line."""
        return ("\n",)

    def extract(self, text: str, task: Task) -> str:
        """The value in a reply."""
        return _predicting(task).find_value(text, task)

    def stub(self, task: Task) -> str:
        """The call where a value is asked for."""
        return _predicting(task).call(task)

    def program(self, task: Task, answer: str) -> Assembled:
        """A program that gives the value, where it is one."""
        try:
            return Assembled(_predicting(task).giving(answer, task))
        except ValueError as error:
            return Assembled("", unfit=f"the answer is no value: {error}")

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        """By the one case."""
        return spectrum(cases)


class OutputPrediction(_Prediction):
    """As `Family` says."""


class OutcomePrediction(_Prediction):
    """The same with a description in place of the program; what is given with the function is shown, too."""

    def shown(self, task: Task) -> str:
        """The description."""
        return super().shown(task) + task.instruction


class InputPrediction(_Prediction):
    """A call is asked for; the value is shown."""

    def question(self, task: Task) -> str:
        """The assertion without its arguments."""
        of = _predicting(task)
        return of.assertion(f"{task.entry_point}({_DOTS})", of.value(task))

    def opening(self, task: Task) -> str:
        """The whole question, and the beginning of its answer."""
        return f"# {self.question(task)}\nassert {task.entry_point}("

    def extract(self, text: str, task: Task) -> str:
        """The call in a reply; a completion has begun it already."""
        found = _predicting(task).find_call(text, task)
        return found if task.entry_point in found else f"{task.entry_point}({found}"

    def stub(self, task: Task) -> str:
        """The function, which nobody calls."""
        return task.entry_point

    def program(self, task: Task, answer: str) -> Assembled:
        """The program that is shown, with a function that makes the call."""
        try:
            program, name = _predicting(task).calling(answer, task)
        except ValueError as error:
            return Assembled("", unfit=f"the answer is no call with values: {error}")
        return Assembled(program, entry_point=name)


def _predicting(task: Task) -> Predicting:
    found = language(task.language).predicting
    if found is None:
        raise UserError(f"Nothing can be asked about what programs of {language(task.language).title} do.")
    return found


OUTPUT = OutputPrediction(OUTPUT_FAMILY, _OUTPUT)
OUTCOME = OutcomePrediction(OUTCOME_FAMILY, _OUTCOME)
INPUT = InputPrediction(INPUT_FAMILY, _INPUT)
