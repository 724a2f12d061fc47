"""The family that asks to repair a program: an instruction, a program with a fault, tests that fail and that pass.

An answer is the whole program, which runs alone on the suite of the task. A program of several modules is shown, and
answered, module by module, each under a line with its name.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from harness import bundle
from harness.families import Assembled, Prompt
from harness.languages.registry import language
from harness.records import CaseResult, Spectrum, Task
from harness.shots import shots_of
from harness.spectrum import spectrum

REPAIR_FAMILY = "repair"
_SYSTEM = (
    "You repair programs. Answer with the whole corrected program in one ```{tag} code block: all of its functions and "
    "imports, what was right as it was. {modules}No explanation, nothing else."
)
_MODULES = "The program has several files; write each below a line with its name, as they are given. "
_USER = (
    "This is what the function {name} has to do:\n\n{question}\n\nThis program does not do it:\n\n"
    "```{tag}\n{program}```"
)
_SHOT = (
    "This is an example. This is what another function has to do:\n\n{question}\n\nThis program does not do it:\n\n"
    "```{tag}\n{program}```\n\nThis is the corrected program:\n\n```{tag}\n{answer}```\n\nNow to what you are asked. "
)
_BEGUN = "# A program with a fault:\n\n{program}\n\n{told}\n\n# Corrected:\n\n"
_HEADING = re.compile(r"^# ([A-Za-z_][A-Za-z0-9_]*)\.py[ \t]*$", re.MULTILINE)


class Repair:
    """As `Family` says."""

    name = REPAIR_FAMILY

    def prompt(self, task: Task) -> Prompt:
        """The instruction with the tests, and the program with its fault."""
        shown, tag = bundle.shown(faulty(task)), task.language
        several = bool(bundle.unpacked(faulty(task))[1])
        system = _SYSTEM.format(tag=tag, modules=_MODULES if several else "")
        user = _USER.format(name=task.entry_point, question=self.question(task), program=shown, tag=tag)
        examples, begun = "", ""
        for one in shots_of(task):
            broken, right = bundle.shown(one.program), bundle.shown(one.answer)
            examples += _SHOT.format(question=one.question, tag=tag, program=broken, answer=right)
            begun += f"{_begun(broken, one.question)}{right}\n\n"
        return Prompt(task.task_id, system, examples + user, begun + _begun(shown, self.question(task)))

    def question(self, task: Task) -> str:
        """The instruction with the tests."""
        return task.instruction

    def stop(self, task: Task) -> tuple[str, ...]:
        """A completion ends where it begins another program."""
        return ("\n# A program", "\n# Corrected", "\n```")

    def extract(self, text: str, task: Task) -> str:
        """The program in a reply; the modules of a bundle as one text that runs."""
        _, modules = bundle.unpacked(faulty(task))
        if not modules:
            return language(task.language).answers.extract(text, task)
        return _joined(text, modules, task)

    def stub(self, task: Task) -> str:
        """The program with its fault."""
        return faulty(task)

    def program(self, task: Task, answer: str) -> Assembled:
        """The answer alone."""
        return Assembled(answer)

    def verdict(self, task: Task, cases: Sequence[CaseResult]) -> Spectrum:
        """By the share of cases that pass."""
        return spectrum(cases)


def _begun(program: str, question: str) -> str:
    told = "\n".join(f"# {line}".rstrip() for line in question.splitlines())
    return _BEGUN.format(program=program, told=told)


def faulty(task: Task) -> str:
    """The program that is to be repaired."""
    return task.given.before if task.given is not None else ""


def _joined(text: str, modules: dict[str, str], task: Task) -> str:
    """A bundle of what a reply says of each module; what it leaves out stays as it is."""
    fenced = re.findall(r"```[a-z]*\n(.*?)```", text, re.DOTALL)
    whole = "\n".join(fenced) or text
    pieces = _HEADING.split(whole)
    found = dict(zip(pieces[1::2], pieces[2::2], strict=False))
    main = found.pop("main", "")
    if not main:
        main = language(task.language).answers.extract(text, task) if not found else bundle.unpacked(faulty(task))[0]
    parses = language(task.language).answers.parses
    kept = {name: found.get(name, source) for name, source in modules.items()}
    if not main.strip() or not all(map(parses, (main, *kept.values()))):
        return main
    return bundle.packed(main.strip() + "\n", {name: source.strip() + "\n" for name, source in kept.items()})


REPAIR = Repair()
"""The family that asks for repairs."""
