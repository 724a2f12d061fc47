"""Every gate that a release has to pass, run again on the finished files."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator
from dataclasses import replace
from itertools import islice
from pathlib import Path

from harness.errors import UserError
from harness.languages import Machine
from harness.locations import location, whole
from harness.records import BLIND, SCHEMA_VERSION, Sufficiency, Task
from harness.releases.dataset import Release, load_release
from harness.releases.veil import veil_key
from harness.runtime import Consent, announced, ensure_runtime
from harness.sandbox.choice import BUBBLEWRAP, choose
from harness.scoring.evaluate import cores
from harness.scoring.judging import judge_all
from pipeline import store
from pipeline.classify.libraries import list_of
from pipeline.classify.libraries import load as load_libraries
from pipeline.config_file import load_config
from pipeline.curated.answers import BlindAnswer, published, tried
from pipeline.families.registry import family
from pipeline.llm import Exchange
from pipeline.progress import Progress, say
from pipeline.records import LockedSource, Rejection
from pipeline.release.asked import ANSWERS, faults
from pipeline.release.coverage import Recount, recounted
from pipeline.release.inputs import LIBRARIES
from pipeline.release.verifying import Evidence, Finding, is_held, is_known
from pipeline.release.verifying.analysis import analysis, strength
from pipeline.release.verifying.content import cases, content, form, wordings
from pipeline.release.verifying.examples import false_examples
from pipeline.release.verifying.files import files
from pipeline.release.verifying.manifest import manifest
from pipeline.release.verifying.provenance import provenance
from pipeline.sources.lock import read_lock


def verify(
    where: str, workers: int = 0, sandbox: str = BUBBLEWRAP, consent: Consent = announced
) -> list[Finding]:
    """Run all gates; an empty list says that the release passes. Raises `UserError` where there is no release.

    What a release can't show by itself is not held: that archives and commits are what the lock says of them, which
    cases the search has found and which of them are usual, that mutants fail, how an author's words became an
    instruction, and who among models said what. Of rows from before version 6, which were made by other rules, less is
    held: no dates but the window's, nothing by configuration, no card. `consent` is told before the runtime is made.
    """
    try:
        release = load_release(where, whole=False)
    except UserError as error:
        if not location(where).is_dir():
            raise
        return [Finding("files", str(location(where)), str(error))]
    for note in release.notes:
        say(f"Note: {note}")
    with whole(release.folder) as here:
        try:
            evidence = _evidence(release, here)
        except UserError as error:
            return [Finding("files", str(here), str(error))]
        answers = list(store.read(here / ANSWERS, Exchange)) if (here / ANSWERS).is_file() else []
        found = [*manifest(evidence), *files(evidence)]
        found += [Finding("answers", ANSWERS, what) for what in faults(answers, release.tasks)]
        for task in release.tasks:
            for gate, check in GATES.items() if is_known(task) else [("form", form)]:
                found += [Finding(gate, task.task_id, what) for what in check(task, evidence)]
    return [*found, *_runs(release, workers, sandbox, consent), *_blind(evidence, sandbox, consent)]


def _evidence(release: Release, here: Path) -> Evidence:
    decisions = read_lock(here / "sources.lock")
    locked = {one.source.name: one for one in decisions if isinstance(one, LockedSource)}
    lists = {task.language: here / list_of(LIBRARIES, task.language) for task in release.tasks}
    libraries = {language: load_libraries(path) for language, path in lists.items()}
    refused = tuple(one for one in decisions if isinstance(one, Rejection))
    held = SCHEMA_VERSION in {release.manifest["schema_version"], *(task.schema_version for task in release.tasks)}
    config = load_config(here / "release.toml") if held else None
    blind: dict[str, list[BlindAnswer]] = defaultdict(list)
    for one in published(here, veil_key(release.manifest)):
        blind[one.task].append(one)
    return Evidence(release, here, locked, libraries, refused, config, blind)


GATES: dict[str, Callable[[Task, Evidence], Iterator[str]]] = {
    "form": form,
    "provenance": provenance,
    "content": content,
    "wordings": wordings,
    "cases": cases,
    "analysis": analysis,
    "strength": strength,
}
"""What can be checked without running anything, by name."""


def _blind(evidence: Evidence, sandbox: str, consent: Consent) -> Iterator[Finding]:
    """Judge the blind answers again: rows say of no more of them, and of no other, than what they are worth."""
    release, found = evidence.release, dict[str, Sufficiency]()
    if evidence.blind:
        machine = Machine(choose(kind=sandbox), ensure_runtime(release.lock, consent=consent))
        found = tried([task for task in release.tasks if is_known(task)], evidence.blind, machine)
    for task in release.tasks:
        said = task.sufficiency
        by_people = said is not None and any(one.startswith(BLIND) for one in said.solvers)
        if (by_people or task.task_id in found) and said != found.get(task.task_id):
            yield Finding("blind answers", task.task_id, f"the row says {said}, but they are {found.get(task.task_id)}")


def _of_strategies(task: Task, found: Recount) -> str:
    """What is wrong with what the row says of its printed test, "" where nothing is."""
    if found.fault:
        return f"the strategies can't be drawn from: {found.fault}"
    said, here = task.undrawn or (), found.undrawn
    return "" if said == here else f"the strategies do not take {list(here)}, but the row says {list(said)}"


def _runs(release: Release, workers: int, sandbox: str, consent: Consent) -> Iterator[Finding]:
    """The dry run again (references must be perfect, stubs must not), coverage.py's word, and the printed tests."""
    machine = Machine(choose(kind=sandbox), ensure_runtime(release.lock, consent=consent))
    tasks = [task for task in release.tasks if is_known(task)]
    jobs = [(t, answer) for t in tasks for answer in (t.reference, *family(t.family).stubs(t))]
    verdicts = judge_all(jobs, machine, workers or cores(), tasks=tasks)
    with Progress("verify", len(tasks)) as progress:
        for task in tasks:
            own = family(task.family)
            objection = own.objection(task, list(islice(verdicts, 1 + len(own.stubs(task)))))
            if objection:
                yield Finding("dry run", task.task_id, objection)
            if not objection and is_held(task):
                for called in false_examples(task, machine):
                    yield Finding("examples", task.task_id, f"the reference does not give what is shown for {called}")
            found = Recount(()) if objection else recounted(task, machine, task.strategies)
            if found.missing or task.strength.branch_coverage != 1.0:
                yield Finding("coverage", task.task_id, f"not every branch is taken: {', '.join(found.missing)}")
            if not objection and found.excused != (task.excused or ()):
                said = f"{list(found.excused)} is out of reach, but the row says {list(task.excused or ())}"
                yield Finding("coverage", task.task_id, said)
            if found.outside:
                yield Finding("contract", task.task_id, f"{found.outside} cases do not keep to the contract")
            if not objection and task.strategies and (what := _of_strategies(task, found)):
                yield Finding("strategies", task.task_id, what)
            if not objection and task.lite is not None:
                few = replace(task, cases=tuple(task.cases[place] for place in task.lite))
                missing = recounted(few, machine).missing
                if missing:
                    yield Finding("lite", task.task_id, f"not every branch is taken: {', '.join(missing)}")
            progress.advance(1)
