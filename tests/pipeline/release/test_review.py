"""A maintainer's rejections: by id or name, all of them or none, and the next build knows them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from harness.cli import cli
from harness.releases.dataset import load_release
from harness.show import find
from pipeline.packaging.exclusions import load_exclusions
from tests.harness.make_release import make_release


@pytest.fixture
def release(tmp_path: Path) -> Path:
    return make_release(tmp_path / "made" / "release")


def reject(release: Path, path: Path, *tasks: str) -> Result:
    given = [part for task in tasks for part in ("--reject", task)]
    return CliRunner().invoke(cli, ["review", str(release), *given, "--reason", "Odd.", "--exclusions", str(path), "--json"])


def test_a_task_is_rejected_by_its_name_or_its_id(release: Path, tmp_path: Path) -> None:
    made, path = load_release(release), tmp_path / "exclusions.toml"
    ids = [find(made, name).task_id for name in ("clamp", "merge")]
    done = reject(release, path, "clamp", ids[1])
    assert [one["task"] for one in json.loads(done.stdout)] == ids
    assert set(load_exclusions(path)) == set(ids)


def test_of_several_none_is_rejected_where_one_is_unknown(release: Path, tmp_path: Path) -> None:
    done = reject(release, tmp_path / "exclusions.toml", "clamp", "merg")
    assert done.exit_code == 2 and "no task 'merg' (did you mean 'merge'?)" in done.stderr
    assert not (tmp_path / "exclusions.toml").exists()
