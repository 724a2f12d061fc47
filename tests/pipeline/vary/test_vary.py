"""A release of variants: made of a finished release, asked, judged, verified, and the same bytes for the same seed."""

from __future__ import annotations

import json
import re
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest

from harness.families.registry import family_of
from harness.languages import Machine
from harness.records import Program, Spectrum
from harness.releases.dataset import load_release, row_to_task, task_to_row
from harness.scoring.judging import judge_all
from pipeline import store
from pipeline.config import VaryConfig
from pipeline.hub.prepared import prepare
from pipeline.records import Rejection
from pipeline.stage import Context
from pipeline.vary.programs import altered
from pipeline.vary.similarity import similarity
from pipeline.vary.stage import VaryStage
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_task
from tests.pipeline.vary.commands import bytes_of, run


@pytest.fixture(scope="module")
def varied(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, dict[str, Any]]:
    folder = tmp_path_factory.mktemp("varied") / "made-7"
    told = run("vary", origin, "--seed", 7, "--folder", folder, "--workers", 2, "--json")
    assert told.exit_code == 0, told.output
    return folder / "release", json.loads(told.stdout.splitlines()[-1])


def test_every_variant_is_asked_about_and_only_the_right_answers_count(varied: tuple[Path, dict[str, Any]], machine: Machine) -> None:
    folder, told = varied
    release = load_release(folder)
    tasks = release.tasks
    assert Counter(task.track for task in tasks) == told["rows"] and set(told["rows"]) == {"output-python", "input-python", "outcome-python"}
    assert {task.variation.chain for task in tasks if task.variation} >= {"Plain", "VarNormII", "CondAug", "FUV", "Altered", ""}
    verdicts = list(judge_all([(task, task.reference) for task in tasks], machine, 2, tasks=tasks))
    assert all(one.perfect for one in verdicts)
    stubs = judge_all([(task, family_of(task).stub(task)) for task in tasks], machine, 2, tasks=tasks)
    assert {one.outcome for one in stubs} <= {Spectrum.SYNTAX_ERR, Spectrum.RUNTIME_ERR, Spectrum.LOGIC_ERR}


def test_rows_have_the_steps_of_their_programs_and_others_the_digests_of_older_releases(varied: tuple[Path, dict[str, Any]]) -> None:
    tasks = load_release(varied[0]).tasks
    assert all(bool(task.variation and task.variation.steps) == (task.track != "outcome-python") for task in tasks)
    for task in tasks:
        row = task_to_row(task)
        assert ("steps" in row["variation"]) == (task.track != "outcome-python") and row_to_task(row) == task
    columns = {track: set(pq.read_table(varied[0] / track).to_pylist()[0]["variation"]) for track in varied[1]["rows"]}
    assert [track for track in sorted(columns) if "steps" in columns[track]] == ["input-python", "output-python"]
    shown = run("show", varied[0], next(task.task_id for task in tasks if task.track == "output-python"))
    assert "; it takes " in shown.output


def test_who_recites_the_origin_is_wrong_where_the_program_is_altered(varied: tuple[Path, dict[str, Any]], machine: Machine) -> None:
    tasks = [task for task in load_release(varied[0]).tasks if task.track == "output-python"]
    known = {(task.origin, task.variation.case): task.reference for task in tasks if task.variation and task.variation.chain == "Plain"}
    altered = [task for task in tasks if task.variation and task.variation.chain == "Altered"]
    recited = [(task, known[task.origin, task.variation.case]) for task in altered if task.variation]
    assert len(altered) >= 5 and not any(one.perfect for one in judge_all(recited, machine, 2, tasks=altered))


def test_the_programs_are_told_with_their_proofs_or_reasons(varied: tuple[Path, dict[str, Any]]) -> None:
    rows: list[Program] = list(store.read(varied[0] / "programs.parquet", Program))
    made = [row for row in rows if row.program]
    assert len(rows) == 12 * len({row.task_id for row in rows}) and len({row.variant_id for row in rows}) == len(rows)
    assert all(row.cases >= 5 and not row.reason for row in made if row.chain != "Altered")
    assert all(row.reason and row.evidence for row in rows if not row.program)
    assert {row.proof for row in made} >= {"bytecode", "inverse", "suite", "altered"}
    plain = [row for row in made if row.chain == "Plain"]
    assert all((round(row.bleu), row.edit, row.shingles) == (100, 0.0, 1.0) for row in plain)
    card = (varied[0] / "README.md").read_text()
    assert "| FUV |" in card and "code2bench vary made --seed 7" in card


def test_a_seed_can_be_committed_to_before_it_is_told(
    origin: Path, varied: tuple[Path, dict[str, Any]], tmp_path: Path
) -> None:
    parent = load_release(origin).manifest_sha256
    assert varied[1]["commitment"] == sha256(f"{parent}/7".encode()).hexdigest()
    told = run("vary", origin, "--commit", "--chain", "FuncNorm", "--family", "output", "--cases", 1, "--folder", tmp_path / "secret")
    seed = re.search(r"--seed (\d+)", told.stderr)
    assert seed and f"Commitment to its seed: {sha256(f'{parent}/{seed[1]}'.encode()).hexdigest()}" in told.stdout, told.output
    assert load_release(tmp_path / "secret").manifest["seed"] == int(seed[1]) > 2**40
    assert "leave out --seed" in run("vary", origin, "--commit", "--seed", 3).output


def test_the_seed_decides_all_of_it(origin: Path, varied: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    again = run("vary", origin, "--seed", 7, "--folder", tmp_path / "again", "--workers", 1)
    assert again.exit_code == 0 and bytes_of(tmp_path / "again" / "release") == bytes_of(varied[0])
    other = run("vary", origin, "--seed", 8, "--folder", tmp_path / "other", "--chain", "VarNormII", "--family", "output", "--draws", 2)
    assert other.exit_code == 0, other.output
    rows = list(store.read(tmp_path / "other" / "release" / "programs.parquet", Program))
    before = {row.program for row in store.read(varied[0] / "programs.parquet", Program)}
    assert {row.draw for row in rows} == {0, 1} and not before & {row.program for row in rows}
    assert [one.track for one in load_release(tmp_path / "other").tasks[:1]] == ["output-python"]


def test_verify_looks_for_the_origin(varied: tuple[Path, dict[str, Any]]) -> None:
    assert "There is no release 'made'" in run("verify", varied[0]).output


def test_all_commands_take_it(varied: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    folder = varied[0]
    asked = [json.loads(line) for line in run("prompts", folder, "--track", "output-python").stdout.splitlines()]
    found = {task.task_id: task.reference for task in load_release(folder).tasks}
    answers = tmp_path / "answers.jsonl"
    answers.write_text("".join(json.dumps({"task_id": one["task_id"], "completion": f" {found[one['task_id']]}\n"}) + "\n" for one in asked))
    told = run("evaluate", folder, "--samples", answers, "--track", "output-python", "--by", "chain")
    assert told.exit_code == 0 and "Altered" in told.output and "100.0%" in told.output, told.output
    shown = run("show", folder, asked[0]["task_id"])
    assert "asks about: chain " in shown.output
    assert "`code2bench quality made` looks at these" in run("quality", folder).output
    veiled = prepare(load_release(folder), "ORG/NAME", "made-7", None, tmp_path / "veiled", veil=True).folder
    assert load_release(veiled).tasks == load_release(folder).tasks
    assert (veiled / "README.md").read_bytes() == (folder / "README.md").read_bytes()


@pytest.mark.parametrize(("arguments", "said"), [
    (["vary", "{origin}", "--chain", "FUW"], "There is no chain 'FUW' (did you mean 'FUV'?): name one of Plain, "),
    (["vary", "{origin}", "--family", "ouput"], "did you mean 'output'?"),
    (["vary", "{origin}", "--cases", "0"], "give --draws and --cases a number from 1"),
    (["vary", "{origin}", "--sites", "-2"], "give --sites a number from 1, or 0 for all"),
    (["vary", "{origin}", "--seed", "many"], "'many' is not a valid integer"),
    (["vary", "{varied}"], "was made of made by `vary`: vary made with another seed instead"),
    (["vary", "{origin}", "--folder", "{full}"], "holds something else: give another folder by --folder"),
    (["vary", "nowhere"], "There is no release 'nowhere' here"),
])  # fmt: skip
def test_mistakes_are_one_sentence(origin: Path, varied: tuple[Path, dict[str, Any]], tmp_path: Path, arguments: list[str], said: str) -> None:
    full = tmp_path / "full"
    full.mkdir()
    (full / "mine.txt").write_text("")
    places = {"origin": origin, "varied": varied[0], "full": full}
    told = run(*(one.format(**places) for one in arguments))
    assert told.exit_code == 2 and said in told.output and told.output.count("\n") == 1, told.output


@pytest.mark.slow  # a further release, which is verified
def test_a_dose_has_a_name_and_programs_of_its_own(origin: Path, varied: tuple[Path, dict[str, Any]], tmp_path: Path) -> None:
    told = run("vary", origin, "--seed", 7, "--sites", 1, "--chain", "ConstUnfold", "--chain", "Plain", "--chain", "StringUnfold",
               "--family", "output", "--folder", tmp_path / "dose")
    assert told.exit_code == 0, told.output
    release = load_release(tmp_path / "dose" / "release")
    rows = list(store.read(tmp_path / "dose" / "release" / "programs.parquet", Program))
    every = {row.variant_id: row for row in store.read(varied[0] / "programs.parquet", Program)}
    assert release.name == "made-7-sites1" and not {row.variant_id for row in rows} & set(every)
    made = [row for row in rows if row.chain == "ConstUnfold" and row.program]
    assert made and all(row.sites == {"ConstUnfold": 1} for row in made)
    assert any((row.sites or {}).get("ConstUnfold", 0) > 1 for row in every.values())
    assert "--seed 7 --sites 1`" in (release.folder / "README.md").read_text()
    whole = run("verify", tmp_path / "dose" / "release", "--origin", origin)
    assert whole.exit_code == 0 and "passes every gate" in whole.output, whole.output


def test_what_can_not_be_asked_is_told(tmp_path: Path, machine: Machine) -> None:
    same = make_task("same", 'def same(value: int) -> int:\n    """It, as it is."""\n    return value\n', [(n,) for n in range(9)])
    long = make_task("long", 'def long(value: str) -> str:\n    """It."""\n    return value * 50\n', [(f"text {n}",) for n in range(9)])
    context = Context(7, tmp_path, LOCK, LOCK.parents[1], "", "")
    kept, refused = VaryStage(VaryConfig(chains=("Plain", "Altered"))).run([same, long], context)
    assert isinstance(refused, Rejection) and refused.reason == "no_case_to_predict" and refused.name == "long"
    assert not isinstance(kept, Rejection)
    assert [(row.chain, row.reason) for row in kept.programs] == [("Plain", ""), ("Altered", "")]
    nowhere, given = altered(same, [], VaryConfig(), 0, machine)
    assert (nowhere.reason, nowhere.program, given) == ("no_counterfactual", "", []) and "on 0 cases" in nowhere.evidence
    assert {item.family for item in kept.items} == {"output", "input", "outcome"}


def test_how_far_two_programs_are() -> None:
    far = similarity("def f(a):\n    return a + 1\n", "def f(b):\n    return b + 1\n")
    assert (far.edit, far.ten_gram) == (0.2, False) and 0 < far.bleu < 100
    long = "def f(a):\n    return [a, a, a, a, a]\n"
    assert similarity(long, long) == replace(far, bleu=100.0, edit=0.0, shingles=1.0, ten_gram=True)
    assert 0 < similarity(long, long.replace("a]", "b]")).shingles < 1


@pytest.mark.slow  # lm_eval on variants of three families
def test_lm_eval_asks_chain_by_chain(varied: tuple[Path, dict[str, Any]]) -> None:
    from lm_eval import simple_evaluate
    from lm_eval.tasks import TaskManager

    from harness.lm_eval import install

    names = ("code2bench_output_python_fuv", "code2bench_input_python_altered", "code2bench_outcome_python")
    metadata: dict[str, Any] = {"code2bench_release": str(varied[0])}
    manager = TaskManager(include_path=str(install.SOURCE), include_defaults=False, metadata=metadata)
    asked = list(manager.load(list(names))["tasks"].values())
    told = simple_evaluate(model="dummy", tasks=asked, limit=3, bootstrap_iters=0)
    assert told is not None and set(told["results"]) == set(names)
    assert all(one["pass@1,judged"] == 0 and one["sample_len"] == 3 for one in told["results"].values())
    chains = {doc["task_id"] for one in asked for doc in one.test_docs()}
    found = {task.task_id: task.variation.chain for task in load_release(varied[0]).tasks if task.variation}
    assert {found[one] for one in chains} == {"FUV", "Altered", ""}


def test_solvers_may_be_asked_to_reason_first(origin: Path, tmp_path: Path) -> None:
    told = run("vary", origin, "--chain", "Plain", "--family", "output", "--cases", 1, "--reasoned", "--folder", tmp_path / "r")
    assert told.exit_code == 0, told.output
    release = load_release(tmp_path / "r")
    [first, *_] = run("prompts", tmp_path / "r").stdout.splitlines()
    assert release.name == "made-0-reasoned" and "step by step" in json.loads(first)["system"]
    assert "nothing but that line" not in first
