"""A maintainer's rejections: by id or name, all of them or none, and the next build knows them."""

from __future__ import annotations

import json
from pathlib import Path

from click.testing import CliRunner, Result

from harness.cli import cli
from harness.releases.dataset import load_release
from harness.show import find
from pipeline.packaging.exclusions import load_exclusions


def reject(path: Path, *tasks: str) -> Result:
    given = [part for task in tasks for part in ("--reject", task)]
    return CliRunner().invoke(cli, ["review", "demo", *given, "--reason", "Odd.", "--exclusions", str(path), "--json"])


def test_a_task_is_rejected_by_its_name_or_its_id(tmp_path: Path) -> None:
    demo, path = load_release("demo"), tmp_path / "exclusions.toml"
    ids = [find(demo, name).task_id for name in ("parse_link_header", "cut_markup")]
    done = reject(path, "parse_link_header", ids[1])
    assert [one["task"] for one in json.loads(done.stdout)] == ids
    assert set(load_exclusions(path)) == set(ids)


def test_of_several_none_is_rejected_where_one_is_unknown(tmp_path: Path) -> None:
    done = reject(tmp_path / "exclusions.toml", "parse_link_header", "none")
    assert done.exit_code == 2 and "no task 'none'" in done.stderr
    assert not (tmp_path / "exclusions.toml").exists()
