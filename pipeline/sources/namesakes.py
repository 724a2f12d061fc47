"""The stage that asks whether an older function of its name already gave the answers of a function.

Then the code is new and the task is not: whoever knows the project knows what is asked for.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from harness.languages import Batch, Call, Machine, Run
from harness.languages.registry import language as harness_language
from harness.runtime import find_runtime
from harness.sandbox import Limits, choose
from pipeline.config import MineConfig
from pipeline.languages import Language
from pipeline.languages.registry import language
from pipeline.records import Function, LockedSource, Reason, Rejection, Suite, reject_function
from pipeline.sources import Reading, Unusable, persisting
from pipeline.sources.adapters import past_of
from pipeline.sources.novelty import Known
from pipeline.sources.project_files import Projects
from pipeline.stage import Context

MOST = 12
"""How many older functions of a name are asked, those of the newest states."""
_CALL_SECONDS = 1.0
_LIMITS = Limits(cpu_seconds=2.0, wall_seconds=60.0)

_ByName = Mapping[str, Sequence[Known]]


@dataclass(frozen=True)
class NamesakesStage:
    """Suite -> Suite: what an older function of the same name answers alike, on all cases, leaves.

    What they do to their arguments does not count. The older one stands in the place of the function, beside what that
    is given, so one that needs something else of its old file is not known by it. `lock` names the projects, whose
    pasts are read as mining has read them.
    """

    config: MineConfig = field(default_factory=MineConfig)
    lock: Path | None = None
    name: str = "namesakes"
    takes: type = Suite
    gives: type = Suite
    shard_size: int = 32
    fan_out: bool = False

    def run(self, records: Sequence[Suite], context: Context) -> Iterator[Suite | Rejection]:
        """Yield the records in their order; the past of each project is read once."""
        names: dict[tuple[str, str], set[str]] = defaultdict(set)
        for record in records:
            function = record.candidate.function
            names[function.provenance.project, function.language].add(_bare(function.qualified))
        past = {place: self._past(*place, wanted, context) for place, wanted in names.items()}
        for record in records:
            function = record.candidate.function
            older = past[function.provenance.project, function.language].get(_bare(function.qualified))
            if older and (known := answering_alike(record, older, _machine(function, context))):
                evidence = f"{known} gives the same answers to all of its {len(record.cases)} cases"
                yield reject_function(
                    self.name, function, Reason.PRIOR_TO_CUTOFF, evidence, record.candidate.track)
            else:
                yield record

    def _past(self, project: str, spoken: str, names: Collection[str], context: Context) -> _ByName:
        try:
            if self.lock is None:
                raise Unusable(Reason.PROJECT_GONE, "there is no lock")
            locked = Projects(self.lock, self.config, context).locked(project)
            return persisting(partial(_past, locked, language(spoken), names, self.config, context))
        except Unusable:  # mining has read it, so it is gone since then
            return {}


def _machine(function: Function, context: Context) -> Machine:
    return Machine(choose(), find_runtime(context.runtime, function.language))


def _bare(name: str) -> str:
    return name.strip("_")


def _past(
    locked: LockedSource, spoken: Language, names: Collection[str], config: MineConfig, context: Context
) -> _ByName:
    """The functions of these names that are no methods, each text once, those of the newest states first."""
    reading = Reading(locked, config, context, spoken.layout.suffixes)
    found: dict[str, dict[str, Known]] = defaultdict(dict)
    past = past_of(reading, spoken.reading)
    named = (one for one in past if one.qualified == one.name and _bare(one.name) in names)
    for known in sorted(named, key=lambda one: one.order):
        found[_bare(known.name)].setdefault(known.fingerprint, known)
    return {name: list(texts.values())[:MOST] for name, texts in found.items()}


def answering_alike(suite: Suite, older: Sequence[Known], machine: Machine) -> Known | None:
    """The first of the older functions that gives the suite's answers to all of its cases; raises `SandboxFailed`."""
    function, spoken = suite.candidate.function, harness_language(suite.candidate.function.language)
    programs = [_placed(suite.candidate.program, function, known) for known in older]
    calls = [Call(case.args, case.kwargs, _CALL_SECONDS) for case in suite.cases]
    runs = spoken.running.run_variants(Batch(programs, function.name, calls, _LIMITS), machine)
    return next((known for known, run in zip(older, runs, strict=True) if _is_alike(suite, run)), None)


def _placed(program: str, function: Function, known: Known) -> str:
    """The program with an older function behind it, under the name of the one that is asked for."""
    source = harness_language(function.language).answers.also_named(known.source, known.name, function.name)
    return f"{program}\n\n{source}\n"


def _is_alike(suite: Suite, run: Run) -> bool:
    if run.load_error is not None or len(run.outcomes) < len(suite.cases):
        return False
    agree = harness_language(suite.candidate.function.language).values.agree
    rule = replace(suite.comparison, mutation=False)
    return all(
        outcome.answer is not None and not agree(case.expected, outcome.answer, rule, outcome.bases)
        for case, outcome in zip(suite.cases, run.outcomes, strict=True)
    )
