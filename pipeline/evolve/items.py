"""What is asked about evolved programs and their originals: what a call gives, which call gives a value, a repair."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from random import Random

from harness.evolved import EVOLVED, REPAIR_FAMILY
from harness.languages.registry import language
from harness.records import TRANSLATION, Case, Frame, Program, Task, Track, Translation, Variation, digest
from harness.releases.rows import task_digest
from pipeline.config import EvolveConfig
from pipeline.evolve.making import ORIGINAL
from pipeline.evolve.rows import Bug, EvolvedProgram
from pipeline.stage import seed_of
from pipeline.vary.items import PROGRAMS, Drawn, about_program, fitting
from pipeline.vary.translation import translations

PLAIN = "Plain"
_FAILING, _PASSING = "These calls give something else than they should", "These are right, and have to stay so"
_FACTS = "{instruction}\n\n{failing}:\n\n{wrong}\n\n{passing}:\n\n{right}"
SHOWN = 2
"""Tests that stand beside a program that is to be translated."""
LONGEST = 400
"""Characters of a call with its value that is shown as a test."""


def predictions(task: Task, rows: Sequence[EvolvedProgram], cases: Sequence[Drawn], config: EvolveConfig) -> list[Task]:
    """The tasks of the families that show a program, about each version in the same cases."""
    families = [family for family in PROGRAMS if family in config.families]
    made = [
        about_version(task, row, case, family, config)
        for row in rows if row.program for family in families for case in cases]
    return fitting(made)


def about_version(task: Task, row: EvolvedProgram, case: Drawn, family: str, config: EvolveConfig) -> Task:
    """The task of a family about a version; by the imports of the original, values are written in all of them."""
    return replace(about_program(task, _program(row, config), case, family), imports=task.imports)


def _program(row: EvolvedProgram, config: EvolveConfig) -> Program:
    version, draw = _chain(row.version)
    return Program(
        f"c2e-{digest(row.parent_digest, row.version, row.program)[:16]}", row.task_id, row.parent_digest, row.track,
        version, (), draw, config.seed, row.entry_point, row.program, {})


def _chain(version: str) -> tuple[str, int]:
    """What a row calls a version, or another program of its front: the chain, and which of its programs."""
    return (PLAIN, 0) if version == ORIGINAL else (EVOLVED, int(version.removeprefix("v").partition("-")[0]))


def repairs(task: Task, rows: Sequence[EvolvedProgram], bugs: Sequence[Bug], config: EvolveConfig) -> Iterator[Task]:
    """The tasks that ask to repair a version; the correct version is the reference."""
    programs = {row.version: row for row in rows}
    for bug in bugs if REPAIR_FAMILY in config.families else ():
        if not bug.program:
            continue
        version, draw = _chain(bug.version)
        row = programs[bug.version]
        variation = Variation(version, draw, config.seed, task.task_digest, bug.order, 0.0)
        text = _FACTS.format(
            instruction=task.instruction.rstrip(), failing=_FAILING, wrong=tests(task, bug.failing), passing=_PASSING,
            right=tests(task, bug.passing))
        identity = digest(REPAIR_FAMILY, row.version, row.program, bug.program)
        made = replace(
            task, task_id=f"c2b-{identity[:16]}", family=REPAIR_FAMILY,
            track=Track.named(REPAIR_FAMILY, None, task.language), reference=row.program, given=Frame(bug.program),
            lite=None if task.lite is None else tuple(sorted({*task.lite, *bug.failing})), instruction=text,
            variation=variation, origin=task.task_id, strategies="", sufficiency=None, variants=(), undrawn=None,
            layers=None, members=None, excused=None, entry_score=None, contract=None)
        yield replace(made, task_digest=task_digest(made.instruction, made.cases, made.comparison, made.given))


def to_java(task: Task, rows: Sequence[EvolvedProgram], config: EvolveConfig) -> tuple[Translation, ...]:
    """What asks for each version in Java, with two tests; none where the family is not asked for."""
    if TRANSLATION not in config.families:
        return ()
    places = writable(task)
    chosen = Random(seed_of(config.seed, "tests", task.task_id)).sample(places, min(SHOWN, len(places)))
    shown = tests(task, sorted(chosen)) if chosen else ""
    return tuple(translations(task, [_program(row, config) for row in rows if row.program], shown))


def tests(task: Task, places: Sequence[int]) -> str:
    """Some cases as assertions, in a block."""
    return "```python\n" + "\n".join(test_of(task, task.cases[place]) for place in places) + "\n```"


def test_of(task: Task, case: Case) -> str:
    """A case as an assertion; raises `ValueError` where it can't be written so."""
    of = language(task.language).predicting
    if of is None or case.expected.kind != "returned" or case.expected.mutated is not None:
        raise ValueError("it is no call that gives a value")
    one = replace(task, cases=(case,), given=None)
    return of.assertion(of.call(one), of.value(one))


def writable(task: Task) -> list[int]:
    """The places of cases that can be shown as tests, short enough to be read."""
    found = []
    for place, case in enumerate(task.cases):
        try:
            if len(test_of(task, case)) <= LONGEST:
                found.append(place)
        except (ValueError, RecursionError):
            continue
    return found
