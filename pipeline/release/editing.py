"""A maintainer writes for one function: its file is opened, and all gates are run on what was written."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any

import click

from harness.errors import UserError
from harness.languages import Machine
from harness.locations import Location
from harness.records import Task
from harness.runtime import ensure_runtime
from harness.sandbox import choose
from harness.telling import say
from harness.values import NotDecodable
from harness.values.expressions import Names, NotShowable
from pipeline import store
from pipeline.config import ReleaseConfig
from pipeline.curated.files import CuratedFile, read_file, reference_digest, save, text_of, written
from pipeline.curated.stage import CurateStage
from pipeline.instruct.examples.cases import as_doctest
from pipeline.languages.members import Kind
from pipeline.languages.registry import language
from pipeline.llm import Exchange
from pipeline.records import Candidate, Curated, Rejection
from pipeline.release.readings import RULE, failed, read
from pipeline.sources.member_ages import MemberAgesStage
from pipeline.stage import Context, Stage
from pipeline.suites.selection.readings import FEW

MOST_CASES = 12
_BEHIND = ("curate", "judge", "calls", "suite", "namesakes", "instruct", "members", "package")
"""The stages whose gates hold for a single function behind `dedupe`; the others compare functions."""


@dataclass(frozen=True)
class Tried:
    """What became of a function with its file: a task, or the rejection by the stage that it names.

    `points` are what no example decides, in sentences: the text has to tell them.
    """

    file: Path
    task: Task | None
    refusal: Rejection | None
    points: tuple[str, ...] = ()


@dataclass(frozen=True)
class Desk:
    """Where functions of one build are written for: its configuration, its folder, its stages, what these may know."""

    config: ReleaseConfig
    folder: Location
    context: Context
    stages: Sequence[Stage]

    @property
    def files(self) -> Path:
        """The folder of the maintainers' texts."""
        if not self.config.curate.files:
            raise UserError(f"{self.config.path.name} takes no maintainers' texts: set files in [curate].")
        return self.context.data / self.config.curate.files

    def candidates(self) -> Iterator[Candidate]:
        """What is left in the build before maintainers' texts are added: the public names come later."""
        found = sorted(Path(str(self.folder)).glob("stages/*-dedupe/*.kept.parquet"))
        if not found:
            raise UserError(
                f"{self.folder} holds no build: run `code2bench build {self.config.path} --until-stage dedupe`.")
        for path in found:
            yield from store.read(path, Candidate)

    def find(self, wanted: str) -> Candidate:
        """The candidate with that id, with an id that begins so, or of that name; raises `UserError`."""
        every = list(self.candidates())
        found = [one for one in every if one.id == wanted or one.function.name.strip("_") == wanted.strip("_")]
        found = found or [one for one in every if one.id.startswith(wanted)]
        if len(found) == 1:
            return found[0]
        if not found:
            raise UserError(f"{self.folder} has no function {wanted!r} that may become a task: `explain` tells why.")
        names = ", ".join(f"{one.id} ({one.function.provenance.path})" for one in found[:5])
        raise UserError(f"{len(found)} functions fit {wanted!r} ({names}): give the id.")

    def template(self, candidate: Candidate) -> CuratedFile:
        """A file to begin with: the author's words, and a strategy to be filled in."""
        function = candidate.function
        facts = language(function.language).facts.read(candidate.program, function.name)
        names = [parameter.name for parameter in facts.parameters]
        draws = "\n".join(f'    "{name}": st.nothing(),' for name in names)
        strategies = f"from hypothesis import strategies as st\n\narguments = st.fixed_dictionaries({{\n{draws}\n}})"
        text = facts.description.text if facts.description else ""
        name = candidate.function.name.strip("_")
        curated = Curated(text.partition(">>>")[0].strip(), strategies=strategies, name=name)
        return CuratedFile(candidate.id, reference_digest(candidate), curated)

    def file_of(self, candidate: Candidate) -> Path:
        """The function's file, which is written where there is none; a stale one is tied to the new reference.

        One that can't be read is found by its name, and left as it is: it is told when the gates are run.
        """
        found = sorted(self.files.glob(f"*.{candidate.id.removeprefix('c2b-')}.md"))
        readable = {one.id: one for one in map(_readable, found or sorted(self.files.glob("*.md"))) if one}
        known = readable.get(candidate.id)
        if known is None or known.path is None:
            return found[0] if found else save(self.template(candidate), self.files, candidate.function.name)
        if known.reference != reference_digest(candidate):
            store.write_bytes(known.path, written(replace(known, reference=reference_digest(candidate))).encode())
        return known.path

    def older(self, candidate: Candidate) -> str:
        """Which function that it calls is older than the window, "" for none: those can only be given.

        Who uses classes is asked for with them given anyway, so nothing is told of it.
        """
        ages = next((one for one in self.stages if isinstance(one, MemberAgesStage)), None)
        if ages is None or any(one.kind == Kind.CLASS for one in candidate.members):
            return ""
        [found] = ages.looked_at([replace(candidate, before="")], self.context)
        return found.evidence if isinstance(found, Rejection) else ""

    def tried(self, candidate: Candidate, file: Path) -> Tried:
        """What the gates say of the function with its file."""
        found = read_file(file)
        if found.id != candidate.id:
            raise UserError(f"{file} speaks of {found.id}: its id must be {candidate.id}.")
        ensure_runtime(self.context.runtime)
        record: object = candidate
        for stage in self.stages:
            if stage.name not in _BEHIND:
                continue
            if isinstance(stage, CurateStage):
                results: list[object] = [stage.curated(candidate, found)]
            else:
                results = [one for one in stage.run([record], self.context) if not isinstance(one, Exchange)]
            # Of the families that ask further, nothing is told.
            [record] = [one for one in results if _id_of(one) == candidate.id]
            if isinstance(record, Rejection):
                return Tried(file, None, record)
        assert isinstance(record, Task)
        return Tried(file, record, None, tuple(self._points(record, found.curated.wrong)))

    def _points(self, task: Task, wrong: Sequence[str]) -> Iterator[str]:
        """What plausible wrong answers give where no example refuses them, and which hardly any case does."""
        machine = Machine(choose(), ensure_runtime(self.context.runtime))
        for number, fails in enumerate(failed(task, wrong, machine), 1):
            if fails < RULE * len(task.cases):
                yield f"Wrong answer {number} fails {fails} of {len(task.cases)} cases, less than {RULE:.0%}: " \
                    "draw inputs that tell it more often, unless there are no others, or take it out if it is right " \
                    "wherever callers call it."
        found = read(task, machine)
        yield f"Of {found.total} readings {found.passing} pass every case ({found.holes} of them give another answer " \
            f"to {found.further} further inputs), and {found.few} fail fewer than {FEW}."
        yield from found.missed
        yield from found.points


def _readable(path: Path) -> CuratedFile | None:
    """A file, None for one that is broken: another function's stops nobody."""
    try:
        return read_file(path)
    except UserError:
        return None


def _some_cases(task: Task) -> Iterator[str]:
    """A few cases from all over the suite, as doctests."""
    names = Names.of(task.imports)
    for case in task.cases[:: max(1, len(task.cases) // MOST_CASES)]:
        try:
            yield as_doctest(task.entry_point, case, names)[0]
        except (NotShowable, NotDecodable, RecursionError):
            continue


def _line_of(task: Task, survivor: str) -> str:
    """The line that a survivor has changed, as it stands."""
    number = re.match(r"line (\d+)", survivor)
    lines = task.program.splitlines()
    return f"`{lines[int(number[1]) - 1].strip()}`" if number and int(number[1]) <= len(lines) else "outside"


def _id_of(record: Any) -> str:
    identity: str = record.record_id if isinstance(record, Rejection) else record.id
    return identity


def edit(desk: Desk, wanted: str, interactive: bool, quiet: bool = False) -> Tried:
    """Open the function's file in an editor, if there is a terminal, and run the gates on it; raises `UserError`.

    The function is shown before, unless it is to be `quiet`.
    """
    candidate = desk.find(wanted)
    file = desk.file_of(candidate)
    if interactive:
        text = click.edit(text_of(file), extension=".md")
        if text is not None:
            store.write_bytes(file, text.encode())
    if not quiet:
        lines = enumerate(candidate.program.splitlines(), 1)
        program = "\n".join(f"{number:>4} {line}" for number, line in lines)
        say(f"The function as it stands, in {candidate.function.provenance.path}:\n\n{program}\n")
        if older := desk.older(candidate):
            say(f"It can only be asked for with what it calls given (leave out family). {older}.")
    return desk.tried(candidate, file)


def as_json(found: Tried) -> dict[str, Any]:
    """The same for programs: the file, what it was refused for, or what the task measures and leaves open."""
    task, refusal = found.task, found.refusal
    return {
        "file": str(found.file),
        "refusal": asdict(refusal) if refusal else None,
        "task": {
            "task_id": task.task_id, "entry_point": task.entry_point, "difficulty": task.difficulty,
            "cases": len(task.cases), "typical": round(task.usual, 4), "raising": round(task.raising, 4),
            "mutation_score": task.strength.mutation_score, "survivors": list(task.strength.survivors),
            "instruction": task.instruction,
        } if task else None,
        "points": list(found.points),
    }


def told(found: Tried) -> str:
    """What became of a function, for people: the task, and last, where a terminal shows it, what the gates say."""
    if found.refusal is not None:
        return f"{found.file}: {found.refusal.stage} refuses it ({found.refusal.reason}). {found.refusal.evidence}"
    task = found.task
    assert task is not None
    score = task.strength.mutation_score
    lines = [
        task.instruction, "Some of the cases:", *_some_cases(task), "",
        f"{found.file} passes every gate: {len(task.cases)} cases, {100 * task.usual:.0f}% of them typical, "
        f"{100 * task.raising:.0f}% raise, mutation score {'unknown' if score is None else f'{score:.3f}'}, "
        f"{task.difficulty}.",
        *(f"Not told from it: {one}, {_line_of(task, one)}" for one in task.strength.survivors),
        *found.points,
    ]
    return "\n".join(lines)
