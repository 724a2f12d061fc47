"""What can be found again from a row's own reference: track, libraries, measures, difficulty, and its mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import isclose

from harness.records import FIRST_FAMILY, Dependence, Task, Track
from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.judge.difficulty import assess
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function
from pipeline.release.verifying import Evidence, is_held
from pipeline.screen.stage import measure
from pipeline.stage import seed_of
from pipeline.suites.selection.mutation_score import MOST_OF_HIGHER_ORDER, drawn
from pipeline.transforms.higher_order import higher_order
from pipeline.transforms.mutants import Mutants


def analysis(task: Task, evidence: Evidence) -> Iterator[str]:
    """Track, libraries and measures, found again from the reference alone."""
    spoken = language(task.language)
    try:
        flow = spoken.flow.read(task.reference, task.entry_point)
    except Unreadable as error:
        yield f"the reference can't be read ({error})"
        return
    if measure(flow) != task.measures:
        yield f"the measures are {task.measures}, but the reference has {measure(flow)}"
    module = read_module(task.reference, spoken.naming)
    unit = module.unit(task.entry_point, flow.line)
    found = classify(module, unit, evidence.libraries[task.language]) if unit else None
    if found is None or found.reason is not None:
        yield f"the reference is not self-contained: {found.evidence if found else 'it is not found'}"
        return
    dependence = Dependence(found.label.lower())
    libraries = () if dependence is Dependence.SC else found.libraries
    if Track.named(task.family, dependence, task.language) != task.track or libraries != task.libraries:
        yield f"{task.track} with {list(task.libraries)}, but it is {found.label} with {list(found.libraries)}"
    if is_held(task):
        yield from _difficulty(task)


def _difficulty(task: Task) -> Iterator[str]:
    """The difficulty by the rules; what models have said is no function of the row."""
    if task.judged_by.startswith("llm:"):
        return
    facts = language(task.language).facts.read(task.reference, task.entry_point)
    difficulty, reasons = assess(facts, _candidate(task))
    if difficulty != task.difficulty:
        yield f"the difficulty is {task.difficulty}, but by the rules {difficulty} ({reasons[0]})"


def _candidate(task: Task) -> Candidate:
    """The candidate that a task was, as far as its row tells."""
    name = task.entry_point
    function = Function(task.task_id, task.language, name, name, task.reference, "", "", task.provenance)
    return Candidate(function, task.track, task.libraries, task.imports, task.reference, task.measures)


def strength(task: Task, evidence: Evidence) -> Iterator[str]:
    """Whether the scores fit the mutants that the reference has; what the cases tell from it is not run again."""
    found, config = task.strength, evidence.config
    if config is None or not is_held(task) or task.family != FIRST_FAMILY or task.language != "python":
        return
    seed = seed_of(config.seed, "mutants", task.task_id)
    every = Mutants(task.reference, task.entry_point)
    mutants = [mutant for site in drawn(every.sites, seed) for mutant in every.written(site)]
    several = higher_order(every, seed, MOST_OF_HIGHER_ORDER)
    yield from _scored("mutation_score", found.mutation_score, len(mutants))
    yield from _scored("higher_order_score", found.higher_order_score, len(several))
    unknown = Counter(found.survivors) - Counter(f"line {one.line}: {one.operator}" for one in mutants)
    if unknown:
        yield f"the reference has no such mutant as {next(iter(unknown))!r}"
    if mutants and found.mutation_score is not None:
        told = round(1 - len(found.survivors) / len(mutants), 4)
        if not isclose(told, found.mutation_score, abs_tol=1e-4):
            yield f"the mutation score is {found.mutation_score}, but {len(found.survivors)} of {len(mutants)} survive"
        if found.mutation_score < config.suite.min_mutation_score:
            yield f"the mutation score is {found.mutation_score}, the least is {config.suite.min_mutation_score}"


def _scored(name: str, score: float | None, mutants: int) -> Iterator[str]:
    killed = None if score is None else score * mutants
    if (score is None) != (not mutants) or (killed is not None and abs(killed - round(killed)) > 0.0001 * mutants):
        yield f"{name} is {score}, but there are {mutants} mutants"
