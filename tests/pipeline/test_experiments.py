"""An experiment finds what is known of its answerers, and who recites is found out by fresh cases and altered programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from pipeline.experiments.run import load
from tests.harness.conftest import LOCK
from tests.harness.make_release import make_release

ROOT = Path(__file__).parents[2]


def run(*arguments: object) -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)])


@pytest.fixture(scope="module")
def release(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return make_release(tmp_path_factory.mktemp("made") / "build" / "made" / "release", LOCK.read_text())


def test_the_tables_hold_what_is_known_and_the_reciter_is_found_out(release: Path, tmp_path: Path) -> None:
    file = tmp_path / "small.toml"
    chains = '["Plain", "VarNormI", "ConstUnfold", "For2While", "Altered"]'
    file.write_text(f'name = "small"\nrelease = "{release}"\ncases = 3\nchains = {chains}\n')
    told = run("experiment", file, "--folder", tmp_path / "work", "--json")
    assert told.exit_code == 0, told.output
    found = json.loads(told.stdout.splitlines()[-1])
    assert found["faults"] == [] and set(found["tables"]) == {"chains", "drops", "contamination"}
    drops = {(row["model"], row["chain"]): row for row in found["tables"]["drops"]}
    assert all(row["points"] == "+0.0" for (model, _), row in drops.items() if model in ("oracle", "stub"))
    assert drops["namer", "VarNormI"]["variant"] == 0 and drops["namer", "ConstUnfold"]["points"] == "+0.0"
    assert drops["literal", "ConstUnfold"]["variant"] == 0 and drops["literal", "VarNormI"]["points"] == "+0.0"
    assert drops["looper", "For2While"]["variant"] == 0 and drops["looper", "VarNormI"]["points"] == "+0.0"
    leaks = {row["chain"]: row for row in found["tables"]["contamination"]}
    assert leaks["VarNormI"]["same cases"] == 1 and leaks["VarNormI"]["fresh cases"] < 1
    assert leaks["Altered"]["same cases"] == 0 and leaks["Altered"]["recited"] == 1
    assert (tmp_path / "work" / "drops.csv").read_text().startswith("model,family,chain,tasks")
    shown = run("robustness", tmp_path / "work" / "namer.results.jsonl")
    assert shown.exit_code == 0 and "VarNormI" in shown.output and "-100.0" in shown.output
    csv = run("robustness", tmp_path / "work" / "namer.results.jsonl", "--csv")
    assert csv.output.splitlines()[1].startswith("namer,output,")
    other = run("robustness", tmp_path / "work" / "namer.results.jsonl", tmp_path / "work" / "reciter-fresh.results.jsonl")
    assert other.exit_code == 2 and "a table holds results on one seed" in other.output
    plain = run("robustness", tmp_path / "work" / "namer.results.jsonl", "--release", release)
    assert plain.exit_code == 2 and "asks about no variants" in plain.output


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
    assert [load(path).name for path in sorted((ROOT / "data" / "experiments").glob("*.toml"))] == ["dynamic"]
