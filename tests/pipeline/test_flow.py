"""The whole way on small projects from a local registry: real stages, real sandbox, a real release."""

import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Collection
from dataclasses import replace
from pathlib import Path
from random import Random

import pyarrow as pa
import pyarrow.parquet as pq
import pytest

from harness.errors import UserError
from harness.records import Answer, Comparison, Task
from harness.releases.dataset import load_release
from harness.releases.rows import row_digest, task_digest, write_track
from harness.rewordings import read_rewordings
from pipeline import flow
from pipeline.flow import Build, Options
from pipeline.release.explain import explain
from pipeline.release.funnel import as_text, funnel
from pipeline.release.verify import GATES, verify
from tests.forked import Forked
from tests.pipeline.make_project import ROOT, data_folder, tree
from tests.pipeline.sources.conftest import Server


def test_new_described_functions_become_tasks(built: Build) -> None:
    names = {t.entry_point for t in load_release(built.release).tasks}
    assert {"shorten", "merge_ranges"} <= names <= {"shorten", "merge_ranges", "count_words"}


def test_the_release_passes_its_own_gates(built: Build) -> None:
    assert verify(str(built.release), 2) == []


def test_read_is_kept_plus_rejected_in_the_funnel(built: Build) -> None:
    rows = funnel(built.folder)
    assert all(row.read == row.kept + sum(row.reasons.values()) for row in rows)
    by_stage = {(r.stage, r.unit): r for r in rows}
    assert by_stage["lock", "source"].reasons == {"project_gone": 1}
    assert by_stage["mine", "function"].reasons["prior_to_cutoff"] == 1
    kept = [by_stage[s, "function"].kept for s in ("mine", "classify", "screen", "elsewhere", "dedupe")]
    assert kept == [3, 3, 3, 3, 3]
    assert "The same code, or a version of it" in as_text(rows)


def test_the_funnel_tells_what_each_stage_did_to_lines_and_complexity(built: Build) -> None:
    rows = {r.stage: r for r in funnel(built.folder) if r.unit == "function"}
    assert not rows["classify"].means
    assert [came for came, _ in rows["screen"].means.values()] == [None, None]
    assert [came for came, _ in rows["sample"].means.values()] == [stayed for _, stayed in rows["screen"].means.values()]
    tasks = load_release(built.release).tasks
    mean = sum(task.measures.lines for task in tasks) / len(tasks)
    assert rows["package"].means["lines"][1] == pytest.approx(mean, abs=0.01)
    assert "mean of the functions: complexity" in as_text(list(rows.values()))


def test_a_function_s_way_is_explained(built: Build) -> None:
    kept = explain(built.folder, "shorten")
    assert [s.stage for s in kept][:3] == ["mine", "classify", "screen"] and {s.outcome for s in kept} == {"kept"}
    assert [(s.stage, s.outcome) for s in explain(built.folder, "beta/__init__.py:old")] == [("mine", "prior_to_cutoff")]
    for left in ("tests/test_it.py", "tests/test_it.py:test_it"):
        assert {(s.stage, s.outcome) for s in explain(built.folder, left)} == {("mine", "excluded_folder")}
    for unknown in ("nothing_of_the_kind", "tests/test_other.py:test_it"):
        with pytest.raises(UserError, match="give a task id, a name"):
            explain(built.folder, unknown)


@pytest.mark.slow  # another whole build, where those that are killed have other workers and a release its own lock
def test_it_is_the_same_whatever_the_workers_and_from_the_lock(registry: Server, built: Build, tmp_path: Path) -> None:
    config = data_folder(tmp_path)
    lock = built.config.path.with_suffix(".lock")
    config.with_suffix(".lock").write_bytes(lock.read_bytes())
    registry.files.clear()
    registry.projects.clear()
    again = flow.build(config, Options(workers=2, folder=tmp_path / "build"))
    assert tree(again.release) == tree(built.release)


def test_a_missing_ray_is_one_sentence_with_the_cure(tmp_path: Path) -> None:
    config = data_folder(tmp_path)
    config.write_text('executor = "ray"\n' + config.read_text())
    code = "import sys; sys.modules['ray'] = None; from harness.cli import main; main()"
    run = subprocess.run(
        [sys.executable, "-c", code, "build", str(config)], cwd=tmp_path, capture_output=True, text=True,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
    )
    sentence = "Error: this command needs ray, which is not installed: pip install 'code2bench[ray]'\n"
    assert (run.returncode, run.stderr) == (2, sentence)


def goes_on(built: Build, folder: Path, table: str) -> None:
    """The same build in a folder of its own, with one more table in its settings."""
    config = data_folder(folder)
    config.write_text(f"{config.read_text()}\n{table}\n")
    shutil.copytree(built.folder, folder / "build")
    flow.build(config, Options(workers=1, folder=folder / "build"))


def test_a_build_makes_the_variants_that_its_settings_name(registry: Server, built: Build, tmp_path: Path) -> None:
    variants = 'chains = ["Plain"]\nfamilies = ["output"]\ncases = 1\nproof_inputs = 0\nstrategies = ["control", "function_typo"]'
    goes_on(built, tmp_path, f"[vary]\n{variants}\nvariants = 1")
    assert {task.track for task in load_release(tmp_path / "build" / "variants").tasks} == {"output-python"}
    rows = read_rewordings(load_release(tmp_path / "build" / "prompts"))
    assert {row.strategy for row in rows} == {"initial", "control", "function_typo"} and any(row.number for row in rows)


def test_a_build_evolves_its_programs_where_its_settings_say_so(registry: Server, built: Build, tmp_path: Path) -> None:
    settings = 'versions = 1\nevaluations = 8\npopulation = 4\nfamilies = ["output"]\ncases = 1\nproof_inputs = 0'
    goes_on(built, tmp_path, f"[evolve]\n{settings}")
    evolved = load_release(tmp_path / "build" / "evolved")
    assert {task.track for task in evolved.tasks} == {"output-python"}
    assert {task.origin for task in evolved.tasks} <= {task.task_id for task in load_release(tmp_path / "build").tasks}


def test_settings_of_evolution_that_cannot_be_met_are_told_before_anything_is_built(tmp_path: Path) -> None:
    config = data_folder(tmp_path)
    config.write_text(f"{config.read_text()}\n[evolve]\nversions = 1\nstrategy = 'nsga3'\n")
    with pytest.raises(UserError, match=r"There is no strategy 'nsga3'.*nsga2"):
        flow.build(config, Options(workers=1, folder=tmp_path / "build"))


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow)])
def test_a_build_killed_again_and_again_ends_in_the_same_bytes(
    registry: Server, built: Build, tmp_path: Path, seed: int
) -> None:
    config, folder = data_folder(tmp_path), tmp_path / "build"
    random = Random(seed)
    for _ in range(4 if seed == 1 else 12):
        process = Forked(flow.build, config, Options(workers=random.choice([1, 2]), folder=folder))
        time.sleep(random.uniform(0.1, 2.5))
        process.kill()
        process.wait()
    finished = flow.build(config, Options(workers=1, folder=folder))
    assert tree(finished.release) == tree(built.release)


@pytest.mark.parametrize(("model", "said"), [
    ("claude-sonnet-4", "what these models know: claude-sonnet-4 (Anthropic, models overview (training data), not verified). Read the source"),
    ("gpt-5.2", ""),
])  # fmt: skip
def test_a_window_after_a_cutoff_that_nobody_has_verified_is_told(
    registry: Server, tmp_path: Path, model: str, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    config = data_folder(tmp_path)
    config.write_text(config.read_text().replace('after = "2026-05-01"', f'models = ["{model}"]'))
    flow.build(config, Options(workers=1, folder=tmp_path / "build", until_stage="lock"))
    told = capsys.readouterr().err
    assert said in told and ("not verified" in told) == bool(said)


STAGES = ("lock", "mine", "classify", "screen", "elsewhere", "dedupe", "curate", "judge", "sample", "calls", "suite", "namesakes", "instruct", "package")
POINTS = 20

UNTIL = """
import sys
from pathlib import Path
from pipeline.flow import Options, build
if __name__ == "__main__":
    print("ready", flush=True)
    build(Path(sys.argv[1]), Options(workers=int(sys.argv[3]), folder=Path(sys.argv[2]), until_stage=sys.argv[4]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_killed_at_many_points_ends_in_the_same_bytes(
    registry: Server, built: Build, tmp_path: Path, stage: str
) -> None:
    """Each point is a time after the start of the work, drawn from a seed; a stage that got done is begun anew."""
    config, folder, script = data_folder(tmp_path), tmp_path / "build", tmp_path / "script.py"
    script.write_text(UNTIL)
    number = STAGES.index(stage) + 1
    own = folder / "stages" / f"{number:02d}-{stage}"
    if number > 1:
        flow.build(config, Options(workers=1, folder=folder, until_stage=STAGES[number - 2]))
    random = Random(f"kill {stage}")
    killed = 0
    for _ in range(POINTS):
        command = [sys.executable, str(script), str(config), str(folder), str(random.choice([1, 2])), stage]
        process = subprocess.Popen(
            command, env={**os.environ, "PYTHONPATH": str(ROOT)}, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )
        assert process.stdout is not None and process.stdout.readline() == b"ready\n"
        time.sleep(random.uniform(0.0, 1.5 if stage in ("suite", "package", "instruct") else 0.2))
        process.kill()
        process.wait()
        process.stdout.close()
        killed += process.returncode == -signal.SIGKILL
        if own.is_dir() and json.loads((own / "stage.json").read_text()).get("done"):
            shutil.rmtree(own)
    assert killed >= POINTS // 2
    assert tree(flow.build(config, Options(workers=1, folder=folder)).release) == tree(built.release)


FIELDS = [
    "task_id", "task_digest", "track", "language", "family", "entry_point", "signature", "imports", "instruction",
    "difficulty", "domain", "reference", "strategies", "raising", "usual", "judged_by", "instructed_by", "schema_version", "canary",
    "cases", "provenance.licence", "provenance.project", "provenance.url", "provenance.path", "provenance.line_start",
    "provenance.revision", "provenance.revision_date", "provenance.archive", "provenance.archive_sha256",
    "provenance.first_seen", "provenance.baseline", "provenance.licence_source", "provenance.source", "libraries",
    "comparison.mutation", "measures.complexity", "strength.branch_coverage",
    "strength.higher_order_score",
]


@pytest.mark.parametrize("field", FIELDS)
def test_a_corrupted_field_is_found_by_its_hash(built: Build, tmp_path: Path, field: str) -> None:
    folder = corrupted(built.release, tmp_path, field, mend=False)
    assert [f.gate for f in verify(str(folder))] == ["files"]


def republished(release: Path, place: Path, change: Callable[[Task], Task], only: Collection[str] = ()) -> Path:
    """A copy of a release with its tasks, or those of some names alone, changed and every hash made right again."""
    folder = place / "release"
    shutil.copytree(release, folder)
    manifest = json.loads((folder / "manifest.json").read_text())
    tasks = [change(task) for task in load_release(release).tasks if not only or task.entry_point in only]
    for track, entry in manifest["tracks"].items():
        own = [task for task in tasks if task.track == track]
        write_track(own, folder / entry["file"])
        entry |= {"row_digest": row_digest(own), "rows": len(own)}
        manifest["files"][entry["file"]] = hashlib.sha256((folder / entry["file"]).read_bytes()).hexdigest()
    (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def provenance(**changes: object) -> Callable[[Task], Task]:
    return lambda task: replace(task, provenance=replace(task.provenance, **changes))


def fewer_cases(task: Task) -> Task:
    cases = task.cases[:1]
    raising = float(cases[0].expected.kind == "raised")
    digest = task_digest(task.instruction, cases, task.comparison)
    return replace(task, cases=cases, raising=raising, task_digest=digest, lite=None)


def wrong_answers(task: Task) -> Task:
    cases = tuple(replace(c, expected=Answer("returned", "wrong")) for c in task.cases)
    return replace(task, cases=cases, raising=0.0, task_digest=task_digest(task.instruction, cases, task.comparison))


@pytest.mark.parametrize(("change", "gate"), [
    (lambda t: replace(t, canary="none"), "form"),
    (lambda t: replace(t, difficulty="Nightmare"), "form"),
    (lambda t: replace(t, judged_by=""), "form"),
    (lambda t: replace(t, family="riddle"), "form"),
    (lambda t: replace(t, cases=(*t.cases, t.cases[0])), "form"),
    (lambda t: replace(t, task_id="c2b-" + t.task_id[4:][::-1]), "content"),
    (lambda t: replace(t, instruction=t.instruction + " "), "content"),
    (lambda t: replace(t, signature="def other():"), "content"),
    (lambda t: replace(t, entry_point="other"), "content"),
    (lambda t: replace(t, imports=("import os",)), "content"),
    (lambda t: replace(t, raising=0.77), "content"),
    (lambda t: replace(t, strategies="def ("), "content"),
    (lambda t: replace(t, strategies=t.strategies.replace("def outcome", "calls = st.nothing()\ndef outcome")), "strategies"),
    (lambda t: replace(t, undrawn=("line 2",)), "strategies"),
    (lambda t: replace(t, comparison=Comparison(unordered=True)), "content"),
    (lambda t: replace(t, libraries=("numpy",)), "analysis"),
    (lambda t: replace(t, measures=replace(t.measures, complexity=9)), "analysis"),
    (lambda t: replace(t, domain="Cooking"), "provenance"),
    (provenance(licence="GPL-3.0-only"), "provenance"),
    (provenance(licence_source="hearsay"), "provenance"),
    (provenance(project="gamma"), "provenance"),
    (provenance(source="git"), "provenance"),
    (provenance(domain="Cooking"), "provenance"),
    (provenance(url="https://example.org"), "provenance"),
    (provenance(path="../x.py"), "provenance"),
    (provenance(line_start=0), "provenance"),
    (provenance(line_end=0), "provenance"),
    (provenance(revision="9.9"), "provenance"),
    (provenance(revision_date="2025-01-01T00:00:00Z"), "provenance"),
    (provenance(first_seen="2027-01-01T00:00:00Z"), "provenance"),
    (provenance(archive="x.zip"), "provenance"),
    (provenance(archive_sha256="00"), "provenance"),
    (provenance(baseline=()), "provenance"),
    (provenance(similarity=1.5), "provenance"),
    (lambda t: replace(t, strength=replace(t.strength, branch_coverage=0.5)), "coverage"),
    (fewer_cases, "coverage"),
    (wrong_answers, "dry run"),
    (lambda t: replace(t, lite=(0,)), "lite"),
    (lambda t: replace(t, lite=(1, 0)), "cases"),
], ids=range(39))
def test_what_hashes_can_t_show_is_found_by_a_gate(
    built: Build, tmp_path: Path, change: Callable[[Task], Task], gate: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    if gate in GATES:
        monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    folder = republished(built.release, tmp_path, change, only={"merge_ranges"})
    assert gate in {finding.gate for finding in verify(str(folder), 1)}


def test_a_lite_selection_that_is_long_is_none(
    built: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def all_of_many(task: Task) -> Task:
        cases = task.cases * 3
        digest = task_digest(task.instruction, cases, task.comparison)
        return replace(task, cases=cases, task_digest=digest, lite=tuple(range(len(cases))))

    monkeypatch.setattr("pipeline.release.verify._runs", lambda *_: [])
    folder = republished(built.release, tmp_path, all_of_many, only={"merge_ranges"})
    assert any("the lite selection has" in str(finding) for finding in verify(str(folder), 1))


def corrupted(release: Path, place: Path, field: str, mend: bool) -> Path:
    """A copy of a release with one field of its first row changed; `mend` makes the file hashes right again."""
    folder = place / "release"
    shutil.copytree(release, folder)
    path = next(folder.rglob("*.parquet"))
    table = pq.read_table(path)
    rows = table.to_pylist()
    top, _, inner = field.partition(".")
    holder, key = (rows[0][top], inner) if inner else (rows[0], top)
    holder[key] = changed(holder[key])
    pq.write_table(pa.Table.from_pylist(rows, schema=table.schema), path)
    if mend:
        manifest = json.loads((folder / "manifest.json").read_text())
        manifest["files"][path.relative_to(folder).as_posix()] = hashlib.sha256(path.read_bytes()).hexdigest()
        (folder / "manifest.json").write_text(json.dumps(manifest))
    return folder


def changed(value: object) -> object:
    if isinstance(value, bool):
        return not value
    if isinstance(value, str):
        return value[:-1] + ("x" if not value.endswith("x") else "y") if value else "x"
    if isinstance(value, (int, float)):
        return value + 1
    return [*(value or []), "x"] if isinstance(value, list) or value is None else value
