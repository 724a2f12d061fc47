"""People label whether questions in other words mean the same, and the card of the release tells what they say."""

from __future__ import annotations

import csv
import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.releases.dataset import load_release
from harness.rewordings import read_rewordings
from harness.scoring.metrics import wilson
from tests.pipeline.vary.conftest import origin

__all__ = ["origin"]
HOW = ("--strategy", "control", "--strategy", "function_typo", "--strategy", "description_typo", "--variants", 3, "--workers", 1)


def run(*arguments: object, typed: str = "") -> Result:
    return CliRunner().invoke(cli, [*map(str, arguments)], input=typed)


@pytest.fixture(scope="module")
def reworded(origin: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("reworded")
    told = run("vary", origin, *HOW, "--folder", folder)
    assert told.exit_code == 0, told.output
    return folder / "release"


def cells(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8-sig", newline="") as file:
        return list(csv.DictReader(file))


def write(path: Path, rows: list[dict[str, str]]) -> Path:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, rows[0])
        writer.writeheader()
        writer.writerows(rows)
    return path


def exported(release: Path, path: Path, each: int) -> list[dict[str, str]]:
    told = run("agreement", release, "--variants", "--export", path, "--sample", each)
    assert told.exit_code == 0, told.output
    return cells(path)


def test_a_sample_has_each_strategy_and_none_of_their_names(reworded: Path, tmp_path: Path) -> None:
    rows = exported(reworded, tmp_path / "a.csv", 2)
    strategies = {row.variant_id: row.strategy for row in read_rewordings(load_release(reworded))}
    assert sorted(strategies[row["id"]] for row in rows) == ["description_typo"] * 2 + ["function_typo"] * 2
    assert list(rows[0]) == ["id", "function", "original", "reworded", "meaning", "note"]
    assert all(row["original"] != row["reworded"] and "def " in row["reworded"] for row in rows)
    rows[0]["meaning"] = "Same"
    write(tmp_path / "a.csv", rows)
    more = exported(reworded, tmp_path / "a.csv", 3)
    assert len(more) == 6 and more[0]["meaning"] == "Same", "what was labelled stays, and a larger sample holds a smaller one"
    assert exported(reworded, tmp_path / "b.csv", 3) != exported(reworded, tmp_path / "c.csv", 1)


def test_labels_are_asked_for_and_counted_by_strategy(reworded: Path, tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    rows = exported(reworded, path, 2)
    strategies = {row.variant_id: row.strategy for row in read_rewordings(load_release(reworded))}
    told = run("agreement", reworded, "--variants", "--label", path, typed="y\n\nn\nwhy not\ns\nq\n")
    assert told.exit_code == 0 and "2 of 4 questions" in told.output and "Other words:" in told.output, told.output
    assert [(row["meaning"], row["note"]) for row in cells(path)][:2] == [("same", ""), ("other", "why not")]
    answers = "".join("y\n\n" for _ in rows[2:])
    assert "4 of 4 questions" in run("agreement", reworded, "--variants", "--label", path, typed=answers).output
    found = {row["strategy"]: row for row in json.loads(run("agreement", reworded, "--variants", "--labels", path, "--json").output)}
    wrong = strategies[rows[1]["id"]]
    interval = wilson(1, 2)
    assert found[wrong]["share"] == 0.5 and found[wrong]["interval"] == {"low": interval.low, "high": interval.high}
    assert [row["same"] for name, row in found.items() if name != wrong] == [2]
    shown = run("agreement", reworded, "--variants", "--labels", path).output
    assert f"50% ({100 * interval.low:.0f}-{100 * interval.high:.0f}%)" in shown
    other = write(tmp_path / "ben.csv", [{"id": row["id"], "meaning": "other"} for row in rows])
    both = json.loads(run("agreement", reworded, "--variants", "--labels", path, "--labels", other, "--json").output)
    assert [row["same"] for row in both] == [0, 0], "one person who says other is enough"


def test_the_card_prints_the_shares_and_the_release_holds_the_labels(origin: Path, reworded: Path, tmp_path: Path) -> None:
    rows = exported(reworded, tmp_path / "a.csv", 2)
    write(tmp_path / "a.csv", [{**row, "meaning": "same"} for row in rows])
    assert "People have labelled" not in (reworded / "README.md").read_text()
    told = run("vary", origin, *HOW, "--folder", tmp_path / "again", "--labels", tmp_path / "a.csv")
    assert told.exit_code == 0, told.output
    made = tmp_path / "again" / "release"
    assert "| function_typo | 2 | 2 | 100% (34-100%) |" in (made / "README.md").read_text()
    assert [list(row.values()) for row in cells(made / "labels.csv")] == sorted([row["id"], "same"] for row in rows)
    assert "function_typo" in run("agreement", made, "--variants").output
    checked = run("verify", made, "--origin", origin, "--workers", 1)
    assert checked.exit_code == 0 and "passes every gate" in checked.output, checked.output


@pytest.mark.parametrize(("arguments", "said"), [
    (["agreement", "{release}", "--variants"], "write some by --export FILE"),
    (["agreement", "{origin}", "--variants"], "asks its questions in one way"),
    (["agreement", "{release}", "--variants", "--labels", "{odd}"], "line 2: the release has no question in other words 'c2v-1'"),
    (["agreement", "{release}", "--variants", "--labels", "{wrong}"], "meaning is 'maybe': write same or other, or leave it empty"),
    (["agreement", "{release}", "--variants", "--label", "{missing}"], "make one with --export"),
    (["vary", "{origin}", "--labels", "{odd}"], "name a --strategy, or leave them out"),
])  # fmt: skip
def test_mistakes_are_one_sentence(origin: Path, reworded: Path, tmp_path: Path, arguments: list[str], said: str) -> None:
    one = next(row.variant_id for row in read_rewordings(load_release(reworded)) if row.strategy == "function_typo" and row.number)
    places = {
        "release": reworded, "origin": origin, "missing": tmp_path / "none.csv",
        "odd": write(tmp_path / "odd.csv", [{"id": "c2v-1", "meaning": "same"}]),
        "wrong": write(tmp_path / "wrong.csv", [{"id": one, "meaning": "maybe"}]),
    }
    told = run(*(argument.format(**places) for argument in arguments))
    assert told.exit_code == 2 and said in told.output and told.output.count("\n") == 1, told.output
