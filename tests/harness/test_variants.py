"""The seam of variants: a renaming of the entry point is derived, asked, judged and kept apart in results."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from pathlib import Path

import pytest

from harness.analysis.paired import compare
from harness.answers.samples import Sample
from harness.errors import UserError
from harness.languages import Machine
from harness.prompts import prompt
from harness.records import Case, Spectrum, Task
from harness.releases.dataset import Release
from harness.scoring.evaluate import Options, evaluate, references
from harness.scoring.judging import judge
from harness.scoring.results import read_results
from harness.variants import Change, Variant, derive, variant
from tests.harness.make_release import make_tasks

CLAMP, RUNS, MERGE = make_tasks("sc-python")


def renaming(task: Task, name: str, **further: object) -> Variant:
    """The variant in which the function has another name, everywhere."""
    signature, instruction, reference = (
        re.sub(rf"\b{task.entry_point}\b", name, text) for text in (task.signature, task.instruction, task.reference))
    return variant(task, "renamed", Change(name, signature, instruction, reference, **further), seed=7)  # type: ignore[arg-type]


@pytest.mark.parametrize("task", [CLAMP, RUNS, MERGE], ids=lambda task: task.entry_point)
def test_a_renamed_task_is_asked_and_judged_under_its_name(task: Task, machine: Machine) -> None:
    made = derive(task, renaming(task, "f"))
    assert made.task_id == task.task_id and made.task_digest != task.task_digest
    assert "def f(" in prompt(made).user and task.entry_point + "(" not in prompt(made).user
    assert judge(made, made.reference, machine).outcome is Spectrum.PERFECT
    assert judge(made, task.reference, machine).outcome is Spectrum.RUNTIME_ERR


def test_deriving_is_pure_and_says_what_it_was_made_from() -> None:
    one = renaming(CLAMP, "f")
    assert derive(CLAMP, one) == derive(CLAMP, one) and one == renaming(CLAMP, "f")
    assert one.digest == derive(CLAMP, one).task_digest and re.fullmatch("c2v-[0-9a-f]{16}", one.id)
    assert len({one.id, renaming(CLAMP, "g").id, replace(one, seed=8).id, replace(one, kind="other").id}) == 4


def test_no_change_gives_the_task_itself() -> None:
    assert derive(RUNS, variant(RUNS, "control", Change())) is RUNS


def test_parameters_are_renamed_in_the_cases_and_some_cases_score() -> None:
    task = replace(MERGE, cases=tuple(Case(case.args[:1], {"second": case.args[1]}, case.expected) for case in MERGE.cases[1:]))
    made = derive(task, renaming(task, "f", renamed=(("second", "other"),), scored=(4, 1, 0)))
    assert [case.kwargs for case in made.cases] == [{"other": task.cases[n].kwargs["second"]} for n in (4, 1, 0)]
    assert made.lite == (2, 1)


@pytest.mark.parametrize("changed", [replace(CLAMP, task_digest="0" * 64), RUNS, replace(CLAMP, cases=CLAMP.cases[1:])])
def test_a_variant_of_another_version_is_refused(changed: Task) -> None:
    with pytest.raises(UserError, match="was made from another version of c2b-"):
        derive(changed, renaming(CLAMP, "f"))


@pytest.mark.parametrize("scored", [(), (0, 99), (-1,)])
def test_cases_that_are_not_there_are_refused(scored: tuple[int, ...]) -> None:
    with pytest.raises(UserError, match="scores cases that the task has not; it has 11"):
        variant(RUNS, "few", Change(scored=scored))


def test_results_are_kept_by_variant(made: Release, tmp_path: Path) -> None:
    task = next(task for task in made.tasks if task.entry_point == "clamp")
    first, second = renaming(task, "f"), renaming(task, "g")
    codes = {one.id: derive(task, one).reference for one in (first, second)}
    answers = [Sample(task.task_id, 0, codes[first.id], 1, one.id) for one in (first, second)]
    file = tmp_path / "r.jsonl"
    options = Options(file, variants=(first, second))
    found = evaluate(made, answers, options, "samples")
    assert (found.score.tasks, found.score.samples, found.score.pass_at[1]) == (1, 2, 0.5)
    assert evaluate(made, answers, options, "samples").taken_over == 2
    assert evaluate(made, answers[:1], options, "samples").score.pass_at[1] == 0.5
    kept = read_results(file).verdicts
    assert {(key.variant, key.task_digest, verdict.perfect) for key, verdict in kept.items()} == {
        (first.id, first.digest, True), (second.id, second.digest, False)}
    assert {json.loads(line)["variant"] for line in file.read_text().splitlines()[1:]} == {first.id, second.id}
    with pytest.raises(UserError, match="can't be explained yet"):
        evaluate(made, answers, replace(options, explain=True), "samples")


def test_a_variant_of_a_task_that_is_not_scored_is_refused(made: Release) -> None:
    stranger = replace(CLAMP, task_id="c2b-0")
    with pytest.raises(UserError, match="is one of c2b-0, which is not among the tasks that are scored"):
        evaluate(made, [], Options(variants=(variant(stranger, "control", Change()),)), "samples")


def test_variants_compare_sample_by_sample(made: Release, tmp_path: Path) -> None:
    task = next(task for task in made.tasks if task.entry_point == "clamp")
    both = renaming(task, "f"), renaming(task, "g")
    files = [tmp_path / "a.jsonl", tmp_path / "b.jsonl"]
    for file, code in zip(files, (derive(task, both[0]).reference, "pass"), strict=True):
        answers = [Sample(task.task_id, 0, code, 1, one.id) for one in both]
        evaluate(made, answers, Options(file, variants=both), "samples")
    result = compare(*files)
    assert (result.tasks, result.first.samples, result.first.pass_at_1, result.second.pass_at_1) == (1, 2, 0.5, 0.0)


def test_tasks_themselves_are_written_as_ever(made: Release, tmp_path: Path) -> None:
    evaluate(made, references(made.tasks), Options(tmp_path / "r.jsonl"), "reference")
    assert '"variant"' not in (tmp_path / "r.jsonl").read_text()
