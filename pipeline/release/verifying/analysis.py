"""What can be found again from a row's own reference: track, libraries, measures, difficulty, and its mutants."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from math import isclose

from harness.records import FIRST_FAMILY, MAINTAINER, WHOLE_FAMILY, Dependence, Task, Track
from pipeline.classify.bundles import Bundle, Refused, closed, fingerprint
from pipeline.curated.answers import ratings_of
from pipeline.judge.difficulty import assess, by_solvers
from pipeline.languages.members import Kind
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language
from pipeline.records import Candidate, Function
from pipeline.release.verifying import Evidence, is_held
from pipeline.screen.stage import measure, measure_whole
from pipeline.sources.licence import is_permissive
from pipeline.stage import seed_of
from pipeline.suites.selection.mutation_score import MOST_OF_HIGHER_ORDER, first_order
from pipeline.transforms.altering.higher_order import higher_order


def analysis(task: Task, evidence: Evidence) -> Iterator[str]:
    """Track, libraries and measures, found again from the reference alone."""
    spoken = language(task.language)
    try:
        own = measures = measure(spoken.flow.read(task.program, task.entry_point))
        if task.family == WHOLE_FAMILY:
            measures = measure_whole(task.program, task.entry_point, task.members or (), spoken)
    except Unreadable as error:
        yield f"the reference can't be read ({error})"
        return
    if measures != task.measures:
        yield f"the measures are {task.measures}, but the reference has {measures}"
    try:
        found = closed(task.program, task.entry_point, spoken, evidence.libraries[task.language])
    except Refused as refusal:
        yield f"the reference is not self-contained: {refusal.evidence}"
        return
    dependence = Dependence.WSC if found.libraries else Dependence.SC
    tracks = {Track.named(task.family, one, task.language) for one in (dependence, None)}
    if task.track not in tracks or found.libraries != task.libraries:
        yield f"{task.track} with {list(task.libraries)}, but it is {dependence} with {list(found.libraries)}"
    yield from _members(task, found, _in_its_project(task, found, evidence))
    if is_held(task):
        yield from _difficulty(replace(task, measures=own), ratings_of(task, evidence.blind))


def _in_its_project(task: Task, found: Bundle, evidence: Evidence) -> Bundle:
    """What the function needs as its project has it, where members that call it name it as it is called there."""
    if task.original is None or not task.members:
        return found
    spoken = language(task.language)
    try:
        program = spoken.programs.renamed(task.program, task.entry_point, task.original)
        return closed(program, task.original, spoken, evidence.libraries[task.language])
    except (Refused, Unreadable):
        return found


def _members(task: Task, found: Bundle, before: Bundle) -> Iterator[str]:
    """Whether what is given is what the function needs, no less and no more, and the row tells of all of it.

    `before` is the bundle in the project's own words, of which members have their fingerprints.
    """
    spoken, told = language(task.language), task.members or ()
    there = [
        (part.name, str(part.kind), fingerprint(part, spoken)) for part in before.parts if not before.is_again(part)]
    if there != [(one.names, one.kind, one.fingerprint) for one in told]:
        yield f"the members are {[one.names for one in told]}, but it needs {[name for name, _, _ in there]}"
    if (found.layers if there else None) != task.layers:
        yield f"it has {task.layers} layers, but there are {found.layers}"
    if task.given is not None and found.before_of(task.program) != task.given.before.rstrip("\n"):
        yield "what is given is not what it needs"
    held = [one.names for one in told if task.given is None and one.kind != Kind.CONSTANT and not one.new]
    if held:
        yield f"{held[0]} is not given, but it is no new function"
    for one in told:
        if not is_permissive(one.licence) or not one.path.endswith(spoken.layout.suffixes) or not one.line_start > 0:
            yield f"the member {one.names} stands in {one.path}, line {one.line_start}, under {one.licence!r}"


def _difficulty(task: Task, ratings: Sequence[str]) -> Iterator[str]:
    """The difficulty by the rules, of the function's own measures; what models have said is no function of the row."""
    if task.judged_by.startswith("llm:") or task.judged_by == MAINTAINER:
        return
    facts = language(task.language).facts.read(task.program, task.entry_point)
    looks, reasons = assess(facts, _candidate(task))
    difficulty, _ = by_solvers(looks, "", task.sufficiency, ratings)
    if difficulty != task.difficulty:
        yield f"the difficulty is {task.difficulty}, but by the rules {difficulty} ({reasons[0]})"


def _candidate(task: Task) -> Candidate:
    """The candidate that a task was, as far as its row tells."""
    name = task.entry_point
    function = Function(task.task_id, task.language, name, name, task.reference, "", "", task.provenance)
    return Candidate(function, task.track, task.libraries, task.imports, task.program, task.measures)


def strength(task: Task, evidence: Evidence) -> Iterator[str]:
    """Whether the scores fit the mutants that the reference has; what the cases tell from it is not run again."""
    found, config = task.strength, evidence.config
    whole = task.family == FIRST_FAMILY or task.members is not None
    if config is None or not is_held(task) or not whole or task.language != "python":
        return
    seed = seed_of(config.seed, "mutants", task.origin or task.task_id)
    try:
        every, mutants = first_order(task.program, task.entry_point, seed)
    except LookupError:  # `content` says that the function is not there
        return
    several = higher_order(every, seed, MOST_OF_HIGHER_ORDER)
    yield from _scored("mutation_score", found.mutation_score, len(mutants))
    own = sum(not one.member for one in mutants)
    yield from _scored("entry_score", task.entry_score, own if own < len(mutants) else 0)
    yield from _scored("higher_order_score", found.higher_order_score, len(several))
    unknown = Counter(found.survivors) - Counter(map(str, mutants))
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
