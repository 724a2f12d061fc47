"""An experiment finds what is known of its answerers, and who recites is found out by fresh cases and altered programs."""

from __future__ import annotations

import json
import re
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from statistics import fmean

import pytest
from click.testing import CliRunner, Result

from harness.analysis.robustness import analyse
from harness.cli import cli
from harness.errors import UserError
from harness.releases.dataset import load_release
from harness.scoring.results import read_results
from pipeline.experiments.run import load
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release

ROOT = Path(__file__).parents[2]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("made") / "build" / "made" / "release", LOCK.read_text())


@pytest.mark.slow  # seven answerers, each judged on all variants of the programs
def test_the_tables_hold_what_is_known_and_the_reciter_is_found_out(release: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    chains = '["Plain", "VarNormI", "ConstUnfold", "For2While", "Altered"]'
    file.write_text(f'name = "small"\nrelease = "{release}"\ntasks = 4\ncases = 3\nchains = {chains}\ndoses = [1]\nsteps = 4\n')
    told = run("experiment", file, "--folder", tmp_path / "work", "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout.splitlines()[-1])
    assert found["faults"] == [] and set(found["tables"]) == {"chains", "drops", "contamination", "doses"}
    doses = {(row["chain"], row["places"]): row for row in found["tables"]["doses"]}
    assert doses["ConstUnfold", 1]["edit"] <= doses["ConstUnfold", "all"]["edit"] and doses["VarNormI", 1]["edit"] < doses["VarNormI", "all"]["edit"]
    assert doses["VarNormI", 1]["namer"] == 1 and doses["VarNormI", "all"]["namer"] == 0 == doses["For2While", 1]["looper"]
    drops = {(row["model"], row["chain"]): row for row in found["tables"]["drops"]}
    assert all(row["points"] == "+0.0" for (model, _), row in drops.items() if model in ("oracle", "stub"))
    assert drops["namer", "VarNormI"]["variant"] == 0 and drops["namer", "ConstUnfold"]["points"] == "+0.0"
    assert drops["literal", "ConstUnfold"]["variant"] == 0 and drops["literal", "VarNormI"]["points"] == "+0.0"
    assert drops["looper", "For2While"]["variant"] == 0 and drops["looper", "VarNormI"]["points"] == "+0.0"
    leaks = {row["chain"]: row for row in found["tables"]["contamination"]}
    assert leaks["VarNormI"]["same cases"] == 1 and leaks["VarNormI"]["fresh cases"] < 1
    assert leaks["Altered"]["same cases"] == 0 and leaks["Altered"]["recited"] == 1
    assert (tmp_path / "work" / "drops.csv").read_text().startswith("model,family,chain,tasks")
    drawn = {path.name for path in (tmp_path / "work" / "figures").iterdir()}
    assert drawn == {"output-changes.svg", "output-models.svg", "contamination.svg"}
    shown = run("robustness", tmp_path / "work" / "namer.results.jsonl")
    assert shown.exit_code == 0 and "VarNormI" in shown.output and "-100.0" in shown.output
    figures = run("robustness", tmp_path / "work" / "looper.results.jsonl", "--figures", tmp_path / "figures")
    assert figures.exit_code == 0 and "For2While" in (tmp_path / "figures" / "turned.md").read_text()
    csv = run("robustness", tmp_path / "work" / "namer.results.jsonl", "--csv")
    assert csv.output.splitlines()[1].startswith("namer,output,")
    other = run("robustness", tmp_path / "work" / "namer.results.jsonl", tmp_path / "work" / "reciter-fresh.results.jsonl")
    assert other.exit_code == 2 and "a table holds results on one seed" in other.output
    check_the_tracer(tmp_path / "work")
    plain = run("robustness", tmp_path / "work" / "namer.results.jsonl", "--release", release)
    assert plain.exit_code == 2 and "asks about no variants" in plain.output


def check_the_tracer(work: Path) -> None:
    """What it loses is the share of cases in which a variant takes more than 4 steps, less that in which the origin does."""
    made, results = load_release(work / "variants"), read_results(work / "tracer.results.jsonl")
    asked = {key.task_id for key in results.verdicts}
    steps: dict[str, dict[str, dict[int, int]]] = {}
    for task in made.tasks:
        if task.variation and task.task_id in asked:
            steps.setdefault(task.variation.chain, {}).setdefault(str(task.origin), {})[task.variation.case] = task.variation.steps
    drops = {drop.chain: drop for drop in analyse([results], made)}
    assert set(drops) == set(steps) - {"Plain"} and any(drop.difference for drop in drops.values())
    for chain, drop in drops.items():
        known = [fmean((count <= 4) - (steps["Plain"][task][case] <= 4) for case, count in own.items())
                 for task, own in steps[chain].items()]
        assert abs(fmean(known) - drop.difference) < 1e-9, chain
    parts = [(row.steps, row.origin) for row in analyse([results], made, by_steps=True) if row.chain == "VarNormI" and row.steps]
    assert len(parts) > 1 and all(one[1] < other[0] for (one, _), (other, _) in pairwise(parts))
    for (low, high), right in parts:
        assert right == 1 if high <= 4 else right == 0 if low > 4 else 0 < right < 1
    rows = json.loads(run("robustness", work / "tracer.results.jsonl", "--by", "steps", "--json").output)
    assert [row["steps"] for row in rows if row["chain"] == "VarNormI"] == [f"{low}-{high}" for (low, high), _ in parts]


def test_only_cases_that_both_are_asked_about_count(release: Path, tmp_path: Path) -> None:
    folder = tmp_path / "varied"
    told = run("vary", release, "--chain", "Plain", "--chain", "FuncNorm", "--family", "output", "--cases", 3, "--folder", folder)
    assert told.exit_code == 0, told.output
    tasks = [task for task in load_release(folder).tasks if task.variation]
    name = next(task.origin for task in tasks if len({t.variation.case for t in tasks if t.variation and t.origin == task.origin}) == 3)
    of = {chain: sorted((t for t in tasks if t.variation and (t.origin, t.variation.chain) == (name, chain)),
                        key=lambda t: t.variation.case if t.variation else 0) for chain in ("Plain", "FuncNorm")}

    def rows(answered: dict[str, dict[int, bool]]) -> Result:
        lines = [{"task_id": of[chain][place].task_id, "solution": of[chain][place].reference if right else "'no'"}
                 for chain, one in answered.items() for place, right in one.items()]
        samples = tmp_path / f"{len(list(tmp_path.iterdir()))}.jsonl"
        samples.write_text("".join(json.dumps(line) + "\n" for line in lines))
        assert run("evaluate", folder, "--samples", samples, "--partial").exit_code == 0
        return run("robustness", samples.with_suffix(".results.jsonl"), "--json")

    [row] = json.loads(rows({"Plain": {0: True, 1: False, 2: False}, "FuncNorm": {0: True}}).output)
    assert (row["points"], row["answers"], row["unpaired"]) == ("+0.0", 1, "+66.7")
    [results] = tmp_path.glob("*.results.jsonl")
    [one] = json.loads(run("robustness", results, "--by", "steps", "--json").output)
    assert one["answers"] == 1 and re.fullmatch(r"\d+-\d+", one["steps"])
    older = load_release(folder)
    uncounted = tuple(replace(task, variation=replace(task.variation, steps=0)) for task in older.tasks if task.variation)
    with pytest.raises(UserError, match="make it again by `code2bench vary`"):
        analyse([read_results(results)], replace(older, tasks=uncounted), by_steps=True)
    apart = rows({"Plain": {1: True}, "FuncNorm": {0: True}})
    assert apart.exit_code == 2 and "answers no variant in a case in which it answers the origin" in apart.output


@pytest.mark.parametrize(("text", "said"), [
    ("name = 'x'\nanswerers = ['orakel']\n", "There is no answerer 'orakel' (did you mean 'oracle'?)"),
    ("name = 'x'\nseeds = 3\n", "sets 'seeds', which no experiment has (did you mean 'seed'?)"),
    ("seed = 3\n", "has no name: add one"),
    ("name = ", "can't be read as TOML"),
])
def test_mistakes_are_one_sentence(tmp_path: Path, text: str, said: str) -> None:
    (tmp_path / "x.toml").write_text(text)
    told = run("experiment", tmp_path / "x.toml")
    assert told.exit_code == 2 and said in told.output and told.output.count("\n") == 1, told.output


def test_the_project_s_own_experiments_load() -> None:
    assert [load(path).name for path in sorted((ROOT / "data" / "experiments").glob("*.toml"))] == ["dynamic", "prompts"]


@pytest.mark.slow  # a whole experiment, which is run twice
def test_questions_in_other_words_are_held_to_the_draws(release: Path, tmp_path: Path) -> None:
    file = tmp_path / "words.toml"
    names = '["oracle", "stub", "noise", "shift", "corrector"]'
    strategies = '["control", "function_typo", "description_typo"]'
    file.write_text(f'name = "words"\nrelease = "{release}"\nsamples = 4\nvariants = 3\nstrategies = {strategies}\nanswerers = {names}\n')
    told = run("experiment", file, "--folder", tmp_path / "work", "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout.splitlines()[-1])
    assert found["faults"] == [] and set(found["tables"]) == {"strategies", "sensitivity", "truth"}
    rows = {(row["model"], row["strategy"]): row for row in found["tables"]["sensitivity"]}
    assert all(row["MB"] == row["floor"] == "0.0" for (model, _), row in rows.items() if model in ("oracle", "stub"))
    assert rows["corrector", "function_typo"]["points"] == "-100.0" and rows["corrector (lenient)", "function_typo"]["points"] == "+0.0"
    truths = {(row["model"], row["strategy"]): row for row in found["tables"]["truth"]}
    assert truths["noise", "description_typo"]["true points"] == "+0.0" and float(truths["shift", "description_typo"]["true points"]) < -1
    assert {path.suffix for path in (tmp_path / "work").iterdir() if path.is_file()} == {".csv", ".json", ".jsonl", ".tex"}
    assert "is about programs: leave it out" in run("robustness", tmp_path / "work" / "judged.results.jsonl", "--by", "steps").output
    before = {path.name: path.read_bytes() for path in (tmp_path / "work").glob("*.csv")}
    assert run("experiment", file, "--folder", tmp_path / "work").exit_code == 0
    assert before == {path.name: path.read_bytes() for path in (tmp_path / "work").glob("*.csv")}
    file.write_text(file.read_text().replace('"oracle"', '"oracel"'))
    assert "There is no answerer 'oracel'" in run("experiment", file).output
