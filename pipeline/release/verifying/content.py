"""What a row says of itself: its form, its texts, its cases, each against the others and the configuration."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace

from harness.records import (
    BLIND,
    CANARY,
    MAINTAINER,
    SCHEMA_VERSION,
    VERSIONS,
    Comparison,
    Dependence,
    Difficulty,
    Task,
    Track,
    task_id,
)
from harness.releases.rows import task_digest
from pipeline.config import ReleaseConfig
from pipeline.families.registry import family, taken
from pipeline.languages.registry import language
from pipeline.packaging.flags import flags_of
from pipeline.release.verifying import Evidence, is_held, is_known
from pipeline.suites.oracle import watched
from pipeline.suites.selection.mutation_score import MOST_MUTANTS
from pipeline.suites.selection.select import LITE

_NAMES = re.compile(rf"llm:.+|{MAINTAINER}|[a-z]+-\d+")
"""What judges and writers are called."""


def form(task: Task, evidence: Evidence) -> Iterator[str]:
    """Whether the columns hold what they can hold at all, and what the configuration lets them."""
    if task.schema_version not in VERSIONS:
        yield f"schema_version is {task.schema_version}"
    if task.canary != CANARY:
        yield "the canary is not ours"
    if task.track not in {Track.named(task.family, one, task.language) for one in (*Dependence, None)}:
        yield f"there is no track {task.track!r}"
    if not is_known(task):
        yield f"there is no family {task.family!r} for {task.language!r}"
    if task.difficulty not in set(Difficulty):
        yield f"there is no difficulty {task.difficulty!r}"
    if not task.judged_by or not task.instructed_by:
        yield "it is not said who judged and who instructed"
    if evidence.config is not None and is_held(task) and is_known(task):
        yield from _as_configured(task, evidence.config)
    if len(task.cases) != len(set(_inputs(task))):
        yield "two cases have the same input"


def _inputs(task: Task) -> Iterator[str]:
    for case in task.cases:
        yield repr((case.args, case.kwargs))


def _as_configured(task: Task, config: ReleaseConfig) -> Iterator[str]:
    """What the configuration has decided about every task."""
    if task.family not in {one.name for one in taken(config.families.take)}:
        yield f"the release takes no family {task.family!r}"
    judges, writer = config.judge.models, config.instruct.model
    solvers = {config.models[name].model for name in config.instruct.solvers}
    if task.judged_by.startswith("llm:") > bool(judges):
        yield f"{task.judged_by} can't have judged: the configuration names no such model"
    if (task.instructed_by.startswith("llm:") or bool(task.variants)) > bool(writer):
        yield f"{task.instructed_by} can't have written: the configuration names no such model"
    tried = {one for one in task.sufficiency.solvers if not one.startswith(BLIND)} if task.sufficiency else set()
    if task.sufficiency is not None and not tried <= solvers:
        yield f"{', '.join(task.sufficiency.solvers)} can't have tried: the configuration names no such models"
    for name, text in (("judged_by", task.judged_by), ("instructed_by", task.instructed_by)):
        if not _NAMES.fullmatch(text):
            yield f"{name} is {text!r}, which nobody is called"
    if found := flags_of(task, config.package.leave_out):
        yield f"it is flagged ({', '.join(found)}), and the release leaves such tasks out"
    if len(task.cases) < config.suite.min_cases:
        yield f"there are {len(task.cases)} cases, the least is {config.suite.min_cases}"
    rule = Comparison(unordered=task.comparison.unordered, mutation=task.comparison.mutation)
    # Rows of before were compared by their arguments only where the reference changes some.
    changing = any(case.expected.mutated is not None for case in task.cases)
    looking = watched(task.cases) if task.schema_version == SCHEMA_VERSION else changing
    if task.comparison != rule or task.comparison.mutation != looking:
        yield f"the comparison is {task.comparison}, but the cases ask for {replace(rule, mutation=looking)}"


def content(task: Task, _: Evidence) -> Iterator[str]:
    """Whether reference, instruction, cases and the numbers on them are those of one task."""
    every = language(task.language).reading.definitions(task.reference)
    definitions = [definition for definition in every if definition.qualified == task.entry_point]
    if not definitions:
        yield "the reference does not define the entry point"
        return
    own = task.original or task.entry_point
    function = task_id(task.language, own, definitions[-1].fingerprint)
    other = task_id(task.language, own, definitions[-1].fingerprint, task.family)
    if (task.task_id, task.origin) not in ((function, None), (other, function)):
        yield "the id is not that of the reference"
    if task.task_digest != task_digest(task.instruction, task.cases, task.comparison, task.given):
        yield "the digest is not that of instruction, cases and comparison"
    if task.signature not in task.instruction:
        yield "the instruction lacks the signature"
    yield from (f"the instruction lacks {line!r}" for line in task.imports if line not in task.instruction)
    yield from (f"the reference lacks {line!r}" for line in task.imports if line not in task.program)
    raising = sum(c.expected.kind == "raised" for c in task.cases) / len(task.cases)
    if abs(raising - task.raising) > 1e-9:
        yield f"raising is {task.raising}, but {raising} of the cases raise"
    if not 0 <= task.usual <= 1:
        yield f"usual is {task.usual}, which is no share"
    usual = task.usual * len(task.cases)
    if is_held(task) and abs(usual - round(usual)) > 1e-6:
        yield f"usual is {task.usual}, which is no share of {len(task.cases)} cases"
    if fault := language(task.language).programs.fault(task.strategies):
        yield f"the strategies do not parse ({fault})"


def wordings(task: Task, _: Evidence) -> Iterator[str]:
    """Each other wording is a stub of the same function, without examples; solvers solved no more than they tried."""
    found = task.sufficiency
    if found is not None and not 0 <= found.solved <= found.attempts:
        yield f"{found.solved} of {found.attempts} attempts are said to have solved it"
    places = [(one.kind, one.level, one.number, one.language) for one in task.variants]
    if len(set(places)) < len(places):
        yield "two wordings have the same place"
    for one, place in zip(task.variants, places, strict=True):
        if task.signature not in one.text or not one.author or ">>>" in one.text:
            yield f"the wording {place} lacks the signature or its author, or holds examples"
        if fault := language(task.language).programs.fault(one.text):
            yield f"the wording {place} does not parse ({fault})"


def cases(task: Task, _: Evidence) -> Iterator[str]:
    """No answer without thought passes most cases, and the lite selection is one."""
    objection = family(task.family).weakness(task)
    if objection:
        yield objection
    lite = task.lite
    if lite is None:
        return
    if list(lite) != sorted(set(lite)):
        yield "the lite selection is not in order, or names a case twice"
    if len(lite) > LITE[1] + MOST_MUTANTS:
        yield f"the lite selection has {len(lite)} cases"
