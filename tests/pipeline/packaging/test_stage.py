"""Packaging with the real judge: tasks, the dry run, exclusions, and the best of a project."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import pytest

from harness.records import Case, CaseResult, Frame, Member, Spectrum, Task, Verdict
from harness.releases.rows import row_to_task, task_to_row
from harness.runtime import ensure_runtime
from harness.values import encode
from pipeline.config import InstructConfig, PackageConfig
from pipeline.families.function import FUNCTION
from pipeline.instruct.writers.author import AuthorWriter
from pipeline.languages.python.facts import read_facts
from pipeline.languages.registry import language
from pipeline.packaging.exclusions import Exclusion, add_exclusion
from pipeline.packaging.stage import PackageStage, not_selected, ranked, shown
from pipeline.records import Instruction, Reason, Rejection
from pipeline.stage import Context
from tests.pipeline.making import context, suite

LOCK = Path(__file__).parents[3] / "data" / "runtimes" / "python-3.11.txt"
PROGRAM = '''
from typing import Optional

def {name}(text: Optional[str], n: int) -> Optional[str]:
    """Repeat a text, or give None for no text."""
    if not text:
        return None
    return text * n + "{name}"
'''
INPUTS = [("a", 2), ("bc", 3), ("", 1), (None, 1), ("d", 0)]


def instruction(name: str = "again", project: str = "widgets", program: str = PROGRAM) -> Instruction:
    made = suite(program.format(name=name), INPUTS, project=project)
    writer = AuthorWriter(InstructConfig())
    draft = writer.write(made, read_facts(made.candidate.program, name))
    return Instruction(made, draft.signature, draft.text, writer.name)


def package(records: Iterable[Instruction], folder: Path, limit: int = 4) -> list[Task | Rejection]:
    ensure_runtime(LOCK)
    where: Context = replace(context(folder), runtime=LOCK)
    return list(PackageStage(PackageConfig(limit)).run(list(records), where))


def test_a_task_has_all_that_is_published() -> None:
    task = FUNCTION.task(instruction())
    assert row_to_task(task_to_row(task)) == task
    assert task.family == "function"
    assert task.signature in task.instruction
    assert task.imports == ("from typing import Optional",)
    assert all(line in task.reference for line in task.imports)
    assert task.raising == 0.0


def test_the_digest_tells_versions_of_a_task_apart() -> None:
    one = instruction()
    other = replace(one, text=one.text.replace("Repeat", "Multiply"))
    assert FUNCTION.task(one).task_id == FUNCTION.task(other).task_id
    assert FUNCTION.task(one).task_digest != FUNCTION.task(other).task_digest


def test_the_imports_are_those_of_the_instruction() -> None:
    assert language("python").programs.imports("import re\nfrom a import (b,\n  c)\n\n\ndef f(): 'x'\n") == ("import re", "from a import (b,\n  c)")


def test_a_good_instruction_becomes_a_task(tmp_path: Path) -> None:
    (task,) = package([instruction()], tmp_path)
    assert isinstance(task, Task)


def test_a_reference_that_fails_a_case_is_no_task(tmp_path: Path) -> None:
    good = instruction()
    wrong = replace(good.suite.cases[0], expected=replace(good.suite.cases[0].expected, value=encode("other")))
    (result,) = package([replace(good, suite=replace(good.suite, cases=(wrong, *good.suite.cases[1:])))], tmp_path)
    assert isinstance(result, Rejection)
    assert result.reason == "dry_run_failed"
    assert "4 of 5 cases pass" in result.evidence


def test_a_suite_that_a_stub_passes_is_no_task(tmp_path: Path) -> None:
    good = instruction()
    idle: tuple[Case, ...] = tuple(case for case in good.suite.cases if case.expected.value is None)
    (result,) = package([replace(good, suite=replace(good.suite, cases=idle))], tmp_path)
    assert isinstance(result, Rejection)
    assert result.evidence == "A stub that returns None passes 2 of 2 cases."


UNCHANGED = """
def {name}(text: str, n: int) -> str:
    \"\"\"The text, shortened to n characters where n is positive.\"\"\"
    return text[:n] if n > 0 else text
"""


def test_a_suite_that_lets_an_argument_pass_unchanged_is_no_task(tmp_path: Path) -> None:
    weak = instruction(program=UNCHANGED)
    (result,) = package([weak], tmp_path)
    assert isinstance(result, Rejection) and result.reason == "dry_run_failed"
    assert result.evidence == "A stub passes 4 of 5 cases: return argument 1."


def test_a_stub_does_not_change_arguments() -> None:
    task = FUNCTION.task(instruction(program=UNCHANGED))
    changed = tuple(replace(case, expected=replace(case.expected, mutated=[])) for case in task.cases)
    assert FUNCTION.weakness(task) and not FUNCTION.weakness(replace(task, cases=changed))


def test_an_excluded_task_leaves_with_the_maintainers_reason(tmp_path: Path) -> None:
    made = instruction()
    add_exclusion(tmp_path / "exclusions.toml", Exclusion(made.id, "Too odd.", "https://example.org/7"))
    (result,) = package([made], tmp_path)
    assert isinstance(result, Rejection)
    assert (result.reason, result.evidence) == ("excluded", "Too odd. https://example.org/7")


def test_a_project_gives_its_best_tasks_up_to_the_limit(tmp_path: Path) -> None:
    records = [instruction(f"f{i}") for i in range(4)] + [instruction("g", "gadgets")]
    results = package(records, tmp_path, limit=2)
    kept = [result.entry_point for result in results if isinstance(result, Task)]
    best = ranked([FUNCTION.task(record) for record in records[:4]], PackageConfig())[:2]
    assert sorted(kept) == sorted([*(task.entry_point for task in best), "g"])
    assert {result.reason for result in results if isinstance(result, Rejection)} == {"not_selected"}


LOOPING = '''
def {name}(text: str, n: int) -> str:
    """Every n-th character of a text, the first one included."""
    found = ""
    for place, one in enumerate(text):
        if n > 0 and place % n == 0:
            found += one
    return found
'''


def test_what_is_worth_more_comes_first_and_a_sharper_suite_only_among_even_ones() -> None:
    looping, plain = FUNCTION.task(instruction("every", program=LOOPING)), FUNCTION.task(instruction())
    sharp = replace(plain, task_id="z", strength=replace(plain.strength, mutation_score=0.9))
    assert ranked([plain, sharp, looping], PackageConfig()) == [looping, sharp, plain]


def test_a_domain_gives_no_more_than_its_share() -> None:
    tasks = [replace(FUNCTION.task(instruction(f"f{i}", f"p{i}")), domain="Text" if i < 6 else f"Web{i}")
             for i in range(10)]
    refused = not_selected(tasks, PackageConfig(max_domain_share=0.5))
    assert len(refused) == 2 and {task.domain for task in tasks if task.task_id in refused} == {"Text"}
    assert not_selected(tasks, PackageConfig()) == {}


def verdict(passed: int, total: int) -> Verdict:
    cases = tuple(CaseResult("passed" if i < passed else "wrong", "expected 1, got 2") for i in range(total))
    outcome = Spectrum.PERFECT if passed == total else Spectrum.PARTIAL_HIGH
    return Verdict("t", "d", outcome, passed, total, cases=cases)


@pytest.mark.parametrize(("reference", "nothing", "objection"), [
    ((4, 4), (0, 4), ""),
    ((4, 4), (2, 4), ""),
    ((4, 4), (3, 4), "A stub that returns None passes 3 of 4 cases."),
    ((4, 4), (4, 4), "A stub that returns None passes 4 of 4 cases."),
    ((3, 4), (0, 4), "The reference is PartialHigh: 3 of 4 cases pass. Case 3: wrong, expected 1, got 2"),
])
def test_the_dry_run(reference: tuple[int, int], nothing: tuple[int, int], objection: str) -> None:
    task = FUNCTION.task(instruction())
    assert FUNCTION.objection(task, [verdict(*reference), verdict(*nothing)]) == objection


def test_a_signature_that_names_what_is_not_there_is_no_task() -> None:
    task = FUNCTION.task(instruction())
    unloaded = Verdict("t", "d", Spectrum.RUNTIME_ERR, 0, 4, "NameError: name 'TAny' is not defined")
    said = FUNCTION.objection(task, [verdict(4, 4), unloaded])
    assert said == "The signature that is shown can't be loaded: NameError: name 'TAny' is not defined"


def test_a_stub_is_the_instruction_with_an_idle_body() -> None:
    task = FUNCTION.task(instruction())
    space: dict[str, object] = {}
    [stub] = FUNCTION.stubs(task)
    exec(stub, space)
    assert space["again"]("a", 1) is None  # type: ignore[operator]


def test_what_is_given_with_one_task_is_not_asked_for_by_another() -> None:
    inner, outer, other = (FUNCTION.task(instruction(name)) for name in ("inner", "outer", "other"))
    member = Member("inner", "function", inner.provenance.path, 1, 2, "f", "MIT")
    giver = replace(outer, given=Frame("def inner(): ...\n"), members=(member,))
    assert shown([inner, giver, other]) == {
        inner.task_id: (Reason.NOT_SELECTED, "Its answer is given with outer.")}
    elsewhere = replace(inner, provenance=replace(inner.provenance, path="another.py"))
    whole = replace(giver, given=None)
    assert not shown([elsewhere, giver, other], apart=True) and not shown([inner, whole, other])
    assert shown([inner, whole, other], apart=True) == {
        inner.task_id: (Reason.NOT_SELECTED, "Its answer is a part of the answer to outer.")}
    # Of two that call each other each is a part of the other's answer.
    calling = replace(inner, members=(replace(member, names="outer"),))
    assert not shown([calling, whole], apart=True)
    assert set(shown([calling, giver], apart=True)) == {inner.task_id}
