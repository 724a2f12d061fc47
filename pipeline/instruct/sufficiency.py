"""Whether an instruction is enough: solvers implement the function from it alone, and the judge of answers decides.

Where nobody succeeds, the writer is asked what the text does not tell; if somebody succeeds with that as a hint, the
instruction was underspecified: it is written anew with what was missing and tried again, or it leaves.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass, replace
from threading import Semaphore

from harness.answers.extraction import extract
from harness.languages import Machine
from harness.prompts import Prompt, prompt
from harness.records import Sufficiency, Task, Verdict
from harness.scoring.judging import judge_all
from harness.values import NotDecodable
from harness.values.expressions import Names, NotShowable
from pipeline.config import InstructConfig
from pipeline.families.registry import family
from pipeline.instruct.examples.cases import as_doctest
from pipeline.instruct.writers.model import ModelWriter, form_faults
from pipeline.languages.python.facts import Facts
from pipeline.languages.python.plain import plain
from pipeline.llm.desk import Desk
from pipeline.llm.prompting import render
from pipeline.llm.structured import Answer
from pipeline.records import Instruction

MOST_FACTS = 12
SHOWN = 400
"""Characters of a failed case that the writer is shown."""
_running = Semaphore(os.cpu_count() or 1)
"""Solvers' answers are waited for side by side, but run a few at a time."""


class Missing(Answer):
    """What an instruction does not tell, as sentences on the behaviour; none where it tells everything."""

    missing: list[str]


@dataclass(frozen=True)
class Trial:
    """What became of all attempts at one instruction."""

    task: Task
    verdicts: tuple[Verdict, ...]

    @property
    def solved(self) -> int:
        """How many passed all cases."""
        return sum(verdict.perfect for verdict in self.verdicts)


@dataclass(frozen=True)
class Examiner:
    """Tries instructions with the configured solvers."""

    config: InstructConfig
    desk: Desk
    machine: Machine

    def examined(self, instruction: Instruction, facts: Facts) -> Instruction | str:
        """The instruction with what the trial says of it, maybe written anew; or what it does not tell."""
        trial = self._tried(instruction)
        if trial.solved:
            return self._noted(instruction, trial)
        missing = self._missing(trial, facts)
        hinted = self._tried(instruction, missing) if missing else trial
        if not hinted.solved:
            return self._noted(instruction, trial)
        again = self._mended(instruction, facts, missing)
        return again or f"Solvers succeed with what it does not tell: {' '.join(missing)}"[:600]

    def _mended(self, instruction: Instruction, facts: Facts, missing: Sequence[str]) -> Instruction | None:
        """The instruction written anew with what was missing, if somebody can implement it now."""
        writer = ModelWriter(self.config, self.desk)
        draft = writer.write(instruction.suite, facts, missing)
        if draft is None:
            return None
        new = replace(instruction, signature=draft.signature, text=draft.text, author=writer.name)
        trial = self._tried(new)
        return self._noted(new, trial, mended=True) if trial.solved else None

    def _noted(self, instruction: Instruction, trial: Trial, mended: bool = False) -> Instruction:
        models = tuple(self.desk.office.model(name).model for name in self.config.solvers)
        found = Sufficiency(models, len(trial.verdicts), trial.solved, mended)
        return replace(instruction, sufficiency=found)

    def _tried(self, instruction: Instruction, hints: Sequence[str] = ()) -> Trial:
        """All attempts at an instruction, with or without hints, judged."""
        task = family(instruction.suite.family).task(instruction)
        asked = prompt(task)
        answers = [
            self._answer(name, asked, attempt, hints)
            for name in self.config.solvers for attempt in range(self.config.solver_attempts)
        ]
        jobs = [(task, extract(answer, task)) for answer in answers]
        with _running:
            return Trial(task, tuple(judge_all(jobs, self.machine, tasks=[task])))

    def _answer(self, name: str, asked: Prompt, attempt: int, hints: Sequence[str]) -> str:
        user = asked.user
        if hints:
            user += "\nBesides, this holds:\n" + "\n".join(f"- {hint}" for hint in hints) + "\n"
        messages = ({"role": "system", "content": asked.system}, {"role": "user", "content": user})
        temperature = self.config.solver_temperature if attempt else 0.0
        return self.desk.text(name, messages, "solve" if not hints else "solve-with-hint", attempt, temperature)

    def _missing(self, trial: Trial, facts: Facts) -> tuple[str, ...]:
        """What the writer finds that the text does not tell, none of it copied from the body."""
        def objection(answer: Missing) -> str:
            faults = form_faults("\n".join(answer.missing), facts, self.config) if answer.missing else ()
            many = (f"Name the {MOST_FACTS} most important facts at most.",) if len(answer.missing) > MOST_FACTS else ()
            return "\n".join((*faults, *many))

        asked = render(
            "missing", code=plain(trial.task.reference), instruction=trial.task.instruction, failures=_failures(trial))
        answer = self.desk.ask(self.config.model, asked, Missing, objection)
        return tuple(" ".join(one.split()) for one in answer.missing if one.strip()) if answer else ()


def _failures(trial: Trial) -> str:
    """For each attempt a case that it failed, what was expected and what it gave."""
    said = []
    for number, verdict in enumerate(trial.verdicts, 1):
        said.append(f"Attempt {number}: {verdict.passed} of {verdict.total} cases passed. {_case(trial.task, verdict)}")
    return "\n".join(dict.fromkeys(said))


def _case(task: Task, verdict: Verdict) -> str:
    if verdict.failure is None:
        return verdict.detail[:SHOWN]
    try:
        shown, _ = as_doctest(task.entry_point, task.cases[verdict.failure.case], Names.of(task.imports))
    except (NotShowable, NotDecodable, RecursionError):
        return verdict.detail[:SHOWN]
    return f"Right would be\n{shown[:SHOWN]}\nand it gave {verdict.failure.got[:SHOWN]}"
