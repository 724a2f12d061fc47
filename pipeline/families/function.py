"""The families of whole functions, written anew from their instruction, and judged by the reference's answers.

`function` is of functions that stand alone, or need some constants of their projects; `lsc` of those that call other
functions of theirs, or use classes (paper, appendix K.1, layered self-contained). What they need is given. `whole` asks
about those of `lsc` once more, where the description is enough to write the function with all that it needs.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace

from harness.records import (
    FIRST_FAMILY,
    LAYERED_FAMILY,
    WHOLE_FAMILY,
    Answer,
    Spectrum,
    Task,
    Track,
    Verdict,
    task_id,
)
from harness.releases.rows import task_digest
from harness.values import canonical
from pipeline.judge.difficulty import by_solvers
from pipeline.languages.members import Kind
from pipeline.languages.registry import language
from pipeline.records import Instruction, Rejection, Suite
from pipeline.screen.stage import measure_whole
from pipeline.stage import Context
from pipeline.suites.selection.member_answers import member_stubs
from pipeline.suites.selection.shortcut_answers import MAX_SHARE, MAX_STUB_SHARE, Answered, passing, worst


@dataclass(frozen=True)
class FunctionFamily:
    """Whole functions from their instruction: with `bundles` those that call others of their projects."""

    name: str = FIRST_FAMILY
    bundles: bool = False

    @property
    def further(self) -> bool:
        """They share the functions among them."""
        return False

    def asked(self, suite: Suite) -> Suite | None:
        """Every function that has a suite and calls others of its project, or none; not what is written for others."""
        fits = bool(suite.candidate.layers) == self.bundles and _written_for(suite) in ("", self.name)
        return suite if fits else None

    def task(self, instruction: Instruction) -> Task:
        """The published row of an instruction."""
        made = make_task(instruction, self.name)
        return replace(made, track=Track.named(self.name, None, made.language)) if self.bundles else made

    def tasks(self, source: Instruction, context: Context) -> Iterator[Task | Rejection]:
        """The one task of an instruction."""
        del context
        yield self.task(source)

    def stubs(self, task: Task) -> Sequence[str]:
        """One answer that does nothing, and what a single member gives by itself."""
        by_members = member_stubs(task.program, task.entry_point) if task.given is not None else ()
        return (language(task.language).programs.stub(task.instruction), *by_members)

    def weakness(self, task: Task) -> str:
        """Constants, arguments and built-in functions that pass nearly all cases."""
        return easy_objection(task)

    def objection(self, task: Task, verdicts: Sequence[Verdict]) -> str:
        """The reference passes every case; what does nothing, or is one member, at most a share of them."""
        reference, nothing, *by_members = verdicts
        easiest = max(by_members, key=lambda verdict: verdict.passed, default=None)
        if easiest is not None and easiest.passed > MAX_SHARE * easiest.total:
            return f"What one member gives passes {easiest.passed} of {len(task.cases)} cases."
        return dry_run_objection(reference, nothing)


@dataclass(frozen=True)
class WholeFamily(FunctionFamily):
    """Functions that call others of their project, asked for with all that they need: nothing is given.

    Their text is the author's, and then it is a second task; or a maintainer's that was written for this form alone.
    """

    name: str = WHOLE_FAMILY
    bundles: bool = True

    @property
    def further(self) -> bool:
        """It asks about what `lsc` asks about, too."""
        return True

    def asked(self, suite: Suite) -> Suite | None:
        """Functions whose members are functions and constants: of what class a value is, only code can tell."""
        candidate = suite.candidate
        if not candidate.layers or any(one.kind == Kind.CLASS for one in candidate.members):
            return None
        function, spoken = candidate.function, language(candidate.function.language)
        measures = measure_whole(candidate.program, function.name, candidate.members, spoken)
        track = Track.named(self.name, None, function.language)
        whole = replace(candidate, track=track, before="", measures=measures)
        if _written_for(suite) != self.name:
            name = candidate.original or function.name
            other = task_id(function.language, name, function.fingerprint, self.name)
            whole = replace(whole, function=replace(function, id=other), origin=candidate.id, curated=None)
        return replace(suite, candidate=whole)


def _written_for(suite: Suite) -> str:
    """The family that a maintainer has written for, "" where any may ask."""
    curated = suite.candidate.curated
    return curated.family if curated is not None else ""


FUNCTION = FunctionFamily()
WHOLE = WholeFamily()
LSC = FunctionFamily(LAYERED_FAMILY, bundles=True)


def make_task(instruction: Instruction, family: str) -> Task:
    """The published row of an instruction in a family; its candidate has been measured and judged."""
    suite = instruction.suite
    candidate = suite.candidate
    function, measures, judgement = candidate.function, candidate.measures, candidate.judgement
    if measures is None or judgement is None:
        raise ValueError(f"{candidate.id} has not been measured and judged")
    track = Track.named(family, candidate.dependence, function.language)
    imports = language(function.language).programs.imports(instruction.text)
    difficulty, judge = by_solvers(
        judgement.difficulty, judgement.judge, instruction.sufficiency, instruction.ratings)
    raising = sum(case.expected.kind == "raised" for case in suite.cases) / len(suite.cases)
    return Task(
        task_id=candidate.id,
        task_digest=task_digest(instruction.text, suite.cases, suite.comparison, candidate.given),
        track=track, language=function.language, family=family, entry_point=function.name,
        signature=instruction.signature, imports=imports, libraries=candidate.libraries,
        instruction=instruction.text, difficulty=difficulty, domain=function.provenance.domain,
        reference=candidate.answer, cases=suite.cases, lite=suite.lite, strategies=suite.strategies,
        comparison=suite.comparison, measures=measures, strength=suite.strength, raising=raising,
        usual=suite.usual / len(suite.cases), judged_by=judge, instructed_by=instruction.author,
        provenance=function.provenance, sufficiency=instruction.sufficiency, variants=instruction.variants,
        undrawn=suite.undrawn or None, given=candidate.given, layers=candidate.layers,
        members=candidate.members or None, excused=suite.excused or None, entry_score=suite.entry_score,
        origin=candidate.origin or None,
        contract=suite.contract or None, original=candidate.original or None,
    )


def easy_objection(task: Task) -> str:
    """What is wrong with a task that an answer without thought nearly solves, "" where nothing is.

    Such answers are constants, an argument as it came, or what one built-in function makes of it.
    """
    answered = [
        Answered(case.args, case.kwargs, canonical(case.expected.value) if _is_plain(case.expected) else None)
        for case in task.cases
    ]
    name, passed = worst(passing(answered))
    if len(passed) > MAX_SHARE * len(task.cases):
        return f"A stub passes {len(passed)} of {len(task.cases)} cases: {name}."
    return ""


def _is_plain(answer: Answer) -> bool:
    """Whether a stub, which changes none of its arguments, could give the answer at all."""
    return answer.kind == "returned" and answer.mutated is None


def dry_run_objection(reference: Verdict, nothing: Verdict) -> str:
    """What is wrong with a task by the verdicts on its reference and on its stub, "" where nothing is.

    The reference must pass every case; a stub must fail the task, and may be right by chance in half of the cases at
    most (where the reference gives None, too). It is loaded, since an answer may repeat the signature that is shown.
    """
    if reference.outcome is not Spectrum.PERFECT:
        failed = next((i for i, case in enumerate(reference.cases) if case.status != "passed"), None)
        where = "" if failed is None else f" Case {failed}: {reference.cases[failed].status}, " \
            f"{reference.cases[failed].detail}"
        return f"The reference is {reference.outcome}: {reference.passed} of {reference.total} cases pass.{where}"[:400]
    if nothing.total and not nothing.cases:
        return f"The signature that is shown can't be loaded: {nothing.detail}"[:400]
    if nothing.perfect or nothing.passed > MAX_STUB_SHARE * nothing.total:
        return f"A stub that returns None passes {nothing.passed} of {nothing.total} cases."
    return ""
