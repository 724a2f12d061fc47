"""Smaller inputs on which an answer and the reference still differ: for people, who see the fault in them sooner.

What comes out is no case of the task. It is found by greedy reduction of a failing case, as in delta debugging
(Zeller and Hildebrandt, 2002): parts are left out or made simpler as long as what is left keeps to the task's contract,
the reference gives a value for it, and the answer gives another one or none.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from harness.errors import SandboxFailed
from harness.families.registry import family_of
from harness.languages import Call, CallOutcome, Execution, Language, Machine
from harness.languages.registry import language
from harness.records import Answer, Case, Json, Task, canonical_json
from harness.sandbox import Limits

ROUNDS, VARIANTS = 8, 60
"""How often a smaller input is looked for, and among how many."""
_ASKED = 600
"""Of how many it is asked whether they keep to the contract."""
_LIMITS = Limits(cpu_seconds=20.0, wall_seconds=120.0)
_CALL_SECONDS = 0.5
_WITHIN = "within_contract"
_CONTRACT = """
import ast, inspect
within_modules = {{}}
within_trees = [ast.parse(condition) for condition in {conditions}]
for within_name in {{node.id for tree in within_trees for node in ast.walk(tree) if isinstance(node, ast.Name)}}:
    try:
        within_modules[within_name] = __import__(within_name)
    except ImportError:
        pass  # A parameter, a built-in function, or a name that the condition binds itself.

def {name}(*args, **kwargs):
    given = inspect.signature({entry_point}).bind(*args, **kwargs)
    given.apply_defaults()
    return all(eval(condition, within_modules | given.arguments) for condition in {conditions})
"""


@dataclass(frozen=True)
class Shrunk:
    """An input with what the reference gives for it, and what became of the answer."""

    case: Case
    outcome: CallOutcome


def shrunk(task: Task, solution: str, failing: Case, machine: Machine) -> Shrunk | None:
    """The smallest input that was found below a failing case, None where there is none; both run in the sandbox."""
    best: Shrunk | None = None
    if task.variation is not None:
        return None  # An answer is a value, or a call, and speaks of its own case alone.
    for _ in range(ROUNDS):
        case = best.case if best else failing
        smaller = sorted(_variants(case, language(task.language)), key=_size)
        found = next(_differing(task, solution, _within(task, smaller, machine)[:VARIANTS], machine), None)
        if found is None:
            break
        best = found
    return best


def _within(task: Task, cases: Sequence[Case], machine: Machine) -> Sequence[Case]:
    """Those of the inputs that keep to the contract of the task; a condition that can't be decided is not kept."""
    if not task.contract:
        return cases
    program = family_of(task).program(task, task.reference).program + _CONTRACT.format(
        name=_WITHIN, entry_point=task.entry_point, conditions=task.contract)
    asked = cases[:_ASKED]
    calls = [Call(case.args, case.kwargs, _CALL_SECONDS) for case in asked]
    execution = Execution(program, _WITHIN, calls, _LIMITS, lenient=True)
    try:
        ran = language(task.language).running.run_calls(execution, machine)
    except SandboxFailed:
        return []
    answers = [outcome.answer for outcome in ran.outcomes]
    return [case for case, answer in zip(asked, answers, strict=False) if answer is not None and answer.value is True]


def _differing(task: Task, solution: str, cases: Sequence[Case], machine: Machine) -> Iterator[Shrunk]:
    """Those of the inputs on which the two differ, the smallest first, where the reference gives a value."""
    calls = [Call(case.args, case.kwargs, _CALL_SECONDS) for case in cases]
    if not calls:
        return
    run_calls = language(task.language).running.run_calls
    programs = (family_of(task).program(task, answer).program for answer in (task.reference, solution))
    try:
        right, given = (run_calls(Execution(program, task.entry_point, calls, _LIMITS, lenient=True), machine)
                        for program in programs)
    except SandboxFailed:
        return
    for case, expected, outcome in zip(cases, right.outcomes, given.outcomes, strict=False):
        known = expected.answer
        if known is None or known.kind != "returned" or not _differs(known, outcome, task):
            continue
        yield Shrunk(Case(case.args, case.kwargs, known), outcome)


def _differs(expected: Answer, outcome: CallOutcome, task: Task) -> bool:
    agree = language(task.language).values.agree
    return outcome.answer is None or bool(agree(expected, outcome.answer, task.comparison))


def _size(case: Case) -> int:
    return len(canonical_json([list(case.args), case.kwargs]))


def _variants(case: Case, of: Language) -> Iterator[Case]:
    """The inputs that are one step smaller."""
    known = _size(case)
    given: list[Json] = [list(case.args), case.kwargs]
    places = [(0, place) for place in range(len(case.args))] + [(1, name) for name in case.kwargs]
    for side, place in places:
        old = given[side][place]
        for new in of.values.smaller(old):
            args = tuple(new if (side, place) == (0, n) else one for n, one in enumerate(case.args))
            kwargs = {name: new if (side, place) == (1, name) else one for name, one in case.kwargs.items()}
            made = Case(args, kwargs, case.expected)
            if _size(made) < known or isinstance(old, (int, float)):
                yield made
