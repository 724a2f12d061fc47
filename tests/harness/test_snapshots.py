"""The snapshot that comes with the package: whole, veiled, that of its configuration, and found without a name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from harness.cli import cli
from harness.releases.dataset import load_release
from harness.releases.snapshots import DEFAULT_RELEASE, snapshots
from harness.releases.veil import MARK

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "data" / "snapshots" / DEFAULT_RELEASE


def test_it_is_found_by_name_where_nothing_was_built_and_tells_what_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    release = load_release(DEFAULT_RELEASE)
    assert release.folder == FOLDER == snapshots()[DEFAULT_RELEASE]
    assert len(release.tasks) >= 80 and all(task.reference and task.cases for task in release.tasks)
    [note] = release.notes
    assert "the snapshot that came with code2bench" in note and "code2bench releases" in note


def test_no_reference_stands_in_it_as_plain_text() -> None:
    import pyarrow.parquet as pq

    for path in FOLDER.glob("*/*.parquet"):
        for column in ("reference", "cases", "strategies"):
            assert all(text.startswith(MARK) for text in pq.read_table(path)[column].to_pylist()), path


def test_it_is_that_of_the_configuration_and_lock_of_the_tree() -> None:
    for here, there in (("release.toml", "demo.toml"), ("sources.lock", "demo.lock")):
        assert (FOLDER / here).read_bytes() == (ROOT / "data" / "releases" / there).read_bytes()


def test_releases_without_an_address_lists_what_is_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("CODE2BENCH_CACHE", str(tmp_path / "cache"))
    monkeypatch.delenv("CODE2BENCH_DATASET", raising=False)
    result = CliRunner().invoke(cli, ["releases"])
    assert result.exit_code == 0
    [head, line] = result.stdout.splitlines()
    assert head.split() == ["release", "window", "tasks", "where"]
    assert line.startswith(DEFAULT_RELEASE) and line.endswith(str(FOLDER))
    assert "CODE2BENCH_DATASET=ORG/NAME" in result.stderr
    [row] = json.loads(CliRunner().invoke(cli, ["releases", "--json"]).stdout)
    assert row["release"] == DEFAULT_RELEASE and sum(row["tasks"].values()) == len(load_release(FOLDER).tasks)
