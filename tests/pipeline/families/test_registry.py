"""A second family, which asks for a fix: it is chosen before anybody writes, packaged by the real judge, and verified."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import pytest

from harness.errors import UserError
from harness.families import registry as harness_families
from harness.families.function import Function
from harness.records import Spectrum, Task, Verdict
from harness.runtime import ensure_runtime
from pipeline.config_file import load_config
from pipeline.families import Family
from pipeline.families.function import FUNCTION, make_task
from pipeline.families.registry import chosen, families, family, registered, taken
from pipeline.flow import stages
from pipeline.languages.registry import language
from pipeline.packaging.stage import PackageStage
from pipeline.records import Instruction, Reason, Rejection, Suite, reject_function
from pipeline.stage import Context, key_of
from tests.pipeline.making import context, suite
from tests.pipeline.packaging.test_stage import INPUTS, LOCK, PROGRAM


@dataclass(frozen=True)
class FixFamily:
    """The function with one operator changed is shown, and whoever answers mends it; the first mutant is the bug."""

    name: str = "fix"
    bundles: bool = False

    further: bool = False

    def asked(self, suite: Suite) -> Suite | None:
        return suite if self._bugs(suite) else None

    def task(self, instruction: Instruction) -> Task:
        bug = self._bugs(instruction.suite)[0]
        return replace(make_task(instruction, self.name), instruction=f"{bug}\n# One operator is wrong.\n")

    def tasks(self, source: Instruction, context: Context) -> Iterator[Task | Rejection]:
        task = self.task(source)
        if "unfixable" in task.instruction:
            function = source.suite.candidate.function
            yield reject_function("package", function, Reason.UNDERSPECIFIED, "It can't be mended.")
        else:
            yield task

    def stubs(self, task: Task) -> Sequence[str]:
        return task.instruction, "def nothing():\n    pass\n"

    def weakness(self, task: Task) -> str:
        return ""

    def objection(self, task: Task, verdicts: Sequence[Verdict]) -> str:
        reference, unchanged, nothing = verdicts
        if reference.outcome is not Spectrum.PERFECT or nothing.passed:
            return "The judge is wrong."
        return "Nobody would notice the bug." if unchanged.perfect else ""

    def _bugs(self, suite: Suite) -> list[str]:
        candidate = suite.candidate
        found = language(candidate.function.language).mutants.mutants(candidate.program, candidate.function.name)
        return [one.program for one in found if one.operator == "change the arithmetic"]


class MendedFunction(Function):
    """How the harness asks for it and runs it: as for functions."""

    name = "fix"


FIX = FixFamily()


@pytest.fixture(autouse=True)
def fix() -> Iterator[None]:
    with registered(FIX), harness_families.registered(MendedFunction()):
        yield


def suites() -> list[Suite]:
    plain = 'def plain(text: str, n: int) -> str:\n    """The text."""\n    return text if n else ""\n'
    return [suite(PROGRAM.format(name="again"), INPUTS), suite(plain, INPUTS[:3])]


def package(records: Sequence[Suite], folder: Path) -> list[Task | Rejection]:
    ensure_runtime(LOCK)
    head = 'def again(text, n):\n    """Say."""'
    made = [Instruction(one, "def again(text, n):", head, "test") for one in records]
    return list(PackageStage().run(made, replace(context(folder), runtime=LOCK)))


def test_each_function_falls_to_the_first_family_that_wants_it() -> None:
    kept, left = chosen(suites(), ("fix", "function"))
    assert [one.family for one in kept] == ["fix", "function"] and not left
    kept, left = chosen(suites(), ("function", "fix"))
    assert [one.family for one in kept] == ["function", "function"] and not left
    kept, left = chosen(suites(), ())
    assert [one.family for one in kept] == ["function", "function"] and not left


def test_what_no_family_wants_leaves_before_anybody_writes() -> None:
    kept, left = chosen(suites(), ("fix",))
    assert [one.candidate.function.name for one in kept] == ["again"]
    assert [(one.name, one.reason, one.evidence) for one in left] == [("plain", "no_family", "Asked were fix.")]


def test_its_tasks_pass_the_dry_run_with_its_own_stubs(tmp_path: Path) -> None:
    kept, _ = chosen(suites()[:1], ("fix",))
    [task] = package(kept, tmp_path)
    assert isinstance(task, Task), task
    assert (task.family, task.track) == ("fix", "fix-sc-python")
    assert "One operator is wrong" in task.instruction


def test_its_objection_counts(tmp_path: Path) -> None:
    kept, _ = chosen(suites()[:1], ("fix",))
    blind = [case for case in kept[0].cases if case.expected.value is None]
    [left] = package([replace(kept[0], cases=tuple(blind))], tmp_path)
    assert isinstance(left, Rejection)
    assert (left.reason, left.evidence) == ("dry_run_failed", "Nobody would notice the bug.")


def test_a_family_may_refuse_an_instruction(tmp_path: Path) -> None:
    [left] = package(chosen([suite(PROGRAM.format(name="unfixable"), INPUTS)], ("fix",))[0], tmp_path)
    assert isinstance(left, Rejection) and left.evidence == "It can't be mended."


def test_a_release_takes_families_by_name(tmp_path: Path) -> None:
    demo = Path(__file__).parents[3] / "data" / "releases" / "demo.toml"
    text = demo.read_text("utf-8").partition("[families]")[0]
    keys = []
    for take in ("", '\n[families]\ntake = ["function"]\n', '\n[families]\ntake = ["fix", "function"]\n'):
        path = tmp_path / "releases" / "demo.toml"
        path.parent.mkdir(exist_ok=True)
        path.write_text(text + take, "utf-8")
        [stage] = [one for one in stages(load_config(path)) if one.name == "instruct"]
        where = context(tmp_path)
        where.runtime.touch()
        keys.append(key_of(stage, where, "before"))
    assert keys[0] == keys[1] != keys[2]


def test_a_family_that_is_not_there_is_named_in_a_sentence() -> None:
    with pytest.raises(UserError, match=r"families.take names 'repair': set it to some of function, lsc, whole, fix"):
        taken(("repair",))
    with pytest.raises(ValueError, match="a family fix already"), registered(FIX):
        pass


def test_what_was_chosen_for_no_family_is_of_the_first() -> None:
    assert family("") is FUNCTION
    every: tuple[Family, ...] = families()
    assert [one.name for one in every] == ["function", "lsc", "whole", "fix"]
