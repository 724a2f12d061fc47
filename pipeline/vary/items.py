"""What is asked about programs: some cases of each task, and a task of a family for each program and case."""

from __future__ import annotations

import ast
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from random import Random

from harness.languages import Predicting
from harness.languages.registry import language
from harness.records import (
    INPUT_FAMILY,
    OUTCOME_FAMILY,
    OUTPUT_FAMILY,
    Answer,
    Case,
    Comparison,
    Frame,
    Program,
    Task,
    Track,
    Variation,
    digest,
)
from harness.releases.rows import task_digest
from harness.values import canonical
from pipeline.stage import seed_of

LONGEST_CALL, LONGEST_VALUE = 200, 120
"""Characters of a call that is shown, and of a value that has to be told."""
_LONG_NUMBER = re.compile(r"\d\.\d{6}|\d{9}")
"""Who has to tell such a number has to calculate, which is not what is asked."""
COMMONEST = 0.5
"""A value that a larger share of a suite gives is guessed without reading."""
PROGRAMS = OUTPUT_FAMILY, INPUT_FAMILY
"""The families that show a program; `outcome` shows the description."""


@dataclass(frozen=True)
class Drawn:
    """A case of a task that is asked about: its place, and the share of the task's cases that give the same value.

    `steps` is how many statements the program executes there that it is asked about.
    """

    place: int
    prior: float
    steps: int = 0


def drawn(task: Task, count: int, seed: int, draw: int) -> list[Drawn]:
    """Some cases that can be asked about, another choice for each seed and draw; different values come first."""
    first, others, seen = list[Drawn](), list[Drawn](), set[str]()
    for one in _possible(task, Random(seed_of(seed, "cases", task.task_id, str(draw)))):
        text = canonical(task.cases[one.place].expected.value)
        (others if text in seen else first).append(one)
        seen.add(text)
        if len(first) == count:
            break
    return [*first, *others][:count]


def _possible(task: Task, random: Random) -> Iterator[Drawn]:
    """The cases whose call and value are short and can be written, and whose value is not most of the suite's."""
    values = Counter(
        canonical(case.expected.value) for case in task.cases if case.expected.kind == "returned")
    for place in random.sample(range(len(task.cases)), len(task.cases)):
        case = task.cases[place]
        if case.expected.kind != "returned" or case.expected.mutated is not None:
            continue
        prior = values[canonical(case.expected.value)] / len(task.cases)
        if prior <= COMMONEST and readable(_about(task, task.program, task.entry_point, case)):
            yield Drawn(place, prior)


def readable(task: Task) -> bool:
    """Whether the call and the value of a task's case are short, and are read back as what they are."""
    of = _predicting(task)
    try:
        call, value = of.call(task), of.value(task)
        of.giving(value, task)
        of.calling(call, task)
    except (ValueError, RecursionError):
        return False
    return len(call) <= LONGEST_CALL and len(value) <= LONGEST_VALUE and not _LONG_NUMBER.search(value)


def _predicting(task: Task) -> Predicting:
    found = language(task.language).predicting
    assert found is not None, task.language
    return found


def _about(task: Task, program: str, entry_point: str, case: Case) -> Task:
    """A task with one case, about a program that is shown."""
    return replace(
        task, entry_point=entry_point, cases=(case,), given=Frame(before=program), imports=_imports(program),
        lite=None, strategies="", comparison=Comparison(unordered=task.comparison.unordered), sufficiency=None,
        variants=(), undrawn=None, layers=None, members=None, excused=None, entry_score=None, contract=None,
        original=None, origin=task.task_id, raising=0.0, usual=1.0,
    )


@lru_cache(maxsize=64)
def _imports(program: str) -> tuple[str, ...]:
    """The import lines at the top of a program: what they bind is how its values are written."""
    body = ast.parse(program).body
    return tuple(ast.unparse(one) for one in body if isinstance(one, (ast.Import, ast.ImportFrom))
                 and getattr(one, "module", "") != "__future__")


def about_program(
    task: Task, program: Program, one: Drawn, family: str, altered: Answer | None = None, reasoned: bool = False
) -> Task:
    """The task that asks about a program in one case; `altered` is what it gives where that is another value."""
    case = task.cases[one.place]
    renames = program.renames or {}
    kwargs = {renames.get(name, name): value for name, value in case.kwargs.items()}
    about = _about(task, program.program, program.entry_point, Case(case.args, kwargs, altered or case.expected))
    variation = Variation(
        program.chain, program.draw, program.seed, task.task_digest, one.place, one.prior, reasoned, one.steps)
    about = replace(about, variation=variation)
    return _asked(about, family, program.variant_id)


def about_description(task: Task, one: Drawn, seed: int, draw: int, reasoned: bool = False) -> Task:
    """The task that asks what the function of a description gives in one case."""
    about = _about(task, "", task.entry_point, task.cases[one.place])
    variation = Variation("", draw, seed, task.task_digest, one.place, one.prior, reasoned)
    about = replace(about, given=task.given, imports=task.imports, variation=variation)
    return _asked(about, OUTCOME_FAMILY, task.task_id)


def _asked(about: Task, family: str, of: str) -> Task:
    """The row of a family about a program, or a description, of that id."""
    words = _predicting(about)
    call, value = words.call(about), words.value(about)
    questions = {
        OUTPUT_FAMILY: words.assertion(call, ""), OUTCOME_FAMILY: about.instruction,
        INPUT_FAMILY: words.assertion(f"{about.entry_point}(...)", value),
    }
    assert about.variation is not None
    asked = about.variation
    how = ("reasoned",) if asked.reasoned else ()
    identity = digest(family, of, str(asked.case), str(asked.draw), str(asked.seed), *how)
    made = replace(
        about, task_id=f"c2b-{identity[:16]}", family=family, track=Track.named(family, None, about.language),
        signature=call, reference=call if family == INPUT_FAMILY else value, instruction=questions[family])
    return replace(made, task_digest=task_digest(made.instruction, made.cases, made.comparison, made.given))


def fitting(items: Sequence[Task]) -> list[Task]:
    """Those whose case can be written in the names of the program that it is about."""
    return [one for one in items if readable(one)]
