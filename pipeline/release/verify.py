"""Every gate that a release has to pass, run again on the finished files."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import islice

from harness.errors import UserError
from harness.languages import Machine
from harness.locations import files_below, location, near
from harness.records import CANARY, VERSIONS, Dependence, Difficulty, Task, Track, task_id
from harness.releases.dataset import Release, load_release
from harness.releases.rows import row_digest, task_digest
from harness.runtime import ensure_runtime
from harness.sandbox.choice import BUBBLEWRAP, choose
from harness.scoring.evaluate import cores
from harness.scoring.judging import judge_all
from pipeline import store
from pipeline.classify.libraries import Libraries, list_of
from pipeline.classify.libraries import load as load_libraries
from pipeline.classify.module import read_module
from pipeline.classify.rules import classify
from pipeline.families.registry import families, family
from pipeline.languages.programs import Unreadable
from pipeline.languages.registry import language, languages
from pipeline.llm import Exchange
from pipeline.progress import Progress, say
from pipeline.records import LockedSource
from pipeline.release.asked import ANSWERS, faults
from pipeline.release.build import LIBRARIES
from pipeline.release.coverage import Recount, recounted
from pipeline.screen.stage import measure
from pipeline.sources.licence import is_permissive
from pipeline.sources.lock import read_lock
from pipeline.suites.selection.mutation_score import MOST_MUTANTS
from pipeline.suites.selection.select import LITE

HUBS_OWN = {".gitattributes", "advisories.json"}
"""What the Hub, or its default branch, adds to a release."""


@dataclass(frozen=True)
class Finding:
    """Something that is wrong with a release: which gate found it, in which file or task, in words."""

    gate: str
    where: str
    what: str


@dataclass(frozen=True)
class Evidence:
    """What a gate may look at besides the task: the release, its locked sources by project, libraries by language."""

    release: Release
    locked: dict[str, LockedSource]
    libraries: dict[str, Libraries]


def verify(where: str, workers: int = 0, sandbox: str = BUBBLEWRAP) -> list[Finding]:
    """Run all gates; an empty list says that the release passes. Raises `UserError` where there is no release."""
    try:
        release = load_release(where, whole=False)
    except UserError as error:
        if not location(where).is_dir():
            raise
        return [Finding("files", str(location(where)), str(error))]
    for note in release.notes:
        say(f"Note: {note}")
    decisions = read_lock(release.folder / "sources.lock")
    locked = {s.source.name: s for s in decisions if isinstance(s, LockedSource)}
    found = list(_manifest(release))
    with near(release.folder) as here:
        answers = list(store.read(here / ANSWERS, Exchange)) if (here / ANSWERS).is_file() else []
        found += [Finding("answers", ANSWERS, what) for what in faults(answers, release.tasks)]
        lists = {task.language: here / list_of(LIBRARIES, task.language) for task in release.tasks}
        libraries = {language: load_libraries(path) for language, path in lists.items()}
        evidence = Evidence(release, locked, libraries)
    for task in release.tasks:
        for gate, check in GATES.items() if _is_known(task) else [("form", _form)]:
            found += [Finding(gate, task.task_id, what) for what in check(task, evidence)]
    return found + list(_runs(release, workers, sandbox))


def _manifest(release: Release) -> Iterator[Finding]:
    manifest = release.manifest
    besides = {"manifest.json"} | (HUBS_OWN if release.revision else set())
    for name in sorted(files_below(release.folder) - set(manifest["files"]) - besides):
        yield Finding("files", name, "the manifest does not name this file")
    for track, entry in manifest["tracks"].items():
        own = [t for t in release.tasks if t.track == track]
        if row_digest(own) != entry.get("row_digest"):
            yield Finding("digest", track, "the rows' digest is not the manifest's")
    if manifest.get("canary") != CANARY:
        yield Finding("canary", "manifest.json", "the canary is not ours")
    if manifest["runtime"].get("sha256") != manifest["files"].get(manifest["runtime"]["lock"]):
        yield Finding("runtime", "manifest.json", "the runtime's hash is not that of its lock")


def _is_known(task: Task) -> bool:
    """Whether there are its language and its family."""
    return task.language in {one.name for one in languages()} and task.family in {one.name for one in families()}


def _form(task: Task, _: Evidence) -> Iterator[str]:
    if task.schema_version not in VERSIONS:
        yield f"schema_version is {task.schema_version}"
    if task.canary != CANARY:
        yield "the canary is not ours"
    if task.track not in {Track.named(task.family, dependence, task.language) for dependence in Dependence}:
        yield f"there is no track {task.track!r}"
    if not _is_known(task):
        yield f"there is no family {task.family!r} for {task.language!r}"
    if task.difficulty not in set(Difficulty):
        yield f"there is no difficulty {task.difficulty!r}"
    if not task.judged_by or not task.instructed_by:
        yield "it is not said who judged and who instructed"
    if len(task.cases) != len(set(_inputs(task))):
        yield "two cases have the same input"


def _inputs(task: Task) -> Iterator[str]:
    for case in task.cases:
        yield repr((case.args, case.kwargs))


def _provenance(task: Task, evidence: Evidence) -> Iterator[str]:
    origin, window = task.provenance, evidence.release.manifest["window"]
    if not is_permissive(origin.licence):
        yield f"the licence {origin.licence!r} is not permissive"
    for name, day in (("revision_date", origin.revision_date), ("first_seen", origin.first_seen)):
        if not window["after"] <= day[:10] < window["until"]:
            yield f"{name} {day} is outside the window"
    if not 0 <= origin.similarity < 1:
        yield f"similarity is {origin.similarity}"
    if not 0 < origin.line_start <= origin.line_end:
        yield f"lines {origin.line_start} to {origin.line_end} can't be"
    if not origin.path.endswith(language(task.language).layout.suffixes) or origin.path.startswith(("/", "..")):
        yield f"the path {origin.path!r} can't be"
    locked = evidence.locked.get(origin.project)
    if locked is None:
        yield f"sources.lock does not name {origin.project!r}"
        return
    said = {
        "source": (origin.source, locked.source.kind),
        "url": (origin.url, locked.url),
        "domain": (origin.domain, locked.source.domain),
        "task's domain": (task.domain, locked.source.domain),
        "archive": (origin.archive, locked.upper.file_name),
        "archive_sha256": (origin.archive_sha256, locked.upper.sha256),
        "baseline": (origin.baseline, locked.compared_with),
    }
    if origin.licence_source == locked.licence_source:  # else the file's own header counts
        said["licence"] = (origin.licence, locked.licence)
    elif origin.licence_source != f"the header of {origin.path}":
        said["licence_source"] = (origin.licence_source, locked.licence_source)
    if locked.source.kind == "pypi":  # in a repository, each function has the commit that brought it
        said["revision"] = (origin.revision, locked.upper.version)
    for name, (here, there) in said.items():
        if here != there:
            yield f"{name} is {here!r}, but sources.lock says {there!r}"


def _content(task: Task, _: Evidence) -> Iterator[str]:
    every = language(task.language).reading.definitions(task.reference)
    definitions = [definition for definition in every if definition.qualified == task.entry_point]
    if not definitions:
        yield "the reference does not define the entry point"
        return
    if task.task_id != task_id(task.language, task.entry_point, definitions[-1].fingerprint):
        yield "the id is not that of the reference"
    if task.task_digest != task_digest(task.instruction, task.cases, task.comparison):
        yield "the digest is not that of instruction, cases and comparison"
    if task.signature not in task.instruction:
        yield "the instruction lacks the signature"
    yield from (f"the instruction lacks {line!r}" for line in task.imports if line not in task.instruction)
    yield from (f"the reference lacks {line!r}" for line in task.imports if line not in task.reference)
    raising = sum(c.expected.kind == "raised" for c in task.cases) / len(task.cases)
    if abs(raising - task.raising) > 1e-9:
        yield f"raising is {task.raising}, but {raising} of the cases raise"
    if not 0 <= task.usual <= 1:
        yield f"usual is {task.usual}, which is no share"
    if fault := language(task.language).programs.fault(task.strategies):
        yield f"the strategies do not parse ({fault})"


def _wordings(task: Task, _: Evidence) -> Iterator[str]:
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


def _cases(task: Task, _: Evidence) -> Iterator[str]:
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


def _analysis(task: Task, evidence: Evidence) -> Iterator[str]:
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


GATES: dict[str, Callable[[Task, Evidence], Iterator[str]]] = {
    "form": _form,
    "provenance": _provenance,
    "content": _content,
    "wordings": _wordings,
    "cases": _cases,
    "analysis": _analysis,
}
"""What can be checked without running anything, by name."""


def _of_strategies(task: Task, found: Recount) -> str:
    """What is wrong with what the row says of its printed test, "" where nothing is."""
    if found.fault:
        return f"the strategies can't be drawn from: {found.fault}"
    said, here = task.undrawn or (), found.undrawn
    return "" if said == here else f"the strategies do not take {list(here)}, but the row says {list(said)}"


def _runs(release: Release, workers: int, sandbox: str) -> Iterator[Finding]:
    """The dry run again (references must be perfect, stubs must not), coverage.py's word, and the printed tests."""
    machine = Machine(choose(kind=sandbox), ensure_runtime(release.lock))
    tasks = [task for task in release.tasks if _is_known(task)]
    jobs = [(t, answer) for t in tasks for answer in (t.reference, *family(t.family).stubs(t))]
    verdicts = judge_all(jobs, machine, workers or cores(), tasks=tasks)
    with Progress("verify", len(tasks)) as progress:
        for task in tasks:
            own = family(task.family)
            objection = own.objection(task, list(islice(verdicts, 1 + len(own.stubs(task)))))
            if objection:
                yield Finding("dry run", task.task_id, objection)
            found = Recount(()) if objection else recounted(task, machine, task.strategies)
            if found.missing or task.strength.branch_coverage != 1.0:
                yield Finding("coverage", task.task_id, f"not every branch is taken: {', '.join(found.missing)}")
            if not objection and task.strategies and (what := _of_strategies(task, found)):
                yield Finding("strategies", task.task_id, what)
            if not objection and task.lite is not None:
                few = replace(task, cases=tuple(task.cases[place] for place in task.lite))
                missing = recounted(few, machine).missing
                if missing:
                    yield Finding("lite", task.task_id, f"not every branch is taken: {', '.join(missing)}")
            progress.advance(1)
