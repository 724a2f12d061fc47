"""The store of results: what `evaluate` and lm-eval keep in it, what `runs` and `compare` read, and every misuse."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from click.testing import CliRunner, Result

from harness.analysis import Share, Table
from harness.analysis.paired import analyse, compare
from harness.analysis.runs import analyse as table_of
from harness.cli import cli
from harness.errors import UserError
from harness.records import CaseResult, Spectrum, Verdict
from harness.releases.dataset import Release
from harness.report import tables
from harness.scoring.evaluate import Options, evaluate, references
from harness.scoring.metrics import Interval
from harness.scoring.results import Key, Run, read_results
from harness.scoring.results_file import ResultsFile
from harness.scoring.store import Store, results
from harness.scoring.subject import Subject, of_configuration, subject

RUN = Run(
    release="made", source="build/made", revision="", manifest_sha256="a" * 64, harness="0.1.0", prompts_sha256="b" * 64,
    runtime="3.11.7", runtime_sha256="c" * 64, isolation="namespaces", answers="samples", model="small",
    model_revision="r1", sampling="temperature=0.8", date="2026-11-23T10:00:00+00:00",
)
NAMES = {"t": "f", "u": "g"}


def verdicts(*rights: bool, task: str = "t") -> list[tuple[Key, Verdict]]:
    """Answers to a task, right or wrong."""
    made = []
    for number, right in enumerate(rights):
        cases = (CaseResult("passed"), CaseResult("passed" if right else "wrong"))
        place = Spectrum.PERFECT if right else Spectrum.PARTIAL_LOW
        made.append((Key(task, "digest", "", number, f"{right}"), Verdict(task, "digest", place, 1 + right, 2, "", cases)))
    return made


def command(*arguments: object) -> Result:
    return CliRunner().invoke(cli, list(map(str, arguments)), prog_name="code2bench")


def said(done: Result) -> str:
    return str(done.exception) if isinstance(done.exception, UserError) else done.output


def test_what_is_kept_comes_back(tmp_path: Path) -> None:
    store = Store(tmp_path / "new" / "store")
    given = [*verdicts(True, False), *verdicts(True, task="u")]
    part = store.add(RUN, given, NAMES)
    assert part is not None and part.parent == store.folder and list(store.folder.iterdir()) == [part]
    (kept,) = store.runs()
    assert (kept.id, kept.run, kept.tasks, kept.answers, kept.perfect) == (RUN.id, RUN, 2, 3, 2)
    found = store.results("small")
    assert (found.run, found.verdicts, found.functions) == (RUN, dict(given), NAMES)


def test_parts_are_only_added_and_the_same_is_kept_once(tmp_path: Path) -> None:
    store = Store(tmp_path)
    first = store.add(RUN, verdicts(True), NAMES)
    assert first is not None
    before = first.read_bytes()
    assert store.add(RUN, verdicts(True), NAMES) is None and store.add(RUN, [], NAMES) is None
    assert store.add(RUN, verdicts(False, True), NAMES) is not None
    assert first.read_bytes() == before and len(list(tmp_path.iterdir())) == 2
    found = store.results(RUN.id)
    assert [verdict.perfect for verdict in found.verdicts.values()] == [False, True]
    assert [key.code_sha256 for key in found.verdicts] == ["False", "True"]


def test_runs_are_told_apart_by_all_that_is_said_of_them_but_their_place(tmp_path: Path) -> None:
    others = [replace(RUN, model="other"), replace(RUN, model_revision=""), replace(RUN, sampling=""), replace(RUN, cases="lite"),
              replace(RUN, date="2026-11-24T10:00:00+00:00"), replace(RUN, harness="0.2.0")]
    assert len({run.id for run in (RUN, *others)}) == 7
    assert replace(RUN, source="elsewhere").id == RUN.id
    store = Store(tmp_path)
    for run in (RUN, *others):
        store.add(run, verdicts(True), NAMES)
    assert {one.run for one in store.runs()} == {RUN, *others}
    assert [one.run.date for one in store.runs()] == sorted(one.run.date for one in store.runs())


def test_a_run_is_named_by_its_model_or_by_an_id(tmp_path: Path) -> None:
    store = Store(tmp_path)
    later = replace(RUN, date="2026-11-25T10:00:00+00:00")
    for run in (RUN, later, replace(RUN, model="other")):
        store.add(run, verdicts(True), NAMES)
    assert store.results("other").run.model == "other"
    assert store.results(later.id[:8]).run == later
    with pytest.raises(UserError, match=rf"has 2 runs of 'small' \({RUN.id} of 2026-11-23 on made, {later.id} of 2026-11-25 on made\): give an id"):
        store.results("small")
    for unknown in ("large", "", later.id[:3]):
        with pytest.raises(UserError, match=r"has no run of .*, and there is no such file; `code2bench runs` lists"):
            store.results(unknown)


def test_an_empty_store_has_no_runs(tmp_path: Path) -> None:
    assert Store(tmp_path).runs() == []
    assert table_of([]) == Table(table_of([]).columns, ())
    assert command("runs", "--store", tmp_path).output.split() == list(table_of([]).columns)


@pytest.mark.parametrize(("spoil", "says"), [
    (lambda p: (p / "x.parquet").write_text("no"), "x.parquet is no readable part of a store"),
    (lambda p: pq.write_table(pa.table({"a": [1]}), p / "x.parquet"), "x.parquet is no part of a store .it has no column outcome.; move it"),
])
def test_what_is_no_part_is_named(spoil: object, says: str, tmp_path: Path) -> None:
    Store(tmp_path).add(RUN, verdicts(True), NAMES)
    spoil(tmp_path)  # type: ignore[operator]
    with pytest.raises(UserError, match=says):
        Store(tmp_path).runs()


def test_a_store_that_is_a_file_is_refused_before_anything_is_judged(release_folder: Path, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    done = command("evaluate", release_folder, "--stub", "--output", tmp_path / "r.jsonl", "--store", tmp_path / "file")
    assert "The store" in done.output and "can't be made (File exists); choose another --store." in done.output
    assert done.exit_code == 2 and not (tmp_path / "r.jsonl").exists()


def test_folders_with_signs_of_patterns_are_folders(tmp_path: Path) -> None:
    store = Store(tmp_path / "a*[b]{c}?")
    store.add(RUN, verdicts(True), NAMES)
    assert len(store.runs()) == 1


# What evaluate keeps


def answers_of(made: Release, path: Path, wrong: Sequence[str] = ()) -> Path:
    path.write_text("".join(
        json.dumps({"task_id": task.task_id, "solution": "pass" if task.entry_point in wrong else task.reference}) + "\n"
        for task in made.tasks))
    return path


def test_evaluate_says_whose_answers_it_has_judged(made: Release, release_folder: Path, tmp_path: Path) -> None:
    samples = answers_of(made, tmp_path / "a.jsonl")
    given = ["--model", "small", "--revision", "v2", "--sampling", "top_p=0.95", "--sampling", "temperature=0.8"]
    for _ in range(2):
        done = command("evaluate", release_folder, "--samples", samples, *given, "--store", tmp_path / "store", "--json")
        assert done.exit_code == 0, done.output
    run = json.loads(done.stdout.splitlines()[-1])["run"]
    assert (run["model"], run["model_revision"], run["sampling"]) == ("small", "v2", "temperature=0.8, top_p=0.95")
    kept = read_results(tmp_path / "a.results.jsonl").run
    assert kept.date and kept.date == run["date"]
    (stored,) = Store(tmp_path / "store").runs()
    text = command("evaluate", release_folder, "--samples", samples, *given).output
    assert "answers of small, v2, temperature=0.8, top_p=0.95\n" in text
    assert (stored.run, stored.tasks, stored.perfect) == (replace(kept, source=stored.run.source), 5, 5)
    assert len(list((tmp_path / "store").iterdir())) == 1
    told = command("runs", "--store", tmp_path / "store")
    assert [*told.output.splitlines()[1].split()] == [
        stored.id, "small", "v2", "temperature=0.8,", "top_p=0.95", "made", "full", kept.date[:10], "5", "5", "100.0%"]


def test_the_store_may_come_from_the_environment(made: Release, release_folder: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CODE2BENCH_STORE", str(tmp_path / "store"))
    for model, wrong in (("a", ()), ("b", ("clamp", "runs"))):
        samples = answers_of(made, tmp_path / f"{model}.jsonl", wrong)
        assert command("evaluate", release_folder, "--samples", samples, "--model", model).exit_code == 0
    told = command("compare", "a", "b", "--json")
    result = json.loads(told.output)
    assert (result["tasks"], result["difference"], result["first"]["run"]["model"]) == (5, pytest.approx(-0.4), "a")
    by_file = json.loads(command("compare", tmp_path / "a.results.jsonl", "b", "--json").output)
    assert by_file["worse"] == result["worse"] and by_file["p_value"] == result["p_value"]
    text = command("compare", "a", "b").output
    assert text.splitlines()[1].startswith("A  a (") and "100.0%" in text.splitlines()[1]
    assert "has no run of 'c', and there is no such file" in command("compare", "a", "c").output


def test_a_file_that_is_there_comes_before_a_model_of_that_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    with ResultsFile(Path("small"), replace(RUN, model="in the file")) as file:
        for key, verdict in verdicts(True):
            file.add(key, verdict, "f")
    Store(tmp_path / "store").add(RUN, verdicts(False), NAMES)
    assert results("small", tmp_path / "store").run.model == "in the file"


def test_a_run_that_goes_on_keeps_its_date_and_another_model_is_another_run(made: Release, tmp_path: Path) -> None:
    options = Options(tmp_path / "r.jsonl", partial=True, subject=Subject("small"))
    first = evaluate(made, references(made.tasks[:2]), options, "samples").run
    header = (tmp_path / "r.jsonl").read_text().replace(first.date, "2026-01-01T00:00:00+00:00")
    (tmp_path / "r.jsonl").write_text(header)
    assert evaluate(made, references(made.tasks), options, "samples").run.date == "2026-01-01T00:00:00+00:00"
    with pytest.raises(UserError, match=r"results of another run \(model was 'small', is 'large'\)"):
        evaluate(made, references(made.tasks), replace(options, subject=Subject("large")), "samples")


def test_results_of_older_versions_are_read_and_go_on(made: Release, tmp_path: Path) -> None:
    path = tmp_path / "r.jsonl"
    evaluate(made, references(made.tasks[:2]), Options(path, partial=True), "samples")
    head, *rest = path.read_text().splitlines()
    run = {name: text for name, text in json.loads(head)["run"].items() if name not in ("model", "model_revision", "sampling", "date")}
    path.write_text("\n".join([json.dumps({"run": run}), *rest]) + "\n")
    assert read_results(path).run.model == read_results(path).run.date == ""
    assert evaluate(made, references(made.tasks), Options(path), "samples").taken_over == 2
    assert compare(path, path).difference == 0.0


# Who has answered


@pytest.mark.parametrize(("given", "sampling"), [
    ([], ""), (["temperature=0.8"], "temperature=0.8"), (["b=1", "a=x y"], "a=x y, b=1"), (["seed=-1"], "seed=-1"),
])
def test_settings_are_written_in_one_way(given: list[str], sampling: str) -> None:
    assert subject("m", "r", given) == Subject("m", "r", sampling)


@pytest.mark.parametrize(("arguments", "says"), [
    (["--model", "m", "--sampling", "hot"], "--sampling takes NAME=VALUE such as temperature=0.8, not 'hot'."),
    (["--model", "m", "--sampling", "a="], "--sampling takes NAME=VALUE such as temperature=0.8, not 'a='."),
    (["--model", "m", "--sampling", "a=1,b=2"], "--sampling takes NAME=VALUE such as temperature=0.8, not 'a=1,b=2'."),
    (["--model", "m", "--sampling", "a=1", "--sampling", "a=2"], "--sampling says a twice; say it once."),
    (["--revision", "v1"], "--revision and --sampling say more about a model: name it by --model."),
    (["--sampling", "a=1"], "--revision and --sampling say more about a model: name it by --model."),
])
def test_what_says_nothing_of_a_model_is_refused(arguments: list[str], says: str, made: Release, release_folder: Path, tmp_path: Path) -> None:
    done = command("evaluate", release_folder, "--samples", answers_of(made, tmp_path / "a.jsonl"), *arguments)
    assert (done.exit_code, done.output) == (2, f"Error: {says}\n")
    assert not (tmp_path / "a.results.jsonl").exists()


@pytest.mark.parametrize("kind", ["--reference", "--stub"])
def test_references_and_stubs_are_nobodys(kind: str, release_folder: Path) -> None:
    done = command("evaluate", release_folder, kind, "--model", "m")
    assert done.output == "Error: --model, --revision and --sampling say whose --samples these are; leave them out.\n"


@pytest.mark.parametrize(("arguments", "settings", "found"), [
    ({"pretrained": "org/m", "revision": "abc"}, {"until": ["x"], "temperature": 0.8, "do_sample": True}, Subject("org/m", "abc", "do_sample=True, temperature=0.8")),
    ({"model": "m", "base_url": "http://x"}, {"temperature": 0.0, "seed": None}, Subject("m", "", "temperature=0.0")),
    ({}, {}, Subject()),
])
def test_lm_evals_configuration_says_who_has_answered(arguments: dict[str, object], settings: dict[str, object], found: Subject) -> None:
    assert of_configuration(arguments, settings) == found


# Tables


def test_tables_are_told_to_people_programs_and_spreadsheets() -> None:
    given = Table(("who", "share", "95%"), (("a, b", Share(0.25), Interval(0.1, 0.4)), ("c", Share(1.0), Interval(1.0, 1.0))))
    assert tables.as_text(given) == ["who    share           95%", "a, b   25.0%    10.0-40.0%", "c     100.0%  100.0-100.0%"]
    assert json.loads(tables.as_json(given))[0] == {"who": "a, b", "share": 0.25, "95%": {"low": 0.1, "high": 0.4}}
    assert tables.as_csv(given) == 'who,share,95% low,95% high\n"a, b",0.25,0.1,0.4\nc,1.0,1.0,1.0\n'


def test_runs_with_other_settings_say_so(tmp_path: Path) -> None:
    store = Store(tmp_path)
    for name, sampling in (("a", "temperature=0.8"), ("b", "temperature=0.0")):
        store.add(replace(RUN, model=name, sampling=sampling), verdicts(True), NAMES)
    assert analyse(store.results("a"), store.results("b")).notes == (
        "The runs differ in their sampling: temperature=0.8 and temperature=0.0.",)
