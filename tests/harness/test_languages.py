"""The seam of languages: a toy one, really run in the sandbox, goes through judging, explanations, prompts, releases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from harness.answers.extraction import extract
from harness.errors import UserError
from harness.languages import Machine, Machines
from harness.languages.registry import language, languages, registered
from harness.prompts import prompt, stop
from harness.records import Dependence, Spectrum, Track
from harness.releases.dataset import load_release
from harness.scoring.evaluate import Options, describe, evaluate, machine_for, references, stubs
from harness.scoring.explain import explain, with_shrunk
from harness.scoring.judging import Fairness, judge, judge_all
from harness.show import as_text
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_tasks
from tests.toy.runner import TOY
from tests.toy.tasks import FUNCTIONS, release_of_two_languages, toy_machine, toy_task

HASTY = Fairness(case_floor=0.3, total_floor=3.0)


@pytest.fixture
def toy() -> Iterator[Machine]:
    """The toy language is there, and this is where it runs."""
    with registered(TOY):
        yield toy_machine()


@pytest.mark.parametrize("name", sorted(FUNCTIONS))
def test_references_of_another_language_are_perfect_and_stubs_are_not(name: str, toy: Machine) -> None:
    task = toy_task(name, toy)
    assert judge(task, task.reference, toy).outcome is Spectrum.PERFECT
    assert not judge(task, TOY.asking.stub(task), toy).perfect


@pytest.mark.parametrize(("program", "outcome", "status"), [
    ("@double x= { x 2 mul return }", Spectrum.PERFECT, "passed"),
    ("@double x= { x 3 mul return }", Spectrum.FAIL, "wrong"),
    ("@double x= { x x mul return }", Spectrum.PARTIAL_LOW, "wrong"),
    ("@double x= { 9 return }", Spectrum.LOGIC_ERR, "wrong"),
    ("@double x= { nothing }", Spectrum.RUNTIME_ERR, "raised"),
    ("@double x= { x 0 div return }", Spectrum.RUNTIME_ERR, "raised"),
    ("@double x= { 1 loop }", Spectrum.TIMEOUT, "timeout"),
])
def test_answers_in_another_language_get_their_place_in_the_spectrum(program: str, outcome: Spectrum, status: str, toy: Machine) -> None:
    verdict = judge(toy_task("double", toy), program, toy, HASTY)
    assert (verdict.outcome, verdict.total) == (outcome, 7)
    assert status in {case.status for case in verdict.cases}


@pytest.mark.parametrize(("program", "outcome", "detail"), [
    ("@double x= { x x add", Spectrum.SYNTAX_ERR, "a block is never closed"),
    ("@double x= { x } }", Spectrum.SYNTAX_ERR, "a block is closed that was never opened"),
    ("@twice x= { x x add return }", Spectrum.RUNTIME_ERR, "there is no function double"),
    ("nothing @double x= { x }", Spectrum.RUNTIME_ERR, "unbound nothing"),
])
def test_what_does_not_load_is_told_by_its_language(program: str, outcome: Spectrum, detail: str, toy: Machine) -> None:
    verdict = judge(toy_task("double", toy), program, toy, HASTY)
    assert (verdict.outcome, verdict.detail, verdict.cases) == (outcome, detail, ())


def test_one_call_that_hangs_costs_itself_alone(toy: Machine) -> None:
    verdict = judge(toy_task("double", toy), "@double x= { -1 x less x 1 less mul loop x x add return }", toy, HASTY)
    assert [case.status for case in verdict.cases] == ["passed"] * 3 + ["timeout"] + ["passed"] * 3


def test_answers_in_two_languages_are_judged_side_by_side(toy: Machine, machine: Machine) -> None:
    clamp, double = make_tasks("sc-python")[0], toy_task("double", toy)
    both = Machines(machine.sandbox, (machine.runtime, toy.runtime))
    jobs = [(double, double.reference), (clamp, clamp.reference), (double, "@double x= { 0 return }"), (clamp, "clamp = 1")]
    assert [verdict.perfect for verdict in judge_all(jobs, both, 2, tasks=[clamp, double])] == [True, True, False, False]


def test_a_machine_of_one_language_refuses_another(toy: Machine, machine: Machine) -> None:
    with pytest.raises(UserError, match="a runtime for python, and none for toy"):
        list(judge_all([(toy_task("double", toy), "")], machine))
    with pytest.raises(UserError, match="There is no runtime for java"):
        Machines(machine.sandbox, (machine.runtime,)).of("java")


def test_prompts_and_extraction_are_those_of_the_language(toy: Machine) -> None:
    task = toy_task("double", toy)
    asked = prompt(task)
    assert (asked.system, asked.completion) == (TOY.asking.system(task), f"{task.instruction}\n@double")
    assert stop(task) == ("\n\n",)
    assert extract("Here it is:\n```toy\n@double { 1 return }\n```\n", task) == "@double { 1 return }\n"


def test_failures_are_told_and_shrunk_in_the_language(toy: Machine) -> None:
    task, wrong = toy_task("double", toy), "@double x= { x 4 mul return }"
    (failure,) = explain([task], [judge(task, wrong, toy)])
    assert (failure.call, failure.expected, failure.got) == ("1 double", "2", "4")
    (shrunk,) = with_shrunk([replace(failure, case=6)], {task.task_id: task}, {(task.task_id, 0): wrong}, lambda _: toy)
    assert shrunk.shrunk == ("1 double", "2", "4")
    assert "1 double\n    2" in as_text(task)


def test_a_release_has_a_runtime_for_each_of_its_languages(toy: Machine, tmp_path: Path) -> None:
    release = load_release(release_of_two_languages(tmp_path / "two", LOCK.read_text()))
    machines = machine_for(release)
    assert sorted(release.locks) == ["python", "toy"] and {t.language for t in release.tasks} == {"python", "toy"}
    run = describe(release, machines, "reference")
    assert run.runtime == f"python {machines.of('python').runtime.version}, toy 1"
    made = evaluate(release, references(release.tasks), Options(), "reference")
    assert made.score.pass_at[1] == 1.0 and sorted(made.tracks) == ["sc-python", "sc-toy", "wsc-python"]
    assert evaluate(release, stubs(release.tasks), Options(), "stub").score.pass_at[1] == 0.0


@pytest.mark.parametrize(("change", "says"), [
    ({"runtimes": {"toy": {"toy": "1", "lock": "toy.lock"}}}, "knows no track 'sc-python'"),
    ({"runtimes": {"toy": {"toy": "1", "lock": "none"}}}, "runtimes.toy.lock should name one of the files"),
    ({"runtimes": {"toy": "1"}}, "runtimes.toy.lock should name one of the files"),
    ({"runtimes": []}, "key runtimes is missing or of the wrong type"),
])
def test_a_manifest_with_unfit_runtimes_is_refused(change: dict[str, object], says: str, toy: Machine, tmp_path: Path) -> None:
    folder = release_of_two_languages(tmp_path / "two", "# none\n")
    manifest = json.loads((folder / "manifest.json").read_text())
    (folder / "manifest.json").write_text(json.dumps(manifest | change))
    with pytest.raises(UserError, match=says):
        load_release(folder)


def test_a_release_of_a_language_that_is_unknown_is_refused(toy: Machine, tmp_path: Path) -> None:
    folder = release_of_two_languages(tmp_path / "two", "# none\n")
    with registered(replace(TOY, runtimes=_Newer())), pytest.raises(UserError, match="runs on Toy 1, this harness on 2"):
        load_release(folder)


class _Newer(type(TOY.runtimes)):  # type: ignore[misc]
    version = "2"


def test_unknown_languages_and_tracks_are_one_sentence() -> None:
    assert sorted(languages()) == ["python"]
    with pytest.raises(UserError, match="knows no language 'toy', only python"):
        language("toy")


@pytest.mark.parametrize(("name", "parts"), [
    ("sc-python", ("function", Dependence.SC, "python")), ("wsc-java", ("function", Dependence.WSC, "java")),
    ("completion-sc-python", ("completion", Dependence.SC, "python")), ("method-python", ("method", None, "python")),
])
def test_a_track_says_family_dependence_and_language(name: str, parts: tuple[str, Dependence | None, str]) -> None:
    track = Track(name)
    assert (track.family, track.dependence, track.language) == parts and Track.named(*parts) == name == track


@pytest.mark.parametrize("name", ["", "python", "-python", "sc-", "a-b-sc-python", "function-sc-python", "SC-", "a-b-python"])
def test_other_names_are_no_tracks(name: str) -> None:
    with pytest.raises(ValueError, match="is no track"):
        Track(name)
