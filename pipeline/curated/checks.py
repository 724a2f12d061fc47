"""What can be wrong with a maintainer's file before anything is run."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from pipeline.records import Candidate, Curated
from pipeline.suites.domain.contract import faults
from pipeline.suites.instrument.branch_coverage import Measure
from pipeline.suites.llm.strategy_code import Unfit, as_function
from pipeline.suites.subject import Subject

MOST_EXAMPLES = 7


def fault_of(curated: Curated, candidate: Candidate) -> str:
    """The first thing that is wrong, in a sentence, "" where nothing is."""
    return next(_faults(curated, candidate), "")


def _faults(curated: Curated, candidate: Candidate) -> Iterator[str]:
    if not curated.text:
        yield "There is no text below the header: write the docstring there."
    if ">>>" in curated.text or '"""' in curated.text:
        yield "The text holds examples or quotes: give calls as `examples` in the header, and write prose alone."
    yield from faults(curated.contract, candidate.program, candidate.function.name)
    if "st.nothing()" in curated.strategies:
        yield "The strategies are not written yet: put what callers pass in the place of each st.nothing()."
    elif curated.strategies:
        try:
            as_function(curated.strategies, "asked_1", candidate.program)
        except Unfit as unfit:
            yield f"The strategies can't be used. {unfit}"
    if len(curated.examples) > MOST_EXAMPLES:
        yield f"There are {len(curated.examples)} examples, more than {MOST_EXAMPLES}."
    yield from _claims(curated, candidate)
    yield from _programs(curated, candidate.function.name)
    for call in curated.examples:
        try:
            made = ast.parse(f"f({call})", mode="eval").body
        except (SyntaxError, ValueError):
            made = None
        if not isinstance(made, ast.Call):
            yield f"The example {call!r} is no list of arguments, such as \"[1, 2], most=3\"."


def _programs(curated: Curated, name: str) -> Iterator[str]:
    """Wrong answers that are no programs with the function."""
    for number, program in enumerate(curated.wrong, 1):
        try:
            body = ast.parse(program).body
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            body = []
        if not any(isinstance(node, ast.FunctionDef) and node.name == name for node in body):
            yield f"Wrong answer {number} is no Python that defines {name} at its top: write the whole function."
            return


def _claims(curated: Curated, candidate: Candidate) -> Iterator[str]:
    """Claims that are none, or that say nothing of a member's branches that rules don't prove."""
    for claim in curated.unreachable:
        if not claim.partition(": ")[2].strip():
            yield f"unreachable: {claim!r} gives no reason: put a colon and the reason behind the branch."
            return
    if not curated.unreachable:
        return
    measure = Measure(Subject.of(candidate.program, candidate.function.name))
    open_ones, proved = {str(goal) for goal in measure.goals if goal.member}, set(map(str, measure.excused))
    for claim in curated.unreachable:
        where = claim.partition(": ")[0]
        if where not in open_ones:
            known = "is proved already" if where in proved else "is no branch or line of a member"
            yield f"unreachable: {where} {known}: take it out, or name what the gates call missing."
